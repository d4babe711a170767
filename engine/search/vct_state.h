// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a VCT solver, shared by its search (vct.c) and its moves (vct_moves.c).
#pragma once

#include "engine/search/vcf.h"
#include "engine/search/vct_table.h"

// What does not fit is given up, and the answer then is "unknown".
enum {
    VCT_MAX_PLY = 160,        // longest line looked at
    VCT_MAX_CHILDREN = 16384, // moves of all positions of one line together
};

// A move and what is known of the position after it, numbers from the attacker's view as
// everywhere.
typedef struct VctChild {
    uint64_t key;
    uint32_t pn, dn;
    Move move;
    int16_t plies; // to the five, in a proved position
} VctChild;

// Two solvers in one process share nothing. The limits are those of the current question.
typedef struct VctSolver {
    VcfSolver *vcf;     // borrowed, with its board and map
    VctTable table;     // owned
    VctChild *children; // owned: the moves of one line's positions, a stack
    int children_used;
    // Whose threats are tried. The board says whose turn it is; the key with the salt says both.
    Colour attacker;
    uint64_t salt;
    // Of the question in progress; 0 nodes = no limit. Once `stopped` is true nothing more is
    // proved, and what is known so far stands.
    uint64_t nodes, node_limit;
    SolverStop stop;
    bool stopped;
    // Then "no" would be no proof.
    bool cut_by_size; // a line was too long to be looked at
} VctSolver;
