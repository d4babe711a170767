#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# `gomolab run` on several threads: the same games, whatever their number, and whoever interrupts.

bats_require_minimum_version 1.5.0

load ../support/run_experiments
load ../support/wait_until

@test "the same games on one and on eight threads, in shards, and with moves of the same seed only" {
    "$GOMOLAB" run tiny.yaml --quiet --jobs 1 --db one.db
    "$GOMOLAB" run tiny.yaml --quiet --jobs 8 --db eight.db
    dump one.db >one
    dump eight.db >eight
    cmp one eight
    "$GOMOLAB" run tiny.yaml --quiet --shard 1/2 --db a.db
    "$GOMOLAB" run tiny.yaml --quiet --shard 2/2 --db b.db
    [ "$(games a.db)" -eq 18 ]
    [ "$(games b.db)" -eq 18 ]
    { dump a.db; dump b.db; } | sort >shards
    sort one | cmp - shards
    "$GOMOLAB" run tiny.yaml --quiet --seed 2 --db other.db
    dump other.db >other
    ! cmp -s one other
}

@test "Ctrl-C once: games in progress end, the rest can be played later" {
    "$GOMOLAB" run long.yaml --jobs 2 >out 2>err &
    pid=$!
    wait_until has_rows results/long.db game 5
    kill -INT $pid
    status=0
    wait $pid || status=$?
    [ "$status" -eq 130 ]
    n=$(games results/long.db)
    [ "$n" -gt 0 ]
    [ "$n" -lt 4000 ]
    grep -q "^$n games are saved in results/long.db; go on with: gomolab run long.yaml --jobs 2$" err
    head -1 out | grep -q '^player'
    "$GOMOLAB" run long.yaml --quiet --games $((n + 2))
    "$GOMOLAB" run long.yaml --quiet --games $((n + 2)) --db whole.db
    cmp <(dump results/long.db) <(dump whole.db)
}

@test "Ctrl-C twice: games in progress are dropped, nothing saved is lost" {
    # One game takes minutes.
    "$GOMOLAB" run long.yaml --jobs 2 --set search.depth=10 --set moves.limit=0 >out 2>err &
    pid=$!
    wait_until has_computed $pid 300 # the games have begun: nothing before them takes so long
    kill -INT $pid
    wait_until grep -q "once more to drop" err
    kill -0 $pid
    kill -TERM $pid
    status=0
    wait $pid || status=$?
    [ "$status" -eq 130 ]
    [ "$(games results/long.db)" -eq 0 ]
    [ "$(sqlite3 results/long.db 'PRAGMA integrity_check')" = ok ]
    grep -q "ending: [12] games\? in progress; once more to drop \(it\|them\)" err
}

@test "tree search plays the same games on one and on eight threads, playouts included" {
    cat >trees.yaml <<END
name: trees
board: 9
openings: {random: 3}
schedule: round-robin
pairs: 4
seed: 5
players:
  - {name: eval, base: $ROOT/configs/players/mcts.yaml, mcts.playouts: 60, search.vct: none}
  - {name: playout, base: $ROOT/configs/players/mcts.yaml, mcts.playouts: 20, mcts.leaf: playout, search.vct: none}
  - {name: nodes, base: $ROOT/configs/players/mcts.yaml, mcts.playouts: 0, search.nodes: 50, eval.model: shape}
END
    "$GOMOLAB" run trees.yaml --quiet --jobs 1 --db one.db
    "$GOMOLAB" run trees.yaml --quiet --jobs 8 --db eight.db
    dump one.db >one
    dump eight.db >eight
    [ "$(games one.db)" -eq 24 ]
    cmp one eight
}
