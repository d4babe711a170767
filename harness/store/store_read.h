// SPDX-License-Identifier: GPL-3.0-or-later
// What is stored, as plain rows: for reports, replays, statistics, audits and exports.
//
// Counts of results never touch the move table: they take well under a second for a million games. Costs of moves are one
// scan of all moves. Players are indices from 0, games are slots.
#pragma once

#include "harness/record/game_record.h"
#include "harness/store/store.h"

typedef struct StoreExperiment {
    char *name, *config, *identity;    // config: the YAML as run; identity: experiment_write_identity
    char *started_at, *finished_at;    // UTC, "2026-11-03T10:20:30Z"; finished_at NULL: not complete
    char *version, *host;              // of the first sitting
    uint64_t seed;
    Rule rule;
    int width, height, k;
    int64_t pairs;                     // per pairing, 0 = until the test ends
    int64_t planned_games;             // of the last sitting, 0 = unknown
} StoreExperiment;

typedef struct StorePlayer {
    char *name, *config;               // config: JSON of player_spec_write_json
    char *engine_path, *engine_hash;   // of an external program, else NULL
} StorePlayer;

// The experiment and its players, read when the store was opened; valid until it is closed. Thread: owner.
const StoreExperiment *store_experiment(const Store *store);
int store_player_count(const Store *store);                        // number of players
const StorePlayer *store_player(const Store *store, int player);   // 0 <= player < count

// A game without its moves.
typedef struct StoreGame {
    int64_t slot, pair, opening;  // pair -1: not one of a pair (imported)
    int black, white;             // players
    Colour first;                 // who moved first after the opening
    char result;                  // 'B', 'W' or 'D'
    GameReason reason;
    int plies, opening_plies;
    uint64_t seed;
    int64_t wall_us;
    int width, height;
} StoreGame;

// Two games on one opening, colours swapped, both finished; [0] is the lower slot.
typedef struct StorePair {
    StoreGame game[2];
} StorePair;

// The points of `player` in a game of his, doubled: 2 won, 1 drawn, 0 lost. Thread: any.
int store_game_points2(const StoreGame *game, int player);

// Number of games with a slot below `below` (INT64_MAX: all). Thread: owner.
Status store_count_games(Store *store, int64_t below, int64_t *out, ErrorText *err) MUST_CHECK;

// One game with its moves (none when moves were not logged). STATUS_NOT_FOUND. Freed by game_record_free. Thread: owner.
Status store_load_game(Store *store, int64_t slot, GameRecord **out, ErrorText *err) MUST_CHECK;

// Games in slot order, one at a time. `*found` says whether *out was filled. Close it before the store. Thread: owner.
typedef struct StoreCursor StoreCursor;
Status store_games_open(Store *store, int64_t from_slot, StoreCursor **out, ErrorText *err) MUST_CHECK;
Status store_games_next(StoreCursor *cursor, StoreGame *out, bool *found, ErrorText *err) MUST_CHECK;
// The same with moves, notes and all: for exports and audits. The record is the caller's. Thread: owner.
Status store_games_next_full(StoreCursor *cursor, GameRecord **out, bool *found, ErrorText *err) MUST_CHECK;
// The next whole pair in plan order; games without their partner are passed over. Thread: owner.
Status store_pairs_next(StoreCursor *cursor, StorePair *out, bool *found, ErrorText *err) MUST_CHECK;
void store_cursor_close(StoreCursor *cursor); // frees; NULL is fine

// Games of one kind. Standings, head to head, ratings, colour balance and reasons of ends are sums over these.
typedef struct StoreCount {
    int black, white;
    Colour first;       // who moved first after the opening
    char result;
    GameReason reason;
    int64_t games;
} StoreCount;
// All counts, sorted by black, white, first, result, reason. The array is the caller's, free(). Thread: owner.
Status store_counts(Store *store, StoreCount **out, int *count, ErrorText *err) MUST_CHECK;

// How an opening turned out.
typedef struct StoreOpening {
    int64_t opening;
    char *moves;                          // its stones, "h8 i9 ..."; "-" = none
    Colour first;                         // who moves first after it
    int64_t games, black_wins, white_wins, draws;
} StoreOpening;
// All openings in order. Freed by store_openings_free. Thread: owner.
Status store_openings(Store *store, StoreOpening **out, int *count, ErrorText *err) MUST_CHECK;
void store_openings_free(StoreOpening *openings, int count); // frees; NULL is fine

// The stage of the game, by stones on the board before the move.
typedef enum StoreStage { STAGE_EARLY, STAGE_MIDDLE, STAGE_LATE, STAGE_NB } StoreStage; // < 12, < 40, 40 and more
enum { STAGE_MIDDLE_STONES = 12, STAGE_LATE_STONES = 40 };
const char *store_stage_name(StoreStage stage); // "early", "middle", "late"

// A distribution of whole numbers. median and p95 are the smallest value that half, 95 % of all do not exceed; exact up
// to some thousands of values (65536 with few players), within 0.1 % beyond.
enum { STORE_BINS = 131, STORE_BINS_PER_DECADE = 10 };
typedef struct StoreSpread {
    int64_t count, median, p95, max;
    int64_t bins[STORE_BINS]; // [0]: zeros; [b]: values v >= 1 with floor(10 log10 v) = b - 1
} StoreSpread;

// What the moves of a group cost. Opening stones are left out. Sums are over moves that know the number.
typedef struct StoreCost {
    int player;
    int stage;             // StoreStage, or -1: all
    int depth;             // depth reached, or -1: all
    int64_t moves;         // chosen by the player
    int64_t depth_moves, counted_moves; // of these, with a known depth; with known counters
    int64_t depth_sum;
    uint64_t nodes, interior, leaves, cutoffs, first_cutoffs, branches, tt_probes, tt_hits; // sums
    uint64_t node_time_us; // time of the moves whose nodes are known: nodes / this = speed
    StoreSpread node_spread, time_us_spread;
} StoreCost;

typedef struct StoreCosts {
    StoreCost *by_player, *by_stage, *by_depth; // owned; each sorted by player, then stage or depth
    int player_rows, stage_rows, depth_rows;
} StoreCosts;

// Scans all moves. `progress` (may be NULL) is called now and then with games done and games in all; returning false stops
// with STATUS_STOPPED. Freed by store_costs_release. Thread: owner.
typedef bool StoreProgress(void *ctx, int64_t done, int64_t total);
Status store_costs(Store *store, StoreProgress *progress, void *ctx, StoreCosts *out, ErrorText *err) MUST_CHECK;
void store_costs_release(StoreCosts *costs); // frees and zeroes

// A sitting: one start of the program on this database.
typedef struct StoreSitting {
    char *started_at, *finished_at, *version, *host; // finished_at NULL: it did not end in order, or still runs
    int jobs;
    int64_t games; // games of it in the database
} StoreSitting;
// All sittings in order. Freed by store_sittings_free. Thread: owner.
Status store_sittings(Store *store, StoreSitting **out, int *count, ErrorText *err) MUST_CHECK;
void store_sittings_free(StoreSitting *sittings, int count); // frees; NULL is fine
