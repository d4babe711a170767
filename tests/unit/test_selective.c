// SPDX-License-Identifier: GPL-3.0-or-later
// What a search may leave out: wins that it claims from the board are proved, margins and
// reductions do what their knobs say, and no depth leads out of a table.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/engine.h"
#include "engine/proof.h"
#include "engine/search/selective.h"
#include "engine/search/vcf.h"
#include "tests/support/search_rig.h"

static SearchRig rig;

#define THREATS "search.algorithm=pvs eval.model=threat "

// Positions as they come from play near each other: many threats, few fives.
static bool random_fight(Rng *rng, Rule rule, const char *settings) {
    fresh_board(&rig.board, 11, 11, 5, rule, 1);
    int stones = 8 + (int)rng_below(rng, 40);
    for (int i = 0; i < stones; i++) {
        Move cell = random_free_cell(&rig.board, rng, true);
        if (!board_wins_at(&rig.board, cell, rig.board.side))
            board_place(&rig.board, cell);
    }
    rig_open_here(&rig, settings);
    return rig.board.wins[BLACK] + rig.board.wins[WHITE] == 0;
}

static int fives_of(Colour colour) {
    int count = 0;
    for (Move cell = 0; cell < board_cell_count(&rig.board); cell++)
        count += board_is_free(&rig.board, cell) && board_slow_wins_at(&rig.board, cell, colour);
    return count;
}

static void test_selective__what_the_board_decides_is_proved(void **state) {
    (void)state;
    static ThreatsProof proof;
    ErrorText err = {{0}};
    Rng rng = rng_init(51);
    int claims[7] = {0};
    for (int round = 0; round < 1000; round++) {
        double value = 77;
        if (random_fight(&rng, (Rule)(round % RULE_NB), THREATS "search.threats=yes")) {
            bool decided = selective_decided(&rig.search, 4, &value);
            int own = fives_of(rig.board.side), against = fives_of(colour_other(rig.board.side));
            int plies = value_is_win(fabs(value)) ? (int)(VALUE_WIN - fabs(value)) - 4 : 0;
            if (own)
                assert_true(decided && value == VALUE_WIN - 5);
            else if (against > 1)
                assert_true(decided && value == -(VALUE_WIN - 6));
            else if (decided) {
                assert_true(value > 0 && against == 0 && (plies == 3 || plies == 5));
                assert_int_equal(proof_vct(&rig.board, 20000, &proof, &err), STATUS_OK);
                assert_int_equal(proof.answer, PROOF_WIN);
                assert_true(proof.line_length <= plies);
            } else {
                assert_true(value == 77); // untouched
            }
            claims[decided ? plies : 0]++;
        }
        rig_close(&rig);
    }
    assert_true(claims[0] > 30 && claims[1] > 30 && claims[2] > 3 && claims[3] > 5 &&
                claims[5] > 3);
}

static void test_selective__nothing_is_decided_without_the_knob(void **state) {
    (void)state;
    double value = 0;
    rig_open(&rig, 15, RULE_FREESTYLE, "h8 a1 i8 a3 j8 a5 k8 a7", THREATS "search.lmr=yes");
    assert_false(selective_decided(&rig.search, 0, &value));
    assert_false(selective_leaf_wins(&rig.search, 0, &value));
    assert_int_equal(selective_extension(&rig.search), 0);
    rig_close(&rig);
}

