#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs test files, several at once, each in a process of its own with a time limit, and counts what passed.
#
#   usage: sh scripts/run-tests.sh [--mode MODE] [--jobs N] [--timeout SECONDS] [--results DIR] [--long] [FILE...]
#
# Without files: every unit test of tests/unit as built in build/MODE, and every tests/cli/*.bats (with --long those of
# tests/long, too). A file ending in .bats is given to bats, anything else is run as it is. Both speak TAP: each `ok` and
# `not ok` line counts; a program without TAP is one test, passed if it exits with 0. A file that crashes, runs out of
# time, runs no test or fewer than it planned is a failure of its own, and so is every report that a sanitizer leaves.
# Failed files are printed in full. The last line is "N passed, N failed" (", N skipped" if any were); the exit status
# is 1 if a test failed or none ran. What the files printed stays in the results directory.
#
# Under a sanitizer (--mode asan or tsan) a test can be left out by a line "# sanitizers: asan", "tsan" or "none" near its
# top ("// sanitizers: ..." in C) that names where it does run: some measure time or memory, which a sanitizer distorts,
# and what has no threads has no races.
set -u

usage() {
    sed -n 's/^#   usage: /usage: /p' "$0" >&2
    exit 2
}

# Prints the number of tests planned, passed, failed and skipped in the TAP output on standard input.
count_tap() {
    awk '
        /^1\.\.[0-9]+/ { planned += substr($1, 4); has_plan = 1 }
        /^(not )?ok / && tolower($0) ~ /# skip/ { skipped++; next }
        /^ok / { passed++ }
        /^not ok / { failed++ }
        END { print has_plan + 0, planned + 0, passed + 0, failed + 0, skipped + 0 }'
}

