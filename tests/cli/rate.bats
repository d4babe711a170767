#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# `gomolab rate`: files, JSON, bounds, tables, anchors, refusals with file:line:column.
# sanitizers: asan

bats_require_minimum_version 1.5.0

setup() {
    GOMOLAB=${GOMOLAB:-build/gomolab}
    data=$BATS_TEST_DIRNAME/../data/stats
    cd "$BATS_TEST_TMPDIR"
    case $GOMOLAB in /*) ;; *) GOMOLAB=$OLDPWD/$GOMOLAB ;; esac
}

# ask EXPRESSION: a Python expression on `d`, the JSON that the last run printed; `p` are its players by name
ask() {
    printf '%s' "$output" | python3 -c '
import json, sys
d = json.load(sys.stdin)
p = {row["player"]: row for row in d["players"]}
print(eval(sys.argv[1]))' "$1"
}

@test "rate: reference ratings and the advantage" {
    run --separate-stderr "$GOMOLAB" rate "$data/03_rr8_adv200.tsv" --format json
    [ "$status" -eq 0 ]
    [ "$(ask '"%.4f %.4f" % (p["P1"]["elo"], p["P1"]["se"])')" = "204.9031 14.0158" ]
    [ "$(ask '"%.4f %.4f" % (d["first_move_advantage"]["elo"], d["first_move_advantage"]["se"])')" = "199.6264 8.1522" ]
    [ "$(ask 'len(d["groups"])')" = 1 ]
    [ "$(ask 'sorted(p["P1"]) == sorted("player elo se lo hi games score group bound table".split())')" = True ]
}

@test "rate: perfect scores are bounds and nobody vanishes" {
    run --separate-stderr "$GOMOLAB" rate "$data/04_perfect.tsv" --format json
    [ "$status" -eq 0 ]
    [ "$(ask 'len(d["players"])')" = 6 ]
    [ "$(ask 'p["ACE"]["bound"] + p["DUD"]["bound"] + str(p["M1"]["bound"])')" = "><None" ]
    [ "$(ask 'p["ACE"]["se"]')" = None ]
    [ "$(ask 'any("ACE" in w for w in d["warnings"])')" = True ]
}

@test "rate: pools without a link are different tables" {
    run --separate-stderr "$GOMOLAB" rate "$data/05_disconnected.tsv" --format json
    [ "$status" -eq 0 ]
    [ "$(ask 'p["A1"]["table"] != p["B1"]["table"] and p["A1"]["group"] != p["B1"]["group"]')" = True ]
    run --separate-stderr "$GOMOLAB" rate "$data/05_disconnected.tsv"
    [ "$(printf '%s\n' "$output" | grep -c '^table [12] of 2')" -eq 2 ]
    [[ "$stderr" == *"2 tables"* ]]
}

@test "rate: a weak link is named, with the pairing that helps" {
    run --separate-stderr "$GOMOLAB" rate "$data/05c_weaklink.tsv"
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"weak link: A1, A2, A3"*"4 games"*" against B1 would bring it to"* ]]
}

@test "rate: games with pairs have clustered errors" {
    run --separate-stderr "$GOMOLAB" rate "$data/09_paired.tsv" --format json
    [ "$status" -eq 0 ]
    [ "$(ask 'd["errors"]')" = sandwich ]
    [ "$(ask '"%.4f" % p["P1"]["se"]')" = 8.9092 ]
    run --separate-stderr "$GOMOLAB" rate "$data/09_paired.tsv" --errors hessian --format json
    [ "$(ask '"%.4f" % p["P1"]["se"]')" = 10.0571 ]
    run --separate-stderr "$GOMOLAB" rate "$data/09_paired.tsv" --opening-free --format json
    [ "$(ask '"%.4f %.4f" % (p["P1"]["elo"], p["P1"]["se"])')" = "96.2219 13.2258" ]
}

@test "rate: anchors, links, offset, errors against a player" {
    run --separate-stderr "$GOMOLAB" rate "$data/02_rr8_draws.tsv" --anchor P3=2000 --format json
    [ "$(ask '"%.3f %s %s" % (p["P3"]["elo"], d["against"], p["P3"]["se"])')" = "2000.000 P3 0" ]
    run --separate-stderr "$GOMOLAB" rate "$data/02_rr8_draws.tsv" --offset 1600 --against P1 --format json
    [ "$(ask '"%.2f %s" % (sum(r["elo"] for r in d["players"]) / 8, d["against"])')" = "1600.00 P1" ]
    run --separate-stderr "$GOMOLAB" rate "$data/02_rr8_draws.tsv" --link P1,P8,0,0.001 --format json
    [ "$(ask 'abs(p["P1"]["elo"] - p["P8"]["elo"]) < 0.1')" = True ]
    run --separate-stderr "$GOMOLAB" rate "$data/04_perfect.tsv" --prior-draws 2 --draws rao-kupper --format json
    [ "$(ask '"%.3f" % p["ACE"]["elo"]')" = 740.809 ]
    [ "$(ask 'any("virtual draws" in w for w in d["warnings"])')" = True ]
}

@test "rate: several files and standard input are one pool" {
    head -5 "$data/02_rr8_draws.tsv" >one.tsv
    { head -1 "$data/02_rr8_draws.tsv"; tail -n +6 "$data/02_rr8_draws.tsv"; } >two.tsv
    run --separate-stderr sh -c '"$0" rate one.tsv - --format json <two.tsv' "$GOMOLAB"
    [ "$status" -eq 0 ]
    [ "$(ask '"%.4f" % p["P1"]["elo"]')" = 202.2843 ]
}

@test "rate: faults are told with file, line and column" {
    printf 'first\tsecond\tfirst_wins\tdraws\tsecond_wins\nA\tB\t1\t2\t3\nA\tB\tx\t2\t3\n' >bad.tsv
    run --separate-stderr "$GOMOLAB" rate bad.tsv
    [ "$status" -eq 2 ]
    [ -z "$output" ]
    [[ "$stderr" == "bad.tsv:3:5: 'x', expected a count"* ]]
    printf 'first\tsecond\tfirst_wins\tdraws\tsecond_wins\nA\tA\t1\t2\t3\n' >bad.tsv
    run --separate-stderr "$GOMOLAB" rate bad.tsv
    [ "$status" -eq 2 ]
    [[ "$stderr" == "bad.tsv:2:3: 'A'"* ]]
    printf 'first\tsecond\tfirst_wins\tdraws\tsecond_wins\nA\tB\t1\n' >bad.tsv
    run --separate-stderr "$GOMOLAB" rate bad.tsv
    [ "$status" -eq 2 ]
    [[ "$stderr" == "bad.tsv:2:6: the line ends before column draws"* ]]
    printf 'a\tb\n' >bad.tsv
    run --separate-stderr "$GOMOLAB" rate bad.tsv
    [ "$status" -eq 2 ]
    [[ "$stderr" == "bad.tsv:1:1: "* ]]
    printf 'pair\tfirst\tsecond\tresult_first\n1\tA\tB\t1\n1\tA\tB\t0\n' >bad.tsv
    run --separate-stderr "$GOMOLAB" rate bad.tsv
    [ "$status" -eq 2 ]
    [[ "$stderr" == "bad.tsv:3:1: pair '1'"* ]]
    : >bad.tsv
    run --separate-stderr "$GOMOLAB" rate bad.tsv
    [ "$status" -eq 2 ]
    run --separate-stderr "$GOMOLAB" rate missing.tsv
    [ "$status" -eq 2 ]
    run --separate-stderr "$GOMOLAB" rate "$data/02_rr8_draws.tsv" --anchor P33=5
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"no player 'P33', nearest is 'P3'"* ]]
    run --separate-stderr "$GOMOLAB" rate "$data/02_rr8_draws.tsv" --anchor P3
    [ "$status" -eq 2 ]
    run --separate-stderr "$GOMOLAB" rate "$data/02_rr8_draws.tsv" --opening-free
    [ "$status" -eq 2 ]
}

# refused WORDS OPTION...: one line on standard error with the words, nothing on standard output, status 2.
refused() {
    local words=$1
    shift
    run --separate-stderr "$GOMOLAB" rate "$data/02_rr8_draws.tsv" "$@"
    [ "$status" -eq 2 ] && [ -z "$output" ] && [ "${#stderr_lines[@]}" -eq 1 ] || { echo "$*: $status $output $stderr"; false; }
    [[ "$stderr" == *"$words"* ]] || { echo "$*: $stderr"; false; }
}

@test "rate: options that make no sense are refused, each with what was expected" {
    refused "--anchor: 'P3', expected PLAYER=ELO or PLAYER=ELO,SD with SD above 0" --anchor P3
    refused "--anchor: 'P3=x'" --anchor P3=x
    refused "--anchor: 'P3=5,0'" --anchor P3=5,0
    refused "--anchor: 'P3=5,-1'" --anchor P3=5,-1
    refused "--anchor: 'P3=1e9'" --anchor P3=1e9
    refused "P3 has an anchor already" --anchor P3=5 --anchor P3=6
    refused "--link: 'P1,P2,0', expected NEW,OLD,DELTA,SD" --link P1,P2,0
    refused "--link: 'P1,P2,x,50', expected NEW,OLD,DELTA,SD" --link P1,P2,x,50
    refused "--link: 'P1,P2,0,0', expected NEW,OLD,DELTA,SD" --link P1,P2,0,0
    refused "--link: 'P1,P9,0,50', expected two players of the files" --link P1,P9,0,50
    refused "link 1: two different players" --link P1,P1,0,50
    refused "--against: no player 'P33', nearest is 'P3'" --against P33
    refused "--against anchor: there is no --anchor" --against anchor
    refused "--advantage: 'much', expected a number within +-4000, or fitted" --advantage much
    refused "--advantage: '5000'" --advantage 5000
    refused "--opening-free needs results that say which games are pairs" --opening-free
    refused "rao-kupper" --draw-elo 50
}

@test "rate: an anchor is kept, and --against says what errors are measured against" {
    run "$GOMOLAB" rate "$data/02_rr8_draws.tsv" --anchor P3=1500 --format json
    [ "$(ask 'p["P3"]["elo"]')" = 1500 ]
    [ "$(ask 'd["against"]')" = P3 ]
    run "$GOMOLAB" rate "$data/02_rr8_draws.tsv" --anchor P3=1500 --against mean --format json
    [ "$(ask 'd["against"]')" = mean ]
    [ "$(ask 'p["P3"]["elo"]')" = 1500 ]
    run "$GOMOLAB" rate "$data/02_rr8_draws.tsv" --advantage 40 --format json
    [ "$(ask 'd["first_move_advantage"]["elo"]')" = 40 ]
}

@test "rate: Gomocup's published ratings within 1 Elo" {
    run sh "$BATS_TEST_DIRNAME/../../scripts/study-gomocup.sh" "$GOMOLAB"
    [[ "$output" == *"228 engines"* ]]
    largest=$(printf '%s\n' "$output" | sed -n 's/.*largest \([0-9.]*\) Elo.*/\1/p')
    awk -v l="$largest" 'BEGIN { exit !(l <= 1) }'
}

