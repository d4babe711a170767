// SPDX-License-Identifier: GPL-3.0-or-later
// Rows read back against the same numbers counted by hand and by the views of the database.
#include "harness/store/spread.h"
#include "store_fixture.h"

#include <sqlite3.h>

enum { GAMES = 600 };

static Store *fixture_store;

static int setup(void **state) {
    if (fixture_setup(state))
        return -1;
    ErrorText err = {""};
    const char *path = fixture_path("read.db");
    Store *store = fixture_open(path);
    fixture_write(store, 0, GAMES, 1);
    fixture_write(store, GAMES + 1, GAMES + 2, 1); // half a pair
    OK(store_finish_run(store, false, &err));
    store_close(store);
    OK(store_open(path, &fixture_store, &err));
    return 0;
}

static int teardown(void **state) {
    store_close(fixture_store);
    return fixture_teardown(state);
}

// The number that a query gives.
static double query(const char *sql) {
    sqlite3 *db = NULL;
    sqlite3_stmt *stmt = NULL;
    assert_int_equal(sqlite3_open(fixture_path("read.db"), &db), SQLITE_OK);
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL))
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    double number = sqlite3_column_double(stmt, 0);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return number;
}

static void assert_query(const char *sql, double want) {
    double got = query(sql);
    if (got < want - 1e-9 * (want + 1) || got > want + 1e-9 * (want + 1))
        fail_msg("%s: got %.12g, want %.12g", sql, got, want);
}

// Points, doubled, of one player in all games, with and without a filter on colour.
static int64_t points2(int player, int colour) {
    int64_t sum = 0;
    for (int64_t slot = 0; slot <= GAMES; slot++) {
        GameRecord *game = fixture_game(slot < GAMES ? slot : GAMES + 1);
        int own = game->black == player ? 'B' : game->white == player ? 'W' : 0;
        if (own && (colour == 0 || own == colour))
            sum += game->result == 'D' ? 1 : game->result == own ? 2 : 0;
        game_record_free(game);
    }
    return sum;
}

static void test_store_read__counts_every_game_once(void **state) {
    (void)state;
    ErrorText err = {""};
    StoreCount *counts = NULL;
    int count = 0;
    int64_t games = 0, two[FIXTURE_PLAYERS] = {0};
    OK(store_counts(fixture_store, &counts, &count, &err));
    for (int i = 0; i < count; i++) {
        const StoreCount *c = &counts[i];
        games += c->games;
        two[c->black] += c->games * (c->result == 'D' ? 1 : c->result == 'B' ? 2 : 0);
        two[c->white] += c->games * (c->result == 'D' ? 1 : c->result == 'W' ? 2 : 0);
    }
    free(counts);
    assert_int_equal(games, GAMES + 1);
    for (int i = 0; i < FIXTURE_PLAYERS; i++)
        assert_int_equal(two[i], points2(i, 0));
    int64_t below = 0;
    OK(store_count_games(fixture_store, 100, &below, &err));
    assert_int_equal(below, 100);
}

static void test_store_read__views_agree_with_the_games(void **state) {
    (void)state;
    static const char *const NAMES[] = {"d2", "d4", "d6"};
    for (int i = 0; i < FIXTURE_PLAYERS; i++) {
        char sql[200];
        snprintf(sql, sizeof sql, "SELECT wins * 2 + draws FROM standings WHERE player = '%s'",
                 NAMES[i]);
        assert_query(sql, (double)points2(i, 0));
        snprintf(sql, sizeof sql,
                 "SELECT black_wins * 2 + black_draws FROM standings WHERE player = '%s'",
                 NAMES[i]);
        assert_query(sql, (double)points2(i, 'B'));
        snprintf(sql, sizeof sql,
                 "SELECT white_wins * 2 + white_draws FROM standings WHERE player = '%s'",
                 NAMES[i]);
        assert_query(sql, (double)points2(i, 'W'));
        snprintf(sql, sizeof sql,
                 "SELECT sum(games * score_percent) / 50 FROM head_to_head WHERE player = '%s'",
                 NAMES[i]);
        assert_query(sql, (double)points2(i, 0));
    }
    assert_query("SELECT sum(games) FROM standings", 2.0 * (GAMES + 1));
    assert_query("SELECT sum(games) FROM head_to_head", 2.0 * (GAMES + 1));
    assert_query("SELECT sum(timeouts) FROM standings",
                 query("SELECT count(*) FROM game WHERE reason = 'timeout'"));
    assert_query("SELECT sum(games) FROM opening_balance", GAMES + 1);
}

