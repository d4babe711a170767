#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# `gomolab report` on databases whose numbers are known: every section, every format, edges, refusals.
# sanitizers: asan

bats_require_minimum_version 1.5.0

setup_file() {
    fixture=${GOMOLAB_BUILD:-build/release}/tests/stub/report_fixture
    for kind in ladder perfect one-pair failures silent empty; do
        "$fixture" "$kind" "$BATS_FILE_TMPDIR/$kind.db"
    done
    "$fixture" names "$BATS_FILE_TMPDIR/names.db" 12 10
    "$fixture" ladder "$BATS_FILE_TMPDIR/two.db" 2 20
    "$fixture" sprt "$BATS_FILE_TMPDIR/sprt.db" 2 20
}

setup() {
    GOMOLAB=${GOMOLAB:-build/gomolab}
    D=$BATS_FILE_TMPDIR
}

# json EXPRESSION: a Python expression over d, the JSON that the last run printed
json() {
    printf '%s' "$output" | python3 -c 'import json, sys; d = json.load(sys.stdin); print(eval(sys.argv[1]))' "$1"
}

@test "report: text has every section and the known counts" {
    run --separate-stderr "$GOMOLAB" report "$D/ladder.db"
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    for title in Standings "Head to head" "Cost of a move, by player" "Cost of a move, by stage" "Ordering quality" \
        "Balance of the openings" "How games ended" "Timeouts, crashes, illegal moves"; do
        [[ "$output" == *"$title"* ]]
    done
    [[ "$output" =~ d6\ +80\ +36-4-0\ +16-4-20\ +70\.0\ % ]]
    [[ "$output" =~ d6\ +d4\ +40\ +26-4-10\ +70\.0\ % ]]
    [[ "$output" == *"first mover 60.0 % of the points"* ]]
}

@test "report: the words of pruning are written in full" {
    run "$GOMOLAB" report "$D/ladder.db" --section prune_rate
    for word in "cutoffs per node" "cutoffs per interior node" "first-move cutoff rate" "node saving" \
        "effective branching factor"; do
        [[ "$output" == *"$word"* ]]
    done
}

@test "report: JSON is one object with a key for each section" {
    run "$GOMOLAB" report "$D/ladder.db" --format json
    [ "$status" -eq 0 ]
    [ "$(json 'list(d)')" = "['experiments', 'standings', 'sequential_test', 'head_to_head', 'player_cost', 'move_cost', 'prune_rate', 'opening_balance', 'game_ends', 'failures']" ]
    [ "$(json 'd["standings"][0]["player"], d["standings"][0]["wins"], d["standings"][0]["draws"]')" = "('d6', 52, 8)" ]
    [ "$(json 'len(d["head_to_head"]), len(d["opening_balance"])')" = "(6, 20)" ]
}

@test "report: rows hold what the database's views say, column by column" {
    "$GOMOLAB" report "$D/failures.db" --format json >"$BATS_TEST_TMPDIR/report.json"
    python3 - "$BATS_TEST_TMPDIR/report.json" "$D/failures.db" <<'PY'
import json, sqlite3, sys
report = json.load(open(sys.argv[1]))
db = sqlite3.connect(sys.argv[2])
keys = {"standings": 1, "head_to_head": 2, "move_cost": 2, "prune_rate": 1, "opening_balance": 1}
for view, key_count in keys.items():
    cursor = db.execute(f"SELECT * FROM {view}")
    names = [c[0] for c in cursor.description]
    want = {row[:key_count]: row for row in cursor}
    assert list(report[view][0])[: len(names)] == names, (view, list(report[view][0]), names)
    assert len(report[view]) == len(want), view
    for row in report[view]:
        values = [row[n] for n in names]
        for name, got, expected in zip(names, values, want[tuple(values[:key_count])]):
            near = got == expected or abs(got - expected) < 1e-9 * abs(expected)
            assert near, (view, name, got, expected)
PY
}

