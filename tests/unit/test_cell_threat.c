// SPDX-License-Identifier: GPL-3.0-or-later
// What the threat of a cell means, asked of the board by playing there: fives, fours, open fours
// and open threes; classes read from the board and from the map; how four lines combine; and the
// weights of ordering that are read from them.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/board/board_slow.h"
#include "engine/board/cell_class.h"
#include "engine/board/notation.h"
#include "engine/eval/threat_order.h"
#include "tests/support/random_board.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Board board;
static ThreatMap map;

static int five_cells(Colour colour) {
    int count = 0;
    for (Move cell = 0; cell < board_cell_count(&board); cell++)
        count += board_is_free(&board, cell) && board_slow_wins_at(&board, cell, colour);
    return count;
}

// Cells where a stone of `colour` leaves two or more fives open.
static int open_four_cells(Colour colour) {
    int count = 0;
    for (Move cell = 0; cell < board_cell_count(&board); cell++) {
        if (!board_is_free(&board, cell))
            continue;
        board_put(&board, cell, colour, board.side);
        count += five_cells(colour) >= 2;
        board_undo(&board);
    }
    return count;
}

// Positions without a five or a four on the board: new ones are then made by the stone alone.
static bool quiet_position(Rng *rng, Rule rule) {
    fresh_board(&board, 9, 9, 5, rule, 2);
    int stones = 4 + (int)rng_below(rng, 24);
    for (int i = 0; i < stones; i++)
        board_place(&board, random_free_cell(&board, rng, true));
    return board.wins[BLACK] + board.wins[WHITE] == 0 && five_cells(BLACK) + five_cells(WHITE) == 0;
}

static void check_cell(Move cell, Colour colour) {
    int threat = map.threat[colour][cell];
    board_put(&board, cell, colour, board.side);
    int fives = five_cells(colour);
    assert_int_equal(threat >= THREAT_FOUR, fives >= 1); // no fives were there before
    assert_int_equal(threat == THREAT_OPEN_FOUR, fives >= 2);
    if (threat >= THREAT_OPEN_THREE && threat <= THREAT_DOUBLE_THREE)
        assert_true(open_four_cells(colour) > 0);
    board_undo(&board);
}

static void test_cell_threat__fours_are_what_leaves_a_five(void **state) {
    (void)state;
    Rng rng = rng_init(101);
    ErrorText err = {{0}};
    for (int round = 0; round < 40; round++) {
        if (!quiet_position(&rng, (Rule)(round % RULE_NB)))
            continue;
        assert_int_equal(threat_map_init(&map, &board, NULL, &err), STATUS_OK);
        for (Move cell = 0; cell < board_cell_count(&board); cell++)
            for (int colour = 0; board_is_free(&board, cell) && colour < COLOUR_NB; colour++)
                check_cell(cell, (Colour)colour);
    }
}

static void test_cell_threat__fives_are_wins(void **state) {
    (void)state;
    Rng rng = rng_init(102);
    ErrorText err = {{0}};
    int fives = 0;
    for (int round = 0; round < 200; round++) {
        fresh_board(&board, 5 + round % 18, 22 - round % 18, 5, (Rule)(round % RULE_NB), 1);
        random_stones(&board, &rng, 60);
        assert_int_equal(threat_map_init(&map, &board, NULL, &err), STATUS_OK);
        for (Move cell = 0; cell < board_cell_count(&board); cell++)
            for (int colour = 0; board_is_free(&board, cell) && colour < COLOUR_NB; colour++) {
                bool wins = board_slow_wins_at(&board, cell, (Colour)colour);
                assert_int_equal(map.threat[colour][cell] == THREAT_FIVE, wins);
                fives += wins;
            }
    }
    assert_true(fives > 50);
}

