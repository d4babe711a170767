#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# `gomolab plot`: real pictures by gnuplot, none without it, and gnuplots that misbehave.
# sanitizers: asan

bats_require_minimum_version 1.5.0

PICTURES="elo-ladder score-matrix nodes-by-depth time-per-move prune-rate opening-balance"

setup_file() {
    fixture=${GOMOLAB_BUILD:-build/release}/tests/stub/report_fixture
    "$fixture" ladder "$BATS_FILE_TMPDIR/ladder.db"
    "$fixture" names "$BATS_FILE_TMPDIR/names.db" 12 10
    for kind in perfect one-pair empty silent; do
        "$fixture" "$kind" "$BATS_FILE_TMPDIR/$kind.db"
    done
}

setup() {
    GOMOLAB=$(realpath "${GOMOLAB:-build/gomolab}")
    D=$BATS_FILE_TMPDIR
    OUT=$BATS_TEST_TMPDIR/plots
}

# A folder with a program gnuplot that does what the lines on standard input say, to be put first in PATH.
fake_gnuplot() {
    mkdir -p "$BATS_TEST_TMPDIR/bin"
    { echo '#!/bin/sh' && cat; } >"$BATS_TEST_TMPDIR/bin/gnuplot"
    chmod +x "$BATS_TEST_TMPDIR/bin/gnuplot"
}

need_gnuplot() { command -v gnuplot >/dev/null || skip "no gnuplot"; }

is_png() { [ "$(head -c 8 "$1" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ]; }

@test "plot: every picture as PNG and SVG, paths on standard output" {
    need_gnuplot
    run --separate-stderr "$GOMOLAB" plot "$D/ladder.db" --out "$OUT"
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [ "${#lines[@]}" -eq 12 ]
    for name in $PICTURES; do
        is_png "$OUT/$name.png"
        grep -q '</svg>' "$OUT/$name.svg"
        [ -s "$OUT/$name.dat" ]
        [ -s "$OUT/$name.gp" ]
    done
    [ -z "$(ls "$OUT" | grep tmp)" ]
}

@test "plot: names are drawn as they are" {
    need_gnuplot
    run --separate-stderr "$GOMOLAB" plot "$D/names.db" --out "$OUT" --format svg --only elo-ladder
    [ "$status" -eq 0 ]
    [ "$output" = "$OUT/elo-ladder.svg" ]
    for name in my_engine_v2 'alpha^2 {tt}' '100 %' 五子棋引擎 '@home' '`backtick`' '$HOME' 'd7\n'; do
        grep -qF ">$name<" "$OUT/elo-ladder.svg" || grep -qF "> $name<" "$OUT/elo-ladder.svg" ||
            { grep -F text "$OUT/elo-ladder.svg" && false; }
    done
}

@test "plot: --only may be given several times" {
    need_gnuplot
    run --separate-stderr "$GOMOLAB" plot "$D/ladder.db" --out "$OUT" --format svg --only prune-rate --only elo-ladder
    [ "$status" -eq 0 ]
    [ "$(basename -a "${lines[@]}" | sort | paste -s)" = $'elo-ladder.svg\tprune-rate.svg' ]
    run --separate-stderr "$GOMOLAB" plot "$D/ladder.db" --out "$OUT" --only prune-rate --only elo-lader
    [ "$status" -eq 2 ]
}

@test "plot: the scripts draw again by hand" {
    need_gnuplot
    "$GOMOLAB" plot "$D/ladder.db" --out "$OUT" --format png --only prune-rate
    rm "$OUT/prune-rate.png"
    (cd "$OUT" && LC_ALL=C gnuplot prune-rate.gp)
    is_png "$OUT/prune-rate.png"
    (cd "$OUT" && LC_ALL=C gnuplot -e "format='svg'" prune-rate.gp)
    grep -q '</svg>' "$OUT/prune-rate.svg"
}

@test "plot: one pair and perfect scores can be drawn" {
    need_gnuplot
    for kind in one-pair perfect; do
        run --separate-stderr "$GOMOLAB" plot "$D/$kind.db" --out "$OUT-$kind" --format svg
        [ "$status" -eq 0 ]
        [ "${#lines[@]}" -eq 6 ]
        [ -z "$stderr" ]
    done
}

@test "plot: what has nothing to show is skipped with a reason" {
    need_gnuplot
    run --separate-stderr "$GOMOLAB" plot "$D/empty.db" --out "$OUT"
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    [[ "$stderr" == *"elo-ladder: not drawn, no games"* ]]
    run --separate-stderr "$GOMOLAB" plot "$D/silent.db" --out "$OUT" --format svg
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 3 ]
    [[ "$stderr" == *"time-per-move: not drawn, no times"* ]]
}

@test "plot: the folder lies beside the database by default" {
    need_gnuplot
    cp "$D/one-pair.db" "$BATS_TEST_TMPDIR/match.db"
    run "$GOMOLAB" plot "$BATS_TEST_TMPDIR/match.db" --format svg --only score-matrix
    [ "$output" = "$BATS_TEST_TMPDIR/match-plots/score-matrix.svg" ]
}

@test "plot: without gnuplot it says what to install and keeps scripts and data" {
    mkdir -p "$BATS_TEST_TMPDIR/empty"
    run --separate-stderr env PATH="$BATS_TEST_TMPDIR/empty" "$GOMOLAB" plot "$D/ladder.db" --out "$OUT"
    [ "$status" -eq 3 ]
    [ -z "$output" ]
    [[ "$stderr" == *"gnuplot-nox"* ]]
    for name in $PICTURES; do
        [ -s "$OUT/$name.dat" ]
        [ -s "$OUT/$name.gp" ]
        [ ! -e "$OUT/$name.png" ]
    done
}

@test "plot: a gnuplot that fails is quoted, and nothing half-drawn stays" {
    fake_gnuplot <<'SH'
echo "line 7: this terminal is broken" >&2
exit 1
SH
    run --separate-stderr env PATH="$BATS_TEST_TMPDIR/bin:$PATH" "$GOMOLAB" plot "$D/ladder.db" --out "$OUT" --only elo-ladder
    [ "$status" -eq 3 ]
    [ -z "$output" ]
    [[ "$stderr" == *"elo-ladder.png: gnuplot failed: line 7: this terminal is broken"* ]]
    [ ! -e "$OUT/elo-ladder.png" ]
}

@test "plot: a gnuplot that ends well but writes nothing is a failure, and an old picture stays" {
    fake_gnuplot <<'SH'
exit 0
SH
    mkdir -p "$OUT"
    echo old >"$OUT/elo-ladder.png"
    run --separate-stderr env PATH="$BATS_TEST_TMPDIR/bin:$PATH" "$GOMOLAB" plot "$D/ladder.db" --out "$OUT" --only elo-ladder --format png
    [ "$status" -eq 3 ]
    [[ "$stderr" == *"gnuplot wrote nothing"* ]]
    [ "$(cat "$OUT/elo-ladder.png")" = old ]
}

@test "plot: a folder that cannot be made is refused" {
    echo file >"$BATS_TEST_TMPDIR/file"
    run --separate-stderr "$GOMOLAB" plot "$D/ladder.db" --out "$BATS_TEST_TMPDIR/file/plots"
    [ "$status" -eq 2 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    run --separate-stderr "$GOMOLAB" plot "$D/ladder.db" --out "$BATS_TEST_TMPDIR/file"
    [ "$status" -eq 2 ]
}

@test "plot: unknown picture, format and database are refused" {
    run --separate-stderr "$GOMOLAB" plot "$D/ladder.db" --out "$OUT" --only elo-lader
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"nearest is 'elo-ladder'"* ]]
    [ ! -e "$OUT" ]
    run --separate-stderr "$GOMOLAB" plot "$D/ladder.db" --format gif
    [ "$status" -eq 2 ]
    run --separate-stderr "$GOMOLAB" plot "$D/nowhere.db" --out "$OUT"
    [ "$status" -eq 2 ]
    [ ! -e "$OUT" ]
}