static void test_selective__leaves_claim_no_win_that_fours_do_not_make(void **state) {
    (void)state;
    static const char *const SETTINGS[] = {THREATS "search.vcf=leaves",
                                           THREATS "search.vcf=leaves search.vcf_fours=1",
                                           THREATS "search.vcf=leaves search.vcf_fours=60"};
    static VcfSolver solver;
    ErrorText err = {{0}};
    Rng rng = rng_init(52);
    int wins = 0, missed = 0;
    for (int round = 0; round < 400; round++) {
        if (random_fight(&rng, (Rule)(round % RULE_NB), SETTINGS[round % 3])) {
            double value = 0, again = 0;
            uint64_t key = rig.board.key;
            VcfResult truth;
            assert_int_equal(vcf_init(&solver, &rig.board, rig.eval.threats, 12, &err), STATUS_OK);
            vcf_solve(&solver, VCF_MAX_FOURS, 0, &truth);
            bool claimed = selective_leaf_wins(&rig.search, 3, &value);
            assert_int_equal(rig.board.key, key);
            assert_true(threat_map_slow_agrees(rig.eval.threats, &rig.board));
            if (claimed) {
                int plies = (int)(VALUE_WIN - value) - 3;
                assert_true(truth.answer == VCF_WIN || truth.answer == VCF_FIVE_NOW);
                assert_true(plies >= truth.line_length && plies % 2 == 1);
                wins++;
            }
            missed += !claimed && truth.answer == VCF_WIN; // few nodes: allowed, but not the rule
            // What is remembered of lines in vain changes no answer.
            assert_int_equal(selective_leaf_wins(&rig.search, 3, &again), claimed);
            assert_true(!claimed || again == value);
            vcf_release(&solver);
        }
        rig_close(&rig);
    }
    assert_true(wins > 60 && missed < wins / 4);
}

// A line that has fewer fours than another is the one that counts.
static void test_selective__the_limit_of_fours_is_kept(void **state) {
    (void)state;
    static const char TWO[] = "d4 d3 e4 o1 f4 o3 g8 o5 g9 o7 g10 g11"; // g4, then g7
    double value = 0;
    rig_open(&rig, 15, RULE_FREESTYLE, TWO, THREATS "search.vcf=leaves search.vcf_fours=2");
    bool wins = selective_leaf_wins(&rig.search, 0, &value);
    assert_true(wins);
    int plies = (int)(VALUE_WIN - value);
    rig_close(&rig);
    if (plies > 3) {
        rig_open(&rig, 15, RULE_FREESTYLE, TWO, THREATS "search.vcf=leaves search.vcf_fours=1");
        assert_false(selective_leaf_wins(&rig.search, 0, &value));
        rig_close(&rig);
    }
}

static void test_selective__extends_when_a_five_threatens(void **state) {
    (void)state;
    static const struct {
        const char *moves;
        int plies;
    } CASES[] = {
        {"h8 g8 i8 a3 j8 a5 k8", 1},    // white must stop l8
        {"h8 g8 i8 a3 j8 a5 k8 a7", 0}, // black's own five is no threat to black
        {"h8 a1 i8 a3 j8", 0},          // an open three is not yet one
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        rig_open(&rig, 15, RULE_FREESTYLE, CASES[i].moves, THREATS "search.extend=yes");
        assert_int_equal(selective_extension(&rig.search), CASES[i].plies);
        rig_close(&rig);
    }
}

static bool stands(int depth, double now, double alpha, double beta, bool is_improving,
                   double *value) {
    SearchNode node = {depth, 6, alpha, beta, MOVE_NONE, is_improving};
    rig.search.now[6] = now;
    return selective_stands(&rig.search, &node, value);
}

static void test_selective__futility_and_razoring_by_their_margins(void **state) {
    (void)state;
    static const char CALM[] = "h8 i9 c3 d12";
    double value = 0;
    rig_open(&rig, 15, RULE_FREESTYLE, CALM, THREATS "search.futility=10");
    assert_true(stands(3, 130, 0, 100, false, &value) && value == 130); // 30 above beta
    assert_false(stands(3, 129, 0, 100, false, &value));
    assert_true(stands(3, 120, 0, 100, true, &value)); // improving: a ply less
    assert_false(stands(3, 119, 0, 100, true, &value));
    assert_true(stands(8, 1000, 0, 100, true, &value));
    assert_false(stands(9, 1000, 0, 100, true, &value));           // too deep
    assert_false(stands(3, 1e9, 0, VALUE_WIN - 20, true, &value)); // a win is asked for
    assert_false(stands(3, 1000, -VALUE_WIN, -(VALUE_WIN - 9), true, &value));
    rig.search.excluded[6] = 7;
    assert_false(stands(3, 1000, 0, 100, true, &value));
    rig_close(&rig);

    rig_open(&rig, 15, RULE_FREESTYLE, CALM, THREATS "search.razor=10");
    assert_true(stands(2, -21, 0, 1, true, &value) && value == -21);
    assert_false(stands(2, -20, 0, 1, true, &value));
    assert_true(stands(3, -1000, 0, 1, true, &value));
    assert_false(stands(4, -1000, 0, 1, true, &value));          // too deep
    assert_false(stands(1, -1000, -VALUE_WIN, 1, true, &value)); // any move would do
    rig_close(&rig);

    rig_open(&rig, 15, RULE_FREESTYLE, "h8 a1 i8 a3 j8",
             THREATS "search.futility=10 search.razor=10");
    assert_false(stands(1, 1000, 0, 100, true, &value)); // an open four threatens
    assert_false(stands(1, -1000, 0, 100, true, &value));
    rig_close(&rig);
}