static void test_store_read__names_openings_as_people_do(void **state) {
    (void)state;
    ErrorText err = {""};
    StoreOpening *openings = NULL;
    int count = 0;
    OK(store_openings(fixture_store, &openings, &count, &err));
    assert_int_equal(count, GAMES / 2 / FIXTURE_PLAYERS + 1);
    assert_string_equal(openings[0].moves, "-");
    assert_int_equal(openings[1].first, WHITE);
    // Slot 6 is the first game of opening 1: one stone on cell 16 + 6, that is h14.
    assert_string_equal(openings[1].moves, "h14");
    assert_int_equal(openings[1].games, 6);
    int64_t games = 0;
    for (int i = 0; i < count; i++)
        games += openings[i].black_wins + openings[i].white_wins + openings[i].draws;
    assert_int_equal(games, GAMES + 1);
    store_openings_free(openings, count);
}

static void test_store_read__pairs_are_whole(void **state) {
    (void)state;
    ErrorText err = {""};
    StoreCursor *cursor = NULL;
    StorePair pair;
    bool found;
    int64_t pairs = 0;
    OK(store_games_open(fixture_store, 0, &cursor, &err));
    for (;;) {
        OK(store_pairs_next(cursor, &pair, &found, &err));
        if (!found)
            break;
        assert_int_equal(pair.game[0].slot, 2 * pairs);
        assert_int_equal(pair.game[1].slot, 2 * pairs + 1);
        assert_int_equal(pair.game[0].black, pair.game[1].white);
        assert_int_equal(pair.game[0].white, pair.game[1].black);
        assert_int_equal(store_game_points2(&pair.game[0], pair.game[0].black) +
                             store_game_points2(&pair.game[0], pair.game[0].white),
                         2);
        pairs++;
    }
    store_cursor_close(cursor);
    assert_int_equal(pairs, GAMES / 2);
}

// Nearest-rank quantile of a column of player_move, by sorting in SQL.
static double rank_query(const char *column, const char *where, double part) {
    char sql[500];
    snprintf(sql, sizeof sql, "SELECT count(%s) FROM player_move WHERE %s", column, where);
    int64_t count = (int64_t)query(sql), rank = (int64_t)(part * (double)count);
    rank += (double)rank < part * (double)count;
    snprintf(sql, sizeof sql, "SELECT %s FROM player_move WHERE %s ORDER BY %s LIMIT 1 OFFSET %lld",
             column, where, column, (long long)(rank - 1));
    return query(sql);
}

static void check_cost(const StoreCost *cost, const char *where) {
    char sql[500];
    static const char *const SUMS[] = {
        "count(*)",           "sum(nodes)",    "sum(interior)", "sum(leaves)", "sum(cutoffs)",
        "sum(first_cutoffs)", "sum(branches)", "sum(tt_hits)",  "max(nodes)",  "max(time_us)"};
    const double got[] = {(double)cost->moves,           (double)cost->nodes,
                          (double)cost->interior,        (double)cost->leaves,
                          (double)cost->cutoffs,         (double)cost->first_cutoffs,
                          (double)cost->branches,        (double)cost->tt_hits,
                          (double)cost->node_spread.max, (double)cost->time_us_spread.max};
    for (size_t i = 0; i < sizeof SUMS / sizeof *SUMS; i++) {
        snprintf(sql, sizeof sql, "SELECT %s FROM player_move WHERE %s", SUMS[i], where);
        assert_query(sql, got[i]);
    }
    assert_int_equal(cost->node_spread.median, rank_query("nodes", where, 0.5));
    assert_int_equal(cost->time_us_spread.p95, rank_query("time_us", where, 0.95));
    int64_t binned = 0;
    for (int i = 0; i < STORE_BINS; i++)
        binned += cost->time_us_spread.bins[i];
    assert_int_equal(binned, cost->moves);
}

