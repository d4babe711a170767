// SPDX-License-Identifier: GPL-3.0-or-later
// The board against its slow twins: after any sequence of placing and undoing, on every size, rule
// and k.
// sanitizers: asan
#include "engine/board/board_slow.h"
#include "engine/board/notation.h"
#include "tests/support/random_board.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_agrees(const Board *board) {
    Move fast[BOARD_MAX_CELLS], slow[BOARD_MAX_CELLS];
    assert_int_equal(board->key, board_slow_key(board));
    assert_int_equal(board->wins[BLACK], board_slow_wins(board, BLACK));
    assert_int_equal(board->wins[WHITE], board_slow_wins(board, WHITE));
    assert_true(board_slow_lines_agree(board));
    int count = board_candidates(board, fast);
    assert_int_equal(count, board_slow_candidates(board, slow));
    assert_memory_equal(fast, slow, (size_t)count * sizeof fast[0]);
}

// Everything but the undo stack beyond the stones in play, which is scratch.
static void assert_same_state(const Board *a, const Board *b) {
    assert_int_equal(a->key, b->key);
    assert_int_equal(a->side, b->side);
    assert_int_equal(a->stone_count, b->stone_count);
    assert_memory_equal(a->wins, b->wins, sizeof a->wins);
    assert_memory_equal(a->line, b->line, sizeof a->line);
    assert_memory_equal(a->near_rows, b->near_rows, sizeof a->near_rows);
    assert_memory_equal(a->cells, b->cells, sizeof a->cells);
    assert_memory_equal(a->moves, b->moves, a->stone_count * sizeof a->moves[0]);
}

static void test_board__incremental_state_equals_recomputed(void **state) {
    (void)state;
    Rng rng = rng_init(1);
    static Board board;
    for (int round = 0; round < 300; round++) {
        int width = 2 + (int)rng_below(&rng, 21), height = 2 + (int)rng_below(&rng, 21);
        fresh_board(&board, width, height, 2 + (int)rng_below(&rng, 5),
                    (Rule)rng_below(&rng, RULE_NB), (int)rng_below(&rng, 5));
        for (int step = 0; step < 60; step++) {
            bool back = board.stone_count > 0 && rng_below(&rng, 3) == 0;
            if (back)
                board_undo(&board);
            else if (!board_is_full(&board))
                board_place(&board, random_free_cell(&board, &rng, rng_below(&rng, 2) != 0));
            if (step % 7 == 0)
                assert_agrees(&board);
        }
        assert_agrees(&board);
    }
}

static void test_board__place_and_undo_are_inverses(void **state) {
    (void)state;
    Rng rng = rng_init(2);
    static Board board, before;
    for (int round = 0; round < 200; round++) {
        fresh_board(&board, 15, 15, 5, (Rule)(round & 1), round % 4);
        random_stones(&board, &rng, (int)rng_below(&rng, 100));
        before = board;
        int plies = 1 + (int)rng_below(&rng, 40);
        random_stones(&board, &rng, plies);
        while (board.stone_count > before.stone_count)
            board_undo(&board);
        assert_same_state(&board, &before);
    }
}

static void test_board__an_overline_ends_a_five_under_standard(void **state) {
    (void)state;
    static Board board;
    ErrorText err = {{0}};
    for (int rule = 0; rule < RULE_NB; rule++) {
        fresh_board(&board, 15, 15, 5, (Rule)rule, 2);
        assert_int_equal(notation_set_board(&board,
                                            "XXXXX.........."
                                            "OOOO..........."
                                            "..............."
                                            "..............."
                                            "..............."
                                            "..............."
                                            "..............."
                                            "..............."
                                            "..............."
                                            "..............."
                                            "..............."
                                            "..............."
                                            "..............."
                                            "..............."
                                            "...............",
                                            BLACK, &err),
                         STATUS_OK);
        assert_int_equal(board.wins[BLACK], 1);
        assert_true(board_wins_at(&board, 15 + 4, WHITE));
        board_place(&board, 5);
        assert_int_equal(board.wins[BLACK], rule == RULE_FREESTYLE ? 1 : 0);
        board_undo(&board);
        assert_int_equal(board.wins[BLACK], 1);
    }
}

