// SPDX-License-Identifier: GPL-3.0-or-later
// Linear probing; keys are random already, so their low bits are the hash.
#include "harness/play/key_set.h"

#include <stdlib.h>

// The slot where the key is or belongs.
static uint64_t *key_set_slot(uint64_t *slots, size_t cap, uint64_t key) {
    // Ends since the table is at most half full, so that a free slot always follows.
    size_t i = (size_t)key & (cap - 1);
    while (slots[i] && slots[i] != key)
        i = (i + 1) & (cap - 1);
    return &slots[i];
}

static bool key_set_grow(KeySet *set) {
    // Filled aside and swapped in: when memory is out the set is as it was.
    size_t cap = set->cap ? set->cap * 2 : 64;
    uint64_t *slots = calloc(cap, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < set->cap; i++)
        if (set->slots[i])
            *key_set_slot(slots, cap, set->slots[i]) = set->slots[i];
    free(set->slots);
    set->slots = slots;
    set->cap = cap;
    return true;
}

int key_set_add(KeySet *set, uint64_t key) {
    if (key == 0) {
        bool is_new = !set->has_zero;
        set->has_zero = true;
        return is_new;
    }
    if (2 * (set->count + 1) > set->cap && !key_set_grow(set))
        return -1;
    uint64_t *slot = key_set_slot(set->slots, set->cap, key);
    if (*slot)
        return 0;
    *slot = key;
    set->count++;
    return 1;
}

void key_set_release(KeySet *set) {
    free(set->slots);
    *set = (KeySet){0};
}