static void test_selective__reductions_leave_a_ply_and_grow(void **state) {
    (void)state;
    rig_open(&rig, 15, RULE_FREESTYLE, "h8 i9 c3 d12", THREATS "search.lmr=yes");
    Move quiet = rig_cell(&rig, "a1");
    assert_true(selective_is_quiet(&rig.search, quiet));
    for (int depth = 1; depth < SEARCH_MAX_PLY; depth++)
        for (int index = 0; index < 300; index += index < 70 ? 1 : 30) {
            SearchNode node = {depth, 2, 0, 1, MOVE_NONE, true};
            int plies = selective_reduction(&rig.search, &node, quiet, index);
            assert_true(plies >= 0 && plies < (depth > 1 ? depth : 2));
            if (depth <= 2 || index < 2)
                assert_int_equal(plies, 0);
            if (index > 2)
                assert_true(plies >= selective_reduction(&rig.search, &node, quiet, index - 1));
            node.is_improving = false;
            int worse = selective_reduction(&rig.search, &node, quiet, index);
            assert_true(worse >= plies && worse <= plies + 1);
            rig.search.killer[2][1] = quiet;
            int killer = selective_reduction(&rig.search, &node, quiet, index);
            assert_true(killer <= worse);
            rig.search.killer[2][1] = MOVE_NONE;
        }
    rig_close(&rig);
}

static void test_selective__late_moves_are_left_out_when_quiet(void **state) {
    (void)state;
    rig_open(&rig, 15, RULE_FREESTYLE, "h8 i9 c3 d12", THREATS "search.late_moves=4");
    SearchNode node = {1, 2, 0, 1, MOVE_NONE, true};
    Move quiet = rig_cell(&rig, "a1");
    assert_false(selective_skips(&rig.search, &node, quiet, 4, 0)); // 4, and one for a ply of depth
    assert_true(selective_skips(&rig.search, &node, quiet, 5, 0));
    assert_false(selective_skips(&rig.search, &node, quiet, 5, -(VALUE_WIN - 9))); // while it loses
    assert_false(selective_skips(&rig.search, &node, quiet, 5, -INFINITY));
    node.is_improving = false;
    assert_true(selective_skips(&rig.search, &node, quiet, 3, 0)); // half of them
    assert_false(selective_skips(&rig.search, &node, quiet, 2, 0));
    node = (SearchNode){6, 2, 0, 1, MOVE_NONE, true};
    assert_false(selective_skips(&rig.search, &node, quiet, 15, 0)); // 6^1.4 = 12.3
    assert_true(selective_skips(&rig.search, &node, quiet, 16, 0));
    rig_close(&rig);
    rig_open(&rig, 15, RULE_FREESTYLE, "h8 a1 i8 a3 j8", THREATS "search.late_moves=1");
    assert_false(selective_skips(&rig.search, &node, rig_cell(&rig, "k8"), 200, 0)); // not quiet
    rig_close(&rig);
    rig_open(&rig, 15, RULE_FREESTYLE, "h8 i9 c3 d12", THREATS "search.lmr=yes");
    assert_false(selective_skips(&rig.search, &node, quiet, 200, 0)); // no knob
    rig_close(&rig);
}

