// SPDX-License-Identifier: GPL-3.0-or-later
// Counting down.
#include "harness/play/deadline.h"

// The tighter of two limits, of which 0 is none.
static int64_t sooner(int64_t a, int64_t b) { return a == 0 ? b : b == 0 ? a : a < b ? a : b; }

static void set_limits(GameClock *clock, Colour colour, const PlayerSpec *player) {
    int64_t own_ms = knob_int(&player->knobs, KNOB_SEARCH_TIME_MS);
    clock->move_ms[colour] = sooner(clock->spec->move_ms, own_ms);
    // A program is stopped by nobody but us, so its own limit is strict; our engine keeps
    // search.time_ms by itself and may run a little over it without losing by that.
    clock->strict_ms[colour] =
        player->external.command ? clock->move_ms[colour] : clock->spec->move_ms;
    clock->left_us[colour] = clock->spec->match_ms * 1000;
}

GameClock game_clock_start(const ClockSpec *spec, const PlayerSpec *black,
                           const PlayerSpec *white) {
    GameClock clock = {.spec = spec};
    set_limits(&clock, BLACK, black);
    set_limits(&clock, WHITE, white);
    return clock;
}

SeatTurn game_clock_turn(const GameClock *clock, Colour colour) {
    const ClockSpec *spec = clock->spec;
    SeatTurn turn = {.move_ms = clock->move_ms[colour], .left_ms = -1};
    int64_t margin_us = spec->margin_ms * 1000;
    int64_t strict_ms = clock->strict_ms[colour];
    // Many programs fill their tables at the first move: `first_ms` may give them longer.
    if (!clock->has_moved[colour] && spec->first_ms > strict_ms)
        strict_ms = spec->first_ms;
    if (strict_ms > 0)
        turn.allowed_us = strict_ms * 1000 + margin_us;
    if (spec->match_ms > 0) {
        int64_t left_us = clock->left_us[colour];
        turn.left_ms = left_us > 0 ? left_us / 1000 : 0;
        // Never 0, which would mean no deadline: a clock that is used up leaves a microsecond,
        // which nobody keeps.
        int64_t allowed_us = left_us + margin_us > 1 ? left_us + margin_us : 1;
        turn.allowed_us = sooner(turn.allowed_us, allowed_us);
    }
    return turn;
}

bool game_clock_charge(GameClock *clock, Colour colour, int64_t elapsed_us) {
    int64_t allowed_us = game_clock_turn(clock, colour).allowed_us;
    clock->has_moved[colour] = true;
    // Judged above by the limits before the move: the increment is earned by a move, it does not
    // save one that was late.
    clock->left_us[colour] += clock->spec->increment_ms * 1000 - elapsed_us;
    return allowed_us == 0 || elapsed_us <= allowed_us;
}
