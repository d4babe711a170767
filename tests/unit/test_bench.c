// SPDX-License-Identifier: GPL-3.0-or-later
// The benchmark's set and its signature: playable positions, the same number twice, another number
// for another search.
#include "engine/board/notation.h"
#include "harness/study/bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_bench__positions_are_playable_and_unfinished(void **state) {
    (void)state;
    static Board board;
    for (int i = 0; i < bench_position_count(); i++) {
        const BenchPosition *position = bench_position(i);
        ErrorText err = {{0}};
        assert_int_equal(
            board_init(&board, position->side, position->side, 5, position->rule, 2, &err),
            STATUS_OK);
        assert_int_equal(notation_play_moves(&board, ROWS_BOTTOM, position->moves, &err),
                         STATUS_OK);
        assert_int_equal(board.wins[BLACK] + board.wins[WHITE], 0);
        assert_true(i >= BENCH_MIDGAME ||
                    (position->side == 15 && position->rule == RULE_FREESTYLE));
    }
}

// A change of this number is a change of behaviour: say so in the commit that makes it ("Bench:
// N").
static void test_bench__signature_is_the_one_on_record(void **state) {
    (void)state;
    uint64_t signature = 0;
    ErrorText err = {{0}};
    assert_int_equal(bench_signature(&signature, &err), STATUS_OK);
    assert_int_equal(signature, 2056711);
}

static void test_bench__speeds_are_numbers(void **state) {
    (void)state;
    KnobSet knobs = knob_defaults();
    BenchSetup setup = {&knobs, 2, 2, clock_monotonic()};
    BenchSpeed speed;
    ErrorText err = {{0}};
    assert_int_equal(bench_search(&setup, &speed, &err), STATUS_OK);
    assert_true(speed.best_per_s >= speed.median_per_s && speed.median_per_s > 0 &&
                speed.count > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bench__positions_are_playable_and_unfinished),
        cmocka_unit_test(test_bench__signature_is_the_one_on_record),
        cmocka_unit_test(test_bench__speeds_are_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
