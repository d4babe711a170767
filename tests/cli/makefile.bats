#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The Makefile, on a small tree of its own: gates that can fail, and what is compiled again when.
# sanitizers: none

setup() {
    root=$BATS_TEST_DIRNAME/../..
    cd "$BATS_TEST_TMPDIR"
    mkdir -p engine/base scripts
    cp "$root/Makefile" .
    cp "$root/scripts/analyzer_model.h" scripts
    cp "$root/engine/base/status.h" "$root/engine/base/status.c" engine/base
    unset MAKEFLAGS MFLAGS MAKELEVEL WERROR MODE
}

# small TEXT: one more source file with this text
small() { printf 'int small(int x);\n%s\n' "$1" >engine/base/small.c; }

@test "the analyser fails on a null pointer that is followed" {
    small 'int small(int x) { int *p = 0; return x ? *p : 0; }'
    run make analyze
    [ "$status" -ne 0 ]
    [[ "$output" == *"core.NullDereference"* ]]
}

@test "the analyser knows that error_set returns the failure it is given" {
    printf '%s\n' '#include "engine/base/status.h"' 'int small(int x);' \
        'static Status half(int x, int *out) {' \
        '    if (x < 0) return error_set(0, STATUS_INVALID, "%d is negative", x);' \
        '    *out = x / 2;' '    return STATUS_OK;' '}' \
        'int small(int x) { int y; return half(x, &y) ? 0 : y; }' >engine/base/small.c
    run make analyze
    echo "$output"
    [ "$status" -eq 0 ]
}

@test "a warning fails a build with WERROR, and only then" {
    small 'int small(int x) { int unused; return x; }'
    run make
    [ "$status" -eq 0 ]
    [[ "$output" == *"unused"* ]]
    run make WERROR=-Werror
    [ "$status" -ne 0 ]
}

@test "everything is compiled again when the flags change, nothing when they do not" {
    small 'int small(int x) { return x; }'
    make
    run make
    [[ "$output" != *"CC "* ]]
    run make CFLAGS=-DOTHER
    [[ "$output" == *"CC "*small.o* && "$output" == *"CC "*status.o* ]]
}

@test "a header that changes compiles its users again" {
    small 'int small(int x) { return x; }'
    make
    touch -d '+2 seconds' engine/base/status.h
    run make
    [[ "$output" == *"CC "*status.o* && "$output" != *small.o* ]]
}
