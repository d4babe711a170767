#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# `gomolab show --analyze`: what a player thinks of one position of a stored game.
# sanitizers: asan

bats_require_minimum_version 1.5.0

setup_file() {
    fixture=${GOMOLAB_BUILD:-build/release}/tests/stub/report_fixture
    "$fixture" ladder "$BATS_FILE_TMPDIR/ladder.db"
}

setup() {
    ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    GOMOLAB=$(realpath "${GOMOLAB:-build/gomolab}")
    DB=$BATS_FILE_TMPDIR/ladder.db
    CLASSIC=$ROOT/configs/players/classic.yaml
}

# Game 3: black makes five h8..l8 at ply 9, white plays elsewhere.
@test "value, best move, line and candidates of a won position" {
    run --separate-stderr "$GOMOLAB" show "$DB" 3 --ply 6 --analyze "$CLASSIC"
    [ "$status" -eq 0 ]
    [[ "$output" == *"ply 6 of 9"* ]]
    [[ "$output" == *"classic looks at it, black to move"* ]]
    [[ "$output" == *"value     999999997 (won in 3 plies)"* ]]
    [[ "$output" == *"best move "* && "$output" == *"line "* && "$output" == *"nodes "* ]]
    [ "$(grep -c '^  7  [a-o]' <<<"$output")" -eq 8 ]
}

@test "the rows are those of the search, and the game's move is among them" {
    run --separate-stderr "$GOMOLAB" show "$DB" 3 --ply 7 --analyze "$CLASSIC" --candidates 5 --format tsv
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "$(printf 'ply\tmove\tvalue\tplies\tbest\tplayed\tline')" ]
    [ "${#lines[@]}" -eq 6 ]
    awk -F'\t' 'NR > 1 && $1 != 8 { exit 1 } NR > 1 && $4 < -2 { exit 1 } $5 == "yes" { best++ } $6 == "yes" { played++ }
        NR > 2 && $3 > last { exit 1 } { last = $3 } END { exit !(best == 1 && played == 1) }' <<<"$output"
    # The value of the best candidate is the value of the position, by depth 4 as by 1 + 3.
    best=$(awk -F'\t' '$5 == "yes" { print $3 }' <<<"$output")

    [ "$best" = "-999999998" ]
    "$GOMOLAB" show "$DB" 3 --ply 8 --analyze "$CLASSIC" --format json | grep -q '"value": 999999999, "plies": 1, "best": true'
    run --separate-stderr "$GOMOLAB" show "$DB" 3 --ply 9 --analyze "$CLASSIC" --format tsv
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 1 ]
}

@test "tree search, greedy and depth 1 look as well" {
    for set in "search.algorithm=greedy" "search.depth=1" "search.algorithm=random"; do
        "$GOMOLAB" show "$DB" 3 --ply 4 --analyze "$CLASSIC" --set "$set" --format tsv | grep -q yes
    done
    "$GOMOLAB" show "$DB" 3 --ply 6 --analyze "$ROOT/configs/players/mcts.yaml" --set mcts.playouts=100 |
        grep -q 'won in 3 plies'
}

@test "what cannot be analysed is refused" {
    run --separate-stderr "$GOMOLAB" show "$DB" 3 --analyze "$CLASSIC"
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"--analyze PLAYER: expected --ply N"* ]]
    run --separate-stderr "$GOMOLAB" show "$DB" 3 --ply 2 --analyze /nowhere.yaml
    [ "$status" -eq 2 ]
    [ -z "$output" ]
    [ "$(wc -l <<<"$stderr")" -eq 1 ]
    run --separate-stderr "$GOMOLAB" show "$DB" 3 --ply 2 --analyze "$CLASSIC" --set search.dept=3
    [ "$status" -eq 2 ]
    [[ "$stderr" == *search.depth* ]]
    printf 'name: x\nengine: {command: ./y}\n' >"$BATS_TEST_TMPDIR/x.yaml"
    run --separate-stderr "$GOMOLAB" show "$DB" 3 --ply 2 --analyze "$BATS_TEST_TMPDIR/x.yaml"
    [ "$status" -eq 2 ]
    [[ "$stderr" == *external* ]]
}
