# SPDX-License-Identifier: GPL-3.0-or-later
# gomolab check-engine: what it says about engines good and bad.
# sanitizers: asan

setup() {
    GOMOLAB=${GOMOLAB:-build/gomolab}
    stub=${GOMOLAB_BUILD:-build/release}/tests/stub/stub_engine
}

# check MODE...: the verdicts of the stub in that mode, one "check<TAB>verdict<TAB>found" a line.
check() {
    run "$GOMOLAB" check-engine --format tsv --start-ms 2000 --end-ms 1000 --move-ms 500 -- "$stub" --mode "$@"
}

@test "an honest engine has no problem" {
    check honest
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = $'check\tverdict\tfound' ]
    [[ $output == *$'start\tok\tOK after'* ]]
    [[ $output == *$'board in any order\tok'* ]]
    [[ $output == *$'restart\tok'* ]]
    [[ $output == *$'end\tok\texit status 0'* ]]
    [[ $output != *problem* ]]
}

@test "our own brain has no problem and knows its rules" {
    printf 'name: p\nsearch: {algorithm: alphabeta, depth: 2}\n' >"$BATS_TEST_TMPDIR/p.yaml"
    run "$GOMOLAB" check-engine --format tsv "$GOMOLAB" brain "$BATS_TEST_TMPDIR/p.yaml"
    [ "$status" -eq 0 ]
    [[ $output == *$'rule freestyle\tok'* ]]
    [[ $output == *$'rule standard\tok'* ]]
    [[ $output != *$'\tnote'* ]]
}

@test "no OK to START: said, and nothing else is tried" {
    check hang-now
    [ "$status" -eq 1 ]
    [ "${#lines[@]}" -eq 2 ]
    [[ ${lines[1]} == $'start\tproblem\tno OK'* ]]
}

@test "an end at START is told from silence, with its last words" {
    check exit-start
    [ "$status" -eq 1 ]
    [ "${#lines[@]}" -eq 2 ]
    [[ ${lines[1]} == $'start\tproblem\tit ended at START: exit status 9' ]]
    printf '#!/bin/sh\necho no such file: net.bin >&2\nexit 3\n' >"$BATS_TEST_TMPDIR/engine"
    chmod +x "$BATS_TEST_TMPDIR/engine"
    run "$GOMOLAB" check-engine --format tsv "$BATS_TEST_TMPDIR/engine"
    [ "$status" -eq 1 ]
    [[ $output == *'exit status 3; standard error: no such file: net.bin'* ]]
}

@test "a late engine is found" {
    check late --game 0 --move 2 --delay 2000
    [ "$status" -eq 1 ]
    [[ $output == *$'clock of a move\tproblem\tlongest'* ]]
}

@test "an END that is ignored is found" {
    check ignore-end
    [ "$status" -eq 1 ]
    [[ $output == *$'end\tproblem\tstill there'* ]]
}

@test "an illegal move is found" {
    check off-board --game 0 --move 1
    [ "$status" -eq 1 ]
    [[ $output == *'-4,-4, which is outside the board'* ]]
}

@test "oddities are notes" {
    check no-restart
    [ "$status" -eq 0 ]
    [[ $output == *$'restart\tnote\tno OK'* ]]
    check banner
    [ "$status" -eq 0 ]
    [[ $output == *$'start\tnote\tOK after'*'lines before START'* ]]
    check bytes
    [ "$status" -eq 0 ]
    [[ $output == *$'output\tnote\t'*'not UTF-8'* ]]
}

@test "what cannot be executed is said with its path" {
    run "$GOMOLAB" check-engine /no/such/engine
    [ "$status" -eq 3 ]
    [[ $output == *'/no/such/engine: cannot be executed: No such file'* ]]
}
