// SPDX-License-Identifier: GPL-3.0-or-later
// Our own engine at the board, in this process.
#pragma once

#include "harness/play/seat.h"
#include "harness/record/experiment.h"

// A seat with an engine of its own, made once and cleared for every game. Fails as engine_new does.
// Freed by seat_free. Thread: owner.
Status engine_seat_new(const Experiment *experiment, int player, Seat **out,
                       ErrorText *err) MUST_CHECK;

// Could the seat be made? Asks engine_new and frees what it made at once: the tables are address
// space that is never touched, so the size of a table costs no time. Fails as engine_seat_new does.
// Thread: any.
Status engine_seat_check(const Experiment *experiment, int player, ErrorText *err) MUST_CHECK;
