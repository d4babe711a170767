#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# `gomolab run` and `replay`: games into a database, resuming, refusals, output streams and exit statuses.
# sanitizers: asan

bats_require_minimum_version 1.5.0

load ../support/run_experiments

@test "standings on standard output, progress on standard error, games in results/NAME.db" {
    run --separate-stderr "$GOMOLAB" run tiny.yaml
    [ "$status" -eq 0 ]
    [[ "${lines[0]}" == player*games*Elo* ]]
    [ "${#lines[@]}" -eq 4 ]
    [[ "$stderr" == *"36/36 games"* ]]
    [ "$(games results/tiny.db)" -eq 36 ]
    [ "$(sqlite3 results/tiny.db 'SELECT count(*) FROM move WHERE ply > 4 AND nodes IS NULL')" -eq 0 ]
    [ "$(sqlite3 results/tiny.db 'SELECT count(*) FROM move WHERE ply <= 4 AND (nodes IS NOT NULL OR time_us IS NOT NULL)')" -eq 0 ]
}

@test "--quiet prints no progress" {
    run --separate-stderr "$GOMOLAB" run tiny.yaml --quiet
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [ "${#lines[@]}" -eq 4 ]
}

@test "--games rounds up to whole pairs and counts games that are there" {
    "$GOMOLAB" run tiny.yaml --quiet --games 7
    [ "$(games results/tiny.db)" -eq 8 ]
    "$GOMOLAB" run tiny.yaml --quiet --games 10
    [ "$(games results/tiny.db)" -eq 10 ]
    "$GOMOLAB" run tiny.yaml --quiet --games 4
    [ "$(games results/tiny.db)" -eq 10 ]
    run --separate-stderr "$GOMOLAB" run tiny.yaml
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"going on after 10 games"* ]]
    "$GOMOLAB" run tiny.yaml --quiet --db whole.db
    cmp <(dump results/tiny.db) <(dump whole.db)
}

@test "more pairs go on, holes are filled, an identical run plays nothing" {
    "$GOMOLAB" run tiny.yaml --quiet --db whole.db --set pairs=8
    "$GOMOLAB" run tiny.yaml --quiet --db torn.db
    sqlite3 torn.db 'PRAGMA foreign_keys = ON; DELETE FROM move WHERE game_id IN (0, 7, 20); DELETE FROM game WHERE id IN (0, 7, 20)'
    "$GOMOLAB" run tiny.yaml --quiet --db torn.db --set pairs=8
    cmp <(dump whole.db) <(dump torn.db)
    run --separate-stderr "$GOMOLAB" run tiny.yaml --db torn.db --set pairs=8
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"48/48 games, 0.0 games/s"* ]]
}

@test "standings of a resumed run are those of the whole" {
    "$GOMOLAB" run tiny.yaml --quiet --db whole.db >want
    "$GOMOLAB" run tiny.yaml --quiet --db parts.db --games 9 >/dev/null
    "$GOMOLAB" run tiny.yaml --quiet --db parts.db --games 20 >/dev/null
    "$GOMOLAB" run tiny.yaml --quiet --db parts.db >got
    cmp want got
}

