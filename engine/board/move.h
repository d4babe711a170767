// SPDX-License-Identifier: GPL-3.0-or-later
// Cells, colours and the limits of a board.
//
// A Move is a cell index, row * width + column, counted from the top left; "board order" everywhere
// is ascending index.
#pragma once

#include <stdint.h>

// 22 cells and the walls beside them fill a 32-bit word (line.h).
enum {
    BOARD_MIN_SIDE = 2,
    BOARD_MAX_SIDE = 22,
    BOARD_MAX_CELLS = BOARD_MAX_SIDE * BOARD_MAX_SIDE,
    BOARD_MIN_K = 2, // stones in a row that win
    BOARD_MAX_K = 6,
};

// A cell index, or MOVE_NONE.
typedef int16_t Move;
enum { MOVE_NONE = -1 };

// EMPTY is no colour, but what `cells` of a board hold where no stone is.
typedef enum Colour { BLACK = 0, WHITE = 1, COLOUR_NB = 2, EMPTY = 2 } Colour;

// The other player; `colour` is BLACK or WHITE. Thread: any.
static inline Colour colour_other(Colour colour) { return (Colour)(colour ^ 1); }