@test "report: CSV and TSV name their sections, one section is a bare table" {
    run "$GOMOLAB" report "$D/ladder.db" --format csv
    [ "${lines[0]}" = "# experiments" ]
    run "$GOMOLAB" report "$D/ladder.db" --format csv --section game_ends
    [ "${lines[0]}" = "reason,games,black_wins,white_wins,draws,percent" ]
    [ "${lines[1]}" = "five,108,84,24,0,90" ]
    run "$GOMOLAB" report "$D/ladder.db" --format tsv --section game_ends
    [ "${lines[2]}" = "adjudicated	12	0	0	12	10" ]
}

@test "report: Markdown tables, and names that would break them" {
    run "$GOMOLAB" report "$D/names.db" --format md --section standings
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "## Standings" ]
    [[ "$output" == *'a\|b,c'* ]]
    [[ "$output" == *"五子棋引擎"* ]]
}

@test "report: hard names survive CSV and JSON" {
    run "$GOMOLAB" report "$D/names.db" --format csv --section standings
    [[ "$output" == *'"it'"'"'s ""quoted"""'* ]]
    run "$GOMOLAB" report "$D/names.db" --format json --section standings
    [ "$(json 'sorted(r["player"] for r in d["standings"])[0]')" = "#9" ]
}

@test "report: neither one pair, perfect scores, no moves nor no games print nan or inf" {
    for kind in one-pair perfect silent empty; do
        for format in text json; do
            run --separate-stderr "$GOMOLAB" report "$D/$kind.db" --format "$format"
            [ "$status" -eq 0 ]
            if grep -qiE '\b(nan|inf|infinity)\b' <<<"$output"; then false; fi
            if grep -qi 'null, *null, *null, *null, *null, *null, *null, *null, *null' <<<"$output"; then false; fi
        done
    done
}

@test "report: one pair has an interval and says how few games it has" {
    run "$GOMOLAB" report "$D/one-pair.db" --section standings
    [[ "$output" == *"from 1 whole pair."* ]]
    [[ "$output" == *"[-495, 495]"* ]]
}

@test "report: perfect scores are bounds with a reason" {
    run "$GOMOLAB" report "$D/perfect.db" --section standings --section head_to_head
    [[ "$output" == *"n/a: a perfect score gives a bound only."* ]]
    [[ "$output" == *"> 287"* ]]
    run "$GOMOLAB" report "$D/perfect.db" --section standings --format json
    [ "$(json 'd["standings"][0]["elo"], d["standings"][0]["elo_hi"]')" = "(None, None)" ]
}

@test "report: a difference smaller than its error is called undecided" {
    run "$GOMOLAB" report "$D/one-pair.db" --section head_to_head
    [[ "$output" == *"Not decided"*"d2 – d4"* ]]
    run "$GOMOLAB" report "$D/two.db" --section head_to_head
    [[ "$output" != *"Not decided"* ]]
}

@test "report: two players are measured by pairs, with the opening-free Elo" {
    run "$GOMOLAB" report "$D/two.db" --section standings
    [[ "$output" == *"Pairs of d4: WW 8, WD 0, WL 10, DD 2, LD 0, LL 0"* ]]
    [[ "$output" == *"+147"*"[65, 249]"* ]]
    [[ "$output" == *"Free of the openings' bias"* ]]
}

@test "report: a sequential test is taken again from the stored pairs, in their order" {
    run "$GOMOLAB" stats --pairs 8 0 2 10 0 0 --sprt 0,10 --model normalized --format json
    want=$(json 'round(d["llr"], 9)')
    run "$GOMOLAB" report "$D/sprt.db" --section sequential_test --format json
    [ "$(json 'round(d["sequential_test"][0]["llr"], 9)')" = "$want" ]
    [ "$(json 'd["sequential_test"][0]["pairs"], d["sequential_test"][0]["state"]')" = "(20, 'continue')" ]
    # A pair that is not whole makes those behind it wait.
    cp "$D/sprt.db" "$BATS_TEST_TMPDIR/gap.db"
    sqlite3 "$BATS_TEST_TMPDIR/gap.db" 'DELETE FROM move WHERE game_id = 2; DELETE FROM game WHERE id = 2'
    run "$GOMOLAB" report "$BATS_TEST_TMPDIR/gap.db" --section sequential_test --format json
    [ "$(json 'd["sequential_test"][0]["pairs"], d["sequential_test"][0]["waiting_pairs"]')" = "(1, 18)" ]
    run "$GOMOLAB" report "$BATS_TEST_TMPDIR/gap.db" --section standings
    [[ "$output" == *"Games outside whole pairs: 1, not in the Elo."* ]]
    # Without a test there is nothing to say.
    run "$GOMOLAB" report "$D/two.db"
    [[ "$output" != *"Sequential test"* ]]
}

