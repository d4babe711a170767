#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# `gomolab tune`: what it refuses, that it goes on bit for bit, and what it leaves behind.
# sanitizers: asan

bats_require_minimum_version 1.5.0

load ../support/wait_until

setup() {
    ROOT="$(cd "$BATS_TEST_DIRNAME/../.." && pwd)"
    GOMOLAB="${GOMOLAB:-$ROOT/build/gomolab}"
    cd "$BATS_TEST_TMPDIR"
    head -n 400 "$ROOT/configs/openings/book15.txt" > book.txt
    cat > base.yaml <<'YAML'
name: base
search.depth: 1
moves.limit: 6
moves.radius: 1
YAML
    cat > tiny.yaml <<'YAML'
name: tiny
base: base.yaml
openings: {file: book.txt, format: pos, rows: top}
budget: {games: 480}
scan: {pairs: 4}
knobs:
  - {key: eval.defense, low: 0.5, high: 2.5}
  - {key: eval.open_four, low: 2000, high: 50000, scale: log}
  - {key: eval.open_three, low: 100, high: 10000, scale: log}
constraints: [open_four > open_three]
proof: {pairs: 24}
YAML
}

# All that a tune decides; not what it took.
contents() {
    sqlite3 "$1" 'SELECT stage_id, iteration, pairs, results, theta, state, drift FROM tune_iteration' \
        'SELECT id, kind, iterations, pairs_each, start, steps, answer FROM tune_stage' \
        'SELECT * FROM tune_effect' 'SELECT * FROM tune_match'
}

# refused WORDS [OPTION...]: tune.yaml is refused with status 2 and one line that has the words.
refused() {
    local words="$1"
    shift
    run --separate-stderr timeout 60 "$GOMOLAB" tune bad.yaml --quiet "$@"
    [ "$status" -eq 2 ] || { echo "status $status: $stderr"; false; }
    [ -z "$output" ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == *"$words"* ]] || { echo "$stderr"; false; }
    [ ! -e results/tiny.db ]
}

# bad SED-SCRIPT: bad.yaml is tiny.yaml changed by it.
bad() { sed "$1" tiny.yaml > bad.yaml; }

@test "tune: scan, tuner and proof, and a player file" {
    run --separate-stderr "$GOMOLAB" tune tiny.yaml --jobs 2
    [ "$status" -eq 0 ]
    [[ "$output" == *"eval.open_three"* ]]
    [[ "$output" == *"new v start, held-out openings: "* ]]
    [[ "$output" == *"tuned-on "*"held-out "* ]]
    [[ "$output" == *"player: results/tuned-tiny.yaml"* ]]
    [[ "$stderr" == *"single vectors settle"* ]] # before the tuner's first game
    [ "$(sqlite3 results/tiny.db 'SELECT group_concat(kind) FROM tune_stage')" = sense,spsa,match,match ]
    [ "$(sqlite3 results/tiny.db 'SELECT 2 * sum(pairs) FROM tune_iteration')" -eq 576 ]
    "$GOMOLAB" check results/tuned-tiny.yaml
    grep -q '^# .*held-out match says' results/tuned-tiny.yaml
    grep -q '^# Base: base.yaml' results/tuned-tiny.yaml
    # once more: nothing to play, the same end
    contents results/tiny.db > first
    run --separate-stderr "$GOMOLAB" tune tiny.yaml --quiet
    [ "$status" -eq 0 ]
    [[ "$output" == *"player: results/tuned-tiny.yaml"* ]]
    contents results/tiny.db | cmp - first
}

@test "tune: no file is overwritten" {
    mkdir -p results
    echo "name: mine" > results/tuned-tiny.yaml
    run --separate-stderr "$GOMOLAB" tune tiny.yaml --quiet
    [ "$status" -eq 0 ]
    [[ "$output" == *"player: results/tuned-tiny-2.yaml"* ]]
    [ "$(cat results/tuned-tiny.yaml)" = "name: mine" ]
}

@test "tune: the same on one thread and on four" {
    "$GOMOLAB" tune tiny.yaml --quiet --jobs 1 --db one.db
    "$GOMOLAB" tune tiny.yaml --quiet --jobs 4 --db four.db
    contents one.db > one
    contents four.db | cmp - one
}

