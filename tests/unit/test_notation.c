// SPDX-License-Identifier: GPL-3.0-or-later
// Squares, lists of moves, board texts and rules by name: every refusal, every size, both row
// orders; and what a board says of its last move.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/board/notation.h"
#include "tests/support/random_board.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static Board board, again;

static void test_notation__squares_of_every_size_in_both_row_orders(void **state) {
    (void)state;
    for (int side = BOARD_MIN_SIDE; side <= BOARD_MAX_SIDE; side++) {
        int height = BOARD_MAX_SIDE + BOARD_MIN_SIDE - side;
        fresh_board(&board, side, height, 5, RULE_FREESTYLE, 2);
        for (Move cell = 0; cell < board_cell_count(&board); cell++) {
            Move bottom = MOVE_NONE, top = MOVE_NONE;
            SquareText square = notation_square(&board, cell);
            int length = (int)strlen(square.text);
            assert_int_equal(notation_read_square(&board, ROWS_BOTTOM, square.text, &bottom),
                             length);
            assert_int_equal(bottom, cell);
            assert_int_equal(notation_read_square(&board, ROWS_TOP, square.text, &top), length);
            int mirrored = (height - 1 - cell / side) * side + cell % side;
            assert_int_equal(top, mirrored);
        }
    }
    assert_string_equal(notation_square(&board, MOVE_NONE).text, "-");
    assert_string_equal(notation_square(&board, (Move)board_cell_count(&board)).text, "-");
}

static void test_notation__what_is_no_square(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int used;
        Move move;
    } CASES[] = {
        {"h8", 2, 112},
        {"H8", 2, 112},
        {"h08", 3, 112},
        {"h8i9", 2, 112},
        {"o15x", 3, 14},
        {"", 0, -5},
        {"8h", 0, -5},
        {"h", 0, -5},
        {"hh", 0, -5},
        {"-", 0, -5},
        {" h8", 0, -5},
        {"h-8", 0, -5},
        {"h0", -1, -5},
        {"h16", -1, -5},
        {"p1", -1, -5},
        {"z1", -1, -5},
        {"{1", 0, -5},
        {"`1", 0, -5},
        {"h999999999999", -1, -5},
        {"\xc3\xa9", 0, -5},
    };
    fresh_board(&board, 15, 15, 5, RULE_FREESTYLE, 2);
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Move move = -5;
        int used = notation_read_square(&board, ROWS_BOTTOM, CASES[i].text, &move);
        if (used != CASES[i].used || move != CASES[i].move)
            fail_msg("'%s': %d bytes, cell %d", CASES[i].text, used, move);
    }
}

static void test_notation__lists_of_moves(void **state) {
    (void)state;
    static const char *const SAME[] = {"h8 i9 a1", "h8i9a1", "H8,I9;A1", " h8\n i9\t,, a1 ;"};
    for (size_t i = 0; i < ARRAY_LEN(SAME); i++) {
        Text text = {0};
        ErrorText err = {{0}};
        fresh_board(&board, 15, 15, 5, RULE_FREESTYLE, 2);
        assert_int_equal(notation_play_moves(&board, ROWS_BOTTOM, SAME[i], &err), STATUS_OK);
        notation_write_moves(&board, &text);
        assert_string_equal(text_cstr(&text), "h8 i9 a1");
        assert_int_equal(board.side, WHITE);
        text_release(&text);
    }
    static const char *const NONE[] = {"", "-", "  ", " ,;\n"};
    for (size_t i = 0; i < ARRAY_LEN(NONE); i++) {
        Text text = {0};
        ErrorText err = {{0}};
        fresh_board(&board, 15, 15, 5, RULE_FREESTYLE, 2);
        assert_int_equal(notation_play_moves(&board, ROWS_BOTTOM, NONE[i], &err), STATUS_OK);
        notation_write_moves(&board, &text);
        assert_string_equal(text_cstr(&text), "-");
        text_release(&text);
    }
}

