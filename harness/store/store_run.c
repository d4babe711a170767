// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of an experiment: written when a run begins, and compared when it goes on.
#include "harness/record/experiment_diff.h"
#include "harness/store/experiment_rows.h"
#include "harness/store/run_file.h"
#include "harness/store/stamp.h"
#include "harness/store/store.h"
#include "harness/store/store_read.h"

#include <stdlib.h>
#include <string.h>

// A run and the identity of its experiment, which is written once an opening.
typedef struct NamedRun {
    const StoreRun *run;
    const char *identity;
} NamedRun;

static const char *hash_of(const StoreRun *run, int player) {
    return run->engine_hash ? run->engine_hash[player] : NULL;
}

// 0 stands for "no end" in our structs, NULL in the tables, where it takes part in no sum.
static void bind_count(sqlite3_stmt *stmt, int index, int64_t count) {
    if (count > 0)
        sqlite3_bind_int64(stmt, index, count);
}

// The parameters follow the order of SQL_INSERT_EXPERIMENT (sql.c), as all below follow theirs.
// SQLITE_STATIC: the texts outlive the step, so that SQLite need not copy them.
static Status insert_experiment(Store *store, const StoreRun *run, const char *identity,
                                ErrorText *err) {
    const Experiment *e = run->experiment;
    StampText now = stamp_now();
    StampHost host = stamp_host();
    sqlite3_stmt *stmt;
    Status status = connection_prepare(store, SQL_INSERT_EXPERIMENT, &stmt, err);
    if (status)
        return status;
    sqlite3_bind_text(stmt, 1, e->name, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 2, e->text ? e->text : "", -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 3, identity, -1, SQLITE_STATIC);
    // The bits: SQLite has signed integers only, and reading casts them back.
    sqlite3_bind_int64(stmt, 4, (int64_t)e->seed);
    sqlite3_bind_text(stmt, 5, rule_name(e->rule), -1, SQLITE_STATIC);
    sqlite3_bind_int(stmt, 6, e->width);
    sqlite3_bind_int(stmt, 7, e->height);
    sqlite3_bind_int(stmt, 8, e->k);
    bind_count(stmt, 9, e->pairs_until_sprt ? 0 : e->pairs);
    bind_count(stmt, 10, run->planned_games);
    sqlite3_bind_text(stmt, 11, now.text, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 12, run->version, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 13, host.text, -1, SQLITE_STATIC);
    return connection_finish(store, stmt, err);
}

static Status insert_players(Store *store, const StoreRun *run, ErrorText *err) {
    Status status = STATUS_OK;
    for (int i = 0; i < run->experiment->player_count && !status; i++) {
        const PlayerSpec *player = &run->experiment->players[i];
        Text config = {0};
        sqlite3_stmt *stmt;
        player_spec_write_json(player, &config);
        status = config.failed ? error_set(err, STATUS_NO_MEMORY, "out of memory")
                               : connection_prepare(store, SQL_INSERT_PLAYER, &stmt, err);
        if (!status) {
            sqlite3_bind_int(stmt, 1, i);
            sqlite3_bind_text(stmt, 2, player->name, -1, SQLITE_STATIC);
            sqlite3_bind_text(stmt, 3, text_cstr(&config), -1, SQLITE_STATIC);
            // A NULL pointer binds NULL: our own engine has neither path nor hash.
            sqlite3_bind_text(stmt, 4, player->external.command, -1, SQLITE_STATIC);
            sqlite3_bind_text(stmt, 5, hash_of(run, i), -1, SQLITE_STATIC);
            status = connection_finish(store, stmt, err);
        }
        text_release(&config);
    }
    return status;
}

// A row for each start of the program: games say which one they are of, so that a change of version
// or host in the middle of an experiment can be seen in the data.
static Status insert_sitting(Store *store, const StoreRun *run, ErrorText *err) {
    StampText now = stamp_now();
    StampHost host = stamp_host();
    sqlite3_stmt *stmt;
    Status status = connection_prepare(store, SQL_INSERT_SITTING, &stmt, err);
    if (status)
        return status;
    sqlite3_bind_text(stmt, 1, now.text, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 2, run->version, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 3, host.text, -1, SQLITE_STATIC);
    sqlite3_bind_int(stmt, 4, run->jobs);
    bind_count(stmt, 5, run->planned_games);
    status = connection_finish(store, stmt, err);
    store->sitting_id = sqlite3_last_insert_rowid(store->db);
    return status;
}

// What changes from sitting to sitting without making another experiment of it.
// `pairs`, the budget of games and the file of a program are no part of the identity; the rows show
// those of the last sitting.
static Status update_plan(Store *store, const StoreRun *run, ErrorText *err) {
    const Experiment *e = run->experiment;
    sqlite3_stmt *stmt;
    Status status = connection_prepare(store, SQL_UPDATE_PLAN, &stmt, err);
    if (status)
        return status;
    sqlite3_bind_text(stmt, 1, e->text ? e->text : "", -1, SQLITE_STATIC);
    bind_count(stmt, 2, e->pairs_until_sprt ? 0 : e->pairs);
    bind_count(stmt, 3, run->planned_games);
    status = connection_finish(store, stmt, err);
    for (int i = 0; i < e->player_count && !status; i++) {
        if (!e->players[i].external.command)
            continue;
        status = connection_prepare(store, SQL_UPDATE_ENGINE, &stmt, err);
        if (status)
            break;
        sqlite3_bind_text(stmt, 1, e->players[i].external.command, -1, SQLITE_STATIC);
        sqlite3_bind_text(stmt, 2, hash_of(run, i), -1, SQLITE_STATIC);
        sqlite3_bind_int(stmt, 3, i);
        status = connection_finish(store, stmt, err);
    }
    return status;
}

