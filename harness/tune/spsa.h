// SPDX-License-Identifier: GPL-3.0-or-later
// Simultaneous perturbation: every pair of games moves all knobs at once, a little towards the side
// that won.
//
// theta_i moves by (a_k / c_k,i) * (wins - losses of theta + c delta) * delta_i, with delta_i = +-1
// and the usual gains c_k = c (K/k)^gamma, a_k = r c^2 ((A+K)/(A+k))^alpha, counted in pairs of
// games. A step that would leave the range is made smaller, or its centre moved inwards: both
// sides stay symmetric. The answer is the mean of theta over the last half of the iterations.
// Sources: Spall, "Implementation of the simultaneous perturbation algorithm" (IEEE Trans. AES,
// 1998), and Kiiski's use of it for chess engines (2011); the noise floor and the time constant
// are Van den Bergh's (spsa_simul); averaging after Polyak & Juditsky (1992).
#pragma once

#include "harness/tune/tuner.h"

// What a run will be like, before its first game.
typedef struct SpsaForecast {
    double floor_elo;    // Elo below the optimum where single iterates settle
    double answer_elo;   // the same of the answer, by averaging
    double time_games;   // games in which a gap in strength shrinks by e^-2
    double left;         // share of a gap at the start that is left at the end, 0..1
    double wanted_games; // games after which answer_elo is reached and 2 % of the gap are left
} SpsaForecast;

// `games` of the run; kappa, r and the number of knobs from the setup; RMS bias of the openings in
// score units, 0..0.5. Thread: any.
SpsaForecast spsa_forecast(const TunerSetup *setup, double games, double bias);

// How far (in steps c) a knob without any effect has wandered by the end: one standard deviation,
// of theta after `iterations` iterations. Thread: any.
double spsa_drift(const TunerSetup *setup, int64_t iterations);

// How often the step of a knob did not fit into the range. Thread: any.
double spsa_clips(const TunerSetup *setup, const double *state, int knob);
