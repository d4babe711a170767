// SPDX-License-Identifier: GPL-3.0-or-later
// Gains, proposals and updates. The state: theta, sum of theta over the last half, clips, all by
// knob; then how many thetas the sum holds, and the variance of a random walk in steps.
#include "harness/tune/spsa.h"

#include "engine/base/rng.h"
#include "harness/stats/elo.h"
#include "harness/tune/params.h"

#include <math.h>
#include <string.h>

static const double STEP_MAX = 0.45; // of the range: both sides must fit

typedef struct SpsaState {
    double *theta, *sum, *clips, *summed, *variance;
} SpsaState;

static SpsaState view(const TunerSetup *setup, double *state) {
    int n = setup->spec->knob_count;
    return (SpsaState){state, state + n, state + 2 * n, state + 3 * n, state + 3 * n + 1};
}

static int spsa_state_size(const TunerSetup *setup) { return 3 * setup->spec->knob_count + 2; }

static void spsa_begin(const TunerSetup *setup, double *state) {
    memset(state, 0, (size_t)spsa_state_size(setup) * sizeof *state);
    memcpy(state, setup->start, (size_t)setup->spec->knob_count * sizeof *state);
}

// --- gains, counted in pairs -------------------------------------------------------------

// The schedule runs in pairs, not in iterations, so that an iteration of 8 pairs and eight of one
// make the same steps. Half a pair more: the middle of the batch, and never 0.
static double pairs_done(const TunerSetup *setup, int64_t iteration) {
    return ((double)iteration + 0.5) * setup->pairs_each;
}

static double pairs_planned(const TunerSetup *setup) {
    return (double)setup->iterations * setup->pairs_each;
}

// c_k = c (K / k)^gamma (Spall 1998): wide in the beginning, where the slope is steep, and c at the
// end.
static double step_of(const TunerSetup *setup, int64_t iteration, int knob) {
    double grown =
        pow(pairs_planned(setup) / pairs_done(setup, iteration), setup->spec->spsa.gamma);
    double step = setup->steps[knob] * grown;
    return step < STEP_MAX ? step : STEP_MAX;
}

// What one point of difference moves a knob, in units of its step at the end.
// With a_k = r c^2 ((A + K) / (A + k))^alpha the move is a_k / c_k a point; divided by c that
// leaves r and two powers.
static double gain_of(const TunerSetup *setup, int64_t iteration) {
    const TuneSpsaSpec *spsa = &setup->spec->spsa;
    double planned = pairs_planned(setup), done = pairs_done(setup, iteration);
    double stability = spsa->stability * planned;
    return setup->rate * pow((stability + planned) / (stability + done), spsa->alpha) *
           pow(done / planned, spsa->gamma);
}

// --- trials ------------------------------------------------------------------------------

typedef struct Trial {
    double delta[TUNE_MAX_KNOBS]; // +-1
    double dither[2];             // of the sides
} Trial;

static Trial draw_trial(const TunerSetup *setup, int64_t iteration, int pair) {
    // Counted from (stage, iteration, pair) and never stored: spsa_take draws the same trial again.
    // Signs and not normal numbers: their inverse moments must be finite (Spall 1992).
    Trial trial;
    Rng rng = rng_init(tuner_trial_seed(setup, iteration, pair));
    for (int i = 0; i < setup->spec->knob_count; i++)
        trial.delta[i] = rng_next(&rng) >> 63 ? 1 : -1;
    trial.dither[0] = rng_unit(&rng);
    trial.dither[1] = rng_unit(&rng);
    return trial;
}

// Both sides of a knob, symmetric around the centre. Near an end of the range the step shrinks, but
// never below half of itself: then the centre moves inwards, so that the end cannot trap theta.
typedef struct Sides {
    double centre, step;
    bool is_clipped;
} Sides;

static Sides sides_of(double theta, double step) {
    double room = theta < 0.5 ? theta : 1 - theta;
    if (room >= step)
        return (Sides){theta, step, false};
    double shrunk = room > step / 2 ? room : step / 2;
    double centre = theta < shrunk ? shrunk : theta > 1 - shrunk ? 1 - shrunk : theta;
    return (Sides){centre, shrunk, true};
}

static void spsa_propose(const TunerSetup *setup, const double *state, int64_t iteration, int pair,
                         TuneTrial *out) {
    double plus[TUNE_MAX_KNOBS], minus[TUNE_MAX_KNOBS];
    Trial trial = draw_trial(setup, iteration, pair);
    for (int i = 0; i < setup->spec->knob_count; i++) {
        Sides sides = sides_of(state[i], step_of(setup, iteration, i));
        plus[i] = sides.centre + sides.step * trial.delta[i];
        minus[i] = sides.centre - sides.step * trial.delta[i];
    }
    // One dither a side, for all knobs: see params.h about orders.
    params_values(setup->spec, plus, trial.dither[0], out->plus);
    params_values(setup->spec, minus, trial.dither[1], out->minus);
    out->seed = tuner_pair_seed(setup, iteration, pair);
}