@test "another experiment in the database is refused, --fresh keeps the old one" {
    "$GOMOLAB" run tiny.yaml --quiet --db x.db
    dump x.db >before
    run --separate-stderr "$GOMOLAB" run tiny.yaml --quiet --db x.db --set d1.search.depth=2
    [ "$status" -eq 2 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [ -z "$output" ]
    cmp before <(dump x.db)
    run --separate-stderr "$GOMOLAB" run tiny.yaml --quiet --db x.db --set d1.search.depth=2 --fresh
    [ "$status" -eq 0 ]
    [[ "$stderr" == "the old database is now "* ]]
    old=${stderr#the old database is now }
    cmp before <(dump "$old")
    ! cmp -s before <(dump x.db)
}

@test "kill -9 loses no committed game and leaves whole pairs of rows" {
    for i in 1 2 3 4; do
        "$GOMOLAB" run long.yaml --quiet --games 60 --db killed.db &
        pid=$!
        sleep "0.$((RANDOM % 4 + 1))"
        kill -9 $pid 2>/dev/null || true
        wait $pid || true
        # Killed before the tables were there, it is as good as no file.
        torn=$(sqlite3 killed.db 'SELECT count(*) FROM game g WHERE plies <> (SELECT count(*) FROM move WHERE game_id = g.id)' 2>/dev/null || echo 0)
        [ "$torn" -eq 0 ]
    done
    "$GOMOLAB" run long.yaml --quiet --games 60 --db killed.db
    "$GOMOLAB" run long.yaml --quiet --games 60 --db whole.db
    cmp <(dump killed.db) <(dump whole.db)
}

@test "a full disk: status 3, what was committed stays, the run can go on" {
    "$GOMOLAB" run tiny.yaml --quiet --db whole.db --set pairs=100
    (
        ulimit -f 250 # KiB a file
        run --separate-stderr "$GOMOLAB" run tiny.yaml --quiet --db full.db --set pairs=100
        [ "$status" -eq 3 ]
        [ "${#stderr_lines[@]}" -eq 2 ]
        [[ "${stderr_lines[1]}" == *"go on with: gomolab run tiny.yaml --db full.db --set pairs=100 --quiet" ]]
    )
    [ "$(sqlite3 full.db 'PRAGMA integrity_check')" = ok ]
    "$GOMOLAB" run tiny.yaml --quiet --db full.db --set pairs=100
    cmp <(dump full.db) <(dump whole.db)
}

@test "deterministic players on too few openings are refused, with the reason" {
    printf 'h8i9\nh8j9\n' >two.txt
    cat >repeat.yaml <<YAML
name: repeat
openings: {file: two.txt}
pairs: 3
players:
  - {name: d1, search.depth: 1}
  - {name: d2, search.depth: 2}
YAML
    run --separate-stderr "$GOMOLAB" run repeat.yaml
    [ "$status" -eq 2 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == *"3 pairs on 2 distinct openings"*"allow_duplicates"* ]]
    [ ! -e results ]
    run "$GOMOLAB" run repeat.yaml --quiet --set allow_duplicates=true
    [ "$status" -eq 0 ]
    run "$GOMOLAB" run repeat.yaml --quiet --set symmetries=true --db symmetries.db
    [ "$status" -eq 0 ]
    run "$GOMOLAB" run repeat.yaml --quiet --set d2.play.randomness=0.1 --db random.db
    [ "$status" -eq 0 ]
    sed -i '/^openings/d' repeat.yaml
    run --separate-stderr "$GOMOLAB" run repeat.yaml --db none.db
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"3 pairs on 1 distinct opening "* ]]
}

@test "--dry-run describes and writes nothing" {
    run --separate-stderr "$GOMOLAB" run tiny.yaml --dry-run
    [ "$status" -eq 0 ]
    [[ "$output" == *"games: 36 (0 played already)"* ]]
    [[ "$output" == *"openings: random, 4 plies"* ]]
    [[ "$output" == *"duplicates: 0"* ]]
    [[ "$output" == *"estimated time: "* ]]
    [ ! -e results ]
    "$GOMOLAB" run tiny.yaml --quiet --games 10
    dump results/tiny.db >before
    run --separate-stderr "$GOMOLAB" run tiny.yaml --dry-run
    [[ "$output" == *"games: 36 (10 played already)"* ]]
    cmp before <(dump results/tiny.db)
}

@test "--no-move-log keeps results only" {
    "$GOMOLAB" run tiny.yaml --quiet --no-move-log
    "$GOMOLAB" run tiny.yaml --quiet --db whole.db
    query='SELECT id, result, reason, plies FROM game ORDER BY id'
    cmp <(sqlite3 results/tiny.db "$query") <(sqlite3 whole.db "$query")
    [ "$(sqlite3 results/tiny.db 'SELECT count(*) FROM move')" -eq 0 ]
}

@test "a sequential test stops when it is decided; 0 H1, 10 H0, 11 undecided" {
    cat >sprt.yaml <<YAML
name: sprt
openings: {random: 4}
pairs: 600
sprt: {elo0: 0, elo1: 40}
players:
  - {name: new, search.algorithm: greedy}
  - {name: old, search.algorithm: greedy, play.randomness: 0.02}
YAML
    run --separate-stderr "$GOMOLAB" run sprt.yaml --quiet --db h1.db
    [ "$status" -eq 0 ]
    [[ "$output" == *"sprt: H1 accepted: "*" Elo ["*" after "*" pairs"* ]]
    [ "$(games h1.db)" -lt 1200 ]
    # A report plays the stored pairs again and comes to the same verdict after as many pairs.
    pairs=$(echo "$output" | sed -n 's/.* after \([0-9]*\) pairs.*/\1/p')
    run --separate-stderr "$GOMOLAB" report h1.db --section sequential_test --format tsv
    [ "$(echo "$output" | awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i } NR == 2 { print $c["state"], $c["pairs"] }')" = "H1 $pairs" ]
    n=$(games h1.db)
    "$GOMOLAB" run sprt.yaml --quiet --db h1.db # decided already
    [ "$(games h1.db)" -eq "$n" ]
    run "$GOMOLAB" run sprt.yaml --quiet --db h0.db --set new.play.randomness=0.02 --set old.play.randomness=0
    [ "$status" -eq 10 ]
    run "$GOMOLAB" run sprt.yaml --quiet --db open.db --set pairs=2
    [ "$status" -eq 11 ]
    run "$GOMOLAB" run sprt.yaml --quiet --db end.db --set pairs=until-sprt --jobs 3
    [ "$status" -eq 0 ]
    [ "$(echo "$output" | sed -n 's/.* after \([0-9]*\) pairs.*/\1/p')" -eq "$("$GOMOLAB" run sprt.yaml --quiet --db h1.db | sed -n 's/.* after \([0-9]*\) pairs.*/\1/p')" ]
}

