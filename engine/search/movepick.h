// SPDX-License-Identifier: GPL-3.0-or-later
// Candidates of a node: which moves are kept (moves.limit by moves.select) and in which order they
// are searched (search.order). The set never depends on the ordering; ties in both are broken by
// board order.
#pragma once

#include "engine/search/movepick_quick.h"
#include "engine/search/search_state.h"

// Fills list[ply] with the candidates of the current position in search order; `first`, if among
// them, goes to the front (MOVE_NONE: no such wish). Returns the list. Thread: owner.
MoveList *movepick_fill(Search *search, int ply, Move first);

// The same, but when the ordering begins with the ranking of moves.limit only move[0] is placed at
// first: ask for moves by movepick_move(), one index after another. Thread: owner.
MoveList *movepick_begin(Search *search, int ply, Move first);

// Ranks what movepick_begin left in the pool of list[ply]; the position must be the node's again.
// Thread: owner.
void movepick_rank_pool(Search *search, int ply);

// The `index`th move of list[ply] after movepick_begin. Thread: owner.
static inline Move movepick_move(Search *search, int ply, int index) {
    if (index >= search->list[ply].picked && search->list[ply].picked >= 0)
        movepick_pick(search, ply, index);
    else if (index == 1 && search->list[ply].pool_count)
        movepick_rank_pool(search, ply);
    return search->list[ply].move[index];
}

// Learns from a cutoff by `move`, the `index`th of the list: killers, counter-moves and history as
// the knobs say.
// Thread: owner.
void movepick_learn(Search *search, int depth_plies, int ply, Move move, int index);
