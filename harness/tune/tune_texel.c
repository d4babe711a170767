// SPDX-License-Identifier: GPL-3.0-or-later
// From a tune to the regression and back.
#include "harness/tune/tune_texel.h"

#include "harness/tune/params.h"
#include "harness/tune/texel_positions.h"

#include <stdlib.h>
#include <string.h>

// The regression works on values, orders are kept in coordinates.
static void keep_order(void *ctx, double *knobs) {
    const TuneSpec *spec = ctx;
    double u[TUNE_MAX_KNOBS];
    for (int i = 0; i < spec->knob_count; i++)
        u[i] = params_coordinate(&spec->knobs[i], knobs[i]);
    if (params_project(spec, u))
        for (int i = 0; i < spec->knob_count; i++)
            knobs[i] = params_value(&spec->knobs[i], u[i]);
}

// Each fold, then all of them: games that a fit has not seen are what it is judged by.
// Before and after on games that the fit has not seen: the only numbers that can show overfitting.
static void write_folds(const TexelResult *fit, Text *out) {
    double before = 0, after = 0, held = 0;
    for (int i = 0; i < fit->fold_count; i++) {
        const TexelFold *fold = &fit->fold[i];
        text_printf(out,
                    "\n  without fold %d: %lld positions %.5f -> %.5f; left out: %lld positions "
                    "%.5f -> %.5f",
                    i + 1, (long long)fold->train, fold->train_before, fold->train_after,
                    (long long)fold->held, fold->held_before, fold->held_after);
        before += fold->held_before * (double)fold->held;
        after += fold->held_after * (double)fold->held;
        held += (double)fold->held;
    }
    if (held > 0)
        text_printf(out, "\n  games left out: log-loss %.5f before, %.5f after (%d folds)",
                    before / held, after / held, fit->fold_count);
}

static void write_report(const TuneSpec *spec, const TexelPositions *positions,
                         const TexelResult *fit, Text *out) {
    text_printf(out,
                "texel: %lld positions of %lld games, k %.4g, tempo %.3g; log-loss %.5f before, "
                "%.5f after",
                (long long)positions->count, (long long)positions->game_count, fit->k, fit->tempo,
                fit->loss_before, fit->loss_after);
    write_folds(fit, out);
    for (int i = 0; i < spec->knob_count; i++)
        text_printf(out, "\n  %-20s %12.6g -> %-12.6g +- %-10.3g%s%s",
                    knob_info(spec->knobs[i].id)->key, spec->knobs[i].start, fit->weight[i],
                    fit->se[i], fit->is_unknown[i] ? " no position says anything" : "",
                    fit->is_on_bound[i]       ? " at the end of its range"
                    : positions->is_curved[i] ? " not linear: an estimate"
                                              : "");
}

// Outcomes of stored games say nothing about what a knob of the search would have done.
static Status knobs_check(const TuneSpec *spec, ErrorText *err) {
    for (int i = 0; i < spec->knob_count; i++) {
        const char *key = knob_info(spec->knobs[i].id)->key;
        if (strncmp(key, "eval.", 5) != 0)
            return error_set(err, STATUS_INVALID,
                             "%s: texel learns knobs of the evaluation only, %s is none (spsa "
                             "tunes any)",
                             spec->path, key);
    }
    return STATUS_OK;
}

// The store is closed again before anything is evaluated: positions hold their own copies.
static Status choose_positions(const TuneSpec *spec, int64_t most, TexelPositions *positions,
                               ErrorText *err) {
    Store *store = NULL;
    TexelChoice choice = {.per_game = spec->texel.per_game, .positions = most, .seed = spec->seed};
    if (!spec->texel.database)
        return error_set(err, STATUS_INVALID,
                         "texel.database: none is named, expected the database of a run");
    Status status = store_open(spec->texel.database, &store, err);
    if (!status)
        status = texel_positions_add(positions, store, &choice, err);
    if (!status && positions->count == 0)
        status = error_set(err, STATUS_INVALID,
                           "%s: no quiet positions in %lld games (are their moves stored?)",
                           spec->texel.database, (long long)positions->games_seen);
    store_close(store);
    return status;
}

Status tune_texel_check(const TuneSpec *spec, ErrorText *err) {
    TexelPositions positions = {0};
    Status status = knobs_check(spec, err);
    if (!status)
        // One position is enough to know that there is something to learn from.
        status = choose_positions(spec, 1, &positions, err);
    texel_positions_release(&positions);
    return status;
}

static Status read_positions(const TuneSpec *spec, TexelPositions *positions, ErrorText *err) {
    KnobId knobs[TUNE_MAX_KNOBS];
    for (int i = 0; i < spec->knob_count; i++)
        knobs[i] = spec->knobs[i].id;
    Status status = knobs_check(spec, err);
    if (!status)
        status = choose_positions(spec, spec->texel.positions, positions, err);
    if (!status)
        status =
            texel_positions_measure(positions, &spec->base.knobs, knobs, spec->knob_count, err);
    return status;
}

Status tune_texel(const TuneSpec *spec, double *u, Text *report, ErrorText *err) {
    TexelPositions positions = {0};
    TexelKnob knobs[TEXEL_KNOBS_MAX];
    TexelResult *fit = calloc(1, sizeof *fit);
    if (!fit)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    for (int i = 0; i < spec->knob_count; i++) {
        const TuneKnob *knob = &spec->knobs[i];
        // Half of the start, or a quarter of the range, is what a knob may move without much pull.
        double scale = knob->start != 0 ? knob->start / 2 : (knob->high - knob->low) / 4;
        knobs[i] = (TexelKnob){knob->start, knob->low, knob->high, scale < 0 ? -scale : scale};
    }
    TexelOptions options = {.l2 = spec->texel.l2,
                            .folds = spec->texel.folds,
                            .seed = spec->seed,
                            .project = keep_order,
                            .project_ctx = (void *)spec};
    Status status = read_positions(spec, &positions, err);
    if (!status) {
        TexelData data = texel_positions_data(&positions, knobs, spec->knob_count);
        status = texel_fit(&data, &options, fit, err);
    }
    if (!status) {
        for (int i = 0; i < spec->knob_count; i++)
            u[i] = params_coordinate(&spec->knobs[i], fit->weight[i]);
        write_report(spec, &positions, fit, report);
    }
    texel_positions_release(&positions);
    free(fit);
    return status;
}
