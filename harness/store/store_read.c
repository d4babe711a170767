// SPDX-License-Identifier: GPL-3.0-or-later
// Games one at a time, counts, openings and sittings.
#include "harness/store/store_read.h"

#include "engine/base/check.h"
#include "harness/store/game_rows.h"

#include <stdlib.h>
#include <string.h>

const StoreExperiment *store_experiment(const Store *store) { return &store->experiment; }

int store_player_count(const Store *store) { return store->player_count; }

const StorePlayer *store_player(const Store *store, int player) {
    CHECK(player >= 0 && player < store->player_count);
    return &store->players[player];
}

// Doubled, so that sums of points stay whole numbers.
int store_game_points2(const StoreGame *game, int player) {
    if (game->result == 'D')
        return 1;
    return (game->result == 'B' ? game->black : game->white) == player ? 2 : 0;
}

Status store_count_games(Store *store, int64_t below, int64_t *out, ErrorText *err) {
    sqlite3_stmt *stmt;
    bool row;
    Status status = connection_prepare(store, SQL_COUNT_GAMES, &stmt, err);
    if (status)
        return status;
    sqlite3_bind_int64(stmt, 1, below);
    status = connection_step(store, stmt, &row, err);
    if (!status && row)
        *out = sqlite3_column_int64(stmt, 0);
    // The one row was read, but the statement does not know that no second one follows.
    sqlite3_reset(stmt);
    return status;
}

// The row is turned into a record before the statement is reset: its texts belong to the statement.
Status store_load_game(Store *store, int64_t slot, GameRecord **out, ErrorText *err) {
    sqlite3_stmt *stmt;
    bool row;
    GameRecord *record = NULL;
    Status status = connection_prepare(store, SQL_READ_GAME, &stmt, err);
    if (status)
        return status;
    sqlite3_bind_int64(stmt, 1, slot);
    status = connection_step(store, stmt, &row, err);
    if (!status && !row)
        status = error_set(err, STATUS_NOT_FOUND, "%s: there is no game %lld", store->path,
                           (long long)slot);
    if (!status)
        status = game_rows_record(store, stmt, &record, err);
    sqlite3_reset(stmt);
    if (!status)
        status = game_rows_add_moves(store, record, err);
    if (status)
        game_record_free(record);
    else
        *out = record;
    return status;
}

// A cursor has a statement of its own, so that several may be open at once.
struct StoreCursor {
    Store *store; // borrowed
    sqlite3_stmt *stmt;
    StoreGame held; // first half of a pair
    bool has_held;
};

Status store_games_open(Store *store, int64_t from_slot, StoreCursor **out, ErrorText *err) {
    StoreCursor *cursor = calloc(1, sizeof *cursor);
    if (!cursor)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    cursor->store = store;
    // Not by connection_prepare: the shared statement would be reset under a cursor that is already
    // open.
    if (sqlite3_prepare_v2(store->db, sql_text(SQL_READ_GAMES), -1, &cursor->stmt, NULL)) {
        free(cursor);
        return connection_error(store, err);
    }
    sqlite3_bind_int64(cursor->stmt, 1, from_slot);
    *out = cursor;
    return STATUS_OK;
}

// *found false ends the reading; the statement is reset then, and the snapshot it held is gone.
Status store_games_next(StoreCursor *cursor, StoreGame *out, bool *found, ErrorText *err) {
    Status status = connection_step(cursor->store, cursor->stmt, found, err);
    return !status && *found ? game_rows_read(cursor->store, cursor->stmt, out, err) : status;
}

Status store_games_next_full(StoreCursor *cursor, GameRecord **out, bool *found, ErrorText *err) {
    GameRecord *record = NULL;
    Status status = connection_step(cursor->store, cursor->stmt, found, err);
    if (status || !*found)
        return status;
    status = game_rows_record(cursor->store, cursor->stmt, &record, err);
    if (!status)
        status = game_rows_add_moves(cursor->store, record, err);
    if (status)
        game_record_free(record);
    else
        *out = record;
    return status;
}

