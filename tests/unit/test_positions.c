// SPDX-License-Identifier: GPL-3.0-or-later
// Files of positions: what is read, what must agree, and where faults are said to be.
#include "harness/record/positions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static PositionList parsed(const char *text) {
    PositionList list = {0};
    ErrorText err = {0};
    Status status = positions_parse("p.tsv", text, 15, &list, &err);
    if (status)
        fail_msg("%s", err.text);
    return list;
}

static void refused(const char *text, const char *message) {
    PositionList list = {0};
    ErrorText err = {0};
    assert_int_equal(positions_parse("p.tsv", text, 15, &list, &err), STATUS_INVALID);
    assert_string_equal(err.text, message);
    assert_null(list.items);
}

static void test_positions__moves_and_board_give_the_same_stones(void **state) {
    (void)state;
    PositionList list = parsed("id\tmoves\nm\tb2 c1 a3\r\n# a comment\n\nlast\t-\n");
    assert_int_equal(list.count, 2);
    assert_int_equal(list.items[0].stone_count, 3);
    assert_int_equal(list.items[0].side, WHITE);
    assert_true(list.items[0].has_order && list.items[0].has_usual_counts);
    assert_int_equal(list.items[1].line, 5);
    assert_int_equal(list.items[1].stone_count, 0);
    positions_release(&list);

    list = parsed("side\tx\tboard\tid\nO\t?\tX../.X./..O\tb");
    Board board;
    ErrorText err = {0};
    assert_int_equal(position_set_up(&list.items[0], RULE_STANDARD, 1, &board, &err), STATUS_OK);
    assert_int_equal(board.width, 3);
    assert_int_equal(board.cells[0], BLACK);
    assert_int_equal(board.cells[8], WHITE);
    assert_int_equal(board.side, WHITE);
    assert_int_equal(board_last_played(&board), MOVE_NONE);
    assert_false(list.items[0].has_order);
    positions_release(&list);
}

static void test_positions__unusual_counts_are_noted_not_refused(void **state) {
    (void)state;
    PositionList list =
        parsed("id\tboard\tside\na\tXXX/.../...\tX\nb\tXO./.../...\tX\nc\tX../.../...\tX\n");
    assert_false(list.items[0].has_usual_counts);
    assert_true(list.items[1].has_usual_counts);
    assert_false(list.items[2].has_usual_counts);
    positions_release(&list);
}

static void test_positions__public_names_stand_in(void **state) {
    (void)state;
    PositionList list = parsed("id\tboard_top_row_first\tside_to_move\na\tX../.../..O\tX\n");
    assert_int_equal(list.items[0].stone_count, 2);
    positions_release(&list);
    list = parsed("id\tstm\tboard\na\tw\tX........\n"); // the golden files' letters
    assert_int_equal(list.items[0].side, WHITE);
    positions_release(&list);
    list =
        parsed("id\tboard\tboard_top_row_first\tstm\tside\na\tX........\t?\t?\tO\n"); // the plain
                                                                                      // names win
    assert_int_equal(list.items[0].side, WHITE);
    positions_release(&list);
}

static void test_positions__faults_name_the_line(void **state) {
    (void)state;
    refused("", "p.tsv:1: empty, expected a header that names id and moves");
    refused("id\tboard\n", "p.tsv:1: the header has neither 'moves' nor both 'board' and 'side'");
    refused("moves\n",
            "p.tsv:1: no column 'id' in the header; expected id and moves, or id, board and side");
    refused("id\tmoves\tmoves\n", "p.tsv:1: column 'moves' is named twice");
    refused("id\tmoves\na\n", "p.tsv:2: 1 columns, expected at least 2");
    refused("id\tmoves\n\th8\n", "p.tsv:2: the id is empty");
    refused("id\tmoves\na\th8 h8\n", "p.tsv:2: position a: move 2: h8 is occupied");
    refused("id\tmoves\na\th8\nb\th16\n",
            "p.tsv:3: position b: move 1: h16 is outside the 15x15 board");
    refused("id\tboard\tside\na\tX../...\t?\n",
            "p.tsv:2: position a: side '?', expected X (black) or O (white)");
    refused("id\tboard\tside\na\tX../..\tX\n",
            "p.tsv:2: position a: board row 2 has 2 cells, expected 3 as in the first");
    refused("id\tboard\tside\na\tX....\tX\n", "p.tsv:2: position a: board of 5 cells: expected a "
                                              "square of 2 to 22 a side, or rows joined by /");
    refused("id\tboard\tside\na\tX../.z./...\tX\n",
            "p.tsv:2: position a: board text: 'z' at cell 5, expected X, O or . and rows of 3");
    refused(
        "id\tmoves\tboard\na\ta3\tO../.../...\n",
        "p.tsv:2: position a: moves and board disagree at a3: 'X' by the moves, 'O' on the board");
    refused("id\tmoves\tside\na\ta3\tX\n",
            "p.tsv:2: position a: moves and side disagree: after 1 moves white (O) is to move");
}

static void test_positions__missing_file(void **state) {
    (void)state;
    PositionList list = {0};
    ErrorText err = {0};
    assert_int_equal(positions_read("/nonexistent/p.tsv", 15, &list, &err), STATUS_NOT_FOUND);
    assert_string_equal(err.text, "/nonexistent/p.tsv: No such file or directory");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions__moves_and_board_give_the_same_stones),
        cmocka_unit_test(test_positions__unusual_counts_are_noted_not_refused),
        cmocka_unit_test(test_positions__public_names_stand_in),
        cmocka_unit_test(test_positions__faults_name_the_line),
        cmocka_unit_test(test_positions__missing_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
