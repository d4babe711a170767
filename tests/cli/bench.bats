#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# `gomolab bench`: its rows, and the comparison of two builds.
# sanitizers: asan

bats_require_minimum_version 1.5.0

setup() {
    ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    GOMOLAB=${GOMOLAB:-$ROOT/build/gomolab}
    case $GOMOLAB in /*) ;; *) GOMOLAB=$PWD/$GOMOLAB ;; esac
    cd "$BATS_TEST_TMPDIR"
}

# A build that answers as this one, but for what `sed` makes of its table.
other_build() {
    printf '#!/bin/sh\n"%s" "$@" | sed "%s"\n' "$GOMOLAB" "$1" >other
    chmod +x other
}

@test "every set, times to depth and the signature are measured" {
    run --separate-stderr "$GOMOLAB" bench --rounds 1 --depth 1 --set moves.limit=4 --format tsv
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "$(printf 'measure\tbest_per_s\tmedian_per_s\tcount\trounds\ttime_ms')" ]
    for measure in "make+undo pairs" "search nodes" "time to depth 4" "time to depth 6" "time to depth 8" "time to depth 10" signature; do
        grep -q "^$measure" <<<"$output"
    done
    [ "$(grep -c '^nodes [a-z]* \(15\|20\) \(opening\|midgame\|late\)' <<<"$output")" -eq 12 ]
    [ "$("$GOMOLAB" bench --quick --rounds 1 --depth 1 --format tsv | grep -c '^time to\|^signature')" -eq 0 ]
    run --separate-stderr "$GOMOLAB" bench "$ROOT/configs/players/mcts.yaml" --set mcts.playouts=2 --rounds 1 --format tsv
    [ "$status" -eq 0 ]
    [[ "$output" != *"time to depth"* ]]
}

@test "a build compared with itself is as fast and has the same signature" {
    other_build "s/^moo/x/"
    run --separate-stderr "$GOMOLAB" bench --compare ./other --rounds 2 --depth 1 --format tsv
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "$(printf 'measure\tthis\tother\tratio\tratio_lo\tratio_hi\trounds\tsame')" ]
    [ "$(grep -c '^nodes ' <<<"$output")" -eq 12 ]
    awk -F'\t' '/^search nodes/ { exit !($4 > 0.2 && $4 < 5 && $5 <= $4 && $4 <= $6 && $7 == 2) }' <<<"$output"
    [[ "${lines[-1]}" == signature*yes ]]
    [[ "$stderr" == *"round 2 of 2"* ]]
}

@test "another signature is seen, and an older build without sets is compared in what it has" {
    cat >other <<'END'
#!/bin/sh
case "$*" in *--quick*) echo "unknown option --quick" >&2; exit 2 ;; esac
printf 'measure\tbest_per_s\tmedian_per_s\tcount\trounds\nsearch nodes\t1000\t1000\t5\t1\n'
printf 'signature\t-\t-\t12345\t-\n'
END
    chmod +x other
    run --separate-stderr "$GOMOLAB" bench --compare ./other --rounds 1 --depth 1 --format tsv
    [ "$status" -eq 0 ]
    [ "$(grep -c '^nodes ' <<<"$output")" -eq 0 ]
    grep -q '^search nodes' <<<"$output"
    [ "$(wc -l <<<"$output")" -eq 3 ]
    [[ "${lines[-1]}" == signature*12345*no ]]
}

@test "what is no build of gomolab is refused before anything is measured" {
    printf '#!/bin/sh\necho hello\n' >hello
    chmod +x hello
    : >plain
    for bad in ./nothing ./hello ./plain /bin/true /bin/cat . ; do
        run --separate-stderr "$GOMOLAB" bench --compare "$bad"
        [ "$status" -eq 2 ]
        [ -z "$output" ]
        [[ "$stderr" == *"--compare"*"$bad"* ]]
        [ "$(wc -l <<<"$stderr")" -eq 1 ]
    done
}

@test "a comparison does not go with options that it cannot obey" {
    for option in --signature --from-scratch; do
        run --separate-stderr "$GOMOLAB" bench --compare "$GOMOLAB" $option
        [ "$status" -eq 2 ]
        [ -z "$output" ]
        [[ "$stderr" == *"--compare and $option exclude each other"* ]]
    done
}
