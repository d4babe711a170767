// SPDX-License-Identifier: GPL-3.0-or-later
// A whole tune: the scan, the tuner, the proof, one stage after another, whatever is stored
// already.
//
// Which stage comes next is a function of the tune, the budget and the stages that are there, so
// that a tune goes on after any interruption as if there had been none. A larger budget adds
// another stage of the tuner, which starts from the last answer, and another proof.
#pragma once

#include "harness/tune/tune_budget.h"
#include "harness/tune/tune_outcome.h"
#include "harness/tune/tune_stage.h"

// All callbacks come from the thread of tune_run, with `ctx`; `ctx` is borrowed.
typedef struct TuneRunOptions {
    const TuneSpec *spec; // borrowed, as all that follows
    const char *path;     // of the database
    const char *version;  // of this program
    TuneBudget budget;
    bool fresh, transfer;
    int jobs;
    PoolControl *control;
    // Called once, before the first game, with what the database holds; may be NULL.
    void (*opened)(void *ctx, const StoreResume *resume);
    void (*progress)(void *ctx, const TuneProgress *progress); // may be NULL
    void (*say)(void *ctx, const char *line);                  // what was decided; may be NULL
    // Called when a stage has ended, with its row; `effects` for a scan, `match` for a match, else
    // NULL.
    void (*ended)(void *ctx, const StoreTuneStage *stage, const StoreTuneEffect *effects,
                  const StoreTuneMatch *match);
    void *ctx;
} TuneRunOptions;

// Runs the tune, or goes on with it. *outcome is filled also when interrupted (STATUS_STOPPED).
// *resume as store_tune_open_run. Thread: main.
Status tune_run(const TuneRunOptions *options, TuneOutcome *outcome, StoreResume *resume,
                ErrorText *err) MUST_CHECK;

// What tune_run would find in the database, without touching anything (--dry-run); fails where it
// would be refused. *resume as store_tune_preview_run. Thread: any.
Status tune_preview(const TuneRunOptions *options, StoreResume *resume, ErrorText *err) MUST_CHECK;
