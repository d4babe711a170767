#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# `gomolab keys`: the table of knobs in every format, and that configurations take what it prints.
# sanitizers: asan

setup() {
    gomolab=${GOMOLAB:-$BATS_TEST_DIRNAME/../../build/gomolab}
    cd "$BATS_TEST_TMPDIR"
}

@test "every knob of the table is listed once" {
    knobs=$(grep -c '^KNOB_' "$BATS_TEST_DIRNAME/../../engine/base/knobs.def")
    "$gomolab" keys --format tsv >keys.tsv
    [ "$(head -n 1 keys.tsv)" = "$(printf 'key\ttype\tdefault\trange\tstep\texact\tmeaning')" ]
    [ "$(tail -n +2 keys.tsv | wc -l)" -eq "$knobs" ]
    [ "$(tail -n +2 keys.tsv | cut -f 1 | sort -u | wc -l)" -eq "$knobs" ]
}

@test "the printed defaults make a valid player, all from its file" {
    "$gomolab" keys --format tsv | tail -n +2 | awk -F '\t' '{ print $1 ": \"" $3 "\"" }' >player.yaml
    run "$gomolab" check player.yaml
    [ "$status" -eq 0 ]
    "$gomolab" check --resolved player.yaml --format tsv >resolved.tsv
    [ "$(grep -c 'player.yaml:[0-9]*$' resolved.tsv)" -ge "$(wc -l <player.yaml)" ]
    ! grep -q 'default$' resolved.tsv
}

@test "a prefix chooses keys" {
    run "$gomolab" keys eval. --format csv
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "key,type,default,range,step,exact,meaning" ]
    for line in "${lines[@]:1}"; do [[ $line == eval.* ]]; done
    run "$gomolab" keys evil
    [ "$status" -eq 2 ]
    [[ $output == "gomolab keys: no key begins with 'evil'"* ]]
}

@test "experiments and engines have keys, too" {
    "$gomolab" keys --experiment --format tsv | cut -f 1 >keys
    for key in name rule board in_a_row openings.file pairs clock.move_ms seed players sweep sprt.elo1; do
        grep -qx "$key" keys
    done
    "$gomolab" keys --engine --format tsv | cut -f 1 | grep -qx engine.command
    run "$gomolab" keys --engine --experiment
    [ "$status" -eq 2 ]
}

@test "text, md and json say the same" {
    "$gomolab" keys --format md | head -n 2 | grep -q '^|:'
    "$gomolab" keys | grep -q '^search.depth '
    "$gomolab" keys --format json | python3 -c '
import json, sys
keys = {row["key"]: row for row in json.load(sys.stdin)}
depth = keys["search.depth"]
assert depth["type"] == "int" and depth["default"] == "4" and depth["exact"] == "defines", depth
assert depth["step"] is None and isinstance(keys["eval.defense"]["step"], float)
'
}
