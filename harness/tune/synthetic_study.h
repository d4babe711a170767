// SPDX-License-Identifier: GPL-3.0-or-later
// Many tunes of synthetic surfaces, and what came of them.
#pragma once

#include "harness/tune/synthetic.h"

// Means over the seeds; _se are standard errors of them. A sound tuner has a regret near its
// forecast, idle weights that move by one standard deviation, and accepts alpha of the null.
typedef struct SyntheticStudy {
    int64_t seeds;
    double games;                    // of each tune, scan included
    double scan_games;               // of these
    double gap;                      // mean Elo below the best at the start
    double regret, regret_se;        // mean Elo below the best at the end
    double forecast;                 // that was predicted
    double start_z_max, start_z_rms; // weights that do nothing: movement in standard deviations
    int64_t idle;                    // so many of them
    int64_t passed;                  // held-out matches that accepted
    double alpha;                    // how often they may when nothing was gained
} SyntheticStudy;

// Runs `seeds` tunes of `games` games each, with the proof. `known`: steps by the true
// sensitivities, no scan. STATUS_INVALID: too few games for the scan; STATUS_NO_MEMORY. Thread:
// any.
Status synthetic_study(SyntheticShape shape, int64_t seeds, double games, bool known,
                       SyntheticStudy *out, ErrorText *err) MUST_CHECK;
