// SPDX-License-Identifier: GPL-3.0-or-later
// The threat map against its slow twin, and the classes of a cell by name.
// sanitizers: asan
#include "engine/eval/threat_map.h"
#include "tests/support/random_board.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ThreatMap map, before;
static Board board;

static const int16_t *test_values(void) {
    static int16_t values[UINT16_MAX + 1];
    for (int code = 0; code <= UINT16_MAX; code++)
        values[code] = (int16_t)(code * 7 % 1000 - 500);
    return values;
}

static void place(Move move) {
    Colour colour = board.side;
    board_place(&board, move);
    threat_map_place(&map, &board, move, colour);
}

static void undo(void) {
    board_undo(&board);
    threat_map_undo(&map);
}

static void test_threat_map__incremental_equals_from_scratch(void **state) {
    (void)state;
    Rng rng = rng_init(11);
    ErrorText err = {{0}};
    for (int round = 0; round < 24; round++) {
        int width = round % 3 ? 15 : 5 + (int)rng_below(&rng, 16),
            height = round % 3 ? 15 : 5 + (int)rng_below(&rng, 16);
        fresh_board(&board, width, height, 5, (Rule)(round % RULE_NB), 2);
        assert_int_equal(threat_map_init(&map, &board, test_values(), &err), STATUS_OK);
        for (int step = 0; step < 60; step++) {
            if (board.stone_count > 0 && rng_below(&rng, 3) == 0)
                undo();
            else if (!board_is_full(&board))
                place(random_free_cell(&board, &rng, rng_below(&rng, 5) != 0));
            if (step % 6 == 0)
                assert_true(threat_map_slow_agrees(&map, &board));
        }
    }
}

static void test_threat_map__undo_restores_everything(void **state) {
    (void)state;
    Rng rng = rng_init(12);
    ErrorText err = {{0}};
    for (int round = 0; round < 30; round++) {
        fresh_board(&board, 15, 15, 5, (Rule)(round % RULE_NB), 2);
        assert_int_equal(threat_map_init(&map, &board, test_values(), &err), STATUS_OK);
        for (int i = 0; i < 30; i++)
            place(random_free_cell(&board, &rng, true));
        before = map;
        for (int i = 0; i < 25; i++)
            place(random_free_cell(&board, &rng, true));
        for (int i = 0; i < 25; i++)
            undo();
        assert_memory_equal(&map.tally, &before.tally, sizeof map.tally);
        assert_memory_equal(map.codes, before.codes, sizeof map.codes);
        assert_memory_equal(map.threat, before.threat, sizeof map.threat);
        assert_int_equal(map.logged, before.logged);
    }
}

static void test_threat_map__a_wrong_cell_is_noticed(void **state) {
    (void)state;
    ErrorText err = {{0}};
    fresh_board(&board, 15, 15, 5, RULE_FREESTYLE, 2);
    assert_int_equal(threat_map_init(&map, &board, NULL, &err), STATUS_OK);
    place(112);
    assert_true(threat_map_slow_agrees(&map, &board));
    map.codes[113] ^= 1;
    assert_false(threat_map_slow_agrees(&map, &board));
}

