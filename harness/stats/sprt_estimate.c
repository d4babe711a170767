// SPDX-License-Identifier: GPL-3.0-or-later
// Strength after a stopped test, and the expected length of one.
#include "harness/stats/sprt_estimate.h"

#include "harness/stats/brownian.h"
#include "harness/stats/elo.h"
#include "harness/stats/numeric.h"

#include <math.h>

static const char flat_data[] =
    "too few different results for an estimate that allows for the stopping rule";
static const char past_stop[] =
    "the counts go on far past the stop, which the estimate would be about";
static const char off_scale[] = "the value lies beyond a perfect score";

// The scores that the two hypotheses stand for, given the variance of one observation.
static void hypothesis_scores(const SprtParams *p, StatBy by, double variance, double *score0,
                              double *score1) {
    if (p->model == SPRT_LOGISTIC) {
        *score0 = score_from_elo(p->elo0);
        *score1 = score_from_elo(p->elo1);
        return;
    }
    // Normalized bounds are in deviations of a game; a pair's score has half the variance of a
    // game's.
    double unit = sqrt(by == BY_PAIRS ? 2.0 * variance : variance) / NELO_SCALE;
    *score0 = 0.5 + p->elo0 * unit;
    *score1 = 0.5 + p->elo1 * unit;
}

// Near its hypotheses the ratio gains (s1 - s0)(2 s - s0 - s1) / 2v an observation, with variance
// (s1 - s0)^2 / v.
SprtPlan sprt_plan(const SprtParams *params, StatBy by, double score, double variance) {
    double s0, s1;
    hypothesis_scores(params, by, variance, &s0, &s1);
    Brownian motion = {
        .lower = log(params->beta / (1.0 - params->alpha)),
        .upper = log((1.0 - params->beta) / params->alpha),
        .drift = (s1 - s0) * (2.0 * score - s0 - s1) / (2.0 * variance),
        .variance = (s1 - s0) * (s1 - s0) / variance,
    };
    return (SprtPlan){brownian_exit_time(&motion), brownian_exit_up(&motion)};
}

// The chance, under a drift, of an outcome at least as high as the observed one, minus a quantile.
typedef struct Outcome {
    Brownian motion;
    SprtState state;
    double time, level, quantile;
} Outcome;

// Outcomes in order: at the upper bound the earlier is the higher, at the lower one the earlier is
// the lower, and in between those that have not stopped, by their ratio (Siegmund, "Estimation
// following sequential tests", Biometrika 1978).
static double outcome_excess(double drift, void *ctx) {
    const Outcome *o = ctx;
    Brownian m = o->motion;
    m.drift = drift;
    if (o->state == SPRT_H1)
        return brownian_up_by(&m, o->time) - o->quantile;
    if (o->state == SPRT_CONTINUE)
        return brownian_above_at(&m, o->time, o->level) - o->quantile;
    // Stopping at the lower bound is stopping at the upper one of the mirrored motion.
    Brownian mirror = {-m.upper, -m.lower, -drift, m.variance};
    return 1.0 - brownian_up_by(&mirror, o->time) - o->quantile;
}

// The Elo whose drift puts the observed outcome at `quantile`.
static StatValue outcome_elo(Outcome *o, double quantile, double middle, double score_per_drift) {
    // A drift that would have crossed both bounds and twelve deviations in the time that passed: no
    // quantile that is asked for lies beyond it.
    double reach =
        (o->motion.upper - o->motion.lower + 12.0 * sqrt(o->motion.variance * o->time)) / o->time;
    double drift;
    o->quantile = quantile;
    if (!numeric_root(outcome_excess, o, -reach, reach, &drift))
        return stat_missing(flat_data);
    double score = middle + drift * score_per_drift;
    return score > 0.0 && score < 1.0 ? stat_value(elo_from_score(score)) : stat_missing(off_scale);
}

SprtEstimate sprt_estimate(const SprtParams *params, const SprtResult *result,
                           const ScoreCells *cells) {
    SprtEstimate none = {stat_missing(flat_data), stat_missing(flat_data), stat_missing(flat_data)};
    ScoreMoments m = score_moments(cells);
    if (!stat_exists(result->llr) || !(m.variance > 0.0))
        return none;
    double s0, s1;
    hypothesis_scores(params, cells->cells == 5 ? BY_PAIRS : BY_GAMES, m.variance, &s0, &s1);
    // Where the ratio is not close to its normal form, it is not close to Brownian motion either.
    double normal_llr = m.n * (s1 - s0) * (2.0 * m.mean - s0 - s1) / (2.0 * m.variance),
           llr = result->llr.value;
    if (fabs(normal_llr - llr) > 0.25 + 0.25 * fabs(llr))
        return none;
    // A test stops within one observation of its bound, or a batch of them. What lies much further
    // out was counted after the stop.
    double step = (s1 - s0) * fmax(m.mean, m.complement) / m.variance,
           allowed = fmax(step, 0.25 * (result->upper - result->lower));
    if (llr > result->upper + allowed || llr < result->lower - allowed)
        return (SprtEstimate){stat_missing(past_stop), stat_missing(past_stop),
                              stat_missing(past_stop)};
    Outcome outcome = {
        .motion = {.lower = result->lower,
                   .upper = result->upper,
                   .variance = (s1 - s0) * (s1 - s0) / m.variance},
        .state = result->state,
        .time = m.n,
        .level = llr,
    };
    double middle = (s0 + s1) / 2.0, score_per_drift = m.variance / (s1 - s0);
    // The strength at which so high an outcome has chance 1/2 is too high as often as too low; 2.5
    // % and 97.5 % bound the interval, the low chance belonging to the low strength.
    return (SprtEstimate){
        .elo = outcome_elo(&outcome, 0.5, middle, score_per_drift),
        .lo = outcome_elo(&outcome, 0.025, middle, score_per_drift),
        .hi = outcome_elo(&outcome, 0.975, middle, score_per_drift),
    };
}
