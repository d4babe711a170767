// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a tune: written when it begins and stage by stage, and compared when it goes on.
#include "harness/store/store_tune.h"

#include "harness/record/experiment_diff.h"
#include "harness/store/run_file.h"
#include "harness/store/stamp.h"
#include "harness/store/tune_rows.h"

#include <math.h>
#include <stdlib.h>

// By place in the file: iterations store vectors without names.
static Status insert_knobs(Store *store, const StoreTune *tune, ErrorText *err) {
    Status status = STATUS_OK;
    for (int i = 0; i < tune->knob_count && !status; i++) {
        const StoreTuneKnob *knob = &tune->knobs[i];
        sqlite3_stmt *stmt;
        status = connection_prepare(store, SQL_INSERT_TUNE_KNOB, &stmt, err);
        if (status)
            break;
        sqlite3_bind_int(stmt, 1, i);
        sqlite3_bind_text(stmt, 2, knob->key, -1, SQLITE_STATIC);
        sqlite3_bind_double(stmt, 3, knob->low);
        sqlite3_bind_double(stmt, 4, knob->high);
        sqlite3_bind_double(stmt, 5, knob->start);
        sqlite3_bind_text(stmt, 6, knob->is_log ? "log" : "linear", -1, SQLITE_STATIC);
        sqlite3_bind_int(stmt, 7, knob->is_whole);
        status = connection_finish(store, stmt, err);
    }
    return status;
}

static Status insert_tune(Store *store, const StoreTuneRun *run, ErrorText *err) {
    const StoreTune *tune = run->tune;
    StampText now = stamp_now();
    StampHost host = stamp_host();
    sqlite3_stmt *stmt;
    Status status = connection_prepare(store, SQL_INSERT_TUNE, &stmt, err);
    if (status)
        return status;
    sqlite3_bind_text(stmt, 1, tune->name, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 2, tune->method, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 3, tune->config, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 4, tune->identity, -1, SQLITE_STATIC);
    sqlite3_bind_int64(stmt, 5, (int64_t)tune->seed);
    sqlite3_bind_text(stmt, 6, now.text, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 7, run->version, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 8, host.text, -1, SQLITE_STATIC);
    status = connection_finish(store, stmt, err);
    return status ? status : insert_knobs(store, tune, err);
}

// The file may have another budget or comments now; what decides the tune is in the identity, which
// is the same.
static Status reopen_tune(Store *store, const StoreTuneRun *run, ErrorText *err) {
    sqlite3_stmt *stmt;
    Status status = connection_prepare(store, SQL_REOPEN_TUNE, &stmt, err);
    if (status)
        return status;
    sqlite3_bind_text(stmt, 1, run->tune->config, -1, SQLITE_STATIC);
    return connection_finish(store, stmt, err);
}

static Status write_rows(Store *store, const void *run, bool is_new, ErrorText *err) {
    return is_new ? insert_tune(store, run, err) : reopen_tune(store, run, err);
}

// The budget is not part of the identity: more of it goes on with the same tune.
static Status compare(Store *store, const void *run, StoreResume *resume, ErrorText *err) {
    const StoreTuneRun *tune_run = run;
    Status status = STATUS_OK;
    Text difference = {0};
    if (experiment_diff(store->tune->identity, tune_run->tune->identity, &difference))
        status = error_set(err, STATUS_CONFLICT, "%s: belongs to another tune file: %s",
                           store->path, text_cstr(&difference));
    text_release(&difference);
    if (!status)
        status = connection_int(store, sql_text(SQL_COUNT_TUNE_GAMES), &resume->games, err);
    return status;
}

const RunFileKind RUN_FILE_TUNE = {"tune", tune_rows_load, compare, write_rows};

static RunFile file_of(const StoreTuneRun *run) {
    return (RunFile){&RUN_FILE_TUNE, run->path, run, run->fresh};
}

Status store_tune_open_run(const StoreTuneRun *run, Store **out, StoreResume *resume,
                           ErrorText *err) {
    RunFile file = file_of(run);
    return run_file_open(&file, out, resume, err);
}

Status store_tune_preview_run(const StoreTuneRun *run, StoreResume *resume, ErrorText *err) {
    RunFile file = file_of(run);
    return run_file_preview(&file, resume, err);
}

