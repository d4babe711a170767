// SPDX-License-Identifier: GPL-3.0-or-later
// How long will a plan take? Its first games are played for a moment and thrown away; what counts
// are the times of moves, so that even a fraction of one game says something. Large tables are
// replaced by small ones meanwhile: making and clearing them is no part of what is measured.
#pragma once

#include "harness/play/plan.h"

// Multiply game_s by the games that are left and divide by the workers.
typedef struct Forecast {
    double game_s;       // mean time of a game of the plan, as if alone on one core
    double plies;        // mean length of a game that was assumed
    int64_t games;       // games that were finished in the probe
    int64_t moves;       // moves that were made
    bool is_lower_bound; // some move was not finished in time
} Forecast;

// Plays from the start of the plan for about `seconds`, `jobs` games at once. Fails as pool_run
// does. Thread: any.
Status forecast_plan(const Plan *plan, int jobs, double seconds, Forecast *out,
                     ErrorText *err) MUST_CHECK;
