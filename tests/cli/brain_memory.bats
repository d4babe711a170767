# SPDX-License-Identifier: GPL-3.0-or-later
# gomolab brain: the memory it takes. A sanitizer's own memory is many times that, so nothing is judged under one.
# sanitizers: none

GOMOLAB=${GOMOLAB:-build/gomolab}

# Says START to a brain with a table of $1 MiB and sets $used_kb to the memory it has then.
start_with_table() {
    printf 'name: p\nsearch: {algorithm: alphabeta, depth: 1, tt_mb: %d}\n' "$1" >"$BATS_TEST_TMPDIR/p.yaml"
    coproc BRAIN { exec "$GOMOLAB" brain "$BATS_TEST_TMPDIR/p.yaml"; }
    printf 'INFO max_memory 0\nSTART 15\n' >&"${BRAIN[1]}"
    read -r answer <&"${BRAIN[0]}"
    used_kb=$(awk '/^VmRSS/ { print $2 }' "/proc/$BRAIN_PID/status")
    printf 'END\n' >&"${BRAIN[1]}"
    wait "$BRAIN_PID" || true
    [ "$answer" = OK ]
}

@test "OK to START means that the table is there: no move pays for its pages" {
    start_with_table 256
    [ "$used_kb" -ge 262144 ]
    [ "$used_kb" -lt 400000 ]
}

@test "a table so large that START would be late is taken as it is used" {
    [ "$(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo)" -gt 2048 ] || skip "less than 2 GiB of memory"
    start_with_table 1500
    [ "$used_kb" -lt 200000 ]
}