// Moves that were there before stay, those of a bad list go.
static void test_notation__a_bad_list_takes_back_its_own_moves_only(void **state) {
    (void)state;
    ErrorText err = {{0}};
    fresh_board(&board, 15, 15, 5, RULE_FREESTYLE, 2);
    assert_int_equal(notation_play_moves(&board, ROWS_TOP, "h8 i9", &err), STATUS_OK);
    uint64_t key = board.key;
    assert_int_equal(notation_play_moves(&board, ROWS_TOP, "a1 b2 h8", &err), STATUS_INVALID);
    assert_string_equal(err.text, "move 3: h8 is occupied");
    assert_int_equal(board.key, key);
    assert_int_equal(board.stone_count, 2);
    assert_int_equal(notation_play_moves(&board, ROWS_TOP, "a1 -", &err), STATUS_INVALID);
    assert_string_equal(err.text,
                        "move 2: '-' is no square, expected a letter and a number as in h8");
    assert_int_equal(notation_play_moves(&board, ROWS_TOP, "averylongwordthatgoeson", &err),
                     STATUS_INVALID); // quoted in part
    assert_string_equal(err.text, "move 1: 'averylongwordtha' is no square, expected a letter and "
                                  "a number as in h8");
    assert_int_equal(board.stone_count, 2);
}

static void test_notation__bad_board_texts_leave_it_empty(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } CASES[] = {
        {"", "board text has 0 cells, expected 6 for 3x2"},
        {"XO.", "board text has 3 cells, expected 6 for 3x2"},
        {"XO./.", "board text has 4 cells, expected 6 for 3x2"},
        {"XO./..X.", "board text has 7 cells, expected 6 for 3x2"},
        {"XO/./..X", "board text: '/' at cell 3, expected X, O or . and rows of 3"},
        {"/XO....", "board text: '/' at cell 1, expected X, O or . and rows of 3"},
        {"XO.#..", "board text: '#' at cell 4, expected X, O or . and rows of 3"},
        {"XO. ...", "board text: ' ' at cell 4, expected X, O or . and rows of 3"},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        ErrorText err = {{0}};
        fresh_board(&board, 3, 2, 2, RULE_FREESTYLE, 1);
        board_place(&board, 4);
        assert_int_equal(notation_set_board(&board, CASES[i].text, WHITE, &err), STATUS_INVALID);
        assert_string_equal(err.text, CASES[i].message);
        assert_int_equal(board.stone_count, 0);
        assert_int_equal(board.side, BLACK);
        assert_int_equal(board.key, 0);
    }
}

static void test_notation__board_texts_name_every_cell(void **state) {
    (void)state;
    static const char *const SAME[] = {"XO./.xO", "xo..xo", "XO./.XO/"};
    for (size_t i = 0; i < ARRAY_LEN(SAME); i++) {
        ErrorText err = {{0}};
        Text text = {0};
        fresh_board(&board, 3, 2, 2, RULE_FREESTYLE, 1);
        assert_int_equal(notation_set_board(&board, SAME[i], WHITE, &err), STATUS_OK);
        notation_write_board(&board, &text);
        assert_string_equal(text_cstr(&text), "XO./.XO");
        assert_int_equal(board.side, WHITE);
        assert_int_equal(board.cells[0], BLACK);
        assert_int_equal(board.cells[5], WHITE);
        text_release(&text);
    }
}

// A set-up has no last move; a stone played after it is one, and so it is again after undoing.
static void test_board__last_move_after_a_set_up(void **state) {
    (void)state;
    ErrorText err = {{0}};
    fresh_board(&board, 5, 5, 5, RULE_FREESTYLE, 2);
    assert_int_equal(board_last_move(&board), MOVE_NONE);
    assert_int_equal(board_last_played(&board), MOVE_NONE);
    assert_int_equal(notation_set_board(&board, "XO.../...../...../...../....X", WHITE, &err),
                     STATUS_OK);
    assert_int_equal(board_last_played(&board), MOVE_NONE);
    assert_int_equal(board_last_move(&board), 24); // in board order
    board_place(&board, 12);
    assert_int_equal(board_last_played(&board), 12);
    board_undo(&board);
    assert_int_equal(board_last_played(&board), MOVE_NONE);
    board_undo(&board); // a stone of the set-up
    board_undo(&board);
    board_place(&board, 7);
    assert_int_equal(board_last_played(&board), 7);
    board_clear(&board);
    board_place(&board, 3);
    assert_int_equal(board_last_played(&board), 3);
}

