// SPDX-License-Identifier: GPL-3.0-or-later
// Where lines end and what that is worth: every search.terminal, search.win_value and
// search.no_moves, at nodes and at the root; limits that are looked at; and a small table of
// proofs. sanitizers: asan
#include "engine/base/check.h"
#include "engine/proof.h"
#include "engine/search/vct.h"
#include "tests/support/search_rig.h"

static SearchRig rig;

static const char FIVE[] = "h8 a1 i8 a3 j8 a5 k8 a7 l8"; // black has won, white to move

static void test_search_ends__won_boards_by_terminal_and_win_value(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        bool ends;
        double value; // NAN: the static value
    } CASES[] = {
        {"search.terminal=rule", true, -(VALUE_WIN - 3)},
        {"search.terminal=rule search.win_value=times_depth:100", true, -300},
        {"search.terminal=rule search.win_value=static", true, NAN},
        {"search.terminal=none", false, 0},
        {"search.terminal=before_entry", false, 0},
        {"search.terminal=threshold:1000", true, NAN},
        {"search.terminal=threshold:1e15", false, 0},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        double value = 0;
        rig_open(&rig, 15, RULE_FREESTYLE, FIVE, CASES[i].settings);
        bool ends = search_line_ends(&rig.search, 2, 3, &value);
        if (ends != CASES[i].ends)
            fail_msg("%s: %d", CASES[i].settings, ends);
        double expected = isnan(CASES[i].value) ? search_static(&rig.search) : CASES[i].value;
        if (ends && value != expected)
            fail_msg("%s: %g, expected %g", CASES[i].settings, value, expected);
        assert_int_equal(rig.search.cost.leaves, ends && isnan(CASES[i].value));
        assert_true(search_line_ends(&rig.search, 0, 3, &value)); // depth 0 always does
        rig_close(&rig);
    }
}

// The row of the side that moved last counts first; a full board is a draw.
static void test_search_ends__both_rows_and_full_boards(void **state) {
    (void)state;
    static const struct {
        const char *rows;
        Colour side;
        double value;
    } CASES[] = {
        {"XXXXX/OOOOO/...../...../.....", WHITE, -(VALUE_WIN - 1)},
        {"XXXXX/OOOOO/...../...../.....", BLACK, -(VALUE_WIN - 1)},
        {"XXXXX/..O../...../...../.....", BLACK, VALUE_WIN - 1},
        {"XOXOX/OXOXO/OXXOX/XOOXO/OXOXO", BLACK, 0},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        double value = 5;
        ErrorText err = {{0}};
        fresh_board(&rig.board, 5, 5, 5, RULE_FREESTYLE, 2);
        assert_int_equal(notation_set_board(&rig.board, CASES[i].rows, CASES[i].side, &err),
                         STATUS_OK);
        rig_open_here(&rig, "");
        assert_true(search_line_ends(&rig.search, 2, 1, &value));
        assert_true(value == CASES[i].value);
        rig_close(&rig);
        rig_open_here(&rig, "search.incremental=no"); // found by walking the board
        value = 5;
        assert_true(search_line_ends(&rig.search, 2, 1, &value) && value == CASES[i].value);
        rig_close(&rig);
    }
}

static void test_search_ends__wins_before_entry(void **state) {
    (void)state;
    static const char *const SETTINGS[] = {"search.terminal=before_entry",
                                           "search.terminal=before_entry search.incremental=no",
                                           "search.terminal=rule"};
    for (int i = 0; i < 3; i++) {
        rig_open(&rig, 15, RULE_FREESTYLE, "h8 a1 i8 a3 j8 a5 k8 a7", SETTINGS[i]);
        assert_int_equal(search_wins_before_entry(&rig.search, rig_cell(&rig, "l8")), i < 2);
        assert_false(search_wins_before_entry(&rig.search, rig_cell(&rig, "m8")));
        assert_true(search_win_value(&rig.search, 3, 4) == VALUE_WIN - (i < 2 ? 5 : 4));
        rig_close(&rig);
    }
}

static void test_search_ends__nodes_without_candidates(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        double value;
    } CASES[] = {{"search.no_moves=zero", 0},
                 {"search.no_moves=infinite", -INFINITY},
                 {"search.no_moves=value:-7.5", -7.5},
                 {"search.no_moves=static", 0}}; // of the empty board
    static const char *const ALGORITHMS[] = {"minimax", "alphabeta", "pvs", "greedy"};
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++)
        for (size_t a = 0; a < ARRAY_LEN(ALGORITHMS); a++) {
            char settings[128];
            SearchResult result;
            snprintf(settings, sizeof settings, "moves.empty=none search.algorithm=%s %s",
                     ALGORITHMS[a], CASES[i].settings);
            rig_open(&rig, 15, RULE_FREESTYLE, "-", settings);
            search_run(&rig.search, 2, &result);
            assert_int_equal(result.move, MOVE_NONE);
            if (result.value != CASES[i].value)
                fail_msg("%s: %g", settings, result.value);
            rig_close(&rig);
        }
    SearchResult result; // a root that is no node has no value at all
    rig_open(&rig, 15, RULE_FREESTYLE, "-",
             "moves.empty=none search.no_moves=zero search.count_root=no");
    search_run(&rig.search, 2, &result);
    assert_true(isnan(result.value));
    rig_close(&rig);
}

