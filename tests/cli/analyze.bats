#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# `gomolab analyze`: columns, units, positions of every kind, and what it refuses.
# sanitizers: asan

bats_require_minimum_version 1.5.0

setup() {
    ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    GOMOLAB=${GOMOLAB:-$ROOT/build/gomolab}
    TUTORIALS=$ROOT/configs/players/tutorials
    DATA=$ROOT/tests/data/seeds
    cd "$BATS_TEST_TMPDIR"
}

# analyze_only ARGS...: standard output alone
analyze_only() { "$GOMOLAB" analyze "$@" 2>/dev/null; }

# golden FILE KIND DEPTH PLAYER [--set ...]: value, move, nodes, cutoffs of every position are those of the file
golden() {
    local file=$1 kind=$2 depth=$3 player=$4
    shift 4
    analyze_only "$TUTORIALS/$player.yaml" --file "$DATA/positions.tsv" --set search.depth="$depth" --format tsv "$@" |
        awk -F'\t' -v OFS='\t' 'NR > 1 { print $1, $3, $4, $6, $9 }' | sort >got
    awk -F'\t' -v OFS='\t' -v kind="$kind" -v depth="$depth" \
        '$3 == kind && $4 == depth { print $1, $5, $6, $7, $8 }' "$DATA/$file" | sort >want
    test "$(wc -l <want)" -gt 70
    join -t "$(printf '\t')" -o 2.1,2.2,2.3,2.4,2.5 want got | diff want -
}

@test "columns are exactly those that scripts rely on" {
    run --separate-stderr "$GOMOLAB" analyze "$TUTORIALS/study.yaml" --position "h8 i9" --set search.depth=2 --format tsv
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "$(printf 'id\tstatic\tvalue\tmove\tdepth\tnodes\tinterior\tleaves\tcutoffs\tfirst_cutoffs\ttime_us\tpv')" ]
    [ "${#lines[@]}" -eq 2 ]
}

@test "every tutorial player gives the golden values" {
    golden s0.tsv ab 3 pygame
    golden s0.tsv mm 2 pygame --set search.algorithm=minimax
    golden s0.tsv easy_wired 1 pygame-easy-wired
    golden s0.tsv medium_wired 2 pygame-medium-wired
    golden s0.tsv hard_wired 3 pygame-hard-wired
    golden s0.tsv expert_wired 4 pygame-expert-wired
    golden s1.tsv ab_lit_rm 1 windows-lit
    golden s1.tsv ab_full_hist 2 windows-full --set "search.order=[history+center]"
    golden s3.tsv ab_order 2 study
    golden s3.tsv abs_order 3 study-shared
    golden s4.tsv ab 2 thesis
    golden s4.tsv ab_go 2 thesis-gameover
    golden s4.tsv mm_go 1 thesis-gameover --set search.algorithm=minimax
}

@test "the greedy player gives the golden values" {
    analyze_only "$TUTORIALS/pointwise.yaml" --file "$DATA/positions.tsv" --format tsv |
        awk -F'\t' -v OFS='\t' 'NR > 1 { print $1, $3, $4 }' >got
    awk -F'\t' -v OFS='\t' '$3 == "d0.9" { print $1, $4, $5 }' "$DATA/s2.tsv" | diff - got
}

@test "as played, pre-checks and the first stone act; shown, the search alone" {
    analyze_only "$TUTORIALS/pygame.yaml" --file "$DATA/positions.tsv" --set search.depth=2 --as-played --format tsv |
        awk -F'\t' -v OFS='\t' 'NR > 1 { print $1, $3, $4 }' >got
    awk -F'\t' -v OFS='\t' '$3 ~ /^get_best/ && $4 == 2 { print $1, $5, $6 }' "$DATA/s0.tsv" | diff - got
    [ "$(analyze_only "$TUTORIALS/pygame.yaml" --position - --format tsv | tail -1 | cut -f4)" = - ]
    [ "$(analyze_only "$TUTORIALS/pygame.yaml" --position - --as-played --format tsv | tail -1 | cut -f4)" = h8 ]
    [ "$(analyze_only "$TUTORIALS/pointwise.yaml" --position - --format tsv | tail -1 | cut -f4)" = a15 ]
    run analyze_only "$TUTORIALS/pointwise.yaml" --position - --as-played --set play.opening=near_centre --format tsv
    [[ "$(tail -1 <<<"$output" | cut -f4)" =~ ^[ghi][789]$ ]]
}

