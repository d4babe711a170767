// SPDX-License-Identifier: GPL-3.0-or-later
// Every pair of games that a tuner has played: which values met which, and how it went.
//
// Trials are not stored: they are told again from the states that are.
#pragma once

#include "harness/store/store_tune.h"
#include "harness/tune/tuner.h"

// A pair of games that was played, told again from the state that its trial was made from.
typedef struct TuneTrialRow {
    const StoreTuneStage *stage; // borrowed, as is the trial
    int64_t iteration;
    int pair; // of the iteration, from 0
    const TuneTrial *trial;
    char as_black, as_white; // 'W', 'D' or 'L' of the plus side
} TuneTrialRow;

// The row and what it points to are valid during the call only.
typedef Status TuneTrialVisit(void *ctx, const TuneTrialRow *row, ErrorText *err);

// Calls `visit` for every stored trial of the scan and the tuners, stage by stage, in order; ends
// early with its failure. Matches are no trials. STATUS_INVALID when a stored state is not one of
// this tune. Thread: owner of the store.
Status tune_trials_each(const TuneSpec *spec, Store *store, TuneTrialVisit *visit, void *ctx,
                        ErrorText *err) MUST_CHECK;