// Stopped at the root of a finished game: no move, and none of the position before it.
static void test_search_ends__stopped_where_the_game_is_over(void **state) {
    (void)state;
    static const char *const OVER[] = {"XXXXX/OOOO./...../...../.....",
                                       "XOXOX/OXOXO/OXXOX/XOOXO/OXOXO"};
    static const char *const SETTINGS[] = {
        "", "search.algorithm=minimax", "search.algorithm=pvs search.deepening=yes",
        "search.algorithm=mcts mcts.playouts=1 search.tt_mb=0", "search.incremental=no"};
    for (size_t i = 0; i < ARRAY_LEN(SETTINGS) * ARRAY_LEN(OVER); i++) {
        SearchResult result;
        ErrorText err = {{0}};
        rig_open(&rig, 5, RULE_FREESTYLE, "c3", SETTINGS[i / 2]);
        rig.search.node_limit = 1;
        search_run(&rig.search, 2, &result);
        assert_int_not_equal(result.move, MOVE_NONE); // the best by ordering
        assert_int_equal(notation_set_board(&rig.board, OVER[i % 2], WHITE, &err), STATUS_OK);
        eval_reset(&rig.eval, &rig.board);
        search_run(&rig.search, 2, &result);
        if (result.move != MOVE_NONE || result.value != (i % 2 ? 0 : -VALUE_WIN))
            fail_msg("%s: %d, %g", SETTINGS[i / 2], result.move, result.value);
        rig_close(&rig);
    }
}

// Among equal root values the first on the board, or the first reached; an equal one that only a
// bound shows is none.
static void test_search_ends__ties_at_the_root(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        Move expected;
    } CASES[] = {{"search.tie=board", 10}, {"search.tie=order", 20}, {"search.root=shared", 20}};
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        SearchResult result = {.move = MOVE_NONE, .value = -INFINITY};
        rig_open(&rig, 15, RULE_FREESTYLE, "h8", CASES[i].settings);
        search_root_offer(&rig.search, 30, -INFINITY, &result);
        assert_int_equal(result.move, MOVE_NONE); // worth nothing: no move
        search_root_offer(&rig.search, 20, 5, &result);
        search_root_offer(&rig.search, 10, 5, &result);
        search_root_offer(&rig.search, 15, 5, &result);
        search_root_offer(&rig.search, 1, 4, &result);
        assert_int_equal(result.move, CASES[i].expected);
        assert_true(result.value == 5);
        search_root_offer(&rig.search, 40, 6, &result);
        assert_true(result.move == 40 && result.value == 6);
        assert_int_equal(result.pv.move[0], 40);
        rig_close(&rig);
    }
}

static void test_search_ends__variations_grow_from_behind(void **state) {
    (void)state;
    rig_open(&rig, 15, RULE_FREESTYLE, "h8", "");
    search_pv_end(&rig.search, 3, 33);
    for (int ply = 2; ply >= 0; ply--)
        search_pv_update(&rig.search, ply, (Move)(30 + ply));
    static const Move EXPECTED[] = {30, 31, 32, 33};
    assert_int_equal(rig.search.pv[0].length, 4);
    assert_memory_equal(rig.search.pv[0].move, EXPECTED, sizeof EXPECTED);
    rig.search.pv[SEARCH_MAX_PLY].length = 0;
    for (int i = 0; i < 2 * SEARCH_MAX_PLY; i++) { // as long as there is room
        search_pv_update(&rig.search, 0, (Move)i);
        rig.search.pv[1] = rig.search.pv[0];
    }
    assert_int_equal(rig.search.pv[0].length, SEARCH_MAX_PLY);
    rig_close(&rig);
}

// A table too small for its proof loses it on the way; what is answered stays true.
static void test_vct__a_tiny_table_tells_no_lies(void **state) {
    (void)state;
    static VcfSolver fours;
    static VctSolver small, large;
    ErrorText err = {{0}};
    Rng rng = rng_init(121);
    int wins = 0;
    for (int round = 0; round < 60; round++) {
        fresh_board(&rig.board, 11, 11, 5, (Rule)(round % RULE_NB), 2);
        random_stones(&rig.board, &rng, 8 + round % 14);
        rig_open_here(&rig, "eval.model=threat");
        if (rig.board.wins[BLACK] + rig.board.wins[WHITE] == 0) {
            VctResult few, many;
            uint64_t key = rig.board.key;
            assert_int_equal(vcf_init(&fours, &rig.board, rig.eval.threats, 8, &err), STATUS_OK);
            assert_int_equal(vct_init(&small, &fours, 8, &err), STATUS_OK);
            assert_int_equal(vct_init(&large, &fours, 16, &err), STATUS_OK);
            vct_solve(&large, 3000, &many);
            vct_solve(&small, 3000, &few);
            assert_int_equal(rig.board.key, key);
            assert_true(threat_map_slow_agrees(rig.eval.threats, &rig.board));
            bool known = many.answer != VCF_UNKNOWN && few.answer != VCF_UNKNOWN;
            assert_true(!known || many.answer == few.answer);
            for (int i = 0; i < few.line_length; i++)
                board_place(&rig.board, few.line[i]);
            if (few.line_length)
                assert_true(rig.board.wins[BLACK] + rig.board.wins[WHITE] > 0);
            wins += few.answer == VCF_WIN;
            while (rig.board.key != key)
                board_undo(&rig.board);
            vct_release(&small);
            vct_release(&large);
            vcf_release(&fours);
        }
        rig_close(&rig);
    }
    assert_true(wins >= 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_search_ends__won_boards_by_terminal_and_win_value),
        cmocka_unit_test(test_search_ends__both_rows_and_full_boards),
        cmocka_unit_test(test_search_ends__wins_before_entry),
        cmocka_unit_test(test_search_ends__nodes_without_candidates),
        cmocka_unit_test(test_search_ends__stopped_where_the_game_is_over),
        cmocka_unit_test(test_search_ends__ties_at_the_root),
        cmocka_unit_test(test_search_ends__variations_grow_from_behind),
        cmocka_unit_test(test_vct__a_tiny_table_tells_no_lies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
