#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The fuzz runner can fail: a planted crash behind two bytes of input, seeds that are missing, nothing to run.
# sanitizers: none

setup() {
    runner=$BATS_TEST_DIRNAME/../../scripts/run-fuzz.sh
    cd "$BATS_TEST_TMPDIR"
    mkdir -p seeds/toy
    printf 'aa' >seeds/toy/plain
}

# target CONDITION: a fuzz target that aborts when the condition on data and size holds
target() {
    cat >toy.c <<C
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if ($1) abort();
    return 0;
}
C
    clang -O1 -fsanitize=fuzzer -o fuzz_toy toy.c
}

fuzz() { run sh "$runner" --seconds 2 --seeds seeds "$@"; }

@test "a target that holds passes and says how many inputs it saw" {
    target 'size > 4096 && data[0] == 0'
    fuzz ./fuzz_toy
    echo "$output"
    [ "$status" -eq 0 ]
    [[ "$output" =~ ok\ +toy\ \([0-9]+\ inputs ]]
}

@test "a crash that only fuzzing finds fails, and the input is kept" {
    target "size >= 2 && data[0] == 'G' && data[1] == 'o'"
    fuzz ./fuzz_toy
    [ "$status" -eq 1 ]
    [[ "$output" == *"FAILED toy"* ]]
    [ "$(head -c 2 toy-crash-*)" = Go ]
}

@test "no seeds, or no target, is a failure" {
    printf '#!/bin/sh\nexit 0\n' >fuzz_other
    chmod +x fuzz_other
    fuzz ./fuzz_other
    [ "$status" -eq 1 ]
    [[ "$output" == *"no seeds in seeds/other"* ]]
    fuzz
    [ "$status" -eq 1 ]
}
