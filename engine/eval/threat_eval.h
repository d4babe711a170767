// SPDX-License-Identifier: GPL-3.0-or-later
// The evaluation model `threat`: what every empty cell would be worth to either side, summed up,
// and a bonus for the side to move by the strongest threats that both sides could make.
//
// A cell is worth what its four line classes say (cell_pattern.h), with a premium where they
// combine to a threat. The sums are kept by the threat map; the point score of a cell is its worth.
// eval.defense weighs the enemy's part.
#pragma once

#include "engine/eval/eval_model.h"

extern const EvalModel THREAT_MODEL; // read-only row of the table of models
