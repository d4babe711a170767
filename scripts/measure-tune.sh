#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Games a second of the tuner against those of a plain match of the same players, alternating; prints the ratio.
# Usage: scripts/measure-tune.sh [ROUNDS [JOBS [DEPTH]]]        (default 5 2 2; leave the machine alone meanwhile)
set -eu
cd "$(dirname "$0")/.."
rounds=${1:-5} jobs=${2:-2} depth=${3:-2}
root=$PWD program=$PWD/build/gomolab
[ -x "$program" ] || { echo "build first: make" >&2; exit 2; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export LC_ALL=C
games=2400

cat >"$dir/match.yaml" <<YAML
name: match
openings: {file: $root/configs/openings/book15.txt, format: pos, rows: top, order: random}
pairs: $((games / 2))
players:
  - {name: a, base: $root/configs/players/classic.yaml, search.depth: $depth, eval.defense: 1.2}
  - {name: b, base: $root/configs/players/classic.yaml, search.depth: $depth, eval.defense: 1.201}
YAML
# The range is so narrow that all players of the tune are the same two.
cat >"$dir/tune.yaml" <<YAML
name: tune
base: $root/configs/players/classic.yaml
player: {search.depth: $depth}
openings: {file: $root/configs/openings/book15.txt, format: pos, rows: top}
budget: {games: $games}
scan: {pairs: 0}
knobs:
  - {key: eval.defense, low: 1.199, high: 1.202}
  - {key: eval.open_three, low: 999, high: 1001}
proof: {pairs: 0}
YAML

for i in $(seq "$rounds"); do
    rm -f "$dir"/*.db*
    plain=$("$program" run "$dir/match.yaml" --db "$dir/match.db" --jobs "$jobs" 2>&1 >/dev/null |
        sed -n 's/.* games, \([0-9.]*\) games\/s, took.*/\1/p')
    "$program" tune "$dir/tune.yaml" --db "$dir/tune.db" --jobs "$jobs" --quiet --seed "$i" \
        --set output="$dir/out-$i.yaml" >/dev/null 2>&1
    tuned=$(sqlite3 "$dir/tune.db" 'SELECT 2 * sum(pairs) / sum(seconds) FROM tune_iteration')
    echo "round $i: match $plain games/s, tuner $tuned games/s" >&2
    awk "BEGIN { print $tuned / $plain }" >>"$dir/ratios"
done
sort -g "$dir/ratios" | awk -v jobs="$jobs" -v depth="$depth" '{ v[NR] = $1 }
    END { m = NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2
          printf "tuner / match at depth %d, %d at once: %.3f (%.3f to %.3f in %d rounds)\n", depth, jobs, m, v[1], v[NR], NR }'
