// SPDX-License-Identifier: GPL-3.0-or-later
// The database of one tune: knobs, stages, iterations, effects and matches (schema.c documents the
// tables tune_*). Made, taken up again, written and read here.
//
// A stage is one piece of work with its own iterations: the sensitivity scan, a tuner, a match. An
// iteration and the state after it are one transaction, so that a killed tune goes on from the last
// whole one. Vectors are arrays of doubles written so that they read back to the same bits. A
// database holds a tune or an experiment, never both.
#pragma once

#include "harness/store/store.h"
#include "harness/store/store_tune_rows.h"

// What a run says about itself when it opens its database.
// A run is one start of the program on the database of one tune: what `identity` says must be the
// same every time, the budget in `config` may grow.
typedef struct StoreTuneRun {
    const char *path;      // borrowed, as all that follows
    const StoreTune *tune; // name, method, config, identity, seed, knobs
    bool fresh;            // rename a database that is there first
    const char *version;   // of this program
} StoreTuneRun;

// As store_open_run, for a tune: STATUS_CONFLICT when the file holds an experiment or another tune
// (says what differs first). resume->games is the number of games stored. Thread: init.
Status store_tune_open_run(const StoreTuneRun *run, Store **out, StoreResume *resume,
                           ErrorText *err) MUST_CHECK;

// What store_tune_open_run would find, without touching anything (--dry-run): STATUS_OK with
// resume->games, also when there is no file yet. Thread: any.
Status store_tune_preview_run(const StoreTuneRun *run, StoreResume *resume,
                              ErrorText *err) MUST_CHECK;

// Opens the database of a tune to read. Fails as store_open; STATUS_CONFLICT for an experiment's.
// Thread: any.
Status store_tune_open(const char *path, Store **out, ErrorText *err) MUST_CHECK;

// Does the file hold a tune? False for anything that cannot be read. Thread: any.
bool store_tune_is(const char *path);

// The tune, read when the store was opened; valid until it is closed. Thread: owner.
const StoreTune *store_tune(const Store *store);

// Begins a stage; stage->id is chosen here. `match` (may be NULL) is written beside it. One
// transaction. Thread: owner.
Status store_tune_begin_stage(Store *store, StoreTuneStage *stage, const StoreTuneMatch *match,
                              ErrorText *err) MUST_CHECK;

// Stores one iteration, one transaction. Thread: owner.
Status store_tune_add_iteration(Store *store, const StoreTuneIteration *row,
                                ErrorText *err) MUST_CHECK;

// What ends with a stage; NULL or 0: nothing of the kind.
// All of it becomes visible at once (one transaction).
typedef struct StoreTuneEnd {
    const StoreVector *answer;
    const StoreTuneEffect *effects;
    int effect_count;
    const StoreTuneMatch *match; // counts, Elo, ratio and verdict
} StoreTuneEnd;

// Ends a stage, one transaction. Thread: owner.
Status store_tune_end_stage(Store *store, int64_t stage, const StoreTuneEnd *end,
                            ErrorText *err) MUST_CHECK;

// Notes that everything planned is done. Thread: owner.
Status store_tune_finish(Store *store, ErrorText *err) MUST_CHECK;

// All stages in order. Freed by store_tune_stages_free. Thread: owner.
Status store_tune_stages(Store *store, StoreTuneStage **out, int *count, ErrorText *err) MUST_CHECK;
void store_tune_stages_free(StoreTuneStage *stages, int count); // frees; NULL is fine

// Takes one iteration; *row and all it points to are gone after the call. A failure ends the
// reading.
typedef Status StoreTuneRow(void *ctx, const StoreTuneIteration *row, ErrorText *err);

// Calls `row` for every iteration of a stage from number `from` on, in order; ends early with its
// failure. One iteration is in memory at a time. Thread: owner.
Status store_tune_iterations(Store *store, int64_t stage, int64_t from, StoreTuneRow *row,
                             void *ctx, ErrorText *err) MUST_CHECK;

// The effects of a scan, by knob. The array is the caller's, free(). Thread: owner.
Status store_tune_effects(Store *store, int64_t stage, StoreTuneEffect **out, int *count,
                          ErrorText *err) MUST_CHECK;

// All matches, by stage. Freed by store_tune_matches_free. Thread: owner.
Status store_tune_matches(Store *store, StoreTuneMatch **out, int *count,
                          ErrorText *err) MUST_CHECK;
void store_tune_matches_free(StoreTuneMatch *matches, int count); // frees; NULL is fine
