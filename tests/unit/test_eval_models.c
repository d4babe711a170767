// SPDX-License-Identifier: GPL-3.0-or-later
// Every evaluation model in the table: incremental equals from scratch after any sequence, undo
// restores, symmetric boards have equal values; `shape` is antisymmetric at defense 1 and weighs
// each shape once.
// sanitizers: asan
#include "engine/board/notation.h"
#include "engine/eval/eval.h"
#include "tests/support/random_board.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static Eval eval;
static Board board;

static void open_model(const char *model, const char *defense, int width, int height, Rule rule) {
    KnobSet knobs = knob_defaults();
    ErrorText err = {{0}};
    assert_int_equal(knob_set_text(&knobs, "eval.model", model, &err), STATUS_OK);
    assert_int_equal(knob_set_text(&knobs, "eval.defense", defense, &err), STATUS_OK);
    fresh_board(&board, width, height, 5, rule, 2);
    assert_int_equal(eval_init(&eval, &knobs, &board, &err), STATUS_OK);
}

static void assert_agrees(Rng *rng) {
    for (int colour = 0; colour < COLOUR_NB; colour++) {
        double fast = eval_value(&eval, &board, (Colour)colour);
        assert_true(fast == eval.model->slow_value(&eval, &board, (Colour)colour));
        for (int probe = 0; probe < 6 && !board_is_full(&board); probe++) {
            Move cell = random_free_cell(&board, rng, probe & 1);
            assert_true(eval_point(&eval, &board, cell, (Colour)colour) ==
                        eval.model->slow_point(&eval, &board, cell, (Colour)colour));
        }
    }
}

static void test_eval__incremental_equals_from_scratch(void **state) {
    (void)state;
    static const char *const MODELS[] = {"shape", "none", "threat"};
    Rng rng = rng_init(4);
    for (int round = 0; round < 40; round++) {
        int width = round % 3 ? 15 : 5 + (int)rng_below(&rng, 12),
            height = round % 3 ? 15 : 5 + (int)rng_below(&rng, 12);
        open_model(MODELS[round % 3], "1.3", width, height, (Rule)(round / 2 % RULE_NB));
        for (int step = 0; step < 80; step++) {
            bool back = board.stone_count > 0 && rng_below(&rng, 3) == 0;
            if (back)
                eval_undo(&eval, &board);
            else if (!board_is_full(&board))
                eval_place(&eval, &board, random_free_cell(&board, &rng, rng_below(&rng, 4) != 0));
            if (step % 4 == 0)
                assert_agrees(&rng);
        }
        double before = eval_value(&eval, &board, BLACK);
        eval_reset(&eval, &board);
        assert_true(eval_value(&eval, &board, BLACK) == before);
        eval_release(&eval);
    }
}

static void test_shape__antisymmetric_and_invariant_under_the_8_symmetries(void **state) {
    (void)state;
    Rng rng = rng_init(5);
    for (int round = 0; round < 60; round++) {
        static Board original;
        open_model("shape", "1", 15, 15, (Rule)(round % RULE_NB));
        random_stones(&board, &rng, 10 + (int)rng_below(&rng, 60));
        eval_reset(&eval, &board);
        double value = eval_value(&eval, &board, BLACK);
        assert_true(value == -eval_value(&eval, &board, WHITE));
        original = board;
        for (int symmetry = 0; symmetry < 8; symmetry++)
            for (int swap = 0; swap < 2; swap++) {
                board_clear(&board);
                for (int i = 0; i < original.stone_count; i++) {
                    Colour colour = (Colour)(original.cells[original.moves[i]] ^ swap);
                    board_put(&board, symmetric_cell(&board, original.moves[i], symmetry), colour,
                              BLACK);
                }
                eval_reset(&eval, &board);
                assert_true(eval_value(&eval, &board, BLACK) == (swap ? -value : value));
            }
        eval_release(&eval);
    }
}

static void test_shape__each_shape_has_its_weight_and_the_enemy_counts_by_defense(void **state) {
    (void)state;
    static const struct {
        const char *moves;
        double black, white; // values for either colour at defense 1.5
    } CASES[] = {
        {"h8 a1 i8 o15 j8", 1000, -1500},                 // open three, counted once
        {"h8 a1 i8 o15 k8", 1000, -1500},                 // broken open three
        {"h8 g8 i8 o15 j8", 100, -150},                   // closed three
        {"h8 a1 i8 o15 j8 o1 k8", 10000, -15000},         // open four
        {"h8 g8 i8 o15 j8 o1 k8", 1000, -1500},           // closed four
        {"h8 a1 i8 o15 j8 o1 l8", 1000, -1500},           // broken four
        {"h8 a1 i8", 100, -150},                          // open two
        {"h8 g8 i8", 10, -15},                            // two
        {"h8 a1 i8 o15 j8 o1 k8 a15 l8", 100000, -150000} // five
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        ErrorText err = {{0}};
        open_model("shape", "1.5", 15, 15, RULE_FREESTYLE);
        assert_int_equal(notation_play_moves(&board, ROWS_BOTTOM, CASES[i].moves, &err), STATUS_OK);
        eval_reset(&eval, &board);
        assert_true(eval_value(&eval, &board, BLACK) == CASES[i].black);
        assert_true(eval_value(&eval, &board, WHITE) == CASES[i].white);
        eval_release(&eval);
    }
}

static void test_eval__says_what_it_cannot_do(void **state) {
    (void)state;
    KnobSet knobs = knob_defaults();
    ErrorText err = {{0}};
    fresh_board(&board, 15, 15, 4, RULE_FREESTYLE, 2);
    assert_int_equal(eval_init(&eval, &knobs, &board, &err), STATUS_UNSUPPORTED);
    assert_string_equal(err.text, "eval.model shape knows five in a row only, not 4");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eval__incremental_equals_from_scratch),
        cmocka_unit_test(test_shape__antisymmetric_and_invariant_under_the_8_symmetries),
        cmocka_unit_test(test_shape__each_shape_has_its_weight_and_the_enemy_counts_by_defense),
        cmocka_unit_test(test_eval__says_what_it_cannot_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
