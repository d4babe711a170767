// SPDX-License-Identifier: GPL-3.0-or-later
// What a sequential test says about strength once it has stopped, and how long one will take.
//
// A test stops when the evidence happens to be strong, so the plain estimate from its counts is
// biased outward. Here the log-likelihood ratio is taken as Brownian motion between the two bounds,
// whose law of exit is known in closed form; from it follow an estimate that is too high as often
// as too low, its interval, and the expected length of a test. Source: Siegmund, "Sequential
// Analysis" (1985), chapters 3 and 4; Darling & Siegert, "The first passage problem for a
// continuous Markov process" (1953).
#pragma once

#include "harness/stats/sprt.h"

// An estimate of the strength that a stopped test allows.
typedef struct SprtEstimate {
    StatValue elo;    // logistic Elo; median-unbiased given the stopping rule
    StatValue lo, hi; // its 95 % interval
} SprtEstimate;

// Median-unbiased estimate after the pairs `tested`: the strength for which a test that ended like
// this one, or lower, has probability one half; treats the ratio as Brownian motion with the
// observed variance (Siegmund, "Sequential Analysis", 1985). For an undecided test the present
// ratio takes the place of the bound. Missing when the counts go on far past the stop. Thread: any.
SprtEstimate sprt_estimate(const SprtParams *params, const SprtResult *result,
                           const ScoreCells *cells);

typedef struct SprtPlan {
    double observations, pass_probability;
} SprtPlan;

// Expected number of observations of a test, and chance to accept elo1, when the true score is
// `score` and the variance of one observation is `variance` (> 0). Brownian approximation without
// overshoot. Thread: any.
SprtPlan sprt_plan(const SprtParams *params, StatBy by, double score, double variance);
