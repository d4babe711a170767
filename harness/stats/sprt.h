// SPDX-License-Identifier: GPL-3.0-or-later
// Sequential tests: is the difference elo0 or elo1? Play until the evidence is enough, and know how
// often that errs.
//
// The log-likelihood ratio is the exact generalized one: for each hypothesis the outcome
// probabilities that fit the counts best under it, 3 outcomes of a game or 5 of a pair, empty cells
// taken as 1e-3 of an observation. Under the logistic model a hypothesis fixes the mean score;
// under the normalized one it fixes (mean - 1/2) / deviation. The usual normal approximation is not
// used: where the variance is near zero, the ordinary first state of a match whose openings decide,
// it is off by a hundred. Sources: Wald, "Sequential Tests of Statistical Hypotheses" (1945); Van
// den Bergh, "Comments on normalized Elo" and "Calculating the log-likelihood ratio" (2020); Owen,
// "Empirical Likelihood" (2001) for the secular equation.
#pragma once

#include "harness/stats/counts.h"
#include "harness/stats/estimate.h"

// What elo0 and elo1 are: LOGISTIC, of the score as it is; NORMALIZED, of the score in deviations
// of a game, which makes the length of a test independent of draws and opening bias.
typedef enum SprtModel { SPRT_LOGISTIC, SPRT_NORMALIZED } SprtModel;

// UNDEFINED is not a verdict: the counts allow no ratio yet, later ones may.
typedef enum SprtState { SPRT_CONTINUE, SPRT_H0, SPRT_H1, SPRT_UNDEFINED } SprtState;

typedef struct SprtParams {
    double elo0, elo1; // elo0 < elo1, in Elo of `model`; each within +-SPRT_ELO_MAX
    double alpha;      // chance to accept elo1 when elo0 is true
    double beta;       // chance to accept elo0 when elo1 is true; alpha + beta < 1
    SprtModel model;
} SprtParams;

#define SPRT_ELO_MAX 4000.0

typedef struct SprtResult {
    StatValue llr;       // natural log; missing when the equations have no solution
    double lower, upper; // ln(beta / (1 - alpha)), ln((1 - beta) / alpha)
    SprtState state;     // H0 at or below lower, H1 at or above upper
} SprtResult;

// A running test. The verdict is sticky: once H0 or H1 is reached, later pairs are recorded beside
// it and change nothing.
typedef struct SprtTest {
    SprtParams params;
    PairCounts tested; // the pairs that the verdict rests on
    PairCounts later;  // pairs that came after the verdict
    SprtResult result; // of `tested`
} SprtTest;

// Whether the parameters make sense; else STATUS_INVALID and why. Thread: any.
MUST_CHECK Status sprt_params_check(const SprtParams *params, ErrorText *err);

// The test of these counts as they stand. `params` has been checked. Never NaN: with no
// observations the ratio is 0, and where no solution exists the state is SPRT_UNDEFINED and the
// reason stands in `llr`. Thread: any.
SprtResult sprt_evaluate(const SprtParams *params, const ScoreCells *cells);

// Bounds whose Elo is nearer to 0 than this have a ratio whatever the counts; with one farther out
// the state may stay SPRT_UNDEFINED for ever. `cells` is 3 (games) or 5 (pairs); about 340 and 231
// under the normalized model, SPRT_ELO_MAX under the logistic one. Thread: any.
double sprt_elo_limit(SprtModel model, int cells);

// A test with no pairs. `params` has been checked. Thread: any.
SprtTest sprt_test_init(const SprtParams *params);

// Adds one whole pair, seen from the candidate, and returns the state after it. Pairs must come in
// the order of the plan, not in the order they finish: short games finish first and would bias the
// test. Thread: owner.
SprtState sprt_test_add_pair(SprtTest *test, PairClass pair_class);

// "logistic" or "normalized". Thread: any.
const char *sprt_model_name(SprtModel model);

// "H0", "H1", "continue" or "undefined". Thread: any.
const char *sprt_state_name(SprtState state);
