#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# `gomolab solve --vcf` and `--vct`: the columns, the answers, the limits; and the same proofs by
# the strongest player.
# sanitizers: asan

bats_require_minimum_version 1.5.0

setup() {
    ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    GOMOLAB=${GOMOLAB:-$ROOT/build/gomolab}
    STRONG=$ROOT/configs/players/strong.yaml
    # Published tactics, won by threats in 15 to 31 plies.
    T1="h8 g9 f9 g7 g8 i8"
    T2="e10 c10 d8 d9 c9 g11 c11 e7 f7 f9 f8 e8 g10 f12 h9 i10 g7 h7 f6 e6"
    T3="j6 h6 f7 f8 g6 j9 f10 f9 l12 d9 e9 d8 g8 g9 h9 i10 h5 i4 d5 e6"
    cd "$BATS_TEST_TMPDIR"
}

vct() { run --separate-stderr "$GOMOLAB" solve --vct --rule freestyle --format tsv "$@"; }

@test "--vct prints the columns of --vcf" {
    vct --position "$T1"
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "$(printf 'id\tanswer\tmoves\tfirst_move\tline\tnodes\ttime_us')" ]
    [ "$("$GOMOLAB" solve --vcf --position "$T1" --format tsv | head -n 1)" = "${lines[0]}" ]
}

@test "the tactics are proved within 12 000 nodes" {
    for position in "$T1" "$T2" "$T3"; do
        vct --position "$position" --nodes 12000
        [ "$status" -eq 0 ]
        IFS=$'\t' read -r id answer moves first line nodes time <<<"${lines[1]}"
        [ "$answer" = VCT ]
        [ "$nodes" -le 12000 ]
        [ "${line%% *}" = "$first" ]
        [ "$(wc -w <<<"$line")" -eq $((2 * moves + 1)) ]
        # The board says that the line ends with the five, and not before.
        "$GOMOLAB" solve --vct --position "$position ${line% *}" --format tsv | grep -q FIVE_NOW
    done
}

@test "the strongest player proves them, too" {
    for position in "$T1" "$T2" "$T3"; do
        run --separate-stderr "$GOMOLAB" analyze "$STRONG" --position "$position" --format tsv \
            --set search.time_ms=0 --set search.nodes=100000
        [ "$status" -eq 0 ]
        IFS=$'\t' read -r id static value move depth nodes rest <<<"${lines[1]}"
        [ "${value%.*}" -gt 999999900 ]
        [ "$nodes" -le 12000 ]
    done
}

@test "five now, fours, no win, and unknown at the limit" {
    vct --position "h8 a1 i8 a3 j8 a5 k8 a7"
    [[ "${lines[1]}" == *$'\tFIVE_NOW\t0\t'* ]]
    vct --position "h8 a1 i8 a3 j8 a5"
    [[ "${lines[1]}" == *$'\tVCF\t1\t'* ]]
    vct --position "h8 i9"
    [[ "${lines[1]}" == *$'\tNO_VCT\t-\t-\t-\t'* ]]
    vct --position "$T2" --nodes 50
    [[ "${lines[1]}" == *$'\tunknown\t-\t-\t-\t'* ]]
}

@test "a file of positions, and boards that --vct cannot do" {
    printf 'id\tboard\tside\na\t.....\x2f.XXX.\x2f.....\x2f.....\x2f.....\tX\n' >p.tsv
    vct --file p.tsv
    [ "$status" -eq 0 ]
    [[ "${lines[1]}" == a* ]]
    vct --file p.tsv --in-a-row 4
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"five in a row only, not 4"* ]]
}

@test "one mode must be said" {
    run --separate-stderr "$GOMOLAB" solve --position "h8"
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"say one of --vcf, --vct and --end"* ]]
    run --separate-stderr "$GOMOLAB" solve --vcf --vct --position "h8"
    [ "$status" -eq 2 ]
}

@test "a game that is over is won for nobody who is to move" {
    # Black made five, white has four with a free end; then the same with white's five on the board, too.
    for over in "h8 a1 h9 b1 h10 c1 h11 d1 h12" "h8 a1 h9 b1 h10 c1 h11 d1 h12 e1"; do
        for mode in vcf vct; do
            run --separate-stderr "$GOMOLAB" solve --$mode --position "$over" --format tsv
            [ "$status" -eq 0 ]
            [[ "${lines[1]}" == *$'\tNO_'${mode^^}$'\t-\t-\t-\t0\t'* ]]
        done
        run --separate-stderr "$GOMOLAB" solve --end --position "$over" --format tsv
        [[ "${lines[1]}" == *$'\tLOSS\t0\t-\t-\t'* ]]
    done
    # Six in a row are no five by the standard rule: the game goes on.
    vct --rule standard --position "h8 a1 h9 b1 h10 c1 h12 d1 h13 o1 h11"
    [[ "${lines[1]}" == *$'\tFIVE_NOW\t0\te1\t'* ]]
}

@test "a table larger than the memory is refused before it is allocated" {
    [ "$(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo)" -lt 65536 ] || skip "the memory is larger"
    run --separate-stderr "$GOMOLAB" solve --end --in-a-row 3 --board 3 --position - --table 65536
    [ "$status" -eq 2 ]
    [ -z "$output" ]
    [[ "$stderr" == *"--table: 65536, but this machine has "*" MiB of memory"* ]]
}
