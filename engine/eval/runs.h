// SPDX-License-Identifier: GPL-3.0-or-later
// The evaluation models that count runs: unbroken rows of one colour, their length and their open
// ends. Gaps are ignored.
//
//     stone_runs  every stone is worth, in each of the four directions, the run it stands in:
//                 an open three counts thrice
//     line_runs   every maximal run counts once
//     placement   nothing on the board counts, only what a stone on the best empty cell would be
//                 worth: for greedy players
//
// A run of `length` stones with `open` ends on empty cells (enemy stones and the border close an
// end) is worth eval.five from five on (under "exactly five wins" a longer one is worth nothing),
// eval.open_four / open_three / open_two with two open ends, eval.four / three / two with one,
// nothing with none; a lone stone is always worth eval.one. With eval.steps N (stone_runs,
// placement) a stone sees at most N cells to each side; an end it does not see counts as open.
//
// The point score of a cell is the worth of the runs through a stone there. A placed stone
// lengthens and joins runs of its own and closes ends of the enemy's: a few table look-ups a line.
#pragma once

#include "engine/eval/eval_model.h"

extern const EvalModel STONE_RUNS_MODEL, LINE_RUNS_MODEL,
    PLACEMENT_MODEL; // read-only rows of the table of models
