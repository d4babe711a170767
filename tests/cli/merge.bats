#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Shards of an experiment, played apart and joined.

bats_require_minimum_version 1.5.0

load ../support/damage

setup() {
    cd "$BATS_TEST_TMPDIR"
    GOMOLAB=${GOMOLAB:-$BATS_TEST_DIRNAME/../../build/gomolab}
    cat >small.yaml <<'YAML'
name: small
openings: {random: 4}
pairs: 4
players:
  - {name: d1, search.depth: 1}
  - {name: d2, search.depth: 2}
YAML
}

# Everything of the games that does not depend on time.
games_of() {
    sqlite3 "$1" "SELECT slot, pair, opening, opening_moves, black_id, white_id, result, reason, plies, seed FROM game ORDER BY slot;
                  SELECT game_id, ply, x, y, value, depth, seldepth, nodes, leaves, cutoffs, pv FROM move ORDER BY game_id, ply"
}

@test "shards joined equal one run" {
    "$GOMOLAB" run small.yaml --db one.db --quiet >/dev/null
    for i in 1 2 3; do "$GOMOLAB" run small.yaml --db "s$i.db" --shard "$i/3" --quiet >/dev/null; done
    run "$GOMOLAB" merge all.db s2.db s3.db s1.db
    [ "$status" -eq 0 ]
    [[ "$output" == "all.db: 8 games, "* ]]
    [ "$(games_of all.db)" = "$(games_of one.db)" ]
    run "$GOMOLAB" run small.yaml --db all.db --quiet # complete: nothing is played
    [ "$status" -eq 0 ]
    [ "$(sqlite3 all.db 'SELECT count(*) FROM game')" -eq 8 ]
}

@test "overlapping, foreign and missing shards are refused, and nothing is left" {
    "$GOMOLAB" run small.yaml --db a.db --shard 1/2 --quiet >/dev/null
    "$GOMOLAB" run small.yaml --db other.db --shard 2/2 --seed 7 --quiet >/dev/null
    run --separate-stderr "$GOMOLAB" merge all.db a.db a.db
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"slot 0 is in another"* ]]
    run --separate-stderr "$GOMOLAB" merge all.db a.db other.db
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"another experiment"*"seed"* ]]
    run --separate-stderr "$GOMOLAB" merge all.db a.db missing.db
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"missing.db: no such file"* ]]
    [ "$(ls all.db* 2>/dev/null | wc -l)" -eq 0 ]
}

@test "a result that is there is not touched" {
    "$GOMOLAB" run small.yaml --db a.db --shard 1/2 --quiet >/dev/null
    echo precious >all.db
    run --separate-stderr "$GOMOLAB" merge all.db a.db
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"all.db: is there already"* ]]
    [ "$(cat all.db)" = precious ]
}

@test "a result that cannot be made is named as it was asked for" {
    "$GOMOLAB" run small.yaml --db a.db --quiet >/dev/null
    run --separate-stderr "$GOMOLAB" merge missing/all.db a.db
    [ "$status" -ne 0 ]
    [[ "$stderr" == "missing/all.db: "* ]]
    [[ "$stderr" != *part* ]]
}

@test "the shard that is damaged is named, not the file that was begun" {
    "$GOMOLAB" run small.yaml --db a.db --shard 1/2 --set pairs=200 --set allow_duplicates=true --quiet >/dev/null
    "$GOMOLAB" run small.yaml --db b.db --shard 2/2 --set pairs=200 --set allow_duplicates=true --quiet >/dev/null
    damage_middle_page b.db
    run --separate-stderr "$GOMOLAB" merge all.db a.db b.db
    [ "$status" -eq 2 ]
    [[ "$stderr" == "b.db: database disk image is malformed" ]]
    [ "$(ls all.db* 2>/dev/null | wc -l)" -eq 0 ]
}
