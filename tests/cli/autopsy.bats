#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# `gomolab autopsy`: tables, boards and formats over a small played database.

bats_require_minimum_version 1.5.0

setup_file() {
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    cat >"$BATS_FILE_TMPDIR/small.yaml" <<YAML
name: small
openings: {random: 4}
pairs: 5
players:
  - {name: d2, base: $root/configs/players/classic.yaml, search.depth: 2}
  - {name: weak, base: $root/configs/players/greedy.yaml, play.randomness: 0.1}
YAML
    "${GOMOLAB:-$root/build/gomolab}" run "$BATS_FILE_TMPDIR/small.yaml" --db "$BATS_FILE_TMPDIR/small.db" --quiet >/dev/null
}

setup() {
    GOMOLAB=$(realpath "${GOMOLAB:-build/gomolab}")
    DB=$BATS_FILE_TMPDIR/small.db
    cd "$BATS_FILE_TMPDIR"
}

@test "autopsy: one row a lost game, a table a player, a board an example" {
    run --separate-stderr "$GOMOLAB" autopsy "$DB" --nodes 300
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    for name in games players shapes; do grep -qx "$name" <<<"$output"; done
    [[ "$output" == *"weak, "*": game "*", lost as "*" to d2 after ply "* ]]
    [[ "$output" == *"    a b c d e f g h i j k l m n o"* ]]
    run "$GOMOLAB" autopsy "$DB" --nodes 300 --no-boards
    [[ "$output" != *"    a b c d e f"* ]]
    [[ "$("$GOMOLAB" autopsy "$DB" --nodes 300 --ascii)" == *"[X]"* ]]
}

@test "autopsy: rows add up, and say what the database says" {
    "$GOMOLAB" autopsy "$DB" --nodes 300 --section games --format tsv >games
    [ "$(head -1 games)" = "$(printf 'game\tloser\twinner\tcolour\treason\tplies\tsurvived\tproved_ply\tproof\tresisted\tlosing_move\tescape_ply\tescape\tescapes\tshape')" ]
    lost=$(sqlite3 "$DB" "SELECT count(*) FROM game WHERE result != 'D'")
    [ "$(tail -n +2 games | wc -l)" -eq "$lost" ]
    # A game that ended by a five is always proved, by the five at least; survived leaves the opening out.
    awk -F'\t' 'NR > 1 && $5 == "five" { if ($8 == "-" || $6 != $8 + $10 || $7 != $6 - 4 || $15 == "-") exit 1 }' games
    awk -F'\t' 'NR > 1 && $14 != "-" && $14 > 0 && $12 != $8 { exit 1 }' games
    "$GOMOLAB" autopsy "$DB" --nodes 300 --section players --format tsv >players
    [ "$(head -1 players)" = "$(printf 'player\tlosses\tproved\tsurvived_mean\tproved_ply_mean\tresisted_mean\tby_vcf\tby_vct\tavoidable')" ]
    [ "$(awk -F'\t' 'NR > 1 { n += $2 } END { print n }' players)" -eq "$lost" ]
    "$GOMOLAB" autopsy "$DB" --nodes 300 --section shapes --format csv >shapes
    [ "$(head -1 shapes)" = "player,shape,losses,percent,game,ply,moves" ]
    [ "$(awk -F, 'NR > 1 { n += $3 } END { print n }' shapes)" -eq "$lost" ]
}

@test "autopsy: the same on one and on eight threads, and JSON has a key a table" {
    "$GOMOLAB" autopsy "$DB" --nodes 300 --jobs 1 --format json >one
    "$GOMOLAB" autopsy "$DB" --nodes 300 --jobs 8 --format json >eight
    cmp one eight
    [[ "$(cat one)" == '{"games": ['*'], "players": ['*'], "shapes": ['*']}' ]]
    "$GOMOLAB" autopsy "$DB" --nodes 300 --format tsv >tables
    [ "$(grep -c '^# \(games\|players\|shapes\)$' tables)" -eq 3 ]
    [[ "$("$GOMOLAB" autopsy "$DB" --nodes 300 --format md)" == *"| player "*'```'* ]]
}

@test "autopsy: what it cannot look at" {
    run --separate-stderr "$GOMOLAB" autopsy nowhere.db
    [ "$status" -eq 2 ]
    [ -z "$output" ]
    run --separate-stderr "$GOMOLAB" autopsy "$DB" --section gmaes
    [ "$status" -eq 2 ]
    printf 'name: four\nin_a_row: 4\nboard: 6\nopenings: {random: 2}\npairs: 1\nplayers:\n  - {name: a, eval.model: none}\n  - {name: b, eval.model: none, search.depth: 2}\n' >four.yaml
    "$GOMOLAB" run four.yaml --db four.db --quiet >/dev/null
    run --separate-stderr "$GOMOLAB" autopsy four.db
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"five in a row only"* ]]
    "$GOMOLAB" run small.yaml --db silent.db --games 2 --no-move-log --quiet >/dev/null
    run --separate-stderr "$GOMOLAB" autopsy silent.db --format tsv --section games
    [ "$status" -eq 0 ]
    [ "$(wc -l <<<"$output")" -eq 1 ]
    [[ "$stderr" == *"no moves kept"* ]]
}
