// SPDX-License-Identifier: GPL-3.0-or-later
// Random positions for property tests: the same seed gives the same boards on every machine.
#pragma once

#include "engine/base/check.h"
#include "engine/base/rng.h"
#include "engine/board/board.h"

// An empty board of the size; aborts on impossible arguments.
static inline void fresh_board(Board *board, int width, int height, int k, Rule rule, int radius) {
    ErrorText err = {{0}};
    Status status = board_init(board, width, height, k, rule, radius, &err);
    CHECK(status == STATUS_OK);
}

// A random empty cell; the board must not be full. With `near`, one within the candidate radius
// when there is any.
static inline Move random_free_cell(const Board *board, Rng *rng, bool near) {
    Move moves[BOARD_MAX_CELLS];
    int count = near ? board_candidates(board, moves) : 0;
    if (count == 0)
        for (int cell = 0; cell < board_cell_count(board); cell++)
            if (board->cells[cell] == EMPTY)
                moves[count++] = (Move)cell;
    CHECK(count > 0);
    return moves[rng_below(rng, (uint64_t)count)];
}

// Places up to `plies` random stones, three of four near others.
static inline void random_stones(Board *board, Rng *rng, int plies) {
    for (int i = 0; i < plies && !board_is_full(board); i++)
        board_place(board, random_free_cell(board, rng, rng_below(rng, 4) != 0));
}

// The cell that `cell` becomes under symmetry 0..7 of a square board.
static inline Move symmetric_cell(const Board *board, Move cell, int symmetry) {
    int n = board->width - 1, x = cell % board->width, y = cell / board->width;
    if (symmetry & 1)
        x = n - x;
    if (symmetry & 2)
        y = n - y;
    if (symmetry & 4) {
        int swap = x;
        x = y;
        y = swap;
    }
    return (Move)(y * board->width + x);
}
