// SPDX-License-Identifier: GPL-3.0-or-later
// How many pairs of games a match needs before it can show a difference.
//
// Two things decide: the variance of a pair's score, and how steeply the score follows strength.
// Openings that favour one side make the score follow less (its slope shrinks by 1 - 4 bias^2, bias
// in score units), so a biased book makes a difference in strength look smaller than it is; that
// costs more than the smaller variance saves.
#pragma once

#include "harness/stats/elo.h"

typedef struct MatchPlanInput {
    double elo;           // difference to be shown, > 0
    double power;         // chance to show it when it is there, 0 < power < 1
    double confidence;    // of the two-sided interval, 0.95
    double pair_variance; // of the score of a pair, 0..0.25; 1/8 without draws and bias
    double bias_score;    // RMS bias of the openings in score units, 0..0.5
} MatchPlanInput;

typedef struct MatchPlan {
    StatValue pairs;          // for `elo` of strength, openings taken out
    StatValue pairs_measured; // for `elo` as the biased match would show it
    StatValue slope;          // how much of a difference in strength the score shows, 0..1
    StatValue measured_elo;   // what `elo` of strength looks like in this match
} MatchPlan;

// Variance of a pair between equal players, without draws and with fair openings.
#define PAIR_VARIANCE_FAIR 0.125

// Pairs for which a difference of `elo` puts the interval clear of 0 with chance `power`; normal
// approximation. Missing where the openings decide every game, or where the pairs have shown no
// variance. Thread: any.
MatchPlan match_plan_compute(const MatchPlanInput *input);

// Smallest difference, in measured Elo, that `pairs` pairs can show: what their interval is wide,
// times the power. Thread: any.
double match_plan_smallest_elo(double pairs, double pair_variance, double power, double confidence);
