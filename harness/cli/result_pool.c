// SPDX-License-Identifier: GPL-3.0-or-later
// A pool of results: players by name, counts by ordered pair.
#include "harness/cli/result_pool.h"

#include "engine/base/rng.h"

#include <stdlib.h>
#include <string.h>

static Status out_of_memory(ErrorText *err) {
    return error_set(err, STATUS_NO_MEMORY, "out of memory reading results");
}

void result_pool_release(ResultPool *input) {
    for (int i = 0; i < input->players; i++)
        free(input->names[i]);
    free(input->names);
    free(input->counts);
    free(input->pairs);
    free(input->name_slots);
    free(input->count_slots);
    free(input->pair_slots);
    text_release(&input->warnings);
    *input = (ResultPool){0};
}

RatingInput result_pool_view(const ResultPool *input) {
    return (RatingInput){.players = input->players,
                         .names = (const char *const *)input->names,
                         .counts = input->counts,
                         .count_nb = input->count_nb,
                         .pairs = input->pair_nb ? input->pairs : NULL,
                         .pair_nb = input->pair_nb};
}

// --- players
// --------------------------------------------------------------------------------------------------------

// Any mixing hash will do: nothing that is stored or printed depends on the order of slots.
static size_t name_hash(const char *name) {
    uint64_t h = 0;
    for (; *name; name++)
        h = rng_mix(h, (unsigned char)*name);
    return (size_t)h;
}

// Open addressing over a power of two, at most half full; slots hold index + 1, 0 is free.
static size_t name_slot(const ResultPool *input, const char *name) {
    size_t mask = input->name_slot_cap - 1, at = name_hash(name) & mask;
    while (input->name_slots[at] && strcmp(input->names[input->name_slots[at] - 1], name) != 0)
        at = (at + 1) & mask;
    return at;
}

int result_pool_find(const ResultPool *input, const char *name) {
    return input->name_slot_cap ? input->name_slots[name_slot(input, name)] - 1 : -1;
}

// When the second allocation fails the names have moved already, which is harmless: the old table
// still fits them.
static bool names_grow(ResultPool *input) {
    int cap = input->player_cap ? 2 * input->player_cap : 64;
    char **names = realloc(input->names, (size_t)cap * sizeof *names);
    if (!names)
        return false;
    input->names = names;
    int *slots = calloc(2 * (size_t)cap, sizeof *slots);
    if (!slots)
        return false;
    free(input->name_slots);
    input->name_slots = slots;
    input->name_slot_cap = 2 * (size_t)cap;
    input->player_cap = cap;
    for (int i = 0; i < input->players; i++)
        slots[name_slot(input, names[i])] = i + 1;
    return true;
}

int result_pool_player(ResultPool *input, const char *name) {
    // Grown before the search, since growing moves all slots.
    if (input->players == input->player_cap && !names_grow(input))
        return -1;
    size_t at = name_slot(input, name);
    if (input->name_slots[at])
        return input->name_slots[at] - 1;
    char *copy = strdup(name);
    if (!copy)
        return -1;
    input->names[input->players] = copy;
    input->name_slots[at] = ++input->players;
    return input->players - 1;
}

// --- counts and pairs: tables keyed by two players
// ------------------------------------------------------------------

// Ordered: (a, b) and (b, a) are different rows, since who moves first matters.
static size_t key_hash(int a, int b) { return (size_t)rng_mix((uint64_t)a, (uint64_t)b); }

// Ends at the key or at a free slot: tables are at most half full, so that there always is one.
static size_t count_slot(const ResultPool *input, int first, int second) {
    size_t mask = input->count_slot_cap - 1, at = key_hash(first, second) & mask;
    for (; input->count_slots[at]; at = (at + 1) & mask) {
        const RatingCount *c = &input->counts[input->count_slots[at] - 1];
        if (c->first == first && c->second == second)
            break;
    }
    return at;
}

static bool counts_grow(ResultPool *input) {
    size_t cap = input->count_cap ? 2 * input->count_cap : 64;
    RatingCount *counts = realloc(input->counts, cap * sizeof *counts);
    if (!counts)
        return false;
    input->counts = counts;
    size_t *slots = calloc(2 * cap, sizeof *slots);
    if (!slots)
        return false;
    free(input->count_slots);
    input->count_slots = slots;
    input->count_slot_cap = 2 * cap;
    input->count_cap = cap;
    for (size_t i = 0; i < input->count_nb; i++)
        slots[count_slot(input, counts[i].first, counts[i].second)] = i + 1;
    return true;
}

Status result_pool_add_counts(ResultPool *input, const RatingCount *games, ErrorText *err) {
    if (input->count_nb == input->count_cap && !counts_grow(input))
        return out_of_memory(err);
    size_t at = count_slot(input, games->first, games->second);
    if (!input->count_slots[at]) {
        input->counts[input->count_nb] = *games;
        input->count_slots[at] = ++input->count_nb;
        return STATUS_OK;
    }
    RatingCount *c = &input->counts[input->count_slots[at] - 1];
    c->first_wins += games->first_wins;
    c->draws += games->draws;
    c->second_wins += games->second_wins;
    return STATUS_OK;
}

// As count_slot, for pairs.
static size_t pair_slot(const ResultPool *input, int a, int b) {
    size_t mask = input->pair_slot_cap - 1, at = key_hash(a, b) & mask;
    for (; input->pair_slots[at]; at = (at + 1) & mask) {
        const RatingPairs *p = &input->pairs[input->pair_slots[at] - 1];
        if (p->a == a && p->b == b)
            break;
    }
    return at;
}

static bool pairs_grow(ResultPool *input) {
    size_t cap = input->pair_cap ? 2 * input->pair_cap : 64;
    RatingPairs *pairs = realloc(input->pairs, cap * sizeof *pairs);
    if (!pairs)
        return false;
    input->pairs = pairs;
    size_t *slots = calloc(2 * cap, sizeof *slots);
    if (!slots)
        return false;
    free(input->pair_slots);
    input->pair_slots = slots;
    input->pair_slot_cap = 2 * cap;
    input->pair_cap = cap;
    for (size_t i = 0; i < input->pair_nb; i++)
        slots[pair_slot(input, pairs[i].a, pairs[i].b)] = i + 1;
    return true;
}

Status result_pool_add_pairs(ResultPool *input, const RatingPairs *added, ErrorText *err) {
    if (input->pair_nb == input->pair_cap && !pairs_grow(input))
        return out_of_memory(err);
    size_t at = pair_slot(input, added->a, added->b);
    if (!input->pair_slots[at]) {
        input->pairs[input->pair_nb] = *added;
        input->pair_slots[at] = ++input->pair_nb;
        return STATUS_OK;
    }
    RatingPairs *p = &input->pairs[input->pair_slots[at] - 1];
    for (int cell = 0; cell < 9; cell++)
        p->n[cell / 3][cell % 3] += added->n[cell / 3][cell % 3];
    return STATUS_OK;
}
