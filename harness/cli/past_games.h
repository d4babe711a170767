// SPDX-License-Identifier: GPL-3.0-or-later
// The games that a database holds already, for the pool: read in small steps, so that neither
// memory nor SQLite's log depends on their number.
#pragma once

#include "harness/play/pool.h"
#include "harness/store/store_read.h"

enum { PAST_GAMES_STEP = 1024 };

// Large: for the heap. Between two steps no statement is open, so that the writer's log can shrink.
typedef struct PastReader {
    Store *store; // borrowed; a reader of its own
    int64_t from; // slot where the next step begins
    bool is_over;
    int next, count; // of what has been read
    PastGame games[PAST_GAMES_STEP];
} PastReader;

// A reader from the first slot on. `reader` must stay where it is while the interface is used.
// Thread: owner. Games come in slot order, as the pool needs them to put each in its place in the
// plan.
PastGames past_games_of(PastReader *reader, Store *store);
