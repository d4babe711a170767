# SPDX-License-Identifier: GPL-3.0-or-later
# gomolab brain: the memory it takes. A sanitizer's own memory is many times that, so nothing is judged under one.
# sanitizers: none

GOMOLAB=${GOMOLAB:-build/gomolab}

@test "a table that is new is not cleared" {
    printf 'name: p\nsearch: {algorithm: alphabeta, depth: 1, tt_mb: 256}\n' >"$BATS_TEST_TMPDIR/p.yaml"
    coproc BRAIN { exec "$GOMOLAB" brain "$BATS_TEST_TMPDIR/p.yaml"; }
    printf 'START 15\n' >&"${BRAIN[1]}"
    read -r answer <&"${BRAIN[0]}"
    used_kb=$(awk '/^VmRSS/ { print $2 }' "/proc/$BRAIN_PID/status")
    printf 'END\n' >&"${BRAIN[1]}"
    [ "$answer" = OK ]
    [ "$used_kb" -lt 200000 ]
}
