// SPDX-License-Identifier: GPL-3.0-or-later
// Clocks of games: what a move may take by each limit alone and by all together.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/base/rng.h"
#include "harness/play/deadline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct {
    ClockSpec spec;
    int64_t own_ms; // of the player
    bool is_program;
    int64_t move_ms, left_ms, allowed_us; // told, told, enforced
} CASES[] = {
    {{0}, 0, true, 0, -1, 0}, // no limit at all
    {{.margin_ms = 50}, 0, true, 0, -1, 0},
    {{.move_ms = 100, .margin_ms = 50}, 0, true, 100, -1, 150000},
    {{.move_ms = 100, .margin_ms = 50}, 30, true, 30, -1, 80000},   // a program's own is strict
    {{.move_ms = 100, .margin_ms = 50}, 30, false, 30, -1, 150000}, // ours keeps it itself
    {{.margin_ms = 50}, 30, true, 30, -1, 80000},
    {{.margin_ms = 50}, 30, false, 30, -1, 0},
    {{.move_ms = 100, .margin_ms = 50}, 300, true, 100, -1, 150000},
    {{.match_ms = 1000, .margin_ms = 50}, 0, true, 0, 1000, 1050000},
    {{.move_ms = 100, .match_ms = 1000, .margin_ms = 50}, 0, true, 100, 1000, 150000},
    {{.move_ms = 1000, .match_ms = 100, .margin_ms = 50}, 0, true, 1000, 100, 150000},
    {{.move_ms = 100, .margin_ms = 50, .first_ms = 500}, 0, true, 100, -1, 550000},
    {{.move_ms = 100, .margin_ms = 50, .first_ms = 20}, 0, true, 100, -1, 150000}, // not shorter
    {{.move_ms = 100, .match_ms = 200, .margin_ms = 50, .first_ms = 500},
     0,
     true,
     100,
     200,
     250000},
};

static PlayerSpec player_of(int64_t own_ms, bool is_program) {
    PlayerSpec player = {.knobs = knob_defaults()};
    player.knobs.number[KNOB_SEARCH_TIME_MS] = (double)own_ms;
    player.external.command = (char *)(is_program ? "x" : NULL);
    return player;
}

static void test_deadline__the_tightest_limit_holds(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        PlayerSpec player = player_of(CASES[i].own_ms, CASES[i].is_program),
                   other = player_of(0, true);
        GameClock clock = game_clock_start(&CASES[i].spec, &other, &player);
        SeatTurn turn = game_clock_turn(&clock, WHITE);
        if (turn.move_ms != CASES[i].move_ms || turn.left_ms != CASES[i].left_ms ||
            turn.allowed_us != CASES[i].allowed_us)
            fail_msg("case %zu: %lld %lld %lld", i, (long long)turn.move_ms,
                     (long long)turn.left_ms, (long long)turn.allowed_us);
    }
}

// The microsecond that is too much, and the one before it.
static void test_deadline__a_flag_falls_exactly_at_its_limit(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        PlayerSpec player = player_of(CASES[i].own_ms, CASES[i].is_program);
        GameClock late = game_clock_start(&CASES[i].spec, &player, &player), early = late;
        int64_t allowed_us = CASES[i].allowed_us;
        assert_true(game_clock_charge(&early, BLACK, allowed_us ? allowed_us : INT64_C(1) << 50));
        if (allowed_us)
            assert_false(game_clock_charge(&late, BLACK, allowed_us + 1));
        assert_int_equal(early.left_us[WHITE], CASES[i].spec.match_ms * 1000); // not charged
        if (CASES[i].spec.first_ms > CASES[i].spec.move_ms && CASES[i].spec.match_ms == 0)
            assert_int_equal(game_clock_turn(&early, BLACK).allowed_us, 150000); // the second move
    }
}

// Random games: the clock is what it began with, more increments, less time.
static void test_deadline__a_match_clock_is_a_sum(void **state) {
    (void)state;
    Rng rng = rng_init(4);
    for (int game = 0; game < 50; game++) {
        ClockSpec spec = {.match_ms = 2000,
                          .increment_ms = (int64_t)rng_below(&rng, 200),
                          .margin_ms = (int64_t)rng_below(&rng, 100)};
        PlayerSpec player = player_of(0, true);
        GameClock clock = game_clock_start(&spec, &player, &player);
        int64_t left_us = 2000000;
        for (int move = 0; move < 40; move++) {
            int64_t took_us = (int64_t)rng_below(&rng, 400000);
            int64_t least = left_us + spec.margin_ms * 1000;
            SeatTurn turn = game_clock_turn(&clock, BLACK);
            assert_int_equal(turn.left_ms, left_us > 0 ? left_us / 1000 : 0);
            assert_int_equal(turn.allowed_us, least > 1 ? least : 1); // never 0: no limit
            bool in_time = game_clock_charge(&clock, BLACK, took_us);
            assert_int_equal(in_time, took_us <= turn.allowed_us);
            left_us += spec.increment_ms * 1000 - took_us;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deadline__the_tightest_limit_holds),
        cmocka_unit_test(test_deadline__a_flag_falls_exactly_at_its_limit),
        cmocka_unit_test(test_deadline__a_match_clock_is_a_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
