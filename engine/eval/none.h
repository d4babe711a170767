// SPDX-License-Identifier: GPL-3.0-or-later
// The evaluation model `none`: every position is worth 0, every point 0. It sees won and lost lines
// only, on any board and any k: the evaluation for verifying searches in small worlds, and the
// baseline for all others.
#pragma once

#include "engine/eval/eval_model.h"

extern const EvalModel NONE_MODEL; // read-only row of the table of models