static void test_cell_class__reads_what_the_map_keeps(void **state) {
    (void)state;
    Rng rng = rng_init(103);
    ErrorText err = {{0}};
    for (int round = 0; round < 30; round++) {
        Rule rule = (Rule)(round % RULE_NB);
        fresh_board(&board, 5 + round % 18, 8, 5, rule, 2);
        random_stones(&board, &rng, 25);
        CellPatternTable table = cell_pattern_table(rule);
        assert_int_equal(threat_map_init(&map, &board, NULL, &err), STATUS_OK);
        for (Move cell = 0; cell < board_cell_count(&board); cell++)
            for (int colour = 0; board_is_free(&board, cell) && colour < COLOUR_NB; colour++)
                for (int d = 0; d < LINE_DIRECTIONS; d++)
                    assert_int_equal(cell_line_class(&table, &board, cell, d, (Colour)colour),
                                     threat_map_code(&map, (Colour)colour, cell) >> 4 * d & 15);
    }
}

static void test_cell_threat__how_lines_combine(void **state) {
    (void)state;
    static const struct {
        LineClass line[LINE_DIRECTIONS];
        CellThreat threat;
    } CASES[] = {
        {{LINE_DEAD, LINE_ONE, LINE_TWO, LINE_OPEN_ONE}, THREAT_NONE},
        {{LINE_OPEN_TWO, 0, 0, 0}, THREAT_OPEN_TWO},
        {{LINE_OPEN_TWO_WIDE, 0, LINE_OPEN_TWO_WIDEST, 0}, THREAT_TWO_OPEN_TWOS},
        {{LINE_THREE, 0, 0, 0}, THREAT_THREE},
        {{LINE_THREE, LINE_OPEN_TWO, LINE_OPEN_TWO, 0}, THREAT_THREE},
        {{LINE_OPEN_THREE, 0, 0, LINE_TWO}, THREAT_OPEN_THREE},
        {{LINE_OPEN_THREE_STRONG, LINE_THREE, 0, 0}, THREAT_OPEN_THREE_PLUS},
        {{LINE_OPEN_THREE, LINE_OPEN_TWO, 0, 0}, THREAT_OPEN_THREE_PLUS},
        {{LINE_OPEN_THREE, LINE_OPEN_THREE_STRONG, 0, 0}, THREAT_DOUBLE_THREE},
        {{LINE_FOUR, 0, 0, LINE_ONE}, THREAT_FOUR},
        {{LINE_FOUR, LINE_THREE, 0, 0}, THREAT_FOUR_PLUS},
        {{LINE_FOUR, 0, LINE_OPEN_TWO_WIDEST, 0}, THREAT_FOUR_PLUS},
        {{LINE_FOUR, LINE_OPEN_THREE, LINE_THREE, 0}, THREAT_FOUR_THREE},
        {{LINE_FOUR, LINE_FOUR, 0, 0}, THREAT_OPEN_FOUR},
        {{LINE_OPEN_FOUR, 0, 0, 0}, THREAT_OPEN_FOUR},
        {{LINE_FIVE, LINE_OPEN_FOUR, LINE_FOUR, LINE_OPEN_THREE}, THREAT_FIVE},
    };
    const uint8_t *table = cell_threat_table();
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++)
        for (int turn = 0; turn < 8; turn++) { // in any order of the lines
            uint32_t code = 0;
            for (int d = 0; d < LINE_DIRECTIONS; d++) {
                int at = turn & 4 ? (3 - d + turn) & 3 : (d + turn) & 3;
                code |= (uint32_t)CASES[i].line[at] << 4 * d;
            }
            assert_int_equal(table[code], CASES[i].threat);
        }
}

// A better line never makes a weaker threat.
static void test_cell_threat__better_lines_make_no_weaker_threat(void **state) {
    (void)state;
    const uint8_t *table = cell_threat_table();
    for (uint32_t code = 0; code < 65536; code++) {
        bool is_code = true;
        for (int d = 0; d < LINE_DIRECTIONS; d++)
            is_code = is_code && (code >> 4 * d & 15) < LINE_CLASS_NB;
        for (int d = 0; is_code && d < LINE_DIRECTIONS; d++)
            if ((code >> 4 * d & 15) + 1 < LINE_CLASS_NB)
                assert_true(table[code + (1u << 4 * d)] >= table[code]);
    }
}

