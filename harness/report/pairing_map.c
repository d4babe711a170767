// SPDX-License-Identifier: GPL-3.0-or-later
// A hash table of pairings.
#include "harness/report/pairing_map.h"

#include "engine/base/rng.h"

#include <stdlib.h>

// Linear probing; the table is never more than half full, so a free slot ends every search.
static size_t slot_of(const PairingMap *map, int row, int column) {
    size_t mask = 2 * map->cap - 1,
           at = (size_t)rng_mix((uint64_t)(uint32_t)row << 32 | (uint32_t)column, 0) & mask;
    for (; map->slots[at]; at = (at + 1) & mask) {
        const PairingSummary *entry = &map->entries[map->slots[at] - 1];
        if (entry->row == row && entry->column == column)
            break;
    }
    return at;
}

static bool map_grow(PairingMap *map) {
    // Entries move, but slots hold their numbers: only the slots are made anew.
    size_t cap = map->cap ? 2 * map->cap : 64;
    PairingSummary *entries = realloc(map->entries, cap * sizeof *entries);
    if (!entries)
        return false;
    map->entries = entries;
    size_t *slots = calloc(2 * cap, sizeof *slots);
    if (!slots)
        return false;
    free(map->slots);
    map->slots = slots;
    map->cap = cap;
    for (size_t i = 0; i < map->count; i++)
        slots[slot_of(map, entries[i].row, entries[i].column)] = i + 1;
    return true;
}

PairingSummary *pairing_map_at(PairingMap *map, int row, int column) {
    size_t at = map->cap ? slot_of(map, row, column) : 0;
    if (map->cap && map->slots[at])
        return &map->entries[map->slots[at] - 1];
    if (map->count == map->cap && !map_grow(map)) // the capacity is even: both directions fit
        return NULL;
    for (int direction = 0; direction < 2; direction++) {
        int from = direction ? column : row, to = direction ? row : column;
        map->entries[map->count] = (PairingSummary){.row = from, .column = to};
        at = slot_of(map, from, to);
        map->slots[at] = ++map->count;
    }
    return &map->entries[map->count - 2];
}

PairingSummary *pairing_map_opposite(const PairingMap *map, const PairingSummary *entry) {
    // Both directions are made together, an even number and the odd one after it.
    return &map->entries[(size_t)(entry - map->entries) ^ 1u];
}

const PairingSummary *pairing_map_find(const PairingMap *map, int row, int column) {
    static const PairingSummary NONE = {.row = -1, .column = -1};
    size_t at = map->cap ? slot_of(map, row, column) : 0;
    return map->cap && map->slots[at] ? &map->entries[map->slots[at] - 1] : &NONE;
}

void pairing_map_release(PairingMap *map) {
    free(map->entries);
    free(map->slots);
    *map = (PairingMap){0};
}
