// SPDX-License-Identifier: GPL-3.0-or-later
// Every table, index and view, with what each column means. The comments are part of the SQL:
// `.schema` shows them.
#include "harness/store/schema.h"

#include "harness/store/store_rows.h"

#include <stdio.h>

// What has been released is never edited here: a change is a new version at the end, whose steps
// run on every older file and on new ones alike.
static const char *const VERSION_1[] = {
    "CREATE TABLE experiment (\n"
    "  id INTEGER PRIMARY KEY,\n"
    "  name TEXT NOT NULL,\n"
    "  config TEXT NOT NULL,          -- the YAML as run\n"
    "  identity TEXT NOT NULL,        -- JSON of all that decides the games; equal texts are one "
    "experiment\n"
    "  seed INTEGER NOT NULL,         -- 64 bits, as a signed number\n"
    "  rule TEXT NOT NULL,\n"
    "  width INTEGER NOT NULL,\n"
    "  height INTEGER NOT NULL,\n"
    "  k INTEGER NOT NULL,            -- stones in a row that win\n"
    "  pairs INTEGER,                 -- per pairing; NULL: until the test ends\n"
    "  planned_games INTEGER,         -- of the whole plan, as of the last sitting\n"
    "  started_at TEXT NOT NULL,      -- UTC\n"
    "  finished_at TEXT,              -- UTC; NULL: not complete\n"
    "  version TEXT NOT NULL,         -- of the program, first sitting\n"
    "  host TEXT NOT NULL\n"
    ") STRICT",

    // What a game ran on is said once a start of the program, not in each of a million rows.
    "CREATE TABLE sitting (           -- one start of the program on this database\n"
    "  id INTEGER PRIMARY KEY,\n"
    "  experiment_id INTEGER NOT NULL REFERENCES experiment(id),\n"
    "  started_at TEXT NOT NULL,\n"
    "  finished_at TEXT,              -- NULL: still running, or killed\n"
    "  version TEXT NOT NULL,\n"
    "  host TEXT NOT NULL,\n"
    "  jobs INTEGER NOT NULL,\n"
    "  planned_games INTEGER\n"
    ") STRICT",

    // Players keep every knob: a default that changes later must not change what a database says.
    "CREATE TABLE player (\n"
    "  id INTEGER PRIMARY KEY,        -- place in the experiment, from 0\n"
    "  experiment_id INTEGER NOT NULL REFERENCES experiment(id),\n"
    "  name TEXT NOT NULL,\n"
    "  config TEXT NOT NULL,          -- JSON of every knob\n"
    "  engine_path TEXT,              -- of an external program\n"
    "  engine_hash TEXT,              -- of its file, as of the last sitting\n"
    "  UNIQUE (experiment_id, name)\n"
    ") STRICT",

    // id and slot are one number, as the CHECK says: `id` is what other tables refer to, `slot`
    // what people look for.
    "CREATE TABLE game (\n"
    "  id INTEGER PRIMARY KEY,        -- the slot\n"
    "  experiment_id INTEGER NOT NULL REFERENCES experiment(id),\n"
    "  sitting_id INTEGER NOT NULL REFERENCES sitting(id),\n"
    "  slot INTEGER NOT NULL,         -- place in the plan, from 0\n"
    "  pair INTEGER,                  -- two games on one opening, colours swapped; NULL: not one "
    "of a pair\n"
    "  opening INTEGER,               -- number in the set of openings, from 0\n"
    "  opening_moves TEXT NOT NULL,   -- its stones; '-' = none\n"
    "  opening_plies INTEGER NOT NULL,\n"
    "  first TEXT NOT NULL CHECK (first IN ('B', 'W')), -- who moves first after the opening\n"
    "  black_id INTEGER NOT NULL REFERENCES player(id),\n"
    "  white_id INTEGER NOT NULL REFERENCES player(id),\n"
    "  result TEXT NOT NULL CHECK (result IN ('B', 'W', 'D')),\n"
    "  reason TEXT NOT NULL,          -- five overline forbidden board-full resign timeout crash "
    "illegal adjudicated\n"
    "  plies INTEGER NOT NULL,        -- stones, the opening's included\n"
    "  width INTEGER NOT NULL,\n"
    "  height INTEGER NOT NULL,\n"
    "  seed INTEGER NOT NULL,         -- 64 bits, as a signed number\n"
    "  wall_us INTEGER NOT NULL,      -- wall time of the game\n"
    "  note TEXT,                     -- what went wrong, in words\n"
    "  CHECK (id = slot)\n"
    ") STRICT",
    // One covering index answers standings, head to head, ratings and reasons without the rest of
    // the row.
    "CREATE INDEX game_by_players ON game (black_id, white_id, first, result, reason)",

    // Clustered by its key: the moves of a game lie together, and there is no second copy of the
    // key.
    "CREATE TABLE move (              -- one row a stone; NULL: not known (stones of the opening "
    "cost nothing)\n"
    "  game_id INTEGER NOT NULL REFERENCES game(id),\n"
    "  ply INTEGER NOT NULL,          -- from 1; odd plies are black's\n"
    "  x INTEGER NOT NULL,            -- column from the left, from 0\n"
    "  y INTEGER NOT NULL,            -- row from the top, from 0\n"
    "  value REAL,                    -- from the mover's side\n"
    "  depth INTEGER,                 -- plies searched in full\n"
    "  seldepth INTEGER,              -- deepest ply reached\n"
    "  nodes INTEGER,                 -- entries of the search function\n"
    "  interior INTEGER,              -- nodes that looped over moves\n"
    "  leaves INTEGER,                -- static evaluations\n"
    "  cutoffs INTEGER,               -- loops over moves that were left early\n"
    "  first_cutoffs INTEGER,         -- of those, at the first move\n"
    "  branches INTEGER,              -- moves to choose from, summed over interior nodes\n"
    "  tt_probes INTEGER,             -- look-ups in the transposition table\n"
    "  tt_hits INTEGER,               -- of those, found\n"
    "  time_us INTEGER,               -- wall time\n"
    "  pv TEXT,                       -- principal variation, 'h8 i9 ...'\n"
    "  PRIMARY KEY (game_id, ply)\n"
    ") STRICT, WITHOUT ROWID",

    // Standings are sums over this view: its rows are some hundreds even when games are millions.
    "CREATE VIEW game_count AS        -- games of one kind\n"
    "SELECT black_id, white_id, first, result, reason, count(*) AS games\n"
    "FROM game GROUP BY black_id, white_id, first, result, reason",

    // Each game twice, once from either side: a sum over all players counts every game two times.
    "CREATE VIEW player_count AS      -- the same from each player's side\n"
    "SELECT black_id AS player_id, white_id AS opponent_id, 'B' AS colour, first, reason, games,\n"
    "  iif(result = 'B', games, 0) AS wins, iif(result = 'D', games, 0) AS draws, iif(result = "
    "'W', games, 0) AS losses\n"
    "FROM game_count\n"
    "UNION ALL\n"
    "SELECT white_id, black_id, 'W', first, reason, games,\n"
    "  iif(result = 'W', games, 0), iif(result = 'D', games, 0), iif(result = 'B', games, 0)\n"
    "FROM game_count",

    "CREATE VIEW standings AS         -- best score first; timeouts, crashes and illegal moves are "
    "this player's own\n"
    "SELECT player.name AS player, sum(games) AS games, sum(wins) AS wins, sum(draws) AS draws, "
    "sum(losses) AS losses,\n"
    "  sum(iif(colour = 'B', wins, 0)) AS black_wins, sum(iif(colour = 'B', draws, 0)) AS "
    "black_draws,\n"
    "  sum(iif(colour = 'B', losses, 0)) AS black_losses,\n"
    "  sum(iif(colour = 'W', wins, 0)) AS white_wins, sum(iif(colour = 'W', draws, 0)) AS "
    "white_draws,\n"
    "  sum(iif(colour = 'W', losses, 0)) AS white_losses,\n"
    "  100.0 * sum(wins + 0.5 * draws) / sum(games) AS score_percent,\n"
    "  sum(iif(reason = 'timeout', losses, 0)) AS timeouts, sum(iif(reason = 'crash', losses, 0)) "
    "AS crashes,\n"
    "  sum(iif(reason = 'illegal', losses, 0)) AS illegal\n"
    "FROM player_count JOIN player ON player.id = player_id\n"
    "GROUP BY player_id ORDER BY score_percent DESC, player_id",

    "CREATE VIEW head_to_head AS\n"
    "SELECT player.name AS player, opponent.name AS opponent, sum(games) AS games,\n"
    "  sum(wins) AS wins, sum(draws) AS draws, sum(losses) AS losses,\n"
    "  100.0 * sum(wins + 0.5 * draws) / sum(games) AS score_percent\n"
    "FROM player_count JOIN player ON player.id = player_id JOIN player AS opponent ON opponent.id "
    "= opponent_id\n"
    "GROUP BY player_id, opponent_id ORDER BY player_id, opponent_id",

    "CREATE VIEW opening_balance AS   -- does black, or whoever moves first, always win?\n"
    "SELECT opening, min(opening_moves) AS moves, first, count(*) AS games,\n"
    "  sum(result = 'B') AS black_wins, sum(result = 'D') AS draws, sum(result = 'W') AS "
    "white_wins,\n"
    "  100.0 * avg(CASE result WHEN 'B' THEN 1.0 WHEN 'D' THEN 0.5 ELSE 0.0 END) AS "
    "black_percent,\n"
    "  100.0 * avg(CASE WHEN result = first THEN 1.0 WHEN result = 'D' THEN 0.5 ELSE 0.0 END) AS "
    "first_percent\n"
    "FROM game WHERE opening IS NOT NULL GROUP BY opening, first ORDER BY opening",

    // The bounds of stages are those of STAGE_MIDDLE_STONES and STAGE_LATE_STONES; here plies,
    // there stones before the ply.
    "CREATE VIEW player_move AS       -- every move that a player chose, with who chose it and "
    "when\n"
    "SELECT iif(move.ply % 2 = 1, game.black_id, game.white_id) AS player_id,\n"
    "  CASE WHEN move.ply <= 12 THEN 'early' WHEN move.ply <= 40 THEN 'middle' ELSE 'late' END AS "
    "stage, move.*\n"
    "FROM move JOIN game ON game.id = move.game_id WHERE move.ply > game.opening_plies",

    // Window functions sort every move, which takes long in a large database: our own reports scan
    // the moves once instead (store_cost.c).
    "CREATE VIEW move_cost AS         -- by player and stage: stones on the board before the move "
    "< 12, < 40, more.\n"
    "WITH cost AS (                   -- median and p95: the least value that 50 %, 95 % of the "
    "moves do not exceed\n"
    "  SELECT player_id, stage, nodes, time_us,\n"
    "    cume_dist() OVER (PARTITION BY player_id, stage, nodes IS NULL ORDER BY nodes) AS "
    "nodes_rank,\n"
    "    cume_dist() OVER (PARTITION BY player_id, stage, time_us IS NULL ORDER BY time_us) AS "
    "time_rank\n"
    "  FROM player_move)\n"
    "SELECT player.name AS player, stage, count(*) AS moves,\n"
    "  avg(nodes) AS nodes_mean, min(iif(nodes_rank >= 0.5, nodes, NULL)) AS nodes_median,\n"
    "  min(iif(nodes_rank >= 0.95, nodes, NULL)) AS nodes_p95, max(nodes) AS nodes_max,\n"
    "  1e6 * sum(iif(time_us IS NULL, NULL, nodes)) / nullif(sum(iif(nodes IS NULL, NULL, "
    "time_us)), 0)\n"
    "    AS nodes_per_second,\n"
    "  avg(time_us) AS time_us_mean, min(iif(time_rank >= 0.5, time_us, NULL)) AS time_us_median,\n"
    "  min(iif(time_rank >= 0.95, time_us, NULL)) AS time_us_p95, max(time_us) AS time_us_max\n"
    "FROM cost JOIN player ON player.id = player_id\n"
    "GROUP BY player_id, stage ORDER BY player_id, stage = 'late', stage = 'middle'",

    // nullif: SQLite gives NULL for a division by zero anyway, but whoever reads this should not
    // have to know.
    "CREATE VIEW prune_rate AS        -- how well the ordering prunes, by player\n"
    "SELECT player.name AS player, count(*) AS moves, avg(depth) AS depth_mean, sum(nodes) AS "
    "nodes,\n"
    "  sum(interior) AS interior, sum(leaves) AS leaves, sum(cutoffs) AS cutoffs, "
    "sum(first_cutoffs) AS first_cutoffs,\n"
    "  1.0 * sum(cutoffs) / nullif(sum(iif(cutoffs IS NULL, NULL, nodes)), 0) AS "
    "cutoffs_per_node,\n"
    "  1.0 * sum(cutoffs) / nullif(sum(interior), 0) AS cutoffs_per_interior_node,\n"
    "  1.0 * sum(first_cutoffs) / nullif(sum(cutoffs), 0) AS first_move_cutoff_rate,\n"
    "  1.0 * sum(branches) / nullif(sum(interior), 0) AS branching,\n"
    "  1.0 * sum(tt_hits) / nullif(sum(tt_probes), 0) AS tt_hit_rate\n"
    "FROM player_move JOIN player ON player.id = player_id\n"
    "GROUP BY player_id ORDER BY player_id",
    NULL,
};

