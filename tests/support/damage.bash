# SPDX-License-Identifier: GPL-3.0-or-later
# Databases that a disk has spoiled.

# Fills the page in the middle of database $1 with noise: its beginning can still be read.
damage_middle_page() {
    local size pages
    size=$(sqlite3 "$1" 'PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA page_size' | tail -1)
    pages=$(sqlite3 "$1" 'PRAGMA page_count')
    head -c "$size" /dev/urandom | dd of="$1" bs="$size" seek=$((pages / 2)) conv=notrunc 2>/dev/null
}
