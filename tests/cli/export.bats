#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Games out of a database and into another one.
# sanitizers: asan

bats_require_minimum_version 1.5.0

load ../support/damage

setup() {
    GOMOLAB=${GOMOLAB:-$BATS_TEST_DIRNAME/../../build/gomolab}
    cd "$BATS_TEST_TMPDIR"
    cat >small.yaml <<'YAML'
name: small
openings: {random: 4}
pairs: 3
players:
  - {name: "d1 [\\]", search.depth: 1}
  - {name: 'd2 "é"', search.depth: 2}
YAML
    "$GOMOLAB" run small.yaml --db small.db --quiet >/dev/null
}

# Every column of every game and move, players by name.
games_of() {
    sqlite3 "$1" "SELECT slot, pair, opening, opening_moves, b.name, w.name, result, reason, plies, seed, wall_us, note
                  FROM game JOIN player b ON b.id = black_id JOIN player w ON w.id = white_id ORDER BY slot;
                  SELECT * FROM move ORDER BY game_id, ply"
}

@test "psq and sgf lose nothing on the way out and in" {
    for format in psq sgf; do
        "$GOMOLAB" export small.db --format $format >all.$format
        run "$GOMOLAB" import $format.db all.$format
        [ "$output" = "$format.db: 6 games imported" ]
        [ "$(games_of $format.db)" = "$(games_of small.db)" ]
        "$GOMOLAB" export small.db --format $format --dir one
        "$GOMOLAB" import $format-files.db one/*.$format >/dev/null
        [ "$(games_of $format-files.db)" = "$(games_of small.db)" ]
    done
}

@test "an imported database is reported" {
    "$GOMOLAB" export small.db --format sgf --out all.sgf
    "$GOMOLAB" import cup.db all.sgf >/dev/null
    run "$GOMOLAB" report cup.db
    [ "$status" -eq 0 ]
    [[ "$output" == *'d2 "é"'* ]]
}

@test "csv has a row a stone, jsonl a line a game, pgn the winner as rating programs read it" {
    stones=$(sqlite3 small.db 'SELECT count(*) FROM move')
    run "$GOMOLAB" export small.db --format csv
    [ "${#lines[@]}" -eq $((stones + 1)) ]
    run "$GOMOLAB" export small.db --format jsonl
    [ "${#lines[@]}" -eq 6 ]
    printf '%s\n' "$output" | python3 -c '
import json, sys
games = [json.loads(line) for line in sys.stdin]
assert sum(len(game["moves"]) for game in games) == int(sys.argv[1])
assert all(len(game["moves"]) == game["plies"] for game in games)' "$stones"
    run "$GOMOLAB" export small.db --format pgn
    [ "$(grep -c '^\[Result "1-0"\]' <<<"$output")" -eq "$(sqlite3 small.db "SELECT count(*) FROM game WHERE result = 'W'")" ]
    run "$GOMOLAB" export small.db --format pgn --game 4
    [ "$(grep -c '^\[Round "4"\]' <<<"$output")" -eq 1 ]
    [ "$(grep -c '^\[Round ' <<<"$output")" -eq 1 ]
}

@test "games with a fault are reported by line and left out, the rest is kept" {
    printf 'Piskvorky 15x15, 11:11, 0\r\n1,1,5\r\n1,2,0\r\n2,1,5\r\n2,2,7\r\n3,1,5\r\n3,2,7\r\n4,1,5\r\n4,2,7\r\n5,1,5\r\nA.zip\r\nB.zip\r\n-1\r\n' >good.psq
    sed '4s/.*/16,1,5\r/' good.psq >bad.psq
    head -3 good.psq >short.psq
    printf 'hello\n' >text.psq
    : >empty.psq
    run --separate-stderr "$GOMOLAB" import cup.db good.psq bad.psq short.psq text.psq empty.psq missing.psq
    [ "$status" -eq 0 ]
    [ "$output" = "cup.db: 1 game imported, 5 left out" ]
    [[ "$stderr" == *"bad.psq:4: move 3: '16,1,5' is outside the 15x15 board"* ]]
    [[ "$stderr" == *"short.psq:1: no result"* ]]
    [[ "$stderr" == *"text.psq:1: 'hello', expected 'Piskvorky"* ]]
    [[ "$stderr" == *"missing.psq: No such file"* ]]
    run "$GOMOLAB" import cup.db good.psq # again: another game
    [ "$(sqlite3 cup.db 'SELECT group_concat(slot) FROM game')" = 0,1 ]
    run --separate-stderr "$GOMOLAB" import none.db bad.psq
    [ "$status" -eq 2 ]
    [ ! -e none.db ]
}

