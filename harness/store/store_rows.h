// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a database as plain structs. Players are indices from 0, games are slots.
#pragma once

#include "engine/board/rule.h"
#include "harness/record/game_record.h"

enum { STORE_SCHEMA_VERSION = 4 }; // user_version; older ones are migrated when opened

typedef struct Store Store; // opaque; an open database

// The one experiment of a file. Texts are owned by the store and live as long as it; `identity`
// decides whether a run may go on (equal texts: the same experiment), `config` is for people and
// for reading it back.
// width, height and k are those of the whole experiment, in cells and stones; imported games may be
// of other sizes, which their own rows say.
typedef struct StoreExperiment {
    char *name, *config, *identity; // config: the YAML as run; identity: experiment_write_identity
    char *started_at, *finished_at; // UTC, "2026-11-03T10:20:30Z"; finished_at NULL: not complete
    char *version, *host;           // of the first sitting
    uint64_t seed;
    Rule rule;
    int width, height, k;
    int64_t pairs;         // per pairing, 0 = until the test ends
    int64_t planned_games; // of the last sitting, 0 = unknown
} StoreExperiment;

// A player, by its index in the experiment. `config` holds every knob as it was, whatever the
// defaults are by now.
// engine_hash is that of the program's file in the last sitting. All texts are owned by the store.
typedef struct StorePlayer {
    char *name, *config;             // config: JSON of player_spec_write_json
    char *engine_path, *engine_hash; // of an external program, else NULL
} StorePlayer;

// A game without its moves.
// `slot` is its place in the plan and its number everywhere. `plies` counts stones, the opening's
// included. Times are microseconds of wall time.
// `result` is of the board: 'B' is a win of black, whoever moved first. `seed` is all that the
// players drew their random numbers from.
typedef struct StoreGame {
    int64_t slot, pair, opening; // pair -1: not one of a pair (imported)
    int black, white;            // players
    Colour first;                // who moved first after the opening
    char result;                 // 'B', 'W' or 'D'
    GameReason reason;
    int plies, opening_plies;
    uint64_t seed;
    int64_t wall_us;
    int width, height;
} StoreGame;

// Two games on one opening, colours swapped, both finished; [0] is the lower slot.
// The players of [1] are those of [0] with colours swapped; both have the same opening.
typedef struct StorePair {
    StoreGame game[2];
} StorePair;

// Games of one kind. Standings, head to head, ratings, colour balance and reasons of ends are sums
// over these.
// `games` is at least 1: kinds without a game have no row.
typedef struct StoreCount {
    int black, white;
    Colour first; // who moved first after the opening
    char result;
    GameReason reason;
    int64_t games;
} StoreCount;

// What a player that is a program did while it was not on move, in all its games.
// Times are microseconds; idle_cpu_us may exceed idle_us when a program computes on several cores.
typedef struct StoreWatch {
    int player;
    int64_t games; // that were watched
    int64_t dropped_lines;
    int64_t idle_us, idle_cpu_us;
} StoreWatch;

// How an opening turned out.
// One row an opening and first mover; imported games without an opening are in none.
// black_wins + draws + white_wins = games; colours are those of the board, not of the first mover.
typedef struct StoreOpening {
    int64_t opening;
    char *moves;  // its stones, "h8 i9 ..."; "-" = none
    Colour first; // who moves first after it
    int64_t games, black_wins, white_wins, draws;
} StoreOpening;

// The stage of the game, by stones on the board before the move.
typedef enum StoreStage {
    STAGE_EARLY,
    STAGE_MIDDLE,
    STAGE_LATE,
    STAGE_NB
} StoreStage; // < 12, < 40, 40 and more
enum { STAGE_MIDDLE_STONES = 12, STAGE_LATE_STONES = 40 };

// A distribution of whole numbers. median and p95 are the smallest value that half, 95 % of all do
// not exceed; exact up to some thousands of values (65536 with few players), within 0.1 % beyond.
enum { STORE_BINS = 131, STORE_BINS_PER_DECADE = 10 };
// `max` is always exact.
// All 0 when there were no values. Negative values were counted as 0.
typedef struct StoreSpread {
    int64_t count, median, p95, max;
    int64_t bins[STORE_BINS]; // [0]: zeros; [b]: values v >= 1 with floor(10 log10 v) = b - 1
} StoreSpread;

// What the moves of a group cost. Opening stones are left out. Sums are over moves that know the
// number.
// Rates are quotients of these sums: cutoffs / nodes, cutoffs / interior, first_cutoffs / cutoffs,
// tt_hits / tt_probes; 0 / 0 when nothing was counted.
// Opening stones belong to nobody and are in no row. Sums are of the moves that say the number: an
// engine that tells no counters is in `moves` and not in `counted_moves`.
typedef struct StoreCost {
    int player;
    int stage;                          // StoreStage, or -1: all
    int depth;                          // depth reached, or -1: all
    int64_t moves;                      // chosen by the player
    int64_t depth_moves, counted_moves; // of these, with a known depth; with known counters
    int64_t depth_sum;
    uint64_t nodes, interior, leaves, cutoffs, first_cutoffs, branches, tt_probes, tt_hits; // sums
    uint64_t counted_nodes; // of the moves whose counters are known: what cutoffs are a share of
    uint64_t timed_nodes, node_time_us; // of the moves whose nodes and time are known: their speed
    uint64_t time_us;                   // sum of the known times
    StoreSpread node_spread, time_us_spread;
} StoreCost;

// The same moves grouped in three ways; a group without moves has no row.
// Freed by store_costs_release.
typedef struct StoreCosts {
    StoreCost *by_player, *by_stage, *by_depth; // owned; each sorted by player, then stage or depth
    int player_rows, stage_rows, depth_rows;
} StoreCosts;

// A sitting: one start of the program on this database.
// A kill leaves a sitting without an end; its games count all the same.
// Texts are owned by the list (store_sittings_free); times are UTC.
typedef struct StoreSitting {
    char *started_at, *finished_at, *version,
        *host; // finished_at NULL: it did not end in order, or still runs
    int jobs;
    int64_t games; // games of it in the database
} StoreSitting;
