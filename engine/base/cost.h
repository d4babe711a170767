// SPDX-License-Identifier: GPL-3.0-or-later
// What a search cost, in the words that every table, column and report of gomolab uses.
//
// Every algorithm counts the same things in the same places (search/search.h), so that costs can be
// compared; mcts.c says what a node is to it. What an algorithm does not have stays 0. Ratios are
// left to whoever shows them: counts of several moves can be added up, ratios cannot.
#pragma once

#include <stdint.h>

typedef struct SearchCost {
    // Entries of the search function; the root counts by the knob search.count_root.
    uint64_t nodes;
    // Nodes that looped over moves, and static evaluations. Not all of the nodes: some end by the
    // rule, by the table or by a cut before either.
    uint64_t interior, leaves;
    // Loops over moves that were left early; of those, at the first move. Their ratio is the usual
    // measure of move ordering.
    uint64_t cutoffs, first_cutoffs;
    // Moves that the interior nodes had to choose from, summed: over interior the branching b.
    uint64_t branches;
    // Look-ups in the transposition table; of those, entries of this very position.
    uint64_t tt_probes, tt_hits;
    int64_t time_us; // wall time
    int depth;       // depth of the last completed search, in plies
    int seldepth;    // deepest ply reached below the root
} SearchCost;
