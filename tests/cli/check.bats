#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# `gomolab check`: valid and wrong files, and where values come from.
# sanitizers: asan

bats_require_minimum_version 1.5.0

setup() {
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    gomolab=${GOMOLAB:-$root/build/gomolab}
    case $gomolab in /*) ;; *) gomolab=$PWD/$gomolab ;; esac
    cd "$BATS_TEST_TMPDIR"
}

@test "every configuration that is shipped is valid" {
    cd "$root"
    run "$gomolab" check configs/players/*.yaml configs/players/ladder/*.yaml configs/experiments/*.yaml configs/verify/*.yaml \
        configs/tune/classic.yaml
    echo "$output"
    [ "$status" -eq 0 ]
    for line in "${lines[@]}"; do [[ $line == *": ok" ]]; done
}

@test "every bad file is named on a line of its own, and the good ones are still judged" {
    echo 'search: {depht: 3}' >a.yaml
    echo 'search.depth: 3' >b.yaml
    echo 'search.depth: 300' >c.yaml
    run --separate-stderr "$gomolab" check a.yaml b.yaml c.yaml d.yaml
    [ "$status" -eq 2 ]
    [ "$output" = "b.yaml: ok" ]
    [ "${stderr_lines[0]}" = "a.yaml:1:10: unknown key 'search.depht', nearest is 'search.depth'" ]
    [ "${stderr_lines[1]}" = "c.yaml:1:15: search.depth: '300', expected a whole number 1..64" ]
    [ "${stderr_lines[2]}" = "d.yaml: No such file or directory" ]
    [ "${#stderr_lines[@]}" -eq 3 ]
}

@test "--resolved shows every value and its origin" {
    mkdir players
    printf 'name: classic\nsearch:\n  depth: 4\neval.two: 7\n' >players/classic.yaml
    printf 'players:\n  - {name: d.2, base: players/classic.yaml, search.depth: 2}\n  - players/classic.yaml\n' >e.yaml
    "$gomolab" check --resolved e.yaml --set d.2.moves.limit=5 --set seed=3 --format tsv >out
    has() { grep -qx "$(printf 'e.yaml\t%s\t%s\t%s\t%s' "$@")" out || { cat out && false; }; }
    has - seed 3 "--set seed=3"
    has - name e default
    has d.2 search.depth 2 e.yaml:2
    has d.2 eval.two 7 players/classic.yaml:4
    has d.2 moves.limit 5 "--set d.2.moves.limit=5"
    has classic search.depth 4 players/classic.yaml:3
    has classic moves.limit 20 default
}

@test "--resolved shows a tune: its keys, the base with the start values, the anchors" {
    printf 'h8\ni9\n' >o.txt
    printf 'name: b\neval.four: 900\neval.two: 7\n' >b.yaml
    cat >t.yaml <<'EOF'
base: b.yaml
openings: o.txt
budget: {games: 20}
knobs: [{key: eval.four, low: 100, high: 2000, start: 800, scale: log},
        {key: eval.two, high: 50, low: 0}]
constraints: [four > two]
proof.anchors: [{name: weak, search.depth: 1}]
EOF
    "$gomolab" check --resolved t.yaml --set seed=3 --format tsv >out
    has() { grep -qx "$(printf 't.yaml\t%s\t%s\t%s\t%s' "$@")" out || { cat out && false; }; }
    has - name t default
    has - base b.yaml t.yaml:1
    has - openings.file o.txt t.yaml:2
    has - seed 3 "--set seed=3"
    has - budget.games 20 t.yaml:3
    has - method spsa default
    has - knobs "{key: eval.four, low: 100, high: 2000, start: 800, scale: log, integer: yes}" t.yaml:4
    has - knobs "{key: eval.two, low: 0, high: 50, start: 7, scale: linear, integer: yes}" t.yaml:5
    has - constraints "[[]eval.four > eval.two]" t.yaml:6
    has b eval.four 800 t.yaml:4
    has b eval.two 7 b.yaml:3
    has weak search.depth 1 t.yaml:7
    if grep -q 'budget.hours' out; then false; fi
    "$gomolab" keys --tune --format tsv | cut -f 1 | grep -vx -e key -e player -e output -e proof.anchors \
        -e texel.database -e 'budget\..*' | sort >keys
    cut -f 3 out | sort -u | comm -13 - keys >missing
    [ ! -s missing ]
}

@test "--resolved shows a verification: its keys, the player, what is different in the reference" {
    printf 'name: b\neval.two: 7\n' >b.yaml
    cat >v.yaml <<'EOF'
player: b.yaml
candidates: [table, {name: wide, moves.limit: 30}, {moves.limit: 40}]
positions: {random: 9, plies: [2, 20]}
depths: 2
EOF
    "$gomolab" check --resolved v.yaml --set moves.limit=5 --format tsv >out
    has() { grep -qx "$(printf 'v.yaml\t%s\t%s\t%s\t%s' "$@")" out || { cat out && false; }; }
    has - candidates "[[]table, wide, candidate-3]" v.yaml:2
    has - positions.random 9 v.yaml:3
    has - positions.plies "[[]2, 20]" v.yaml:3
    has - depths "[[]2]" v.yaml:4
    has - positions.seed 1 default
    has b moves.limit 5 "--set moves.limit=5"
    has b eval.two 7 b.yaml:2
    has reference search.algorithm minimax default
    [ "$(grep -c reference out)" -eq 1 ]
}

@test "sweeps become players" {
    printf 'sweep: {name: s, eval.defense: [0.8, 1.2], search.depth: [1, 2]}\n' >e.yaml
    "$gomolab" check --resolved e.yaml --format tsv | cut -f 2 | sort -u | grep -v -e '^-$' -e '^player$' >names
    printf '%s\n' 's eval.defense='{0.8,1.2}' search.depth='{1,2} | sort | cmp - names
}

@test "what a run would refuse before its first game is refused here" {
    players='players: [{name: a}, {name: b}]'
    refused() { # YAML MESSAGE
        printf '%b\n' "$1" >e.yaml
        run "$gomolab" check e.yaml
        echo "$output"
        [ "$status" -eq 2 ]
        [ "${#lines[@]}" -eq 1 ]
        [[ $output == *"$2"* ]]
    }
    refused "openings: none.txt\n$players" "e.yaml:1:11: openings none.txt: No such file"
    refused "pairs: 1\nopenings: {file: none.txt}\n$players" "e.yaml:2:18: openings none.txt: No such file"
    printf 'h8i9\nh8h8\n' >book.txt
    refused "openings: book.txt\n$players" book.txt:2
    refused "pairs: 2\n$players" "e.yaml: "
    refused "board: 3\nin_a_row: 3\n$players" "e.yaml: player a: eval.model shape"
}

@test "a mistake in --set is named" {
    echo 'search.depth: 3' >p.yaml
    run "$gomolab" check p.yaml --set serch.depth=4
    [ "$status" -eq 2 ]
    [ "$output" = "--set serch.depth=4: unknown key 'serch.depth', nearest is 'search.depth'" ]
}

@test "mcts with a depth only is refused with the reason" {
    cd "$BATS_TEST_TMPDIR"
    printf 'name: m\nsearch: {algorithm: mcts, depth: 6}\n' >m.yaml
    run --separate-stderr "$gomolab" check m.yaml
    [ "$status" -eq 2 ]
    [[ "$stderr" == *m.yaml*"mcts is not limited by search.depth; set mcts.playouts, search.nodes or search.time_ms"* ]]
    printf 'name: m\nsearch: {algorithm: mcts, depth: 6, nodes: 100}\n' >m.yaml
    "$gomolab" check m.yaml
}

@test "what comes through a pipe is read as a file is, however often" {
    run --separate-stderr "$gomolab" check <(echo 'search: {depht: 3}')
    [ "$status" -eq 2 ]
    [[ $stderr == *":1:10: unknown key 'search.depht', nearest is 'search.depth'" ]]
    run --separate-stderr "$gomolab" check <(echo 'search: {depth: 3}') <(echo 'players: [a.yaml]')
    [ "$status" -eq 2 ]
    [[ $output == *": ok" ]]
    [[ $stderr == *"a.yaml: No such file or directory" ]]
    # verify asks which kind of file it is, and reads it then
    run --separate-stderr "$gomolab" verify <(echo 'search: {depht: 3}') --quiet --random 1 --depths 1
    [ "$status" -eq 2 ]
    [[ $stderr == *"unknown key 'search.depht'"* ]]
}

@test "knobs of another algorithm than the player's are warned of" {
    printf 'name: p\nmcts.playouts: 100\n' >p.yaml
    printf 'name: m\nsearch.algorithm: mcts\nmcts.playouts: 100\n' >m.yaml
    printf 'name: e\nboard: 9\nplayers:\n  - m.yaml\n  - {name: a, base: m.yaml, search.algorithm: alphabeta}\n  - {name: b, mcts.scale: 9}\n' >e.yaml
    run --separate-stderr "$gomolab" check p.yaml
    [ "$status" -eq 0 ]
    [ "$stderr" = "warning: p.yaml:2: player 'p': search.algorithm alphabeta never reads mcts.playouts" ]
    run --separate-stderr "$gomolab" check m.yaml
    [ -z "$stderr" ]
    run --separate-stderr "$gomolab" check e.yaml # a takes over what m says, and means it
    [ "$stderr" = "warning: e.yaml:6: player 'b': search.algorithm alphabeta never reads mcts.scale" ]
    run --separate-stderr "$gomolab" analyze m.yaml --position h8 --set search.algorithm=greedy
    [ -z "$stderr" ]
    run --separate-stderr "$gomolab" analyze p.yaml --position h8 --set mcts.prior=1
    [[ "${stderr_lines[1]}" == *"--set mcts.prior=1: player 'p': search.algorithm alphabeta never reads mcts.prior" ]]
}
