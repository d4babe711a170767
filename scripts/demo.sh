#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The demonstration: plays a short depth ladder, prints the report, draws the plots. About 3 minutes on 2 cores.
#
#   usage: sh scripts/demo.sh [--no-install]
#
# Installs what is missing first, unless told not to (`make demo`). Environment: DEMO_GAMES, how many games; DEMO_SECONDS,
# when to stop starting new ones, so that slow machines end in time, too: what was played until then is reported.
set -eu
cd "$(dirname "$0")/.."

case $# in
0) sh scripts/install-deps.sh demo ;;
1) [ "$1" = --no-install ] || { sed -n 's/^#   usage: /usage: /p' "$0" >&2 && exit 2; } ;;
*) sed -n 's/^#   usage: /usage: /p' "$0" >&2 && exit 2 ;;
esac
make -s -j"$(nproc)" all

experiment=configs/experiments/depth-ladder.yaml
folder=results/demo
db=$folder/depth-ladder.db
rm -rf "$folder" # the demonstration's own results only
mkdir -p "$folder"

echo "playing $experiment (${DEMO_GAMES:=120} games, at most ${DEMO_SECONDS:=120} s)" >&2
status=0
# An interrupt makes gomolab finish the games in progress and save; a time-out is no failure here.
timeout --foreground --signal=INT "$DEMO_SECONDS" \
    build/gomolab run "$experiment" --games "$DEMO_GAMES" --db "$db" || status=$?
case $status in
0 | 124) ;;
*) exit "$status" ;;
esac

build/gomolab report "$db"
build/gomolab plot "$db" --out "$folder/plots" || echo "no pictures: see above" >&2

cat >&2 <<TEXT

database  $db (try: sqlite3 $db 'SELECT * FROM standings')
plots     $folder/plots
a game    build/gomolab show $db 1
the full ladder, all cores, resumable:
          build/gomolab run $experiment
          build/gomolab report results/depth-ladder.db
TEXT
