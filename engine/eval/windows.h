// SPDX-License-Identifier: GPL-3.0-or-later
// The evaluation model `windows`: a table of what five cells in a row are worth, summed over every
// window of the board, minus a penalty for each cell where the enemy would make a five.
//
// Each of the five cells is own, enemy or empty: 243 entries. `lit` holds the six entries that the
// tutorial prints (three or four own stones in a row at an end, two in the middle); `full`
// completes it by stone counts for both sides: 10, 200, 450, 900, 1000 for 1..5 stones of one
// colour and nothing of the other, the printed values where both colours stand in a window (0
// elsewhere), and minus the same with the colours exchanged. Windows across the border count
// nothing.
//
// value = sum of the table from own's view - eval.kill_penalty * kills of the enemy, where kills
// are the empty cells at which a stone leaves the board with a winning row of that colour: all of
// them if it has one already. The point score of a cell is what a stone there adds to the sum from
// its own colour's view.
#pragma once

#include "engine/eval/eval_model.h"

extern const EvalModel WINDOWS_MODEL; // read-only row of the table of models
