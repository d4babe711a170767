// SPDX-License-Identifier: GPL-3.0-or-later
// Reading the database of a tune.
#include "harness/store/connection.h"
#include "harness/store/store_tune.h"
#include "harness/store/tune_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static Status no_memory(const Store *store, ErrorText *err) {
    return error_set(err, STATUS_NO_MEMORY, "%s: out of memory", store->path);
}

// A missing text is an empty vector.
static Status column_vector(Store *store, sqlite3_stmt *stmt, int column, StoreVector *out,
                            ErrorText *err) {
    const char *text = (const char *)sqlite3_column_text(stmt, column);
    *out = (StoreVector){0};
    if (!text || store_vector_read(text, out))
        return STATUS_OK;
    // Quoted in part: the state of a tuner has hundreds of numbers.
    return error_set(err, STATUS_INVALID, "%s: '%.40s' is no array of numbers", store->path, text);
}

// --- the tune ----------------------------------------------------------------------------

// A knob's id is its index in every vector of the file, so that a gap would shift all values behind
// it.
static Status load_knobs(Store *store, StoreTune *tune, ErrorText *err) {
    sqlite3_stmt *stmt;
    bool row = true;
    Status status = connection_prepare(store, SQL_READ_TUNE_KNOBS, &stmt, err);
    while (!status && !(status = connection_step(store, stmt, &row, err)) && row) {
        StoreTuneKnob *knob = &tune->knobs[tune->knob_count];
        const char *key = (const char *)sqlite3_column_text(stmt, 1);
        const char *scale = (const char *)sqlite3_column_text(stmt, 5);
        // Everything that could overflow the fixed arrays of StoreTune, in a file that may not be
        // of our making.
        if (tune->knob_count == STORE_TUNE_MAX_KNOBS || !key || !scale ||
            strlen(key) >= sizeof knob->key || sqlite3_column_int(stmt, 0) != tune->knob_count) {
            sqlite3_reset(stmt);
            return error_set(err, STATUS_INVALID, "%s: knobs are not numbered 0, 1, ...",
                             store->path);
        }
        memcpy(knob->key, key, strlen(key) + 1);
        knob->low = sqlite3_column_double(stmt, 2);
        knob->high = sqlite3_column_double(stmt, 3);
        knob->start = sqlite3_column_double(stmt, 4);
        // The schema's CHECK leaves two words.
        knob->is_log = strcmp(scale, "log") == 0;
        knob->is_whole = sqlite3_column_int(stmt, 6) != 0;
        tune->knob_count++;
    }
    return status;
}

Status tune_rows_load(Store *store, ErrorText *err) {
    sqlite3_stmt *stmt;
    bool row = false;
    int64_t experiments;
    // First, since a file of schema version 1, which is of an experiment, has no table of tunes.
    Status status = connection_int(store, "SELECT count(*) FROM experiment", &experiments, err);
    if (!status && experiments > 0)
        return error_set(err, STATUS_CONFLICT, "%s: holds an experiment, no tune", store->path);
    if (!status)
        status = connection_prepare(store, SQL_READ_TUNE, &stmt, err);
    if (!status)
        status = connection_step(store, stmt, &row, err);
    if (status)
        return status;
    // Made, but without the row that begins a tune.
    if (!row)
        return error_set(err, STATUS_INVALID, "%s: holds no tune", store->path);
    StoreTune *tune = calloc(1, sizeof *tune);
    if (!tune) {
        sqlite3_reset(stmt);
        return no_memory(store, err);
    }
    // finished_at alone may be NULL; for the others NULL is memory that was out.
    *tune = (StoreTune){.name = connection_text(stmt, 0),
                        .method = connection_text(stmt, 1),
                        .config = connection_text(stmt, 2),
                        .identity = connection_text(stmt, 3),
                        .seed = (uint64_t)sqlite3_column_int64(stmt, 4),
                        .started_at = connection_text(stmt, 5),
                        .finished_at = connection_text(stmt, 6),
                        .version = connection_text(stmt, 7),
                        .host = connection_text(stmt, 8)};
    sqlite3_reset(stmt);
    if (!tune->name || !tune->method || !tune->config || !tune->identity || !tune->started_at ||
        !tune->version || !tune->host)
        status = no_memory(store, err);
    if (!status)
        status = load_knobs(store, tune, err);
    if (status)
        store_tune_free(tune);
    else
        store->tune = tune;
    return status;
}

