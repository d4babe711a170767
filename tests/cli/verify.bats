#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# `gomolab verify`: it agrees where it should, and finds every fault that is planted.

bats_require_minimum_version 1.5.0

load ../support/wait_until

setup() {
    ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    GOMOLAB=${GOMOLAB:-$ROOT/build/gomolab}
    PLAYERS=$ROOT/configs/players
    cd "$BATS_TEST_TMPDIR"
}

verify() { run --separate-stderr "$GOMOLAB" verify --quiet "$@"; }

@test "every exact knob, alone and combined, gives the answers of minimax" {
    verify "$ROOT/configs/verify/quick.yaml"
    [ "$status" -eq 0 ]
    [[ "$output" == *"OK: "*" comparisons agree ("*" candidates, 24 positions)"* ]]
    [ -z "$stderr" ]
}

@test "tutorial players keep their word" {
    for player in pygame windows-lit study thesis thesis-gameover; do
        verify "$PLAYERS/tutorials/$player.yaml" --random 6 --depths 1,2 --node-limit 50000 \
            --candidate configured --candidate orderings --candidate table --candidate pvs
        [ "$status" -eq 0 ]
    done
}

@test "columns are those of the manual" {
    verify "$PLAYERS/classic.yaml" --random 4 --depths 2 --set moves.limit=6 --candidate alphabeta --format tsv
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "$(printf 'candidate\tdepth\tpositions\tskipped\tagreements\tsaving_median\tsaving_p10\tsaving_p90\tminimum_ratio\tfirst_cutoff_rate')" ]
    [[ "${lines[1]}" == "$(printf 'alphabeta\t2\t4\t0\t4\t')"* ]]
    [[ "$stderr" == "OK: 4 comparisons agree (1 candidate, 4 positions)" ]]
}

# planted FAULT ARGS...: found, with a board and both answers
planted() {
    local fault=$1
    shift
    verify "$PLAYERS/classic.yaml" --random 30 --seed 1 --set moves.limit=8 "$@"
    [ "$status" -eq 0 ]
    verify "$PLAYERS/classic.yaml" --random 30 --seed 1 --set moves.limit=8 --plant "$fault" --show 1 "$@"
    [ "$status" -eq 1 ]
    [[ "$output" == *"DIFFERENT: "* ]]
    [[ "$output" == *"reference: "*", value "*", "*" nodes"* ]]
    [[ "$output" == *"candidate: "* ]]
    [[ "$output" == *"a b c d e f g h i j k l m n o"* ]]
    [ "$(grep -c '^position ' <<<"$output")" -eq 1 ]
}

@test "a table without bounds is found" { planted table-without-bounds --candidate table --depths 4; }
@test "a wrong initial window is found" { planted narrow-root-window --candidate alphabeta --depths 2; }
@test "a stone that is not taken back is found" {
    case ${GOMOLAB_BUILD:-release} in
    *asan | *tsan) skip "there an assertion stops the program first" ;;
    esac
    planted stone-left --candidate alphabeta --depths 3
}
@test "a history that overflows is found" {
    planted history-overflow --candidate "search.order=[history, score];history.bonus=flat:100" --depths 3
}
@test "an ordering that changes the candidates is found" {
    planted order-changes-candidates --candidate "search.order=[center]" --depths 2
}

@test "a candidate that is another search is found" {
    cat >other.yaml <<YAML
player: {base: $PLAYERS/classic.yaml, moves.limit: 8}
candidates: [{name: narrower, moves.limit: 4}]
positions: {random: 20}
depths: [2]
YAML
    verify other.yaml
    [ "$status" -eq 1 ]
    [[ "$output" == *"candidate narrower: another "* ]]
}

@test "another player can be the reference" {
    cat >pvs.yaml <<YAML
player: {base: $PLAYERS/classic.yaml, search.depth: 2}
reference: {search.algorithm: pvs, search.tt_mb: 1}
candidates: [alphabeta]
positions: {random: 5, plies: [10, 12]}
depths: [5]
YAML
    verify pvs.yaml
    [ "$status" -eq 0 ]
}