@test "plot: long names stay different, and nothing is cut at the edge of a narrow picture" {
    cd "$BATS_TEST_TMPDIR"
    printf 'name: c\nsearch: {depth: 1}\n' >c.yaml
    name=$(printf 'long%.0s' {1..25})
    printf 'name: %s\nopenings: {random: 4}\nsweep: {base: c.yaml, eval.defense: [1.25], search.depth: [1, 2]}\n' "$name" >e.yaml
    "$GOMOLAB" run e.yaml --db e.db --quiet >/dev/null
    "$GOMOLAB" report e.db --section standings >standings
    grep -q ' c defense=1.25 depth=1 ' standings
    grep -q ' c defense=1.25 depth=2 ' standings
    need_gnuplot
    "$GOMOLAB" plot e.db --out . --format svg --only score-matrix >/dev/null
    grep -qF 'c defense=1.25 depth=1' score-matrix.svg
    grep -qF 'c defense=1.25 depth=2' score-matrix.svg
    # The note begins where the title does, and the subtitle is cut inside the experiment's name.
    grep -q "^set label 3 'better than 50 %.* at screen 0.03429," score-matrix.gp
    grep -q "^set label 2 'longlong.*… · freestyle 15x15 · 2 games'" score-matrix.gp
}

@test "plot: an error that is not known is no bar, and no bound" {
    cat >"$BATS_TEST_TMPDIR/even.yaml" <<'YAML'
name: even
openings: {random: 4}
pairs: 3
allow_duplicates: true
players: [{name: g1, search.algorithm: greedy}, {name: g2, search.algorithm: greedy}, {name: g3, search.algorithm: greedy}]
YAML
    "$GOMOLAB" run "$BATS_TEST_TMPDIR/even.yaml" --db "$BATS_TEST_TMPDIR/even.db" --quiet >/dev/null
    "$GOMOLAB" plot "$BATS_TEST_TMPDIR/even.db" --only elo-ladder --out "$BATS_TEST_TMPDIR/even" >/dev/null
    grep -v '^#' "$BATS_TEST_TMPDIR/even/elo-ladder.dat" >"$BATS_TEST_TMPDIR/rows"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/rows")" -eq 3 ]
    [ "$(awk '$3 == $2 && $4 == $2 && $5 == 0' "$BATS_TEST_TMPDIR/rows" | wc -l)" -eq 3 ]
}
