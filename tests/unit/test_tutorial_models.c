// SPDX-License-Identifier: GPL-3.0-or-later
// The models of the tutorial players: incremental equals from scratch after any sequence of placing
// and undoing, on every board size, rule, table, step limit and arithmetic; and the pitfalls that
// such evaluations are known for.
// sanitizers: asan
#include "engine/board/notation.h"
#include "engine/eval/eval.h"
#include "tests/support/player_file.h"
#include "tests/support/random_board.h"

static Eval eval;
static Board board;

static void open_eval(const KnobSet *knobs) {
    ErrorText err = {{0}};
    if (eval_init(&eval, knobs, &board, &err))
        fail_msg("%s", err.text);
}

static void assert_agrees(void) {
    for (int colour = 0; colour < COLOUR_NB; colour++) {
        double fast = eval_value(&eval, &board, (Colour)colour);
        double slow = eval.model->slow_value(&eval, &board, (Colour)colour);
        if (fast != slow)
            fail_msg("%s: value %.17g, from scratch %.17g", eval.model->name, fast, slow);
    }
    for (Move cell = 0; cell < board_cell_count(&board); cell += 3) {
        if (board.cells[cell] != EMPTY)
            continue;
        double points[COLOUR_NB];
        for (int colour = 0; colour < COLOUR_NB; colour++) {
            points[colour] = eval_point(&eval, &board, cell, (Colour)colour);
            assert_true(points[colour] ==
                        eval.model->slow_point(&eval, &board, cell, (Colour)colour));
        }
        assert_true(eval_point_both(&eval, &board, cell) == points[BLACK] + points[WHITE]);
    }
}

// Stones of one colour come in streaks, so that fives and overlines are common.
static void random_walk(Rng *rng, int steps) {
    Colour colour = BLACK;
    for (int step = 0; step < steps; step++) {
        if (board.stone_count > 0 && rng_below(rng, 3) == 0) {
            eval_undo(&eval, &board);
        } else if (!board_is_full(&board)) {
            if (rng_below(rng, 4) == 0)
                colour = colour_other(colour);
            board_set_side(&board, colour);
            eval_place(&eval, &board, random_free_cell(&board, rng, rng_below(rng, 4) != 0));
        }
        if (step % 3 == 0)
            assert_agrees();
    }
}

static void test_tutorial_models__incremental_equals_from_scratch(void **state) {
    (void)state;
    static const char *const MODELS[] = {"stone_runs", "line_runs", "windows", "placement"};
    static const char *const ARITHMETIC[] = {"whole", "double", "tenths"};
    static const char *const WINDOWS[] = {"lit", "full"};
    Rng rng = rng_init(11);
    for (int round = 0; round < 96; round++) {
        int width = 3 + (int)rng_below(&rng, 13),
            height = round % 8 ? 4 + (int)rng_below(&rng, 8) : 22;
        KnobSet knobs = tutorial_player(round % 3 ? "thesis.yaml" : "pygame.yaml");
        player_set(&knobs, "eval.model", MODELS[round % 4]);
        player_set(&knobs, "eval.arithmetic", ARITHMETIC[round / 4 % 3]);
        player_set(&knobs, "eval.windows", WINDOWS[round / 4 % 2]);
        knobs.number[KNOB_EVAL_STEPS] = (double)rng_below(&rng, 8);
        fresh_board(&board, width, height, 5, (Rule)(round / 12 % RULE_NB), 2);
        open_eval(&knobs);
        random_walk(&rng, 90);
        double before = eval_value(&eval, &board, WHITE);
        eval_reset(&eval, &board);
        assert_true(eval_value(&eval, &board, WHITE) == before);
        eval_release(&eval);
    }
}

static void test_tutorial_models__undo_leads_back_to_the_start(void **state) {
    (void)state;
    static const char *const PLAYERS[] = {"pygame.yaml", "windows-full.yaml", "study.yaml",
                                          "thesis.yaml"};
    Rng rng = rng_init(12);
    for (int p = 0; p < 4; p++) {
        KnobSet knobs = tutorial_player(PLAYERS[p]);
        fresh_board(&board, 15, 15, 5, RULE_FREESTYLE, 2);
        open_eval(&knobs);
        double start = eval_value(&eval, &board, BLACK);
        for (int i = 0; i < 120; i++)
            eval_place(&eval, &board, random_free_cell(&board, &rng, true));
        while (board.stone_count)
            eval_undo(&eval, &board);
        assert_true(eval_value(&eval, &board, BLACK) == start);
        eval_release(&eval);
    }
}