Status store_tune_open(const char *path, Store **out, ErrorText *err) {
    return run_file_read(path, &RUN_FILE_TUNE, out, err);
}

static void bind_vector(sqlite3_stmt *stmt, int index, const StoreVector *vector, Text *text) {
    text_clear(text);
    store_vector_write(vector, text);
    // TRANSIENT: the buffer is written again for the next vector before the statement is stepped,
    // so that SQLite must have its own copy.
    sqlite3_bind_text(stmt, index, text_cstr(text), -1, SQLITE_TRANSIENT);
}

static Status insert_match(Store *store, int64_t stage, const StoreTuneMatch *match,
                           ErrorText *err) {
    sqlite3_stmt *stmt;
    Status status = connection_prepare(store, SQL_INSERT_TUNE_MATCH, &stmt, err);
    if (status)
        return status;
    sqlite3_bind_int64(stmt, 1, stage);
    sqlite3_bind_text(stmt, 2, match->player, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 3, match->opponent, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 4, match->openings, -1, SQLITE_STATIC);
    sqlite3_bind_int(stmt, 5, match->depth_plus);
    sqlite3_bind_int(stmt, 6, match->is_verdict);
    sqlite3_bind_double(stmt, 7, match->elo0);
    sqlite3_bind_double(stmt, 8, match->elo1);
    sqlite3_bind_double(stmt, 9, match->alpha);
    sqlite3_bind_double(stmt, 10, match->beta);
    sqlite3_bind_int64(stmt, 11, match->pairs);
    return connection_finish(store, stmt, err);
}

static Status insert_stage(Store *store, StoreTuneStage *stage, ErrorText *err) {
    StampText now = stamp_now();
    Text text = {0};
    sqlite3_stmt *stmt;
    bool row = false;
    Status status = connection_prepare(store, SQL_INSERT_TUNE_STAGE, &stmt, err);
    if (status)
        return status;
    sqlite3_bind_text(stmt, 1, stage->kind, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 2, stage->title, -1, SQLITE_STATIC);
    sqlite3_bind_int64(stmt, 3, stage->iterations);
    sqlite3_bind_int64(stmt, 4, stage->pairs_each);
    sqlite3_bind_double(stmt, 5, stage->rate);
    bind_vector(stmt, 6, &stage->start, &text);
    bind_vector(stmt, 7, &stage->steps, &text);
    sqlite3_bind_text(stmt, 8, now.text, -1, SQLITE_STATIC);
    sqlite3_bind_double(stmt, 9, stage->hours);
    // Read before the release, which forgets it.
    bool failed = text.failed;
    text_release(&text);
    if (failed)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    status = connection_step(store, stmt, &row, err);
    if (!status && row)
        stage->id = sqlite3_column_int64(stmt, 0);
    // RETURNING gives one row, after which the statement is still open; an INSERT that is not
    // finished stands in the way of COMMIT.
    sqlite3_reset(stmt);
    return status;
}

// Stage and match together: a match without its row would have lost the test that was registered
// for it.
Status store_tune_begin_stage(Store *store, StoreTuneStage *stage, const StoreTuneMatch *match,
                              ErrorText *err) {
    Status status = connection_run(store, SQL_BEGIN, err);
    if (status)
        return status;
    status = insert_stage(store, stage, err);
    if (!status && match)
        status = insert_match(store, stage->id, match, err);
    return connection_end_transaction(store, status, err);
}

// A single INSERT is a transaction of its own: the iteration and the state behind it are one row.
Status store_tune_add_iteration(Store *store, const StoreTuneIteration *row, ErrorText *err) {
    sqlite3_stmt *stmt;
    Text text = {0};
    Status status = connection_prepare(store, SQL_INSERT_TUNE_ITERATION, &stmt, err);
    if (status)
        return status;
    sqlite3_bind_int64(stmt, 1, row->stage);
    sqlite3_bind_int64(stmt, 2, row->iteration);
    sqlite3_bind_int64(stmt, 3, row->pairs);
    sqlite3_bind_text(stmt, 4, row->results, -1, SQLITE_STATIC);
    sqlite3_bind_double(stmt, 5, row->seconds);
    bind_vector(stmt, 6, &row->theta, &text);
    bind_vector(stmt, 7, &row->state, &text);
    sqlite3_bind_double(stmt, 8, row->drift);
    status = text.failed ? error_set(err, STATUS_NO_MEMORY, "out of memory")
                         : connection_finish(store, stmt, err);
    text_release(&text);
    return status;
}

