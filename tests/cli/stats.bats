#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# `gomolab stats`: numbers, JSON fields, exit statuses, refusals.
# sanitizers: asan

bats_require_minimum_version 1.5.0

setup() {
    GOMOLAB=${GOMOLAB:-build/gomolab}
}

# field KEY: the value of a key in the JSON that the last run printed
field() {
    printf '%s' "$output" | python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"
}

@test "stats: counts of games" {
    run "$GOMOLAB" stats --wdl 120 30 90
    [ "$status" -eq 0 ]
    [[ "$output" == *"+43.7  [+2.7, +85.9]"* ]]
}

@test "stats: JSON has every field" {
    run "$GOMOLAB" stats --pairs 95 8 2 268 9 118 --sprt 0,10 --format json
    [ "$status" -eq 11 ]
    for key in score elo elo_lo elo_hi nelo nelo_err los pairs games opening_free_elo opening_free_se bias_elo \
        model by llr lower upper state warnings; do
        field "$key" >/dev/null
    done
    [ "$(field by)" = pairs ]
    [ "$(field state)" = continue ]
    [ "$(field model)" = logistic ]
}

@test "stats: the exit status is the verdict" {
    run "$GOMOLAB" stats --pairs 140 20 10 250 12 88 --sprt -5,5
    [ "$status" -eq 10 ]
    run "$GOMOLAB" stats --pairs 88 12 10 250 20 140 --sprt -5,5
    [ "$status" -eq 0 ]
    run "$GOMOLAB" stats --pairs 144 3 1 0 0 0 --sprt -1500,-500 --model normalized --format json
    [ "$status" -eq 11 ]
    [ "$(field state)" = undefined ]
    [ "$(field llr)" = None ]
}

@test "stats: --by games is the trinomial test" {
    run "$GOMOLAB" stats --pairs 12 0 0 470 0 18 --sprt 0,10 --by games --format json
    [ "$status" -eq 11 ]
    [ "$(field by)" = games ]
    [[ "$(field llr)" == -0.06876633* ]]
}

@test "stats: what does not exist is null, with a reason" {
    run "$GOMOLAB" stats --wdl 20 0 0 --format json
    [ "$status" -eq 0 ]
    [ "$(field elo)" = None ]
    [ "$(field elo_hi)" = None ]
    [[ "$(field elo_lo)" == 286.61352* ]]
    [[ "$(field warnings)" == *"every game was won"* ]]
    [[ "$output" != *nan* && "$output" != *inf* && "$output" != *NaN* ]]
}

@test "stats: planning" {
    run "$GOMOLAB" stats --plan --elo 5 --power 0.8
    [ "$status" -eq 0 ]
    [[ "$output" == "pairs needed        18952 "* ]]
    run "$GOMOLAB" stats --pairs 12 0 0 470 0 18 --plan --elo 5 --power 0.8 --format json
    [ "$status" -eq 0 ]
    [[ "$(field plan)" == *"'pairs': 157930"* ]]
}

@test "stats: --explain puts a sentence under each number" {
    run "$GOMOLAB" stats --pairs 95 8 2 268 9 118 --sprt 0,10 --explain
    [ "$status" -eq 11 ]
    numbers=$(printf '%s\n' "$output" | grep -c '^[A-Za-z]')
    sentences=$(printf '%s\n' "$output" | grep -c '^    [A-Z]')
    [ "$numbers" -eq "$sentences" ]
}

@test "stats: refuses what makes no sense" {
    for arguments in "" "--wdl 1 2" "--wdl 1 2 x" "--wdl 1 2 -3" "--wdl 1 2 3 --pairs 1 2 3 4 5 6" "--pairs 1 2 3" \
        "--wdl 1 2 3 --sprt 5" "--wdl 1 2 3 --sprt 5,0" "--wdl 1 2 3 --sprt 0,5 --alpha 0" "--sprt 0,5" \
        "--wdl 1 2 3 --by pairs" "--wdl 1 2 3 4" "--wdl 1 2 3 --sprt 0,nan"; do
        # shellcheck disable=SC2086 # the arguments are words
        run --separate-stderr "$GOMOLAB" stats $arguments
        [ "$status" -eq 2 ]
        [ -z "$output" ]
        [ "$(printf '%s\n' "$stderr" | wc -l)" -eq 1 ]
    done
}

@test "stats: no interval is not called an interval" {
    run "$GOMOLAB" stats --wdl 0 0 0
    [ "$status" -eq 0 ]
    [[ "$output" == *"Elo                 n/a  (no games)"* ]]
}

@test "stats: --help says that its model is another than an experiment's" {
    run "$GOMOLAB" stats --help
    [[ "$output" == *"logistic|normalized"*"default logistic"* ]]
    [[ "$output" == *"sprt.model of an
experiment is normalized"* ]]
    run "$GOMOLAB" keys --experiment
    [[ "$output" =~ sprt.model\ .*normalized ]]
}

@test "stats: Markdown rounds each number as text does, and nothing is -0.0" {
    run --separate-stderr "$GOMOLAB" stats --pairs 1000000000000 3 1000000000000 1000000000000 2 1000000000000 --format md
    [ "$status" -eq 0 ]
    [[ "$output" == *"| games            |   8000000000010 |"* ]] || [[ "$output" == *"| 8000000000010 |"* ]]
    [[ "$output" == *"+0.0 |"* ]]
    [[ "$output" != *"-0.0"* ]]
    run --separate-stderr "$GOMOLAB" stats --pairs 1000000000000 3 1000000000000 1000000000000 2 1000000000000
    [[ "$output" != *"-0.0"* ]]
    [[ "$output" == *"Elo                 +0.0  [+0.0, +0.0]"* ]]
}
