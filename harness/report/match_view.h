// SPDX-License-Identifier: GPL-3.0-or-later
// A match of two as people and programs read it: lines of text, a table, or one JSON object.
//
// JSON keys: by (pairs|games), games, pairs, wins, draws, losses, classes {LL, LD, DD, WL, WD, WW},
// score, elo, elo_lo, elo_hi, interval (normal|t|wilson|none), elo_t_lo, elo_t_hi, elo_wilson_lo,
// elo_wilson_hi, nelo, nelo_err, los, se, se_pairs, se_games, error_ratio, opening_free_elo,
// opening_free_se, opening_free_lo, opening_free_hi, bias_elo, bias_score; with a test also model,
// elo0, elo1, alpha, beta, llr, lower, upper, state (H0|H1|continue|undefined), sprt_elo,
// sprt_elo_lo, sprt_elo_hi (allowing for the stop), and later_pairs when some came after the
// verdict; with a plan also plan {elo, power, confidence, pair_variance, bias_elo, slope,
// measured_elo, pairs, games, pairs_measured_elo}; warnings, an array of strings. A value that does
// not exist is null, with its reason in warnings.
#pragma once

#include "harness/report/table.h"
#include "harness/stats/elo.h"
#include "harness/stats/match_plan.h"
#include "harness/stats/sprt_estimate.h"

typedef struct MatchView {
    bool has_counts; // a match was played: `stats` is filled
    MatchStats stats;
    bool has_sprt;
    SprtParams params;
    SprtResult result;
    SprtEstimate estimate;
    int64_t later_pairs; // recorded after the verdict; 0 = none
    bool has_plan;
    MatchPlanInput plan_input;
    MatchPlan plan;
} MatchView;

// Appends the view in `format`; with `is_explained`, text has a sentence under each number. The
// text ends with a newline, JSON does not. Thread: owner of `out`.
MUST_CHECK Status match_view_write(const MatchView *view, TableFormat format, bool is_explained,
                                   Text *out, ErrorText *err);
