// SPDX-License-Identifier: GPL-3.0-or-later
// What moves cost: one pass over all moves, beside one over the games, both in slot order.
#include "engine/base/check.h"
#include "harness/store/game_rows.h"
#include "harness/store/spread.h"
#include "harness/store/store_read.h"

#include <stdlib.h>
#include <string.h>

// Moves between two reports of progress: some ten a second.
enum { PROGRESS_MOVES = 1 << 16 };

const char *store_stage_name(StoreStage stage) {
    static const char *const NAMES[STAGE_NB] = {"early", "middle", "late"};
    CHECK((unsigned)stage < STAGE_NB);
    return NAMES[stage];
}

// A row that is still growing.
typedef struct Tally {
    StoreCost cost;
    Spread nodes, time_us;
} Tally;

// Rows by (player, kind), found by a small table per player.
typedef struct TallyTable {
    Tally **tally; // [player * kinds + kind], NULL while empty
    int players, kinds;
    int64_t exact; // values that each distribution keeps as they are
} TallyTable;

enum {
    EXACT_MIN = 1024,
    EXACT_MAX = 65536,
    EXACT_ALL = 1 << 24
}; // for one group, and for all together

static bool table_init(TallyTable *table, int players, int kinds) {
    // 16 groups a player are what is common: the whole, three stages, a dozen depths.
    int64_t exact = EXACT_ALL / (16 * (int64_t)(players ? players : 1));
    exact = exact < EXACT_MIN ? EXACT_MIN : exact > EXACT_MAX ? EXACT_MAX : exact;
    // One more: calloc of nothing may give NULL, and a database may have no players.
    *table = (TallyTable){calloc((size_t)players * (size_t)kinds + 1, sizeof(Tally *)), players,
                          kinds, exact};
    return table->tally != NULL;
}

static void table_release(TallyTable *table) {
    for (int i = 0; table->tally && i < table->players * table->kinds; i++)
        if (table->tally[i]) {
            spread_release(&table->tally[i]->nodes);
            spread_release(&table->tally[i]->time_us);
            free(table->tally[i]);
        }
    free(table->tally);
    *table = (TallyTable){0};
}

static Tally *table_get(TallyTable *table, int player, int kind) {
    Tally **place = &table->tally[player * table->kinds + kind];
    // Most of the 128 depths never occur: a group is made when its first move comes.
    if (!*place && (*place = calloc(1, sizeof **place)) != NULL)
        (*place)->nodes.exact = (*place)->time_us.exact = table->exact;
    return *place;
}

// What a move does not know takes part in no sum, and in no count that sums are divided by.
static bool tally_add(Tally *tally, const MoveRecord *move) {
    // No memory for the group; the caller reports it.
    if (!tally)
        return false;
    StoreCost *sum = &tally->cost;
    const SearchCost *c = &move->cost;
    sum->moves++;
    if (move->known & KNOWN_DEPTH) {
        sum->depth_moves++;
        sum->depth_sum += c->depth;
    }
    if (move->known & KNOWN_NODES) {
        sum->nodes += c->nodes;
        spread_add(&tally->nodes, (int64_t)c->nodes);
        if (move->known & KNOWN_TIME) {
            // Speed is nodes by the time of just those moves: a move of which one is not known must
            // not make the others look slow, or fast.
            sum->timed_nodes += c->nodes;
            sum->node_time_us += (uint64_t)(c->time_us > 0 ? c->time_us : 0);
        }
        if (move->known & KNOWN_COUNTERS)
            sum->counted_nodes += c->nodes;
    }
    if (move->known & KNOWN_COUNTERS) {
        sum->counted_moves++;
        sum->interior += c->interior;
        sum->leaves += c->leaves;
        sum->cutoffs += c->cutoffs;
        sum->first_cutoffs += c->first_cutoffs;
        sum->branches += c->branches;
        sum->tt_probes += c->tt_probes;
        sum->tt_hits += c->tt_hits;
    }
    if (move->known & KNOWN_TIME) {
        sum->time_us += (uint64_t)(c->time_us > 0 ? c->time_us : 0);
        spread_add(&tally->time_us, c->time_us);
    }
    return !tally->nodes.failed && !tally->time_us.failed;
}

// Turns the table into sorted rows. `what` sets the field that the kinds mean.
// KIND_NONE is the table of whole players: neither stage nor depth is set.
typedef enum TallyKind { KIND_NONE, KIND_STAGE, KIND_DEPTH } TallyKind;

static bool table_rows(TallyTable *table, TallyKind what, StoreCost **out, int *count) {
    int n = 0;
    for (int i = 0; i < table->players * table->kinds; i++)
        n += table->tally[i] != NULL;
    StoreCost *rows = calloc((size_t)n + 1, sizeof *rows);
    if (!rows)
        return false;
    n = 0;
    for (int i = 0; i < table->players * table->kinds; i++) {
        Tally *tally = table->tally[i];
        if (!tally)
            continue;
        rows[n] = tally->cost;
        rows[n].player = i / table->kinds;
        rows[n].stage = what == KIND_STAGE ? i % table->kinds : -1;
        rows[n].depth = what == KIND_DEPTH ? i % table->kinds : -1;
        rows[n].node_spread = spread_summary(&tally->nodes);
        rows[n++].time_us_spread = spread_summary(&tally->time_us);
    }
    *out = rows;
    *count = n;
    return true;
}

enum { DEPTHS = 128 }; // deeper ones count as the last

// The tables live as long as the scan, so that medians are over all databases added to it.
struct StoreCostScan {
    TallyTable player, stage, depth;
    // Of the store that is being added:
    const int *player_map; // its players -> those of the scan; NULL: the same
    StoreCursor *games;
    StoreGame game; // the one that the moves belong to
    bool has_game;
};
typedef StoreCostScan CostScan;

