// SPDX-License-Identifier: GPL-3.0-or-later
// A game as rows: one of `game`, one of `move` a stone.
#pragma once

#include "harness/store/connection.h"

// What inserting games needs again and again; zeroed is fine.
typedef struct GameRows {
    Text opening, note; // scratch; freed by game_rows_release
    bool skip_moves;    // game rows only
} GameRows;

// Frees the scratch memory. Thread: owner.
void game_rows_release(GameRows *rows);

// Inserts a game and its moves inside the caller's transaction. STATUS_CONFLICT when the slot is
// there already. Thread: owner.
Status game_rows_insert(GameRows *rows, Store *store, const GameRecord *record,
                        ErrorText *err) MUST_CHECK;

// Reads the columns of SQL_READ_GAME(S) into `out`. STATUS_INVALID for a result or reason that is
// none. Thread: owner.
Status game_rows_read(Store *store, sqlite3_stmt *stmt, StoreGame *out, ErrorText *err) MUST_CHECK;

// Turns a row of SQL_READ_GAME(S) into a record without moves. Thread: owner.
Status game_rows_record(Store *store, sqlite3_stmt *stmt, GameRecord **out,
                        ErrorText *err) MUST_CHECK;

// Adds the stored moves of record->slot to the record. Thread: owner.
Status game_rows_add_moves(Store *store, GameRecord *record, ErrorText *err) MUST_CHECK;

// Reads one row of `move` (SQL_READ_MOVES, SQL_READ_COSTS); `out->pv` stays NULL. Thread: owner.
void game_rows_read_move(sqlite3_stmt *stmt, int width, MoveRecord *out);
