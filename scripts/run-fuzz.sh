#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs libFuzzer targets, each over its seeds and then for some seconds of its own inputs.
#
#   usage: sh scripts/run-fuzz.sh [--seconds N] [--seeds DIR] TARGET...
#
# The seeds of a target fuzz_NAME are the files of DIR/NAME (tests/fuzz/corpus by default); a target without seeds is a
# mistake. New inputs that reached new code gather beside the target, in NAME.found, and are used again. An input that
# crashes it, hangs or needs too much memory is kept as NAME-crash-*, NAME-timeout-* or NAME-oom-*, and the exit status
# is 1; so it is when there is nothing to run.
set -u

seconds=5 seeds=tests/fuzz/corpus
while [ $# -gt 0 ]; do
    case $1 in
    --seconds) seconds=${2:?} && shift ;;
    --seeds) seeds=${2:?} && shift ;;
    -*)
        sed -n 's/^#   usage: /usage: /p' "$0" >&2
        exit 2
        ;;
    *) break ;;
    esac
    shift
done
if [ $# -eq 0 ]; then
    echo "no fuzz target" >&2
    exit 1
fi

failed=0
for target in "$@"; do
    name=${target##*/fuzz_}
    place=$(dirname "$target")
    if [ -z "$(ls -A "$seeds/$name" 2>/dev/null)" ]; then
        echo "FAILED $name: no seeds in $seeds/$name" >&2
        failed=1
        continue
    fi
    mkdir -p "$place/$name.found"
    log=$place/$name.log
    if timeout --kill-after=5 $((seconds + 60)) "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 \
        -max_len=4096 -artifact_prefix="$place/$name-" -print_final_stats=1 \
        "$place/$name.found" "$seeds/$name" >"$log" 2>&1 </dev/null; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
        echo "ok     $name ($runs inputs, $seconds s)"
    else
        failed=1
        cat "$log"
        echo "FAILED $name"
    fi
done
exit $failed
