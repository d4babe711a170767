// SPDX-License-Identifier: GPL-3.0-or-later
// Standings at their edges: nobody, one pairing of many players, draws only, a perfect score, ties.
// sanitizers: asan
#include "engine/base/check.h"
#include "harness/report/standing.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct Bench {
    ReportSummary summary;
    Standings standings;
    int64_t slot;
} Bench;

static void bench_make(Bench *bench, int players) {
    *bench = (Bench){0};
    for (int i = 0; i < players; i++) {
        ErrorText err = {""};
        char name[8] = {(char)('a' + i), '\0'};
        PlayerRow row = {name, "{}", "db"};
        int index;
        assert_int_equal(summary_add_player(&bench->summary, &row, &index, &err), STATUS_OK);
    }
}

// Pairs of games between two: a letter a game as `a` sees it, W, D or L; a has black first.
static void meet(Bench *bench, int a, int b, const char *results) {
    for (; *results; results++) {
        ErrorText err = {""};
        bool swapped = bench->slot % 2;
        StoreGame game = {.slot = bench->slot,
                          .pair = bench->slot / 2,
                          .opening = bench->slot / 2,
                          .black = swapped ? b : a,
                          .white = swapped ? a : b,
                          .result = *results == 'D'                ? 'D'
                                    : (*results == 'W') != swapped ? 'B'
                                                                   : 'W'};
        bench->slot++;
        assert_int_equal(summary_add_game(&bench->summary, 0, &game, &err), STATUS_OK);
    }
}

static const Standings *ranked(Bench *bench) {
    ErrorText err = {""};
    summary_end_source(&bench->summary);
    if (standings_compute(&bench->summary, &bench->standings, &err))
        fail_msg("%s", err.text);
    return &bench->standings;
}

static void bench_release(Bench *bench) {
    standings_release(&bench->standings);
    summary_release(&bench->summary);
}

static void test_standing__without_games_there_is_nobody(void **state) {
    (void)state;
    Bench bench;
    bench_make(&bench, 3);
    assert_int_equal(ranked(&bench)->count, 0);
    assert_false(bench.standings.is_pool);
    assert_false(stat_exists(bench.standings.advantage));
    bench_release(&bench);
}

// Of four players two have met: a match, and the others have no row.
static void test_standing__who_has_not_played_has_no_row(void **state) {
    (void)state;
    Bench bench;
    bench_make(&bench, 4);
    meet(&bench, 3, 1, "WWWL");
    const Standings *s = ranked(&bench);
    assert_int_equal(s->count, 2);
    assert_false(s->is_pool);
    assert_int_equal(s->rows[0].player, 3);
    assert_true(s->rows[0].score.value == 0.75 && s->rows[1].score.value == 0.25);
    assert_int_equal(s->rows[0].pairs, 2);
    assert_true(s->rows[0].elo.value == -s->rows[1].elo.value);
    bench_release(&bench);
}

static void test_standing__draws_alone_make_equals_in_the_order_of_the_file(void **state) {
    (void)state;
    Bench bench;
    bench_make(&bench, 3);
    meet(&bench, 2, 1, "DDDD");
    meet(&bench, 1, 0, "DDDD");
    meet(&bench, 0, 2, "DDDD");
    const Standings *s = ranked(&bench);
    assert_true(s->is_pool);
    assert_int_equal(s->tables, 1);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(s->rows[i].player, i);
        assert_int_equal(s->rows[i].games, 8);
        assert_true(s->rows[i].score.value == 0.5);
        assert_true(fabs(s->rows[i].elo.value) < 1e-9);
        assert_true(!stat_exists(s->rows[i].los) || fabs(s->rows[i].los.value - 0.5) < 1e-9);
    }
    bench_release(&bench);
}

// Who never lost is above the others without a number; who never took a point below them.
static void test_standing__perfect_scores_are_bounds_on_their_side(void **state) {
    (void)state;
    Bench bench;
    bench_make(&bench, 4);
    meet(&bench, 0, 1, "WLLWWD");
    meet(&bench, 2, 0, "WWWW");
    meet(&bench, 2, 1, "WWWW");
    meet(&bench, 3, 0, "LLLL");
    const Standings *s = ranked(&bench);
    assert_int_equal(s->count, 4);
    assert_int_equal(s->rows[0].player, 2);
    assert_int_equal(s->rows[3].player, 3);
    assert_false(stat_exists(s->rows[0].elo) || stat_exists(s->rows[0].interval.hi));
    assert_true(stat_exists(s->rows[0].interval.lo));
    assert_false(stat_exists(s->rows[3].elo) || stat_exists(s->rows[3].interval.lo));
    assert_true(stat_exists(s->rows[3].interval.hi));
    assert_true(stat_exists(s->rows[1].elo) && stat_exists(s->rows[2].elo));
    assert_true(s->rows[0].interval.lo.value > s->rows[1].elo.value);
    assert_true(s->rows[3].interval.hi.value < s->rows[2].elo.value);
    assert_non_null(strchr(text_cstr(&s->warnings), '\n'));
    bench_release(&bench);
}

// Half a pair more does not turn a match of pairs into one of games; many single games do.
static void test_standing__most_games_decide_what_an_observation_is(void **state) {
    (void)state;
    PairCounts pairs = {.n = {[PAIR_WW] = 3, [PAIR_WL] = 4, [PAIR_LL] = 1}};
    WdlCounts few = {0, 0, 1}, many = {30, 0, 20};
    MatchStats by_pairs = standing_match(&pairs, &few), by_games = standing_match(&pairs, &many);
    assert_int_equal(by_pairs.by, BY_PAIRS);
    assert_int_equal(by_pairs.games, 16); // the single game is not counted
    assert_int_equal(by_games.by, BY_GAMES);
    assert_int_equal(by_games.games, 66);
    assert_int_equal(by_games.wdl.wins, 40);
    MatchStats none = standing_match(&(PairCounts){0}, &(WdlCounts){0});
    assert_false(stat_exists(none.score) || stat_exists(none.elo) || stat_exists(none.los));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_standing__without_games_there_is_nobody),
        cmocka_unit_test(test_standing__who_has_not_played_has_no_row),
        cmocka_unit_test(test_standing__draws_alone_make_equals_in_the_order_of_the_file),
        cmocka_unit_test(test_standing__perfect_scores_are_bounds_on_their_side),
        cmocka_unit_test(test_standing__most_games_decide_what_an_observation_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