// Tunes.
static const char *const VERSION_2[] = {
    "CREATE TABLE tune (              -- a database of `gomolab tune` has one row here and no "
    "experiment\n"
    "  id INTEGER PRIMARY KEY CHECK (id = 1),\n"
    "  name TEXT NOT NULL,\n"
    "  method TEXT NOT NULL,          -- sense, spsa, texel, random\n"
    "  config TEXT NOT NULL,          -- the file as run\n"
    "  identity TEXT NOT NULL,        -- JSON of all that decides it but the budget\n"
    "  seed INTEGER NOT NULL,         -- 64 bits, as a signed number\n"
    "  started_at TEXT NOT NULL,      -- UTC\n"
    "  finished_at TEXT,              -- UTC; NULL: not complete\n"
    "  version TEXT NOT NULL,         -- of the program that began it\n"
    "  host TEXT NOT NULL\n"
    ") STRICT",

    "CREATE TABLE tune_knob (\n"
    "  id INTEGER PRIMARY KEY,        -- place in the file, from 0\n"
    "  key TEXT NOT NULL UNIQUE,      -- 'eval.defense'\n"
    "  low REAL NOT NULL,\n"
    "  high REAL NOT NULL,\n"
    "  start REAL NOT NULL,\n"
    "  scale TEXT NOT NULL CHECK (scale IN ('linear', 'log')), -- of its coordinate: 0 at low, 1 "
    "at high\n"
    "  whole INTEGER NOT NULL         -- 1: whole numbers only\n"
    ") STRICT",

    // Vectors are JSON texts: json_each opens them in SQL, and their digits give the same doubles
    // back.
    "CREATE TABLE tune_stage (        -- one piece of work: a scan, a tuner, a match\n"
    "  id INTEGER PRIMARY KEY,        -- from 0\n"
    "  kind TEXT NOT NULL,            -- sense, spsa, texel, random, match\n"
    "  title TEXT NOT NULL,\n"
    "  iterations INTEGER NOT NULL,   -- planned\n"
    "  pairs_each INTEGER NOT NULL,   -- pairs of games an iteration\n"
    "  hours REAL NOT NULL,           -- of the budget, when that is one of time, else 0\n"
    "  rate REAL NOT NULL,            -- spsa: r at the end\n"
    "  start TEXT NOT NULL,           -- array of coordinates\n"
    "  steps TEXT NOT NULL,           -- array of coordinates: spsa c at the end, sense h\n"
    "  answer TEXT,                   -- array of coordinates; NULL: not finished\n"
    "  started_at TEXT NOT NULL,\n"
    "  finished_at TEXT\n"
    ") STRICT",

    "CREATE TABLE tune_iteration (    -- written in one transaction each\n"
    "  stage_id INTEGER NOT NULL REFERENCES tune_stage(id),\n"
    "  iteration INTEGER NOT NULL,    -- from 0\n"
    "  pairs INTEGER NOT NULL,\n"
    "  results TEXT NOT NULL,         -- two letters W D L a pair: the plus side's game as black, "
    "as "
    "white\n"
    "  seconds REAL NOT NULL,         -- wall time\n"
    "  theta TEXT NOT NULL,           -- array of values after it, by tune_knob.id\n"
    "  state TEXT NOT NULL,           -- array: all that the tuner knows after it\n"
    "  drift REAL NOT NULL,           -- spsa: sd of a knob without effect, in units of its step\n"
    "  PRIMARY KEY (stage_id, iteration)\n"
    ") STRICT, WITHOUT ROWID",

    "CREATE TABLE tune_effect (       -- what a scan found out about a knob\n"
    "  stage_id INTEGER NOT NULL REFERENCES tune_stage(id),\n"
    "  knob_id INTEGER NOT NULL REFERENCES tune_knob(id),\n"
    "  h REAL NOT NULL,               -- displacement, coordinates\n"
    "  low_value REAL NOT NULL,       -- start - h as a value\n"
    "  high_value REAL NOT NULL,      -- start + h\n"
    "  slope REAL NOT NULL,           -- Elo of + h against - h\n"
    "  slope_se REAL NOT NULL,\n"
    "  curvature REAL NOT NULL,       -- Elo that h costs at an optimum\n"
    "  curvature_se REAL NOT NULL,\n"
    "  step REAL NOT NULL,            -- c for the tuner, coordinates\n"
    "  flat INTEGER NOT NULL,         -- 1: nothing differs from noise\n"
    "  PRIMARY KEY (stage_id, knob_id)\n"
    ") STRICT, WITHOUT ROWID",

    // The bounds are written when the match begins: a test that is chosen after its games proves
    // nothing.
    "CREATE TABLE tune_match (        -- seen from `player`\n"
    "  stage_id INTEGER PRIMARY KEY REFERENCES tune_stage(id),\n"
    "  player TEXT NOT NULL,\n"
    "  opponent TEXT NOT NULL,\n"
    "  openings TEXT NOT NULL CHECK (openings IN ('held-out', 'tuning')),\n"
    "  depth_plus INTEGER NOT NULL,   -- plies more than the base player's depth\n"
    "  verdict_match INTEGER NOT NULL, -- 1: the test that decides\n"
    "  elo0 REAL NOT NULL,            -- normalized Elo, as alpha and beta set before the first "
    "game\n"
    "  elo1 REAL NOT NULL,\n"
    "  alpha REAL NOT NULL,\n"
    "  beta REAL NOT NULL,\n"
    "  pairs INTEGER NOT NULL,        -- planned\n"
    "  ll INTEGER, ld INTEGER, dd INTEGER, wl INTEGER, wd INTEGER, ww INTEGER, -- pairs played\n"
    "  elo REAL, elo_lo REAL, elo_hi REAL,  -- logistic, of all pairs; 95 %\n"
    "  llr REAL, llr_lower REAL, llr_upper REAL,\n"
    "  verdict TEXT CHECK (verdict IN ('accepted', 'rejected', 'undecided')) -- NULL: none yet\n"
    ") STRICT",

    "CREATE VIEW tune_path AS         -- the value of each knob after each iteration\n"
    "SELECT stage_id, iteration, tune_knob.key, item.value\n"
    "FROM tune_iteration, json_each(tune_iteration.theta) AS item\n"
    "JOIN tune_knob ON tune_knob.id = item.key ORDER BY stage_id, iteration, tune_knob.id",
    NULL,
};

