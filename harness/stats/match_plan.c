// SPDX-License-Identifier: GPL-3.0-or-later
// Lengths of matches.
#include "harness/stats/match_plan.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

// Standard errors that a difference must span: half the interval, and the room that the power asks
// for.
static double span(double confidence, double power) {
    // The true difference must exceed the half interval by as much as chance takes away in 1 -
    // power of all matches.
    return gsl_cdf_ugaussian_Pinv(0.5 + confidence / 2.0) + gsl_cdf_ugaussian_Pinv(power);
}

static StatValue pairs_for(const MatchPlanInput *in, double score_gain) {
    double errors = span(in->confidence, in->power);
    if (!(score_gain > 0.0))
        return stat_missing("the openings decide every game, so no number of pairs is enough");
    if (!(in->pair_variance > 0.0))
        return stat_missing("the pairs so far show no variance to plan with");
    // SE = sqrt(variance / pairs), and gain = span * SE.
    return stat_value(ceil(in->pair_variance * errors * errors / (score_gain * score_gain)));
}

MatchPlan match_plan_compute(const MatchPlanInput *in) {
    // The slope of the logistic curve L at bias b is 4 L (1 - L) of what it is at 0, and L = 1/2 +
    // bias.
    double slope = fmax(0.0, 1.0 - 4.0 * in->bias_score * in->bias_score),
           gain = score_from_elo(in->elo) - 0.5;
    return (MatchPlan){
        .pairs = pairs_for(in, slope * gain),
        .pairs_measured = pairs_for(in, gain),
        .slope = stat_value(slope),
        .measured_elo = stat_value(elo_from_score(0.5 + slope * gain)),
    };
}

double match_plan_smallest_elo(double pairs, double pair_variance, double power,
                               double confidence) {
    double gain = span(confidence, power) * sqrt(pair_variance / pairs);
    return gain < 0.5 ? elo_from_score(0.5 + gain) : INFINITY;
}
