// SPDX-License-Identifier: GPL-3.0-or-later
// The clocks of a game: what a move may take, what is left, and when a flag falls.
//
// Limits of the experiment are strict up to a margin: per move, per match, increment after each
// move. A program's own limit (its knob search.time_ms) is strict for it, too; for our own engine
// it only says when to stop searching, since the engine keeps it itself. All times are microseconds
// here, milliseconds in specifications.
#pragma once

#include "engine/board/move.h"
#include "harness/play/seat.h"
#include "harness/record/experiment.h"

// Lives as long as a game; no clock is read here, elapsed times are handed in.
typedef struct GameClock {
    const ClockSpec *spec;        // borrowed
    int64_t move_ms[COLOUR_NB];   // limit a move that the player is told; 0 = none
    int64_t strict_ms[COLOUR_NB]; // limit a move that it loses by; 0 = none
    int64_t left_us[COLOUR_NB];   // of the match clock; below 0 within the margin
    bool has_moved[COLOUR_NB];
} GameClock;

// The clocks at the start of a game between `black` and `white`. Thread: owner.
GameClock game_clock_start(const ClockSpec *spec, const PlayerSpec *black, const PlayerSpec *white);

// What the next move of `colour` may take. Thread: owner.
SeatTurn game_clock_turn(const GameClock *clock, Colour colour);

// Charges a move that took `elapsed_us`. False when it took more than was allowed: the flag has
// fallen. Thread: owner.
bool game_clock_charge(GameClock *clock, Colour colour, int64_t elapsed_us);
