// SPDX-License-Identifier: GPL-3.0-or-later
// The shapes of Gomoku on one line, counted for whole segments by one table look-up.
//
// Enemy stones and the border cut a line into segments of own stones and empty cells. What a colour
// has on a segment depends on nothing else, so a table over (length, stones) holds it exactly: for
// each shape, how many there are. A shape is a group of stones that share windows of five, and is
// counted once however many stones it has; stones of a stronger shape are not counted again in a
// weaker one. Strongest first, with own stones X and empty cells _:
//
//   five        XXXXX            a row that wins under the rule
//   open four   _XXXX_  X_XXX_X  two or more cells complete a five
//   four        XXXX_  XX_XX     one cell completes a five (closed four, broken four)
//   open three  _XXX__  _XX_X_   one stone makes an open four
//   three       XXX__  X_X_X     one stone makes a four, none an open four
//   open two    __XX__  _X_X__   one stone makes an open three
//   two         XX___  X___X     one stone makes a three, none an open three
//
// Under "exactly five wins" a window next to an own stone completes nothing. Tables are made for k
// = 5, filled once a rule and size class, then shared read-only by all threads.
#pragma once

#include "engine/board/move.h"
#include "engine/board/rule.h"

#include <stdint.h>

// Strongest first; open and closed in pairs, which pattern_table.c relies on.
typedef enum Pattern {
    PATTERN_FIVE,
    PATTERN_OPEN_FOUR,
    PATTERN_FOUR,
    PATTERN_OPEN_THREE,
    PATTERN_THREE,
    PATTERN_OPEN_TWO,
    PATTERN_TWO,
    PATTERN_NB
} Pattern;

// Four bits a shape: count of `pattern` = counts >> (4 * pattern) & 15.
typedef uint32_t PatternCounts;

// The count of one shape. Thread: any.
static inline int pattern_count(PatternCounts counts, Pattern pattern) {
    return (int)(counts >> (4 * pattern) & 15u);
}

// Index of a segment of `length` cells (0..22) whose bit i is set where cell i holds an own stone.
// Thread: any.
static inline uint32_t pattern_index(int length, uint32_t stones) {
    return (uint32_t)1 << length | stones;
}

// What is on one segment, by the definition above. Slow: pattern_table.h has the answers of all.
// Thread: any.
PatternCounts pattern_slow_counts(Rule rule, int length, uint32_t stones);