// Brings the games' cursor to the game of a move.
// Both cursors run in slot order, so that each game is read once; games without moves are passed
// over.
static Status scan_reach(CostScan *scan, int64_t slot, ErrorText *err) {
    while (!scan->has_game || scan->game.slot < slot) {
        Status status = store_games_next(scan->games, &scan->game, &scan->has_game, err);
        if (status)
            return status;
        if (!scan->has_game)
            return error_set(err, STATUS_INVALID, "moves of a game %lld that is not there",
                             (long long)slot);
    }
    return STATUS_OK;
}

// Each move is counted three times: for its player, stage and depth.
static Status scan_move(CostScan *scan, sqlite3_stmt *stmt, ErrorText *err) {
    Status status = scan_reach(scan, sqlite3_column_int64(stmt, 0), err);
    int ply = sqlite3_column_int(stmt, 1);
    // Stones of the opening were chosen by nobody.
    if (status || ply <= scan->game.opening_plies)
        return status;
    MoveRecord move;
    game_rows_read_move(stmt, scan->game.width, &move);
    // Odd plies are black's, the opening's included.
    int player = ply % 2 ? scan->game.black : scan->game.white;
    if (scan->player_map)
        player = scan->player_map[player];
    int stones = ply - 1;
    int stage = stones < STAGE_MIDDLE_STONES ? STAGE_EARLY
                : stones < STAGE_LATE_STONES ? STAGE_MIDDLE
                                             : STAGE_LATE;
    int depth = move.cost.depth < 0 ? 0 : move.cost.depth < DEPTHS ? move.cost.depth : DEPTHS - 1;
    // A move without a known depth is in the other two.
    bool kept =
        tally_add(table_get(&scan->player, player, 0), &move) &&
        tally_add(table_get(&scan->stage, player, stage), &move) &&
        (!(move.known & KNOWN_DEPTH) || tally_add(table_get(&scan->depth, player, depth), &move));
    return kept ? STATUS_OK : error_set(err, STATUS_NO_MEMORY, "out of memory");
}

static Status scan_all(Store *store, CostScan *scan, StoreProgress *progress, void *ctx,
                       ErrorText *err) {
    sqlite3_stmt *stmt;
    bool row;
    int64_t games = 0, moves = 0;
    Status status = progress ? store_count_games(store, INT64_MAX, &games, err) : STATUS_OK;
    if (!status)
        status = connection_prepare(store, SQL_READ_COSTS, &stmt, err);
    if (status)
        return status;
    // Games are counted as their first move comes; games without moves are never counted as done.
    int64_t done = 0, last = -1;
    while (!(status = connection_step(store, stmt, &row, err)) && row) {
        status = scan_move(scan, stmt, err);
        if (status)
            break;
        done += scan->game.slot != last;
        last = scan->game.slot;
        if (progress && ++moves % PROGRESS_MOVES == 0 && !progress(ctx, done, games)) {
            status = error_set(err, STATUS_STOPPED, "stopped");
            break;
        }
    }
    sqlite3_reset(stmt);
    return status;
}

StoreCostScan *store_cost_scan_new(int players) {
    StoreCostScan *scan = calloc(1, sizeof *scan);
    if (scan && table_init(&scan->player, players, 1) &&
        table_init(&scan->stage, players, STAGE_NB) && table_init(&scan->depth, players, DEPTHS))
        return scan;
    store_cost_scan_free(scan);
    return NULL;
}

void store_cost_scan_free(StoreCostScan *scan) {
    if (!scan)
        return;
    table_release(&scan->player);
    table_release(&scan->stage);
    table_release(&scan->depth);
    free(scan);
}

Status store_cost_scan_add(StoreCostScan *scan, const StoreCostSource *source, ErrorText *err) {
    Store *store = source->store;
    // The caller's snapshot stays open, one of our own is ended.
    bool had_snapshot = store->in_snapshot;
    scan->player_map = source->player_map;
    scan->games = NULL;
    scan->has_game = false;
    Status status = store_snapshot_begin(store, err); // moves and games must be of one state
    if (!status)
        status = store_games_open(store, 0, &scan->games, err);
    if (!status)
        status = scan_all(store, scan, source->progress, source->progress_ctx, err);
    // NULL when it was never opened, which is fine.
    store_cursor_close(scan->games);
    if (!had_snapshot)
        store_snapshot_end(store);
    return status;
}

Status store_cost_scan_finish(StoreCostScan *scan, StoreCosts *out, ErrorText *err) {
    StoreCosts costs = {0};
    if (table_rows(&scan->player, KIND_NONE, &costs.by_player, &costs.player_rows) &&
        table_rows(&scan->stage, KIND_STAGE, &costs.by_stage, &costs.stage_rows) &&
        table_rows(&scan->depth, KIND_DEPTH, &costs.by_depth, &costs.depth_rows)) {
        *out = costs;
        return STATUS_OK;
    }
    store_costs_release(&costs);
    return error_set(err, STATUS_NO_MEMORY, "out of memory");
}

Status store_costs(Store *store, StoreProgress *progress, void *ctx, StoreCosts *out,
                   ErrorText *err) {
    StoreCostSource source = {store, NULL, progress, ctx};
    StoreCostScan *scan = store_cost_scan_new(store->player_count);
    if (!scan)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    Status status = store_cost_scan_add(scan, &source, err);
    if (!status)
        status = store_cost_scan_finish(scan, out, err);
    store_cost_scan_free(scan);
    return status;
}

void store_costs_release(StoreCosts *costs) {
    free(costs->by_player);
    free(costs->by_stage);
    free(costs->by_depth);
    *costs = (StoreCosts){0};
}
