// SPDX-License-Identifier: GPL-3.0-or-later
// One game: two seats, an opening, clocks and a referee make a record.
#pragma once

#include "engine/base/clock.h"
#include "harness/play/plan.h"
#include "harness/play/referee.h"
#include "harness/play/seat.h"

// All that decides a game, besides what the seats are.
typedef struct GameSetup {
    const Experiment *experiment; // borrowed, as everything here
    PlanSlot slot;
    const Move *opening;
    int opening_count;
    Seat *seats[COLOUR_NB]; // of black and white
    Clock clock;            // for the wall time of the game
    atomic_bool *stop;      // set: drop the game
} GameSetup;

// The seed of a seat in a game: of the slot and the colour only. Thread: any.
uint64_t game_seat_seed(uint64_t slot_seed, Colour colour);

// Plays a game. `referee` is scratch of the experiment. What goes wrong in a seat is a result (the
// seat loses), except: STATUS_STOPPED when the game was dropped, and statuses after which the run
// cannot go on (seat.h); then there is no record. The record is the caller's. Thread: owner of
// referee and seats.
Status game_play(const GameSetup *setup, Referee *referee, GameRecord **out,
                 ErrorText *err) MUST_CHECK;
