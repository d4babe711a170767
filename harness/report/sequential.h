// SPDX-License-Identifier: GPL-3.0-or-later
// The sequential test of an experiment, taken again from its stored games: whole pairs in the order
// of the plan.
#pragma once

#include "harness/stats/sprt.h"
#include "harness/store/store_rows.h"

#include <stdbool.h>

// The test of one database, while games are fed to it and afterwards.
// The same pairs in the same order as in the run, so that the same verdict comes out, however the
// games were spread over workers and sittings.
typedef struct SequentialTest {
    bool is_asked;     // the experiment has a test
    SprtTest test;     // seen from player 0
    int64_t next_pair; // pairs before it are all in the test
    int64_t waiting;   // whole pairs that wait for one before them
    StoreGame held;    // first game of a pair
    bool has_held;
} SequentialTest;

// A test with no pairs, with the parameters that `identity` (of a StoreExperiment) has; not asked
// for when it has none that make sense. Thread: any.
SequentialTest sequential_init(const char *identity);

// Takes the next game in slot order, players as numbered in its database. Thread: owner.
// A game whose twin has not come yet waits in `held`.
void sequential_add_game(SequentialTest *test, const StoreGame *game);
