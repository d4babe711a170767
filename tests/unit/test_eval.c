// SPDX-License-Identifier: GPL-3.0-or-later
// What every evaluation model promises alike: images of a position and swapped colours are worth
// the same, every way to ask gives the same answer, any weights and sizes will do, and the
// arithmetic is what its knob says.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/board/notation.h"
#include "engine/eval/eval.h"
#include "tests/support/player_file.h"
#include "tests/support/random_board.h"

static Eval eval;
static Board board, original;

static const char *const MODELS[] = {"shape",
                                     "none",
                                     "stone_runs",
                                     "line_runs",
                                     "placement",
                                     "threat",
                                     "windows eval.windows=lit",
                                     "windows",
                                     "stone_runs eval.steps=2 eval.one=7"};

static Status try_model(const char *model, const char *settings, ErrorText *err) {
    char all[512];
    KnobSet knobs = knob_defaults();
    snprintf(all, sizeof all, "eval.model=%s %s", model, settings);
    player_set_all(&knobs, all);
    memset(&eval, 0, sizeof eval);
    return eval_init(&eval, &knobs, &board, err);
}

static void open_model(const char *model, const char *settings) {
    ErrorText err = {{0}};
    if (try_model(model, settings, &err))
        fail_msg("%s %s: %s", model, settings, err.text);
}

// Rows of stones, so that there is something to count.
static void random_rows(Rng *rng, int stones) {
    Colour colour = BLACK;
    for (int i = 0; i < stones && !board_is_full(&board); i++) {
        if (rng_below(rng, 3) == 0)
            colour = colour_other(colour);
        board_put(&board, random_free_cell(&board, rng, rng_below(rng, 5) != 0), colour,
                  (Colour)rng_below(rng, 2));
    }
}

static void test_eval__images_and_swapped_colours_are_worth_the_same(void **state) {
    (void)state;
    Rng rng = rng_init(91);
    for (size_t m = 0; m < ARRAY_LEN(MODELS); m++)
        for (int round = 0; round < 6; round++) {
            int side = round % 2 ? 15 : 5 + (int)rng_below(&rng, 10);
            fresh_board(&board, side, side, 5, (Rule)(round % RULE_NB), 2);
            random_rows(&rng, 4 + (int)rng_below(&rng, (uint64_t)(side * side / 2)));
            open_model(MODELS[m], "eval.defense=1.3");
            double value = eval_value(&eval, &board, BLACK);
            Move cell = random_free_cell(&board, &rng, true);
            double point = eval_point(&eval, &board, cell, WHITE);
            original = board;
            for (int image = 0; image < 16; image++) {
                int swap = image >> 3, symmetry = image & 7;
                board_clear(&board);
                for (int i = 0; i < original.stone_count; i++)
                    board_put(&board, symmetric_cell(&board, original.moves[i], symmetry),
                              (Colour)(original.cells[original.moves[i]] ^ swap),
                              (Colour)(original.side ^ swap));
                eval_reset(&eval, &board);
                if (eval_value(&eval, &board, (Colour)(BLACK ^ swap)) != value)
                    fail_msg("%s: image %d is worth another value", MODELS[m], image);
                Move moved = symmetric_cell(&board, cell, symmetry);
                assert_true(eval_point(&eval, &board, moved, (Colour)(WHITE ^ swap)) == point);
            }
            eval_release(&eval);
        }
}

// Alone, both colours, a list, and from the whole board.
static void assert_points_agree(void) {
    Move cells[BOARD_MAX_CELLS];
    double one[COLOUR_NB][BOARD_MAX_CELLS], listed[BOARD_MAX_CELLS];
    int count = 0;
    for (Move cell = 0; cell < board_cell_count(&board); cell++)
        if (board.cells[cell] == EMPTY)
            cells[count++] = cell;
    for (int colour = 0; colour < COLOUR_NB; colour++) {
        eval_points(&eval, &board, cells, count, (Colour)colour, listed);
        for (int i = 0; i < count; i++) {
            one[colour][i] = eval_point(&eval, &board, cells[i], (Colour)colour);
            assert_true(listed[i] == one[colour][i]);
            if (i % 13 == 0)
                assert_true(one[colour][i] ==
                            eval.model->slow_point(&eval, &board, cells[i], (Colour)colour));
        }
    }
    eval_points(&eval, &board, cells, count, COLOUR_NB, listed);
    for (int i = 0; i < count; i++) {
        assert_true(listed[i] == one[BLACK][i] + one[WHITE][i]);
        assert_true(eval_point_both(&eval, &board, cells[i]) == listed[i]);
    }
}

