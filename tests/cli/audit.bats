#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# `gomolab audit` on the games of a run: sound records, blunders counted, repetitions found.

bats_require_minimum_version 1.5.0

setup_file() {
    export ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    export GOMOLAB=${GOMOLAB:-$ROOT/build/gomolab}
    cd "$BATS_FILE_TMPDIR"
    cat >match.yaml <<YAML
name: match
openings: {random: 4}
pairs: 6
seed: 5
allow_duplicates: true
players:
  - {name: greedy, base: $ROOT/configs/players/tutorials/pointwise.yaml}
  - {name: random, base: $ROOT/configs/players/random.yaml}
YAML
    "$GOMOLAB" run match.yaml --db match.db --quiet >/dev/null
}

setup() { cd "$BATS_FILE_TMPDIR"; }

# cell PLAYER FINDING COLUMN
cell() { awk -F'\t' -v p="$1" -v f="$2" -v c="$3" '$1 == p && $2 == f { print $c }' table.tsv; }

@test "one row a player and finding, columns as promised" {
    "$GOMOLAB" audit match.db --format tsv >table.tsv
    [ "$(head -1 table.tsv)" = "$(printf 'player\tfinding\tcount\tchances\tper_1000_moves\tgames\tmoves\tfirst')" ]
    [ "$(wc -l <table.tsv)" -eq 15 ]
    [ "$(cell greedy illegal 3)" -eq 0 ]
    [ "$(cell random impossible 3)" -eq 0 ]
    [ "$(cell greedy unblocked_five 3)" -eq 0 ]
    [ "$(cell greedy missed_win 3)" -eq 0 ]
    [ "$(cell random open_four_allowed 3)" -gt 0 ]
    [ "$(cell greedy impossible 4)" -eq 12 ]
}

@test "counts agree with the moves in the database" {
    "$GOMOLAB" audit match.db --format tsv >table.tsv
    moves=$(sqlite3 match.db 'SELECT count(*) FROM move JOIN game ON game.id = game_id WHERE ply > opening_plies')
    [ "$moves" -eq $(($(cell greedy illegal 7) + $(cell random illegal 7))) ]
}

@test "a record that was tampered with is found, with status 1" {
    cp match.db broken.db
    sqlite3 broken.db "UPDATE game SET result = CASE result WHEN 'B' THEN 'W' ELSE 'B' END WHERE id = 3"
    run --separate-stderr "$GOMOLAB" audit broken.db --format tsv
    [ "$status" -eq 1 ]
    printf '%s\n' "$output" >table.tsv
    [ "$(cell greedy impossible 3)" -eq 1 ]
    [ "$(cell greedy impossible 8)" = 3 ]
}

@test "identical games are counted" {
    cp match.db twice.db
    sqlite3 twice.db "DELETE FROM move WHERE game_id = 2;
        INSERT INTO move (game_id, ply, x, y) SELECT 2, ply, x, y FROM move WHERE game_id = 0;
        UPDATE game SET (result, reason, plies) = (SELECT result, reason, plies FROM game WHERE id = 0) WHERE id = 2"
    "$GOMOLAB" audit twice.db --format tsv >table.tsv
    [ "$(cell greedy identical 3)" -eq 1 ]
    [ "$(cell greedy identical 8)" = 2 ]
}

@test "what is no database is refused" {
    run --separate-stderr "$GOMOLAB" audit match.yaml
    [ "$status" -eq 2 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    run --separate-stderr "$GOMOLAB" audit missing.db
    [ "$status" -eq 2 ]
}

@test "a stone beside the board is a fault of the record, not a stone of the next row" {
    for where in "x = 15" "x = -1" "y = 15" "y = 10000" "x = 9000000000"; do
        cp match.db beside.db
        sqlite3 beside.db "UPDATE move SET $where WHERE game_id = 2 AND ply = 9"
        run "$GOMOLAB" audit beside.db --format tsv
        [ "$status" -eq 1 ]
        [ "$(awk -F'\t' '$2 == "impossible" && $3 > 0 { print $8 }' <<<"$output" | head -1)" = 2:9 ]
        run --separate-stderr "$GOMOLAB" show beside.db 2
        [ "$status" -eq 2 ]
        [[ "$stderr" == *"game 2: ply 9 is not on a free cell"* ]]
    done
}
