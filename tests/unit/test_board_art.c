// SPDX-License-Identifier: GPL-3.0-or-later
// Boards as text: golden pictures, widths, the last stone, rows that won.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/board/board.h"
#include "harness/report/board_art.h"
#include "harness/report/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void board_make(Board *board, int width, int height, Rule rule, const char *cells) {
    ErrorText err = {""};
    if (board_init(board, width, height, 5, rule, 2, &err))
        fail_msg("%s", err.text);
    for (const char *c = cells; *c; c += c[2] ? 3 : 2) // "ab cd": column and row as letters
        board_place(board, (Move)((c[1] - 'a') * width + (c[0] - 'a')));
}

static void board_text(const Board *board, ArtStyle style, Text *out) {
    text_clear(out);
    for (int i = 0; i < board_art_height(board); i++) {
        board_art_line(board, style, i, out);
        text_append(out, "\n");
    }
}

static void test_board_art__small_boards_are_drawn_as_on_record(void **state) {
    (void)state;
    Board board;
    Text text = {0};
    board_make(&board, 6, 5, RULE_FREESTYLE, "aa ce");
    board_text(&board, ART_ASCII, &text);
    assert_string_equal(text_cstr(&text), " 5  X . . . . . \n"
                                          " 4  . . . . . . \n"
                                          " 3  . . . . . . \n"
                                          " 2  . . . . . . \n"
                                          " 1  . .[O]. . . \n"
                                          "    a b c d e f \n");
    board_text(&board, ART_UNICODE, &text);
    assert_string_equal(text_cstr(&text), " 5  ● · · · · · \n"
                                          " 4  · · · · · · \n"
                                          " 3  · · · · · · \n"
                                          " 2  · · · · · · \n"
                                          " 1  · ·[○]· · · \n"
                                          "    a b c d e f \n");
    text_release(&text);
}

// Every line of every size takes the columns that are promised, coordinates of two digits too.
static void test_board_art__lines_have_the_width_that_is_said(void **state) {
    (void)state;
    Board board;
    Text line = {0};
    for (int side = BOARD_MIN_SIDE; side <= 22; side++) {
        board_make(&board, side, side, RULE_FREESTYLE, "aa");
        for (int i = 0; i < board_art_height(&board); i++)
            for (int style = ART_ASCII; style <= ART_UNICODE; style++) {
                text_clear(&line);
                board_art_line(&board, (ArtStyle)style, i, &line);
                assert_int_equal(table_text_width(text_cstr(&line)), board_art_width(&board));
            }
    }
    text_release(&line);
}

static void test_board_art__corners_can_be_the_last_stone(void **state) {
    (void)state;
    static const struct {
        const char *cells, *row;
        int line;
    } CASES[] = {
        {"aa", " 5 [X]. . . . ", 0},
        {"ea", " 5  . . . .[X]", 0},
        {"ae", " 1 [X]. . . . ", 4},
        {"ee", " 1  . . . .[X]", 4},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Board board;
        Text line = {0};
        board_make(&board, 5, 5, RULE_FREESTYLE, CASES[i].cells);
        board_art_line(&board, ART_ASCII, CASES[i].line, &line);
        assert_string_equal(text_cstr(&line), CASES[i].row);
        text_release(&line);
    }
}

static int occurrences(const char *text, const char *part) {
    int count = 0;
    for (const char *c = strstr(text, part); c; c = strstr(c + 1, part))
        count++;
    return count;
}

static void test_board_art__star_points_of_odd_boards(void **state) {
    (void)state;
    static const struct {
        int width, height, stars;
    } CASES[] = {{15, 15, 5}, {19, 19, 5}, {13, 13, 5}, {20, 20, 0}, {9, 9, 0}, {15, 13, 0}};
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Board board;
        Text text = {0};
        board_make(&board, CASES[i].width, CASES[i].height, RULE_FREESTYLE, "ba");
        board_text(&board, ART_ASCII, &text);
        assert_int_equal(occurrences(text_cstr(&text), "+"), CASES[i].stars);
        if (CASES[i].stars) { // the centre is one of them
            Text row = {0};
            board_art_line(&board, ART_ASCII, CASES[i].height / 2, &row);
            assert_int_equal(text_cstr(&row)[4 + 2 * (CASES[i].width / 2)], '+');
            text_release(&row);
        }
        text_release(&text);
    }
}

// Black's stones in one line, white's elsewhere; underlined are those that win, and no others.
static void test_board_art__a_row_that_won_is_underlined(void **state) {
    (void)state;
    static const struct {
        const char *cells;
        Rule rule;
        int underlined;
    } CASES[] = {
        {"", RULE_FREESTYLE, 0},
        {"cc ak dd bk ee ck ff", RULE_FREESTYLE, 0},             // four
        {"cc ak dd bk ee ck ff ek gg", RULE_FREESTYLE, 5},       // a diagonal five
        {"gc ak fd bk ee ck df ek cg", RULE_STANDARD, 5},        // the other diagonal
        {"cc ak dc bk ec ck gc ek hc gk fc", RULE_FREESTYLE, 6}, // six, by rule a win
        {"cc ak dc bk ec ck gc ek hc gk fc", RULE_STANDARD, 0},  // or none
        {"cc ca cd da ce ea cf ga cg", RULE_STANDARD, 5},        // a column
        {"ca cc cb cd ck ce cl cf cm cg", RULE_FREESTYLE, 5},    // of white
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Board board;
        Text text = {0};
        board_make(&board, 15, 15, CASES[i].rule, CASES[i].cells);
        board_text(&board, ART_COLOUR, &text);
        assert_int_equal(occurrences(text_cstr(&text), "\033[4m"), CASES[i].underlined);
        assert_int_equal(occurrences(text_cstr(&text), "\033[24m"), CASES[i].underlined);
        text_release(&text);
    }
}

// No colour of a line leaks into the next, and both stones differ by colour alone.
static void test_board_art__colours_end_with_their_line(void **state) {
    (void)state;
    Board board;
    board_make(&board, 5, 5, RULE_FREESTYLE, "bb cc dd");
    for (int i = 0; i < 5; i++) {
        Text line = {0};
        board_art_line(&board, ART_COLOUR, i, &line);
        const char *end = text_cstr(&line) + line.length - 4;
        assert_string_equal(end, "\033[0m");
        text_release(&line);
    }
    Text black = {0}, white = {0};
    board_art_stone(BLACK, ART_COLOUR, &black);
    board_art_stone(WHITE, ART_COLOUR, &white);
    assert_string_not_equal(text_cstr(&black), text_cstr(&white));
    assert_non_null(strstr(text_cstr(&black), "●"));
    assert_non_null(strstr(text_cstr(&white), "●"));
    text_release(&black);
    text_release(&white);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_board_art__small_boards_are_drawn_as_on_record),
        cmocka_unit_test(test_board_art__lines_have_the_width_that_is_said),
        cmocka_unit_test(test_board_art__corners_can_be_the_last_stone),
        cmocka_unit_test(test_board_art__star_points_of_odd_boards),
        cmocka_unit_test(test_board_art__a_row_that_won_is_underlined),
        cmocka_unit_test(test_board_art__colours_end_with_their_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
