#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What a move of an external program costs in pipes, and what of that is ours: two programs that answer at once play each
# other, every move logged, with 1, 2 and 4 games at a time.
#
#   usage: sh scripts/bench-external.sh [--pairs N] [--rounds N] [--peer COMMAND]
#
# Prints one line a measurement, the best of the rounds (3): games and moves a second, wall time and our own CPU a move in
# microseconds, and both as ratios to floors: x_floor, wall time over the round trip of one line between two processes on one
# core; x_game and x_game_cpu, wall and CPU time over those of a process that asks two others in turn, as a game does, all on
# one core. COMMAND is another match runner to compare with, in turn with ours: it is run as `sh -c COMMAND` (say exec, so
# that its own CPU time is seen) with the number of games at a time in JOBS, the number of games in GAMES, the engine in
# ENGINE and the file of openings ("h8i9j10k11" a line, row 1 at the bottom) in OPENINGS. It must play each opening twice,
# colours swapped: the engines answer by position only, so that both runners play the same games.
set -eu

pairs=500 rounds=3 peer=''
while [ $# -gt 0 ]; do
    case $1 in
    --pairs) pairs=$2 && shift ;;
    --rounds) rounds=$2 && shift ;;
    --peer) peer=$2 && shift ;;
    *)
        sed -n 's/^#   usage: /usage: /p' "$0" >&2
        exit 2
        ;;
    esac
    shift
done

build=$PWD/build/release
stub=$build/tests/stub/stub_engine
floor=$build/tests/stub/pipe_floor
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT INT TERM
games=$((pairs * 2))
# Four stones at distinct places, a different quadruple each line.
awk -v n="$pairs" 'BEGIN {
    srand(1)
    for (i = 0; i < n; i++) {
        line = ""
        split("", used)
        for (stones = 0; stones < 4;) {
            square = sprintf("%c%d", 97 + int(rand() * 15), 1 + int(rand() * 15))
            if (!(square in used)) {
                used[square] = 1
                line = line square
                stones++
            }
        }
        print line
    }
}' >"$dir/openings.txt"
cat >"$dir/bench.yaml" <<YAML
name: bench-external
openings: {file: openings.txt, format: pos}
pairs: $pairs
allow_duplicates: true
players:
  - {name: a, engine: {command: $stub, threads: 1}}
  - {name: b, engine: {command: $stub, threads: 1}}
YAML

"$floor" >"$dir/floor"
same=$(awk '$1 == "same_core_us" { print $2 }' "$dir/floor")
game=$(awk '$1 == "game_us" { print $2 }' "$dir/floor")
game_cpu=$(awk '$1 == "game_cpu_us" { print $2 }' "$dir/floor")
awk '$1 == "same_core_us" { print "pipe floor, one core: " $2 " us a round trip" }
     $1 == "two_cores_us" { print "pipe floor, two cores: " $2 " us a round trip" }
     $1 == "game_us" { printf "two processes asked in turn, one core: %s us a round trip", $2 }
     $1 == "game_cpu_us" { print ", " $2 " us of them CPU time of the one that asks" }' "$dir/floor"

# measure NAME JOBS COMMAND...: keeps the times of the fastest round in $dir/NAME-JOBS
measure() {
    file=$dir/$1-$2
    shift 2
    "$floor" "$@" 2>/dev/null | awk '$1 ~ /^(wall_s|own_cpu_s)$/ { print $2 }' | paste -s -d ' ' - >>"$file"
}

moves=0
for jobs in 1 2 4; do
    for _ in $(seq "$rounds"); do
        rm -f "$dir"/bench.db*
        measure gomolab "$jobs" "$build/gomolab" run "$dir/bench.yaml" --db "$dir/bench.db" --jobs "$jobs" --quiet
        [ "$moves" -gt 0 ] || moves=$(sqlite3 "$dir/bench.db" 'select count(*) from move where time_us is not null')
        [ -z "$peer" ] || JOBS=$jobs GAMES=$games ENGINE=$stub OPENINGS=$dir/openings.txt measure peer "$jobs" sh -c "$peer"
    done
done

printf '\n%-8s %5s %9s %9s %11s %11s %9s %8s %10s\n' runner jobs games/s moves/s wall_us/mv cpu_us/mv x_floor x_game x_game_cpu
for jobs in 1 2 4; do
    for name in gomolab peer; do
        [ -s "$dir/$name-$jobs" ] || continue
        sort -n "$dir/$name-$jobs" | head -1 |
            awk -v name="$name" -v jobs="$jobs" -v games="$games" -v moves="$moves" -v floor="$same" -v game="$game" -v cpu="$game_cpu" '{
                printf "%-8s %5d %9.0f %9.0f %11.2f %11.2f %9.2f %8.2f %10.2f\n", name, jobs, games / $1, moves / $1,
                    $1 * 1e6 / moves, $2 * 1e6 / moves, $1 * 1e6 / moves / floor, $1 * 1e6 / moves / game, $2 * 1e6 / moves / cpu }'
    done
done