static double value_of(const char *player, const char *settings, const char *moves, Colour own) {
    ErrorText err = {{0}};
    KnobSet knobs = tutorial_player(player);
    player_set_all(&knobs, settings);
    fresh_board(&board, 15, 15, 5, knob_int(&knobs, KNOB_SEARCH_RULE) == SEARCH_RULE_STANDARD, 2);
    assert_int_equal(notation_play_moves(&board, ROWS_BOTTOM, moves, &err), STATUS_OK);
    open_eval(&knobs);
    double value = eval_value(&eval, &board, own);
    eval_release(&eval);
    return value;
}

// The model that counts by stone counts a shape once for each of its stones, and cross directions
// too.
static void test_tutorial_models__worth_of_the_plain_shapes(void **state) {
    (void)state;
    static const char FAR[] = "search.rule=freestyle eval.defense=0";
    assert_true(value_of("pygame.yaml", FAR, "h8", BLACK) == 4);
    assert_true(value_of("pygame.yaml", FAR, "h8 a1 i8", BLACK) == 206);
    assert_true(value_of("pygame.yaml", FAR, "h8 a1 i8 c1 j8", BLACK) == 3009);
    assert_true(value_of("pygame.yaml", FAR, "h8 g8 i8 c1 j8", BLACK) == 309);
    assert_true(value_of("pygame.yaml", FAR, "h8 a1 i8 c1 k8", BLACK) ==
                210); // a split three is a two and a stone
    assert_true(value_of("pygame.yaml", FAR, "h8 a1 i8 c1 j8 e1 k8", BLACK) == 400012);
    assert_true(value_of("pygame.yaml", FAR, "h8 a1 i8 c1 j8 e1 k8 a3 l8", BLACK) == 5000015);
    assert_true(value_of("study.yaml", FAR, "h8 a1 i8 c1 j8", BLACK) == 8000);   // by line: once
    assert_true(value_of("thesis.yaml", FAR, "h8 a1 i8 c1 j8", BLACK) == 60000); // in tenths
}

// Under "exactly five" six in a row are worth nothing; under "five or more" they are.
static void test_tutorial_models__overline(void **state) {
    (void)state;
    static const char SIX[] = "c8 a1 d8 c1 e8 e1 f8 a3 h8 c3 g8";
    assert_true(value_of("thesis.yaml", "eval.defense=0", SIX, BLACK) == 0);
    assert_true(value_of("thesis.yaml", "eval.defense=0 search.rule=freestyle", SIX, BLACK) ==
                6000000);
    assert_true(value_of("study.yaml", "eval.defense=0", SIX, BLACK) == 1000000);
}

// Without the opponent's part an evaluation sees no danger at all.
static void test_tutorial_models__the_enemy_counts(void **state) {
    (void)state;
    static const char OPEN_THREE[] = "h8 a1 i8 c1 j8";
    assert_true(value_of("thesis.yaml", "", OPEN_THREE, WHITE) == -72000);
    assert_true(value_of("thesis.yaml", "eval.defense=0", OPEN_THREE, WHITE) == 0);
    assert_true(value_of("windows-full.yaml", "", "h8 a1 i8 c1 j8 e1 k8", WHITE) <
                -9000); // two cells make five
}

// A split four is two pieces to a model of runs, and five in one all the same to one of windows.
static void test_tutorial_models__gaps(void **state) {
    (void)state;
    static const char SPLIT[] = "h8 a1 i8 c1 k8 e1 l8";
    assert_true(value_of("pygame.yaml", "eval.defense=0", SPLIT, BLACK) < 500);
    double with = value_of("windows-full.yaml", "", SPLIT, WHITE);
    double without = value_of("windows-full.yaml", "eval.kill_penalty=0", SPLIT, WHITE);
    assert_true(without - with == 5000);
}

static void test_tutorial_models__double_arithmetic_is_not_fused(void **state) {
    (void)state;
    // 50 * 1.1 is 55.00000000000001 in doubles: one rounding a step
    double value = value_of("study.yaml", "", "h8 a1 l5 a2 c3", BLACK);
    assert_true(value == (double)0 - (double)50 * 1.1);
    assert_true(value == -55.00000000000001);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tutorial_models__incremental_equals_from_scratch),
        cmocka_unit_test(test_tutorial_models__undo_leads_back_to_the_start),
        cmocka_unit_test(test_tutorial_models__worth_of_the_plain_shapes),
        cmocka_unit_test(test_tutorial_models__overline),
        cmocka_unit_test(test_tutorial_models__the_enemy_counts),
        cmocka_unit_test(test_tutorial_models__gaps),
        cmocka_unit_test(test_tutorial_models__double_arithmetic_is_not_fused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
