// SPDX-License-Identifier: GPL-3.0-or-later
// Reading what is stored as plain rows (store_rows.h): for reports, replays, statistics, audits and
// exports.
//
// Counts of results never touch the move table: they take well under a second for a million games.
// Costs of moves are one scan of all moves. Players are indices from 0, games are slots.
#pragma once

#include "harness/store/store.h"
#include "harness/store/store_rows.h"

// The experiment and its players, read when the store was opened; valid until it is closed. Thread:
// owner.
const StoreExperiment *store_experiment(const Store *store);
int store_player_count(const Store *store);                      // number of players
const StorePlayer *store_player(const Store *store, int player); // 0 <= player < count

// The points of `player` in a game of his, doubled: 2 won, 1 drawn, 0 lost. Thread: any.
int store_game_points2(const StoreGame *game, int player);

// Number of games with a slot below `below` (INT64_MAX: all). Thread: owner.
Status store_count_games(Store *store, int64_t below, int64_t *out, ErrorText *err) MUST_CHECK;

// One game with its moves (none when moves were not logged). STATUS_NOT_FOUND. Freed by
// game_record_free. Thread: owner.
Status store_load_game(Store *store, int64_t slot, GameRecord **out, ErrorText *err) MUST_CHECK;

// A cursor sees the database as it was at its first game, however long it is open, and keeps the
// log of a writer from shrinking meanwhile: close it soon, or read in steps. Several may be open at
// once.
typedef struct StoreCursor StoreCursor; // opaque; a place in the games, which come in slot order

// Starts at the first slot >= `from_slot`. Ended by store_cursor_close, before the store. Thread:
// owner.
Status store_games_open(Store *store, int64_t from_slot, StoreCursor **out,
                        ErrorText *err) MUST_CHECK;
// The next game; `*found` says whether there was one and *out was filled. Thread: owner.
Status store_games_next(StoreCursor *cursor, StoreGame *out, bool *found,
                        ErrorText *err) MUST_CHECK;
// The same with moves, notes and all: for exports and audits. The record is the caller's. Thread:
// owner.
Status store_games_next_full(StoreCursor *cursor, GameRecord **out, bool *found,
                             ErrorText *err) MUST_CHECK;
// The next whole pair in plan order; games without their partner are passed over. Thread: owner.
Status store_pairs_next(StoreCursor *cursor, StorePair *out, bool *found,
                        ErrorText *err) MUST_CHECK;
void store_cursor_close(StoreCursor *cursor); // frees; NULL is fine

// All counts, sorted by black, white, first, result, reason. The array is the caller's, free().
// Thread: owner.
Status store_counts(Store *store, StoreCount **out, int *count, ErrorText *err) MUST_CHECK;

// What the players that are programs did while not on move, by player; none for the others. The
// array is the caller's, freed by free(). Thread: owner.
Status store_watches(Store *store, StoreWatch **out, int *count, ErrorText *err) MUST_CHECK;

// All openings in order. Freed by store_openings_free. Thread: owner.
Status store_openings(Store *store, StoreOpening **out, int *count, ErrorText *err) MUST_CHECK;
void store_openings_free(StoreOpening *openings, int count); // frees; NULL is fine

// "early", "middle" or "late". Thread: any.
const char *store_stage_name(StoreStage stage);

// Called in the reading thread, now and then.
typedef bool StoreProgress(void *ctx, int64_t done, int64_t total); // games; false: stop

// Scans all moves. `progress` (may be NULL) is called now and then; when it returns false the scan
// ends with STATUS_STOPPED. Freed by store_costs_release. Thread: owner.
Status store_costs(Store *store, StoreProgress *progress, void *ctx, StoreCosts *out,
                   ErrorText *err) MUST_CHECK;
void store_costs_release(StoreCosts *costs); // frees and zeroes

// The same over several databases whose players are numbered anew: medians of a player who is in
// more than one of them cannot be had from those of each.
typedef struct StoreCostScan StoreCostScan; // opaque
typedef struct StoreCostSource {
    Store *store;
    const int *player_map;   // its players -> 0..players-1 of the scan; NULL: the same numbers
    StoreProgress *progress; // may be NULL; as for store_costs
    void *progress_ctx;
} StoreCostSource;
// A scan for `players` players; NULL when memory is out. Freed by store_cost_scan_free. Thread:
// owner.
StoreCostScan *store_cost_scan_new(int players);
void store_cost_scan_free(StoreCostScan *scan); // frees; NULL is fine
// Adds the moves of one database; after a failure the scan is of no use any more. Thread: owner.
Status store_cost_scan_add(StoreCostScan *scan, const StoreCostSource *source,
                           ErrorText *err) MUST_CHECK;
// The rows of all that was added, as store_costs gives them. Thread: owner.
Status store_cost_scan_finish(StoreCostScan *scan, StoreCosts *out, ErrorText *err) MUST_CHECK;

// All sittings in order. Freed by store_sittings_free. Thread: owner.
Status store_sittings(Store *store, StoreSitting **out, int *count, ErrorText *err) MUST_CHECK;
void store_sittings_free(StoreSitting *sittings, int count); // frees; NULL is fine