@test "tune: killed again and again it ends as if undisturbed" {
    sed 's/games: 480/games: 3000/' tiny.yaml > long.yaml
    "$GOMOLAB" tune long.yaml --quiet --jobs 2 --db calm.db
    contents calm.db > calm
    local kills=0
    for i in $(seq 1 60); do
        "$GOMOLAB" tune long.yaml --quiet --jobs $((i % 4 + 1)) --db torn.db > /dev/null 2> log &
        local pid=$!
        sleep "0.0$((RANDOM % 9 + 1))"
        if kill -9 $pid 2> /dev/null; then kills=$((kills + 1)); fi
        wait $pid && break || true
        [ $kills -lt 12 ] || break
    done
    [ $kills -ge 3 ]
    "$GOMOLAB" tune long.yaml --quiet --jobs 3 --db torn.db
    contents torn.db | cmp - calm
}

@test "tune: a full disk ends it with status 3, and it goes on when there is room" {
    sed 's/games: 480/games: 3000/' tiny.yaml > long.yaml
    "$GOMOLAB" tune long.yaml --quiet --jobs 2 --db calm.db > /dev/null
    run --separate-stderr bash -c "ulimit -f 120; exec '$GOMOLAB' tune long.yaml --quiet --jobs 2 --db full.db"
    [ "$status" -eq 3 ]
    [[ "$stderr" == *full.db* ]]
    "$GOMOLAB" tune long.yaml --quiet --jobs 2 --db full.db > /dev/null
    contents calm.db > calm
    contents full.db | cmp - calm
}

@test "tune: an interruption says what is best so far and how to go on" {
    sed 's/games: 480/games: 400000/' tiny.yaml > long.yaml
    "$GOMOLAB" tune long.yaml --quiet --jobs 2 --db long.db > out 2> err &
    local pid=$!
    wait_until has_rows long.db 'tune_iteration WHERE stage_id = 1' 4
    kill -INT $pid
    status=0
    wait $pid || status=$?
    [ "$status" -eq 130 ]
    grep -q 'eval.open_three' out
    grep -q 'go on with: gomolab tune long.yaml --db long.db' err
    [ ! -e results/tuned-tiny.yaml ]
}

@test "tune: a larger budget goes on from the last answer and proves again" {
    "$GOMOLAB" tune tiny.yaml --quiet > /dev/null
    "$GOMOLAB" tune tiny.yaml --quiet --games 800 > /dev/null
    [ "$(sqlite3 results/tiny.db 'SELECT group_concat(kind) FROM tune_stage')" = sense,spsa,match,match,spsa,match,match ]
    [ "$(sqlite3 results/tiny.db "SELECT (SELECT answer FROM tune_stage WHERE id = 1) = (SELECT start FROM tune_stage WHERE id = 4)")" -eq 1 ]
    [ "$(sqlite3 results/tiny.db "SELECT group_concat(alpha) FROM tune_match WHERE verdict_match")" = 0.05,0.025 ]
    run --separate-stderr "$GOMOLAB" tune tiny.yaml --quiet --games 800 --transfer
    [ "$status" -eq 0 ]
    [[ "$output" == *"two plies deeper: "* ]]
}

@test "tune: a budget in iterations is kept to the letter, and may grow" {
    "$GOMOLAB" tune tiny.yaml --quiet --iterations 7 --db i.db > /dev/null
    [ "$(sqlite3 i.db "SELECT count(*) FROM tune_iteration JOIN tune_stage ON id = stage_id WHERE kind = 'spsa'")" -eq 7 ]
    "$GOMOLAB" tune tiny.yaml --quiet --iterations 9 --db i.db > /dev/null
    [ "$(sqlite3 i.db "SELECT group_concat(iterations) FROM tune_stage WHERE kind = 'spsa'")" = 7,2 ]
}

@test "tune: random search and the scan alone" {
    "$GOMOLAB" tune tiny.yaml --quiet --set method=random --db random.db > out
    grep -q 'held-out' out
    [ "$(sqlite3 random.db 'SELECT group_concat(kind) FROM tune_stage')" = random,match,match ]
    sed '/budget/d; s/^name:.*/name: tiny\nmethod: sense/' tiny.yaml > sense.yaml
    run --separate-stderr "$GOMOLAB" tune sense.yaml --quiet --db sense.db
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 4 ]
    [[ "$output" == *"curvature"* ]]
}

