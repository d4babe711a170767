// SPDX-License-Identifier: GPL-3.0-or-later
// The two matches of every knob, counted by class of pair: twelve numbers a knob.
#include "harness/tune/sense.h"

#include "harness/stats/elo.h"
#include "harness/tune/params.h"

#include <math.h>
#include <string.h>

enum { MATCHES = 2, CELLS = MATCHES * PAIR_CLASS_NB };

// Displacement by default, and what is usual for a step and how surely, in coordinates.
// Their middle is a prior in logarithms, taken to be right within a factor of e^1.8 = 6 for two
// knobs of three: it keeps a scan of few pairs from choosing absurd steps.
static const double USUAL_H = 0.3, USUAL_STEP = 1.0 / 6.0, USUAL_LOG_SD = 1.8;
// Steps below 1 % of the range drown in the noise, and two of more than 40 % do not fit in it.
static const double STEP_MIN = 0.01, STEP_MAX = 0.4;
static const double Z_FLAT = 1.96;

double sense_displacement(const TuneKnob *knob) {
    double h = knob->step > 0 ? knob->step : USUAL_H;
    return h < 0.5 ? h : 0.5;
}

// The loss is quadratic: a step c from the optimum costs curvature (c / h)^2, which is to be
// effect_elo.
double sense_step(double effect_elo, double h, double curvature) {
    return h * sqrt(effect_elo / curvature);
}

static int sense_state_size(const TunerSetup *setup) { return CELLS * setup->spec->knob_count; }

static void sense_begin(const TunerSetup *setup, double *state) {
    memset(state, 0, (size_t)sense_state_size(setup) * sizeof *state);
}

// A start near an end of the range is looked at from further in: both sides must be playable.
static double centre_of(const TunerSetup *setup, int knob) {
    double u = setup->start[knob], h = setup->steps[knob];
    return u < h ? h : u > 1 - h ? 1 - h : u;
}

// Pairs of an iteration: knob by knob, match by match, TUNE_REPEAT of each.
static void sense_propose(const TunerSetup *setup, const double *state, int64_t iteration, int pair,
                          TuneTrial *out) {
    double plus[TUNE_MAX_KNOBS], minus[TUNE_MAX_KNOBS];
    int match = pair / TUNE_REPEAT % MATCHES, knob = pair / TUNE_REPEAT / MATCHES;
    size_t size = (size_t)setup->spec->knob_count * sizeof *plus;
    (void)state;
    memcpy(plus, setup->start, size);
    memcpy(minus, setup->start, size);
    double centre = centre_of(setup, knob);
    plus[knob] = centre + setup->steps[knob];
    minus[knob] = match == 0 ? centre - setup->steps[knob] : centre;
    // Orders are projected here like anywhere: where a neighbour is in the way, what is measured is
    // what the tuner could play.
    params_values(setup->spec, plus, 0.5, out->plus);
    params_values(setup->spec, minus, 0.5, out->minus);
    out->seed = tuner_pair_seed(setup, iteration, pair);
}

static void sense_take(const TunerSetup *setup, double *state, const double *proposed,
                       int64_t iteration, const TuneResult *results) {
    (void)proposed, (void)iteration;
    for (int pair = 0; pair < setup->pairs_each; pair++) {
        PairClass c =
            pair_class_from_half_points(results[pair].half_points[0], results[pair].half_points[1]);
        state[pair / TUNE_REPEAT * PAIR_CLASS_NB + (int)c] += 1;
    }
}

static void sense_answer(const TunerSetup *setup, const double *state, double *u) {
    (void)state;
    memcpy(u, setup->start, (size_t)setup->spec->knob_count * sizeof *u);
}

static double sense_drift(const TunerSetup *setup, const double *state) {
    (void)setup, (void)state;
    return 0;
}

typedef struct Measured {
    double elo, se;
} Measured;

