// SPDX-License-Identifier: GPL-3.0-or-later
// The seat that a player of an experiment needs: in this process or behind pipes.
#pragma once

#include "harness/play/seat.h"
#include "harness/record/experiment.h"

// Opens the seat. Freed by seat_free. Fails as its kind does. Thread: owner; the seat belongs to
// the calling thread.
Status seat_open(const Experiment *experiment, int player, Seat **out, ErrorText *err) MUST_CHECK;

// Can every program of the experiment be executed at all? STATUS_IO with the path and the reason
// when not. Each is started and killed at once. Thread: any.
Status seats_probe(const Experiment *experiment, ErrorText *err) MUST_CHECK;

// Can every player of the experiment sit down? Programs as seats_probe; our own engine must be able
// to play this size, rule and k with these knobs, and have the memory. Nothing is kept, and tables
// are not touched. For whoever wants to know before anything is written. Thread: any.
Status seats_check(const Experiment *experiment, ErrorText *err) MUST_CHECK;