static Status write_rows(Store *store, const void *run, bool is_new, ErrorText *err) {
    const NamedRun *named = run;
    Status status = STATUS_OK;
    if (is_new)
        status = insert_experiment(store, named->run, named->identity, err);
    if (!status)
        status =
            is_new ? insert_players(store, named->run, err) : update_plan(store, named->run, err);
    return status ? status : insert_sitting(store, named->run, err);
}

// The version of the last sitting, and the engines, against those of now.
static Status write_notice(Store *store, const StoreRun *run, StoreResume *resume, ErrorText *err) {
    sqlite3_stmt *stmt;
    bool row;
    Text notice = {0};
    Status status = connection_prepare(store, SQL_LAST_VERSION, &stmt, err);
    if (!status)
        status = connection_step(store, stmt, &row, err);
    if (!status && row) {
        // Valid until the statement is stepped or reset: written to the notice before that.
        const char *last = (const char *)sqlite3_column_text(stmt, 0);
        if (run->version && strcmp(last, run->version) != 0)
            text_printf(&notice, "the games so far are of gomolab %s, this is %s", last,
                        run->version);
        sqlite3_reset(stmt);
    }
    for (int i = 0; i < store->player_count && !status; i++) {
        const char *before = store->players[i].engine_hash, *now = hash_of(run, i);
        // Announced, not refused: the user may have rebuilt the engine on purpose, but should know
        // that the match is of two programs now.
        if (before && now && strcmp(before, now) != 0)
            text_printf(&notice, "%sthe program of player '%s' has changed",
                        notice.length ? "; " : "", store->players[i].name);
    }
    resume->notice = notice.length && !notice.failed ? strdup(text_cstr(&notice)) : NULL;
    text_release(&notice);
    return status;
}

static Status compare(Store *store, const void *run, StoreResume *resume, ErrorText *err) {
    const NamedRun *named = run;
    Status status = STATUS_OK;
    Text difference = {0};
    if (experiment_diff(store->experiment.identity, named->identity, &difference))
        status = error_set(err, STATUS_CONFLICT, "%s: holds another experiment: %s", store->path,
                           text_cstr(&difference));
    text_release(&difference);
    if (!status)
        status = store_count_games(store, INT64_MAX, &resume->games, err);
    if (!status)
        status = write_notice(store, named->run, resume, err);
    return status;
}

const RunFileKind RUN_FILE_EXPERIMENT = {"experiment", experiment_rows_load, compare, write_rows};

// Writes the identity of the run's experiment, which both ways of opening compare.
static Status name_run(const StoreRun *run, Text *identity, NamedRun *out, ErrorText *err) {
    experiment_write_identity(run->experiment, identity);
    *out = (NamedRun){run, text_cstr(identity)};
    return identity->failed ? error_set(err, STATUS_NO_MEMORY, "out of memory") : STATUS_OK;
}

Status store_open_run(const StoreRun *run, Store **out, StoreResume *resume, ErrorText *err) {
    Text identity = {0};
    NamedRun named;
    *resume = (StoreResume){0};
    Status status = name_run(run, &identity, &named, err);
    RunFile file = {&RUN_FILE_EXPERIMENT, run->path, &named, run->fresh};
    if (!status)
        status = run_file_open(&file, out, resume, err);
    text_release(&identity);
    return status;
}

Status store_preview_run(const StoreRun *run, StoreResume *resume, ErrorText *err) {
    Text identity = {0};
    NamedRun named;
    *resume = (StoreResume){0};
    Status status = name_run(run, &identity, &named, err);
    RunFile file = {&RUN_FILE_EXPERIMENT, run->path, &named, run->fresh};
    if (!status)
        status = run_file_preview(&file, resume, err);
    text_release(&identity);
    return status;
}

Status store_open(const char *path, Store **out, ErrorText *err) {
    return run_file_read(path, &RUN_FILE_EXPERIMENT, out, err);
}

void store_resume_release(StoreResume *resume) {
    free(resume->renamed);
    free(resume->notice);
    *resume = (StoreResume){0};
}

static Status note_end(Store *store, SqlId id, ErrorText *err) {
    StampText now = stamp_now();
    sqlite3_stmt *stmt;
    Status status = connection_prepare(store, id, &stmt, err);
    if (status)
        return status;
    sqlite3_bind_text(stmt, 1, now.text, -1, SQLITE_STATIC);
    if (id == SQL_END_SITTING)
        sqlite3_bind_int64(stmt, 2, store->sitting_id);
    return connection_finish(store, stmt, err);
}

Status store_finish_run(Store *store, bool complete, ErrorText *err) {
    Status status = note_end(store, SQL_END_SITTING, err);
    if (!status && complete)
        status = note_end(store, SQL_END_EXPERIMENT, err);
    if (!status)
        run_file_tidy(store);
    return status;
}
