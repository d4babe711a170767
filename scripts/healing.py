#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of scripts/study-healing.sh from its databases, as Markdown on standard output."""

import glob
import math
import os
import sqlite3
import sys


def matches(path):
    """(Elo, standard error) of the new and of the damaged weights against the original, and the tuner's games."""
    db = sqlite3.connect(path)
    rows = dict()
    for player, elo, lo, hi, pairs, points in db.execute(
            "SELECT player, elo, elo_lo, elo_hi, ll + ld + dd + wl + wd + ww, ld + 2 * (dd + wl) + 3 * wd + 4 * ww "
            "FROM tune_match WHERE opponent = 'original' AND ll IS NOT NULL ORDER BY stage_id"):
        if elo is None:  # everything was lost or won: half a game is added to each side
            score = (points / 2 + 0.5) / (2 * pairs + 1)
            elo = -400 * math.log10(1 / score - 1)
        ends = [e for e in (lo, hi) if e is not None]
        error = max(abs(e - elo) for e in ends) / 1.96 if ends else math.inf
        rows[player] = (elo, error)
    games, = db.execute("SELECT 2 * sum(pairs) FROM tune_iteration JOIN tune_stage ON tune_stage.id = stage_id "
                        "WHERE kind <> 'match'").fetchone()
    db.close()
    return rows.get("new"), rows.get("start"), games or 0


def share(new, start):
    """Share of the lost Elo that came back, and its standard error."""
    if start[0] >= 0:
        return None
    value = 1 - new[0] / start[0]
    error = math.hypot(new[1] / start[0], new[0] * start[1] / start[0] ** 2)
    return value, error


def main():
    folder, minutes, jobs = sys.argv[1:4]
    print("# Damaged weights, tuned\n")
    print(f"Depth 2, {minutes} minutes a tune on {jobs} threads (`make study-healing`). Elo against the undamaged weights,")
    print("on openings that no tuner saw; share of the lost Elo that came back, each with its 95 % interval.\n")
    print("- blind: open three and four divided by 20, defense 0.3")
    print("- equal: all six weights 1000")
    print("- random: defense and weights drawn log-uniformly, anew for each seed\n")
    print("| damage | seed | method | games | damaged | tuned | share back |")
    print("|---|---|---|---|---|---|---|")
    shares = dict()
    for path in sorted(glob.glob(os.path.join(folder, "*.db"))):
        damage, seed, method = os.path.basename(path)[:-3].split("-")[:3]
        new, start, games = matches(path)
        if not new or not start:
            print(f"| {damage} | {seed} | {method} | {games} | - | - | not finished |")
            continue
        back = share(new, start)
        text = f"{100 * back[0]:.0f} % +- {196 * back[1]:.0f}" if back else "nothing was lost"
        if back:
            shares.setdefault(method, []).append(back[0])
        print(f"| {damage} | {seed} | {method} | {games} | {start[0]:+.0f} +- {1.96 * start[1]:.0f} | "
              f"{new[0]:+.0f} +- {1.96 * new[1]:.0f} | {text} |")
    print()
    for method, values in sorted(shares.items()):
        mean = sum(values) / len(values)
        spread = math.sqrt(sum((v - mean) ** 2 for v in values) / max(1, len(values) - 1) / len(values))
        print(f"{method}: {100 * mean:.0f} % +- {196 * spread:.0f} of the lost Elo came back, "
              f"mean of {len(values)} tunes.\n")


if __name__ == "__main__":
    main()