// Elo of a match and its error, kept finite: half a pair lost and won is added.
static Measured measure(const double *cells) {
    // Half a pair each way, so that 20-0 has an Elo and an error.
    double n = 1, sum = 0.5, squares = 0.5;
    static const double SCORE[PAIR_CLASS_NB] = {0, 0.25, 0.5, 0.5, 0.75, 1};
    for (int c = 0; c < PAIR_CLASS_NB; c++) {
        n += cells[c];
        sum += cells[c] * SCORE[c];
        squares += cells[c] * SCORE[c] * SCORE[c];
    }
    double score = sum / n, variance = squares / n - score * score;
    double slope = NELO_SCALE / 2 / (score * (1 - score)); // d Elo / d score
    return (Measured){elo_from_score(score), slope * sqrt(variance / n)};
}

// What is known of log(curvature at h): a mean and a weight (1 / variance), added up.
static void add_opinion(double log_value, double sd, double *sum, double *weight) {
    *sum += log_value / (sd * sd);
    *weight += 1 / (sd * sd);
}

static double likely_curvature(const TunerSetup *setup, const StoreTuneEffect *e) {
    double kappa = setup->spec->spsa.effect_elo, sum = 0, weight = 0;
    // The three opinions: what is usual; the curvature measured, whose relative error is the
    // deviation of its logarithm; and the slope.
    double usual = kappa * (e->h / USUAL_STEP) * (e->h / USUAL_STEP);
    add_opinion(log(usual), USUAL_LOG_SD, &sum, &weight);
    double relative = e->curvature_se / fmax(e->curvature, 1e-9);
    if (relative < 1)
        add_opinion(log(e->curvature), fmax(relative, 0.05), &sum, &weight);
    double steepness = fabs(e->slope) / (2 * e->slope_se);
    // An optimum d away makes + h against - h differ by 4 e d h, so with d = 1/4 the curvature e
    // h^2 is that times h. A guess good for a factor of e^1.2 = 3.
    if (steepness > 1) // the optimum is taken to be about a quarter of the range away
        add_opinion(log(fabs(e->slope) * e->h), 1.2, &sum, &weight);
    double likely = exp(sum / weight);
    // Whatever was thought before, not more than the measurement allows: a curvature taken too high
    // gives a step too small for any effect to be seen.
    return fmin(likely, fmax(e->curvature, 0) + 2.5 * e->curvature_se);
}

void sense_effects(const TunerSetup *setup, const double *state, StoreTuneEffect *out) {
    for (int i = 0; i < setup->spec->knob_count; i++) {
        const double *cells = state + i * CELLS;
        Measured wide = measure(cells), side = measure(cells + PAIR_CLASS_NB);
        double h = setup->steps[i], centre = centre_of(setup, i);
        StoreTuneEffect e = {.knob = i, .h = h, .slope = wide.elo, .slope_se = wide.se};
        e.low_value = params_value(&setup->spec->knobs[i], centre - h);
        e.high_value = params_value(&setup->spec->knobs[i], centre + h);
        // With Elo(x) = s x - e x^2 around the centre, + h against - h is worth 2 s h and + h
        // against the centre s h - e h^2: the combination leaves e h^2.
        e.curvature = (wide.elo - 2 * side.elo) / 2;
        e.curvature_se = sqrt(wide.se * wide.se / 4 + side.se * side.se);
        e.is_flat = fabs(e.slope) < Z_FLAT * e.slope_se && e.curvature < Z_FLAT * e.curvature_se;
        double step = sense_step(setup->spec->spsa.effect_elo, h, likely_curvature(setup, &e));
        e.step = fmin(fmax(step, STEP_MIN), STEP_MAX);
        out[i] = e;
    }
}

const TunerMethod TUNER_SENSE = {
    .name = "sense",
    .summary = "what each knob does to the strength",
    .state_size = sense_state_size,
    .begin = sense_begin,
    .propose = sense_propose,
    .take = sense_take,
    .current = sense_answer,
    .answer = sense_answer,
    .drift = sense_drift,
};
