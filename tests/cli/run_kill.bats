# SPDX-License-Identifier: GPL-3.0-or-later
# sanitizers: none
# A run that is killed again and again loses nothing and ends like one that nobody disturbed.

load ../support/run_experiments
load ../support/wait_until

@test "a hundred kill -9 at random moments: nothing is lost, and the end is that of an undisturbed run" {
    build=${GOMOLAB_BUILD:-$ROOT/build/release}
    case $build in /*) ;; *) build=$ROOT/$build ;; esac
    name=stub-killed-$$
    ln -s "$build/tests/stub/stub_engine" "$name"
    cat >killed.yaml <<YAML
name: killed
openings: {random: 4}
pairs: 1000000
players:
  - {name: d1, search.depth: 1}
  - {name: d2, search.depth: 2, play.randomness: 0.1}
  - {name: stub, engine: {command: ./$name}}
YAML
    known=0 grown=0
    for kill in $(seq 100); do
        "$GOMOLAB" run killed.yaml --quiet --jobs 2 --db killed.db >/dev/null 2>&1 3>&- &
        run=$!
        # Every eighth lives until something is stored, however slow the machine.
        [ $((kill % 8)) -ne 0 ] || wait_until has_rows killed.db game $((known + 1))
        sleep "0.$(printf %03d $((RANDOM % 150 + 5)))"
        kill -9 "$run"
        wait "$run" 2>/dev/null || true
        # Killed before its tables were there, a database is as good as none.
        games=$(sqlite3 killed.db 'SELECT count(*) FROM game' 2>/dev/null || echo 0)
        [ "$games" -ge "$known" ]
        [ "$games" -eq "$known" ] || grown=$((grown + 1))
        known=$games
    done
    echo "$known games, $grown of 100 sittings got to store some"
    [ "$grown" -ge 10 ]
    [ "$(sqlite3 killed.db 'SELECT count(*) FROM game g WHERE plies <> (SELECT count(*) FROM move WHERE game_id = g.id)')" -eq 0 ]
    # As many as were begun, so that every hole is filled.
    games=$((($(sqlite3 killed.db 'SELECT max(id) FROM game') + 7) / 6 * 6))
    "$GOMOLAB" run killed.yaml --quiet --jobs 2 --db killed.db --games "$games" >/dev/null
    "$GOMOLAB" run killed.yaml --quiet --jobs 1 --db whole.db --games "$games" >/dev/null
    [ "$(games whole.db)" -eq "$games" ]
    cmp <(dump killed.db) <(dump whole.db)
    [ "$(sqlite3 killed.db 'PRAGMA integrity_check')" = ok ]
    ! pgrep -f "$name" >/dev/null
}
