#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The strongest player answers threats: a sample of the table; all of it at 1 s a move in the long
# run.
# sanitizers: asan

load defence.bash

setup() {
    ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    GOMOLAB=${GOMOLAB:-$ROOT/build/gomolab}
}

@test "where a move holds, the strongest player does not play one that loses to fours" {
    run defend 3 --set search.time_ms=0 --set search.nodes=8000
    [ "$status" -eq 0 ]
    [ -z "$output" ]
}

@test "without its knowledge of fours it would" {
    run defend 1 --set search.time_ms=0 --set search.nodes=300 --set search.vcf=none \
        --set search.vct=none
    [ -n "$output" ]
}