@test "tune: anchors meet both, constraints hold in every vector" {
    sed 's/pairs: 24}/pairs: 24, anchor_pairs: 6, anchors: [{name: rival, base: base.yaml, eval.defense: 2}]}/' tiny.yaml > anchor.yaml
    "$GOMOLAB" tune anchor.yaml --quiet > out
    grep -q '^new v rival, held-out' out
    grep -q '^start v rival, held-out' out
    [ "$(sqlite3 results/tiny.db "SELECT count(*) FROM tune_iteration WHERE json_extract(theta, '\$[1]') <= json_extract(theta, '\$[2]')")" -eq 0 ]
}

@test "tune: bad knobs are refused with their line" {
    bad 's/eval.defense, /eval.defence, /';        refused "bad.yaml:7:11: knobs: unknown knob 'eval.defence', nearest is 'eval.defense'"
    bad 's/eval.defense, /search.tie, /';          refused "bad.yaml:7:11: knobs: search.tie is not numeric"
    bad 's/high: 2.5/high: 2.5, start: 3/';        refused "bad.yaml:7:5: knobs: eval.defense: the start 3 is outside the range 0.5..2.5"
    bad 's/low: 0.5, high: 2.5/low: 2, high: 2/';  refused "the range 2..2 is empty"
    bad 's/low: 0.5, high: 2.5/low: 3, high: 2/';  refused "the range 3..2 is empty"
    bad 's/low: 0.5, high: 2.5/low: 0.5, high: 99/'; refused "leaves that of the knob, 0..10"
    bad 's/low: 0.5, high/low: 0, scale: log, high/'; refused "scale: log with a low end of 0"
    bad 's/low: 0.5/lo: 0.5/';                     refused "unknown key 'lo'"
    bad 's/low: 0.5/low: much/';                   refused "low: 'much', expected a number"
    bad 's/eval.open_four, /eval.defense, /';      refused "eval.defense stands there twice"
    bad 's/high: 2.5/high: 2.5, step: 5/';         refused "two of them do not fit"
    bad 's/high: 50000/high: 50000, step: 0.5/';   refused "expected a factor above 1"
    bad 's/high: 50000/high: 50000, integer: no/'; refused "whole numbers only"
    bad 's/high: 2.5/high: 2.5, scale: square/';   refused "expected linear or log"
    bad '/key:/d';                                 refused "knobs: nothing"
}

@test "tune: constraints that cannot be kept are refused" {
    bad 's/\[open_four > open_three\]/[open_four > open_three, open_three > open_four]/'
    refused "bad.yaml:10:39: constraints: eval.open_three > eval.open_four contradicts eval.open_four > eval.open_three: a cycle"
    bad 's/\[open_four > open_three\]/[defense > open_four > open_three > defense]/'
    refused "bad.yaml:10:15: constraints: eval.open_three > eval.defense contradicts eval.defense > eval.open_four > eval.open_three: a cycle"
    bad 's/\[open_four > open_three\]/[open_three > open_four]/';  refused "does not hold at the start"
    bad 's/\[open_four > open_three\]/[open_four > four]/';        refused "'four' is not among the knobs"
    bad 's/\[open_four > open_three\]/[open_four < open_three]/';  refused "expected a chain"
    bad 's/\[open_four > open_three\]/[open_four]/';               refused "expected a chain"
    bad 's/\[open_four > open_three\]/[defense > open_four]/';     refused "cannot be kept"
}