// Points are asked now and then only: whatever has happened since, they are those of the board.
static void test_eval__points_follow_from_far(void **state) {
    (void)state;
    Rng rng = rng_init(92);
    for (size_t m = 0; m < ARRAY_LEN(MODELS); m++)
        for (int round = 0; round < 3; round++) {
            fresh_board(&board, 7 + round * 4, 9, 5, (Rule)(round % RULE_NB), 2);
            open_model(MODELS[m], "");
            for (int leap = 0; leap < 10; leap++) {
                int back = (int)rng_below(&rng, 12), on = (int)rng_below(&rng, 14);
                for (int i = 0; i < back && board.stone_count > 0; i++)
                    eval_undo(&eval, &board);
                for (int i = 0; i < on && !board_is_full(&board); i++) {
                    board_set_side(&board, (Colour)rng_below(&rng, 2));
                    eval_place(&eval, &board, random_free_cell(&board, &rng, i % 3 != 0));
                }
                if (!board_is_full(&board))
                    assert_points_agree();
            }
            eval_release(&eval);
        }
}

// A leaf's value without placing its stone is the value with it.
static void test_eval__value_after_is_value_then(void **state) {
    (void)state;
    Rng rng = rng_init(93);
    int asked = 0;
    for (size_t m = 0; m < ARRAY_LEN(MODELS); m++)
        for (int round = 0; round < 12; round++) {
            fresh_board(&board, 6 + round, 8, 5, (Rule)(round % RULE_NB), 2);
            random_rows(&rng, 2 + (int)rng_below(&rng, 30));
            open_model(MODELS[m], round % 2 ? "eval.defense=0.7" : "eval.arithmetic=tenths");
            for (Move cell = 0; cell < board_cell_count(&board) && eval.model->value_after;
                 cell++) {
                if (board.cells[cell] != EMPTY)
                    continue;
                double after[COLOUR_NB];
                for (int own = 0; own < COLOUR_NB; own++)
                    after[own] = eval.model->value_after(&eval, &board, cell, (Colour)own);
                eval_place(&eval, &board, cell);
                assert_true(eval_value(&eval, &board, BLACK) == after[BLACK]);
                assert_true(eval_value(&eval, &board, WHITE) == after[WHITE]);
                eval_undo(&eval, &board);
                asked++;
            }
            eval_release(&eval);
        }
    assert_true(asked > 1000);
}

static void test_eval__from_scratch_is_the_same(void **state) {
    (void)state;
    Rng rng = rng_init(94);
    for (size_t m = 0; m < ARRAY_LEN(MODELS); m++) {
        fresh_board(&board, 8, 8, 5, RULE_STANDARD, 2);
        random_rows(&rng, 24);
        open_model(MODELS[m], "");
        double value = eval_value(&eval, &board, WHITE);
        Move cell = random_free_cell(&board, &rng, true);
        double point = eval_point(&eval, &board, cell, BLACK);
        eval_release(&eval);
        open_model(MODELS[m], "search.incremental=no");
        assert_true(eval_value(&eval, &board, WHITE) == value);
        assert_true(eval_point(&eval, &board, cell, BLACK) == point);
        eval_place(&eval, &board, cell);
        eval_undo(&eval, &board);
        assert_true(eval_value(&eval, &board, WHITE) == value);
        assert_points_agree();
        eval_release(&eval);
    }
}

// The ends of the range of every weight, of one sign and of both.
static void test_eval__any_weights_will_do(void **state) {
    (void)state;
    static const char *const WEIGHTS[] = {"five",  "open_four", "four", "open_three",
                                          "three", "open_two",  "two",  "one"};
    static const char *const COUNTING[] = {"shape", "stone_runs", "line_runs", "placement"};
    Rng rng = rng_init(95);
    for (size_t m = 0; m < ARRAY_LEN(COUNTING); m++)
        for (int round = 0; round < 8; round++) {
            char settings[512] = "eval.defense=10";
            for (size_t w = 0; w < ARRAY_LEN(WEIGHTS); w++) {
                size_t used = strlen(settings);
                bool is_low = round < 2 ? round == 1 : rng_below(&rng, 2) == 1;
                snprintf(settings + used, sizeof settings - used, " eval.%s=%s1000000", WEIGHTS[w],
                         is_low ? "-" : "");
            }
            fresh_board(&board, 22, 6, 5, (Rule)(round % RULE_NB), 2);
            open_model(COUNTING[m], settings);
            for (int i = 0; i < 100; i++) {
                board_set_side(&board, (Colour)(i / 4 & 1));
                eval_place(&eval, &board, random_free_cell(&board, &rng, true));
                if (i % 9 == 0) {
                    assert_true(eval_value(&eval, &board, BLACK) ==
                                eval.model->slow_value(&eval, &board, BLACK));
                    assert_points_agree();
                }
            }
            eval_release(&eval);
        }
}