// By loading it: the name of a file says nothing, and a look at the header would not tell an
// experiment from a tune.
bool store_tune_is(const char *path) {
    Store *store = NULL;
    ErrorText ignored;
    if (store_tune_open(path, &store, &ignored))
        return false;
    connection_close(store);
    return true;
}

const StoreTune *store_tune(const Store *store) { return store->tune; }

// --- stages ------------------------------------------------------------------------------

void store_tune_stages_free(StoreTuneStage *stages, int count) {
    for (int i = 0; i < count; i++) {
        free(stages[i].kind);
        free(stages[i].title);
        free(stages[i].started_at);
        free(stages[i].finished_at);
        store_vector_release(&stages[i].start);
        store_vector_release(&stages[i].steps);
        store_vector_release(&stages[i].answer);
    }
    free(stages);
}

static Status read_stage(Store *store, sqlite3_stmt *stmt, StoreTuneStage *out, ErrorText *err) {
    *out = (StoreTuneStage){.id = sqlite3_column_int64(stmt, 0),
                            .kind = connection_text(stmt, 1),
                            .title = connection_text(stmt, 2),
                            .iterations = sqlite3_column_int64(stmt, 3),
                            .pairs_each = sqlite3_column_int64(stmt, 4),
                            .rate = sqlite3_column_double(stmt, 5),
                            .started_at = connection_text(stmt, 9),
                            .finished_at = connection_text(stmt, 10),
                            // Counted by the statement: a counter in the row of the stage would
                            // have to be written with every iteration.
                            .done = sqlite3_column_int64(stmt, 11),
                            .seconds = sqlite3_column_double(stmt, 12),
                            .hours = sqlite3_column_double(stmt, 13)};
    Status status = column_vector(store, stmt, 6, &out->start, err);
    if (!status)
        status = column_vector(store, stmt, 7, &out->steps, err);
    if (!status)
        status = column_vector(store, stmt, 8, &out->answer, err);
    if (!status && (!out->kind || !out->title || !out->started_at))
        status = no_memory(store, err);
    return status;
}

Status store_tune_stages(Store *store, StoreTuneStage **out, int *count, ErrorText *err) {
    StoreTuneStage *stages = NULL;
    int n = 0;
    sqlite3_stmt *stmt;
    bool row;
    Status status = connection_prepare(store, SQL_READ_TUNE_STAGES, &stmt, err);
    while (!status && !(status = connection_step(store, stmt, &row, err)) && row) {
        // One by one: a tune has a scan, a tuner and a few matches.
        StoreTuneStage *grown = realloc(stages, (size_t)(n + 1) * sizeof *grown);
        if (!grown) {
            status = no_memory(store, err);
            break;
        }
        stages = grown;
        // Counted even when it fails: what was copied so far is freed with the others.
        status = read_stage(store, stmt, &stages[n++], err);
    }
    if (status) {
        store_tune_stages_free(stages, n);
        return status;
    }
    *out = stages;
    *count = n;
    return STATUS_OK;
}

// Streamed: a tune of a night has a hundred thousand iterations, and its state a dozen numbers for
// each knob.
Status store_tune_iterations(Store *store, int64_t stage, int64_t from, StoreTuneRow *row_done,
                             void *ctx, ErrorText *err) {
    sqlite3_stmt *stmt;
    bool row;
    Status status = connection_prepare(store, SQL_READ_TUNE_ITERATIONS, &stmt, err);
    if (status)
        return status;
    sqlite3_bind_int64(stmt, 1, stage);
    sqlite3_bind_int64(stmt, 2, from);
    while (!status && !(status = connection_step(store, stmt, &row, err)) && row) {
        StoreTuneIteration out = {.stage = sqlite3_column_int64(stmt, 0),
                                  .iteration = sqlite3_column_int64(stmt, 1),
                                  .pairs = sqlite3_column_int64(stmt, 2),
                                  .results = connection_text(stmt, 3),
                                  .seconds = sqlite3_column_double(stmt, 4),
                                  .drift = sqlite3_column_double(stmt, 7)};
        status =
            out.results ? column_vector(store, stmt, 5, &out.theta, err) : no_memory(store, err);
        if (!status)
            status = column_vector(store, stmt, 6, &out.state, err);
        if (!status)
            // Borrowed by the callee: whatever it wants to keep it copies.
            status = row_done(ctx, &out, err);
        free(out.results);
        store_vector_release(&out.theta);
        store_vector_release(&out.state);
    }
    // The callee may have ended the reading in the middle: a statement that is left open keeps the
    // log from shrinking.
    sqlite3_reset(stmt);
    return status;
}

