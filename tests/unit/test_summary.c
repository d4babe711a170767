// SPDX-License-Identifier: GPL-3.0-or-later
// Counting games and what is said of them: pairs, single games, first movers, players of several
// sources, ladders.
#include "engine/base/rng.h"
#include "harness/record/experiment.h"
#include "harness/report/standing.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int player_add(ReportSummary *summary, const char *name, const char *config) {
    ErrorText err = {""};
    PlayerRow row = {name, config, "other"};
    int index = -1;
    if (summary_add_player(summary, &row, &index, &err))
        fail_msg("%s", err.text);
    return index;
}

static void game_add(ReportSummary *summary, StoreGame game) {
    ErrorText err = {""};
    game.reason = REASON_FIVE;
    game.plies = 9;
    if (summary_add_game(summary, 0, &game, &err))
        fail_msg("%s", err.text);
}

static void test_summary__two_games_with_colours_swapped_are_a_pair(void **state) {
    (void)state;
    ReportSummary summary = {0};
    int a = player_add(&summary, "a", "{}"), b = player_add(&summary, "b", "{}");
    game_add(
        &summary,
        (StoreGame){.slot = 0, .pair = 0, .black = a, .white = b, .first = WHITE, .result = 'B'});
    game_add(
        &summary,
        (StoreGame){.slot = 1, .pair = 0, .black = b, .white = a, .first = WHITE, .result = 'D'});
    game_add(
        &summary,
        (StoreGame){.slot = 2, .pair = 1, .black = a, .white = b, .first = WHITE, .result = 'W'});
    summary_end_source(&summary);
    assert_int_equal(summary.games, 3);
    assert_int_equal(summary.pairs, 1);
    assert_int_equal(summary.players[a].pairs.n[PAIR_WD], 1);
    assert_int_equal(summary.players[b].pairs.n[PAIR_LD], 1);
    assert_int_equal(summary.players[a].single.losses, 1);
    assert_int_equal(summary.players[b].single.wins, 1);
    const PairingSummary *pairing = summary_pairing(&summary, a, b);
    assert_int_equal(pairing->pair_points[1][2],
                     1); // drew moving first (white), won moving second (black)
    assert_int_equal(summary_pairing(&summary, b, a)->pair_points[0][1], 1);
    assert_int_equal(pairing->first.draws, 1);
    assert_int_equal(summary.first.wins, 1);
    assert_int_equal(summary.black.wins, 1);
    summary_release(&summary);
}

static void test_summary__games_that_only_look_like_a_pair_are_single(void **state) {
    (void)state;
    ReportSummary summary = {0};
    int a = player_add(&summary, "a", "{}"), b = player_add(&summary, "b", "{}");
    // Imported games have no pair; colours not swapped; another pair number.
    for (int i = 0; i < 2; i++)
        game_add(&summary,
                 (StoreGame){
                     .slot = i, .pair = -1, .black = i ? a : b, .white = i ? b : a, .result = 'B'});
    for (int i = 2; i < 4; i++)
        game_add(&summary,
                 (StoreGame){.slot = i, .pair = 1, .black = a, .white = b, .result = 'B'});
    for (int i = 4; i < 6; i++)
        game_add(&summary, (StoreGame){.slot = i,
                                       .pair = i,
                                       .black = i % 2 ? a : b,
                                       .white = i % 2 ? b : a,
                                       .result = 'B'});
    summary_end_source(&summary);
    assert_int_equal(summary.pairs, 0);
    WdlCounts single = summary.players[a].single;
    assert_int_equal(wdl_counts_total(&single), 6);
    summary_release(&summary);
}

static void test_summary__equal_names_are_one_player_only_with_equal_settings(void **state) {
    (void)state;
    ReportSummary summary = {0};
    assert_int_equal(player_add(&summary, "a", "{\"x\": 1}"), 0);
    assert_int_equal(player_add(&summary, "a", "{\"x\": 1}"), 0);
    assert_int_equal(player_add(&summary, "a", "{\"x\": 2}"), 1);
    assert_int_equal(player_add(&summary, "a", "{\"x\": 3}"), 2);
    assert_string_equal(summary.players[1].name, "a [other]");
    assert_string_equal(summary.players[2].name, "a [other 2]");
    summary_release(&summary);
}

