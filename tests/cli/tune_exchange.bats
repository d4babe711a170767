#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# `gomolab tune --export tsv` and `--target-runner`: what other optimisers need of a tune.
# sanitizers: asan

bats_require_minimum_version 1.5.0

setup_file() {
    export D=$BATS_FILE_TMPDIR
    GOMOLAB=$(realpath "${GOMOLAB:-build/gomolab}")
    cat >"$D/little.yaml" <<YAML
name: little
method: spsa
player: {search.depth: 1}
openings: {file: $PWD/configs/openings/book15.txt, format: pos, rows: top}
budget: {games: 700}
scan.pairs: 8
output: $D/tuned.yaml
knobs:
  - {key: eval.defense, low: 0.5, high: 2.5}
  - {key: eval.open_three, low: 100, high: 10000, scale: log}
  - {key: eval.three, low: 10, high: 1000, scale: log}
constraints: [open_three > three]
proof: {pairs: 32}
YAML
    "$GOMOLAB" tune "$D/little.yaml" --db "$D/little.db" --quiet >"$D/tune.txt" 2>&1
    "$GOMOLAB" tune "$D/little.yaml" --db "$D/little.db" --export tsv >"$D/trials.tsv"
}

setup() { GOMOLAB=$(realpath "${GOMOLAB:-build/gomolab}"); }

target() { run --separate-stderr "$GOMOLAB" tune "$D/little.yaml" --target-runner "$@"; }

refused() {
    [ "$status" -eq 2 ]
    [ -z "$output" ]
    [ "${#stderr_lines[@]}" -ge 1 ]
    [[ "$stderr" == *"$1"* ]]
}

@test "tune: --export has a row for every pair of the scan and the tuner, none of the proof" {
    pairs=$(sqlite3 "$D/little.db" "SELECT sum(pairs) FROM tune_iteration i JOIN tune_stage s ON s.id = i.stage_id
        WHERE s.kind <> 'match'")
    [ "$(tail -n +2 "$D/trials.tsv" | wc -l)" -eq "$pairs" ]
    [ "$(cut -f 2 "$D/trials.tsv" | sort -u | tr '\n' ' ')" = "kind sense spsa " ]
    awk -F '\t' 'NF != 14 {exit 1}' "$D/trials.tsv"
    [ "$(head -n 1 "$D/trials.tsv" | cut -f 1-9)" = "$(printf 'stage\tkind\titeration\tpair\tseed\tas_black\tas_white\tscore\tplus.eval.defense')" ]
}

@test "tune: exported results are those of the database, and the score follows from them" {
    sqlite3 "$D/little.db" "SELECT group_concat(results, '') FROM (SELECT results FROM tune_iteration i
        JOIN tune_stage s ON s.id = i.stage_id WHERE kind <> 'match' ORDER BY stage_id, iteration)" >"$D/want"
    tail -n +2 "$D/trials.tsv" | awk -F '\t' '{printf "%s%s", $6, $7} END {print ""}' >"$D/got"
    cmp "$D/want" "$D/got"
    awk -F '\t' 'function p(c) {return c == "W" ? 0.5 : c == "D" ? 0.25 : 0}
        NR > 1 && p($6) + p($7) != $8 {exit 1}' "$D/trials.tsv"
}

@test "tune: exported values lie in range, are whole where they must be, and keep the order" {
    awk -F '\t' 'NR > 1 {for (i = 9; i <= 12; i += 3) {
            if ($i < 0.5 || $i > 2.5) exit 1
            if ($(i + 1) != int($(i + 1)) || $(i + 2) != int($(i + 2))) exit 1
            if ($(i + 1) < 100 || $(i + 1) > 10000 || $(i + 2) < 10 || $(i + 2) > 1000) exit 1
            if ($(i + 1) <= $(i + 2)) exit 1}}' "$D/trials.tsv"
    # the scan moves one knob at a time, both ways
    awk -F '\t' '$2 == "sense" {n = ($9 != $12) + ($10 != $13) + ($11 != $14); if (n != 1) exit 1}' "$D/trials.tsv"
}

@test "tune: --export refuses another tune's database, one that is not there, another format" {
    sed 's/low: 0.5/low: 0.6/' "$D/little.yaml" >"$D/other.yaml"
    run --separate-stderr "$GOMOLAB" tune "$D/other.yaml" --db "$D/little.db" --export tsv
    refused "holds another tune"
    run --separate-stderr "$GOMOLAB" tune "$D/little.yaml" --db "$D/none.db" --export tsv
    refused "none.db"
    run --separate-stderr "$GOMOLAB" tune "$D/little.yaml" --db "$D/little.db" --export xml
    refused "tsv"
}

@test "tune: --target-runner prints one number, the share of the points lost" {
    target eval.defense=1.6 eval.open_three=300 --pairs 40 --seed 5
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [[ "$output" =~ ^0\.[0-9]{6}$ ]]
    first=$output
    target eval.defense=1.6 eval.open_three=300 --pairs 40 --seed 5 --jobs 1
    [ "$output" = "$first" ]
    target eval.defense=0.5 eval.open_three=100 eval.three=99 --pairs 40 --seed 5
    awk "BEGIN {exit !($output > $first)}" # worse values cost more
}

@test "tune: --target-runner with the start values costs one half, whatever the seed" {
    for seed in 1 2; do
        target --seed "$seed"
        [ "$status" -eq 0 ]
        [ "$output" = 0.500000 ]
    done
    [ ! -e results/little.db ]
}

@test "tune: --target-runner calls values out of order infinitely bad" {
    target eval.open_three=101 eval.three=500
    [ "$status" -eq 0 ]
    [ "$output" = inf ]
    [[ "$stderr" == *"eval.open_three > eval.three does not hold"* ]]
}

@test "tune: --target-runner refuses what is no knob or no value of it" {
    target eval.open_thre=500
    refused "nearest is 'eval.open_three'"
    target eval.defense=3
    refused "expected a number from 0.5 to 2.5"
    target eval.open_three=500.5
    refused "expected a whole number from 100 to 10000"
    target eval.defense
    refused "expected KEY=VALUE"
    target eval.defense=1 eval.defense=2
    refused "given twice"
    target eval.defense=nan
    refused "expected a number"
    target --seed x
    refused "expected a whole number"
    run --separate-stderr "$GOMOLAB" tune "$D/little.yaml" eval.defense=1
    refused "--target-runner"
}
