// SPDX-License-Identifier: GPL-3.0-or-later
// Trials out, costs out.
#include "harness/cli/tune_exchange.h"

#include "engine/base/nearest.h"
#include "harness/tune/tune_target.h"
#include "harness/tune/tune_trials.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- trials ------------------------------------------------------------------------------

typedef struct Export {
    const TuneSpec *spec;
    Text line;
} Export;

static void values_append(const TuneSpec *spec, const double *values, Text *out) {
    for (int i = 0; i < spec->knob_count; i++) {
        text_append(out, "\t");
        text_append_double(out, values[i]);
    }
}

static Status trial_print(void *ctx, const TuneTrialRow *row, ErrorText *err) {
    Export *export = ctx;
    Text *line = &export->line;
    int points = (row->as_black == 'W') + (row->as_white == 'W');
    // Of the plus side, 0..1: a win is half of the pair, a draw a quarter.
    double score = points / 2.0 + ((row->as_black == 'D') + (row->as_white == 'D')) / 4.0;
    text_clear(line);
    text_printf(line, "%lld\t%s\t%lld\t%d\t%llu\t%c\t%c\t%g", (long long)row->stage->id,
                row->stage->kind, (long long)row->iteration, row->pair,
                (unsigned long long)row->trial->seed, row->as_black, row->as_white, score);
    values_append(export->spec, row->trial->plus, line);
    values_append(export->spec, row->trial->minus, line);
    text_append(line, "\n");
    if (line->failed)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    // Ends the export at the first line that nobody takes: a database may have millions.
    if (fputs(text_cstr(line), stdout) == EOF)
        return error_set(err, STATUS_IO, "standard output: cannot be written");
    return STATUS_OK;
}

// All plus columns, then all minus columns, in the order of the file.
static void header_print(const TuneSpec *spec) {
    fputs("stage\tkind\titeration\tpair\tseed\tas_black\tas_white\tscore", stdout);
    for (int i = 0; i < spec->knob_count; i++)
        printf("\tplus.%s", knob_info(spec->knobs[i].id)->key);
    for (int i = 0; i < spec->knob_count; i++)
        printf("\tminus.%s", knob_info(spec->knobs[i].id)->key);
    fputs("\n", stdout);
}

Status tune_export_tsv(const TuneSpec *spec, const char *path, ErrorText *err) {
    Export export = {.spec = spec};
    Text identity = {0};
    Store *store = NULL;
    Status status = store_tune_open(path, &store, err);
    tune_spec_write_identity(spec, &identity);
    // Trials are made again from the tune file and the stored results: another file would make
    // other ones.
    if (!status && strcmp(store_tune(store)->identity, text_cstr(&identity)) != 0)
        status =
            error_set(err, STATUS_CONFLICT, "%s: holds another tune than %s", path, spec->path);
    if (!status) {
        header_print(spec);
        status = tune_trials_each(spec, store, trial_print, &export, err);
    }
    store_close(store);
    text_release(&identity);
    text_release(&export.line);
    return status;
}

// --- the target --------------------------------------------------------------------------

static Status unknown_knob(const TuneSpec *spec, const char *key, ErrorText *err) {
    const char *names[TUNE_MAX_KNOBS];
    for (int i = 0; i < spec->knob_count; i++)
        names[i] = knob_info(spec->knobs[i].id)->key;
    return error_set(err, STATUS_INVALID,
                     "gomolab tune: --target-runner: '%.60s' is no knob of %s%s", key, spec->path,
                     nearest_hint(key, names, (size_t)spec->knob_count, "").text);
}

// One KEY=VALUE.
static Status value_set(const TuneSpec *spec, const char *setting, double *values, bool *is_given,
                        ErrorText *err) {
    const char *equals = strchr(setting, '=');
    Text key = {0};
    int at = 0;
    if (!equals)
        return error_set(err, STATUS_INVALID,
                         "gomolab tune: --target-runner: '%.60s', expected KEY=VALUE", setting);
    text_append_bytes(&key, setting, (size_t)(equals - setting));
    while (at < spec->knob_count &&
           strcmp(knob_info(spec->knobs[at].id)->key, text_cstr(&key)) != 0)
        at++;
    Status status = at == spec->knob_count ? unknown_knob(spec, text_cstr(&key), err) : STATUS_OK;
    // Some knob, so that what follows has one to look at; the status is an error already.
    const TuneKnob *knob = &spec->knobs[at < spec->knob_count ? at : 0];
    double value = 0;
    bool fits = text_parse_double(equals + 1, knob->low, knob->high, &value) &&
                // Refused rather than rounded: the optimiser would believe that it had tried
                // another value.
                (!knob->is_whole || value == floor(value));
    if (!status && is_given[at])
        status = error_set(err, STATUS_INVALID, "gomolab tune: --target-runner: %s is given twice",
                           text_cstr(&key));
    else if (!status && !fits)
        status = error_set(err, STATUS_INVALID,
                           "gomolab tune: --target-runner: %s: '%.40s', expected %s from %g to %g",
                           text_cstr(&key), equals + 1,
                           knob->is_whole ? "a whole number" : "a number", knob->low, knob->high);
    if (!status) {
        values[at] = value;
        is_given[at] = true;
    }
    text_release(&key);
    return status;
}

// The first order that the values break, or NULL.
// Negated, so that a NaN would count as broken.
static const TuneOrder *broken_order(const TuneSpec *spec, const double *values) {
    for (int i = 0; i < spec->order_count; i++)
        if (!(values[spec->orders[i].above] > values[spec->orders[i].below]))
            return &spec->orders[i];
    return NULL;
}

Status tune_target_print(const TuneSpec *spec, const TuneTargetOptions *options, ErrorText *err) {
    double values[TUNE_MAX_KNOBS], cost = INFINITY;
    bool is_given[TUNE_MAX_KNOBS] = {false};
    Status status = STATUS_OK;
    for (int i = 0; i < spec->knob_count; i++)
        values[i] = spec->knobs[i].start;
    for (int i = 0; i < options->settings->count && !status; i++)
        status = value_set(spec, options->settings->items[i], values, is_given, err);
    if (status)
        return status;
    const TuneOrder *broken = broken_order(spec, values);
    if (broken) {
        fprintf(stderr, "%s > %s does not hold: %g and %g\n",
                knob_info(spec->knobs[broken->above].id)->key,
                knob_info(spec->knobs[broken->below].id)->key, values[broken->above],
                values[broken->below]);
        // A value like any other for an optimiser: the worst. A failure would end its run.
        puts("inf");
        return STATUS_OK;
    }
    TuneTarget target = {spec,           values,        options->seed,
                         options->pairs, options->jobs, options->control};
    status = tune_target_cost(&target, &cost, err);
    if (!status)
        printf("%.6f\n", cost);
    return status;
}
