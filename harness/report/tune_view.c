// SPDX-License-Identifier: GPL-3.0-or-later
// Reading a tune for its pictures.
#include "harness/report/tune_view.h"

#include "harness/stats/sprt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The same as params_value of the tuner, which this layer may not include; the database holds all
// that it takes.
double tune_view_value(const StoreTuneKnob *knob, double coordinate) {
    double u = fmin(fmax(coordinate, 0.0), 1.0);
    return knob->is_log ? knob->low * pow(knob->high / knob->low, u)
                        : knob->low + u * (knob->high - knob->low);
}

double tune_view_coordinate(const StoreTuneKnob *knob, double value) {
    return knob->is_log ? log(value / knob->low) / log(knob->high / knob->low)
                        : (value - knob->low) / (knob->high - knob->low);
}

// Makes room for one more element; false when memory is out.
static bool room_make(void **array, int64_t *cap, int64_t count, size_t size) {
    if (count < *cap)
        return true;
    int64_t larger = *cap ? 2 * *cap : 64;
    void *moved = realloc(*array, (size_t)larger * size);
    if (!moved)
        return false;
    *array = moved;
    *cap = larger;
    return true;
}

static bool is_kind(const StoreTuneStage *stage, const char *kind) {
    return strcmp(stage->kind, kind) == 0;
}

// --- the path
// ------------------------------------------------------------------------------------------------------

typedef struct PathReading {
    TuneView *view;
    const StoreTuneStage *stage;
    int segment;
    int64_t games, every;                  // so far; one point for so many iterations
    double before[STORE_TUNE_MAX_KNOBS];   // variance of a dummy at the start of the stage
    double variance[STORE_TUNE_MAX_KNOBS]; // and now
} PathReading;

static Status point_add(PathReading *reading, const double *theta, ErrorText *err) {
    TuneView *view = reading->view;
    if (!room_make((void **)&view->path, &view->path_cap, view->path_count, sizeof *view->path))
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    TunePathPoint *point = &view->path[view->path_count++];
    *point = (TunePathPoint){.games = reading->games, .segment = reading->segment};
    for (int i = 0; i < view->tune->knob_count; i++) {
        point->theta[i] = theta[i];
        point->spread[i] = sqrt(reading->variance[i]);
    }
    return STATUS_OK;
}

static Status path_row(void *ctx, const StoreTuneIteration *row, ErrorText *err) {
    PathReading *reading = ctx;
    const StoreTuneStage *stage = reading->stage;
    int knobs = reading->view->tune->knob_count;
    if (row->theta.count != knobs)
        return error_set(err, STATUS_INVALID, "%s: iteration %lld has %d values for %d knobs",
                         store_path(reading->view->store), (long long)row->iteration,
                         row->theta.count, knobs);
    reading->games += 2 * row->pairs;
    for (int i = 0; i < knobs; i++) {
        double spread = i < stage->steps.count ? row->drift * stage->steps.at[i] : 0;
        // Stages wander independently, so their variances add up; the drift of a stage is a
        // deviation in steps.
        reading->variance[i] = reading->before[i] + spread * spread;
    }
    // Thinned evenly, but never without the last point: it is what the picture is looked at for.
    bool is_last = row->iteration + 1 == stage->done;
    return is_last || row->iteration % reading->every == 0 ? point_add(reading, row->theta.at, err)
                                                           : STATUS_OK;
}

// All stages of the tuner, one after another; the path begins at the start.
// The regression and scans leave no path: nothing moves in them.
static Status path_read(TuneView *view, ErrorText *err) {
    PathReading reading = {.view = view};
    double start[STORE_TUNE_MAX_KNOBS];
    Status status = STATUS_OK;
    for (int i = 0; i < view->tune->knob_count; i++)
        start[i] = view->tune->knobs[i].start;
    for (int s = 0; s < view->stage_count && !status; s++) {
        const StoreTuneStage *stage = &view->stages[s];
        if (!is_kind(stage, "spsa") && !is_kind(stage, "random"))
            continue;
        if (!view->last)
            status = point_add(&reading, start, err);
        view->last = stage;
        reading.stage = stage;
        reading.every = stage->done / TUNE_VIEW_POINTS + 1;
        if (!status)
            status = store_tune_iterations(view->store, stage->id, 0, path_row, &reading, err);
        memcpy(reading.before, reading.variance, sizeof reading.before);
        reading.segment++;
    }
    return status;
}

// --- the evidence
// --------------------------------------------------------------------------------------------------

typedef struct EvidenceReading {
    TuneView *view;
    SprtTest test;
    int64_t every; // one point for so many pairs
} EvidenceReading;

