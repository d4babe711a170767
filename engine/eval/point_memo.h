// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of a cell's point scores, by direction, and for which stones on its four lines that
// is true. Looking at four words tells whether it still holds; only the directions that changed are
// computed again. One cache line a cell.
#pragma once

#include "engine/board/board.h"

// 64 bytes: the lines as they were when the gains were computed, and the gains.
typedef struct PointMemo {
    LineStones seen[LINE_DIRECTIONS];
    int32_t gain[COLOUR_NB][LINE_DIRECTIONS];
} PointMemo;

// Fills memos with lines that are black and white everywhere: never seen on a board. `memset(memo,
// POINT_MEMO_NEVER, ...)`.
enum { POINT_MEMO_NEVER = 0xff };

// Does the memo hold for the stones on its line in direction `d`? Thread: owner.
static inline bool point_memo_holds(const PointMemo *memo, int d, LineStones line) {
    return line.stones[BLACK] == memo->seen[d].stones[BLACK] &&
           line.stones[WHITE] == memo->seen[d].stones[WHITE];
}

// The score of one colour, or of both: the sum over the directions. Thread: owner.
static inline int32_t point_memo_sum(const PointMemo *memo, Colour colour) {
    const int32_t *gain = memo->gain[colour];
    return gain[0] + gain[1] + gain[2] + gain[3];
}