static void test_selective__singular_margins_grow_with_depth(void **state) {
    (void)state;
    for (int depth = 1; depth < 64; depth++) {
        assert_true(selective_singular_margin(depth) > 0);
        assert_true(selective_singular_margin(depth + 1) > selective_singular_margin(depth));
    }
}

// Extensions of both kinds on forced lines make nodes deeper than the iteration: every table by
// depth must bear it.
static void test_selective__depth_beyond_the_deepest_iteration(void **state) {
    (void)state;
    for (int depth = SEARCH_MAX_PLY - 2; depth <= 2 * SEARCH_MAX_PLY; depth++) {
        rig_open(&rig, 15, RULE_FREESTYLE, "h8 i9 c3 d12",
                 THREATS "search.lmr=yes search.late_moves=4");
        SearchNode node = {depth, 60, 0, 1, MOVE_NONE, true};
        Move quiet = rig_cell(&rig, "a1");
        int most = selective_reduction(&rig.search, &node, quiet, 63);
        assert_in_range(most, 5, 20);
        assert_false(selective_skips(&rig.search, &node, quiet, 30, 0));
        assert_true(selective_skips(&rig.search, &node, quiet, 483, 0));
        rig_close(&rig);
    }
}

// A game that stays drawn to the deepest iteration, with forced lines on the way.
static void test_selective__the_deepest_iteration_of_all(void **state) {
    (void)state;
    static Board position;
    ErrorText err = {{0}};
    KnobSet knobs = knob_defaults();
    rig_set(&knobs, THREATS "search.depth=64 search.deepening=yes search.tt_mb=1 search.singular=1 "
                            "search.extend=yes search.lmr=yes search.late_moves=1 search.iid=1 "
                            "search.tt_deeper=yes moves.forced=yes search.nodes=60000");
    static const char *const ROWS[] = {
        "OOOX.OX/XXO.XXO/OXXOO.X/.OXXXOO/XXO.OXX/OO.XXO./XOXOOXO",
        "XXXX.OO/OOXOXXO/XXOO.OX/OOXXOXO/XO.XXOX/OXOO.XO/XXOXOO.",
        "XX.OX/OO.XO/XXOOX/O.XXO/XOO.X",
    };
    for (size_t i = 0; i < ARRAY_LEN(ROWS); i++) {
        int side = (int)strcspn(ROWS[i], "/");
        Engine *engine = NULL;
        EngineSetup setup = {&knobs, side, side, 5, RULE_FREESTYLE, clock_monotonic()};
        assert_int_equal(engine_new(&setup, &engine, &err), STATUS_OK);
        fresh_board(&position, side, side, 5, RULE_FREESTYLE, 2);
        assert_int_equal(notation_set_board(&position, ROWS[i], BLACK, &err), STATUS_OK);
        assert_int_equal(engine_set_position(engine, &position, &err), STATUS_OK);
        ThinkReport report;
        engine_think(engine, &(ThinkLimits){0}, &report);
        assert_true(board_is_free(&position, report.move));
        assert_true(report.cost.depth <= 64);
        engine_free(engine);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_selective__what_the_board_decides_is_proved),
        cmocka_unit_test(test_selective__nothing_is_decided_without_the_knob),
        cmocka_unit_test(test_selective__leaves_claim_no_win_that_fours_do_not_make),
        cmocka_unit_test(test_selective__the_limit_of_fours_is_kept),
        cmocka_unit_test(test_selective__extends_when_a_five_threatens),
        cmocka_unit_test(test_selective__futility_and_razoring_by_their_margins),
        cmocka_unit_test(test_selective__reductions_leave_a_ply_and_grow),
        cmocka_unit_test(test_selective__late_moves_are_left_out_when_quiet),
        cmocka_unit_test(test_selective__singular_margins_grow_with_depth),
        cmocka_unit_test(test_selective__depth_beyond_the_deepest_iteration),
        cmocka_unit_test(test_selective__the_deepest_iteration_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