@test "tune: budgets that do not work are refused" {
    bad 's/games: 480/games: 0/';     refused "bad.yaml:4:17: budget.games: '0', expected a whole number 1.."
    bad 's/games: 480/hours: 0/';     refused "bad.yaml:4:17: budget.hours: '0'"
    bad 's/games: 480/games: 40/';    refused "bad.yaml:4:17: budget.games: 40 games are too few: the scan of 3 knobs takes 48, an iteration 16 more; expected 64 or more"
    bad 's/games: 480/hours: 0.0001/; s/pairs: 4}/pairs: 400000}/'
    refused "bad.yaml:4:17: budget.hours: 0.0001 hours are too few: the scan of 3 knobs takes"
    bad '/^budget/d';                 refused "no budget"
    bad 's/games: 480/games: 480, hours: 1/'; refused "bad.yaml:4:29: more than one budget"
    bad 's/x/x/';                     refused "gomolab tune: --games: 50 games are too few: the scan of 3 knobs takes 48" --games 50
    bad 's/x/x/';                     refused "exclude each other" --games 500 --hours 1
    bad 's/x/x/';                     refused "--games" --games 0
    bad 's/pairs: 24/pairs: 300/';    refused "bad.yaml:11:16: proof.pairs: 300 pairs, but the held-out share has 200 of 400 openings"
    bad 's/pairs: 24/pairs: 24, elo0: 5, elo1: 5/'; refused "bad.yaml:11:35: proof: elo0 5 and elo1 5, expected elo0 < elo1"
    bad 's/^name: tiny/method: sense/';   refused "bad.yaml:4:17: a budget makes no sense for method sense"
    bad 's/^name: tiny/method: texel/';   refused "a budget makes no sense for method texel"
    bad 's/^name: tiny/method: magic/';   refused "expected one of spsa|sense|texel|random"
    bad 's/^name: tiny/spsa.rate: 2/';    refused "spsa.rate: '2'"
    bad 's/^name: tiny/split: 1/';        refused "split: '1'"
    bad 's/^name: tiny/nmae: tiny/';      refused "unknown key 'nmae', nearest is 'name'"
    bad 's/^base: .*/base: {preset: x}/'; refused "bad.yaml:2:8: base: a map with key 'preset', expected the path of a player"
    bad 's/^name: tiny/zzzzzz: tiny/';    refused "unknown key 'zzzzzz'; \`gomolab keys --tune\` lists them"
    bad '/^base/d';                       refused "no player to tune"
    bad '/^openings/d';                   refused "no openings"
    bad 's/book.txt/none.txt/';           refused "none.txt"
}

@test "tune: an output that cannot be written is refused before the first game" {
    mkdir folder
    bad 's/^name: tiny/output: folder/';         refused "bad.yaml:1:9: output: 'folder' is no file"
    bad 's/^name: tiny/output: folder\//';       refused "bad.yaml:1:9: output: 'folder/' is no file"
    bad 's/^name: tiny/output: ""/';             refused "bad.yaml:1:9: output: '' is no file"
    bad 's/^name: tiny/output: book.txt\/x\/y/'; refused "bad.yaml:1:9: output: 'book.txt/x/y' cannot be written: book.txt/"
    [ ! -e results ]
    "$GOMOLAB" tune tiny.yaml --quiet --set output=new/sub/out.yaml > /dev/null
    [ -s new/sub/out.yaml ]
}

@test "tune: what is there is said before the first game, the way on is a shell's words" {
    "$GOMOLAB" tune tiny.yaml --db 'a b.db' 2> /dev/null > /dev/null
    run --separate-stderr "$GOMOLAB" tune tiny.yaml --db 'a b.db' --games 640
    [ "$status" -eq 0 ]
    [[ "${stderr_lines[0]}" == "a b.db: goes on after "*" games" ]]
    sed 's/games: 480/games: 100000/' tiny.yaml > long.yaml
    "$GOMOLAB" tune long.yaml --db 'c d.db' --set "output=e'f.yaml" >out 2>err 3>&- &
    local pid=$!
    wait_until has_rows 'c d.db' tune_iteration 1
    kill -INT $pid
    wait $pid || true
    grep -qF "go on with: gomolab tune long.yaml --db 'c d.db' --set 'output=e'\\''f.yaml'" err
}

@test "tune: a database of another tune or of an experiment is refused" {
    "$GOMOLAB" tune tiny.yaml --quiet --db a.db > /dev/null
    bad 's/high: 2.5/high: 2.6/'
    refused "a.db: belongs to another tune file: knobs[0].high is 2.5 there, " --db a.db
    bad 's/x/x/'
    refused "seed" --db a.db --seed 2
    printf 'name: e\nrule: freestyle\nopenings: {file: book.txt, format: pos, rows: top}\nplayers: [{name: a, base: base.yaml}, {name: b, base: base.yaml}]\n' > e.yaml
    "$GOMOLAB" run e.yaml --quiet --db e.db > /dev/null
    refused "holds an experiment" --db e.db
    run --separate-stderr "$GOMOLAB" run e.yaml --quiet --db a.db
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"holds a tune"* ]]
    run --separate-stderr "$GOMOLAB" report a.db
    [ "$status" -eq 2 ]
    "$GOMOLAB" tune bad.yaml --quiet --db a.db --seed 2 --fresh > /dev/null
    [ -e a-1.db ]
}