// Sides from the least to the largest of each model; one less or more is refused by name.
static void test_eval__sizes(void **state) {
    (void)state;
    Rng rng = rng_init(96);
    for (size_t m = 0; m < ARRAY_LEN(MODELS); m++)
        for (int side = BOARD_MIN_SIDE; side <= BOARD_MAX_SIDE; side++) {
            ErrorText err = {{0}};
            int other = BOARD_MAX_SIDE + BOARD_MIN_SIDE - side;
            fresh_board(&board, side, other, 5, RULE_FREESTYLE, 2);
            random_rows(&rng, 12);
            Status status = try_model(MODELS[m], "", &err);
            int small = side < other ? side : other;
            bool fits = strcmp(MODELS[m], "threat") != 0 || small >= 5;
            assert_int_equal(status, fits ? STATUS_OK : STATUS_UNSUPPORTED);
            if (fits) {
                assert_true(eval_value(&eval, &board, BLACK) ==
                            eval.model->slow_value(&eval, &board, BLACK));
                if (!board_is_full(&board))
                    assert_points_agree();
            } else {
                char expected[128];
                snprintf(expected, sizeof expected,
                         "eval.model threat plays on sides 5..22, not on %dx%d", side, other);
                assert_string_equal(err.text, expected);
            }
            eval_release(&eval);
        }
}

static void test_eval__other_lengths_of_rows(void **state) {
    (void)state;
    for (size_t m = 0; m < ARRAY_LEN(MODELS); m++)
        for (int k = BOARD_MIN_K; k <= BOARD_MAX_K; k++) {
            ErrorText err = {{0}};
            char name[32], expected[128];
            snprintf(name, sizeof name, "%.*s", (int)strcspn(MODELS[m], " "), MODELS[m]);
            fresh_board(&board, 9, 9, k, RULE_FREESTYLE, 2);
            Status status = try_model(MODELS[m], "", &err);
            bool knows = k == 5 || strcmp(name, "none") == 0;
            assert_int_equal(status, knows ? STATUS_OK : STATUS_UNSUPPORTED);
            snprintf(expected, sizeof expected, "eval.model %s knows five in a row only, not %d",
                     name, k);
            if (!knows)
                assert_string_equal(err.text, expected);
            eval_release(&eval);
        }
}

// own - defense * enemy: rounded to a whole number (halves to even), in doubles, in exact tenths.
static void test_eval__arithmetic(void **state) {
    (void)state;
    static const struct {
        const char *settings;
        int64_t own, enemy;
        double value;
    } CASES[] = {
        {"eval.defense=1.5", 10, 3, 6}, // 4.5 becomes 4
        {"eval.defense=1.5", 10, 5, 2}, // 7.5 becomes 8
        {"eval.defense=1.2", 10, 3, 6}, // 3.6 becomes 4
        {"eval.defense=0", 10, 1000, 10},
        {"eval.defense=10", 0, 7, -70},
        {"eval.arithmetic=double eval.defense=1.5", 10, 3, 5.5},
        {"eval.arithmetic=double eval.defense=1.1", 0, 50, -55.00000000000001},
        {"eval.arithmetic=tenths eval.defense=1.5", 10, 3, 55},
        {"eval.arithmetic=tenths eval.defense=1.1", 0, 50, -550},
        {"eval.arithmetic=tenths eval.defense=0.04", 1, 50, 10}, // less than half a tenth is none
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        fresh_board(&board, 9, 9, 5, RULE_FREESTYLE, 2);
        open_model("shape", CASES[i].settings);
        assert_true(eval_combine(&eval, CASES[i].own, CASES[i].enemy) == CASES[i].value);
        eval_release(&eval);
    }
}

static void test_eval__models_by_name(void **state) {
    (void)state;
    const KnobInfo *info = knob_info(KNOB_EVAL_MODEL);
    const char *start;
    size_t length;
    for (int i = 0; (length = text_choice_at(info->choices, i, &start)) > 0; i++) {
        char name[32];
        snprintf(name, sizeof name, "%.*s", (int)length, start);
        const EvalModel *model = eval_model_find(start, length);
        assert_non_null(model);
        assert_string_equal(model->name, name);
        assert_true(model->min_side <= model->max_side && strlen(model->meaning) > 0);
    }
    assert_null(eval_model_find("shapes", 6));
    assert_null(eval_model_find("", 0));
    Eval none = {.model = NULL};
    eval_release(&none); // nothing was opened
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eval__images_and_swapped_colours_are_worth_the_same),
        cmocka_unit_test(test_eval__points_follow_from_far),
        cmocka_unit_test(test_eval__value_after_is_value_then),
        cmocka_unit_test(test_eval__from_scratch_is_the_same),
        cmocka_unit_test(test_eval__any_weights_will_do),
        cmocka_unit_test(test_eval__sizes),
        cmocka_unit_test(test_eval__other_lengths_of_rows),
        cmocka_unit_test(test_eval__arithmetic),
        cmocka_unit_test(test_eval__models_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
