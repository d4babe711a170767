// SPDX-License-Identifier: GPL-3.0-or-later
// What given values of the knobs are worth, as one number: for optimisers from elsewhere.
#pragma once

#include "harness/tune/tune_crew.h"

typedef struct TuneTarget {
    const TuneSpec *spec; // borrowed, as are the values
    const double *values; // of all knobs
    // Draws openings from the tuner's share and seeds the games: the same seed is the same
    // openings, whatever the values.
    uint64_t seed;
    int pairs; // >= 1
    int jobs;  // >= 1
    PoolControl *control;
} TuneTarget;

// Plays the values against the start of the tune. *cost is the share of the points lost, 0 (won
// everything) to 1; 1/2 is no better than the start. STATUS_STOPPED when interrupted, or why the
// games could not be played. The same target gives the same number on any number of threads (limits
// in depth or nodes). Thread: main.
Status tune_target_cost(const TuneTarget *target, double *cost, ErrorText *err) MUST_CHECK;
