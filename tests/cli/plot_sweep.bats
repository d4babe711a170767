#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# `gomolab plot` of an experiment with a sweep: the response curve, drawn by itself.
# sanitizers: asan

bats_require_minimum_version 1.5.0

setup_file() {
    cat >"$BATS_FILE_TMPDIR/defense.yaml" <<'YAML'
name: defense
openings: {random: 6}
schedule: gauntlet
pairs: 12
players:
  - {name: anchor, search.depth: 1, eval.defense: 1.0}
sweep:
  search.depth: 1
  eval.defense: [0.5, 0.8, 1.5]
YAML
    cat >"$BATS_FILE_TMPDIR/limit.yaml" <<'YAML'
name: limit
openings: {random: 6}
schedule: gauntlet
pairs: 4
players:
  - {name: anchor, search.depth: 2, moves.limit: 20}
sweep:
  search.depth: [1, 2]
  moves.limit: [2, 30, 0]
YAML
    cat >"$BATS_FILE_TMPDIR/round-robin.yaml" <<'YAML'
name: round-robin
openings: {random: 6}
pairs: 4
sweep:
  search.depth: 1
  eval.open_three: [10, 1000, 100000]
YAML
    for name in defense limit round-robin; do
        "${GOMOLAB:-build/gomolab}" run "$BATS_FILE_TMPDIR/$name.yaml" --quiet \
            --db "$BATS_FILE_TMPDIR/$name.db" >"$BATS_FILE_TMPDIR/$name.txt"
    done
}

setup() {
    GOMOLAB=$(realpath "${GOMOLAB:-build/gomolab}")
    D=$BATS_FILE_TMPDIR
    OUT=$BATS_TEST_TMPDIR/plots
    command -v gnuplot >/dev/null || skip "no gnuplot"
}

is_png() { [ "$(head -c 8 "$1" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ]; }

# Numbers of points in each block of the data file, "3 3 ".
blocks() { awk '/^#/ {next} NF {n++} !NF && n {printf "%d ", n; n = 0} END {printf "%d ", n}' "$1"; }

@test "plot: a sweep is drawn without being asked for" {
    run --separate-stderr "$GOMOLAB" plot "$D/defense.db" --out "$OUT"
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [[ "$output" == *"$OUT/sweep.png"*"$OUT/sweep.svg"* ]]
    is_png "$OUT/sweep.png"
    grep -q '>eval.defense: weight of the opponent' "$OUT/sweep.svg"
    grep -q '>anchor<' "$OUT/sweep.svg"
}

@test "plot: the points of a sweep are the scores of the standings" {
    "$GOMOLAB" plot "$D/defense.db" --out "$OUT" --only sweep --format svg
    [ "$(blocks "$OUT/sweep.dat")" = "3 " ]
    while read -r value score lo hi nodes name; do
        case $value in '#'*) continue ;; esac
        sql="SELECT round(sum((result='B' AND black_id=p.id) + (result='W' AND white_id=p.id)
             + 0.5*(result='D')) / count(*), 6) FROM game, player p
             WHERE p.name LIKE '%eval.defense=$value' AND p.id IN (black_id, white_id)"
        [ "$(printf '%.6f' "$(sqlite3 "$D/defense.db" "$sql")")" = "$score" ]
        awk "BEGIN { exit !($lo < $score && $score < $hi && $lo >= 0 && $hi <= 1 && $nodes > 0) }"
    done <"$OUT/sweep.dat"
    [ "$(awk '!/^#/ {print $1}' "$OUT/sweep.dat" | tr '\n' ' ')" = "0.5 0.8 1.5 " ]
}

@test "plot: a curve for each setting of what else varies, 0 = all at the right" {
    "$GOMOLAB" plot "$D/limit.db" --out "$OUT" --only sweep --format svg
    [ "$(blocks "$OUT/sweep.dat")" = "3 3 " ]
    grep -q '>search.depth 1<' "$OUT/sweep.svg"
    grep -q '>search.depth 2<' "$OUT/sweep.svg"
    grep -q '>all<' "$OUT/sweep.svg"
    [ "$(awk '!/^#/ && NF && $1 > 30' "$OUT/sweep.dat" | grep -c 'moves.limit=0')" -eq 2 ]
}

@test "plot: a round-robin sweep has no head" {
    "$GOMOLAB" plot "$D/round-robin.db" --out "$OUT" --only sweep --format png
    is_png "$OUT/sweep.png"
    [ "$(blocks "$OUT/sweep.dat")" = "3 " ]
    if grep -q against "$OUT/sweep.gp"; then false; fi
    grep -q 'set logscale x' "$OUT/sweep.gp"
}

@test "plot: without a sweep there is no such picture, and --only says why" {
    fixture=${GOMOLAB_BUILD:-build/release}/tests/stub/report_fixture
    "$fixture" ladder "$BATS_TEST_TMPDIR/ladder.db"
    run --separate-stderr "$GOMOLAB" plot "$BATS_TEST_TMPDIR/ladder.db" --out "$OUT" --only sweep
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    [ "$stderr" = "sweep: not drawn, the experiment has no sweep" ]
}

@test "plot: the shipped sweeps are valid and resumable experiments" {
    for file in configs/experiments/sweep-*.yaml; do
        "$GOMOLAB" check "$file"
        "$GOMOLAB" run "$file" --dry-run --db "$BATS_TEST_TMPDIR/none.db"
    done
    [ "$(ls configs/experiments/sweep-*.yaml | wc -l)" -ge 4 ]
}
