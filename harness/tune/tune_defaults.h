// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of a tune that are not given, and those that follow from others.
#pragma once

#include "harness/tune/tuner.h"

// Fills a zeroed tune with the usual settings of every method. Thread: owner.
void tune_spec_defaults(TuneSpec *spec);

// Pairs of games an iteration of spsa, for a budget in games. Thread: any.
int tune_spsa_pairs(const TuneSpec *spec, double games);

// The setup of the scan: every knob displaced by its h. Thread: owner of `out`.
void tune_setup_sense(const TuneSpec *spec, TunerSetup *out);

// The setup of a tuner of `games` games that starts at `start` with steps c; at least one
// iteration. Thread: owner of `out`.
void tune_setup_main(const TuneSpec *spec, const double *start, const double *steps, double games,
                     TunerSetup *out);

// Games that the scan takes; 0: there is none. Thread: any.
int64_t tune_scan_games(const TuneSpec *spec);