static Status insert_effect(Store *store, int64_t stage, const StoreTuneEffect *effect,
                            ErrorText *err) {
    sqlite3_stmt *stmt;
    Status status = connection_prepare(store, SQL_INSERT_TUNE_EFFECT, &stmt, err);
    if (status)
        return status;
    // In the order of the columns.
    double numbers[] = {effect->h,        effect->low_value, effect->high_value,   effect->slope,
                        effect->slope_se, effect->curvature, effect->curvature_se, effect->step};
    sqlite3_bind_int64(stmt, 1, stage);
    sqlite3_bind_int(stmt, 2, effect->knob);
    for (int i = 0; i < 8; i++)
        sqlite3_bind_double(stmt, 3 + i, numbers[i]);
    sqlite3_bind_int(stmt, 11, effect->is_flat);
    return connection_finish(store, stmt, err);
}

static Status end_match(Store *store, int64_t stage, const StoreTuneMatch *match, ErrorText *err) {
    sqlite3_stmt *stmt;
    Status status = connection_prepare(store, SQL_END_TUNE_MATCH, &stmt, err);
    if (status)
        return status;
    double numbers[] = {match->elo, match->elo_lo,    match->elo_hi,
                        match->llr, match->llr_lower, match->llr_upper};
    for (int i = 0; i < 6; i++)
        sqlite3_bind_int64(stmt, 1 + i, match->classes[i]);
    for (int i = 0; i < 6; i++)
        // NaN has no place in SQL: an Elo or a ratio that does not exist is NULL.
        if (!isnan(numbers[i]))
            sqlite3_bind_double(stmt, 7 + i, numbers[i]);
    sqlite3_bind_text(stmt, 13, match->verdict, -1, SQLITE_STATIC);
    sqlite3_bind_int64(stmt, 14, stage);
    return connection_finish(store, stmt, err);
}

static Status update_stage(Store *store, int64_t stage, const StoreVector *answer, ErrorText *err) {
    StampText now = stamp_now();
    sqlite3_stmt *stmt;
    Text text = {0};
    Status status = connection_prepare(store, SQL_END_TUNE_STAGE, &stmt, err);
    if (status)
        return status;
    // A match has no coordinates for an answer: it gets "[]".
    bind_vector(stmt, 1, answer ? answer : &(StoreVector){0}, &text);
    sqlite3_bind_text(stmt, 2, now.text, -1, SQLITE_STATIC);
    sqlite3_bind_int64(stmt, 3, stage);
    status = text.failed ? error_set(err, STATUS_NO_MEMORY, "out of memory")
                         : connection_finish(store, stmt, err);
    text_release(&text);
    return status;
}

// The answer, the effects and the counts of a stage are there together or not at all: a stage with
// an answer is one that is finished.
Status store_tune_end_stage(Store *store, int64_t stage, const StoreTuneEnd *end, ErrorText *err) {
    Status status = connection_run(store, SQL_BEGIN, err);
    if (status)
        return status;
    status = update_stage(store, stage, end->answer, err);
    for (int i = 0; i < end->effect_count && !status; i++)
        status = insert_effect(store, stage, &end->effects[i], err);
    if (!status && end->match)
        status = end_match(store, stage, end->match, err);
    return connection_end_transaction(store, status, err);
}

Status store_tune_finish(Store *store, ErrorText *err) {
    StampText now = stamp_now();
    sqlite3_stmt *stmt;
    Status status = connection_prepare(store, SQL_END_TUNE, &stmt, err);
    if (status)
        return status;
    sqlite3_bind_text(stmt, 1, now.text, -1, SQLITE_STATIC);
    status = connection_finish(store, stmt, err);
    // Best effort, and only now: while the tune goes on, the next commit would make the log anew.
    if (!status)
        run_file_tidy(store);
    return status;
}
