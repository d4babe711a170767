# SPDX-License-Identifier: GPL-3.0-or-later
# `gomolab tune` with several threads, small enough for every sanitizer.

bats_require_minimum_version 1.5.0

setup() {
    ROOT="$(cd "$BATS_TEST_DIRNAME/../.." && pwd)"
    GOMOLAB="${GOMOLAB:-$ROOT/build/gomolab}"
    cd "$BATS_TEST_TMPDIR"
    head -n 400 "$ROOT/configs/openings/book15.txt" >book.txt
    cat >small.yaml <<'YAML'
name: small
player: {search.depth: 1, moves.limit: 6, moves.radius: 1}
openings: {file: book.txt, format: pos, rows: top}
budget: {games: 120}
scan: {pairs: 2}
knobs:
  - {key: eval.defense, low: 0.5, high: 2.5}
  - {key: eval.open_three, low: 100, high: 10000, scale: log}
proof: {pairs: 8}
YAML
}

@test "tune: four threads do what one does" {
    for jobs in 1 4; do
        run --separate-stderr "$GOMOLAB" tune small.yaml --quiet --jobs "$jobs" --db "$jobs.db"
        [ "$status" -eq 0 ] || { echo "$stderr"; false; }
        rm -rf results
    done
    for db in 1.db 4.db; do
        sqlite3 "$db" 'SELECT stage_id, iteration, results, theta, state FROM tune_iteration' \
            'SELECT * FROM tune_effect' >"$db.txt"
    done
    [ -s 1.db.txt ]
    cmp 1.db.txt 4.db.txt
}
