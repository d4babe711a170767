// SPDX-License-Identifier: GPL-3.0-or-later
// Costs of moves of which not everything is known: rows of the store and views of the database
// against sums over the records themselves.
// sanitizers: asan
#include "engine/base/check.h"
#include "harness/report/summary.h"
#include "store_fixture.h"

#include <math.h>
#include <sqlite3.h>

enum { GAMES = 60 };

// The game of a slot with a random part of its numbers unknown.
static GameRecord *patchy_game(int64_t slot) {
    GameRecord *game = fixture_game(slot);
    Rng rng = rng_init(rng_mix(91, (uint64_t)slot));
    for (int i = game->opening_plies; i < game->move_count; i++) {
        MoveRecord *m = &game->moves[i];
        unsigned known = (unsigned)rng_below(&rng, KNOWN_ALL + 1u);
        SearchCost all = m->cost;
        m->known = known;
        m->cost = (SearchCost){.nodes = known & KNOWN_NODES ? all.nodes : 0,
                               .time_us = known & KNOWN_TIME ? all.time_us : 0,
                               .depth = known & KNOWN_DEPTH ? all.depth : 0,
                               .seldepth = known & KNOWN_SELDEPTH ? all.seldepth : 0};
        if (known & KNOWN_COUNTERS) {
            SearchCost counted = m->cost;
            m->cost = all;
            m->cost.nodes = counted.nodes;
            m->cost.time_us = counted.time_us;
            m->cost.depth = counted.depth;
            m->cost.seldepth = counted.seldepth;
        }
        if (!(known & KNOWN_PV)) {
            free(m->pv);
            m->pv = NULL;
        }
        if (!(known & KNOWN_VALUE))
            m->value = 0;
    }
    return game;
}

static void database_make(const char *path) {
    ErrorText err = {""};
    Store *store = fixture_store_of(path, GAMES, patchy_game);
    OK(store_finish_run(store, true, &err));
    store_close(store);
}

// Sums over the moves that `player` chose; of all of them, whatever the stage.
static StoreCost direct_cost(int player) {
    StoreCost sum = {0};
    for (int64_t slot = 0; slot < GAMES; slot++) {
        GameRecord *game = patchy_game(slot);
        for (int i = game->opening_plies; i < game->move_count; i++) {
            const MoveRecord *m = &game->moves[i];
            bool has_nodes = m->known & KNOWN_NODES, has_time = m->known & KNOWN_TIME;
            if ((i % 2 ? game->white : game->black) != player)
                continue;
            sum.moves++;
            sum.depth_moves += (m->known & KNOWN_DEPTH) != 0;
            sum.depth_sum += m->cost.depth;
            sum.nodes += m->cost.nodes;
            sum.time_us += (uint64_t)m->cost.time_us;
            sum.timed_nodes += has_time ? m->cost.nodes : 0;
            sum.node_time_us += has_nodes ? (uint64_t)m->cost.time_us : 0;
            if (!(m->known & KNOWN_COUNTERS))
                continue;
            sum.counted_moves++;
            sum.counted_nodes += m->cost.nodes;
            sum.cutoffs += m->cost.cutoffs;
            sum.interior += m->cost.interior;
            sum.first_cutoffs += m->cost.first_cutoffs;
        }
        game_record_free(game);
    }
    return sum;
}

static void test_store_cost__what_is_unknown_is_in_no_sum(void **state) {
    (void)state;
    ErrorText err = {""};
    Store *store = NULL;
    StoreCosts costs = {0};
    const char *path = fixture_path("patchy.db");
    database_make(path);
    OK(store_open(path, &store, &err));
    OK(store_costs(store, NULL, NULL, &costs, &err));
    assert_int_equal(costs.player_rows, FIXTURE_PLAYERS);
    for (int player = 0; player < FIXTURE_PLAYERS; player++) {
        const StoreCost *got = &costs.by_player[player];
        StoreCost want = direct_cost(player);
        assert_int_equal(got->moves, want.moves);
        assert_int_equal(got->depth_moves, want.depth_moves);
        assert_int_equal(got->depth_sum, want.depth_sum);
        assert_int_equal(got->counted_moves, want.counted_moves);
        assert_int_equal(got->nodes, want.nodes);
        assert_int_equal(got->counted_nodes, want.counted_nodes);
        assert_int_equal(got->timed_nodes, want.timed_nodes);
        assert_int_equal(got->node_time_us, want.node_time_us);
        assert_int_equal(got->time_us, want.time_us);
        assert_int_equal(got->cutoffs, want.cutoffs);
        assert_int_equal(got->interior, want.interior);
        assert_int_equal(got->first_cutoffs, want.first_cutoffs);
        assert_true(want.counted_nodes < want.nodes && want.timed_nodes < want.nodes);
    }
    store_costs_release(&costs);
    store_close(store);
}

// A row of numbers of a query about a player.
static void query(const char *path, const char *sql, int player, double *out, int count) {
    sqlite3 *db = NULL;
    sqlite3_stmt *stmt = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL))
        fail_msg("%s", sqlite3_errmsg(db));
    sqlite3_bind_int(stmt, 1, player);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    for (int i = 0; i < count; i++)
        out[i] = sqlite3_column_double(stmt, i);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
}

static void near(const char *what, double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * fabs(want)))
        fail_msg("%s: got %.12g, want %.12g", what, got, want);
}

// The rates of a report, of the views, and of the records are the same.
static void test_store_cost__rates_of_views_and_reports_agree(void **state) {
    (void)state;
    const char *path = fixture_path("patchy.db");
    for (int player = 0; player < FIXTURE_PLAYERS; player++) {
        StoreCost cost = direct_cost(player);
        double got[4];
        query(path,
              "SELECT cutoffs_per_node, cutoffs_per_interior_node, first_move_cutoff_rate, nodes "
              "FROM prune_rate JOIN player ON player.name = player WHERE player.id = ?",
              player, got, 4);
        near("per node", got[0], (double)cost.cutoffs / (double)cost.counted_nodes);
        near("per node, report", cost_cutoffs_per_node(&cost).value, got[0]);
        near("per interior node", got[1], cost_cutoffs_per_interior_node(&cost).value);
        near("first move", got[2], cost_first_move_cutoff_rate(&cost).value);
        near("nodes", got[3], (double)cost.nodes);
        query(path,
              "SELECT 1e6 * sum(iif(time_us IS NULL, NULL, nodes)) / "
              "sum(iif(nodes IS NULL, NULL, time_us)) FROM player_move WHERE player_id = ?",
              player, got, 1);
        near("speed", 1e6 * (double)cost.timed_nodes / (double)cost.node_time_us, got[0]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_store_cost__what_is_unknown_is_in_no_sum),
        cmocka_unit_test(test_store_cost__rates_of_views_and_reports_agree),
    };
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