// Keeps the order of the knobs. A knob may stay beyond its range by one step, where it is played at
// the end: cut off there, its mean would lie inside, for the noise could only push it one way.
static void keep_in_range(const TunerSetup *setup, double *theta) {
    double inside[TUNE_MAX_KNOBS];
    int n = setup->spec->knob_count;
    memcpy(inside, theta, (size_t)n * sizeof *theta);
    if (!params_project(setup->spec, inside))
        return;
    for (int i = 0; i < n; i++) {
        double margin = setup->steps[i];
        if (theta[i] < 0 && inside[i] <= 0)
            theta[i] = theta[i] > -margin ? theta[i] : -margin;
        else if (theta[i] > 1 && inside[i] >= 1)
            theta[i] = theta[i] < 1 + margin ? theta[i] : 1 + margin;
        else
            theta[i] = inside[i];
    }
}

static void spsa_take(const TunerSetup *setup, double *state, const double *proposed,
                      int64_t iteration, const TuneResult *results) {
    SpsaState s = view(setup, state);
    int n = setup->spec->knob_count;
    double gain = gain_of(setup, iteration);
    for (int pair = 0; pair < setup->pairs_each; pair++) {
        // Won less lost games of the plus side, -2..2: an even pair moves nothing, whatever the
        // opening did.
        int points = results[pair].half_points[0] + results[pair].half_points[1] - 2;
        Trial trial = draw_trial(setup, iteration, pair);
        for (int i = 0; i < n; i++) {
            s.theta[i] += gain * setup->steps[i] * points * trial.delta[i];
            s.clips[i] += sides_of(proposed[i], step_of(setup, iteration, i)).is_clipped;
        }
        // An upper bound: draws and openings that decide make results vary less.
        *s.variance += 2 * gain * gain; // two games that are won or lost
    }
    keep_in_range(setup, s.theta);
    // Polyak & Juditsky (1992): the mean of the last half loses the noise of single vectors, but
    // not the way there, which the first half is for.
    if (2 * (iteration + 1) > setup->iterations) {
        for (int i = 0; i < n; i++)
            s.sum[i] += s.theta[i];
        *s.summed += 1;
    }
}

static void spsa_current(const TunerSetup *setup, const double *state, double *u) {
    memcpy(u, state, (size_t)setup->spec->knob_count * sizeof *u);
    params_project(setup->spec, u);
}

static void spsa_answer(const TunerSetup *setup, const double *state, double *u) {
    int n = setup->spec->knob_count;
    double summed = state[3 * n];
    for (int i = 0; i < n; i++)
        // Before the middle of the run there is no mean yet.
        u[i] = summed > 0 ? state[n + i] / summed : state[i];
    params_project(setup->spec, u);
}

static double spsa_drift_of(const TunerSetup *setup, const double *state) {
    return sqrt(state[3 * setup->spec->knob_count + 1]);
}

double spsa_clips(const TunerSetup *setup, const double *state, int knob) {
    return state[2 * setup->spec->knob_count + knob];
}

double spsa_drift(const TunerSetup *setup, int64_t iterations) {
    double variance = 0;
    for (int64_t k = 0; k < iterations; k++) {
        double gain = gain_of(setup, k);
        variance += 2 * gain * gain * setup->pairs_each;
    }
    return sqrt(variance);
}

SpsaForecast spsa_forecast(const TunerSetup *setup, double games, double bias) {
    SpsaForecast f;
    double kappa = setup->spec->spsa.effect_elo, knobs = setup->spec->knob_count;
    // Theory for quadratic losses (Van den Bergh, spsa_simul): a stationary loss of C n (1 - d - 4
    // b^2) r / 8 Elo, C = 800 / ln 10, d the share of draws (taken as 0), b the bias of openings in
    // score units; and a gap that shrinks by e^-2 in C / (4 r kappa) games.
    double slope = 1 - 4 * bias * bias;
    f.floor_elo = NELO_SCALE * knobs * slope * setup->rate / 8;
    f.time_games = NELO_SCALE / (4 * setup->rate * kappa * slope);
    // Two halves: the first brings theta near, the mean of the second takes the noise out as far as
    // its thetas are independent, which they are after time_games.
    double averaged = 4 * f.time_games / games;
    f.answer_elo = f.floor_elo * (averaged < 1 ? averaged : 1);
    // The distance of theta shrinks by e^-1 where the gap in Elo, its square, shrinks by e^-2; the
    // answer is the mean of the distances of the last half.
    double half = games / 2, decay = 2 * half / f.time_games;
    double mean_amplitude = exp(-decay / 2) * (1 - exp(-decay / 2)) / (decay / 2);
    f.left = mean_amplitude * mean_amplitude;
    f.wanted_games = 4 * f.time_games;
    return f;
}

const TunerMethod TUNER_SPSA = {
    .name = "spsa",
    .summary = "simultaneous perturbation, mean of the last half",
    .state_size = spsa_state_size,
    .begin = spsa_begin,
    .propose = spsa_propose,
    .take = spsa_take,
    .current = spsa_current,
    .answer = spsa_answer,
    .drift = spsa_drift_of,
};