static int half_points(char letter) { return letter == 'W' ? 2 : letter == 'D' ? 1 : 0; }

static Status evidence_row(void *ctx, const StoreTuneIteration *row, ErrorText *err) {
    EvidenceReading *reading = ctx;
    TuneView *view = reading->view;
    for (const char *pair = row->results; pair[0] && pair[1]; pair += 2) {
        sprt_test_add_pair(&reading->test,
                           pair_class_from_half_points(half_points(pair[0]), half_points(pair[1])));
        int64_t pairs = pair_counts_total(&reading->test.tested);
        // After the verdict the ratio stands still; the line ends where it crossed the bound.
        bool is_open = pair_counts_total(&reading->test.later) == 0;
        bool is_decided =
            reading->test.result.state == SPRT_H0 || reading->test.result.state == SPRT_H1;
        if (!is_open || !stat_exists(reading->test.result.llr) ||
            (pairs % reading->every != 0 && !is_decided))
            continue;
        if (!room_make((void **)&view->evidence, &view->evidence_cap, view->evidence_count,
                       sizeof *view->evidence))
            return error_set(err, STATUS_NO_MEMORY, "out of memory");
        view->evidence[view->evidence_count++] =
            (TuneEvidence){pairs, reading->test.result.llr.value};
    }
    return STATUS_OK;
}

// Not stored pair by pair but taken again from the results: the ratio follows from them.
static Status evidence_read(TuneView *view, ErrorText *err) {
    for (int i = 0; i < view->match_count; i++)
        if (view->matches[i].is_verdict)
            view->verdict = &view->matches[i];
    if (!view->verdict)
        return STATUS_OK;
    const StoreTuneMatch *match = view->verdict;
    SprtParams params = {match->elo0, match->elo1, match->alpha, match->beta, SPRT_NORMALIZED};
    Status status = sprt_params_check(&params, err);
    if (status)
        return error_wrap(err, status, "%s: the test of its match", store_path(view->store));
    EvidenceReading reading = {.view = view,
                               .test = sprt_test_init(&params),
                               .every = match->pairs / TUNE_VIEW_POINTS + 1};
    return store_tune_iterations(view->store, match->stage, 0, evidence_row, &reading, err);
}

// --- all of it
// -----------------------------------------------------------------------------------------------------

static Status effects_read(TuneView *view, ErrorText *err) {
    Status status = STATUS_OK;
    // From the end: the last scan is the one whose steps were used.
    for (int s = view->stage_count - 1; s >= 0 && !view->effect_count && !status; s--) {
        const StoreTuneStage *stage = &view->stages[s];
        if (!is_kind(stage, "sense") || !stage->finished_at)
            continue;
        free(view->effects);
        view->effects = NULL;
        status =
            store_tune_effects(view->store, stage->id, &view->effects, &view->effect_count, err);
    }
    for (int i = 0; i < view->effect_count && !status; i++)
        if (view->effects[i].knob < 0 || view->effects[i].knob >= view->tune->knob_count)
            status = error_set(err, STATUS_INVALID, "%s: an effect of a knob that is not there",
                               store_path(view->store));
    return status;
}

// One state of a database that is being written.
static Status view_read(TuneView *view, ErrorText *err) {
    Status status = store_snapshot_begin(view->store, err);
    if (status)
        return status;
    status = store_tune_stages(view->store, &view->stages, &view->stage_count, err);
    for (int s = 0; s < view->stage_count; s++)
        view->games += 2 * view->stages[s].done * view->stages[s].pairs_each;
    if (!status)
        status = effects_read(view, err);
    if (!status)
        status = path_read(view, err);
    if (!status)
        status = store_tune_matches(view->store, &view->matches, &view->match_count, err);
    if (!status)
        status = evidence_read(view, err);
    store_snapshot_end(view->store);
    return status;
}

Status tune_view_new(const char *path, TuneView **out, ErrorText *err) {
    TuneView *view = calloc(1, sizeof *view);
    if (!view)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    Status status = store_tune_open(path, &view->store, err);
    if (!status) {
        view->tune = store_tune(view->store);
        status = view_read(view, err);
    }
    if (status)
        tune_view_free(view);
    else
        *out = view;
    return status;
}

void tune_view_free(TuneView *view) {
    if (!view)
        return;
    store_tune_stages_free(view->stages, view->stage_count);
    store_tune_matches_free(view->matches, view->match_count);
    free(view->effects);
    free(view->path);
    free(view->evidence);
    store_close(view->store);
    free(view);
}