// The window is written around the cell '*': X own, O blocked, _ empty.
static void test_cell_pattern__known_lines(void **state) {
    (void)state;
    static const struct {
        const char *window;
        LineClass freestyle, standard;
    } CASES[] = {
        {"_XXXX*_____", LINE_FIVE, LINE_FIVE},
        {"XXXXX*_____", LINE_FIVE,
         LINE_DEAD}, // six is nothing under standard, and no other five is left
        {"__XX_*X____", LINE_FOUR, LINE_FOUR},
        {"__XXX*_____", LINE_OPEN_FOUR, LINE_OPEN_FOUR},
        {"_OXXX*_____", LINE_FOUR, LINE_FOUR},
        {"___XX*_____", LINE_OPEN_THREE_STRONG, LINE_OPEN_THREE_STRONG},
        {"__OXX*__O__", LINE_THREE, LINE_THREE},
        {"__OXX*_O___", LINE_DEAD, LINE_DEAD},
        {"__OXX*___O_", LINE_THREE, LINE_THREE},
        {"__O_X*____O", LINE_OPEN_TWO_WIDE, LINE_OPEN_TWO_WIDE},
        {"OOOOO*OOOOO", LINE_DEAD, LINE_DEAD},
        {"_____*_____", LINE_OPEN_ONE, LINE_OPEN_ONE},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++)
        for (int rule = 0; rule < RULE_NB; rule++) {
            int reach = rule == RULE_FREESTYLE ? 4 : 5;
            uint32_t own = 0, blocked = 0;
            for (int j = -reach; j <= reach; j++) {
                own |= (uint32_t)(CASES[i].window[5 + j] == 'X') << (j + reach);
                blocked |= (uint32_t)(CASES[i].window[5 + j] == 'O') << (j + reach);
            }
            LineClass found = cell_pattern_slow((Rule)rule, own, blocked);
            LineClass expected = rule == RULE_FREESTYLE ? CASES[i].freestyle : CASES[i].standard;
            if (found != expected)
                fail_msg("%s under %s: %d, expected %d", CASES[i].window, rule_name((Rule)rule),
                         found, expected);
        }
}

// Random windows of both rules: the shared table against the definition.
static void test_cell_pattern__table_equals_definition(void **state) {
    (void)state;
    Rng rng = rng_init(14);
    for (int rule = 0; rule < RULE_NB; rule++) {
        CellPatternTable table = cell_pattern_table((Rule)rule);
        int reach = table.reach, cells = 2 * reach + 1;
        for (int round = 0; round < 3000; round++) {
            uint32_t hole = ~((uint32_t)1 << reach) & bits_below(cells);
            uint32_t black = (uint32_t)rng_next(&rng) & (uint32_t)rng_next(&rng) & hole;
            uint32_t white =
                (uint32_t)rng_next(&rng) & (uint32_t)rng_next(&rng) & hole; // both: wall
            uint8_t classes = table.lines[cell_pattern_window(reach, black, white, reach)];
            assert_int_equal(classes & 15, cell_pattern_slow((Rule)rule, black & ~white, white));
            assert_int_equal(classes >> 4, cell_pattern_slow((Rule)rule, white & ~black, black));
        }
    }
}

static void test_threat_map__counts_and_lists_agree(void **state) {
    (void)state;
    Rng rng = rng_init(13);
    ErrorText err = {{0}};
    for (int round = 0; round < 40; round++) {
        fresh_board(&board, 15, 15, 5, RULE_FREESTYLE, 2);
        random_stones(&board, &rng, 40);
        assert_int_equal(threat_map_init(&map, &board, NULL, &err), STATUS_OK);
        for (int colour = 0; colour < COLOUR_NB; colour++)
            for (int least = THREAT_FIVE; least > THREAT_NONE; least--) {
                Move cells[BOARD_MAX_CELLS];
                int count = threat_map_cells(&map, (Colour)colour, (CellThreat)least, cells),
                    expected = 0;
                for (int cell = 0; cell < board_cell_count(&board); cell++)
                    if (map.threat[colour][cell] >= least)
                        assert_int_equal(cells[expected++], cell);
                assert_int_equal(count, expected);
                if (least == THREAT_FIVE) {
                    Move five = threat_map_five(&map, (Colour)colour);
                    assert_int_equal(five, count ? cells[0] : MOVE_NONE);
                    for (int i = 0; i < count; i++)
                        assert_true(board_wins_at(&board, cells[i], (Colour)colour));
                }
            }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cell_pattern__known_lines),
        cmocka_unit_test(test_cell_pattern__table_equals_definition),
        cmocka_unit_test(test_threat_map__incremental_equals_from_scratch),
        cmocka_unit_test(test_threat_map__undo_restores_everything),
        cmocka_unit_test(test_threat_map__a_wrong_cell_is_noticed),
        cmocka_unit_test(test_threat_map__counts_and_lists_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
