// SPDX-License-Identifier: GPL-3.0-or-later
// The transposition table: two entries a bucket, the first kept by depth and age, the second not.
#include "engine/search/tt.h"

#include "engine/base/large_memory.h"
#include "engine/search/value.h"

#include <stdlib.h>
#include <string.h>

static size_t table_size(const TransTable *tt) {
    return tt->bucket_count * TT_BUCKET * sizeof(TtEntry);
}

Status tt_init(TransTable *tt, int64_t megabytes, ErrorText *err) {
    *tt = (TransTable){0};
    if (megabytes <= 0)
        return STATUS_OK;
    // Not rounded to a power of two: a table is as large as was asked for (see tt_bucket).
    tt->bucket_count = (uint64_t)megabytes * 1024 * 1024 / (TT_BUCKET * sizeof(TtEntry));
    tt->entries = large_memory_new(table_size(tt));
    if (!tt->entries)
        return error_set(err, STATUS_NO_MEMORY, "search.tt_mb: no memory for a table of %lld MiB",
                         (long long)megabytes);
    return STATUS_OK;
}

void tt_release(TransTable *tt) {
    large_memory_free(tt->entries, table_size(tt));
    *tt = (TransTable){0};
}

void tt_claim_memory(TransTable *tt) {
    // More would take seconds; such a table is touched page by page as the search goes.
    const size_t most = (size_t)1 << 30;
    if (tt->entries && !tt->is_used && table_size(tt) <= most)
        large_memory_claim(tt->entries, table_size(tt));
}

void tt_clear(TransTable *tt) {
    // A table that nothing was stored in is all 0 still: to clear it would take memory for it.
    tt->generation = 0;
    if (tt->is_used)
        memset(tt->entries, 0, table_size(tt));
    tt->is_used = false;
}

void tt_new_search(TransTable *tt) { tt->generation++; }

// The high half of key * count: uniform over the buckets without a division.
static TtEntry *tt_bucket(const TransTable *tt, uint64_t key) {
    __extension__ typedef unsigned __int128 Wide;
    return &tt->entries[(uint64_t)((Wide)key * tt->bucket_count >> 64) * TT_BUCKET];
}

bool tt_probe(const TransTable *tt, uint64_t key, int ply, TtHit *out) {
    if (!tt->entries)
        return false;
    const TtEntry *entry = tt_bucket(tt, key);
    for (int i = 0; i < TT_BUCKET; i++, entry++)
        if (entry->key == key && entry->bound != BOUND_NONE) {
            *out = (TtHit){value_from_node(entry->value, ply), entry->move, entry->depth,
                           (Bound)entry->bound};
            return true;
        }
    return false;
}

void tt_store(TransTable *tt, uint64_t key, int ply, const TtHit *found) {
    if (!tt->entries)
        return;
    tt->is_used = true;
    TtEntry *bucket = tt_bucket(tt, key), *slot = &bucket[1];
    // An entry of an earlier search gives way, however deep: the game has moved on.
    bool first_is_stale = bucket[0].generation != tt->generation || bucket[0].bound == BOUND_NONE;
    if (bucket[0].key == key || first_is_stale || found->depth >= bucket[0].depth) {
        if (bucket[0].key != key && bucket[1].key != key)
            bucket[1] = bucket[0]; // the deeper one moves down instead of being lost
        slot = &bucket[0];
        if (bucket[1].key == key)
            bucket[1].bound = BOUND_NONE; // one entry a position
    }
    *slot = (TtEntry){key,
                      value_to_node(found->value, ply),
                      found->move,
                      (int8_t)found->depth,
                      (uint8_t)found->bound,
                      tt->generation};
}