@test "report: failures by player and per 1000 games" {
    run "$GOMOLAB" report "$D/failures.db" --section failures
    [[ "$output" =~ d6\ +80\ +8\ +100\ +6\ +75\ +6\ +75 ]]
    run "$GOMOLAB" report "$D/ladder.db" --section failures
    [[ "$output" == *"None: no game was lost"* ]]
}

@test "report: --explain adds what the numbers mean, and only then" {
    run "$GOMOLAB" report "$D/two.db" --section standings --explain
    [[ "$output" == *"LOS: how likely"* ]]
    [[ "$output" == *"  normalized Elo: "* ]]
    [[ "$output" == *"  bias of the openings: "* ]]
    [[ "$output" != *"  advantage of the first mover: "* ]]
    # What is not printed is not explained.
    run "$GOMOLAB" report "$D/ladder.db" --section standings --explain
    [[ "$output" == *"  advantage of the first mover: "* ]]
    [[ "$output" != *"  normalized Elo: "* ]]
    [[ "$output" != *"  free of bias: "* ]]
    run "$GOMOLAB" report "$D/two.db" --section standings --explain
    run "$GOMOLAB" report "$D/two.db" --section standings
    [[ "$output" != *"how likely"* ]]
}

@test "report: several databases are counted together" {
    run --separate-stderr "$GOMOLAB" report "$D/ladder.db" "$D/failures.db" --section standings --format json
    [ "$status" -eq 0 ]
    [ "$(json 'len(d["standings"]), d["standings"][0]["games"]')" = "(3, 160)" ]
    # Medians are those of all moves together: twice the same moves leave them as they are.
    "$GOMOLAB" report "$D/ladder.db" --section move_cost --section player_cost --format json >"$BATS_TEST_TMPDIR/one.json"
    "$GOMOLAB" report "$D/ladder.db" "$D/failures.db" --section move_cost --section player_cost --format json >"$BATS_TEST_TMPDIR/two.json"
    python3 - "$BATS_TEST_TMPDIR/one.json" "$BATS_TEST_TMPDIR/two.json" <<'PY'
import json, sys
one, two = (json.load(open(path)) for path in sys.argv[1:])
for section in one:
    for a, b in zip(one[section], two[section]):
        assert b.pop("moves") == 2 * a.pop("moves")
        assert a == b, (a, b)
PY
    # Equal names with other settings are other players.
    run --separate-stderr "$GOMOLAB" report "$D/ladder.db" "$D/names.db" --section standings --format json
    [ "$(json 'len(d["standings"])')" = 15 ]
}

@test "report: players that no results link have no common rank" {
    cat >"$BATS_TEST_TMPDIR/other.yaml" <<'YAML'
name: other
openings: {random: 4}
pairs: 5
players: [{name: e1, search.depth: 1}, {name: e2, search.depth: 2}]
YAML
    "$GOMOLAB" run "$BATS_TEST_TMPDIR/other.yaml" --db "$BATS_TEST_TMPDIR/other.db" --quiet >/dev/null
    run "$GOMOLAB" report "$D/ladder.db" "$BATS_TEST_TMPDIR/other.db" --section standings
    [ "$status" -eq 0 ]
    ranks=$(sed -n 's/^ *\([12]\.[1-3]\)  .*/\1/p' <<<"$output" | tr '\n' ' ')
    [ "$ranks" = "1.1 1.2 1.3 2.1 2.2 " ]
    [[ "$output" == *"mean of the players of the table"* ]]
    run "$GOMOLAB" plot "$D/ladder.db" "$BATS_TEST_TMPDIR/other.db" --only elo-ladder --out "$BATS_TEST_TMPDIR/plots"
    [ "$(grep -c 'first 3.5 to graph 1, first 3.5' "$BATS_TEST_TMPDIR/plots/elo-ladder.gp")" -eq 1 ]
}

