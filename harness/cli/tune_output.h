// SPDX-License-Identifier: GPL-3.0-or-later
// What a tune leaves behind: the player file, and the tables of its result.
#pragma once

#include "harness/tune/tune_run.h"

// Could tune_output_write write to `path`? STATUS_INVALID with the reason if not; nothing is made.
// Thread: any.
Status tune_output_check(const char *path, ErrorText *err) MUST_CHECK;

// Writes the tuned player to `path` with a header that says how it was made. A file that is there
// and differs is kept: the new one gets a free name beside it ("-2", "-3", ...). *written is the
// name in the end, the caller's. STATUS_IO, STATUS_INVALID (the folder). Thread: any.
Status tune_output_write(const TuneSpec *spec, const TuneOutcome *outcome, const char *path,
                         char **written, ErrorText *err) MUST_CHECK;

// Appends the table of knobs (start, best, movement in steps, signal) and the matches. Thread:
// owner of `out`.
void tune_output_tables(const TuneSpec *spec, const TuneOutcome *outcome, Text *out);

// Appends the table of a scan. Thread: owner of `out`.
void tune_output_effects(const TuneSpec *spec, const StoreTuneEffect *effects, Text *out);

// Appends one line of a match: "new v start, held-out: +34.1 Elo [21.0, 47.4] of 1000 pairs".
// Thread: owner of `out`.
void tune_output_match(const StoreTuneMatch *match, Text *out);
