// SPDX-License-Identifier: GPL-3.0-or-later
// Every statement that the program runs, by name. What the tables mean is in schema.c.
#pragma once

// Names say what a statement does: INSERT a row, UPDATE what may change from sitting to sitting,
// END something (its time and results), READ rows in the order that is documented where they are
// read, MERGE rows of an attached database `shard`. Parameters and columns are numbered, so their
// order is a contract between sql.c and the one place that binds or reads them.
//
// Every statement stands in this one table, so that what the program asks of a database can be read
// in one place, and a typing error shows when any of them is first prepared.
typedef enum SqlId {
    // Transactions: to write (takes the lock at once), to read one state, and their two ends.
    SQL_BEGIN,
    SQL_BEGIN_READ,
    SQL_COMMIT,
    SQL_ROLLBACK,
    // An experiment and its games, as runs and imports write them.
    SQL_INSERT_EXPERIMENT,
    SQL_INSERT_PLAYER,
    SQL_INSERT_SITTING,
    SQL_INSERT_GAME,
    SQL_INSERT_MOVE,
    SQL_INSERT_MOVES,
    SQL_INSERT_WATCH,
    SQL_INSERT_SOURCE,
    // What a sitting may change of the rows that it finds.
    SQL_UPDATE_PLAN,
    SQL_UPDATE_ENGINE,
    SQL_END_SITTING,
    SQL_END_EXPERIMENT,
    // Reading an experiment: who played, in which sittings.
    SQL_READ_EXPERIMENT,
    SQL_READ_PLAYERS,
    SQL_READ_SITTINGS,
    SQL_LAST_VERSION,
    // Games, one or all of them, with what belongs to each.
    SQL_COUNT_GAMES,
    SQL_READ_GAME,
    SQL_READ_GAMES,
    SQL_READ_MOVES,
    SQL_READ_GAME_WATCH,
    SQL_READ_SOURCE,
    // Sums over all games, by way of the views of the schema; costs are a scan of the moves.
    SQL_READ_WATCHES,
    SQL_READ_COUNTS,
    SQL_READ_OPENINGS,
    SQL_READ_COSTS,
    // Merging: prepared anew for each shard, since a statement is bound to the tables of one.
    SQL_MERGE_EXPERIMENT,
    SQL_MERGE_PLAYERS,
    SQL_MERGE_OVERLAP,
    SQL_MERGE_SITTINGS,
    SQL_MERGE_GAMES,
    SQL_MERGE_MOVES,
    SQL_MERGE_WATCHES,
    SQL_MERGE_SOURCES,
    SQL_MERGE_FINISHED,
    // Tunes: written stage by stage, and iteration by iteration in between.
    SQL_INSERT_TUNE,
    SQL_INSERT_TUNE_KNOB,
    SQL_INSERT_TUNE_STAGE,
    SQL_INSERT_TUNE_ITERATION,
    SQL_INSERT_TUNE_EFFECT,
    SQL_INSERT_TUNE_MATCH,
    // The end of a tune, a stage and a match, or of the end when the budget has grown.
    SQL_END_TUNE,
    SQL_REOPEN_TUNE,
    SQL_END_TUNE_STAGE,
    SQL_END_TUNE_MATCH,
    // Reading a tune.
    SQL_READ_TUNE,
    SQL_READ_TUNE_KNOBS,
    SQL_READ_TUNE_STAGES,
    SQL_READ_TUNE_ITERATIONS,
    SQL_READ_TUNE_EFFECTS,
    SQL_READ_TUNE_MATCHES,
    SQL_COUNT_TUNE_GAMES,
    SQL_NB
} SqlId;

// Part of the contract with game_rows.c, which numbers the parameters of a row by them.
enum { SQL_MOVE_COLUMNS = 17, SQL_MOVE_ROWS = 8 }; // of SQL_INSERT_MOVES: rows a call

// The text of a statement. Thread: any.
const char *sql_text(SqlId id);
