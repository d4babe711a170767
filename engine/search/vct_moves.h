// SPDX-License-Identifier: GPL-3.0-or-later
// The two sides of a VCT: what a position says without search, and the moves that matter in it.
#pragma once

#include "engine/search/vct_state.h"

// Is it the attacker's turn? Thread: owner.
static inline bool vct_attacking(const VctSolver *solver) {
    return solver->vcf->board->side == solver->attacker;
}

// The key of the position in the solver's table. Thread: owner.
static inline uint64_t vct_key(const VctSolver *solver) {
    return solver->vcf->board->key ^ solver->salt;
}

// Plays a move of the side to move on board and map. Thread: owner.
void vct_place(VctSolver *solver, Move move);

// Takes the last move back from both. Thread: owner.
void vct_undo(VctSolver *solver);

// Counts positions; raises `stopped` at the limit or when told to stop. Thread: owner.
void vct_count(VctSolver *solver, uint64_t nodes);

// Does the side to move, the attacker, win by fours that few nodes find? Thread: owner.
bool vct_fours(VctSolver *solver, VcfResult *result);

// Defender to move: what the threats on the board say. Numbers of 1 when they say nothing. Thread:
// owner.
VctNumbers vct_judge_defence(const VctSolver *solver);

// Writes the moves that matter for the side to move with what is known of them; `out` has room for
// every cell. For the defender -1: nothing is threatened; 0: nothing helps. Thread: owner.
int vct_children(VctSolver *solver, VctChild *out);

// A cell where the attacker would make an open four, or two fours; MOVE_NONE when there is none.
// Thread: owner.
Move vct_open_four(const VctSolver *solver);