// What programs do while the other side thinks.
static const char *const VERSION_3[] = {
    "CREATE TABLE seat_watch (        -- what an external program did while it was not on move\n"
    "  game_id INTEGER NOT NULL REFERENCES game(id),\n"
    "  colour TEXT NOT NULL CHECK (colour IN ('B', 'W')),\n"
    "  dropped_lines INTEGER NOT NULL, -- that it said then, talk and blank lines aside\n"
    "  idle_us INTEGER NOT NULL,      -- wall time that was looked at\n"
    "  idle_cpu_us INTEGER NOT NULL,  -- CPU time that it used in it\n"
    "  PRIMARY KEY (game_id, colour)\n"
    ") STRICT, WITHOUT ROWID",

    "CREATE VIEW player_watch AS      -- the same by player\n"
    "SELECT player.id AS player_id, player.name AS player, count(*) AS games,\n"
    "  sum(dropped_lines) AS dropped_lines, sum(idle_us) AS idle_us,\n"
    "  sum(idle_cpu_us) AS idle_cpu_us,\n"
    "  100.0 * sum(idle_cpu_us) / nullif(sum(idle_us), 0) AS idle_cpu_percent\n"
    "FROM seat_watch JOIN game ON game.id = game_id\n"
    "JOIN player ON player.id = iif(colour = 'B', black_id, white_id)\n"
    "GROUP BY player.id ORDER BY player.id",
    NULL,
};

