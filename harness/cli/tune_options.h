// SPDX-License-Identifier: GPL-3.0-or-later
// The options of `gomolab tune` as they were given, and which of them go together.
#pragma once

#include "harness/cli/options.h"

// NULL, -1 or 0 = not given, each as its row of the table of options says.
// Texts are argv's; `values` are the KEY=VALUE words behind the file, for --target-runner.
typedef struct TuneOptions {
    const char *file, *db, *seed, *synthetic; // NULL = not given
    int64_t jobs, games, iterations, seeds;   // -1, 0 = not given
    // 0 = not given, as for the other two kinds of budget, of which at most one may be.
    double hours;
    OptionList set, values;
    // 0 = not given; the command knows the default.
    int64_t pairs;
    const char *export;
    bool target_runner;
    bool fresh, dry_run, transfer, quiet, known;
} TuneOptions;

// STATUS_INVALID when an option was given that this way of using the command would not obey, or one
// that it needs is missing: nothing that is asked for is ignored in silence. *err says which, for a
// usage message. Thread: any.
Status tune_options_check(const TuneOptions *options, ErrorText *err) MUST_CHECK;

// Appends the command that goes on with an interrupted tune: the same options without --fresh, each
// a word of a shell. Thread: owner of `out`.
void tune_options_write_command(const TuneOptions *options, Text *out);
