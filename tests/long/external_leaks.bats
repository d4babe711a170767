# SPDX-License-Identifier: GPL-3.0-or-later
# sanitizers: none
# Ten thousand games of programs that crash in one game of twenty: nothing is leaked, no process, descriptor or byte.

@test "10 000 games with a crash rate of 5 % leak nothing" {
    GOMOLAB=${GOMOLAB:-build/gomolab}
    case $GOMOLAB in /*) ;; *) GOMOLAB=$PWD/$GOMOLAB ;; esac
    build=${GOMOLAB_BUILD:-build/release}
    case $build in /*) ;; *) build=$PWD/$build ;; esac
    name=stub-leaks-$$
    ln -s "$build/tests/stub/stub_engine" "$BATS_TEST_TMPDIR/$name"
    cd "$BATS_TEST_TMPDIR"
    cat >e.yaml <<YAML
name: leaks
openings: {random: 4}
pairs: 5000
clock: {move_ms: 10000}
allow_duplicates: true
players:
  - {name: a, engine: {command: ./$name, args: [--mode, random-crash]}}
  - {name: b, engine: {command: ./$name, args: [--mode, random-crash]}}
YAML
    "$GOMOLAB" run e.yaml --db e.db --jobs 2 --quiet >/dev/null 2>&1 3>&- &
    run=$!
    # After a warm-up the process holds what it will ever hold.
    early_fds=0 early_kb=0 fds=0 kb=0
    while sleep 1 && [ -d "/proc/$run/fd" ]; do
        fds_now=$(ls "/proc/$run/fd" 2>/dev/null | wc -l)
        kb_now=$(awk '/^VmRSS/ { print $2 }' "/proc/$run/status" 2>/dev/null)
        [ "${kb_now:-0}" -gt 0 ] || break
        fds=$fds_now kb=$kb_now
        games=$(sqlite3 e.db 'select count(*) from game' 2>/dev/null || echo 0)
        if [ "$early_kb" -eq 0 ] && [ "${games:-0}" -ge 1000 ]; then
            early_fds=$fds early_kb=$kb
        fi
        children=$(pgrep -P "$run" | wc -l)
        [ "$children" -le 8 ]
    done
    wait "$run"
    echo "descriptors $early_fds then $fds, resident $early_kb then $kb kB"
    [ "$(sqlite3 e.db 'select count(*) from game')" -eq 10000 ]
    crashes=$(sqlite3 e.db "select count(*) from game where reason = 'crash'")
    echo "$crashes crashes"
    [ "$crashes" -ge 600 ] # both may crash: about one game of ten
    [ "$crashes" -le 1400 ]
    [ "$(sqlite3 e.db "select count(*) from game where reason not in ('crash', 'five', 'board-full')")" -eq 0 ]
    [ "$early_kb" -gt 0 ]
    [ "$fds" -le $((early_fds + 6)) ] # a process being replaced at the moment
    [ "$kb" -le $((early_kb + 4096)) ]
    ! pgrep -f "$name" >/dev/null
}