static void test_board__passing_changes_the_key_and_back(void **state) {
    (void)state;
    Rng rng = rng_init(1);
    fresh_board(&board, 15, 15, 5, RULE_FREESTYLE, 2);
    random_stones(&board, &rng, 11);
    uint64_t key = board.key;
    board_set_side(&board, board.side); // no change
    assert_int_equal(board.key, key);
    board_set_side(&board, colour_other(board.side));
    assert_int_not_equal(board.key, key);
    board_set_side(&board, colour_other(board.side));
    assert_int_equal(board.key, key);
}

// Stones of either colour in any order: put and undo are inverses as place and undo are.
static void test_board__put_and_undo_are_inverses(void **state) {
    (void)state;
    Rng rng = rng_init(7);
    for (int round = 0; round < 60; round++) {
        fresh_board(&board, 2 + round % 21, 5, 2 + round % 5, (Rule)(round % RULE_NB), round % 6);
        random_stones(&board, &rng, 3);
        again = board;
        for (int i = 0; i < 12 && !board_is_full(&board); i++)
            board_put(&board, random_free_cell(&board, &rng, false), (Colour)rng_below(&rng, 2),
                      (Colour)rng_below(&rng, 2));
        while (board.stone_count > again.stone_count)
            board_undo(&board);
        assert_int_equal(board.key, again.key);
        assert_int_equal(board.side, again.side);
        assert_memory_equal(board.wins, again.wins, sizeof board.wins);
        assert_memory_equal(board.line, again.line, sizeof board.line);
        assert_memory_equal(board.near_rows, again.near_rows, sizeof board.near_rows);
    }
}

// Keys tell order apart from nothing: any order of the same stones is one position.
static void test_board__transpositions_have_one_key(void **state) {
    (void)state;
    static const Move ORDERS[][4] = {
        {1, 20, 3, 40}, {3, 20, 1, 40}, {1, 40, 3, 20}, {3, 40, 1, 20}};
    uint64_t key = 0;
    for (size_t i = 0; i < ARRAY_LEN(ORDERS); i++) {
        fresh_board(&board, 9, 9, 5, RULE_FREESTYLE, 2);
        for (int j = 0; j < 4; j++)
            board_place(&board, ORDERS[i][j]);
        key = i ? key : board.key;
        assert_int_equal(board.key, key);
    }
    fresh_board(&board, 9, 9, 5, RULE_FREESTYLE, 2);
    for (int j = 3; j >= 0; j--) // the colours swapped
        board_place(&board, ORDERS[0][j]);
    assert_int_not_equal(board.key, key);
}

static int walk(int cell, int dx, int dy, Colour colour) {
    int x = cell % board.width + dx, y = cell / board.width + dy, run = 0;
    for (; x >= 0 && y >= 0 && x < board.width && y < board.height &&
           board.cells[y * board.width + x] == colour;
         x += dx, y += dy)
        run++;
    return run;
}

static void test_board__runs_and_wins_equal_a_walk(void **state) {
    (void)state;
    static const int DX[] = {1, 0, 1, 1}, DY[] = {0, 1, 1, -1};
    Rng rng = rng_init(6);
    for (int round = 0; round < 120; round++) {
        int k = BOARD_MIN_K + round % 5;
        fresh_board(&board, 5 + round % 3, 5 + round % 4, k, (Rule)(round & 1), 0);
        random_stones(&board, &rng, 10 + (int)rng_below(&rng, 15));
        for (int cell = 0; cell < board_cell_count(&board); cell++)
            for (int colour = 0; colour < COLOUR_NB; colour++) {
                int longest = 0;
                bool wins = false;
                for (int d = 0; d < 4; d++) {
                    int run = 1 + walk(cell, DX[d], DY[d], (Colour)colour) +
                              walk(cell, -DX[d], -DY[d], (Colour)colour);
                    longest = run > longest ? run : longest;
                    wins |= board.rule == RULE_STANDARD ? run == k : run >= k;
                }
                assert_int_equal(board_longest_run(&board, (Move)cell, (Colour)colour), longest);
                assert_int_equal(board_wins_at(&board, (Move)cell, (Colour)colour), wins);
            }
    }
}

