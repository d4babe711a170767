#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Damaged weights, tuned: how much of the lost strength comes back? Three damages, several seeds, spsa against random
# search with the same time, at depth 2; judged by matches against the undamaged player on openings that no tuner saw.
# Usage: scripts/study-healing.sh [--minutes M] [--seeds N] [--jobs N] [--pairs N] [--out FILE] [--dir DIR]
#        M minutes a tune [5], N seeds a damage [3], all cores, pairs of each judging match [500],
#        results/healing.md, databases in results/healing
# Stopped and started again it goes on; what is finished is not played again.
set -eu
cd "$(dirname "$0")/.."
root=$PWD program=$PWD/build/gomolab
minutes=5 seeds=3 jobs=$(nproc) pairs=500 out=results/healing.md dir=results/healing
while [ $# -gt 0 ]; do
    case $1 in
    --minutes) minutes=$2 ;;
    --seeds) seeds=$2 ;;
    --jobs) jobs=$2 ;;
    --pairs) pairs=$2 ;;
    --out) out=$2 ;;
    --dir) dir=$2 ;;
    *) echo "study-healing.sh: unknown option $1" >&2; exit 2 ;;
    esac
    shift 2 || { echo "study-healing.sh: a value is missing" >&2; exit 2; }
done
[ -x "$program" ] || { echo "build first: make" >&2; exit 2; }
mkdir -p "$dir"
hours=$(awk "BEGIN { printf \"%.6g\", $minutes / 60 }")

# start DAMAGE SEED: the damaged start values of defense open_four four open_three three open_two two.
start() {
    case $1 in
    blind) echo 0.3 10000 50 50 100 100 10 ;;
    equal) echo 1.2 1000 1000 1000 1000 1000 1000 ;;
    random) awk -v seed="$2" 'BEGIN { srand(1000 + seed); printf "%.4g", exp(log(0.2) + rand() * log(10))
                for (i = 0; i < 6; i++) printf " %d", exp(log(10) + rand() * log(1000)); print "" }' ;;
    esac
}

# tune_file DAMAGE SEED METHOD
tune_file() {
    read -r defense open_four four open_three three open_two two <<<"$(start "$1" "$2")"
    cat <<YAML
name: $1-$2-$3
method: $3
base: $root/configs/players/classic.yaml
player: {search.depth: 2}
openings: {file: $root/configs/openings/book15.txt, format: pos, rows: top}
seed: $2
budget: {hours: $hours}
knobs:
  - {key: eval.defense, low: 0.1, high: 3, start: $defense}
  - {key: eval.open_four, low: 1, high: 100000, scale: log, start: $open_four}
  - {key: eval.four, low: 1, high: 100000, scale: log, start: $four}
  - {key: eval.open_three, low: 1, high: 100000, scale: log, start: $open_three}
  - {key: eval.three, low: 1, high: 100000, scale: log, start: $three}
  - {key: eval.open_two, low: 1, high: 100000, scale: log, start: $open_two}
  - {key: eval.two, low: 1, high: 100000, scale: log, start: $two}
proof:
  pairs: 100
  anchor_pairs: $pairs
  anchors: [{name: original, base: $root/configs/players/classic.yaml, search.depth: 2}]
output: $dir/$1-$2-$3.player.yaml
YAML
}

for seed in $(seq "$seeds"); do
    for damage in blind equal random; do
        for method in spsa random; do
            name=$damage-$seed-$method
            tune_file "$damage" "$seed" "$method" >"$dir/$name.yaml.new"
            # the file of a tune that has begun stays as it is
            [ -e "$dir/$name.yaml" ] || mv "$dir/$name.yaml.new" "$dir/$name.yaml"
            rm -f "$dir/$name.yaml.new"
            if [ -e "$dir/$name.done" ]; then continue; fi
            echo "$name" >&2
            "$program" tune "$dir/$name.yaml" --db "$dir/$name.db" --jobs "$jobs" --quiet >"$dir/$name.out"
            : >"$dir/$name.done"
        done
    done
done
python3 scripts/healing.py "$dir" "$minutes" "$jobs" >"$out"
cat "$out"
