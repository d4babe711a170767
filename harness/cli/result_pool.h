// SPDX-License-Identifier: GPL-3.0-or-later
// Results of many players put together: players by name, games by ordered pair, whole pairs by
// pairing. Files and databases are read into it (rate_input.h), ratings are made from it
// (harness/stats/rating.h).
#pragma once

#include "engine/base/text.h"
#include "harness/stats/rating_data.h"

// A pool being read. Zero-initialised is empty. Everything is owned; free with result_pool_release.
// A list that grows for each table and an index by hash beside it: files of millions of lines have
// few players, but name them in every line.
typedef struct ResultPool {
    // Indices are given in the order in which names are first met, and never change.
    char **names;
    int players, player_cap;
    RatingCount *counts; // one an ordered pair of players
    size_t count_nb, count_cap;
    // Results of both games, three by three, seen from player a.
    RatingPairs *pairs; // one a pairing and order
    size_t pair_nb, pair_cap;
    int *name_slots;     // open addressing: player + 1; slot_cap of them
    size_t *count_slots; // the same of counts, by (first, second)
    size_t *pair_slots;  // the same of pairs, by (a, b)
    size_t name_slot_cap, count_slot_cap, pair_slot_cap;
    // Told as a warning: such losses count in the ratings as any others.
    int64_t lost_on_time, crashed; // games of databases that ended so
    Text warnings;                 // one a line
} ResultPool;

// Frees everything and zeroes it. Thread: owner.
void result_pool_release(ResultPool *input);

// The pool as the statistics want it; borrowed from `input`. Thread: any reader.
// Valid until the next result is added, which may move the tables.
RatingInput result_pool_view(const ResultPool *input);

// Index of a player, -1 when there is none. Thread: any reader.
int result_pool_find(const ResultPool *input, const char *name);

// Used by the readers. A player's index, added when new; -1 when memory is out.
int result_pool_player(ResultPool *input, const char *name);
// Adds counts of an ordered pair; `games` holds player indices of this input. Thread: owner.
// Counts of a pair that is there already are added up, so that files may repeat pairings.
MUST_CHECK Status result_pool_add_counts(ResultPool *input, const RatingCount *games,
                                         ErrorText *err);
// Adds whole pairs of a pairing; their games must be added as counts, too. Thread: owner.
MUST_CHECK Status result_pool_add_pairs(ResultPool *input, const RatingPairs *pairs,
                                        ErrorText *err);