@test "rate: a database of an experiment, with its pairs" {
    cat >try.yaml <<'YAML'
name: try
board: 9
openings: {random: 4}
schedule: round-robin
pairs: 5
seed: 3
players:
  - {name: r, search.algorithm: random}
  - {name: s, search.algorithm: random}
  - {name: g, search.algorithm: greedy}
YAML
    run --separate-stderr "$GOMOLAB" run try.yaml --db try.db --quiet
    [ "$status" -eq 0 ]
    run --separate-stderr "$GOMOLAB" rate try.db --format json
    [ "$status" -eq 0 ]
    [ "$(ask 'd["errors"]')" = sandwich ]
    [ "$(ask 'd["games"]')" = 30 ]
    [ "$(ask 'sum(r["games"] for r in d["players"])')" = 60 ]
    # The same results as counts give the same ratings.
    { printf 'first\tsecond\tfirst_wins\tdraws\tsecond_wins\n'
      sqlite3 -separator "$(printf '\t')" try.db "
        SELECT f.name, s.name, sum(result = first), sum(result = 'D'), sum(result <> first AND result <> 'D')
        FROM game JOIN player f ON f.id = iif(first = 'B', black_id, white_id)
        JOIN player s ON s.id = iif(first = 'B', white_id, black_id) GROUP BY f.name, s.name"
    } >counts.tsv
    elos=$(ask '["%.6f" % p[k]["elo"] for k in "rsg"]')
    run --separate-stderr "$GOMOLAB" rate counts.tsv --format json
    [ "$(ask '["%.6f" % p[k]["elo"] for k in "rsg"]')" = "$elos" ]
}