// Sums by another way over random games: the matrix, the players and the openings agree.
static void test_summary__sums_agree_over_random_games(void **state) {
    (void)state;
    enum { PLAYERS = 5, PAIRS = 3000, OPENINGS = 400 };
    ReportSummary summary = {0};
    Rng rng = rng_init(3);
    for (int i = 0; i < PLAYERS; i++)
        player_add(&summary, (const char *[]){"a", "b", "c", "d", "e"}[i], "{}");
    for (int64_t pair = 0; pair < PAIRS; pair++) {
        int a = (int)rng_below(&rng, PLAYERS),
            b = (a + 1 + (int)rng_below(&rng, PLAYERS - 1)) % PLAYERS;
        int64_t opening = (int64_t)rng_below(&rng, OPENINGS);
        for (int i = 0; i < 2; i++)
            game_add(&summary, (StoreGame){.slot = 2 * pair + i,
                                           .pair = pair,
                                           .opening = opening,
                                           .black = i ? b : a,
                                           .white = i ? a : b,
                                           .first = opening % 2 ? WHITE : BLACK,
                                           .result = "BWD"[rng_below(&rng, 3)]});
    }
    summary_end_source(&summary);
    assert_int_equal(summary.pairs, PAIRS);
    int64_t opening_games = 0, opening_pairs = 0, matrix_games = 0;
    for (int i = 0; i < summary.opening_count; i++) {
        opening_games += wdl_counts_total(&summary.openings[i].black);
        opening_pairs += summary.openings[i].pairs;
    }
    for (int i = 0; i < PLAYERS; i++) {
        WdlCounts row = {0, 0, 0};
        PairCounts pairs = {0};
        for (int j = 0; j < PLAYERS; j++) {
            const PairingSummary *pairing = summary_pairing(&summary, i, j);
            row = wdl_counts_sum(row, wdl_counts_sum(pairing->as_black, pairing->as_white));
            for (int c = 0; c < PAIR_CLASS_NB; c++) {
                pairs.n[c] += pairing->pairs.n[c];
                assert_int_equal(pair_counts_swapped(&pairing->pairs).n[c],
                                 summary_pairing(&summary, j, i)->pairs.n[c]);
            }
        }
        WdlCounts from_pairs = wdl_from_pairs(&pairs);
        assert_memory_equal(&row, &from_pairs, sizeof row);
        assert_int_equal(wdl_counts_total(&row), player_games(&summary.players[i]));
        matrix_games += wdl_counts_total(&row);
    }
    assert_int_equal(opening_games, 2 * PAIRS);
    assert_int_equal(opening_pairs, PAIRS);
    assert_int_equal(matrix_games, 4 * PAIRS);
    assert_true(summary.opening_count <= OPENINGS);
    summary_release(&summary);
}

// The JSON of a player of our own engine with a depth and an algorithm; free().
static char *config_of(const char *name, const char *depth, const char *algorithm) {
    ErrorText err = {""};
    PlayerSpec player = {.name = (char *)name, .knobs = knob_defaults()};
    if (knob_set_text(&player.knobs, "search.depth", depth, &err) ||
        knob_set_text(&player.knobs, "search.algorithm", algorithm, &err))
        fail_msg("%s", err.text);
    Text text = {0};
    player_spec_write_json(&player, &text);
    return text.data;
}

static void cost_add(ReportSummary *summary, int player, int depth, int64_t nodes_a_move) {
    ErrorText err = {""};
    StoreCost row = {.player = player, .stage = -1, .depth = -1, .moves = 100};
    row.nodes = (uint64_t)nodes_a_move * 100;
    row.node_spread.count = 100;
    if (summary_set_cost(summary, &row, &err))
        fail_msg("%s", err.text);
    row.depth = depth;
    if (summary_set_cost(summary, &row, &err))
        fail_msg("%s", err.text);
}