Status store_pairs_next(StoreCursor *cursor, StorePair *out, bool *found, ErrorText *err) {
    for (;;) {
        StoreGame game;
        Status status = store_games_next(cursor, &game, found, err);
        if (status || !*found)
            return status;
        // The games of a pair have neighbouring slots, so that holding one game back is enough; -1
        // marks games that are no pair (imported).
        if (cursor->has_held && game.pair >= 0 && cursor->held.pair == game.pair) {
            *out = (StorePair){{cursor->held, game}};
            cursor->has_held = false;
            return STATUS_OK;
        }
        // The game that was held has no partner: it is passed over, as its pair is not finished.
        cursor->held = game;
        cursor->has_held = true;
    }
}

void store_cursor_close(StoreCursor *cursor) {
    if (!cursor)
        return;
    // Ends its read transaction, if it was left in the middle.
    sqlite3_finalize(cursor->stmt);
    free(cursor);
}

// Makes room for one more element; false when memory is out.
// Without a capacity of its own: the count tells when the room is used up.
static bool grow(void **array, int count, size_t size) {
    if (count & (count - 1)) // room doubles at powers of two
        return true;
    void *larger = realloc(*array, (count ? (size_t)count * 2 : 1) * size);
    if (larger)
        *array = larger;
    return larger != NULL;
}

// Players are checked because callers index arrays by them, and people may edit a database.
static Status read_count(Store *store, sqlite3_stmt *stmt, StoreCount *out, ErrorText *err) {
    const char *first = (const char *)sqlite3_column_text(stmt, 2);
    const char *result = (const char *)sqlite3_column_text(stmt, 3);
    const char *reason = (const char *)sqlite3_column_text(stmt, 4);
    *out = (StoreCount){.black = sqlite3_column_int(stmt, 0),
                        .white = sqlite3_column_int(stmt, 1),
                        .first = first && *first == 'W' ? WHITE : BLACK,
                        .result = result ? *result : 'D',
                        .games = sqlite3_column_int64(stmt, 5)};
    if (!reason || !game_reason_parse(reason, &out->reason))
        return error_set(err, STATUS_INVALID, "%s: reason '%s' is not known", store->path,
                         reason ? reason : "");
    if (out->black < 0 || out->white < 0 || out->black >= store->player_count ||
        out->white >= store->player_count)
        return error_set(err, STATUS_INVALID, "%s: a game of a player that is not there",
                         store->path);
    return STATUS_OK;
}

Status store_counts(Store *store, StoreCount **out, int *count, ErrorText *err) {
    sqlite3_stmt *stmt;
    bool row;
    void *rows = NULL;
    int n = 0;
    Status status = connection_prepare(store, SQL_READ_COUNTS, &stmt, err);
    while (!status && !(status = connection_step(store, stmt, &row, err)) && row) {
        if (!grow(&rows, n, sizeof(StoreCount)))
            status = error_set(err, STATUS_NO_MEMORY, "out of memory");
        else
            status = read_count(store, stmt, (StoreCount *)rows + n++, err);
    }
    if (status) {
        sqlite3_reset(stmt);
        free(rows);
        return status;
    }
    *out = rows;
    *count = n;
    return STATUS_OK;
}

