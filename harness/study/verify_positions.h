// SPDX-License-Identifier: GPL-3.0-or-later
// Where positions for a verification come from, besides files: random games, and the games of a
// database.
#pragma once

#include "harness/record/positions.h"

typedef struct RandomPositions {
    int64_t count;
    int min_plies, max_plies; // stones on the board, drawn evenly
    uint64_t seed;
    int board_side;
    Rule rule;
} RandomPositions;

// Appends positions of random games: each stone on a random empty cell within two cells of another,
// the first one near the centre; no game is won yet. The same seed gives the same positions on
// every machine, whatever the count. STATUS_INVALID when no such game lasts so long. Thread: owner.
Status verify_positions_random(const RandomPositions *wish, PositionList *list,
                               ErrorText *err) MUST_CHECK;

// Appends every position of the games in the database in which somebody had to choose a move, up to
// `limit` positions (0 = all), evenly thinned. *rule gets the rule of the experiment.
// STATUS_INVALID when there is none; failures of the store. Thread: owner.
Status verify_positions_database(const char *path, int64_t limit, PositionList *list, Rule *rule,
                                 ErrorText *err) MUST_CHECK;