static void test_board__refuses_impossible_sizes(void **state) {
    (void)state;
    static Board board;
    ErrorText err = {{0}};
    assert_int_equal(board_init(&board, 1, 15, 5, RULE_FREESTYLE, 2, &err), STATUS_INVALID);
    assert_int_equal(board_init(&board, 15, 23, 5, RULE_FREESTYLE, 2, &err), STATUS_INVALID);
    assert_int_equal(board_init(&board, 15, 15, 7, RULE_FREESTYLE, 2, &err), STATUS_INVALID);
    assert_int_equal(board_init(&board, 15, 15, 5, (Rule)9, 2, &err), STATUS_INVALID);
    assert_int_equal(board_init(&board, 15, 15, 5, RULE_FREESTYLE, 23, &err), STATUS_INVALID);
}

static void test_notation__squares_round_trip(void **state) {
    (void)state;
    static Board board;
    fresh_board(&board, 22, 20, 5, RULE_FREESTYLE, 2);
    for (Move cell = 0; cell < board_cell_count(&board); cell++) {
        Move back = MOVE_NONE;
        SquareText square = notation_square(&board, cell);
        assert_int_equal(notation_read_square(&board, ROWS_BOTTOM, square.text, &back),
                         strlen(square.text));
        assert_int_equal(back, cell);
    }
    fresh_board(&board, 15, 15, 5, RULE_FREESTYLE, 2);
    assert_string_equal(notation_square(&board, 0).text, "a15");
    assert_string_equal(notation_square(&board, board_centre(&board)).text, "h8");
    assert_string_equal(notation_square(&board, 210).text, "a1");
    Move top = MOVE_NONE;
    assert_int_equal(notation_read_square(&board, ROWS_TOP, "a1", &top), 2);
    assert_int_equal(top, 0);
}

static void test_notation__bad_moves_leave_the_board_alone(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } CASES[] = {
        {"h8 i9 z", "move 3: 'z' is no square, expected a letter and a number as in h8"},
        {"h8 h8", "move 2: h8 is occupied"},
        {"h8 p3", "move 2: p3 is outside the 15x15 board"},
        {"h16", "move 1: h16 is outside the 15x15 board"},
        {"h0", "move 1: h0 is outside the 15x15 board"},
    };
    static Board board;
    fresh_board(&board, 15, 15, 5, RULE_FREESTYLE, 2);
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        ErrorText err = {{0}};
        assert_int_equal(notation_play_moves(&board, ROWS_BOTTOM, CASES[i].text, &err),
                         STATUS_INVALID);
        assert_string_equal(err.text, CASES[i].message);
        assert_int_equal(board.stone_count, 0);
        assert_int_equal(board.key, 0);
    }
    ErrorText err = {{0}};
    assert_int_equal(notation_play_moves(&board, ROWS_BOTTOM, " h8i9, J10\n", &err), STATUS_OK);
    assert_int_equal(board.stone_count, 3);
}

static void test_notation__boards_round_trip(void **state) {
    (void)state;
    Rng rng = rng_init(3);
    static Board board, again;
    for (int round = 0; round < 50; round++) {
        int width = 5 + round % 10, height = 5 + round % 7;
        fresh_board(&board, width, height, 5, RULE_FREESTYLE, 2);
        fresh_board(&again, width, height, 5, RULE_FREESTYLE, 2);
        random_stones(&board, &rng, 20);
        Text text = {0};
        ErrorText err = {{0}};
        notation_write_board(&board, &text);
        assert_int_equal(notation_set_board(&again, text_cstr(&text), board.side, &err), STATUS_OK);
        assert_int_equal(again.key, board.key);
        assert_memory_equal(again.cells, board.cells, sizeof board.cells);
        text_release(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_board__incremental_state_equals_recomputed),
        cmocka_unit_test(test_board__place_and_undo_are_inverses),
        cmocka_unit_test(test_board__an_overline_ends_a_five_under_standard),
        cmocka_unit_test(test_board__refuses_impossible_sizes),
        cmocka_unit_test(test_notation__squares_round_trip),
        cmocka_unit_test(test_notation__bad_moves_leave_the_board_alone),
        cmocka_unit_test(test_notation__boards_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