@test "report: a database given twice is refused" {
    ln -s "$D/ladder.db" "$BATS_TEST_TMPDIR/again.db"
    run --separate-stderr "$GOMOLAB" report "$D/ladder.db" "$BATS_TEST_TMPDIR/again.db"
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"again.db: given twice"* ]]
}

@test "report: sections by name, with - for _; an unknown one names the nearest" {
    run "$GOMOLAB" report "$D/ladder.db" --section head-to-head
    [ "$status" -eq 0 ]
    [[ "$output" != *Standings* ]]
    run --separate-stderr "$GOMOLAB" report "$D/ladder.db" --section standing
    [ "$status" -eq 2 ]
    [ -z "$output" ]
    [[ "$stderr" == *"no section 'standing', nearest is 'standings'"* ]]
    [ "${#stderr_lines[@]}" -eq 1 ]
}

@test "report: what is no database of ours is refused in one line" {
    run --separate-stderr "$GOMOLAB" report "$D/nowhere.db"
    [ "$status" -eq 2 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    echo "not a database, but long enough to be looked at as one" >"$BATS_TEST_TMPDIR/text.db"
    run --separate-stderr "$GOMOLAB" report "$BATS_TEST_TMPDIR/text.db"
    [ "$status" -eq 2 ]
    [ -z "$output" ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == *text.db* ]]
    run --separate-stderr "$GOMOLAB" report "$D/ladder.db" --format yaml
    [ "$status" -eq 2 ]
    run --separate-stderr "$GOMOLAB" report
    [ "$status" -eq 2 ]
}

@test "report: a database of another schema version is refused" {
    cp "$D/one-pair.db" "$BATS_TEST_TMPDIR/other.db"
    sqlite3 "$BATS_TEST_TMPDIR/other.db" 'PRAGMA user_version = 99'
    run --separate-stderr "$GOMOLAB" report "$BATS_TEST_TMPDIR/other.db"
    [ "$status" -eq 2 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
}

@test "report: --help names every section" {
    run "$GOMOLAB" report --help
    [ "$status" -eq 0 ]
    for name in experiments standings head_to_head player_cost move_cost prune_rate opening_balance game_ends failures; do
        [[ "$output" == *"$name"* ]]
    done
}

@test "report: the page that reads a report shows the numbers that the report has" {
    page=$BATS_TEST_DIRNAME/../../harness/report/reading-a-report.md
    "$GOMOLAB" run "$BATS_TEST_DIRNAME/../../configs/experiments/two-plies.yaml" --quiet --db "$BATS_TEST_TMPDIR/page.db" || [ $? -eq 11 ]
    run "$GOMOLAB" report "$BATS_TEST_TMPDIR/page.db" --section standings --section sequential_test
    [ "$status" -eq 0 ]
    for player in depth-2 greedy; do
        row=$(printf '%s\n' "$output" | grep -m 1 "^[12]  $player")
        grep -qF "$row" "$page"
    done
    grep -qF "$(printf '%s\n' "$output" | grep -m 1 '^depth-2 ')" "$page"
    grep -qF "$(printf '%s\n' "$output" | grep -m 1 '^Normalized Elo')" "$page"
}

@test "report: the number of an opening is a name, without separators" {
    cp "$D/ladder.db" "$BATS_TEST_TMPDIR/far.db"
    sqlite3 "$BATS_TEST_TMPDIR/far.db" 'UPDATE game SET opening = opening + 12000'
    run "$GOMOLAB" report "$BATS_TEST_TMPDIR/far.db" --section opening_balance
    [ "$status" -eq 0 ]
    [[ "$output" =~ \ 120[0-9][0-9]\  ]]
}
