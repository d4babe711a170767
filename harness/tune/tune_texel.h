// SPDX-License-Identifier: GPL-3.0-or-later
// The regression as a stage of a tune: positions of a stored experiment in, coordinates out.
#pragma once

#include "harness/tune/tune_spec.h"

// Fits the knobs of the tune to the database that it names; writes the coordinates of the answer to
// `u` and says in words what was found (one line a knob). STATUS_INVALID: no database is named, or
// it has no positions; what texel_positions_add and texel_fit say. Thread: any.
Status tune_texel(const TuneSpec *spec, double *u, Text *report, ErrorText *err) MUST_CHECK;

// Before anything is written: are all knobs of the evaluation, and is there something to learn
// from? STATUS_INVALID as above, or what store_open says. Thread: any.
Status tune_texel_check(const TuneSpec *spec, ErrorText *err) MUST_CHECK;
