#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/install-deps.sh on machines that are not there: a PATH with nothing but planted tools.
# sanitizers: none

setup() {
    script=$BATS_TEST_DIRNAME/../../scripts/install-deps.sh
    bin=$BATS_TEST_TMPDIR/bin
    log=$BATS_TEST_TMPDIR/log
    mkdir "$bin"
    ln -s "$(command -v env)" "$(command -v sed)" "$bin"
    tool apt-cache 'exit 0'
    tool apt-get 'exit 0'
    tool id 'echo 0'
    : >"$log"
}

# tool NAME TEXT: a program that writes its name and arguments to the log and runs TEXT
tool() {
    printf '#!/bin/sh\necho "%s $*" >>"%s"\n%s\n' "$1" "$log" "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}

bare() { run env -i PATH="$bin" /bin/sh "$script" "$@"; }

@test "a machine that has everything: silent, and apt is not asked" {
    tool apt-get 'exit 1'
    PATH=$bin:$PATH run sh "$script" test
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    [ ! -s "$log" ]
}

@test "root: installs what is missing, says so, without sudo" {
    tool sudo 'exit 1'
    bare build
    [ "$status" -eq 0 ]
    [[ "$output" == "installing: gcc make"* ]]
    grep -q '^apt-get install -y .* gcc make' "$log"
    ! grep -q -e '^sudo' -e update "$log"
}

@test "demo adds gnuplot, test adds what tests and gates need" {
    bare build
    [[ "$output" != *gnuplot* ]]
    bare demo
    [[ "$output" == *gnuplot-nox* && "$output" != *bats* ]]
    bare
    [[ "$output" == *gnuplot-nox* && "$output" == *bats* && "$output" == *clang-format* ]]
}

@test "not root: through sudo" {
    tool id 'echo 1000'
    tool sudo '[ "$1" = env ]'
    bare build
    [ "$status" -eq 0 ]
    grep -q '^sudo env DEBIAN_FRONTEND=noninteractive apt-get install' "$log"
}

@test "not root and no sudo: says what to install, fails" {
    tool id 'echo 1000'
    bare build
    [ "$status" -eq 1 ]
    [[ "$output" == *"apt-get install gcc make"* ]]
    ! grep -q '^apt-get' "$log"
}

@test "no apt: says what is needed, fails" {
    rm "$bin/apt-get" "$bin/apt-cache"
    bare build
    [ "$status" -eq 1 ]
    [[ "$output" == *"gcc make"* ]]
}

@test "no lists of packages yet: fetches them first" {
    tool apt-cache 'exit 100'
    bare build
    [ "$status" -eq 0 ]
    [ "$(grep -o '^apt-get [a-z]*' "$log")" = "$(printf 'apt-get update\napt-get install')" ]
}

@test "lists that are too old: fetches them and tries again" {
    tool apt-get '[ "$1" = update ] && : >"'"$BATS_TEST_TMPDIR"'/fresh"; [ -e "'"$BATS_TEST_TMPDIR"'/fresh" ]'
    bare build
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c '^apt-get install' "$log")" -eq 2 ]
}

@test "an install that fails is a failure" {
    tool apt-get '[ "$1" = update ]'
    bare build
    [ "$status" -ne 0 ]
}

@test "an unknown group is refused with the usage" {
    bare nonsense
    [ "$status" -eq 2 ]
    [[ "$output" == "usage: "* ]]
    [ ! -s "$log" ]
}
