#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Rates Gomocup's public results by Gomocup's own recipe (Rao-Kupper, draw width 0.01, no advantage, two virtual draws a
# player, mean 1600) and compares with the ratings it publishes. Exit status 1 if one differs by more than 1 Elo or the
# rating takes more than a second.
#
#   usage: sh scripts/study-gomocup.sh [GOMOLAB]
set -eu

gomolab=${1:-build/gomolab}
data=$(dirname "$0")/../tests/data/stats
results=$data/08_gomocup.tsv
published=$data/08_gomocup.official_recipe_ratings.txt
rated=$(mktemp)
trap 'rm -f "$rated"' EXIT

started=$(date +%s%N)
"$gomolab" rate "$results" --draws rao-kupper --draw-elo 0.01 --advantage 0 --prior-draws 2 --offset 1600 \
    --format tsv >"$rated" 2>/dev/null
milliseconds=$((($(date +%s%N) - started) / 1000000))

# The published list has fixed columns: rank, name, Elo; whole numbers.
awk -v ms="$milliseconds" '
    BEGIN { FS = "\t" }
    FNR == NR { if (FNR > 1) elo[$2] = $4; next }
    FNR > 1 {
        name = substr($0, 6, 25); sub(/ +$/, "", name)
        split(substr($0, 31), number, " "); published = number[1]
        if (!(name in elo)) { printf "not rated: %s\n", name; missing++; next }
        off = elo[name] - published; if (off < 0) off = -off
        if (off > worst) { worst = off; who = name }
        sum += off; count++
        if (count <= 10) printf "%4d  %-24s %5d  %8.2f\n", count, name, published, elo[name]
    }
    END {
        printf "...\n%d engines, ratings published and ours: mean difference %.2f, largest %.2f Elo (%s)\n", count, sum / count, worst, who
        printf "time: %d ms for reading, rating and printing (Gomocup'"'"'s own recipe: 326 s)\n", ms
        exit !(count == 228 && !missing && worst <= 1 && ms <= 1000)
    }' "$rated" "$published"
