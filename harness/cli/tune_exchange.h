// SPDX-License-Identifier: GPL-3.0-or-later
// What other optimisers need of a tune: its trials as a table, and one number for given values.
#pragma once

#include "harness/cli/options.h"
#include "harness/play/pool.h"
#include "harness/tune/tune_spec.h"

// Prints every trial of the database as TSV to standard output. Columns: stage, kind, iteration,
// pair, seed, as_black and as_white (W, D, L of the plus side), score (0..1 of the plus side), then
// plus.KEY and minus.KEY, the values of each knob on both sides. STATUS_CONFLICT when the database
// holds another tune. Thread: owner.
Status tune_export_tsv(const TuneSpec *spec, const char *path, ErrorText *err) MUST_CHECK;

// One evaluation for an outside optimiser; everything is borrowed.
typedef struct TuneTargetOptions {
    const OptionList *settings; // KEY=VALUE of knobs of the tune; others stay at their start
    uint64_t seed;
    int pairs, jobs;
    PoolControl *control;
} TuneTargetOptions;

// Plays the given values against the start and prints the cost, one number a line: the share of the
// points lost, lower is better; `inf` for values that break an order constraint, and why on
// standard error. STATUS_INVALID: no such knob, no number, out of range, given twice. Thread: main.
Status tune_target_print(const TuneSpec *spec, const TuneTargetOptions *options,
                         ErrorText *err) MUST_CHECK;