# Runs one file; writes NAME.out (what it printed) and NAME.counts (passed failed skipped why), and prints one line.
run_one() {
    file=$1
    name=test-$(printf '%s' "${file#"$PWD"/}" | tr '/ ' '__')
    out=$RESULTS/$name.out
    case $file in
    *.bats) set -- bats --tap "$file" ;;
    /*) set -- "$file" ;;
    *) set -- "./$file" ;;
    esac
    started=$(date +%s)
    # shellcheck disable=SC2086 # NO_ASLR is a command with an argument, or nothing
    timeout --kill-after=5 "$TIMEOUT" $NO_ASLR "$@" >"$out" 2>&1 </dev/null
    status=$?
    seconds=$(($(date +%s) - started))

    why=
    read -r has_plan planned passed failed skipped <<TAP
$(count_tap <"$out")
TAP
    seen=$((passed + failed + skipped))
    if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
        why="stopped after $TIMEOUT s"
    elif [ "$status" -gt 128 ]; then
        why="killed by signal $((status - 128))"
    elif [ "$has_plan" -eq 0 ] && [ "$seen" -eq 0 ]; then
        if [ "$status" -eq 0 ]; then passed=1; else why="exit status $status"; fi
    elif [ "$seen" -eq 0 ]; then
        why="ran no test"
    elif [ "$seen" -ne "$planned" ]; then
        why="planned $planned tests, ran $seen"
    elif [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
        why="exit status $status"
    fi
    [ -z "$why" ] || failed=$((failed + 1))

    verdict=ok
    [ "$failed" -eq 0 ] || verdict=FAILED
    echo "$passed $failed $skipped $file${why:+: $why}" >"$RESULTS/$name.counts"
    printf '%-6s %s (%d passed, %d s)%s\n' "$verdict" "$file" "$passed" "$seconds" "${why:+: $why}"
}

# Prints the files to run when none were named.
list_files() {
    for source in tests/cli/*.bats ${LONG:+tests/long/*.bats} ${LONG:+tests/long/test_*.c} tests/unit/test_*.c; do
        [ -e "$source" ] || continue
        case $MODE in
        asan | tsan)
            only=$(sed -n '1,12{s,^// ,# ,;s/^# sanitizers: //p;}' "$source")
            case " ${only:-asan tsan} " in *" $MODE "*) ;; *) continue ;; esac
            ;;
        esac
        case $source in
        *.c) echo "build/$MODE/${source%.c}" ;;
        *) echo "$source" ;;
        esac
    done
}

# How this script calls itself for one file, with its settings in the environment.
if [ "${1-}" = --one ]; then
    run_one "$2"
    exit 0
fi

MODE=release JOBS=2 TIMEOUT='' RESULTS='' LONG=''
while [ $# -gt 0 ]; do
    case $1 in
    --long) LONG=1 ;;
    --mode | --jobs | --timeout | --results)
        [ $# -ge 2 ] || usage
        case $1 in
        --mode) MODE=$2 ;;
        --jobs) JOBS=$2 ;;
        --timeout) TIMEOUT=$2 ;;
        --results) RESULTS=$2 ;;
        esac
        shift
        ;;
    -*) usage ;;
    *) break ;;
    esac
    shift
done

# A file that hangs must not hold up the rest for long, but sanitizers and slow tests take their time.
if [ -z "$TIMEOUT" ]; then
    TIMEOUT=600
    [ "$MODE" = release ] || TIMEOUT=900
    [ -z "$LONG" ] || TIMEOUT=3600
fi

top=$PWD
RESULTS=${RESULTS:-$top/build/$MODE/test-results}
rm -rf "$RESULTS"
mkdir -p "$RESULTS" || exit 1
RESULTS=$(cd "$RESULTS" && pwd)

# Tests find the program under test in GOMOLAB, and other programs of the same build under GOMOLAB_BUILD.
GOMOLAB=$top/build/$MODE/gomolab
GOMOLAB_BUILD=$top/build/$MODE
CMOCKA_MESSAGE_OUTPUT=TAP
export RESULTS TIMEOUT GOMOLAB GOMOLAB_BUILD CMOCKA_MESSAGE_OUTPUT
NO_ASLR=
case $MODE in
asan | tsan)
    # Reports go to files, since a test may throw away what a program prints or expect it to fail; 99 is no exit status
    # of gomolab's, so that a report is not taken for an answer.
    common="log_path=$RESULTS/sanitizer:exitcode=99:print_stacktrace=1"
    ASAN_OPTIONS="$common:detect_leaks=1:allocator_may_return_null=1:detect_stack_use_after_return=1"
    UBSAN_OPTIONS=$common
    TSAN_OPTIONS="$common:second_deadlock_stack=1"
    # Sanitizers of some compilers do not start when the kernel spreads addresses wider than they expect.
    if setarch "$(uname -m)" -R true 2>/dev/null; then NO_ASLR="setarch $(uname -m) -R"; fi
    export ASAN_OPTIONS UBSAN_OPTIONS TSAN_OPTIONS
    ;;
esac
export NO_ASLR

if [ $# -gt 0 ]; then printf '%s\n' "$@"; else list_files; fi |
    xargs -d '\n' -r -P "$JOBS" -I '{}' sh "$0" --one '{}'

for counts in "$RESULTS"/*.counts; do
    [ -e "$counts" ] || break
    read -r _ failed _ what <"$counts"
    [ "$failed" -eq 0 ] && continue
    printf '\n=== %s\n' "$what"
    cat "${counts%.counts}.out"
done
reports=0
for report in "$RESULTS"/sanitizer.*; do
    [ -e "$report" ] || break
    reports=$((reports + 1))
    printf '\n=== sanitizer report %s\n' "${report##*/}"
    cat "$report"
done

cat "$RESULTS"/*.counts 2>/dev/null | awk -v reports="$reports" '
    { passed += $1; failed += $2; skipped += $3 }
    END {
        failed += reports
        line = "\n" (passed + 0) " passed, " (failed + 0) " failed"
        if (skipped) line = line ", " skipped " skipped"
        print line
        exit !(passed > 0 && failed == 0)
    }'
