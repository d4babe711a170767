// SPDX-License-Identifier: GPL-3.0-or-later
// Our own engine at the board, in this process.
#pragma once

#include "harness/play/seat.h"
#include "harness/record/experiment.h"

// A seat with an engine of its own, made once and cleared for every game. Fails as engine_new does.
// Freed by seat_free. Thread: owner.
Status engine_seat_new(const Experiment *experiment, int player, Seat **out,
                       ErrorText *err) MUST_CHECK;
