// SPDX-License-Identifier: GPL-3.0-or-later
// The class of one line through an empty cell, read from the board: for those who ask now and then
// and keep no threat map.
#pragma once

#include "engine/board/board.h"
#include "engine/board/cell_pattern.h"

// What a stone of `colour` on the empty cell would make in direction `d` (0..LINE_DIRECTIONS-1).
// `table` is that of the board's rule; k is 5. Thread: any reader.
static inline LineClass cell_line_class(const CellPatternTable *table, const Board *board,
                                        Move cell, int d, Colour colour) {
    const CellLines *at = &board->geometry.cell[cell];
    const LineStones *line = &board->line[at->line[d]];
    uint32_t wall = board->geometry.wall[at->line[d]];
    uint32_t window = cell_pattern_window(table->reach, line->stones[BLACK] | wall,
                                          line->stones[WHITE] | wall, at->bit[d]);
    int classes = table->lines[window];
    return (LineClass)(colour == BLACK ? classes & 15 : classes >> 4);
}