@test "rate: a player without games is named in the warnings" {
    printf 'first\tsecond\tfirst_wins\tdraws\tsecond_wins\nA\tB\t5\t0\t5\nB\tA\t4\t0\t6\nC\tD\t0\t0\t0\n' \
        >"$BATS_TEST_TMPDIR/idle.tsv"
    run --separate-stderr "$GOMOLAB" rate "$BATS_TEST_TMPDIR/idle.tsv" --format json
    [ "$status" -eq 0 ]
    [ "$(ask 'p["C"]["elo"], "C, D: no games, so no rating" in d["warnings"]')" = "(None, True)" ]
}

@test "rate: results come through a pipe as well" {
    printf 'first\tsecond\tfirst_wins\tdraws\tsecond_wins\nA\tB\t5\t0\t3\nB\tA\t4\t0\t3\n' >pool.tsv
    run --separate-stderr "$GOMOLAB" rate pool.tsv
    from_file=$output
    run --separate-stderr "$GOMOLAB" rate <(cat pool.tsv)
    [ "$status" -eq 0 ]
    [ "$output" = "$from_file" ]
    run --separate-stderr "$GOMOLAB" rate .
    [ "$status" -eq 2 ]
    [ "$stderr" = ".: Is a directory" ]
}

@test "rate: a column that is named twice, a count that is too large" {
    printf 'first\tsecond\tfirst_wins\tdraws\tsecond_wins\tdraws\nA\tB\t5\t0\t3\t1\n' >twice.tsv
    run --separate-stderr "$GOMOLAB" rate twice.tsv
    [ "$status" -eq 2 ]
    [ "$stderr" = "twice.tsv:1:43: column 'draws' is named twice" ]
    printf 'first\tsecond\tfirst_wins\tdraws\tsecond_wins\nA\tB\t5\t1000000000000001\t3\n' >large.tsv
    run --separate-stderr "$GOMOLAB" rate large.tsv
    [ "$status" -eq 2 ]
    [ "$stderr" = "large.tsv:2:7: '1000000000000001', expected a count of games, 0..1000000000000000" ]
}

