// SPDX-License-Identifier: GPL-3.0-or-later
// What `run` says when it ends, and what it would say about a plan (--dry-run).
#pragma once

#include "harness/cli/options.h"
#include "harness/play/tally.h"

// The options of `gomolab run` as given.
// Texts are argv's. `seed` stays text, as it may have all 64 bits; `shard` is "I/N".
typedef struct RunOptions {
    const char *experiment, *db, *seed, *shard; // NULL = not given
    int64_t jobs, games;                        // -1, 0 = not given
    OptionList set;
    bool fresh, dry_run, quiet, no_move_log;
} RunOptions;

// What is known when a run has ended, in whatever way. Standings come from the database, if it can
// be read: what counts is what is saved.
typedef struct RunReport {
    const RunOptions *options; // borrowed, as all that follows
    const char *path;          // of the database
    const Tally *tally;
    int64_t played; // games of this sitting
    Status status;  // how the run ended
    const ErrorText *err;
} RunReport;

// Prints standings and the verdict of the test to standard output, failures and how to go on to
// standard error; returns the exit status. Thread: main.
int run_report(const RunReport *report);

// Prints what the plan holds and how long it may take, which is estimated from a few probe games
// that are not stored; `past_games` are in the database already. Thread: main.
Status run_describe(const Plan *plan, int jobs, int64_t past_games, ErrorText *err) MUST_CHECK;