@test "from scratch and incremental agree" {
    for player in pygame windows-full study-shared thesis pointwise; do
        for way in yes no; do
            analyze_only "$TUTORIALS/$player.yaml" --position "h8 i9 g8 f8 i8" --set search.depth=1 \
                --set search.incremental=$way --format tsv | cut -f1-10,12 >$way
        done
        diff yes no
    done
}

@test "infinities are words in TSV and strings in JSON" {
    printf 'id\tboard\tside\nfull\tXO/OX\tX\n' >full.tsv
    [ "$(analyze_only "$TUTORIALS/study.yaml" --file full.tsv --format tsv | tail -1 | cut -f3,4)" = "$(printf '%s\t-' -inf)" ]
    run analyze_only "$TUTORIALS/study.yaml" --file full.tsv --format json
    [[ "$output" == *'"value": "-inf", "move": "-"'* ]]
}

@test "impossible stone counts are analysed, with a note" {
    printf 'id\tboard\tside\nodd\tXX...../......./......./......./......./......./.......\tX\n' >odd.tsv
    run --separate-stderr "$GOMOLAB" analyze "$TUTORIALS/study.yaml" --file odd.tsv --set search.depth=1 --format tsv
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"1 of 1 positions have stone counts that no game reaches, first odd.tsv:2 (odd)"* ]]
    [ "${#lines[@]}" -eq 2 ]
}

@test "a board column fixes the size, --board the rest" {
    [ "$(analyze_only "$TUTORIALS/study.yaml" --position - --board 9 --format tsv | tail -1 | cut -f4)" = e5 ]
    printf 'id\tboard\tside\na\t......./......./......./......./......./......./.......\tX\n' >b.tsv
    [ "$(analyze_only "$TUTORIALS/study.yaml" --file b.tsv --format tsv | tail -1 | cut -f4)" = d4 ]
}

@test "what is wrong is said in one line, with status 2" {
    printf 'id\tmoves\na\th8 i9\nb\th8 h8\n' >bad.tsv
    run --separate-stderr "$GOMOLAB" analyze "$TUTORIALS/study.yaml" --file bad.tsv
    [ "$status" -eq 2 ]
    [ -z "$output" ]
    [ "$stderr" = "bad.tsv:3: position b: move 2: h8 is occupied" ]
    run --separate-stderr "$GOMOLAB" analyze "$TUTORIALS/study.yaml" --position "h8 z9"
    [ "$status" -eq 2 ]
    run --separate-stderr "$GOMOLAB" analyze "$TUTORIALS/study.yaml" --position h8 --set search.depth=0
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"search.depth: '0', expected a whole number 1..64"* ]]
    run --separate-stderr "$GOMOLAB" analyze "$TUTORIALS/study.yaml"
    [ "$status" -eq 2 ]
    run --separate-stderr "$GOMOLAB" analyze "$TUTORIALS/study.yaml" --position h8 --file bad.tsv
    [ "$status" -eq 2 ]
    run --separate-stderr "$GOMOLAB" analyze "$TUTORIALS/study.yaml" --position h8 --rule renju
    [ "$status" -eq 2 ]
    run --separate-stderr "$GOMOLAB" analyze "$TUTORIALS/none.yaml" --position h8
    [ "$status" -eq 2 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    printf 'id\tboard\tside\na\t.../.X./..O\tX\n' >small.tsv
    run --separate-stderr "$GOMOLAB" analyze "$ROOT/configs/players/strong.yaml" --file small.tsv
    [ "$status" -eq 2 ]
    [[ "$stderr" == "small.tsv:2: position a: "* ]]
}
