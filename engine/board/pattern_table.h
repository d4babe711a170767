// SPDX-License-Identifier: GPL-3.0-or-later
// The answers of pattern.h for every segment, in one look-up.
//
// Filled by the same definition, but with all windows of a segment looked at at once: a set of
// windows is a word, whose bit i stands for the window of cells i..i+4. Stones in every window are
// counted by bit-sliced addition, groups are runs of such bits, and the mirror image of a segment
// has its counts, so that half of the entries are copies. An entry takes 25 to 50 ns that way.
#pragma once

#include "engine/board/pattern.h"

// The table for segments of up to `max_length` cells (5..22) under the rule: entry
// pattern_index(length, stones). Made on the first call (2 ms up to 15, 50 ms at 20, 0.2 s at 22),
// then shared; NULL when memory is out. Thread: any.
const PatternCounts *pattern_table(Rule rule, int max_length);

// Would pattern_table answer at once, because the table was made before? Who has a clock to keep
// asks for the tables first; this says whether it did. Thread: any.
bool pattern_table_is_made(Rule rule, int max_length);
