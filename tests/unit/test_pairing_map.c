// SPDX-License-Identifier: GPL-3.0-or-later
// Pairings of players: both directions, growth, and pairings that were never played.
#include "harness/report/pairing_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_pairing_map__keeps_both_directions(void **state) {
    (void)state;
    PairingMap map = {0};
    assert_int_equal(pairing_map_find(&map, 1, 2)->row, -1);
    for (int row = 0; row < 60; row++)
        for (int column = row + 1; column < 60; column++) {
            PairingSummary *entry = pairing_map_at(&map, row, column);
            assert_non_null(entry);
            entry->single.wins = row * 100 + column;
            pairing_map_opposite(&map, entry)->single.losses = row * 100 + column;
        }
    assert_int_equal(map.count, 60 * 59);
    for (int row = 0; row < 60; row++)
        for (int column = 0; column < 60; column++) {
            const PairingSummary *entry = pairing_map_find(&map, row, column);
            if (row == column) {
                assert_int_equal(entry->row, -1);
                continue;
            }
            assert_int_equal(entry->row, row);
            assert_int_equal(entry->column, column);
            int lower = row < column ? row : column, upper = row < column ? column : row;
            assert_int_equal(row < column ? entry->single.wins : entry->single.losses,
                             lower * 100 + upper);
            assert_ptr_equal(pairing_map_opposite(&map, entry),
                             pairing_map_find(&map, column, row));
            assert_ptr_equal(pairing_map_at(&map, row, column), entry);
        }
    pairing_map_release(&map);
    assert_int_equal(map.count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairing_map__keeps_both_directions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
