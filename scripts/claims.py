#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes results/claims.md from the databases of the claims experiments and from single positions.

Usage: claims.py FOLDER      (the folder with the databases that scripts/claims.sh made)

Every number comes from `gomolab report`, `audit` or `analyze` in JSON; nothing is computed here but ratios, medians and
the verdict. A verdict needs an interval that excludes the other answer; otherwise the table says that it is too wide."""
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile

PROGRAM = 'build/gomolab'
PLAYERS = 'configs/players/tutorials/'
FOLDER = sys.argv[1]
ROWS = []


def gomolab(*args):
    out = subprocess.run([PROGRAM, *args], capture_output=True, text=True)
    if out.returncode not in (0, 1):
        sys.exit(f'{" ".join(args)}: {out.stderr.strip()}')
    return json.loads(out.stdout)


def report(name):
    return gomolab('report', f'{FOLDER}/{name}.db', '--format', 'json')


def head(name, player, opponent):
    return next(r for r in report(name)['head_to_head'] if r['player'] == player and r['opponent'] == opponent)


def by_player(name, view):
    return {r['player']: r for r in report(name)[view]}


def number(value):
    return 'n/a' if value is None else f'{value:+.0f}'


def elo(row):
    interval = f'[{number(row["elo_lo"])}, {number(row["elo_hi"])}]'
    return f'{number(row["elo"])} Elo {interval}, {row["score_percent"]:.0f} % of {row["games"]} games'


def better(row):
    """+1, -1, or 0 when the interval holds both answers."""
    if row['elo_lo'] is not None and row['elo_lo'] > 0:
        return 1
    return -1 if row['elo_hi'] is not None and row['elo_hi'] < 0 else 0


def said_better(row):
    return {1: 'holds', -1: 'false', 0: 'open: interval too wide'}[better(row)]


def claim(tag, said, measured, verdict, command):
    ROWS.append((tag, said, measured, verdict, command))


# --- single positions: unfinished ones of the reference set with 4 to 30 stones ---

def positions_file():
    path = os.path.join(tempfile.mkdtemp(), 'positions.tsv')
    with open('tests/data/seeds/positions.tsv') as source, open(path, 'w') as out:
        out.write('id\tmoves\n')
        for row in csv.DictReader((l for l in source if not l.startswith('#')), delimiter='\t'):
            if row['five'] == '-' and row['over'] == '-' and row['moves'] != '-' and 4 <= int(row['nstones']) <= 30:
                if len(row['moves'].split()) == int(row['nstones']):
                    out.write(f'{row["id"]}\t{row["moves"]}\n')
    return path


POSITIONS = positions_file()


def analyze(player, *settings):
    args = [x for s in settings for x in ('--set', s)]
    return gomolab('analyze', f'{PLAYERS}{player}.yaml', '--file', POSITIONS, *args, '--format', 'json')


def spread(values):
    values = sorted(values)
    return f'{statistics.median(values):.3g} [{values[len(values) // 10]:.3g}, {values[-1 - len(values) // 10]:.3g}]'


def node_ratio(dear, cheap):
    """Median and 10th to 90th percentile of nodes(dear) / nodes(cheap), position by position."""
    return [a['nodes'] / b['nodes'] for a, b in zip(dear, cheap)]


def same_answers(a, b):
    value = sum(x['value'] == y['value'] for x, y in zip(a, b))
    move = sum(x['move'] == y['move'] for x, y in zip(a, b))
    return f'same value in {value}, same move in {move} of {len(a)} positions'


def times(rows):
    return spread([r['time_us'] / 1e3 for r in rows])


def rates(rows):
    nodes, interior = sum(r['nodes'] for r in rows), sum(r['interior'] for r in rows)
    cuts = sum(r['cutoffs'] for r in rows)
    return f'cutoffs per node {100 * cuts / nodes:.0f} %, per interior node {100 * cuts / interior:.0f} %'


def measure_positions():
    at = 'gomolab analyze'
    order3, row3 = analyze('thesis', 'search.depth=3'), analyze('thesis-unordered', 'search.depth=3')
    ratio = node_ratio(row3, order3)
    claim('C4.3', 'sorting candidates makes the search 5 to 10 times faster',
          f'{spread(ratio)} times fewer nodes at depth 3 (median [p10, p90] over {len(ratio)} positions)',
          'holds' if statistics.median(ratio) >= 5 else 'false', f'{at} thesis, thesis-unordered, search.depth=3')
    ordered, unordered = analyze('study-shared', 'search.depth=3'), analyze('study-unordered', 'search.depth=3')
    ratio = [1 - b['nodes'] / a['nodes'] for a, b in zip(unordered, ordered)]
    claim('C3.2', 'ordering saves 30 % and more of the nodes', f'saves {spread([100 * r for r in ratio])} % at depth 3',
          'holds, far too modest' if statistics.median(ratio) > .6 else 'false', f'{at} study-shared, study-unordered')
    mini = analyze('thesis-gameover', 'search.depth=2', 'search.algorithm=minimax')
    pruned = analyze('thesis-gameover', 'search.depth=2')
    saving = [100 * (1 - b['nodes'] / a['nodes']) for a, b in zip(mini, pruned)]
    claim('P3.5', 'the pruned AI plays worse (a symptom of a wrong window)',
          f'{same_answers(mini, pruned)}; node saving {spread(saving)} %', 'false: pruning changes nothing but the cost',
          'gomolab verify configs/verify/thesis-gameover.yaml')
    full, fullmini = analyze('study', 'search.depth=2'), analyze('study-minimax', 'search.depth=2')
    saved = 100 * (1 - sum(r['nodes'] for r in full) / sum(r['nodes'] for r in fullmini))
    claim('E3.4', 'alpha-beta with a full window for every root move prunes at two plies', f'saves {saved:.1f} % of the nodes',
          'false: it prunes nothing there', f'{at} study, study-minimax, search.depth=2')
    plain, table = analyze('thesis-gameover', 'search.depth=4'), analyze('thesis-table', 'search.depth=4')
    saved = [100 * (1 - b['nodes'] / a['nodes']) for a, b in zip(plain, table)]
    claim('C4.5', 'a transposition table saves nearly half of the nodes', f'saves {spread(saved)} % at depth 4; {same_answers(plain, table)}',
          'holds' if statistics.median(saved) > 40 else 'false at this depth', f'{at} thesis-gameover, thesis-table')
    direct, deepening = analyze('study-shared', 'search.depth=4'), analyze('study-deepening', 'search.depth=4')
    ratio = node_ratio(deepening, direct)
    claim('C3.6', 'deepening 2 to 4 beats depth 4 at once', f'{spread(ratio)} times the nodes; {same_answers(direct, deepening)}',
          'holds' if statistics.median(ratio) < .95 else 'false at this depth' if statistics.median(ratio) > 1.02 else 'no difference',
          f'{at} study-shared, study-deepening, search.depth=4')
    claim('C3.4', 'depth 4 takes less than a second', f'{times(direct)} ms a move here',
          'holds, with this engine', f'{at} study-shared, search.depth=4')
    six = analyze('thesis-gameover', 'search.depth=6')
    claim('C4.4', 'depth 4 takes 0.5 to 1 s, depth 6 3 to 10 s', f'depth 4 {times(plain)} ms, depth 6 {times(six)} ms here',
          'much less, with this engine', f'{at} thesis-gameover, search.depth=4 and 6')
    growth = node_ratio(six, plain)
    claim('C4.2', 'alpha-beta turns N nodes into sqrt(N): two plies more cost one factor b',
          f'depth 6 costs {spread(growth)} times depth 4', 'holds: far below b squared', f'{at} thesis-gameover')
    two = analyze('pygame', 'search.depth=2')
    deep = analyze('pygame', 'search.depth=6')
    claim('C0.2', 'five or six plies are within reach with pattern pruning', f'depth 6: {times(deep)} ms a move',
          'holds', f'{at} pygame, search.depth=6')
    claim('C1.4', 'prune rate = prunes / nodes; above 85 % is ideal, above 90 % with ordering',
          f'pygame depth 2: {rates(two)}; thesis depth 4: {rates(plain)}',
          'false as defined: leaves dominate; it holds per interior node', f'{at} pygame, thesis-gameover')
    claim('C0.1', 'depth 3 over 225 points is about 11 million positions', f'225^3 = {225 ** 3:,}', 'holds', 'arithmetic')
    scratch, kept = (analyze('study-shared', 'search.depth=3', f'search.incremental={word}') for word in ('no', 'yes'))
    ratio = sum(r['time_us'] for r in scratch) / sum(r['time_us'] for r in kept)
    claim('C3.5', 'updating four lines instead of the whole board is several times faster', f'{ratio:.1f} times faster at depth 3; '
          f'{same_answers(scratch, kept)}', 'holds' if ratio > 2 else 'false', f'{at} study-shared, search.incremental=no')
    each = [r['time_us'] / r['leaves'] for r in analyze('thesis', 'search.depth=2', 'search.incremental=no') if r['leaves']]
    claim('C4.10', 'one evaluation takes a few milliseconds', f'{spread(each)} µs a leaf, from the whole board, search included',
          'far less, with this engine', f'{at} thesis, search.incremental=no')
    row2, row4 = (analyze('thesis-unordered', f'search.depth={d}', 'search.nodes=20000000') for d in (2, 4))
    claim('C4.6', 'without sorting depth 2 takes 1 s and depth 4 8 s', f'{spread(node_ratio(row4, row2))} times the nodes, {times(row4)} ms at depth 4',
          'false: the factor is larger', f'{at} thesis-unordered, search.depth=2 and 4')
    tied, other = (analyze(p, 'search.depth=3', 'search.tie=board', 'search.root=exact') for p in ('thesis', 'thesis-unordered'))
    claim('C1.5', 'ordering alone makes the play two ranks stronger', f'{same_answers(tied, other)} at equal depth',
          'false at equal depth: ordering buys time, not moves', f'{at} thesis, thesis-unordered, search.tie=board')
    by_row, by_centre = (analyze(p, 'search.depth=2') for p in ('windows-full', 'windows-center'))
    claim('P1.1', 'play is stiff because moves are not shuffled: another order plays otherwise', f'row order and centre order: {same_answers(by_row, by_centre)}',
          'order picks among equal moves only', f'{at} windows-full, windows-center, search.depth=2')
    limit = 'search.nodes=3000000'
    row, hist = analyze_some('windows-full', 'search.depth=3', limit), analyze_some('windows-history', 'search.depth=3', limit)
    flat = analyze_some('windows-history-flat', 'search.depth=3', limit)
    claim('C1.1', 'depth 4 needs 100 000 nodes with alpha-beta', f'depth 3 alone: {spread([r["nodes"] for r in row])} nodes in row order, '
          f'{spread([r["nodes"] for r in hist])} with history', 'false: all 225 cells are candidates', f'{at} windows-full, windows-history, search.depth=3')
    ratio = node_ratio(flat, hist)
    claim('T1.5', 'history with depth decay prunes 89 %, without 78 %', f'without decay {spread(ratio)} times the nodes of with decay',
          'no difference' if .9 < statistics.median(ratio) < 1.1 else 'a difference in nodes', f'{at} windows-history, windows-history-flat')


def analyze_some(player, *settings):
    """The same on the first twelve positions only: every empty cell is a candidate there."""
    lines = open(POSITIONS).read().splitlines()
    path = POSITIONS + '.few'
    with open(path, 'w') as out:
        out.write('\n'.join(lines[:13]) + '\n')
    args = [x for s in settings for x in ('--set', s)]
    return gomolab('analyze', f'{PLAYERS}{player}.yaml', '--file', path, *args, '--format', 'json')


# --- matches ---

def measure_matches():
    run = 'gomolab run configs/experiments/claims/'
    for low, high in (('easy', 'medium'), ('medium', 'hard'), ('hard', 'expert')):
        row = head('presets', high, low)
        claim('C0', f'preset {high} is stronger than {low}', elo(row), said_better(row), run + 'presets.yaml')
    draws = by_player('defense', 'standings')
    share = ', '.join(f'{name.split("=")[-1]}: {100 * r["draws"] / r["games"]:.0f} %' for name, r in sorted(draws.items()))
    rising = [100 * r['draws'] / r['games'] for _, r in sorted(draws.items())]
    claim('C2.1a', 'defense above 0.9 is passive and ends in stalemate', f'share of draws by defense: {share}',
          'holds: more defense, more draws' if rising[-1] > rising[0] + 5 else 'no clear rise', run + 'defense.yaml')
    names = {name.split('=')[-1]: name for name in draws}
    for other in ('0.6', '1.2', '1.5'):
        row = head('defense', names['0.9'], names[other])
        claim('C2.1b', f'defense 0.9 is better than {other}', elo(row), said_better(row), run + 'defense.yaml')
    for name in ('pygame-2', 'study-2', 'thesis-2'):
        row = head('greedy-v-search', name, 'pointwise')
        claim('C2.4', f'{name} (two plies) beats the greedy scorer, which cannot look ahead', elo(row), said_better(row),
              run + 'greedy-v-search.yaml')
    for deep in (2, 3, 4):
        row = head('depth', f'depth-{deep}', f'depth-{deep - 1}')
        cost = by_player('depth', 'player_cost')
        factor = cost[f'depth-{deep}']['nodes_mean'] / cost[f'depth-{deep - 1}']['nodes_mean']
        claim('C4.9', f'depth {deep} is stronger than depth {deep - 1}', f'{elo(row)}; {factor:.1f} times the nodes a move',
              said_better(row), run + 'depth.yaml')
    for player, said in (('history', 120), ('history-decay', 240)):
        row = head('history', player, 'row')
        inside = row['elo_lo'] is not None and row['elo_hi'] is not None and row['elo_lo'] <= said <= row['elo_hi']
        claim('T1.5', f'{player} is worth {said} Elo over no ordering', elo(row) + ', at 20 000 nodes a move',
              'possible' if inside else 'false at this depth', run + 'history.yaml')
    row = head('gameover', 'game-over', 'literal')
    claim('E4.1', 'the search without a game-over test is good enough', f'with the test: {elo(row)}',
          {1: 'false: the test is worth it', 0: 'open: interval too wide', -1: 'holds'}[better(row)], run + 'gameover.yaml')
    audit = gomolab('audit', f'{FOLDER}/open-four.db', '--format', 'json')
    missed = {f: [r for r in audit if r['finding'] == f] for f in ('unblocked_five', 'open_four_allowed')}
    text = '; '.join(f'{f.replace("_", " ")}: {sum(r["count"] for r in rows)} of {sum(r["chances"] for r in rows)}' for f, rows in missed.items())
    claim('C3.7', 'both sides fail to block an open four', f'{text} chances in 80 games of depth 2',
          'happens' if sum(r['count'] for r in missed['open_four_allowed']) else 'does not happen', 'gomolab audit results/claims/open-four.db')
    score = by_player('defense-search', 'standings')
    text = ', '.join(f'{n.split("=")[-1]}: {r["score_percent"]:.0f} % (draws {100 * r["draws"] / r["games"]:.0f} %)' for n, r in sorted(score.items()))
    names = {n.split('=')[-1]: n for n in score}
    row = head('defense-search', names['1.2'], names['0.6'])
    claim('S4 def', 'defense below 1.0 is reckless, above 1.5 passive', f'score by defense at depth 2: {text}; 1.2 against 0.6: {elo(row)}',
          said_better(row), run + 'defense-search.yaml')
    prune = by_player('radius', 'prune_rate')
    text = ', '.join(f'radius {n.split("=")[-1]}: {r["branching"]:.0f}' for n, r in sorted(prune.items()))
    claim('C3.1', 'radius 2 cuts the branching from 200 to under 20', f'moves per interior node in play: {text}',
          'false' if max(r['branching'] for n, r in prune.items() if n.endswith('=2')) > 20 else 'holds', run + 'radius.yaml')
    names = {n.split('=')[-1]: n for n in prune}
    row = head('radius', names['2'], names['1'])
    claim('C3.1', 'radius 2 is worth its cost over radius 1', elo(row), said_better(row), run + 'radius.yaml')
    cost = by_player('table-deepening', 'player_cost')
    base = cost['plain']['time_us_mean']
    text = ', '.join(f'{n} {r["time_us_mean"] / base:.2f} times the time' for n, r in cost.items() if n != 'plain')
    claim('C4.5', 'table and deepening make depth 4 faster in play', text,
          'holds' if min(cost[n]['time_us_mean'] for n in ('table', 'both')) < .95 * base else 'false at this depth', run + 'table-deepening.yaml')


def main():
    measure_positions()
    measure_matches()
    version = subprocess.run([PROGRAM, '--version'], capture_output=True, text=True).stdout.strip()
    print('# What the tutorials claim, measured\n')
    print(f'Written by `scripts/claims.sh` with {version}. Tags are those of the tutorial systems: C a claim, T a table, P a')
    print('pitfall, E an oddity of the printed code. Intervals are 95 %, from whole pairs of games; `[p10, p90]` over positions.')
    print('Times are of this machine. Where an interval holds both answers the verdict is open: more pairs would decide.\n')
    print('| tag | said | measured | verdict | command |\n|---|---|---|---|---|')
    for tag, said, measured, verdict, command in sorted(ROWS, key=lambda r: r[0]):
        print(f'| {tag} | {said} | {measured} | {verdict} | `{command}` |')


main()