static void test_summary__branching_and_saving_compare_players_of_one_family(void **state) {
    (void)state;
    ReportSummary summary = {0};
    static const struct {
        const char *name, *depth, *algorithm;
        int depth_plies;
        int64_t nodes;
    } PLAYERS[] = {{"d2", "2", "alphabeta", 2, 100},
                   {"d4", "4", "alphabeta", 4, 1600},
                   {"m2", "2", "minimax", 2, 400}};
    for (int i = 0; i < 3; i++) {
        char *config = config_of(PLAYERS[i].name, PLAYERS[i].depth, PLAYERS[i].algorithm);
        cost_add(&summary, player_add(&summary, PLAYERS[i].name, config), PLAYERS[i].depth_plies,
                 PLAYERS[i].nodes);
        free(config);
    }
    int from, to;
    StatValue branching = summary_branching(&summary, 1, &from, &to);
    assert_true(stat_exists(branching) && fabs(branching.value - 4.0) < 1e-12); // sqrt(1600 / 100)
    assert_int_equal(from, 2);
    assert_int_equal(to, 4);
    assert_false(stat_exists(summary_branching(&summary, 0, &from, &to)));
    // Limits in time search easy positions deeper: nodes by depth are no price of a ply.
    char *config = config_of("timed", "9", "alphabeta");
    int timed = player_add(&summary, "timed", config);
    free(config);
    for (int depth = 5; depth <= 7; depth++)
        cost_add(&summary, timed, depth, 1000 / depth);
    assert_false(stat_exists(summary_branching(&summary, timed, &from, &to)));
    StatValue saving = summary_node_saving(&summary, 0);
    assert_true(stat_exists(saving) && fabs(saving.value - 0.75) < 1e-12);
    assert_false(stat_exists(summary_node_saving(&summary, 1))); // minimax of depth 4 is not there
    summary_release(&summary);
}

static void test_standing__a_match_of_two_is_measured_by_pairs(void **state) {
    (void)state;
    ErrorText err = {""};
    ReportSummary summary = {0};
    int a = player_add(&summary, "a", "{}"), b = player_add(&summary, "b", "{}");
    for (int i = 0; i < 20; i++) { // 10 pairs: 4 won twice, 6 split
        bool a_wins = i % 2 == 0 || i / 2 < 4;
        game_add(&summary, (StoreGame){.slot = i,
                                       .pair = i / 2,
                                       .opening = i / 2,
                                       .black = i % 2 ? b : a,
                                       .white = i % 2 ? a : b,
                                       .result = a_wins == (i % 2 == 0) ? 'B' : 'W'});
    }
    summary_end_source(&summary);
    Standings standings;
    if (standings_compute(&summary, &standings, &err))
        fail_msg("%s", err.text);
    PairCounts pairs = {.n = {[PAIR_WW] = 4, [PAIR_WL] = 6}};
    MatchStats want = match_stats_compute(&pairs, NULL, BY_PAIRS);
    assert_int_equal(standings.count, 2);
    assert_int_equal(standings.rows[0].player, a);
    assert_true(standings.rows[0].elo.value == want.elo.value);
    assert_true(standings.rows[0].interval.lo.value == want.interval.lo.value);
    assert_true(fabs(standings.rows[1].elo.value + want.elo.value) < 1e-9);
    standings_release(&standings);
    summary_release(&summary);
}

static void test_standing__pools_that_never_met_get_tables_of_their_own(void **state) {
    (void)state;
    ErrorText err = {""};
    ReportSummary summary = {0};
    for (int i = 0; i < 4; i++)
        player_add(&summary, (const char *[]){"a", "b", "c", "d"}[i], "{}");
    for (int i = 0; i < 16; i++) {
        int first = i < 8 ? 0 : 2;
        game_add(&summary, (StoreGame){.slot = i,
                                       .pair = i / 2,
                                       .black = first + i % 2,
                                       .white = first + 1 - i % 2,
                                       .result = i % 4 == 0 ? 'W' : 'B'});
    }
    summary_end_source(&summary);
    Standings standings;
    if (standings_compute(&summary, &standings, &err))
        fail_msg("%s", err.text);
    assert_int_equal(standings.count, 4);
    assert_int_equal(standings.tables, 2);
    assert_int_not_equal(standings.rows[0].table, standings.rows[3].table);
    standings_release(&standings);
    summary_release(&summary);
}

static void test_summary__percent_is_rounded_once(void **state) {
    (void)state;
    assert_true(wdl_percent((WdlCounts){.wins = 11, .draws = 1, .losses = 8}) == 57.5);
    assert_true(wdl_percent((WdlCounts){.wins = 23, .draws = 3, .losses = 14}) == 61.25);
    assert_true(isnan(wdl_percent((WdlCounts){0})));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_summary__percent_is_rounded_once),
        cmocka_unit_test(test_summary__two_games_with_colours_swapped_are_a_pair),
        cmocka_unit_test(test_summary__games_that_only_look_like_a_pair_are_single),
        cmocka_unit_test(test_summary__equal_names_are_one_player_only_with_equal_settings),
        cmocka_unit_test(test_summary__sums_agree_over_random_games),
        cmocka_unit_test(test_summary__branching_and_saving_compare_players_of_one_family),
        cmocka_unit_test(test_standing__a_match_of_two_is_measured_by_pairs),
        cmocka_unit_test(test_standing__pools_that_never_met_get_tables_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
