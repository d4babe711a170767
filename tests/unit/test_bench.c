// SPDX-License-Identifier: GPL-3.0-or-later
// The benchmark's set and its signature: playable positions, the same number twice, another number
// for another search.
#include "engine/board/notation.h"
#include "harness/stats/speed_ratio.h"
#include "harness/study/bench.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_bench__positions_are_playable_and_unfinished(void **state) {
    (void)state;
    static Board board;
    for (int i = 0; i < bench_position_count(); i++) {
        BenchPosition position = bench_position(i);
        const BenchSet *set = position.set;
        ErrorText err = {{0}};
        assert_int_equal(board_init(&board, set->side, set->side, 5, set->rule, 2, &err),
                         STATUS_OK);
        assert_int_equal(notation_play_moves(&board, ROWS_BOTTOM, position.moves, &err), STATUS_OK);
        assert_int_equal(board.wins[BLACK] + board.wins[WHITE], 0);
        assert_true((i < BENCH_MIDGAME) == (set == bench_set(0)));
    }
}

// A change of this number is a change of behaviour: say so in the commit that makes it ("Bench:
// N").
static void test_bench__signature_is_the_one_on_record(void **state) {
    (void)state;
    uint64_t signature = 0;
    ErrorText err = {{0}};
    assert_int_equal(bench_signature(&signature, &err), STATUS_OK);
    assert_int_equal(signature, 902789);
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

// Every rule, size and phase has exactly one set, and the positions are those of the sets in order.
static void test_bench__sets_cover_rules_sizes_and_phases(void **state) {
    (void)state;
    int held = 0;
    assert_int_equal(bench_set_count(), 2 * 2 * 3);
    assert_true(bench_set(0)->side == 15 && bench_set(0)->rule == RULE_FREESTYLE);
    for (int a = 0; a < bench_set_count(); a++) {
        const BenchSet *set = bench_set(a);
        assert_non_null(set->moves[0]);
        for (int i = 0; set->moves[i]; i++, held++)
            assert_ptr_equal(bench_position(held).moves, set->moves[i]);
        for (int b = 0; b < a; b++)
            assert_false(set->side == bench_set(b)->side && set->rule == bench_set(b)->rule &&
                         strcmp(set->phase, bench_set(b)->phase) == 0);
    }
    assert_int_equal(held, bench_position_count());
}

static void test_bench__sets_and_depths_are_measured(void **state) {
    (void)state;
    KnobSet knobs = knob_defaults();
    BenchSetup setup = {&knobs, 1, 2, clock_monotonic()};
    BenchSpeed speed;
    BenchDepth shallow, deep, beyond;
    ErrorText err = {{0}};
    assert_int_equal(bench_search_set(&setup, bench_set_count() - 1, &speed, &err), STATUS_OK);
    assert_true(speed.median_per_s > 0 && speed.count > 0 && speed.rounds == 2);
    assert_int_equal(bench_time_to_depth(&setup, 2, 0, &shallow, &err), STATUS_OK);
    assert_int_equal(bench_time_to_depth(&setup, 4, 0, &deep, &err), STATUS_OK);
    assert_true(shallow.is_reached && deep.is_reached);
    assert_true(deep.nodes > shallow.nodes && deep.time_ms > 0);
    assert_int_equal(bench_time_to_depth(&setup, 20, 5, &beyond, &err), STATUS_OK);
    assert_false(beyond.is_reached);
}

static void test_bench__ratios_have_t_intervals(void **state) {
    (void)state;
    const double logs[] = {log(1.1), log(1.2), log(1.3)}; // mean 0.18000, sd 0.08355, t(2) 4.30265
    SpeedRatio three = speed_ratio(logs, 3), one = speed_ratio(logs, 1);
    assert_float_equal(three.ratio, 1.197216, 1e-5);
    assert_float_equal(three.lo, 0.972822, 1e-5);
    assert_float_equal(three.hi, 1.473369, 1e-5);
    assert_float_equal(one.ratio, 1.1, 1e-12);
    assert_true(isnan(one.lo) && isnan(one.hi));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bench__positions_are_playable_and_unfinished),
        cmocka_unit_test(test_bench__signature_is_the_one_on_record),
        cmocka_unit_test(test_bench__speeds_are_numbers),
        cmocka_unit_test(test_bench__sets_cover_rules_sizes_and_phases),
        cmocka_unit_test(test_bench__sets_and_depths_are_measured),
        cmocka_unit_test(test_bench__ratios_have_t_intervals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
