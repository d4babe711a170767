// SPDX-License-Identifier: GPL-3.0-or-later
// What a tune has to live on: its openings, shared out once, and its budget.
#pragma once

#include "harness/play/opening.h"
#include "harness/tune/tune_spec.h"

typedef struct TuneBudget {
    int64_t games, iterations; // 0 = not given; one of the three is
    double hours;
    const char *said_at; // borrowed; where it was said, for messages; NULL: nowhere
} TuneBudget;

// Reads the openings of a tune and shares them out by seed: in *order, which is the caller's to
// free(), the first *held indices are the proof's, the others the tuner's. *set is zeroed, and the
// caller's to release in every case. STATUS_INVALID when a share is empty or the proof wants more
// openings than it has; what reading the file says. Thread: any.
Status tune_read_openings(const TuneSpec *spec, OpeningSet *set, uint32_t **order, int64_t *held,
                          ErrorText *err) MUST_CHECK;

// Is the budget enough for what is asked? STATUS_INVALID, saying what is needed. Thread: any.
Status tune_check_budget(const TuneSpec *spec, const TuneBudget *budget, ErrorText *err) MUST_CHECK;

// Appends what a budget buys: games of scan, tuner and proof, noise floor, time constant; lines.
// Thread: owner of `out`.
void tune_write_forecast(const TuneSpec *spec, const TuneBudget *budget, Text *out);
