// SPDX-License-Identifier: GPL-3.0-or-later
// What a tune has come to so far, read from its database.
#pragma once

#include "harness/store/store_tune.h"
#include "harness/tune/tuner.h"

// Of an interrupted tune the opinion is that of the tuner at the time; of a finished one it is the
// answer that the matches have judged.
typedef struct TuneOutcome {
    bool has_answer;                   // a tuner has an opinion, finished or not
    bool is_finished;                  // everything planned is done
    double start[TUNE_MAX_KNOBS];      // values
    double best[TUNE_MAX_KNOBS];       // values; the start while there is no answer
    double steps[TUNE_MAX_KNOBS];      // c of the last tuner in coordinates; 0: none
    double drift;                      // of the last tuner, in steps
    double clip_share[TUNE_MAX_KNOBS]; // spsa: share of the pairs whose step did not fit
    int64_t games;                     // stored, all stages
    double seconds;                    // they took
    StoreTuneMatch *matches;           // owned; those since the last tuner
    int match_count;
} TuneOutcome;

// Frees what an outcome owns. Thread: owner.
void tune_outcome_release(TuneOutcome *outcome);

// What is stored in a database, without playing: the outcome so far. Thread: any.
// STATUS_NO_MEMORY, or what the store says; STATUS_INVALID when a stored state is not one of this
// tune. *outcome is to be released in any case.
Status tune_read_outcome(const TuneSpec *spec, Store *store, TuneOutcome *outcome,
                         ErrorText *err) MUST_CHECK;
