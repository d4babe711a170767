// SPDX-License-Identifier: GPL-3.0-or-later
// Candidates of a node: which moves are kept (moves.limit by moves.select) and in which order they
// are searched (search.order). The set never depends on the ordering; ties in both are broken by
// board order.
#pragma once

#include "engine/search/search_state.h"

// Fills list[ply] with the candidates of the current position in search order; `first`, if among
// them, goes to the front (MOVE_NONE: no such wish). Returns the list. Thread: owner.
MoveList *movepick_fill(Search *search, int ply, Move first);

// The same, but when the ordering is the ranking of moves.limit only move[0] is placed at first:
// ask for moves by movepick_move(), one index after another. Thread: owner.
MoveList *movepick_begin(Search *search, int ply, Move first);

// Ranks what movepick_begin left in the pool. Thread: owner.
void movepick_rank_pool(MoveList *list);

// The `index`th move of a list from movepick_begin. Thread: owner.
static inline Move movepick_move(MoveList *list, int index) {
    if (index == 1 && list->pool_count)
        movepick_rank_pool(list);
    return list->move[index];
}

// Learns from a cutoff by `move`, the `index`th of the list: killers and history as the knobs say.
// Thread: owner.
void movepick_learn(Search *search, int depth_plies, int ply, Move move, int index);
