#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The test runner can fail: planted failures, crashes, hangs and sanitizer reports are each counted.
# sanitizers: none

load ../support/wait_until

setup() {
    cd "$BATS_TEST_TMPDIR"
    runner=$BATS_TEST_DIRNAME/../../scripts/run-tests.sh
    # A clean environment: bats inside bats must not see the outer one.
    run_tests() { run env -i PATH="${PATH//$BATS_LIBEXEC:/}" sh "$runner" --results "$BATS_TEST_TMPDIR/results" "$@"; }
}

# plant NAME TEXT: an executable test file that runs TEXT
plant() {
    printf '#!/bin/sh\n%s\n' "$2" >"$1"
    chmod +x "$1"
}

last_line() { printf '%s\n' "${lines[${#lines[@]} - 1]}"; }

@test "passing files are counted, one test a program without TAP" {
    plant plain 'exit 0'
    plant tap 'echo 1..2; echo ok 1 a; echo ok 2 b'
    run_tests plain tap
    [ "$status" -eq 0 ]
    [ "$(last_line)" = "3 passed, 0 failed" ]
}

@test "a failing test fails the run and is printed in full" {
    plant tap 'echo 1..2; echo ok 1 a; echo "not ok 2 b"; echo "# the reason"; exit 1'
    run_tests tap
    [ "$status" -eq 1 ]
    [[ "$output" == *"# the reason"* ]]
    [ "$(last_line)" = "1 passed, 1 failed" ]
}

@test "a failing program without TAP is one failure" {
    plant plain 'exit 3'
    run_tests plain
    [ "$status" -eq 1 ]
    [[ "$output" == *"exit status 3"* ]]
    [ "$(last_line)" = "0 passed, 1 failed" ]
}

@test "a crash is a failure, whatever passed before it" {
    plant tap 'echo 1..3; echo ok 1 a; kill -SEGV $$'
    run_tests tap
    [ "$status" -eq 1 ]
    [[ "$output" == *"killed by signal 11"* ]]
    [ "$(last_line)" = "1 passed, 1 failed" ]
}

@test "a file that hangs is stopped, with its children, and is a failure" {
    plant hang 'echo 1..2; echo ok 1 a; sleep 987 & echo $! >child; wait'
    plant good 'exit 0'
    run_tests --timeout 3 hang good
    [ "$status" -eq 1 ]
    [[ "$output" == *"stopped after 3 s"* ]]
    [ "$(last_line)" = "2 passed, 1 failed" ]
    # Gone, or dead and not yet collected by init.
    is_gone() { ! grep -q '^State:[[:space:]]*[RSDT]' "/proc/$(cat child)/status" 2>/dev/null; }
    wait_until is_gone
}

@test "fewer tests than planned is a failure, even with exit status 0" {
    plant tap 'echo 1..3; echo ok 1 a; exit 0'
    run_tests tap
    [ "$status" -eq 1 ]
    [[ "$output" == *"planned 3 tests, ran 1"* ]]
    [ "$(last_line)" = "1 passed, 1 failed" ]
}

@test "a failing exit status counts even when every test said ok" {
    plant tap 'echo 1..1; echo ok 1 a; exit 7'
    run_tests tap
    [ "$status" -eq 1 ]
    [ "$(last_line)" = "1 passed, 1 failed" ]
}

@test "a file without tests is a failure" {
    plant tap 'echo 1..0'
    run_tests tap
    [ "$status" -eq 1 ]
    [ "$(last_line)" = "0 passed, 1 failed" ]
}

@test "a file that is not there is a failure" {
    run_tests ./nowhere
    [ "$status" -eq 1 ]
    [ "$(last_line)" = "0 passed, 1 failed" ]
}

@test "nothing to run is a failure" {
    run_tests
    [ "$status" -eq 1 ]
    [ "$(last_line)" = "0 passed, 0 failed" ]
}

@test "skipped tests are neither passed nor failed, in both dialects" {
    plant tap 'echo 1..3; echo "ok 1 a # skip why"; echo "not ok 2 # SKIP b"; echo ok 3 c'
    run_tests tap
    [ "$status" -eq 0 ]
    [ "$(last_line)" = "1 passed, 0 failed, 2 skipped" ]
}

@test "bats and cmocka files are counted by their tests" {
    printf '@test "good" { true; }\n@test "bad" { false; }\n' >some.bats
    cat >unit.c <<'C'
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
static void test_good(void **state) { (void)state; assert_int_equal(1, 1); }
static void test_bad(void **state) { (void)state; assert_int_equal(1, 2); }
int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_good), cmocka_unit_test(test_bad)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
C
    cc -o unit unit.c -lcmocka
    run_tests some.bats unit
    [ "$status" -eq 1 ]
    [[ "$output" == *"0x1 != 0x2"* ]]
    [ "$(last_line)" = "2 passed, 2 failed" ]
}

@test "a sanitizer report is a failure even when the test passes" {
    printf '#include <stdlib.h>\nint main(void) { char *p = malloc(2); free(p); return *p; }\n' >bad.c
    cc -w -fsanitize=address -g -o bad bad.c
    plant careless './bad >/dev/null 2>&1; exit 0'
    run_tests --mode asan careless
    [ "$status" -eq 1 ]
    [[ "$output" == *"=== sanitizer report"* ]]
    [ "$(last_line)" = "1 passed, 1 failed" ]
}
