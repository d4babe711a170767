// SPDX-License-Identifier: GPL-3.0-or-later
// The transposition table: what a search already knows of a position.
//
// An entry holds the full 64-bit key, a value with its bound, the depth it was searched to and the
// best move, 24 bytes. Two entries a bucket: one kept by depth and age, one always replaced. Won
// and lost values are stored relative to the node (plies from it), so that they are right at any
// ply. The size in MiB is an upper limit, filled to the last whole bucket. One table belongs to one
// engine and one thread. After Breuker, Uiterwijk & van den Herik, "Replacement schemes for
// transposition tables" (ICCA Journal, 1994).
#pragma once

#include "engine/base/status.h"
#include "engine/board/move.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TT_BUCKET = 2 }; // entries

// What a value says: no more than it, no less, or just it. NONE: a free entry.
typedef enum Bound { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT } Bound;

// As it lies in memory. The value is the node's, see value.h; a double, since models are.
typedef struct TtEntry {
    uint64_t key;
    double value;
    Move move;
    int8_t depth;  // remaining depth of the search that stored it
    uint8_t bound; // Bound
    uint32_t generation;
} TtEntry;

// The key's upper bits choose the bucket, so any number of buckets will do.
typedef struct TransTable {
    TtEntry *entries; // owned; NULL = no table
    uint64_t bucket_count;
    uint32_t generation; // raised for each search
    bool is_used;        // something was stored since it was made or cleared
} TransTable;

// What goes in and comes out.
typedef struct TtHit {
    double value; // relative to the probing node's ply
    Move move;
    int depth;
    Bound bound;
} TtHit;

// Allocates a table of at most `megabytes` MiB (0: none, every probe misses), empty. Pairs with
// tt_release. Thread: owner.
Status tt_init(TransTable *tt, int64_t megabytes, ErrorText *err) MUST_CHECK;
void tt_release(TransTable *tt); // frees the entries

// Makes the memory of a table that was not used yet the process's own, so that no search pays for
// that. Left out above 1 GiB, which would take longer than anybody waits for an engine to be ready.
// Thread: owner.
void tt_claim_memory(TransTable *tt);

// Forgets everything; costs nothing, and touches no memory, when nothing was stored. Thread: owner.
void tt_clear(TransTable *tt);

// Starts a new search: older entries lose their claim to stay. Thread: owner.
void tt_new_search(TransTable *tt);

// Looks `key` up for a node at `ply`. On a hit fills *out and returns true; on a miss *out is
// untouched. Thread: owner.
bool tt_probe(const TransTable *tt, uint64_t key, int ply, TtHit *out);

// Stores what a node at `ply` found. Thread: owner.
void tt_store(TransTable *tt, uint64_t key, int ply, const TtHit *found);

// Fetches the bucket of `key` into the cache, for a look-up that comes soon. Thread: owner.
static inline void tt_prefetch(const TransTable *tt, uint64_t key) {
    __extension__ typedef unsigned __int128 Wide;
    if (tt->entries)
        __builtin_prefetch(
            &tt->entries[(uint64_t)((Wide)key * tt->bucket_count >> 64) * TT_BUCKET]);
}
