// SPDX-License-Identifier: GPL-3.0-or-later
// One stage of a tune, from its first iteration or from where it stopped: trials out, results in,
// one row of the store an iteration.
#pragma once

#include "harness/store/store_tune.h"
#include "harness/tune/tune_crew.h"

// How far a stage is, for the live line.
typedef struct TuneProgress {
    const TunerMethod *method; // borrowed, as all pointers
    const TunerSetup *setup;
    const char *title;
    const double *state;
    int64_t iteration;    // done
    int64_t pairs_before; // of this stage, in earlier sittings
    int64_t pairs;        // of this stage, those in progress included
    double seconds;       // of this sitting on this stage
    bool is_last;         // the stage is over, or the sitting is
} TuneProgress;

// A stage as it is to be played. Its row stands in the store already.
typedef struct TuneStageRun {
    const TunerMethod *method; // borrowed, as all that follows
    const TunerSetup *setup;
    const char *title;
    Store *store;
    int64_t stage;
    int64_t done; // iterations that are stored
    TuneCrew *crew;
    void (*progress)(void *ctx, const TuneProgress *progress); // may be NULL
    void *progress_ctx;
} TuneStageRun;

// Plays what is left of the stage. *state gets the state after the last iteration that is stored,
// also on failure: STATUS_STOPPED when interrupted, what the store or a player says otherwise.
// Thread: owner of the store and the crew.
Status tune_stage_play(const TuneStageRun *run, double *state, ErrorText *err) MUST_CHECK;

// The state that a stored stage has reached, without playing; `done` as in TuneStageRun. Thread:
// owner of the store.
Status tune_stage_state(const TuneStageRun *run, double *state, ErrorText *err) MUST_CHECK;

// Fills what a stored stage says about its setup: iterations, pairs, rate, start, steps. Thread:
// owner of `setup`.
void tune_setup_stored(const StoreTuneStage *stage, TunerSetup *setup);

// The seed of a stage, by its id. Thread: any.
uint64_t tune_stage_seed(const TuneSpec *spec, int64_t stage);
