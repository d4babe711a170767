#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# `gomolab tune` with method texel: weights from the games of a database.
# sanitizers: asan

bats_require_minimum_version 1.5.0

setup_file() {
    export D=$BATS_FILE_TMPDIR
    GOMOLAB=$(realpath "${GOMOLAB:-build/gomolab}")
    sed "s#\.\./#$PWD/configs/#; s/^pairs: .*/pairs: 20/" configs/experiments/texel-games.yaml >"$D/games.yaml"
    "$GOMOLAB" run "$D/games.yaml" --db "$D/games.db" --quiet >"$D/games.txt"
    cat >"$D/fit.yaml" <<YAML
name: fit
method: texel
base: $PWD/configs/players/classic.yaml
player: {search.depth: 1, eval.open_three: 50, eval.defense: 0.3}
openings: {file: $PWD/configs/openings/book15.txt, format: pos, rows: top}
texel: {database: games.db, per_game: 6, folds: 4}
output: $D/fit-out.yaml
knobs:
  - {key: eval.defense, low: 0.2, high: 2.5}
  - {key: eval.open_three, low: 10, high: 10000, scale: log}
  - {key: eval.three, low: 10, high: 1000, scale: log}
  - {key: eval.open_two, low: 1, high: 1000, scale: log}
  - {key: eval.kill_penalty, low: 0, high: 10000}
proof: {pairs: 150}
YAML
}

setup() {
    GOMOLAB=$(realpath "${GOMOLAB:-build/gomolab}")
    T=$BATS_TEST_TMPDIR
}

refused() {
    [ "$status" -eq 2 ]
    [ -z "$output" ]
    [[ "$stderr" == *"$1"* ]]
}

@test "tune: texel reports positions, k, folds and errors, and its weights win on held-out openings" {
    run --separate-stderr "$GOMOLAB" tune "$D/fit.yaml" --db "$D/fit.db"
    [ "$status" -eq 0 ]
    [[ "$stderr" =~ texel:\ [0-9]+\ positions\ of\ [0-9]+\ games,\ k\  ]]
    [ "$(grep -c 'without fold' <<<"$stderr")" -eq 4 ]
    [[ "$stderr" == *"games left out: log-loss"* ]]
    grep -Eq 'eval.open_three +50 -> [0-9.]+ +\+- [0-9.]+' <<<"$stderr"
    grep -Eq 'eval.kill_penalty +5000 -> 5000 .*no position says anything' <<<"$stderr"
    [[ "$output" == *"held-out openings: +"*"accepted"* ]]
    [ -s "$D/fit-out.yaml" ]
    "$GOMOLAB" check "$D/fit-out.yaml"
    [ "$(sqlite3 "$D/fit.db" "SELECT group_concat(kind) FROM (SELECT kind FROM tune_stage ORDER BY id LIMIT 1)")" = texel ]
}

@test "tune: texel plays no games of its own, and the same data give the same weights" {
    for i in 1 2; do
        "$GOMOLAB" tune "$D/fit.yaml" --db "$T/$i.db" --set proof.pairs=0 --quiet >/dev/null 2>&1
        [ "$(sqlite3 "$T/$i.db" "SELECT count(*) FROM tune_iteration")" -eq 0 ]
        sqlite3 "$T/$i.db" "SELECT answer FROM tune_stage" >"$T/$i.txt"
    done
    cmp "$T/1.txt" "$T/2.txt"
}

@test "tune: texel refuses what it cannot learn" {
    sed 's/eval.kill_penalty, low: 0, high: 10000/moves.limit, low: 1, high: 100/' "$D/fit.yaml" >"$D/limit.yaml"
    run --separate-stderr "$GOMOLAB" tune "$D/limit.yaml" --db "$T/x.db"
    refused "moves.limit"
    sed 's/games.db/none.db/' "$D/fit.yaml" >"$D/none.yaml"
    run --separate-stderr "$GOMOLAB" tune "$D/none.yaml" --db "$T/x.db"
    [[ "$stderr" == *"none.yaml:"*": texel.database: "*"none.db: No such file"* ]]
    refused "none.db"
    "$GOMOLAB" run "$D/games.yaml" --db "$D/silent.db" --games 60 --no-move-log --quiet >/dev/null
    sed 's/games.db/silent.db/' "$D/fit.yaml" >"$D/silent.yaml"
    run --separate-stderr "$GOMOLAB" tune "$D/silent.yaml" --db "$T/y.db"
    refused "no quiet positions"
    run --separate-stderr "$GOMOLAB" tune "$D/fit.yaml" --db "$T/x.db" --games 100
    refused "budget makes no sense"
    [ ! -e "$T/x.db" ]
    [ ! -e "$T/y.db" ]
}

@test "tune: the shipped tune by regression is valid" {
    "$GOMOLAB" check configs/experiments/texel-games.yaml
    run --separate-stderr "$GOMOLAB" tune configs/tune/eval-shape-texel.yaml --dry-run --set "texel.database=$D/games.db"
    [ "$status" -eq 0 ]
    [[ "$output" == *"method texel"* ]]
}
