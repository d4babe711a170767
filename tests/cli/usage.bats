#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The program as a whole: help, version, wrong usage, and a standard output that fails.
# sanitizers: asan

setup() {
    gomolab=${GOMOLAB:-$BATS_TEST_DIRNAME/../../build/gomolab}
}

# usage: refused MESSAGE ARGUMENT... : status 2, that one line on standard error, nothing on standard output
refused() {
    local message=$1 status=0
    shift
    "$gomolab" "$@" >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" || status=$?
    [ "$status" -eq 2 ]
    [ ! -s "$BATS_TEST_TMPDIR/out" ]
    [ "$(cat "$BATS_TEST_TMPDIR/err")" = "$message" ] || { cat "$BATS_TEST_TMPDIR/err" && false; }
}

@test "--help lists every command with its summary" {
    run "$gomolab" --help
    [ "$status" -eq 0 ]
    [[ $output == *"usage: gomolab COMMAND"* ]]
    [[ $output == *"keys "* ]]
    [[ $output == *"check "* ]]
}

@test "every listed command has a help of its own" {
    "$gomolab" --help | sed -n '/^commands:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p' >"$BATS_TEST_TMPDIR/commands"
    [ -s "$BATS_TEST_TMPDIR/commands" ]
    while read -r command; do
        "$gomolab" "$command" --help >"$BATS_TEST_TMPDIR/help"
        grep -q "^usage: gomolab $command" "$BATS_TEST_TMPDIR/help"
        grep -q -- "  --help" "$BATS_TEST_TMPDIR/help"
    done <"$BATS_TEST_TMPDIR/commands"
}

@test "--version names the release" {
    run "$gomolab" --version
    [ "$status" -eq 0 ]
    [[ $output =~ ^gomolab\ [0-9]+\.[0-9]+\.[0-9]+ ]]
}

@test "wrong usage is one line and status 2" {
    refused "gomolab: no command; \`gomolab --help\` lists them"
    refused "gomolab: unknown command 'kyes', nearest is 'keys'" kyes
    refused "gomolab: unknown command 'xxxxxxxxxxxxxxx'; \`gomolab --help\` lists them" xxxxxxxxxxxxxxx
    refused "gomolab: unknown option '--halp'; \`gomolab --help\` lists the commands" --halp
    refused "gomolab keys: unknown option '--fromat', nearest is '--format'" keys --fromat md
    refused "gomolab keys: --format: 'html', expected one of text|md|csv|tsv|json" keys --format html
    refused "gomolab keys: one argument too many: 'moves'" keys eval moves
    run "$gomolab" brain
    [ "$status" -eq 2 ]
    [[ ${lines[0]} == "gomolab brain: PLAYER is missing: "* ]]
}

@test "a full disk behind standard output is status 3" {
    [ -w /dev/full ] || skip "no /dev/full here"
    run bash -c '"$0" keys >/dev/full' "$gomolab"
    [ "$status" -eq 3 ]
    [[ $output == "gomolab: standard output: "* ]]
}

@test "a reader that goes away is no error" {
    run bash -c 'set -o pipefail; for i in 1 2 3; do "$0" keys --format json; done | head -n 1' "$gomolab"
    [ "$status" -eq 0 ]
    [ "$output" = "[" ]
}

@test "an option that would do nothing is refused" {
    refused "gomolab stats: --alpha does nothing without --sprt" stats --wdl 5 1 3 --alpha 0.1
    refused "gomolab stats: --elo does nothing without --plan" stats --wdl 5 1 3 --elo 5
    refused "gomolab openings: --bound does nothing without --balance" openings --generate 2 --bound 5
    refused "gomolab openings: --seed does nothing without --generate" openings --check x --seed 5
    refused "gomolab show: --candidates does nothing without --analyze" show x.db 0 --candidates 3
    refused "gomolab rate: --rounds does nothing without --errors bootstrap" rate x.tsv --rounds 30
    refused "gomolab rate: --draw-elo does nothing without --draws rao-kupper" rate x.tsv --draw-elo 30
    refused "gomolab tune: --known does nothing without --synthetic" tune x.yaml --known
}

@test "a negative count is named as such" {
    refused "gomolab stats: --wdl: '-3', expected a count 0..1000000000000000" stats --wdl 1 2 -3
    refused "gomolab stats: --wdl needs 3 values: WINS DRAWS LOSSES" stats --wdl 1 2 --explain
}

@test "a reader that has enough ends export without a word, a full disk with one" {
    printf 'name: c\nsearch: {depth: 1}\n' >"$BATS_TEST_TMPDIR/c.yaml"
    printf 'openings: {random: 4}\npairs: 20\nplayers: [c.yaml, {name: d, base: c.yaml}]\n' >"$BATS_TEST_TMPDIR/e.yaml"
    "$gomolab" run "$BATS_TEST_TMPDIR/e.yaml" --db "$BATS_TEST_TMPDIR/e.db" --quiet >/dev/null
    for _ in 1 2 3; do
        { "$gomolab" export "$BATS_TEST_TMPDIR/e.db" --format csv 2>"$BATS_TEST_TMPDIR/err"; echo $? >"$BATS_TEST_TMPDIR/rc"; } | head -1 >/dev/null
        [ ! -s "$BATS_TEST_TMPDIR/err" ]
        [ "$(cat "$BATS_TEST_TMPDIR/rc")" -eq 0 ]
    done
    run "$gomolab" export "$BATS_TEST_TMPDIR/e.db" --format csv >/dev/null
    [ "$status" -eq 0 ]
    status=0
    "$gomolab" export "$BATS_TEST_TMPDIR/e.db" --format csv >/dev/full 2>"$BATS_TEST_TMPDIR/err" || status=$?
    [ "$status" -eq 3 ]
    [[ "$(cat "$BATS_TEST_TMPDIR/err")" == "gomolab: standard output: "* ]]
}

@test "small slips are named: a depth twice, no such fault, an empty base, standard input" {
    printf 'name: c\nbase: ""\n' >"$BATS_TEST_TMPDIR/c.yaml"
    cd "$BATS_TEST_TMPDIR"
    gomolab=$(realpath "$OLDPWD/$gomolab" 2>/dev/null || realpath "$gomolab")
    refused "c.yaml:2:7: base: '', expected the path of a player" check c.yaml
    echo 'name: c' >c.yaml
    refused "--depths 1,2,2: 2 is given twice" verify c.yaml --depths 1,2,2 --quiet
    refused "--plant xyz: no such fault; --help lists them" verify c.yaml --plant xyz --quiet
    refused "only 1 opening found of 3; ask for fewer, more plies or a wider bound" openings --generate 3 --plies 0..0
    refused "standard input:1: empty, expected a header that names id and moves" analyze c.yaml --file - </dev/null
}
