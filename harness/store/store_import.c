// SPDX-License-Identifier: GPL-3.0-or-later
// Adding games that come from files.
#include "harness/store/store_import.h"

#include "harness/store/game_rows.h"
#include "harness/store/store_read.h"

#include <stdlib.h>
#include <string.h>

// Where a run keeps its YAML.
static const char CONFIG[] = "# Games that were imported; nothing was played here.\n";

// No run is without players, so an experiment whose identity has none is an import.
static bool is_import(const StoreExperiment *experiment) {
    return strstr(experiment->identity, "\"players\": []") != NULL;
}

// What is there already decides name and size.
static Status look_at(const StoreImportSetup *setup, StoreImportSetup *out, char **name,
                      ErrorText *err) {
    Store *store = NULL;
    Status status = store_open(setup->path, &store, err);
    if (status)
        return status;
    const StoreExperiment *experiment = store_experiment(store);
    if (!is_import(experiment))
        status = error_set(err, STATUS_CONFLICT, "%s: holds games of a run, expected imported ones",
                           setup->path);
    else if (experiment->rule != setup->rule)
        status = error_set(err, STATUS_CONFLICT, "%s: holds games by the %s rule, not %s",
                           setup->path, rule_name(experiment->rule), rule_name(setup->rule));
    else if (!(*name = strdup(experiment->name)))
        status = error_set(err, STATUS_NO_MEMORY, "out of memory");
    out->width = experiment->width;
    out->height = experiment->height;
    store_close(store);
    return status;
}

Status store_import_open(const StoreImportSetup *setup, Store **out, ErrorText *err) {
    StoreImportSetup found = *setup;
    char *name = NULL;
    Status status = look_at(setup, &found, &name, err);
    // Nothing there yet: it is made, with the size of the first game.
    if (status && status != STATUS_NOT_FOUND)
        return status;
    Experiment experiment = {.name = name ? name : strdup(setup->name),
                             .text = strdup(CONFIG),
                             .rule = setup->rule,
                             .width = found.width,
                             .height = found.height,
                             .k = 5};
    // A run without players: its identity, and with it every later import into the file, is the
    // same.
    StoreRun run = {
        .path = setup->path, .experiment = &experiment, .version = setup->version, .jobs = 1};
    StoreResume resume = {0};
    status = experiment.name && experiment.text ? store_open_run(&run, out, &resume, err)
                                                : error_set(err, STATUS_NO_MEMORY, "out of memory");
    if (!status)
        store_resume_release(&resume);
    experiment_release(&experiment);
    return status;
}

// In memory first, then in the table. They cannot part for long: an import that fails is not
// committed, and its store is closed.
static Status add_player(Store *store, const char *name, ErrorText *err) {
    int n = store->player_count;
    StorePlayer *players = realloc(store->players, (size_t)(n + 1) * sizeof *players);
    if (!players)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    store->players = players;
    players[n] = (StorePlayer){.name = strdup(name), .config = strdup("{}")};
    if (!players[n].name || !players[n].config) {
        free(players[n].name);
        free(players[n].config);
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    }
    store->player_count++;
    sqlite3_stmt *stmt;
    Status status = connection_prepare(store, SQL_INSERT_PLAYER, &stmt, err);
    if (status)
        return status;
    sqlite3_bind_int(stmt, 1, n);
    sqlite3_bind_text(stmt, 2, name, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 3, players[n].config, -1, SQLITE_STATIC);
    return connection_finish(store, stmt, err);
}

static Status find_player(Store *store, const char *name, int *index, ErrorText *err) {
    for (int i = 0; i < store->player_count; i++)
        if (strcmp(store->players[i].name, name) == 0) {
            *index = i;
            return STATUS_OK;
        }
    *index = store->player_count;
    return add_player(store, name, err);
}

// Games keep the slots that they had where they were exported, if those are free: a database that
// is written out and read in again is the same. Others go to the end, and belong to no pair.
static Status choose_slot(Store *store, GameRecord *record, ErrorText *err) {
    int64_t next;
    bool taken = false;
    sqlite3_stmt *stmt;
    Status status = STATUS_OK;
    if (record->slot >= 0) {
        status = connection_prepare(store, SQL_READ_GAME, &stmt, err);
        if (status)
            return status;
        sqlite3_bind_int64(stmt, 1, record->slot);
        status = connection_step(store, stmt, &taken, err);
        sqlite3_reset(stmt);
    }
    if (status || (record->slot >= 0 && !taken))
        return status;
    status = connection_int(store, "SELECT coalesce(max(id), -1) + 1 FROM game", &next, err);
    record->slot = next;
    record->pair = -1;
    return status;
}

Status store_import_add(Store *store, GameRecord *record, const char *black, const char *white,
                        ErrorText *err) {
    GameRows rows = {0};
    Status status = STATUS_OK;
    // Not inside a transaction yet: the first game opens the one that all games of the import
    // share.
    if (sqlite3_get_autocommit(store->db))
        status = connection_run(store, SQL_BEGIN, err);
    if (!status)
        status = find_player(store, black, &record->black, err);
    if (!status)
        status = find_player(store, white, &record->white, err);
    if (!status)
        status = choose_slot(store, record, err);
    record->source.is_imported = true;
    if (!status)
        status = game_rows_insert(&rows, store, record, err);
    game_rows_release(&rows);
    return status;
}

Status store_import_finish(Store *store, ErrorText *err) {
    Status status = STATUS_OK;
    if (!sqlite3_get_autocommit(store->db))
        status = connection_run(store, SQL_COMMIT, err);
    return status ? status : store_finish_run(store, false, err);
}
