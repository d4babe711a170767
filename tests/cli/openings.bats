#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# `gomolab openings`: sets that keep their promises, descriptions that find what is wrong.
# sanitizers: asan

bats_require_minimum_version 1.5.0

setup() {
    ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    GOMOLAB=${GOMOLAB:-$ROOT/build/gomolab}
    cd "$BATS_TEST_TMPDIR"
    printf 'name: judge\nsearch.depth: 2\n' >judge.yaml
}

# property FILE NAME [ARGS...]: one number of the description
property() {
    local file=$1 name=$2
    shift 2
    "$GOMOLAB" openings --check "$file" --format tsv "$@" | awk -F'\t' -v name="$name" '$1 == name { print $2 }'
}

@test "a generated set is distinct, balanced, and the same for the same seed" {
    "$GOMOLAB" openings --generate 40 --plies 3..8 --balance judge.yaml --bound 150 --seed 7 >set.txt
    [ "$(wc -l <set.txt)" -eq 40 ]
    [ "$(property set.txt openings)" -eq 40 ]
    [ "$(property set.txt won)" -eq 0 ]
    [ "$(property set.txt plies_min)" -ge 3 ]
    [ "$(property set.txt plies_max)" -le 8 ]
    [ "$(property set.txt symmetric_duplicates)" -eq 0 ]
    [ "$(property set.txt beyond_bound --balance judge.yaml --bound 150)" -eq 0 ]
    "$GOMOLAB" openings --generate 40 --balance judge.yaml --bound 150 --seed 7 --out again.txt
    cmp set.txt again.txt
    "$GOMOLAB" openings --generate 40 --balance judge.yaml --bound 150 --seed 8 >other.txt
    if cmp -s set.txt other.txt; then false; fi
    "$GOMOLAB" openings --generate 40 --balance judge.yaml --bound 150 --seed 7 --rows top >top.txt
    if cmp -s set.txt top.txt; then false; fi
    [ "$(property top.txt beyond_bound --balance judge.yaml --bound 150 --rows top)" -eq 0 ]
}

@test "a set that cannot be had is refused" {
    run --separate-stderr "$GOMOLAB" openings --generate 100 --plies 1 --board 5
    [ "$status" -eq 2 ]
    [[ "$stderr" == "only 6 openings found of 100"* ]] # the cells of 5x5 up to symmetry
    [ -z "$output" ]
}

@test "duplicates, images and won openings are counted" {
    printf 'h8i9\nh8i9\nh8g9\nh8i10\n' >set.txt
    [ "$(property set.txt duplicates)" -eq 1 ]
    [ "$(property set.txt symmetric_duplicates)" -eq 2 ]
    printf 'h8\nh8a1i8a2j8a3k8a4l8\n' >won.txt
    run --separate-stderr "$GOMOLAB" openings --check won.txt --format csv
    [ "$status" -eq 2 ]
    [[ "$output" == *"won,1"* ]]
    [[ "$stderr" == "won.txt:2: the opening is already won: "* ]]
}

@test "every kind of file is read" {
    for file in "$ROOT"/tests/data/openings/*_20.txt; do
        "$GOMOLAB" openings --check "$file" --board 20
    done
    [ "$(property "$ROOT"/tests/data/openings/piskvork_15.txt openings)" -eq 26 ]
    [ "$(property "$ROOT"/tests/data/openings/tcimba_renju26.jsonl openings)" -eq 6 ]
    [ "$(property "$ROOT"/tests/data/openings/tcimba_renju26.jsonl duplicates)" -eq 1 ]
}

@test "wrong usage is refused in one line" {
    for args in "" "--generate 5 --check x" "--generate 0" "--generate 5 --plies 8..3" "--generate 5 --plies x" \
        "--generate 5 --balance missing.yaml" "--check missing.txt" "--generate 5 --set search.depth=2" \
        "--generate 5 --seed x" "--generate 5 --rule chess" "--generate 5 --out missing/x.txt"; do
        # shellcheck disable=SC2086 # several words
        run --separate-stderr "$GOMOLAB" openings $args
        [ "$status" -eq 2 ]
        [ "${#stderr_lines[@]}" -eq 1 ]
        [ -z "$output" ]
    done
}
