#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# `gomolab show`: boards as text, pages by keys on a terminal, refusals.
# sanitizers: asan

bats_require_minimum_version 1.5.0

setup_file() {
    fixture=${GOMOLAB_BUILD:-build/release}/tests/stub/report_fixture
    for kind in ladder failures silent; do
        "$fixture" "$kind" "$BATS_FILE_TMPDIR/$kind.db"
    done
}

setup() {
    GOMOLAB=$(realpath "${GOMOLAB:-build/gomolab}")
    DB=$BATS_FILE_TMPDIR/ladder.db
}

@test "show: the end of a game, its players, and all its moves" {
    run --separate-stderr "$GOMOLAB" show "$DB" 3
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [[ "$output" == *" 8  · · · · · · · ● ● ● ●[●]· · ·"* ]]
    [[ "$output" == *"● black  d6"* ]]
    [[ "$output" == *"○ white  d2"* ]]
    [[ "$output" == *"d6 (black) won by five in a row after 9 plies"* ]]
    [[ "$output" == *"ply 9 of 9: ● l8, d6"* ]]
    [[ "$output" == *"    a b c d e f g h i j k l m n o"* ]]
    [[ "$output" =~ 9\ +●\ +l8\ +\+112\.50\ +6\ +2\ 068 ]]
    [[ "$output" != *$'\033'* ]]
}

@test "show: one ply, with what the move cost" {
    run "$GOMOLAB" show "$DB" 3 --ply 5
    [ "$status" -eq 0 ]
    [[ "$output" == *"ply 5 of 9: ● j8, d6"* ]]
    [[ "$output" == *"value     +62.50"* ]]
    [[ "$output" == *"depth     6, selective 6"* ]]
    [[ "$output" == *"nodes     2 148  (2.00 M/s)"* ]]
    [[ "$output" == *"time      1.07 ms"* ]]
    [[ "$output" == *"pv        h8 i9 j10 g7"* ]]
    [[ "$output" == *"white  d2  (to move)"* ]]
    [[ "$output" == *" 8  · · · · · · · ● ●[●]· · · · ·"* ]]
    run "$GOMOLAB" show "$DB" 3 --ply 0
    [[ "$output" == *"ply 0 of 9: before the first stone"* ]]
}

@test "show: stones of the opening have no cost" {
    run "$GOMOLAB" show "$DB" 14 --ply 2 # opening 2 has two stones
    [[ "$output" == *"ply 2 of 9"*"stone of the opening"* ]]
    [[ "$output" != *"nodes "* ]]
}

@test "show: --all prints a board for each ply" {
    run "$GOMOLAB" show "$DB" 3 --all
    [ "$status" -eq 0 ]
    [ "$(grep -c 'a b c d e f g h' <<<"$output")" -eq 10 ]
}

@test "show: ASCII, and colours when asked for" {
    run "$GOMOLAB" show "$DB" 3 --ascii --ply 9
    [[ "$output" == *"X X X X[X]"* ]]
    [[ "$output" != *●* ]]
    run "$GOMOLAB" show "$DB" 3 --color always --ply 9
    [[ "$output" == *$'\033[48;5;179m'* ]]
}

@test "show: the note of a failed game" {
    run "$GOMOLAB" show "$BATS_FILE_TMPDIR/failures.db" 0 --ply 1
    [[ "$output" == *"won by timeout"* ]]
    [[ "$output" == *"note      late by 12 ms"* ]]
}

@test "show: a game without stored moves says so" {
    run --separate-stderr "$GOMOLAB" show "$BATS_FILE_TMPDIR/silent.db" 0
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"no moves of this game are stored"* ]]
}

@test "show: games, plies and options that do not exist are refused in one line" {
    for args in "999" "x" "-1" "3 --ply 10" "3 --ply 5 --all" "3 --plys 4" ""; do
        # shellcheck disable=SC2086 # several words
        run --separate-stderr "$GOMOLAB" show "$DB" $args
        [ "$status" -eq 2 ]
        [ -z "$output" ]
        [ "${#stderr_lines[@]}" -eq 1 ]
    done
    run --separate-stderr "$GOMOLAB" show "$BATS_FILE_TMPDIR/nowhere.db" 3
    [ "$status" -eq 2 ]
}

# keys BYTES: what a terminal shows after these keys, by a pseudo-terminal; the status of the program on the last line.
keys() {
    python3 - "$GOMOLAB" "$DB" "$1" <<'PY'
import os, pty, select, sys, time
pid, fd = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    os.environ.pop("COLORTERM", None)
    os.execv(sys.argv[1], [sys.argv[1], "show", sys.argv[2], "3"])
seen = b""

def read(until, seconds=20):
    global seen
    end = time.time() + seconds
    while until not in seen and time.time() < end:
        if select.select([fd], [], [], 0.1)[0]:
            try:
                seen += os.read(fd, 65536)
            except OSError:
                return

for key in sys.argv[3].encode().decode("unicode_escape").split(","):
    read(b"q quit")
    page, seen = seen, b""
    os.write(fd, key.encode("latin-1"))
read(b"\x1b[?1049l")
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.stdout.buffer.write(page + seen)
print("\nstatus", status)
PY
}

@test "show: keys turn the pages of a terminal, and it is left as it was" {
    run keys 'n,q'
    [[ "$output" == *"ply 1 of 9"*$'\033[?1049l'*"status 0"* ]]
    run keys '\x1b[C,\x1b[C,p,q'
    [[ "$output" == *"ply 1 of 9"* ]]
    run keys 'G,q'
    [[ "$output" == *"ply 9 of 9"* ]]
    run keys 'G,g,\x1b[B,q' # ten plies on is the end
    [[ "$output" == *"ply 9 of 9"* ]]
    run keys 'G,\x03' # Ctrl-C ends it in order, too
    [[ "$output" == *$'\033[?1049l'*"status 0"* ]]
}

@test "show: the moves as a table for programs, up to --ply" {
    run --separate-stderr "$GOMOLAB" show "$DB" 3 --format tsv
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 10 ]
    [[ "${lines[0]}" == $'ply\tcolour\tplayer\tx\ty\tsquare\topening\tvalue\tdepth\tseldepth\tnodes\t'* ]]
    [[ "${lines[9]}" == $'9\tblack\td6\t11\t7\tl8\tno\t112.5\t6\t6\t2068\t'* ]]
    run --separate-stderr "$GOMOLAB" show "$DB" 14 --ply 3 --format json
    [ "$status" -eq 0 ]
    [ "$(python3 -c 'import json, sys
d = json.load(sys.stdin)
print(len(d), [row["opening"] for row in d], d[0]["value"], d[2]["nodes"] > 0)' <<<"$output")" = "3 [True, True, False] None True" ]
    run --separate-stderr "$GOMOLAB" show "$DB" 3 --format md
    [[ "${lines[0]}" == "| ply | colour | player |"* ]]
}
