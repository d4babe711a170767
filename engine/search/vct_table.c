// SPDX-License-Identifier: GPL-3.0-or-later
// Buckets of proof numbers.
#include "engine/search/vct_table.h"

#include "engine/base/check.h"

#include <stdlib.h>
#include <string.h>

enum { BUCKET = 4 }; // entries that a key may lie in

Status vct_table_init(VctTable *table, int bits, ErrorText *err) {
    CHECK(bits >= 8 && bits <= 26);
    uint64_t entries = (uint64_t)1 << bits;
    *table = (VctTable){calloc(entries, sizeof *table->entries), entries / BUCKET - 1};
    return table->entries
               ? STATUS_OK
               : error_set(err, STATUS_NO_MEMORY, "no memory for the table of the VCT solver");
}

void vct_table_release(VctTable *table) {
    free(table->entries);
    table->entries = NULL;
}

void vct_table_clear(VctTable *table) {
    memset(table->entries, 0, (table->mask + 1) * BUCKET * sizeof *table->entries);
}

bool vct_table_find(const VctTable *table, uint64_t key, VctNumbers *out) {
    const VctEntry *bucket = &table->entries[(key & table->mask) * BUCKET];
    for (int i = 0; i < BUCKET; i++)
        if (bucket[i].key == key) {
            *out = bucket[i].pn ? (VctNumbers){.pn = bucket[i].pn, .dn = bucket[i].dn}
                                : vct_proved((int)bucket[i].dn);
            return true;
        }
    return false;
}

// What an entry is worth keeping for: the more it was worked on, the larger its numbers.
static uint32_t entry_worth(const VctEntry *entry) {
    if (entry->key == 0)
        return 0;
    // Proofs stay: a line is read from them afterwards.
    return entry->pn && entry->dn ? entry->pn + entry->dn : VCT_INFINITE;
}

void vct_table_store(VctTable *table, uint64_t key, VctNumbers numbers) {
    VctEntry *bucket = &table->entries[(key & table->mask) * BUCKET];
    // The upper bits of the key, not used for the bucket: keys of a bucket begin at different
    // slots.
    VctEntry *slot = &bucket[key >> 62];
    for (int i = 0; i < BUCKET; i++) {
        if (bucket[i].key == key) {
            slot = &bucket[i];
            break;
        }
        if (entry_worth(&bucket[i]) < entry_worth(slot))
            slot = &bucket[i];
    }
    *slot = (VctEntry){key, numbers.pn, numbers.pn ? numbers.dn : (uint32_t)numbers.plies};
}
