// SPDX-License-Identifier: GPL-3.0-or-later
// The table of the VCT solver: proof and disproof numbers by position.
#pragma once

#include "engine/base/status.h"

#include <stdbool.h>
#include <stdint.h>

// Numbers of a position: the least work left to prove it, to disprove it.
typedef struct VctNumbers {
    // From the attacker's view, whoever is to move: pn 0 is a proved win, dn 0 a refuted attack.
    uint32_t pn, dn; // 0: done; then the other is VCT_INFINITE
    int plies;       // to the five, where it is proved
} VctNumbers;

// More than any sum of work, and twice as much still fits a word.
enum { VCT_INFINITE = 1 << 30 };

// Numbers that need no work. Thread: any.
static inline VctNumbers vct_proved(int plies) {
    return (VctNumbers){.pn = 0, .dn = VCT_INFINITE, .plies = plies};
}
// No sequence of threats wins from here. Thread: any.
static inline VctNumbers vct_disproved(void) { return (VctNumbers){.pn = VCT_INFINITE, .dn = 0}; }

// 16 bytes, four of them a cache line: a bucket.
typedef struct VctEntry {
    uint64_t key; // of position and attacker; 0 = free
    uint32_t pn;
    uint32_t dn; // in a proved position the plies to the five
} VctEntry;

// All zero is empty: a key of 0 is no position's but the empty board's, which nobody asks about.
typedef struct VctTable {
    VctEntry *entries; // owned
    uint64_t mask;     // buckets - 1
} VctTable;

// Makes a table of 2^bits entries (8..26), 16 bytes each. STATUS_NO_MEMORY. Pairs with
// vct_table_release. Thread: owner.
Status vct_table_init(VctTable *table, int bits, ErrorText *err) MUST_CHECK;
void vct_table_release(VctTable *table); // frees it

// Forgets everything. Thread: owner.
void vct_table_clear(VctTable *table);

// What is known of `key`; false when nothing. Thread: owner.
bool vct_table_find(const VctTable *table, uint64_t key, VctNumbers *out);

// Puts numbers in, over the entry of the bucket that cost the least work. Thread: owner.
void vct_table_store(VctTable *table, uint64_t key, VctNumbers numbers);
