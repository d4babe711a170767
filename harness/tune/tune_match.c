// SPDX-License-Identifier: GPL-3.0-or-later
// The state: pairs by class that the test rests on, then those that came after its verdict.
#include "harness/tune/tune_match.h"

#include <string.h>

static int match_state_size(const TunerSetup *setup) {
    (void)setup;
    return 2 * PAIR_CLASS_NB;
}

static void match_begin(const TunerSetup *setup, double *state) {
    memset(state, 0, (size_t)match_state_size(setup) * sizeof *state);
}

static void match_propose(const TunerSetup *setup, const double *state, int64_t iteration, int pair,
                          TuneTrial *out) {
    size_t size = (size_t)setup->spec->knob_count * sizeof *out->plus;
    (void)state;
    memcpy(out->plus, setup->plus, size);
    memcpy(out->minus, setup->minus, size);
    out->seed = tuner_pair_seed(setup, iteration, pair);
}

// The test is made again from its counts each time, which is what it was: its ratio depends on
// nothing else.
static SprtTest test_of(const TunerSetup *setup, const double *state) {
    const TuneProofSpec *proof = setup->test ? setup->test : &setup->spec->proof;
    SprtParams params = {proof->elo0, proof->elo1, proof->alpha, proof->beta, SPRT_NORMALIZED};
    SprtTest test = sprt_test_init(&params);
    for (int c = 0; c < PAIR_CLASS_NB; c++) {
        test.tested.n[c] = (int64_t)state[c];
        test.later.n[c] = (int64_t)state[PAIR_CLASS_NB + c];
    }
    ScoreCells cells = score_cells_from_pairs(&test.tested);
    if (pair_counts_total(&test.tested) > 0)
        test.result = sprt_evaluate(&params, &cells);
    return test;
}

static void match_take(const TunerSetup *setup, double *state, const double *proposed,
                       int64_t iteration, const TuneResult *results) {
    SprtTest test = test_of(setup, state);
    (void)proposed, (void)iteration;
    for (int pair = 0; pair < setup->pairs_each; pair++) {
        PairClass c =
            pair_class_from_half_points(results[pair].half_points[0], results[pair].half_points[1]);
        // Played on to its planned length after the verdict: the test decides, and the Elo of a
        // match of fixed length is not biased by when the test stopped.
        if (setup->test)
            sprt_test_add_pair(&test, c);
        else
            test.later.n[c]++;
    }
    for (int c = 0; c < PAIR_CLASS_NB; c++) {
        state[c] = (double)test.tested.n[c];
        state[PAIR_CLASS_NB + c] = (double)test.later.n[c];
    }
}

static void match_answer(const TunerSetup *setup, const double *state, double *u) {
    (void)state;
    memcpy(u, setup->start, (size_t)setup->spec->knob_count * sizeof *u);
}

static double match_drift(const TunerSetup *setup, const double *state) {
    (void)setup, (void)state;
    return 0;
}

MatchOutcome match_outcome(const TunerSetup *setup, const double *state) {
    MatchOutcome outcome = {.test = test_of(setup, state)};
    for (int c = 0; c < PAIR_CLASS_NB; c++)
        outcome.pairs.n[c] = outcome.test.tested.n[c] + outcome.test.later.n[c];
    outcome.stats = match_stats_compute(&outcome.pairs, NULL, BY_PAIRS);
    return outcome;
}

const char *match_verdict(const MatchOutcome *outcome) {
    switch (outcome->test.result.state) {
    case SPRT_H1:
        return "accepted";
    case SPRT_H0:
        return "rejected";
    case SPRT_CONTINUE:
    case SPRT_UNDEFINED:
        break;
    }
    return "undecided";
}

const TunerMethod TUNER_MATCH = {
    .name = "match",
    .summary = "a match of fixed length",
    .state_size = match_state_size,
    .begin = match_begin,
    .propose = match_propose,
    .take = match_take,
    .current = match_answer,
    .answer = match_answer,
    .drift = match_drift,
};