static void test_store_read__costs_agree_with_sql(void **state) {
    (void)state;
    ErrorText err = {""};
    StoreCosts costs = {0};
    char where[100];
    OK(store_costs(fixture_store, NULL, NULL, &costs, &err));
    assert_int_equal(costs.player_rows, FIXTURE_PLAYERS);
    for (int i = 0; i < costs.player_rows; i++) {
        snprintf(where, sizeof where, "player_id = %d", costs.by_player[i].player);
        check_cost(&costs.by_player[i], where);
    }
    for (int i = 0; i < costs.stage_rows; i++) {
        const StoreCost *cost = &costs.by_stage[i];
        snprintf(where, sizeof where, "player_id = %d AND stage = '%s'", cost->player,
                 store_stage_name((StoreStage)cost->stage));
        check_cost(cost, where);
    }
    for (int i = 0; i < costs.depth_rows; i++) {
        snprintf(where, sizeof where, "player_id = %d AND depth = %d", costs.by_depth[i].player,
                 costs.by_depth[i].depth);
        check_cost(&costs.by_depth[i], where);
    }
    assert_query("SELECT nodes_median FROM move_cost WHERE player = 'd4' AND stage = 'middle'",
                 rank_query("nodes", "player_id = 1 AND stage = 'middle'", 0.5));
    assert_query("SELECT time_us_p95 FROM move_cost WHERE player = 'd2' AND stage = 'early'",
                 rank_query("time_us", "player_id = 0 AND stage = 'early'", 0.95));
    assert_query("SELECT cutoffs_per_interior_node FROM prune_rate WHERE player = 'd6'", 0.8);
    assert_query("SELECT first_move_cutoff_rate FROM prune_rate WHERE player = 'd6'", 0.625);
    assert_query("SELECT branching FROM prune_rate WHERE player = 'd6'", 7);
    assert_query("SELECT tt_hit_rate FROM prune_rate WHERE player = 'd6'", 0.25);
    store_costs_release(&costs);
}

static bool stop_at_once(void *ctx, int64_t done, int64_t total) {
    (void)done;
    (void)total;
    return *(bool *)ctx;
}

static void test_store_read__costs_of_an_empty_database_are_no_rows(void **state) {
    (void)state;
    ErrorText err = {""};
    StoreCosts costs = {0};
    bool go_on = false;
    const char *path = fixture_path("empty.db");
    store_close(fixture_open(path));
    Store *store = NULL;
    OK(store_open(path, &store, &err));
    OK(store_costs(store, stop_at_once, &go_on, &costs, &err));
    assert_int_equal(costs.player_rows + costs.stage_rows + costs.depth_rows, 0);
    store_costs_release(&costs);
    StoreCount *counts = NULL;
    StoreOpening *openings = NULL;
    int count = -1;
    OK(store_counts(store, &counts, &count, &err));
    assert_int_equal(count, 0);
    OK(store_openings(store, &openings, &count, &err));
    assert_int_equal(count, 0);
    store_openings_free(openings, count);
    free(counts);
    store_close(store);
}

static void test_store_read__knows_its_sittings(void **state) {
    (void)state;
    ErrorText err = {""};
    StoreSitting *sittings = NULL;
    int count = 0;
    OK(store_sittings(fixture_store, &sittings, &count, &err));
    assert_int_equal(count, 1);
    assert_int_equal(sittings[0].games, GAMES + 1);
    assert_int_equal(sittings[0].jobs, 2);
    assert_string_equal(sittings[0].version, "1.0");
    assert_non_null(sittings[0].finished_at);
    store_sittings_free(sittings, count);
}

static int compare_values(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// Small and huge values, few and many: exact while few, then within 0.1 %.
static void test_store_read__spreads_are_near_the_sorted_values(void **state) {
    (void)state;
    static const double PARTS[] = {0, 0.01, 0.25, 0.5, 0.75, 0.95, 0.999, 1};
    for (int round = 0; round < 8; round++) {
        Spread spread = {.exact = 1000};
        Rng rng = rng_init((uint64_t)round);
        size_t count = round % 2 ? 1000 : 20000;
        int64_t *values = calloc(count, sizeof *values);
        assert_non_null(values);
        for (size_t i = 0; i < count; i++) {
            values[i] = (int64_t)(rng_next(&rng) >> (1 + rng_below(&rng, 63)) >> (round * 7 % 30));
            spread_add(&spread, values[i]);
        }
        qsort(values, count, sizeof *values, compare_values);
        for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
            int64_t rank = (int64_t)(PARTS[i] * (double)count);
            rank += (double)rank < PARTS[i] * (double)count;
            int64_t want = values[rank > 0 ? rank - 1 : 0],
                    got = spread_quantile(&spread, PARTS[i]);
            int64_t slack = round % 2 ? 0 : want / 1000;
            assert_in_range(got, want - slack, want + slack);
        }
        assert_false(spread.failed);
        assert_int_equal(spread_summary(&spread).count, count);
        assert_int_equal(spread_summary(&spread).max, values[count - 1]);
        spread_release(&spread);
        free(values);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_store_read__counts_every_game_once),
        cmocka_unit_test(test_store_read__views_agree_with_the_games),
        cmocka_unit_test(test_store_read__names_openings_as_people_do),
        cmocka_unit_test(test_store_read__pairs_are_whole),
        cmocka_unit_test(test_store_read__costs_agree_with_sql),
        cmocka_unit_test(test_store_read__costs_of_an_empty_database_are_no_rows),
        cmocka_unit_test(test_store_read__knows_its_sittings),
        cmocka_unit_test(test_store_read__spreads_are_near_the_sorted_values),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
