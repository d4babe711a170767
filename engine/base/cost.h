// SPDX-License-Identifier: GPL-3.0-or-later
// What a search cost, in the words that every table, column and report of gomolab uses.
#pragma once

#include <stdint.h>

typedef struct SearchCost {
    uint64_t
        nodes; // entries of the search function (the root counts by the knob search.count_root)
    uint64_t interior;      // nodes that looped over moves
    uint64_t leaves;        // static evaluations
    uint64_t cutoffs;       // loops over moves that were left early
    uint64_t first_cutoffs; // of those, at the first move
    uint64_t branches;  // moves that the interior nodes had to choose from, summed; / interior =
                        // branching b
    uint64_t tt_probes; // transposition table look-ups
    uint64_t tt_hits;   // of those, entries of this very position
    int64_t time_us;    // wall time
    int depth;          // depth of the last completed search, in plies
    int seldepth;       // deepest ply reached below the root
} SearchCost;