@test "a sequential test that ends with its openings says so" {
    printf 'h8i9\nh8j9\n' >two.txt
    cat >used.yaml <<YAML
openings: {file: two.txt}
sprt: {elo0: 0, elo1: 10}
players:
  - {name: d1, search.depth: 1}
  - {name: d2, search.depth: 2}
YAML
    run --separate-stderr "$GOMOLAB" run used.yaml --dry-run
    [ "$status" -eq 0 ]
    [[ "$output" == *"games: until the test is decided, at most 4: the openings are used up then (0 played already)"* ]]
    run --separate-stderr "$GOMOLAB" run used.yaml --quiet --games 2
    [ "$status" -eq 11 ]
    [ -z "$stderr" ] # stopped by --games, not by the openings
    for again in first second; do
        run --separate-stderr "$GOMOLAB" run used.yaml --quiet
        [ "$status" -eq 11 ]
        [ "${#stderr_lines[@]}" -eq 1 ]
        [[ "$stderr" == *"the openings are used up (two.txt, 2 distinct)"*"symmetries"*"allow_duplicates"* ]]
        [ "$(games results/used.db)" -eq 4 ]
    done
    printf 'h8i9\nh8i9\nh8j9\n' >two.txt # a set that repeats itself is not cut short in its middle
    run --separate-stderr "$GOMOLAB" run used.yaml --quiet --db twice.db
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"3 pairs on 2 distinct openings"* ]]
}

@test "a move far off the board is quoted as it was said" {
    cat >far.sh <<'SH'
#!/bin/sh
while read -r line; do
    case $line in
    START* | RESTART*) echo OK ;;
    BEGIN* | TURN* | DONE*) echo 99999999999999999999,3 ;;
    END*) exit ;;
    esac
done
SH
    chmod +x far.sh
    cat >far.yaml <<YAML
players:
  - {name: far, engine: {command: ./far.sh}}
  - {name: d1, search.depth: 1}
stop_after_failures: 1
YAML
    run --separate-stderr "$GOMOLAB" run far.yaml --quiet --db far.db --jobs 1
    [ "$status" -eq 0 ] # an illegal move is no failure of the machine
    [[ "$(sqlite3 far.db 'SELECT reason, note FROM game WHERE id = 0')" == "illegal|far (black), ply 1: 99999999999999999999,3 is outside the board"* ]]
}

# refused WORDS ARGS...: status 2, one line that holds the words, nothing on standard output, no results
refused() {
    local words=$1
    shift
    run --separate-stderr "$GOMOLAB" run "$@"
    [ "$status" -eq 2 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == *"$words"* ]]
    [ -z "$output" ]
    [ ! -e results ]
}

@test "wrong usage and bad openings are refused in one line" {
    refused "--jobs: '0'" tiny.yaml --jobs 0
    refused "--games: '0'" tiny.yaml --games 0
    refused "nearest is '--jobs'" tiny.yaml --jbos 2
    refused "--shard: '3/2', expected I/N" tiny.yaml --shard 3/2
    refused "--shard: '0/2'" tiny.yaml --shard 0/2
    refused "--shard: '2'" tiny.yaml --shard 2
    refused "seed" tiny.yaml --seed x
    refused "missing.yaml" missing.yaml
    refused "EXPERIMENT is missing"
    for fault in "h8h8=stone 2: h8 is occupied" "p8=outside the 15x15 board" "h8a1i8a2j8a3k8a4l8=already won" "?=is no square"; do
        printf 'h8i9\n%s\n' "${fault%%=*}" >bad.txt
        sed 's/{random: 4}/{file: bad.txt}/' tiny.yaml >bad.yaml
        refused "${fault#*=}" bad.yaml
        [[ "$stderr" == *"bad.txt:2: "* ]]
    done
    : >bad.txt
    refused "no openings" bad.yaml
    rm bad.txt
    refused "bad.txt" bad.yaml
}

