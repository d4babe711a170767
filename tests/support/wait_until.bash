# SPDX-License-Identifier: GPL-3.0-or-later
# Waiting for what another process does, however slow the machine: never for a fixed time.

# Asks COMMAND until it succeeds, for a minute at most; fails then.
wait_until() {
    local i
    for i in $(seq 1200); do
        "$@" 2>/dev/null && return 0
        sleep 0.05
    done
    echo "waited in vain for: $*" >&2
    return 1
}

# Does process $1 handle SIGTERM itself? Before that a signal just ends it.
handles_signals() {
    local mask
    mask=$(awk '/^SigCgt/ { print $2 }' "/proc/$1/status")
    [ $((0x$mask >> 14 & 1)) -eq 1 ]
}

# Has process $1 had $2 hundredths of a second of processor time?
has_computed() { [ "$(awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$1/stat")" -ge "$2" ]; }

# Has database $1 at least $3 rows in table $2?
has_rows() { [ "$(sqlite3 -readonly "$1" "SELECT count(*) FROM $2" 2>/dev/null || echo 0)" -ge "$3" ]; }
