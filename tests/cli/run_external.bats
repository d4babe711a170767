# SPDX-License-Identifier: GPL-3.0-or-later
# gomolab run with external programs: faults are results, and nothing is left behind.

load ../support/wait_until

bats_require_minimum_version 1.5.0

setup() {
    GOMOLAB=${GOMOLAB:-build/gomolab}
    case $GOMOLAB in /*) ;; *) GOMOLAB=$PWD/$GOMOLAB ;; esac
    build=${GOMOLAB_BUILD:-build/release}
    case $build in /*) ;; *) build=$PWD/$build ;; esac
    # A program name of its own, so that its processes can be found.
    name=stub-$BATS_TEST_NUMBER-$$
    stub=$BATS_TEST_TMPDIR/$name
    ln -s "$build/tests/stub/stub_engine" "$stub"
    cd "$BATS_TEST_TMPDIR"
}

teardown() {
    pkill -9 -f "$name" || true
}

# experiment PAIRS ARGS...: two stubs, `good` and `bad`; `bad` gets the arguments.
experiment() {
    pairs=$1
    shift
    args=$(printf '%s, ' "$@")
    cat >e.yaml <<YAML
name: e
openings: {random: 4}
pairs: $pairs
clock: {move_ms: 20000, start_ms: 20000, end_ms: 300}
seed: 3
players:
  - {name: good, engine: {command: $stub}}
  - {name: bad, engine: {command: $stub, args: [${args%, }]}}
YAML
}

# For programs that hang: somebody waits until the deadline.
impatient() { sed -i 's/^clock:.*/clock: {move_ms: 700, margin_ms: 300, start_ms: 2000, end_ms: 300}/' e.yaml; }

query() { sqlite3 e.db "$1"; }

nobody_left() { ! pgrep -f "$name" >/dev/null; }

@test "a crash loses its game, is kept with its last words, and the other games go on" {
    experiment 10 --mode crash-move --once "$BATS_TEST_TMPDIR/done"
    run "$GOMOLAB" run e.yaml --db e.db --jobs 2
    [ "$status" -eq 0 ]
    [ "$(query 'select count(*) from game')" = 20 ]
    [ "$(query "select count(*) from game where reason = 'crash'")" = 1 ]
    [ "$(query "select count(*) from game where reason in ('five', 'board-full')")" = 19 ]
    # the right loser
    [ "$(query "select p.name from game g join player p on p.id = case g.result when 'B' then white_id else black_id end where reason = 'crash'")" = bad ]
    [[ $(query "select note from game where reason = 'crash'") == *'killed by signal 6'*'about to crash at move 2'* ]]
    nobody_left
}

@test "a hang in the first game and in the very last one" {
    experiment 5 --mode hang-move --game 1 --once "$BATS_TEST_TMPDIR/done"
    impatient
    run "$GOMOLAB" run e.yaml --db e.db --jobs 1
    [ "$status" -eq 0 ]
    [ "$(query "select slot from game where reason = 'timeout'")" = 0 ]
    experiment 5 --mode hang-move --game 10
    impatient
    run "$GOMOLAB" run e.yaml --db e.db --fresh --jobs 1
    [ "$status" -eq 0 ]
    [ "$(query "select slot from game where reason = 'timeout'")" = 9 ]
    [ "$(query 'select count(*) from game')" = 10 ]
    nobody_left
}

@test "an engine that never works loses every game and stops nothing" {
    for mode in exit-now hang-start; do
        experiment 1 --mode "$mode" --game 0
        impatient
        run "$GOMOLAB" run e.yaml --db e.db --fresh --jobs 2
        [ "$status" -eq 0 ]
        [[ "$output" != *"went alike"* ]] # nobody played, so nobody repeated anything
        reason=crash
        [ "$mode" = exit-now ] || reason=timeout
        [ "$(query "select group_concat(distinct reason) from game")" = "$reason" ]
        [ "$(query 'select count(*) from game')" = 2 ]
        nobody_left
    done
}

@test "a game that ended before its first stone is shown with its note, line by line" {
    experiment 1 --mode exit-now
    sed -i '/^openings/d' e.yaml
    "$GOMOLAB" run e.yaml --db e.db --quiet --games 2 >/dev/null
    run --separate-stderr "$GOMOLAB" show e.db 0
    [ "$status" -eq 0 ]
    [[ "$stderr" != *"did not log"* ]] # there was nothing to log
    [[ "$output" == *"    note      bad (white), ply "*": ended at START"$'\n'* ]]
    echo "$output"
    [[ "$output" == *"·              bad: process: exit status 1"$'\n'* ]]
}

@test "stop_after_failures ends a run on a bad machine, games kept" {
    experiment 50 --mode exit-move --game 0
    run "$GOMOLAB" run e.yaml --db e.db --jobs 1 --set stop_after_failures=4
    [ "$status" -eq 3 ]
    [ "$(query 'select count(*) from game')" = 4 ]
    nobody_left
}

@test "a program that cannot be executed stops the run before its first game" {
    experiment 1 --mode honest
    sed -i "s|command: $stub,|command: ./no/such/engine,|" e.yaml
    run "$GOMOLAB" run e.yaml --db e.db
    [ "$status" -eq 3 ]
    [[ $output == *"player bad"*"no/such/engine: cannot be executed: No such file"* ]]
    sed -i "s|command: ./no/such/engine,|command: no-such-engine,|" e.yaml
    run "$GOMOLAB" run e.yaml --db e.db
    [ "$status" -eq 3 ]
    sed -i "s|command: no-such-engine,|command: ./no/such/engine,|" e.yaml
    [[ $output == *"player bad"*"no-such-engine: cannot be executed: no such program in the folders of PATH"* ]]
    [ ! -e e.db ]
    printf 'not a program\n' >text
    sed -i "s|no/such/engine|text|" e.yaml
    run "$GOMOLAB" run e.yaml --db e.db
    [ "$status" -eq 3 ]
    [[ $output == *"text: cannot be executed: not executable"* ]]
    sed -i "s|\./text|gomolab-no-such-program|" e.yaml
    run "$GOMOLAB" run e.yaml --db e.db
    [ "$status" -eq 3 ]
    [[ $output == *"gomolab-no-such-program: cannot be executed"* ]]
    nobody_left
}

@test "kill -9 of the run leaves no engine" {
    experiment 1000 --mode hang-move --game 2 --move 1
    "$GOMOLAB" run e.yaml --db e.db --jobs 2 --quiet --set clock.move_ms=100000 3>&- &
    run=$!
    four_play() { [ "$(pgrep -f "$name" | wc -l)" -ge 4 ]; }
    wait_until four_play
    kill -9 "$run"
    wait_until nobody_left
}

@test "Ctrl-C twice ends a run that waits for a hung engine" {
    experiment 1000 --mode hang-move --game 2 --move 1 --once "$PWD/hung"
    "$GOMOLAB" run e.yaml --db e.db --jobs 2 --set clock.move_ms=100000 2>err 3>&- &
    run=$!
    wait_until test -e hung
    wait_until has_rows e.db game 1
    kill -INT "$run"
    wait_until grep -q 'once more to drop' err
    kill -INT "$run"
    rc=0
    wait "$run" || rc=$?
    [ "$rc" -eq 130 ]
    nobody_left
    [ "$(query 'select count(*) from game')" -ge 1 ]
}

@test "two brains play the games that two players play in-process, move by move" {
    cat >p.yaml <<YAML
name: p
search: {algorithm: alphabeta, depth: 2}
play: {randomness: 0.2}
YAML
    printf 'name: q\nsearch: {algorithm: alphabeta, depth: 3}\n' >q.yaml
    printf 'name: e\nopenings: {random: 4}\npairs: 3\nseed: 9\n' >inside.yaml
    cp inside.yaml piped.yaml
    printf 'players: [p.yaml, q.yaml]\n' >>inside.yaml
    cat >>piped.yaml <<YAML
players:
  - {name: p, engine: {command: $GOMOLAB, args: [brain, p.yaml], dir: .}}
  - {name: q, engine: {command: $GOMOLAB, args: [brain, q.yaml], dir: .}}
YAML
    "$GOMOLAB" run inside.yaml --db a.db --jobs 2 --quiet >/dev/null
    "$GOMOLAB" run piped.yaml --db b.db --jobs 1 --quiet >/dev/null
    for db in a b; do
        sqlite3 $db.db "select game_id, ply, x, y, value, depth, seldepth, nodes, pv from move order by 1, 2" >$db.moves
        sqlite3 $db.db "select slot, result, reason, plies, note from game order by 1" >>$db.moves
    done
    [ -s a.moves ]
    cmp a.moves b.moves
}

@test "what engines say is in the columns of our own counters" {
    experiment 1 --mode talk
    "$GOMOLAB" run e.yaml --db e.db --quiet >/dev/null
    [ "$(query "select distinct depth, seldepth, nodes, value, interior is null, pv from move m join game g on g.id = m.game_id where time_us is not null and ((ply % 2 = 1) = (black_id = (select id from player where name = 'bad')))")" = "4|9|1234|-17.0|1|h8 i7" ]
    [ "$(query "select count(*) from move m where time_us is not null and nodes is null")" -gt 0 ]
}

@test "what programs do while they are not on move is in the database and in the report" {
    cat >e.yaml <<YAML
name: e
openings: {random: 4}
pairs: 2
players:
  - {name: chatty, engine: {command: $stub, args: [--mode, two-lines, --game, "0"]}}
  - {name: spinning, engine: {command: $stub, args: [--mode, spin-idle]}}
  - {name: ours, search.depth: 30, search.time_ms: 10, search.deepening: true}
YAML
    "$GOMOLAB" run e.yaml --db e.db --jobs 1 --quiet >/dev/null
    [ "$(query 'select count(*) from seat_watch')" = 16 ]
    [ "$(query "select player from player_watch where dropped_lines > 0")" = chatty ]
    # On a busy machine it does not get much.
    [ "$(query "select player from player_watch order by idle_cpu_percent desc limit 1")" = spinning ]
    spins=$(query "select idle_cpu_percent > 15 from player_watch where player = 'spinning'")
    "$GOMOLAB" report e.db --section failures --format tsv >report.tsv
    head -1 report.tsv | grep -q 'illegal_per_1000	dropped_lines	idle_cpu_percent$'
    awk -F '\t' '$1 == "chatty" { exit !($9 >= 4) }' report.tsv
    awk -F '\t' '$1 == "spinning" { exit !($9 == 0 && $10 > 0 && $10 < 110) }' report.tsv
    awk -F '\t' '$1 == "ours" { exit !($9 == "-" && $10 == "-") }' report.tsv
    run "$GOMOLAB" report e.db --section failures
    [ "$spins" -eq 0 ] || [[ "$output" == *"spinning computes while its opponent thinks"* ]]
    [[ "$output" != *"chatty computes"* ]]
    nobody_left
}

@test "programs that repeat themselves are reported, and too many games at once are warned of" {
    experiment 2 --mode honest
    run --separate-stderr "$GOMOLAB" run e.yaml --db e.db --jobs 64
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"in 2 of 2 pairs both games went alike, move for move"* ]]
    [[ "$stderr" == *"warning: "*" games at once on "*" cores with limits in time"* ]]
}

