// SPDX-License-Identifier: GPL-3.0-or-later
// What a database says about its experiment.
#include "harness/store/experiment_rows.h"

#include <stdlib.h>

// What it holds instead.
static Status holds_no_experiment(Store *store, ErrorText *err) {
    int64_t tunes = 0;
    Status status = connection_int(store, "SELECT count(*) FROM tune", &tunes, err);
    if (status)
        return status;
    return error_set(err, tunes ? STATUS_CONFLICT : STATUS_INVALID,
                     tunes ? "%s: holds a tune, no experiment" : "%s: holds no experiment",
                     store->path);
}

static Status load_experiment(Store *store, ErrorText *err) {
    StoreExperiment *e = &store->experiment;
    sqlite3_stmt *stmt;
    bool row;
    Status status = connection_prepare(store, SQL_READ_EXPERIMENT, &stmt, err);
    if (!status)
        status = connection_step(store, stmt, &row, err);
    if (status)
        return status;
    if (!row)
        return holds_no_experiment(store, err);
    e->name = connection_text(stmt, 0);
    e->config = connection_text(stmt, 1);
    e->identity = connection_text(stmt, 2);
    e->seed = (uint64_t)sqlite3_column_int64(stmt, 3);
    const char *rule = (const char *)sqlite3_column_text(stmt, 4);
    if (!rule || !rule_parse(rule, &e->rule))
        status = error_set(err, STATUS_INVALID, "%s: rule '%s' is not known", store->path,
                           rule ? rule : "");
    e->width = sqlite3_column_int(stmt, 5);
    e->height = sqlite3_column_int(stmt, 6);
    e->k = sqlite3_column_int(stmt, 7);
    e->pairs = sqlite3_column_int64(stmt, 8);
    e->planned_games = sqlite3_column_int64(stmt, 9);
    e->started_at = connection_text(stmt, 10);
    e->finished_at = connection_text(stmt, 11);
    e->version = connection_text(stmt, 12);
    e->host = connection_text(stmt, 13);
    sqlite3_reset(stmt);
    // What the schema declares NOT NULL is NULL here only when memory was out for the copy.
    if (!status &&
        (!e->name || !e->config || !e->identity || !e->started_at || !e->version || !e->host))
        status = error_set(err, STATUS_NO_MEMORY, "%s: out of memory", store->path);
    return status;
}

static Status load_players(Store *store, ErrorText *err) {
    sqlite3_stmt *stmt;
    bool row;
    Status status = connection_prepare(store, SQL_READ_PLAYERS, &stmt, err);
    while (!status && !(status = connection_step(store, stmt, &row, err)) && row) {
        int n = store->player_count;
        // One by one: a database has a few players, read once.
        StorePlayer *players = realloc(store->players, (size_t)(n + 1) * sizeof *players);
        if (players) {
            store->players = players;
            players[n] = (StorePlayer){connection_text(stmt, 1), connection_text(stmt, 2),
                                       connection_text(stmt, 3), connection_text(stmt, 4)};
            store->player_count++;
        }
        if (!players || !players[n].name || !players[n].config)
            status = error_set(err, STATUS_NO_MEMORY, "%s: out of memory", store->path);
        // Ids are indices everywhere (store.h): a gap would give games to the wrong player.
        else if (sqlite3_column_int(stmt, 0) != n)
            status = error_set(err, STATUS_INVALID, "%s: players are not numbered 0, 1, ...",
                               store->path);
    }
    return status;
}

Status experiment_rows_load(Store *store, ErrorText *err) {
    Status status = load_experiment(store, err);
    return status ? status : load_players(store, err);
}