@test "tune: options that make no sense are refused" {
    for words in "--synthetic quadratic tiny.yaml" "--known tiny.yaml" "" "--synthetic round" \
        "--jobs 0 tiny.yaml" "tiny.yaml --set knobs=1" "tiny.yaml --set spsa.rate=x" "missing.yaml" \
        "--synthetic quadratic --games 100" "--synthetic null --db x.db" "--synthetic null --transfer" \
        "--synthetic null --target-runner" "tiny.yaml --pairs 3" "tiny.yaml --seeds 3" \
        "tiny.yaml --export tsv --dry-run" "tiny.yaml --export tsv --fresh" \
        "tiny.yaml --target-runner --transfer" "tiny.yaml --target-runner --db x.db" \
        "tiny.yaml --target-runner --export tsv" "tiny.yaml eval.defense=1" "--pairs 3 --synthetic null"; do
        run --separate-stderr "$GOMOLAB" tune $words
        [ "$status" -eq 2 ] || { echo "$words: $status"; false; }
        [ "${#stderr_lines[@]}" -eq 1 ]
    done
}

@test "tune: --dry-run says what a database would be gone on with, or why not" {
    "$GOMOLAB" tune tiny.yaml --quiet --db t.db > /dev/null
    run --separate-stderr "$GOMOLAB" tune tiny.yaml --dry-run --db t.db
    [ "$status" -eq 0 ]
    [[ "$output" == *"t.db: would go on after 576 games"* ]]
    before=$(cksum < t.db)
    bad 's/base: base/seed: 2\nbase: base/'
    refused "t.db: belongs to another tune file: seed is 1 there, 2 here" --db t.db
    real=$stderr
    refused "t.db: belongs to another tune file" --db t.db --dry-run
    [ "$stderr" = "$real" ]
    "$GOMOLAB" tune bad.yaml --dry-run --db t.db --fresh
    [ "$(cksum < t.db)" = "$before" ]
    echo words > text.db
    refused "text.db: is not a SQLite database" --db text.db --dry-run
}

@test "tune: --dry-run says what it will cost and does nothing" {
    run --separate-stderr "$GOMOLAB" tune tiny.yaml --dry-run
    [ "$status" -eq 0 ]
    [[ "$output" == *"noise floor"*"time constant"*"too small"* ]]
    [ ! -e results ]
    run --separate-stderr "$GOMOLAB" tune tiny.yaml --dry-run --games 70 --transfer
    [[ "$output" == *"spsa: 16 games in 1 iterations"*"transfer: 400 games two plies deeper"* ]]
    run --separate-stderr "$GOMOLAB" tune tiny.yaml --dry-run --iterations 100000000
    [[ "$output" == *"spsa: 1600000000 games in 100000000 iterations"* ]]
    bad 's/pairs: 24/pairs: 24, transfer_pairs: 201/'
    refused "bad.yaml: proof.transfer_pairs: 201 pairs, but the held-out share has 200 of 400" --transfer
    bad 's/pairs: 24/pairs: 0/'; refused "bad.yaml:11:16: proof.pairs: 0 is no proof" --transfer
    "$GOMOLAB" check "$ROOT"/configs/tune/*.yaml
    "$GOMOLAB" keys --tune spsa | grep -q '^spsa.rate'
    for file in "$ROOT"/configs/tune/*.yaml; do
        ! grep -q 'method: texel' "$file" || continue # wants the games of a run
        "$GOMOLAB" tune "$file" --dry-run
    done
}

@test "tune: synthetic surfaces in small" {
    run --separate-stderr "$GOMOLAB" tune --synthetic quadratic --known --seeds 20 --games 5000
    [ "$status" -eq 0 ]
    [[ "${lines[1]}" == quadratic* ]]
}