@test "a closed terminal and SIGTERM save what is finished, and the run goes on later" {
    experiment 300 --mode honest
    for signal in HUP TERM; do
        "$GOMOLAB" run e.yaml --db e.db --jobs 1 --quiet >/dev/null 2>&1 3>&- &
        run=$!
        wait_until handles_signals "$run"
        kill -s "$signal" "$run"
        status=0
        wait "$run" || status=$?
        [ "$status" -eq 130 ]
        nobody_left
    done
    [ "$(query 'select count(*) from game')" -lt 600 ]
    "$GOMOLAB" run e.yaml --db e.db --jobs 2 --quiet >/dev/null
    "$GOMOLAB" run e.yaml --db whole.db --jobs 1 --quiet >/dev/null
    moves='select slot, result, reason, ply, x, y from game join move on game_id = game.id order by slot, ply'
    cmp <(sqlite3 e.db "$moves") <(sqlite3 whole.db "$moves")
    [ "$(query 'select count(*) from game')" = 600 ]
}

@test "a busy machine is warned of where time counts" {
    experiment 1 --mode honest
    load=$(cut -d ' ' -f 1 /proc/loadavg)
    run --separate-stderr "$GOMOLAB" run e.yaml --db e.db --jobs 1
    [ "$status" -eq 0 ]
    if awk -v load="$load" -v cores="$(nproc)" 'BEGIN { exit !(load > cores + 1) }'; then
        [[ "$stderr" == *"warning: the machine is busy (load "* ]]
    elif awk -v load="$load" -v cores="$(nproc)" 'BEGIN { exit !(load < cores - 1) }'; then
        [[ "$stderr" != *"warning: the machine is busy"* ]]
    fi
    sed -i '/^clock/d' e.yaml
    run --separate-stderr "$GOMOLAB" run e.yaml --db untimed.db --jobs 1
    [[ "$stderr" != *"warning: the machine is busy"* ]]
}
