// SPDX-License-Identifier: GPL-3.0-or-later
// The table of statements.
#include "harness/store/sql.h"

#include "engine/base/check.h"

// SQL_MOVE_COLUMNS parameters, in the order of MOVE_COLUMNS; game_rows.c binds and reads by
// position.
#define MOVE_ROW "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
#define MOVE_COLUMNS                                                                               \
    "game_id, ply, x, y, value, depth, seldepth, nodes, interior, leaves, cutoffs, "               \
    "first_cutoffs, branches, "                                                                    \
    "tt_probes, tt_hits, time_us, pv"
// GAME_COLUMNS are read by position too, and are what a merge copies; what is only written (the
// opening's stones, the sitting) follows them in the statements.
#define GAME_COLUMNS                                                                               \
    "slot, pair, opening, black_id, white_id, first, result, reason, plies, opening_plies, seed, " \
    "wall_us, width, "                                                                             \
    "height, note"

#define WATCH_COLUMNS "game_id, colour, dropped_lines, idle_us, idle_cpu_us"

static const char *const SQL[SQL_NB] = {
    [SQL_BEGIN] = "BEGIN IMMEDIATE", // takes the write lock now: a later upgrade could fail at once
                                     // instead of waiting
    // Deferred, for snapshots: a reader must not wait for a writer, nor keep one out.
    [SQL_BEGIN_READ] = "BEGIN",
    [SQL_COMMIT] = "COMMIT",
    [SQL_ROLLBACK] = "ROLLBACK",

    // Always row 1: a second experiment in a file fails at the key, whatever went wrong before.
    [SQL_INSERT_EXPERIMENT] = "INSERT INTO experiment (id, name, config, identity, seed, rule, "
                              "width, height, k, pairs, planned_games, "
                              "started_at, version, host) VALUES (1,?,?,?,?,?,?,?,?,?,?,?,?,?)",
    [SQL_INSERT_PLAYER] = "INSERT INTO player (id, experiment_id, name, config, engine_path, "
                          "engine_hash) VALUES (?,1,?,?,?,?)",
    [SQL_INSERT_SITTING] = "INSERT INTO sitting (experiment_id, started_at, version, host, jobs, "
                           "planned_games) VALUES (1,?,?,?,?,?)",
    // The slot stands for id as well (?1 twice); experiment 1 is the only one of a file.
    [SQL_INSERT_GAME] =
        "INSERT INTO game (" GAME_COLUMNS ", opening_moves, sitting_id, id, experiment_id) "
        "VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?1,1)",
    [SQL_INSERT_MOVE] = "INSERT INTO move (" MOVE_COLUMNS ") VALUES " MOVE_ROW,
    // Eight rows a call: 1.4 instead of 2.2 microseconds a row.
    [SQL_INSERT_MOVES] =
        "INSERT INTO move (" MOVE_COLUMNS ") VALUES " MOVE_ROW "," MOVE_ROW "," MOVE_ROW
        "," MOVE_ROW "," MOVE_ROW "," MOVE_ROW "," MOVE_ROW "," MOVE_ROW,

    [SQL_INSERT_WATCH] = "INSERT INTO seat_watch (" WATCH_COLUMNS ") VALUES (?,?,?,?,?)",
    [SQL_INSERT_SOURCE] = "INSERT INTO game_source (game_id, event, date, round) VALUES (?,?,?,?)",

    // A larger plan takes the mark of the end back. No WHERE here and below: there is one row.
    [SQL_UPDATE_PLAN] =
        "UPDATE experiment SET config = ?, pairs = ?, planned_games = ?, finished_at = NULL",
    [SQL_UPDATE_ENGINE] = "UPDATE player SET engine_path = ?, engine_hash = ? WHERE id = ?",
    [SQL_END_SITTING] = "UPDATE sitting SET finished_at = ? WHERE id = ?",
    [SQL_END_EXPERIMENT] = "UPDATE experiment SET finished_at = ?",

    [SQL_READ_EXPERIMENT] =
        "SELECT name, config, identity, seed, rule, width, height, k, pairs, planned_games, "
        "started_at, finished_at, version, host FROM experiment WHERE id = 1",
    [SQL_READ_PLAYERS] =
        "SELECT id, name, config, engine_path, engine_hash FROM player ORDER BY id",
    // One count for each sitting: there are few, and no index has to be kept up while games are
    // written.
    [SQL_READ_SITTINGS] =
        "SELECT started_at, finished_at, version, host, jobs, "
        "(SELECT count(*) FROM game WHERE sitting_id = sitting.id) FROM sitting ORDER BY id",
    [SQL_LAST_VERSION] = "SELECT version FROM sitting ORDER BY id DESC LIMIT 1",

    // All games too, with the largest number as the bound: one statement for both questions.
    [SQL_COUNT_GAMES] = "SELECT count(*) FROM game WHERE id < ?",
    [SQL_READ_GAME] = "SELECT " GAME_COLUMNS " FROM game WHERE id = ?",
    // By the primary key, in which order the rows lie: the first row comes at once.
    [SQL_READ_GAMES] = "SELECT " GAME_COLUMNS " FROM game WHERE id >= ? ORDER BY id",
    [SQL_READ_MOVES] = "SELECT " MOVE_COLUMNS " FROM move WHERE game_id = ? ORDER BY ply",
    [SQL_READ_GAME_WATCH] =
        "SELECT colour, dropped_lines, idle_us, idle_cpu_us FROM seat_watch WHERE game_id = ?",
    [SQL_READ_SOURCE] = "SELECT event, date, round FROM game_source WHERE game_id = ?",
    // From the views, so that reports and people with a shell of SQLite get the same numbers.
    [SQL_READ_WATCHES] =
        "SELECT player_id, games, dropped_lines, idle_us, idle_cpu_us FROM player_watch",
    [SQL_READ_COUNTS] = "SELECT black_id, white_id, first, result, reason, games FROM game_count",
    [SQL_READ_OPENINGS] =
        "SELECT opening, moves, first, games, black_wins, draws, white_wins FROM opening_balance",
    // In the order of the primary key, which is how the rows lie: no sorting, whatever the size.
    [SQL_READ_COSTS] = "SELECT " MOVE_COLUMNS " FROM move ORDER BY game_id, ply",

    // Columns by name on both sides, so that their order in a file does not matter.
    [SQL_MERGE_EXPERIMENT] = "INSERT INTO main.experiment (id, name, config, identity, seed, rule, "
                             "width, height, k, pairs, planned_games, "
                             "started_at, version, host) SELECT id, name, config, identity, seed, "
                             "rule, width, height, k, pairs, "
                             "planned_games, started_at, version, host FROM shard.experiment",
    [SQL_MERGE_PLAYERS] =
        "INSERT INTO main.player (id, experiment_id, name, config, engine_path, engine_hash) "
        "SELECT id, experiment_id, name, config, engine_path, engine_hash FROM shard.player",
    // Any one slot will do for the message. Asked first, as the failing INSERT would name no slot.
    [SQL_MERGE_OVERLAP] =
        "SELECT game.id FROM main.game JOIN shard.game AS other ON other.id = game.id LIMIT 1",
    [SQL_MERGE_SITTINGS] = "INSERT INTO main.sitting (id, experiment_id, started_at, finished_at, "
                           "version, host, jobs, planned_games) "
                           "SELECT id + ?, 1, started_at, finished_at, version, host, jobs, "
                           "planned_games FROM shard.sitting ORDER BY id",
    // In the order of the key, which appends to the tree instead of splitting its pages.
    [SQL_MERGE_GAMES] =
        "INSERT INTO main.game (" GAME_COLUMNS ", opening_moves, sitting_id, id, experiment_id) "
        "SELECT " GAME_COLUMNS ", opening_moves, sitting_id + ?, id, 1 FROM shard.game ORDER BY id",
    [SQL_MERGE_MOVES] = "INSERT INTO main.move (" MOVE_COLUMNS ") SELECT " MOVE_COLUMNS
                        " FROM shard.move ORDER BY game_id, ply",
    [SQL_MERGE_WATCHES] = "INSERT INTO main.seat_watch (" WATCH_COLUMNS ") SELECT " WATCH_COLUMNS
                          " FROM shard.seat_watch ORDER BY game_id",
    [SQL_MERGE_SOURCES] = "INSERT INTO main.game_source (game_id, event, date, round) SELECT "
                          "game_id, event, date, round FROM shard.game_source ORDER BY game_id",
    // A plan without an end is NULL, with which no comparison is true: it stays open.
    [SQL_MERGE_FINISHED] =
        "UPDATE experiment SET finished_at = ? WHERE (SELECT count(*) FROM game) >= planned_games",

    // Row 1, as of an experiment; the table has a CHECK for it.
    [SQL_INSERT_TUNE] = "INSERT INTO tune (id, name, method, config, identity, seed, started_at, "
                        "version, host) VALUES (1,?,?,?,?,?,?,?,?)",
    [SQL_INSERT_TUNE_KNOB] =
        "INSERT INTO tune_knob (id, key, low, high, start, scale, whole) VALUES (?,?,?,?,?,?,?)",
    // Stages are numbered by how many there are; nothing else writes while the lock of the run is
    // held.
    [SQL_INSERT_TUNE_STAGE] =
        "INSERT INTO tune_stage (id, kind, title, iterations, pairs_each, rate, start, steps, "
        "started_at, hours) SELECT (SELECT count(*) FROM tune_stage), ?,?,?,?,?,?,?,?,? RETURNING "
        "id",
    [SQL_INSERT_TUNE_ITERATION] =
        "INSERT INTO tune_iteration (stage_id, iteration, pairs, results, seconds, theta, state, "
        "drift) VALUES (?,?,?,?,?,?,?,?)",
    [SQL_INSERT_TUNE_EFFECT] =
        "INSERT INTO tune_effect (stage_id, knob_id, h, low_value, high_value, slope, slope_se, "
        "curvature, curvature_se, step, flat) VALUES (?,?,?,?,?,?,?,?,?,?,?)",
    [SQL_INSERT_TUNE_MATCH] =
        "INSERT INTO tune_match (stage_id, player, opponent, openings, depth_plus, verdict_match, "
        "elo0, elo1, alpha, beta, pairs) VALUES (?,?,?,?,?,?,?,?,?,?,?)",
    [SQL_END_TUNE] = "UPDATE tune SET finished_at = ?",
    // The budget may have grown, so that the end of last time is no end.
    [SQL_REOPEN_TUNE] = "UPDATE tune SET config = ?, finished_at = NULL",
    [SQL_END_TUNE_STAGE] = "UPDATE tune_stage SET answer = ?, finished_at = ? WHERE id = ?",
    [SQL_END_TUNE_MATCH] =
        "UPDATE tune_match SET ll = ?, ld = ?, dd = ?, wl = ?, wd = ?, ww = ?, elo = ?, elo_lo = "
        "?, elo_hi = ?, llr = ?, llr_lower = ?, llr_upper = ?, verdict = ? WHERE stage_id = ?",
    [SQL_READ_TUNE] = "SELECT name, method, config, identity, seed, started_at, finished_at, "
                      "version, host FROM tune WHERE id = 1",
    [SQL_READ_TUNE_KNOBS] =
        "SELECT id, key, low, high, start, scale, whole FROM tune_knob ORDER BY id",
    // total and not sum: a stage without iterations took 0 seconds, not NULL.
    [SQL_READ_TUNE_STAGES] =
        "SELECT id, kind, title, iterations, pairs_each, rate, start, steps, answer, started_at, "
        "finished_at, (SELECT count(*) FROM tune_iteration WHERE stage_id = tune_stage.id), "
        "(SELECT total(seconds) FROM tune_iteration WHERE stage_id = tune_stage.id), hours "
        "FROM tune_stage ORDER BY id",
    // From a given number on: whoever goes on needs the last state, not all of them.
    [SQL_READ_TUNE_ITERATIONS] =
        "SELECT stage_id, iteration, pairs, results, seconds, theta, state, drift FROM "
        "tune_iteration WHERE stage_id = ? AND iteration >= ? ORDER BY iteration",
    [SQL_READ_TUNE_EFFECTS] =
        "SELECT knob_id, h, low_value, high_value, slope, slope_se, curvature, curvature_se, step, "
        "flat FROM tune_effect WHERE stage_id = ? ORDER BY knob_id",
    [SQL_READ_TUNE_MATCHES] =
        "SELECT stage_id, player, opponent, openings, depth_plus, verdict_match, elo0, elo1, "
        "alpha, beta, pairs, ll, ld, dd, wl, wd, ww, elo, elo_lo, elo_hi, llr, llr_lower, "
        "llr_upper, verdict FROM tune_match ORDER BY stage_id",
    // Pairs are two games; without a row the sum is NULL.
    [SQL_COUNT_TUNE_GAMES] = "SELECT 2 * coalesce(sum(pairs), 0) FROM tune_iteration",
};

const char *sql_text(SqlId id) {
    CHECK((unsigned)id < SQL_NB && SQL[id]);
    return SQL[id];
}
