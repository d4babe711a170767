# SPDX-License-Identifier: GPL-3.0-or-later
# A search takes the memory that its knobs say: the table, and a few MB whatever its size.
# sanitizers: none

GOMOLAB=${GOMOLAB:-build/gomolab}

# The most memory, in KB, that a search of 400 000 nodes took with a table of $1 MiB.
peak_kb() {
    printf 'name: p\nbase: %s\nsearch: {tt_mb: %s, time_ms: 0, nodes: 400000}\n' \
        "$PWD/configs/players/strong.yaml" "$1" >"$BATS_TEST_TMPDIR/p.yaml"
    coproc BRAIN { exec "$GOMOLAB" brain "$BATS_TEST_TMPDIR/p.yaml"; }
    printf 'START 15\nBOARD\n7,7,1\n8,6,2\n9,8,1\n6,5,2\nDONE\n' >&"${BRAIN[1]}"
    while read -r answer <&"${BRAIN[0]}"; do
        case $answer in OK | MESSAGE* | DEBUG*) ;; *) break ;; esac
    done
    awk '/^VmHWM/ { print $2 }' "/proc/$BRAIN_PID/status"
    printf 'END\n' >&"${BRAIN[1]}"
}

@test "a table takes its size, and nothing grows with it" {
    none=$(peak_kb 0)
    [ "$none" -lt 20000 ]
    for mb in 64 256; do
        used=$(($(peak_kb $mb) - none))
        [ "$used" -le $((mb * 1024 * 105 / 100)) ]
        [ "$used" -ge $((mb * 1024 / 2)) ] # most of it was used
    done
}

@test "a table larger than the machine is refused before it is made" {
    run "$GOMOLAB" analyze configs/players/strong.yaml --position h8 --set search.tt_mb=65536
    memory_mb=$(($(awk '/^MemTotal/ { print $2 }' /proc/meminfo) / 1024))
    [ "$memory_mb" -lt 65536 ] || skip "this machine has as much"
    [ "$status" -eq 2 ]
    [[ "$output" == *"search.tt_mb: 65536, but this machine has"* ]]
}

@test "tables that are too large together are refused before a game" {
    half=$(($(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo) / 3))
    [ "$half" -le 65536 ] || half=65536
    printf 'name: r\nboard: 9\npairs: 1\nplayers:\n  - {name: a, search.tt_mb: %s}\n  - {name: b}\n' \
        "$half" >"$BATS_TEST_TMPDIR/r.yaml"
    run "$GOMOLAB" run "$BATS_TEST_TMPDIR/r.yaml" --db "$BATS_TEST_TMPDIR/r.db" --jobs 1000 --quiet
    [ "$status" -eq 2 ]
    [[ "$output" == *"1000 games at once take"*"use fewer --jobs or smaller tables"* ]]
    [ ! -e "$BATS_TEST_TMPDIR/r.db" ]
}

@test "a dry run leaves the tables of the players alone" {
    printf 'name: d\nboard: 9\npairs: 1\nplayers:\n  - {name: a, search.tt_mb: 512, search.time_ms: 20}\n  - {name: b, search.tt_mb: 512}\n' \
        >"$BATS_TEST_TMPDIR/d.yaml"
    peak_kb=$(python3 -c '
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' \
        "$GOMOLAB" run "$BATS_TEST_TMPDIR/d.yaml" --db "$BATS_TEST_TMPDIR/d.db" --jobs 1 --dry-run)
    [ "$peak_kb" -lt 100000 ] || { echo "$peak_kb KB"; false; }
}

@test "a position analyzed by time has its table before the clock runs" {
    peak_kb() { # KEY=VALUE
        python3 -c '
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' \
            "$GOMOLAB" analyze configs/players/strong.yaml --position "h8 i9" --set search.tt_mb=256 \
            --set search.depth=1 --set search.vct=none --set "$1"
    }
    [ "$(peak_kb search.time_ms=0)" -lt 100000 ] # nothing to hurry for: page by page
    [ "$(peak_kb search.time_ms=100)" -gt 262144 ]
}