@test "a database of a run takes no foreign games, and a rule is a rule" {
    "$GOMOLAB" export small.db --format sgf --out all.sgf
    run --separate-stderr "$GOMOLAB" import small.db all.sgf
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"holds games of a run"* ]]
    run --separate-stderr "$GOMOLAB" import cup.db --rule standard all.sgf
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"played by the freestyle rule, not standard"* ]]
    run --separate-stderr "$GOMOLAB" export small.db --game 99
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"there is no game 99"* ]]
}

@test "event, date and round of a game come back as they went in" {
    moves=';B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea]'
    printf '%s\n' "(;FF[4]GM[4]SZ[15]PB[A]PW[B]EV[Cup [12\\] of Brno]DT[2019-05-04]RO[3 (semi)]$moves)" \
        "(;FF[4]GM[4]SZ[15]PB[B]PW[A]RO[4]$moves)" >cup.sgf
    "$GOMOLAB" import cup.db cup.sgf >/dev/null
    "$GOMOLAB" export cup.db --format sgf --out one.sgf
    [ "$(grep -o 'EV.*RO\[[^]]*\]' one.sgf | head -1)" = 'EV[Cup [12\] of Brno]DT[2019-05-04]RO[3 (semi)]' ]
    [ "$(grep -o 'EV.*RO\[[^]]*\]' one.sgf | tail -1)" = 'EV[cup]RO[4]' ] # no date is made up
    "$GOMOLAB" merge merged.db cup.db >/dev/null
    "$GOMOLAB" export merged.db --format sgf | cmp - one.sgf
    "$GOMOLAB" export cup.db --format psq --out cup.psq
    for file in one.sgf cup.psq; do
        "$GOMOLAB" import "again-$file.db" "$file" >/dev/null
        "$GOMOLAB" export "again-$file.db" --format sgf | cmp - one.sgf
    done
    run "$GOMOLAB" export cup.db --format pgn --game 0
    [[ "$output" == *'[Event "Cup [12] of Brno"]'*'[Date "2019.05.04"]'*'[Round "3 (semi)"]'* ]]
    run "$GOMOLAB" export cup.db --format jsonl --game 0
    [[ "$output" == *'"event": "Cup [12] of Brno", "date": "2019-05-04", "round": "3 (semi)"'* ]]
    "$GOMOLAB" export small.db --format sgf --out run.sgf
    "$GOMOLAB" import other-name.db run.sgf >/dev/null
    "$GOMOLAB" export other-name.db --format sgf | cmp - run.sgf
}

@test "a file is replaced when the new one is whole, and the database never" {
    cp small.db copy.db
    ln -s copy.db link.db
    for out in copy.db ./copy.db link.db; do
        run --separate-stderr "$GOMOLAB" export copy.db --out "$out"
        [ "$status" -eq 2 ]
        [[ "$stderr" == *"$out: --out is the database itself"* ]]
    done
    cmp copy.db small.db
    echo old >games.psq
    run --separate-stderr "$GOMOLAB" export small.db --game 1 --game 99 --out games.psq
    [ "$status" -eq 2 ]
    [ "$(cat games.psq)" = old ]
    # A page of moves in the middle is gone: the first games can still be read.
    "$GOMOLAB" run small.yaml --db long.db --set pairs=200 --set allow_duplicates=true --quiet >/dev/null
    damage_middle_page long.db
    run --separate-stderr "$GOMOLAB" export long.db --out games.psq
    [ "$status" -eq 2 ]
    [ "$(cat games.psq)" = old ]
    [ ! -e games.psq.part ]
    "$GOMOLAB" export small.db --out games.psq
    "$GOMOLAB" export small.db | cmp - games.psq
    "$GOMOLAB" export small.db --out /dev/stdout | cmp - games.psq
}

@test "of games without moves kept no number of plies is made up" {
    "$GOMOLAB" run small.yaml --db bare.db --no-move-log --quiet >/dev/null
    run "$GOMOLAB" export bare.db --format pgn
    [ "$(grep -c '^\[Result ' <<<"$output")" -eq 6 ]
    [[ "$output" != *PlyCount* ]]
}
