// SPDX-License-Identifier: GPL-3.0-or-later
// The evaluation model `shape`: real Gomoku shapes (board/pattern.h), each counted once with a
// weight of its own.
//
// value = own - defense * opponent, the second term rounded to a whole number; antisymmetric at
// defense 1. A stone changes four lines; on each, its own segment gains a stone and the enemy's
// segment is cut in two, five table look-ups in all. The point score of a cell is what a stone
// there would add to its colour's sum.
#pragma once

#include "engine/eval/eval_model.h"

extern const EvalModel SHAPE_MODEL; // read-only row of the table of models
