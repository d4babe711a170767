#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures what the harness itself costs, as ratios inside one run, and writes a table to standard output.
# Usage: scripts/measure-run.sh [ROUNDS]        (default 5; leave the machine alone meanwhile)
#
#   two workers against one     games/s at depth 4, rounds alternating; median of the ratios
#   logging every move          the same with and without --no-move-log, and CPU time a row at depth 1
#   self-play at depth 1        moves/s with every move logged, two workers
#   memory                      largest resident size of a run of 100 000 games at depth 1
set -eu
cd "$(dirname "$0")/.."
rounds=${1:-5}
program=build/gomolab
[ -x "$program" ] || { echo "build first: make" >&2; exit 2; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export LC_ALL=C TIMEFORMAT='%R %U %S'

# run NAME GAMES OPTIONS...: sets wall, cpu (seconds)
run() {
    local name=$1 games=$2
    shift 2
    rm -f "$dir"/run.db*
    local times
    times=$( { time "$program" run "configs/experiments/$name.yaml" --db "$dir/run.db" --games "$games" --quiet "$@" \
        >/dev/null; } 2>&1)
    read -r wall user system <<<"$times"
    cpu=$(awk "BEGIN { print $user + $system }")
}

median() { sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

row() { printf '| %s | %s | %s |\n' "$1" "$2" "$3"; }

games4=600
for i in $(seq "$rounds"); do
    run selfplay-depth4 $games4 --jobs 1; one=$wall
    run selfplay-depth4 $games4 --jobs 2; two=$wall
    awk "BEGIN { print $one / $two }" >>"$dir/speedup"
    awk "BEGIN { print $games4 / $two }" >>"$dir/games"
    logged=$cpu
    run selfplay-depth4 $games4 --jobs 2 --no-move-log
    awk "BEGIN { print 100 * ($logged - $cpu) / $cpu }" >>"$dir/logging"
done

games1=20000
for i in $(seq "$rounds"); do
    run selfplay-depth1 $games1 --jobs 2
    rows=$(sqlite3 "$dir/run.db" 'SELECT count(*) FROM move')
    awk "BEGIN { print $rows / $wall }" >>"$dir/moves"
    awk "BEGIN { print $games1 / $wall }" >>"$dir/games1"
    logged=$cpu
    run selfplay-depth1 $games1 --jobs 2 --no-move-log
    awk "BEGIN { print 1e6 * ($logged - $cpu) / $rows }" >>"$dir/row_us"
done

rm -f "$dir"/run.db*
"$program" run configs/experiments/selfplay-depth1.yaml --db "$dir/run.db" --quiet >/dev/null &
pid=$!
peak=0
early=0
while kill -0 $pid 2>/dev/null; do
    now=$(awk '/^VmHWM/ { print $2 }' "/proc/$pid/status" 2>/dev/null || true)
    [ -n "$now" ] && peak=$now
    [ $early -eq 0 ] && early=${now:-0}
    sleep 0.25
done
wait $pid

echo "| what | measured | goal |"
echo "|---|---|---|"
row "two workers against one, games/s at depth 4" "$(median <"$dir/speedup" | xargs printf '%.2f') x" ">= 1.9 x on two idle cores"
row "games/s at depth 4, two workers" "$(median <"$dir/games" | xargs printf '%.1f')" ""
row "logging every move at depth 4, CPU" "$(median <"$dir/logging" | xargs printf '%.1f') %" "<= 3 %"
row "logging at depth 1, CPU a row" "$(median <"$dir/row_us" | xargs printf '%.2f') µs" "<= 3 µs"
row "self-play at depth 1, moves/s, all logged" "$(median <"$dir/moves" | xargs printf '%.0f')" ">= 30 000"
row "self-play at depth 1, games/s" "$(median <"$dir/games1" | xargs printf '%.0f')" "about 1 000"
row "resident memory, 100 000 games at depth 1" "$(awk "BEGIN { printf \"%.1f\", $peak / 1024 }") MiB (after 0.25 s: $(awk "BEGIN { printf \"%.1f\", $early / 1024 }"))" "<= 64 MiB, flat"
