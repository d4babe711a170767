// SPDX-License-Identifier: GPL-3.0-or-later
// The players that do not look ahead: the best point score, and a candidate at random.
#include "engine/search/movepick.h"
#include "engine/search/search.h"

// moves.empty for players that ask no movepick.
static Move centre_or_none(const Search *search) {
    bool centre = knob_int(&search->knobs, KNOB_MOVES_EMPTY) == MOVES_EMPTY_CENTRE;
    return centre && search->board->stone_count == 0 ? board_centre(search->board)
                                                     : (Move)MOVE_NONE;
}

void greedy_root(Search *search, SearchResult *result) {
    Move candidates[BOARD_MAX_CELLS];
    const Board *board = search->board;
    int count = board_candidates(board, candidates);
    *result = (SearchResult){.move = centre_or_none(search), .value = -INFINITY};
    if (count == 0 || result->move != MOVE_NONE) {
        result->value =
            result->move == MOVE_NONE ? search_no_moves_value(search) : search_static(search);
        return;
    }
    search_count_node(search, 0);
    search->cost.interior++;
    search->cost.branches += (uint64_t)count;
    for (int i = 0; i < count; i++) {
        double own = eval_point(search->eval, board, candidates[i], board->side);
        double enemy = eval_point(search->eval, board, candidates[i], colour_other(board->side));
        // In the arithmetic of eval.defense, but not rounded: only the order of scores matters.
        double score = search->eval->own_scale * own + search->eval->enemy_weight * enemy;
        search->cost.leaves++;
        if (score > result->value) { // equal scores: the first in board order stays
            result->value = score;
            result->move = candidates[i];
        }
    }
    search->cost.depth = 1;
}

void random_root(Search *search, SearchResult *result) {
    Move candidates[BOARD_MAX_CELLS];
    int count = board_candidates(search->board, candidates);
    Move move = centre_or_none(search);
    if (move == MOVE_NONE && count > 0)
        move = candidates[rng_below(&search->rng, (uint64_t)count)];
    *result = (SearchResult){.move = move, .value = search_static(search)};
}