// --- effects and matches -----------------------------------------------------------------

Status store_tune_effects(Store *store, int64_t stage, StoreTuneEffect **out, int *count,
                          ErrorText *err) {
    // As many as a tune may have knobs: no growing, and a foreign file cannot make it overflow.
    StoreTuneEffect *effects = calloc(STORE_TUNE_MAX_KNOBS, sizeof *effects);
    int n = 0;
    sqlite3_stmt *stmt;
    bool row;
    if (!effects)
        return no_memory(store, err);
    Status status = connection_prepare(store, SQL_READ_TUNE_EFFECTS, &stmt, err);
    if (!status)
        sqlite3_bind_int64(stmt, 1, stage);
    while (!status && n < STORE_TUNE_MAX_KNOBS &&
           !(status = connection_step(store, stmt, &row, err)) && row)
        effects[n++] = (StoreTuneEffect){.knob = sqlite3_column_int(stmt, 0),
                                         .h = sqlite3_column_double(stmt, 1),
                                         .low_value = sqlite3_column_double(stmt, 2),
                                         .high_value = sqlite3_column_double(stmt, 3),
                                         .slope = sqlite3_column_double(stmt, 4),
                                         .slope_se = sqlite3_column_double(stmt, 5),
                                         .curvature = sqlite3_column_double(stmt, 6),
                                         .curvature_se = sqlite3_column_double(stmt, 7),
                                         .step = sqlite3_column_double(stmt, 8),
                                         .is_flat = sqlite3_column_int(stmt, 9) != 0};
    if (status) {
        free(effects);
        return status;
    }
    sqlite3_reset(stmt);
    *out = effects;
    *count = n;
    return STATUS_OK;
}

void store_tune_matches_free(StoreTuneMatch *matches, int count) {
    for (int i = 0; i < count; i++)
        store_tune_match_release(&matches[i]);
    free(matches);
}

// NaN is how our structs say "no value"; SQLite would give 0 for NULL, an Elo like any other.
static double column_number(sqlite3_stmt *stmt, int column) {
    return sqlite3_column_type(stmt, column) == SQLITE_NULL ? NAN
                                                            : sqlite3_column_double(stmt, column);
}

static void read_match(sqlite3_stmt *stmt, StoreTuneMatch *out) {
    *out = (StoreTuneMatch){.stage = sqlite3_column_int64(stmt, 0),
                            .player = connection_text(stmt, 1),
                            .opponent = connection_text(stmt, 2),
                            .openings = connection_text(stmt, 3),
                            .depth_plus = sqlite3_column_int(stmt, 4),
                            .is_verdict = sqlite3_column_int(stmt, 5) != 0,
                            .elo0 = sqlite3_column_double(stmt, 6),
                            .elo1 = sqlite3_column_double(stmt, 7),
                            .alpha = sqlite3_column_double(stmt, 8),
                            .beta = sqlite3_column_double(stmt, 9),
                            .pairs = sqlite3_column_int64(stmt, 10),
                            .elo = column_number(stmt, 17),
                            .elo_lo = column_number(stmt, 18),
                            .elo_hi = column_number(stmt, 19),
                            .llr = column_number(stmt, 20),
                            .llr_lower = column_number(stmt, 21),
                            .llr_upper = column_number(stmt, 22),
                            .verdict = connection_text(stmt, 23)};
    // NULL until the match has ended, which reads as 0 pairs.
    for (int i = 0; i < 6; i++)
        out->classes[i] = sqlite3_column_int64(stmt, 11 + i);
}

Status store_tune_matches(Store *store, StoreTuneMatch **out, int *count, ErrorText *err) {
    StoreTuneMatch *matches = NULL;
    int n = 0;
    sqlite3_stmt *stmt;
    bool row;
    Status status = connection_prepare(store, SQL_READ_TUNE_MATCHES, &stmt, err);
    while (!status && !(status = connection_step(store, stmt, &row, err)) && row) {
        StoreTuneMatch *grown = realloc(matches, (size_t)(n + 1) * sizeof *grown);
        if (!grown) {
            status = no_memory(store, err);
            break;
        }
        matches = grown;
        // Counted whatever it has become, so that its texts are freed with the others.
        read_match(stmt, &matches[n++]);
        if (!matches[n - 1].player || !matches[n - 1].opponent || !matches[n - 1].openings)
            status = no_memory(store, err);
    }
    if (status) {
        store_tune_matches_free(matches, n);
        return status;
    }
    *out = matches;
    *count = n;
    return STATUS_OK;
}