static void test_board__says_why_it_cannot_be(void **state) {
    (void)state;
    static const struct {
        int width, height, k, rule, radius;
        const char *message;
    } CASES[] = {
        {1, 15, 5, 0, 2, "board 1x15: sides must be 2..22"},
        {15, 23, 5, 0, 2, "board 15x23: sides must be 2..22"},
        {15, -1, 5, 0, 2, "board 15x-1: sides must be 2..22"},
        {15, 15, 1, 0, 2, "1 in a row: must be 2..6"},
        {15, 15, 7, 0, 2, "7 in a row: must be 2..6"},
        {15, 15, 5, RULE_NB, 2, "rule 2 does not exist"},
        {15, 15, 5, -1, 2, "rule -1 does not exist"},
        {15, 15, 5, 0, -1, "candidate radius -1: must be 0..22"},
        {15, 15, 5, 0, 23, "candidate radius 23: must be 0..22"},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        ErrorText err = {{0}};
        assert_int_equal(board_init(&board, CASES[i].width, CASES[i].height, CASES[i].k,
                                    (Rule)CASES[i].rule, CASES[i].radius, &err),
                         STATUS_INVALID);
        assert_string_equal(err.text, CASES[i].message);
    }
}

static void test_rule__names_and_codes(void **state) {
    (void)state;
    for (int rule = 0; rule < RULE_NB; rule++) {
        Rule parsed = RULE_NB;
        assert_true(rule_parse(rule_name((Rule)rule), &parsed));
        assert_int_equal(parsed, rule);
        assert_int_equal(rule_gomocup_code((Rule)rule), rule); // 0 and 1, as the protocol says
    }
    Rule rule = RULE_NB;
    assert_true(rule_parse("FreeStyle", &rule) && rule == RULE_FREESTYLE);
    assert_false(rule_parse("free", &rule) || rule_parse("", &rule) || rule_parse("renju", &rule));
    assert_int_equal(rule, RULE_FREESTYLE); // left as it was
}

static void test_rule__runs_that_win(void **state) {
    (void)state;
    for (int k = BOARD_MIN_K; k <= BOARD_MAX_K; k++)
        for (int length = 0; length <= BOARD_MAX_SIDE; length++) {
            assert_int_equal(rule_run_wins(RULE_FREESTYLE, length, k), length >= k);
            assert_int_equal(rule_run_wins(RULE_STANDARD, length, k), length == k);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_notation__squares_of_every_size_in_both_row_orders),
        cmocka_unit_test(test_notation__what_is_no_square),
        cmocka_unit_test(test_notation__lists_of_moves),
        cmocka_unit_test(test_notation__a_bad_list_takes_back_its_own_moves_only),
        cmocka_unit_test(test_notation__bad_board_texts_leave_it_empty),
        cmocka_unit_test(test_notation__board_texts_name_every_cell),
        cmocka_unit_test(test_board__last_move_after_a_set_up),
        cmocka_unit_test(test_board__passing_changes_the_key_and_back),
        cmocka_unit_test(test_board__put_and_undo_are_inverses),
        cmocka_unit_test(test_board__transpositions_have_one_key),
        cmocka_unit_test(test_board__runs_and_wins_equal_a_walk),
        cmocka_unit_test(test_board__says_why_it_cannot_be),
        cmocka_unit_test(test_rule__names_and_codes),
        cmocka_unit_test(test_rule__runs_that_win),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
