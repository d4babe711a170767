// SPDX-License-Identifier: GPL-3.0-or-later
// Every statement that the program runs, by name. What the tables mean is in schema.c.
#pragma once

typedef enum SqlId {
    SQL_BEGIN,
    SQL_BEGIN_READ,
    SQL_COMMIT,
    SQL_ROLLBACK,
    SQL_INSERT_EXPERIMENT,
    SQL_INSERT_PLAYER,
    SQL_INSERT_SITTING,
    SQL_INSERT_GAME,
    SQL_INSERT_MOVE,
    SQL_INSERT_MOVES,
    SQL_UPDATE_PLAN,
    SQL_UPDATE_ENGINE,
    SQL_END_SITTING,
    SQL_END_EXPERIMENT,
    SQL_READ_EXPERIMENT,
    SQL_READ_PLAYERS,
    SQL_READ_SITTINGS,
    SQL_LAST_VERSION,
    SQL_COUNT_GAMES,
    SQL_READ_GAME,
    SQL_READ_GAMES,
    SQL_READ_MOVES,
    SQL_READ_COUNTS,
    SQL_READ_OPENINGS,
    SQL_READ_COSTS,
    SQL_MERGE_EXPERIMENT,
    SQL_MERGE_PLAYERS,
    SQL_MERGE_OVERLAP,
    SQL_MERGE_SITTINGS,
    SQL_MERGE_GAMES,
    SQL_MERGE_MOVES,
    SQL_MERGE_FINISHED,
    SQL_NB
} SqlId;

enum { SQL_MOVE_COLUMNS = 17, SQL_MOVE_ROWS = 8 }; // of SQL_INSERT_MOVES: rows a call

// The text of a statement. Thread: any.
const char *sql_text(SqlId id);
