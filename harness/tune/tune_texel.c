// SPDX-License-Identifier: GPL-3.0-or-later
// From a tune to the regression and back.
#include "harness/tune/tune_texel.h"

#include "harness/tune/params.h"
#include "harness/tune/texel_positions.h"

#include <stdlib.h>

static void keep_order(void *ctx, double *knobs) {
    const TuneSpec *spec = ctx;
    double u[TUNE_MAX_KNOBS];
    for (int i = 0; i < spec->knob_count; i++)
        u[i] = params_coordinate(&spec->knobs[i], knobs[i]);
    if (params_project(spec, u))
        for (int i = 0; i < spec->knob_count; i++)
            knobs[i] = params_value(&spec->knobs[i], u[i]);
}

static void write_report(const TuneSpec *spec, const TexelPositions *positions,
                         const TexelResult *fit, Text *out) {
    text_printf(out,
                "texel: %lld positions of %lld games, k %.4g, tempo %.3g; log-loss %.5f before, "
                "%.5f after",
                (long long)positions->count, (long long)positions->game_count, fit->k, fit->tempo,
                fit->loss_before, fit->loss_after);
    double before = 0, after = 0, held = 0;
    for (int i = 0; i < fit->fold_count; i++) {
        before += fit->fold[i].held_before * (double)fit->fold[i].held;
        after += fit->fold[i].held_after * (double)fit->fold[i].held;
        held += (double)fit->fold[i].held;
    }
    if (held > 0)
        text_printf(out, "; games left out: %.5f before, %.5f after (%d folds)", before / held,
                    after / held, fit->fold_count);
    for (int i = 0; i < spec->knob_count; i++)
        text_printf(out, "\n  %-20s %12.6g -> %-12.6g +- %-10.3g%s%s",
                    knob_info(spec->knobs[i].id)->key, spec->knobs[i].start, fit->weight[i],
                    fit->se[i], fit->is_unknown[i] ? " no position says anything" : "",
                    fit->is_on_bound[i] ? " at the end of its range" : "");
}

static Status read_positions(const TuneSpec *spec, TexelPositions *positions, ErrorText *err) {
    Store *store = NULL;
    KnobId knobs[TUNE_MAX_KNOBS];
    TexelChoice choice = {
        .per_game = spec->texel.per_game, .positions = spec->texel.positions, .seed = spec->seed};
    if (!spec->texel.database)
        return error_set(err, STATUS_INVALID,
                         "texel.database: none is named, expected the database of a run");
    for (int i = 0; i < spec->knob_count; i++)
        knobs[i] = spec->knobs[i].id;
    Status status = store_open(spec->texel.database, &store, err);
    if (!status)
        status = texel_positions_add(positions, store, &choice, err);
    store_close(store);
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
