// SPDX-License-Identifier: GPL-3.0-or-later
// Lines: the rows, columns and diagonals of a board as machine words, and where each cell lies on
// them.
//
// A line is a word a colour: bit (position + LINE_PAD) is set where a stone of that colour stands.
// A third word, the same for every board of a size, has the bits that are no cell of the line
// ("wall"). A row, a diagonal and an anti-diagonal place a cell at bit x + LINE_PAD, a column at
// bit y + LINE_PAD, so windows of +-LINE_PAD cells never leave the word and bit 0 and bit 31 are
// always wall. From the words, runs and segments are found by counting zeros, without loops.
#pragma once

#include "engine/base/bits.h"
#include "engine/board/move.h"

#include <stdbool.h>
#include <stdint.h>

// 5 cells are as far as any rule looks: 4 for a five, one more for the stone that makes it an
// overline. 22 + 2 * 5 bits fill a word, which is why boards end at 22.
enum {
    LINE_PAD = 5,        // wall bits below and above the longest line
    LINE_DIRECTIONS = 4, // row, column, diagonal \, anti-diagonal /
    LINE_MAX =
        2 * BOARD_MAX_SIDE + 2 * (2 * BOARD_MAX_SIDE - 1), // lines of all directions together
};

// Both colours side by side: whoever asks for one asks for the other as a rule.
typedef struct LineStones {
    uint32_t stones[COLOUR_NB]; // bit set = a stone of that colour
} LineStones;

// Eight bytes: where a cell lies on its four lines, fetched together.
typedef struct CellLines {
    uint8_t line[LINE_DIRECTIONS]; // index of the line through the cell, by direction
    uint8_t bit[LINE_DIRECTIONS];  // the cell's bit on that line
} CellLines;

// What depends on the size of the board only. Filled once, then read-only, any thread.
typedef struct LineGeometry {
    uint8_t width, height;
    uint8_t line_count;           // lines in use, all directions; the first `height` are the rows
    uint8_t direction[LINE_MAX];  // 0..3 in the order of LINE_DIRECTIONS
    uint8_t length[LINE_MAX];     // cells of the line
    uint32_t wall[LINE_MAX];      // bits that are no cell of the line
    int16_t first_cell[LINE_MAX]; // cell at the lowest bit of the line
    int16_t cell_step[LINE_MAX];  // index difference from one bit to the next
    CellLines cell[BOARD_MAX_CELLS]; // by cell index
} LineGeometry;

// Fills *geometry for a width x height board, sides 2..22. Thread: owner, before it is shared.
void line_geometry_init(LineGeometry *geometry, int width, int height);

// The cell at `bit` of line `line`; the bit must be a cell of it. Thread: any.
static inline Move line_cell(const LineGeometry *geometry, int line, int bit) {
    return (Move)(geometry->first_cell[line] +
                  (bit - bits_lowest(~geometry->wall[line])) * geometry->cell_step[line]);
}

// Own stones directly above `bit` (0..30), towards higher bits. Thread: any.
static inline int line_run_up(uint32_t own, int bit) { return bits_lowest(~(own >> bit >> 1)); }

// Own stones directly below `bit` (1..31). Thread: any.
static inline int line_run_down(uint32_t own, int bit) {
    return bit - 1 - bits_highest((~own & bits_below(bit)) | 1u);
}

// Are both neighbours of `bit` (1..30) clear in the word? Most cells' are: nothing else need be
// looked at. Thread: any.
static inline bool line_is_lonely(uint32_t word, int bit) { return (word >> (bit - 1) & 5u) == 0; }

// A stretch of a line around a bit that holds no stopper.
typedef struct LineSegment {
    int low;    // lowest bit of the segment
    int length; // cells
} LineSegment;

// The segment around `bit` between the nearest stoppers (enemy stones or wall) on both sides;
// whether `bit` itself is one does not matter. Bits 0 and 31 must be stoppers, as walls are.
// Thread: any.
static inline LineSegment line_segment(uint32_t stoppers, int bit) {
    int low = bits_highest(stoppers & bits_below(bit)) + 1;
    int high = bit + bits_lowest(stoppers >> bit >> 1);
    return (LineSegment){.low = low, .length = high - low + 1};
}
