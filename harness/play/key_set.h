// SPDX-License-Identifier: GPL-3.0-or-later
// A set of 64-bit position keys: which positions have been seen? Open addressing over a power of
// two, at most half full.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct KeySet {
    uint64_t *slots; // owned; 0 = free
    size_t cap, count;
    bool has_zero; // the key 0, which cannot stand in a slot
} KeySet;          // zero-initialised is empty

// Adds a key. Returns 1 when it is new, 0 when it was there, -1 when memory is out. Thread: owner.
int key_set_add(KeySet *set, uint64_t key);

// Frees the memory; the set is empty and usable again. Thread: owner.
void key_set_release(KeySet *set);
