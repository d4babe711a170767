// SPDX-License-Identifier: GPL-3.0-or-later
// Moves without a search.
#include "engine/search/instant.h"

// The first stone: the centre, or one of the cells within a king's step of it.
static Move opening_move(Search *search) {
    const Board *board = search->board;
    int opening = (int)knob_int(&search->knobs, KNOB_PLAY_OPENING);
    if (board->stone_count > 0 || opening == OPENING_BY_SEARCH)
        return MOVE_NONE;
    // Boards without a ring around the centre have nothing to draw from.
    Move centre = board_centre(board);
    if (opening == OPENING_CENTRE || board->width < 3 || board->height < 3)
        return centre;
    int step = (int)rng_below(&search->rng, 9);
    return (Move)(centre + (step / 3 - 1) * board->width + step % 3 - 1);
}

// The first candidate in board order where a stone of `colour` wins.
static Move winning_candidate(const Board *board, Colour colour) {
    Move candidates[BOARD_MAX_CELLS];
    int count = board_candidates(board, candidates);
    for (int i = 0; i < count; i++)
        if (board_wins_at(board, candidates[i], colour))
            return candidates[i];
    return MOVE_NONE;
}

static Move prechecked_move(const Search *search) {
    int precheck = (int)knob_int(&search->knobs, KNOB_PLAY_PRECHECK);
    Colour mover = search->board->side;
    Move move =
        precheck == PRECHECK_NONE ? (Move)MOVE_NONE : winning_candidate(search->board, mover);
    if (move == MOVE_NONE && precheck == PRECHECK_WIN_BLOCK)
        move = winning_candidate(search->board, colour_other(mover));
    return move;
}

bool instant_move(Search *search, SearchResult *result) {
    double chance = knob_real(&search->knobs, KNOB_PLAY_RANDOMNESS);
    Move move = opening_move(search);
    // A number is drawn only where chance is on: games without it do not depend on the generator.
    if (move == MOVE_NONE && chance > 0 && rng_unit(&search->rng) < chance) {
        random_root(search, result);
        move = result->move;
    }
    if (move == MOVE_NONE)
        move = prechecked_move(search);
    if (move == MOVE_NONE)
        return false;
    // As a search would leave it, for whoever reads costs and values next.
    search->own = search->board->side;
    search->cost = (SearchCost){0};
    search->stopped = false;
    *result = (SearchResult){.move = move, .value = NAN, .pv = {.move = {move}, .length = 1}};
    return true;
}

Move instant_any_move(const Search *search) {
    Move candidates[BOARD_MAX_CELLS];
    if (board_candidates(search->board, candidates) > 0)
        return candidates[0];
    for (Move cell = 0; cell < board_cell_count(search->board); cell++)
        if (board_is_free(search->board, cell))
            return cell;
    return MOVE_NONE;
}
