// SPDX-License-Identifier: GPL-3.0-or-later
// Two builds of gomolab against each other: which is faster, by how much, and do they search alike?
//
// Both run as programs of their own and measure themselves (`gomolab bench`); this build and the
// other take turns in blocks of four, this other other this, so that a machine that slows down or
// speeds up meanwhile favours neither. What is compared is the mean of the logarithms of the
// ratios of the blocks, with a t interval.
#pragma once

#include "engine/base/status.h"
#include "harness/stats/speed_ratio.h"

#include <stdbool.h>
#include <stdint.h>

// More than any build prints; what is beyond is passed over.
enum { COMPARE_MAX_ROWS = 32, COMPARE_MAX_ROUNDS = 99, MEASURE_NAME_CAP = 48 };

// What is compared. Strings and arrays are borrowed for the call.
typedef struct CompareSetup {
    const char *self, *other; // paths of the two programs
    char *const *args;        // PLAYER, --set and --depth, as they are handed on to both
    int arg_count;            // at most COMPARE_MAX_ARGS
    int rounds;               // blocks of four, 1..COMPARE_MAX_ROUNDS
    void (*progress)(void *ctx, int done, int rounds); // may be NULL
    void *progress_ctx;
} CompareSetup;
enum { COMPARE_MAX_ARGS = 120 };

// One measure, as both builds have it.
typedef struct CompareRow {
    char measure[MEASURE_NAME_CAP]; // as in the table of bench
    double per_s[2];                // best of all runs: this build, the other
    SpeedRatio speed;               // this build over the other
} CompareRow;

// Equal signatures say that both search alike; a speed with unequal ones compares two different
// things.
typedef struct BenchComparison {
    CompareRow rows[COMPARE_MAX_ROWS]; // measures that both builds know
    int row_count;
    int64_t signature[2]; // this build, the other
} BenchComparison;

// Compares the two programs. STATUS_INVALID when one cannot be executed or does not answer as
// gomolab does, with what it said instead. Takes rounds * 4 runs of `gomolab bench`. Thread: any.
Status bench_compare(const CompareSetup *setup, BenchComparison *out, ErrorText *err) MUST_CHECK;