// Where imported games come from.
static const char *const VERSION_4[] = {
    "CREATE TABLE game_source (       -- one row an imported game: what its file says of it\n"
    "  game_id INTEGER PRIMARY KEY REFERENCES game(id),\n"
    "  event TEXT,                    -- NULL: not said, as for the others\n"
    "  date TEXT,                     -- as the file has it, mostly YYYY-MM-DD\n"
    "  round TEXT\n"
    ") STRICT",
    NULL,
};

const SchemaStep SCHEMA_STEPS[] = {VERSION_1, VERSION_2, VERSION_3, VERSION_4};
_Static_assert(sizeof SCHEMA_STEPS / sizeof *SCHEMA_STEPS == STORE_SCHEMA_VERSION,
               "one step a version");

// Inside the caller's transaction; tables, views and both pragmas are undone with it.
Status schema_apply(sqlite3 *db, const SchemaStep *steps, int from, int target, ErrorText *err) {
    char numbers[100];
    snprintf(numbers, sizeof numbers, "PRAGMA user_version = %d; PRAGMA application_id = %d",
             target, (int)SCHEMA_APPLICATION_ID);
    int rc = SQLITE_OK;
    // Stops at the first failure; the number is written only when every step was made.
    for (int version = from; version < target; version++)
        for (SchemaStep sql = steps[version]; *sql && rc == SQLITE_OK; sql++)
            rc = sqlite3_exec(db, *sql, NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(db, numbers, NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        return STATUS_OK;
    // The disk can be helped; anything else says that the file is not what its number claims.
    Status status = rc == SQLITE_FULL || rc == SQLITE_IOERR ? STATUS_IO : STATUS_INVALID;
    return error_set(err, status, "schema version %d: %s", target, sqlite3_errmsg(db));
}