@test "a database that is none of ours, or cannot be written, is refused" {
    echo 'this is no database, only text that goes on for a while' >text.db
    refused "text.db" tiny.yaml --db text.db
    touch file
    refused "file" tiny.yaml --db file/x.db
    sqlite3 other.db 'CREATE TABLE t(x)'
    refused "other.db" tiny.yaml --db other.db
    "$GOMOLAB" run tiny.yaml --quiet --db ours.db --games 2
    sqlite3 ours.db 'PRAGMA user_version = 99'
    refused "version" tiny.yaml --db ours.db
}

@test "replay: the same again, and a planted difference" {
    "$GOMOLAB" run tiny.yaml --quiet
    for slot in 0 5 17 35; do
        run --separate-stderr "$GOMOLAB" replay results/tiny.db $slot
        [ "$status" -eq 0 ]
        [[ "$output" == "game $slot: "*": the same again" ]]
    done
    sqlite3 results/tiny.db 'UPDATE move SET nodes = nodes + 1 WHERE game_id = 5 AND ply = 7'
    run --separate-stderr "$GOMOLAB" replay results/tiny.db 5
    [ "$status" -eq 1 ]
    [[ "${lines[1]}" == "ply 7: nodes "* ]]
    sqlite3 results/tiny.db "UPDATE game SET result = CASE result WHEN 'B' THEN 'W' ELSE 'B' END WHERE id = 0"
    run --separate-stderr "$GOMOLAB" replay results/tiny.db 0
    [ "$status" -eq 1 ]
    run --separate-stderr "$GOMOLAB" replay results/tiny.db 999
    [ "$status" -eq 2 ]
    run --separate-stderr "$GOMOLAB" replay results/tiny.db x
    [ "$status" -eq 2 ]
    run --separate-stderr "$GOMOLAB" replay missing.db 0
    [ "$status" -eq 2 ]
}

@test "replay by limits: games ended by adjudication are the same again" {
    "$GOMOLAB" run tiny.yaml --quiet --db adjudicated.db --set adjudicate.resign_plies=3 --set adjudicate.resign_value=500 --set adjudicate.max_moves=20
    [ "$(sqlite3 adjudicated.db "SELECT count(DISTINCT reason) FROM game WHERE reason IN ('resign', 'adjudicated')")" -ge 1 ]
    for slot in $(sqlite3 adjudicated.db "SELECT id FROM game WHERE reason IN ('resign', 'adjudicated') LIMIT 5"); do
        "$GOMOLAB" replay adjudicated.db "$slot"
    done
}

@test "the last line of progress has the Elo of the standings" {
    run --separate-stderr "$GOMOLAB" run tiny.yaml
    [ "$status" -eq 0 ]
    read -r name _ _ _ _ _ elo low high <<<"${lines[1]}"
    [[ "$stderr" == *", $name "[+-]"${elo#-} Elo [$low, $high]"* ]]
}

@test "games that could not be saved are not called saved" {
    "$GOMOLAB" run tiny.yaml --quiet --games 2 --db small.db >/dev/null
    room=$(($(stat -c %s small.db) / 1024 + 16)) # KiB a file: for the tables, and hardly a game
    run --separate-stderr bash -c "trap '' XFSZ; ulimit -f $room
        exec '$GOMOLAB' run tiny.yaml --quiet --db full.db --set pairs=100"
    [ "$status" -eq 3 ]
    [[ "${stderr_lines[1]}" =~ ^([0-9]+)" game"s?" "(is|are)" saved in full.db; " ]]
    saved=${BASH_REMATCH[1]}
    [ "$saved" -lt 100 ]
    [ "$(games full.db)" -eq "$saved" ]
    # The table names the players who have games, and nobody else.
    [ "$saved" -gt 0 ] || [ "${#lines[@]}" -eq 1 ]
}

@test "a name that is no file name: status 2" {
    for name in a/../../b '' .hidden ..; do
        run "$GOMOLAB" run tiny.yaml --quiet --set "name=$name"
        [ "$status" -eq 2 ]
        [[ "$output" == "--set name=$name: name: '$name', expected a file name: "* ]]
    done
    [ ! -e results ]
}
