// SPDX-License-Identifier: GPL-3.0-or-later
// Surfaces, coin flips, and tunes without games.
#include "harness/tune/synthetic.h"

#include "harness/stats/elo.h"
#include "harness/tune/params.h"
#include "harness/tune/tune_defaults.h"

#include <math.h>
#include <string.h>

const char SYNTHETIC_NAMES[] = "quadratic|correlated|saturating|flat|bound|null";

// Elo lost at half the range by the least and by the most sensitive knob; Elo at which losses begin
// to saturate; Elo of the openings' bias; how far a correlated knob leans on its neighbour. Fixed:
// results/synthetic.md and the tests that hold it rest on them.
static const double LEAST = 10, MOST = 300, SATURATION = 100, BIAS = 150, NEIGHBOUR = 0.6;

// Loss in Elo without saturation, x in half ranges from the optimum.
static double quadratic_loss(const Synthetic *s, const double *x) {
    double loss = 0;
    for (int i = 0; i < s->count; i++) {
        double along = x[i];
        if (s->shape == SYNTHETIC_CORRELATED && i + 1 < s->count)
            along += NEIGHBOUR * x[i + 1];
        loss += s->sensitivity[i] * along * along;
    }
    return loss;
}

static double loss_at(const Synthetic *s, const double *u) {
    double x[SYNTHETIC_MAX];
    for (int i = 0; i < s->count; i++)
        x[i] = 2 * (u[i] - s->optimum[i]);
    double loss = quadratic_loss(s, x);
    return s->shape == SYNTHETIC_SATURATING ? SATURATION * log1p(loss / SATURATION) : loss;
}

double synthetic_elo(const Synthetic *s, const double *u) {
    // The optimum may lie beyond the range: what can be reached counts as the best.
    double best[SYNTHETIC_MAX] = {0}; // the sum is separable: each at the nearest end
    for (int i = 0; i < s->count; i++)
        best[i] = fmin(fmax(s->optimum[i], 0), 1);
    return loss_at(s, best) - loss_at(s, u);
}

static double normal(Rng *rng) { // Box & Muller (1958)
    double radius = sqrt(-2 * log(1 - rng_unit(rng)));
    return radius * cos(6.283185307179586 * rng_unit(rng));
}

// A start in a random direction, as far away as the gap says; false: it leaves the range.
// By bisection: the loss grows with the distance, except towards an optimum beyond the range, and
// such a start does not fit.
static bool draw_start(Synthetic *s, double gap_elo, Rng *rng) {
    double direction[SYNTHETIC_MAX] = {0}, low = 0, high = 4;
    for (int i = 0; i < s->count; i++)
        direction[i] = normal(rng);
    for (int round = 0; round < 60; round++) {
        double middle = (low + high) / 2;
        for (int i = 0; i < s->count; i++)
            s->start[i] = fmin(fmax(s->optimum[i], 0), 1) + middle * direction[i];
        if (-synthetic_elo(s, s->start) < gap_elo)
            low = middle;
        else
            high = middle;
    }
    bool fits = true;
    for (int i = 0; i < s->count; i++)
        fits &= s->start[i] >= 0 && s->start[i] <= 1;
    return fits;
}

void synthetic_init(Synthetic *s, SyntheticShape shape, int count, double gap_elo, uint64_t seed) {
    Rng rng = rng_init(rng_mix(seed, (uint64_t)shape));
    *s = (Synthetic){.shape = shape, .count = count, .bias_elo = BIAS};
    for (int i = 0; i < count; i++) {
        double share = count > 1 ? (double)i / (count - 1) : 0;
        // Evenly spaced in the logarithm from the least to the most.
        s->sensitivity[i] = LEAST * pow(MOST / LEAST, share);
        // Off the middle, so that a tuner that only shrinks towards it is not rewarded.
        s->optimum[i] = 0.4 + 0.2 * rng_unit(&rng);
        if (shape == SYNTHETIC_BOUND && i % 2 == 1)
            s->optimum[i] = 1.05;
        if ((shape == SYNTHETIC_FLAT && i % 3 == 0) || shape == SYNTHETIC_NULL)
            s->sensitivity[i] = 0;
    }
    for (int i = 0; i < count; i++)
        s->start[i] = 0.5;
    bool fits = shape == SYNTHETIC_NULL;
    for (int tries = 0; !fits && tries < 10000; tries++)
        fits = draw_start(s, gap_elo, &rng);
}

TuneResult synthetic_play(const Synthetic *s, const TuneTrial *trial) {
    Rng rng = rng_init(trial->seed);
    double difference = synthetic_elo(s, trial->plus) - synthetic_elo(s, trial->minus);
    TuneResult result;
    for (int game = 0; game < 2; game++) {
        double bias = game == 0 ? s->bias_elo : -s->bias_elo;
        // No draws, and the opening favours the plus side in one game as much as the minus side in
        // the other.
        result.half_points[game] = rng_unit(&rng) < score_from_elo(difference + bias) ? 2 : 0;
    }
    return result;
}

void synthetic_spec(const Synthetic *s, uint64_t seed, TuneSpec *spec) {
    tune_spec_defaults(spec);
    spec->seed = seed;
    spec->knob_count = s->count;
    for (int i = 0; i < s->count; i++)
        // The id is never looked at: no engine plays here.
        spec->knobs[i] = (TuneKnob){.id = KNOB_EVAL_DEFENSE, .high = 1, .start = s->start[i]};
}

void synthetic_run(const Synthetic *s, const TunerMethod *method, const TunerSetup *setup,
                   double *state) {
    enum { PAIRS_MAX = 1024 };
    TuneResult results[PAIRS_MAX];
    double ring[TUNE_LAG][TUNE_STATE_MAX]; // states after the last iterations
    size_t size = (size_t)method->state_size(setup) * sizeof *state;
    method->begin(setup, state);
    for (int i = 0; i < TUNE_LAG; i++)
        memcpy(ring[i], state, size);
    for (int64_t k = 0; k < setup->iterations; k++) {
        // The same lag as with real games, whose trials are made ahead: what is measured here is
        // what a tune does.
        double *proposed = ring[k % TUNE_LAG]; // the state after iteration k - TUNE_LAG
        for (int pair = 0; pair < setup->pairs_each && pair < PAIRS_MAX; pair++) {
            TuneTrial trial;
            method->propose(setup, proposed, k, pair, &trial);
            results[pair] = synthetic_play(s, &trial);
        }
        method->take(setup, state, proposed, k, results);
        memcpy(proposed, state, size);
    }
}