static void test_threat_order__sums_lines_and_threats(void **state) {
    (void)state;
    static ThreatOrder order;
    Rng rng = rng_init(104);
    ErrorText err = {{0}};
    threat_order_init(&order);
    fresh_board(&board, 15, 15, 5, RULE_FREESTYLE, 2);
    random_stones(&board, &rng, 40);
    assert_int_equal(threat_map_init(&map, &board, NULL, &err), STATUS_OK);
    for (int side = 0; side < 2; side++)
        for (Move cell = 0; cell < 225; cell++) {
            if (!board_is_free(&board, cell))
                continue;
            int weight = 0;
            for (int who = 0; who < 2; who++) { // the mover, then the enemy
                Colour colour = (Colour)(side ^ who);
                CellCode code = threat_map_code(&map, colour, cell);
                for (int d = 0; d < LINE_DIRECTIONS; d += 2)
                    weight += order.two_lines[who][code >> 4 * d & 255];
                weight += THREAT_ORDER[who][map.threat[colour][cell]];
            }
            assert_int_equal(threat_order_cell(&order, &map, (Colour)side, cell), weight);
        }
    for (int low = 0; low < 16; low++) // two lines are the sum of each
        for (int high = 0; high < 16; high++)
            for (int who = 0; who < 2; who++)
                assert_int_equal(order.two_lines[who][low | high << 4],
                                 low < LINE_CLASS_NB && high < LINE_CLASS_NB
                                     ? order.two_lines[who][low] + order.two_lines[who][high << 4]
                                     : 0);
}

// Near weights know distances, no directions.
static void test_threat_order__near_is_near_on_every_side(void **state) {
    (void)state;
    static ThreatOrder order;
    threat_order_init(&order);
    enum { C = BOARD_MAX_SIDE };
    for (int dy = 0; dy < BOARD_MAX_SIDE; dy++)
        for (int dx = 0; dx < BOARD_MAX_SIDE; dx++) {
            int16_t weight = order.near[C + dy][C + dx];
            assert_int_equal(order.near[C - dy][C + dx], weight);
            assert_int_equal(order.near[C + dy][C - dx], weight);
            assert_int_equal(order.near[C + dx][C + dy], weight);
            if (dx > 4 || dy > 4)
                assert_int_equal(weight, order.near[C][C + 21]);
        }
    assert_true(order.near[C][C + 1] > order.near[C][C + 2]);
    assert_true(order.near[C + 1][C + 1] > order.near[C][C + 9]);
}

static void test_cell_pattern__walled_in_is_dead(void **state) {
    (void)state;
    for (int rule = 0; rule < RULE_NB; rule++) {
        int reach = rule == RULE_FREESTYLE ? 4 : 5;
        uint32_t all = bits_below(2 * reach + 1) & ~((uint32_t)1 << reach);
        CellPatternTable table = cell_pattern_table((Rule)rule);
        assert_int_equal(table.reach, reach);
        assert_int_equal(table.lines[cell_pattern_window(reach, all, all, reach)], 0); // for both
        assert_int_equal(cell_pattern_slow((Rule)rule, 0, all), LINE_DEAD);
        assert_int_equal(cell_pattern_slow((Rule)rule, all, 0),
                         rule == RULE_FREESTYLE ? LINE_FIVE : LINE_DEAD);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cell_threat__fours_are_what_leaves_a_five),
        cmocka_unit_test(test_cell_threat__fives_are_wins),
        cmocka_unit_test(test_cell_class__reads_what_the_map_keeps),
        cmocka_unit_test(test_cell_threat__how_lines_combine),
        cmocka_unit_test(test_cell_threat__better_lines_make_no_weaker_threat),
        cmocka_unit_test(test_threat_order__sums_lines_and_threats),
        cmocka_unit_test(test_threat_order__near_is_near_on_every_side),
        cmocka_unit_test(test_cell_pattern__walled_in_is_dead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