Status store_watches(Store *store, StoreWatch **out, int *count, ErrorText *err) {
    sqlite3_stmt *stmt;
    bool row;
    void *rows = NULL;
    int n = 0;
    Status status = connection_prepare(store, SQL_READ_WATCHES, &stmt, err);
    while (!status && !(status = connection_step(store, stmt, &row, err)) && row) {
        if (!grow(&rows, n, sizeof(StoreWatch)))
            status = error_set(err, STATUS_NO_MEMORY, "out of memory");
        else
            ((StoreWatch *)rows)[n++] = (StoreWatch){.player = sqlite3_column_int(stmt, 0),
                                                     .games = sqlite3_column_int64(stmt, 1),
                                                     .dropped_lines = sqlite3_column_int64(stmt, 2),
                                                     .idle_us = sqlite3_column_int64(stmt, 3),
                                                     .idle_cpu_us = sqlite3_column_int64(stmt, 4)};
    }
    if (!status)
        // Callers index by the player; see read_count.
        for (int i = 0; i < n; i++)
            if (((StoreWatch *)rows)[i].player < 0 ||
                ((StoreWatch *)rows)[i].player >= store->player_count)
                status = error_set(err, STATUS_INVALID, "%s: a game of a player that is not there",
                                   store->path);
    if (status) {
        sqlite3_reset(stmt);
        free(rows);
        return status;
    }
    *out = rows;
    *count = n;
    return STATUS_OK;
}

void store_openings_free(StoreOpening *openings, int count) {
    for (int i = 0; i < count; i++)
        free(openings[i].moves);
    free(openings);
}

Status store_openings(Store *store, StoreOpening **out, int *count, ErrorText *err) {
    sqlite3_stmt *stmt;
    bool row;
    void *rows = NULL;
    int n = 0;
    Status status = connection_prepare(store, SQL_READ_OPENINGS, &stmt, err);
    while (!status && !(status = connection_step(store, stmt, &row, err)) && row) {
        // Copied before anything else is asked of the row, and freed with the others once it is
        // counted.
        char *moves = connection_text(stmt, 1);
        if (!moves || !grow(&rows, n, sizeof(StoreOpening))) {
            free(moves);
            status = error_set(err, STATUS_NO_MEMORY, "out of memory");
            break;
        }
        const char *first = (const char *)sqlite3_column_text(stmt, 2);
        ((StoreOpening *)rows)[n++] =
            (StoreOpening){.opening = sqlite3_column_int64(stmt, 0),
                           .moves = moves,
                           .first = first && *first == 'W' ? WHITE : BLACK,
                           .games = sqlite3_column_int64(stmt, 3),
                           .black_wins = sqlite3_column_int64(stmt, 4),
                           .draws = sqlite3_column_int64(stmt, 5),
                           .white_wins = sqlite3_column_int64(stmt, 6)};
    }
    if (status) {
        sqlite3_reset(stmt);
        store_openings_free(rows, n);
        return status;
    }
    *out = rows;
    *count = n;
    return STATUS_OK;
}

void store_sittings_free(StoreSitting *sittings, int count) {
    for (int i = 0; i < count; i++) {
        free(sittings[i].started_at);
        free(sittings[i].finished_at);
        free(sittings[i].version);
        free(sittings[i].host);
    }
    free(sittings);
}

Status store_sittings(Store *store, StoreSitting **out, int *count, ErrorText *err) {
    sqlite3_stmt *stmt;
    bool row;
    void *rows = NULL;
    int n = 0;
    Status status = connection_prepare(store, SQL_READ_SITTINGS, &stmt, err);
    while (!status && !(status = connection_step(store, stmt, &row, err)) && row) {
        if (!grow(&rows, n, sizeof(StoreSitting))) {
            status = error_set(err, STATUS_NO_MEMORY, "out of memory");
            break;
        }
        StoreSitting *s = (StoreSitting *)rows + n++;
        // finished_at is NULL for a sitting that was killed, and may be.
        *s = (StoreSitting){connection_text(stmt, 0),    connection_text(stmt, 1),
                            connection_text(stmt, 2),    connection_text(stmt, 3),
                            sqlite3_column_int(stmt, 4), sqlite3_column_int64(stmt, 5)};
        if (!s->started_at || !s->version || !s->host)
            status = error_set(err, STATUS_NO_MEMORY, "out of memory");
    }
    if (status) {
        sqlite3_reset(stmt);
        store_sittings_free(rows, n);
        return status;
    }
    *out = rows;
    *count = n;
    return STATUS_OK;
}
