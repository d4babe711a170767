// SPDX-License-Identifier: GPL-3.0-or-later
// Loads pools of results from tests/data for tests of ratings. For tests only.
#pragma once

#include "golden_tsv.h"
#include "harness/stats/rating.h"

enum { GOLDEN_PLAYER_MAX = 300, GOLDEN_NAME_MAX = 40 };

typedef struct GoldenPool {
    int players;
    char name_text[GOLDEN_PLAYER_MAX][GOLDEN_NAME_MAX];
    const char *names[GOLDEN_PLAYER_MAX];
    RatingCount *counts;
    size_t count_nb;
    RatingPairs pairs[64];
    size_t pair_nb;
} GoldenPool;

static inline int golden_player(GoldenPool *pool, const char *name) {
    for (int i = 0; i < pool->players; i++)
        if (strcmp(pool->names[i], name) == 0)
            return i;
    assert_true(pool->players < GOLDEN_PLAYER_MAX);
    snprintf(pool->name_text[pool->players], GOLDEN_NAME_MAX, "%s", name);
    pool->names[pool->players] = pool->name_text[pool->players];
    return pool->players++;
}

static inline GoldenPool *golden_pool_new(void) {
    GoldenPool *pool = calloc(1, sizeof *pool);
    assert_non_null(pool);
    pool->counts = calloc(60000, sizeof *pool->counts);
    assert_non_null(pool->counts);
    return pool;
}

static inline void golden_pool_add(GoldenPool *pool, const char *first, const char *second,
                                   double w, double d, double l) {
    int a = golden_player(pool, first), b = golden_player(pool, second);
    pool->counts[pool->count_nb++] = (RatingCount){a, b, w, d, l};
}

static inline GoldenPool *golden_pool_load(const char *file_name) {
    GoldenPool *pool = golden_pool_new();
    FILE *file = golden_open(file_name);
    GoldenRow row;
    golden_next(file, &row);
    while (golden_next(file, &row))
        golden_pool_add(pool, row.field[0], row.field[1], golden_number(row.field[2]),
                        golden_number(row.field[3]), golden_number(row.field[4]));
    fclose(file);
    return pool;
}

static inline void golden_pool_free(GoldenPool *pool) {
    free(pool->counts);
    free(pool);
}

static inline RatingInput golden_input(const GoldenPool *pool) {
    return (RatingInput){.players = pool->players,
                         .names = pool->names,
                         .counts = pool->counts,
                         .count_nb = pool->count_nb,
                         .pairs = pool->pair_nb ? pool->pairs : NULL,
                         .pair_nb = pool->pair_nb};
}

static inline Rating golden_rate(const GoldenPool *pool, const RatingOptions *options) {
    RatingInput input = golden_input(pool);
    Rating rating;
    ErrorText err = {0};
    if (rating_compute(&input, options, &rating, &err))
        fail_msg("rating failed: %s", err.text);
    return rating;
}
