// SPDX-License-Identifier: GPL-3.0-or-later
// A match of fixed length as a stage of a tune, with the sequential test that was set before its
// first game: the test decides, the Elo comes from all games and is not biased by stopping.
#pragma once

#include "harness/stats/elo.h"
#include "harness/stats/sprt.h"
#include "harness/tune/tuner.h"

// What a match says when it has ended, or so far.
typedef struct MatchOutcome {
    MatchStats stats; // of all pairs
    PairCounts pairs; // all
    SprtTest test;    // meaningless without setup->test
} MatchOutcome;

// What the state says. Thread: any.
// Also in the middle of the match; `state` is that of TUNER_MATCH.
MatchOutcome match_outcome(const TunerSetup *setup, const double *state);

// "accepted", "rejected" or "undecided". Thread: any.
const char *match_verdict(const MatchOutcome *outcome);
