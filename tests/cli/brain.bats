# SPDX-License-Identifier: GPL-3.0-or-later
# gomolab brain: a Gomocup engine on standard input and output.

setup() {
    GOMOLAB=${GOMOLAB:-build/gomolab}
    player=$BATS_TEST_TMPDIR/p.yaml
    printf 'name: p\nsearch: {algorithm: alphabeta, depth: 2}\n' >"$player"
}

# Sends the lines given and fills $output with what the brain says.
converse() {
    run bash -c 'printf "$1" | timeout 20 "$2" brain "$3" 2>&1' _ "$1" "$GOMOLAB" "$player"
}

@test "a conversation from START to END" {
    # A line at a time: an END that is read while a move is due ends the search.
    coproc BRAIN { exec timeout 60 "$GOMOLAB" brain "$player" 2>&1; }
    pid=$BRAIN_PID
    exec {to}>&"${BRAIN[1]}" {from}<&"${BRAIN[0]}"
    eval "exec ${BRAIN[1]}>&-"
    hear() { read -r -t 50 line <&"$from"; }
    printf 'START 15\nINFO rule 0\n' >&"$to"
    hear
    [ "$line" = OK ]
    echo BEGIN >&"$to"
    hear
    [[ $line == 'MESSAGE depth 2 seldepth '*' nodes '*' value '*' speed '*' pv 7,7'* ]]
    hear
    [ "$line" = 7,7 ]
    echo TURN 8,8 >&"$to"
    hear
    [[ $line == 'MESSAGE depth 2 '* ]]
    hear
    [[ $line =~ ^[0-9]+,[0-9]+$ ]]
    echo END >&"$to"
    [ -z "$(cat <&"$from")" ] # nothing more is said
    wait "$pid"
}

@test "CRLF, any case, and an input that just ends" {
    converse 'start 20\r\nbegin\r\nabout'
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = OK ]
    [[ $output == *$'\n10,10\nname="p", version="'* ]]
}

@test "what it cannot do is said, and it goes on" {
    converse 'START 99\nSWAP2BOARD\nSTART 15\nTURN 20,20\nBEGIN\nEND\n'
    [ "$status" -eq 0 ]
    [[ ${lines[0]} == 'ERROR '* ]]
    [[ ${lines[1]} == 'UNKNOWN'* ]]
    [ "${lines[2]}" = OK ]
    [[ ${lines[3]} == 'ERROR '* ]]
    [[ $output == *$'\n7,7' ]]
}

@test "sizes 5 to 20, square or not" {
    for size in 5 6 10 15 19 20; do
        converse "START $size\nBEGIN\nEND\n"
        [ "${lines[0]}" = OK ]
        [ "${lines[-1]}" = "$((size / 2)),$((size / 2))" ]
    done
    converse 'RECTSTART 20,10\nBEGIN\nEND\n'
    [ "${lines[0]}" = OK ]
    [ "${lines[-1]}" = 10,5 ]
}

@test "a search ends in time, at YXSTOP, and at END" {
    printf 'name: p\nsearch: {algorithm: alphabeta, depth: 30, deepening: true}\n' >"$player"
    begin=$(date +%s%N)
    converse 'START 15\nINFO timeout_turn 300\nBOARD\n7,7,2\n8,8,1\n6,9,2\nDONE\nEND\n'
    [[ ${lines[-1]} =~ ^[0-9]+,[0-9]+$ ]]
    converse 'START 15\nBOARD\n7,7,2\n8,8,1\n6,9,2\nDONE\nYXSTOP\nEND\n'
    [[ ${lines[-1]} =~ ^[0-9]+,[0-9]+$ ]]
    converse 'START 15\nBOARD\n7,7,2\n8,8,1\n6,9,2\nDONE\nEND\n'
    [ "$status" -eq 0 ]
    [ $((($(date +%s%N) - begin) / 1000000)) -lt 10000 ]
}

@test "a manager that goes away ends the search" {
    printf 'name: p\nsearch: {algorithm: alphabeta, depth: 30, deepening: true}\n' >"$player"
    mkfifo "$BATS_TEST_TMPDIR/out"
    (printf 'START 15\nBOARD\n7,7,2\n8,8,1\n6,9,2\nDONE\n'; sleep 0.3) |
        timeout 20 "$GOMOLAB" brain "$player" >"$BATS_TEST_TMPDIR/out" 3>&- &
    brain=$!
    head -1 "$BATS_TEST_TMPDIR/out" # and gone
    wait "$brain"
    [ $? -ne 124 ]
}

@test "wrong usage is refused before anything is said" {
    run "$GOMOLAB" brain "$BATS_TEST_TMPDIR/none.yaml"
    [ "$status" -eq 2 ]
    [[ $output == *none.yaml* ]]
    printf 'name: x\nengine: {command: /bin/true}\n' >"$player"
    run "$GOMOLAB" brain "$player"
    [ "$status" -eq 2 ]
    [[ $output == *'external engine'* ]]
}

@test "--set changes a knob" {
    run bash -c 'printf "START 15\nBOARD\n7,7,2\n8,8,1\n6,9,2\nDONE\nEND\n" | "$1" brain "$2" --set search.depth=3' _ "$GOMOLAB" "$player"
    [[ ${lines[1]} == 'MESSAGE depth 3 '* ]]
}
