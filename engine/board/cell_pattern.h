// SPDX-License-Identifier: GPL-3.0-or-later
// What a stone on an empty cell would make on one line, and on all four together.
//
// Looked at from the cell, a line is a window: 4 cells to each side under freestyle, 5 where an
// overline matters. A table over the stones in the window gives, for both colours at once, the
// class of the line with a stone of that colour on the cell. Classes come from what the next stone
// could make of it, down from the five, so broken shapes need no list:
//
//   five, open four (two or more cells complete a five), four (one does), open three (a stone makes
//   an open four), three (a stone makes a four), open two, two, open one, one, dead (no five is
//   possible any more)
//
// The four classes of a cell, four bits each, are its code; a second table gives the code's
// combined threat class. The idea of window tables with order-free codes is Rapfi's
// (github.com/dhbloo/rapfi); classes and tables are our own.
#pragma once

#include "engine/base/bits.h"
#include "engine/board/line.h"
#include "engine/board/rule.h"

#include <stdint.h>

// Class of one line, were a stone on the cell. Ordered by worth.
typedef enum LineClass {
    LINE_DEAD,
    LINE_ONE,
    LINE_OPEN_ONE,
    LINE_TWO,
    LINE_OPEN_TWO,        // one cell makes an open three
    LINE_OPEN_TWO_WIDE,   // two or three cells do
    LINE_OPEN_TWO_WIDEST, // four or more do
    LINE_THREE,
    LINE_OPEN_THREE,        // one cell makes an open four
    LINE_OPEN_THREE_STRONG, // two or more do
    LINE_FOUR,
    LINE_OPEN_FOUR,
    LINE_FIVE,
    LINE_CLASS_NB
} LineClass;

// Combined threat of a cell for one colour. Ordered by force.
typedef enum CellThreat {
    THREAT_NONE,
    THREAT_OPEN_TWO,        // an open two
    THREAT_TWO_OPEN_TWOS,   // two or more of them
    THREAT_THREE,           // a closed three and perhaps more below
    THREAT_OPEN_THREE,      // one open three
    THREAT_OPEN_THREE_PLUS, // and a closed three or an open two
    THREAT_DOUBLE_THREE,    // two open threes
    THREAT_FOUR,            // a four that must be answered
    THREAT_FOUR_PLUS,       // and a closed three or an open two
    THREAT_FOUR_THREE,      // a four and an open three
    THREAT_OPEN_FOUR,       // an open four, or two fours at once: no single answer
    THREAT_FIVE,            // wins at once
    THREAT_NB
} CellThreat;

typedef uint16_t CellCode; // four LineClass values, direction d at bits 4d..4d+3

// A view of a shared table, to be copied freely.
typedef struct CellPatternTable {
    int reach;            // cells looked at to each side: 4 or 5
    const uint8_t *lines; // by window: class of black in the low half, of white in the high half
} CellPatternTable;

// The table of a rule: made on the first call (a few milliseconds), then shared read-only. lines is
// NULL when memory is out. Thread: any.
CellPatternTable cell_pattern_table(Rule rule);

// The combined threat of a code, for every code. Made on the first call, then shared read-only.
// Thread: any.
const uint8_t *cell_threat_table(void);

// Index into table->lines for the cell at `bit` of a line whose words have the wall in both
// colours. The cell itself is left out. Thread: any.
static inline uint32_t cell_pattern_window(int reach, uint32_t black, uint32_t white, int bit) {
    uint32_t b = black >> (bit - reach), w = white >> (bit - reach), low = bits_below(reach);
    uint32_t side_b = (b & low) | (b >> 1 & low << reach);
    uint32_t side_w = (w & low) | (w >> 1 & low << reach);
    return side_b | side_w << 2 * reach;
}

// The class of one line for `colour` by the definition, without tables: `own` and `blocked` are
// windows of 2 * reach + 1 cells with the cell itself at bit `reach`. Slow: the oracle of the
// tests. Thread: any.
LineClass cell_pattern_slow(Rule rule, uint32_t own, uint32_t blocked);