@test "rate: no superiority is certain" {
    run --separate-stderr "$GOMOLAB" rate "$data/03_rr8_adv200.tsv" --los
    [[ "$output" == *"> 0.9999"* ]]
    [[ "$output" == *"< 0.0001"* ]]
    [[ "$output" != *" 1.0000"* ]]
    [[ "$output" != *" 0.0000"* ]]
}

@test "rate: a file given twice is refused, also under another name" {
    printf 'first\tsecond\tfirst_wins\tdraws\tsecond_wins\nA\tB\t5\t0\t3\n' >a.tsv
    ln -s a.tsv b.tsv
    cp a.tsv c.tsv
    for again in a.tsv ./a.tsv b.tsv; do
        run --separate-stderr "$GOMOLAB" rate a.tsv "$again"
        [ "$status" -eq 2 ]
        [ "$stderr" = "$again: given twice (as a.tsv)" ]
    done
    run --separate-stderr "$GOMOLAB" rate a.tsv c.tsv --format json
    [ "$(ask 'd["games"]')" = 16 ]
}

@test "rate: pairs that all ended alike make no weak link of the rest" {
    {
        printf 'first\tsecond\tresult_first\tpair\n'
        for i in {1..50}; do printf 'A\tB\t1\t%d\nB\tA\t1\t%d\nA\tC\t0.5\tx%d\nC\tA\t0\tx%d\n' "$i" "$i" "$i" "$i"; done
    } >alike.tsv
    run --separate-stderr "$GOMOLAB" rate alike.tsv
    [ "$status" -eq 0 ]
    [[ "$stderr" != *"weak link"* ]]
}
