// SPDX-License-Identifier: GPL-3.0-or-later
// Random search, the baseline: vectors drawn evenly from the ranges play the best so far, one an
// iteration, and the one that leads clearly takes its place.
//
// The state: the best so far, its number, how many candidates were tried. A candidate that played a
// predecessor (trials are made ahead) counts only if that one is still the best.
#include "engine/base/rng.h"
#include "harness/tune/params.h"
#include "harness/tune/tuner.h"

#include <math.h>
#include <string.h>

static int random_state_size(const TunerSetup *setup) { return setup->spec->knob_count + 2; }

static void random_begin(const TunerSetup *setup, double *state) {
    int n = setup->spec->knob_count;
    memcpy(state, setup->start, (size_t)n * sizeof *state);
    state[n] = state[n + 1] = 0;
}

static void candidate(const TunerSetup *setup, int64_t iteration, double *u) {
    // From the seed and the iteration alone: random_take makes the candidate again instead of
    // storing it.
    Rng rng = rng_init(rng_mix(setup->seed, (uint64_t)iteration));
    for (int i = 0; i < setup->spec->knob_count; i++)
        u[i] = rng_unit(&rng);
    params_project(setup->spec, u);
}

static void random_propose(const TunerSetup *setup, const double *state, int64_t iteration,
                           int pair, TuneTrial *out) {
    double u[TUNE_MAX_KNOBS];
    candidate(setup, iteration, u);
    // Rounded to the nearest, not at random: a candidate must be one player in all its games.
    params_values(setup->spec, u, 0.5, out->plus);
    params_values(setup->spec, state, 0.5, out->minus);
    out->seed = tuner_pair_seed(setup, iteration, pair);
}

static void random_take(const TunerSetup *setup, double *state, const double *proposed,
                        int64_t iteration, const TuneResult *results) {
    int n = setup->spec->knob_count;
    double pairs = setup->pairs_each, sum = 0, squares = 0;
    for (int pair = 0; pair < setup->pairs_each; pair++) {
        double points = results[pair].half_points[0] + results[pair].half_points[1] - 2.0;
        sum += points;
        squares += points * points;
    }
    state[n + 1] += 1;
    double mean = sum / pairs, variance = squares / pairs - mean * mean;
    // At least the variance of pairs one in sixteen of which is won twice: with few pairs all may
    // have ended alike, which is no certainty.
    double least = setup->spec->random.z * sqrt(fmax(variance, 0.25) / pairs);
    // The number of the best stands in the state: another number then than now means that the
    // candidate has played somebody who is no longer the best.
    if (proposed[n] != state[n] || mean <= least)
        return;
    candidate(setup, iteration, state);
    state[n] += 1;
}

static void random_answer(const TunerSetup *setup, const double *state, double *u) {
    memcpy(u, state, (size_t)setup->spec->knob_count * sizeof *u);
}

static double random_drift(const TunerSetup *setup, const double *state) {
    (void)setup, (void)state;
    return 0;
}

const TunerMethod TUNER_RANDOM = {
    .name = "random",
    .summary = "random vectors against the best so far: the baseline",
    .state_size = random_state_size,
    .begin = random_begin,
    .propose = random_propose,
    .take = random_take,
    .current = random_answer,
    .answer = random_answer,
    .drift = random_drift,
};
