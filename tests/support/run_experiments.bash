# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of `gomolab run` share: two small experiments in a folder of their own, and questions to a database.

setup() {
    ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    GOMOLAB=${GOMOLAB:-$ROOT/build/gomolab}
    cd "$BATS_TEST_TMPDIR"
    cat >tiny.yaml <<YAML
name: tiny
openings: {random: 4}
pairs: 6
players:
  - {name: d1, search.depth: 1}
  - {name: d2, search.depth: 2, play.randomness: 0.1}
  - {name: g, search.algorithm: greedy}
YAML
    # Long enough to be interrupted: hundreds of games, some milliseconds each.
    cat >long.yaml <<YAML
name: long
openings: {random: 4}
pairs: 2000
players:
  - {name: d3, search.depth: 3}
  - {name: d4, search.depth: 4}
YAML
}

# Games and moves without clocks, ids of rows and note of the sitting: what "the same" means.
dump() {
    sqlite3 -readonly "$1" "SELECT id, pair, opening, black_id, white_id, result, reason, plies, seed FROM game ORDER BY id;
        SELECT game_id, ply, x, y, value, depth, seldepth, nodes, interior, leaves, cutoffs, first_cutoffs, tt_probes, tt_hits, pv
        FROM move ORDER BY game_id, ply;"
}
games() { sqlite3 -readonly "$1" 'SELECT count(*) FROM game'; }