@test "positions that are too slow for the reference are skipped, never agreements" {
    verify "$PLAYERS/classic.yaml" --random 5 --depths 3 --node-limit 100 --candidate alphabeta --format tsv
    [ "$status" -eq 1 ]
    [ "$(cut -f4,5 <<<"${lines[1]}")" = "$(printf '5\t0')" ]
    [[ "$stderr" == "NOTHING COMPARED"*"5 skipped, the reference needs more than 100 nodes"* ]]
}

@test "the table does not depend on the number of threads" {
    for jobs in 1 3; do
        "$GOMOLAB" verify --quiet "$PLAYERS/classic.yaml" --random 13 --depths 1,3 --jobs $jobs --format tsv \
            --candidate table --candidate random:3 >$jobs 2>/dev/null
    done
    diff 1 3
}

@test "under order, another move of equal value is free unless the orders are the same" {
    printf 'id\tmoves\nearly\th8 a1\n' >p.tsv
    verify "$PLAYERS/classic.yaml" --file p.tsv --depths 1 --tie order --candidate "search.order=[]" --format tsv
    [ "$status" -eq 0 ]
    verify "$PLAYERS/tutorials/study.yaml" --file p.tsv --depths 1,2 --tie order --candidate configured
    [ "$status" -eq 0 ]
}

@test "what is wrong is said in one line, with status 2" {
    verify "$PLAYERS/classic.yaml" --plant stone-lift
    [ "$status" -eq 2 ]
    [ "$stderr" = "--plant stone-lift: no such fault, nearest is 'stone-left'" ]
    verify "$PLAYERS/classic.yaml" --candidate orderngs
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"candidate 'orderngs': expected "*"nearest is 'orderings'"* ]]
    verify "$PLAYERS/classic.yaml" --depths 0
    [ "$status" -eq 2 ]
    verify "$PLAYERS/greedy.yaml"
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"search.algorithm greedy: only minimax, alphabeta and pvs"* ]]
    printf 'player: %s\ncandidates: [all]\nnode_limits: 5\n' "$PLAYERS/classic.yaml" >bad.yaml
    verify bad.yaml
    [ "$status" -eq 2 ]
    [ "$stderr" = "bad.yaml:3:1: unknown key 'node_limits', nearest is 'node_limit'" ]
    printf 'id\tmoves\na\th8 h8\n' >bad.tsv
    verify "$PLAYERS/classic.yaml" --file bad.tsv
    [ "$status" -eq 2 ]
    [ "$stderr" = "bad.tsv:2: position a: move 2: h8 is occupied" ]
    verify "$PLAYERS/classic.yaml" --db missing.db
    [ "$status" -eq 2 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
}

@test "every verification of configs is valid" {
    for file in "$ROOT"/configs/verify/*.yaml; do
        run "$GOMOLAB" check "$file"
        [ "$status" -eq 0 ]
    done
}

@test "every position of a database" {
    "$GOMOLAB" run "$ROOT/configs/experiments/smoke.yaml" --games 2 --db games.db --quiet >/dev/null
    verify "$PLAYERS/classic.yaml" --db games.db --depths 1 --candidate alphabeta --format tsv
    [ "$status" -eq 0 ]
    [ "$(cut -f3 <<<"${lines[1]}")" -eq "$(sqlite3 games.db 'SELECT count(*) FROM move WHERE nodes IS NOT NULL')" ]
}

@test "an interrupted comparison does not say that it skipped positions" {
    "$GOMOLAB" verify "$PLAYERS/classic.yaml" --random 1 --depths 8 --node-limit 1000000000000 \
        --candidate alphabeta --quiet >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
    pid=$!
    wait_until has_computed $pid 100
    kill -INT $pid
    status=0
    wait $pid || status=$?
    [ "$status" -eq 130 ]
    grep -q "NOTHING COMPARED: interrupted before the first position" "$BATS_TEST_TMPDIR/out"
}
