#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# `gomolab plot` of a tune: paths, sensitivity, proof; from the database alone.
# sanitizers: asan

bats_require_minimum_version 1.5.0

setup_file() {
    fixture=${GOMOLAB_BUILD:-build/release}/tests/stub/tune_fixture
    for kind in full begun running scan undecided perfect; do
        "$fixture" "$kind" "$BATS_FILE_TMPDIR/$kind.db"
    done
    "$fixture" running "$BATS_FILE_TMPDIR/one.db" 1
    "$fixture" full "$BATS_FILE_TMPDIR/many.db" 16
}

setup() {
    GOMOLAB=$(realpath "${GOMOLAB:-build/gomolab}")
    D=$BATS_FILE_TMPDIR
    OUT=$BATS_TEST_TMPDIR/plots
    command -v gnuplot >/dev/null || skip "no gnuplot"
}

is_png() { [ "$(head -c 8 "$1" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ]; }

# Lines of the `index`th block of a data file.
block() { awk -v n="$2" 'NF == 0 {gap++; next} gap {if (gap >= 2) b++; gap = 0} !/^#/ && b == n' "$1"; }

@test "plot: a tune draws its paths, its scan and its proof" {
    run --separate-stderr "$GOMOLAB" plot "$D/full.db" --out "$OUT"
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [ "${#lines[@]}" -eq 6 ]
    for name in tune-path tune-sense tune-proof; do
        is_png "$OUT/$name.png"
        grep -q '</svg>' "$OUT/$name.svg"
    done
    grep -q '>eval.open_three<' "$OUT/tune-path.svg"
    grep -q '>accepted<' "$OUT/tune-proof.svg"
}

@test "plot: large effects have tics that stay apart" {
    cp "$D/many.db" "$BATS_TEST_TMPDIR/large.db"
    sqlite3 "$BATS_TEST_TMPDIR/large.db" "UPDATE tune_effect SET slope = slope * 3 + 900,
        slope_se = slope_se * 30, curvature = curvature * 3 + 1200, curvature_se = curvature_se * 40"
    "$GOMOLAB" plot "$BATS_TEST_TMPDIR/large.db" --out "$OUT" --format svg --only tune-sense
    [ "$(grep -c '^set xtics 500$' "$OUT/tune-sense.gp")" -eq 2 ]
    grep -q '>[[:space:]]*1500<' "$OUT/tune-sense.svg"
    ! grep -q '>[[:space:]]*1600<' "$OUT/tune-sense.svg"
}

@test "plot: a path is what the database says, start first, band around the start" {
    "$GOMOLAB" plot "$D/running.db" --out "$OUT" --format svg --only tune-path
    block "$OUT/tune-path.dat" 7 >"$BATS_TEST_TMPDIR/defense"
    [ "$(head -n 1 "$BATS_TEST_TMPDIR/defense")" = "0 1.2 1.2 1.2" ]
    last=$(sqlite3 "$D/running.db" "SELECT printf('%.6f', value) FROM tune_path, tune_stage s
        WHERE stage_id = s.id AND kind = 'spsa' AND key = 'eval.defense' ORDER BY iteration DESC LIMIT 1")
    [ "$(tail -n 1 "$BATS_TEST_TMPDIR/defense" | awk '{printf "%.6f", $2}')" = "$last" ]
    [ "$(tail -n 1 "$BATS_TEST_TMPDIR/defense" | awk '{print $1}')" -eq 1200 ]
    awk 'NR > 1 && !($3 < 1.2 && 1.2 < $4 && $4 - $3 > last) {exit 1} {last = $4 - $3}' "$BATS_TEST_TMPDIR/defense"
    # two sd of a knob that does nothing: drift * step in coordinates of a range of 2.8
    band=$(sqlite3 "$D/running.db" "SELECT printf('%.5f', 2 * i.drift * json_extract(s.steps, '\$[7]') * 2.8)
        FROM tune_iteration i JOIN tune_stage s ON s.id = i.stage_id WHERE s.kind = 'spsa' ORDER BY iteration DESC LIMIT 1")
    [ "$(tail -n 1 "$BATS_TEST_TMPDIR/defense" | awk '{printf "%.5f", $4 - 1.2}')" = "$band" ]
}

@test "plot: the evidence ends at the bound that it reached, and Elo is that of all pairs" {
    "$GOMOLAB" plot "$D/full.db" --out "$OUT" --format svg --only tune-proof
    block "$OUT/tune-proof.dat" 0 >"$BATS_TEST_TMPDIR/llr"
    stored=$(sqlite3 "$D/full.db" "SELECT printf('%.4f', llr) FROM tune_match WHERE verdict_match")
    [ "$(tail -n 1 "$BATS_TEST_TMPDIR/llr" | awk '{printf "%.4f", $2}')" = "$stored" ]
    awk "BEGIN { exit !($stored > 2.944) }"
    [ "$(block "$OUT/tune-proof.dat" 1 | wc -l)" -eq 5 ]
    elo=$(sqlite3 "$D/full.db" "SELECT printf('%.3f', elo) FROM tune_match WHERE verdict_match")
    [ "$(block "$OUT/tune-proof.dat" 1 | awk '$5 == 1 {print $2}')" = "$elo" ]
}

@test "plot: a tune that has just begun, one under way, a scan alone, one that decided nothing" {
    run --separate-stderr "$GOMOLAB" plot "$D/begun.db" --out "$OUT"
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    run --separate-stderr "$GOMOLAB" plot "$D/scan.db" --out "$OUT-scan" --format png
    [ "$status" -eq 0 ]
    [ "$output" = "$OUT-scan/tune-sense.png" ]
    run --separate-stderr "$GOMOLAB" plot "$D/running.db" --out "$OUT-running" --format png
    [ "${#lines[@]}" -eq 2 ]
    for kind in undecided perfect one many; do
        run --separate-stderr "$GOMOLAB" plot "$D/$kind.db" --out "$OUT-$kind" --format png
        [ "$status" -eq 0 ]
        [ -z "$stderr" ]
        is_png "$OUT-$kind/tune-path.png"
    done
}

@test "plot: matches of an extended tune say which answer they judge" {
    cp "$D/full.db" "$BATS_TEST_TMPDIR/two.db"
    "$GOMOLAB" plot "$BATS_TEST_TMPDIR/two.db" --out "$OUT" --format svg --only tune-proof
    if grep -q 'answer 1' "$OUT/tune-proof.gp"; then false; fi
    sqlite3 "$BATS_TEST_TMPDIR/two.db" "UPDATE tune_match SET verdict_match = 1 WHERE stage_id =
        (SELECT max(stage_id) FROM tune_match WHERE NOT verdict_match)"
    "$GOMOLAB" plot "$BATS_TEST_TMPDIR/two.db" --out "$OUT" --format svg --only tune-proof
    grep -q 'held out, answer 1' "$OUT/tune-proof.gp"
    grep -q ', answer 2' "$OUT/tune-proof.gp"
}

@test "plot: --only says why there is no such picture" {
    run --separate-stderr "$GOMOLAB" plot "$D/begun.db" --out "$OUT" --only tune-proof
    [ "$status" -eq 0 ]
    [ "$stderr" = "tune-proof: not drawn, no match of the proof has been played" ]
    run --separate-stderr "$GOMOLAB" plot "$D/full.db" --out "$OUT" --only elo-ladder
    [ "$status" -eq 0 ]
    [ "$stderr" = "elo-ladder: not drawn, no games" ]
}
