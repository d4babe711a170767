#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitizers: none
# The strongest player answers threats: the whole table at 1 s a move.

load ../cli/defence.bash

setup() {
    ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    GOMOLAB=${GOMOLAB:-$ROOT/build/gomolab}
}

@test "at 1 s a move the strongest player plays no move that loses to fours where one holds" {
    run defend 1 --set search.time_ms=1000
    [ "$status" -eq 0 ]
    [ -z "$output" ]
}
