// SPDX-License-Identifier: GPL-3.0-or-later
// A closer look at one position through the eyes of a player: what it would play and why, and what
// it thinks of the other moves.
#pragma once

#include "engine/engine.h"

enum { CLOSE_LOOK_MAX = 64 };

// One move, and what the player sees after it.
typedef struct CandidateLook {
    Move move;
    double value; // from the mover's side, as `best` counts it: the search of the rest of the depth
    Move line[ENGINE_MAX_PV]; // starts with `move`
    int line_length;
    bool is_best, is_played;
} CandidateLook;

// What the player would play, with its cost, and its candidates.
typedef struct CloseLook {
    ThinkReport best;
    CandidateLook candidates[CLOSE_LOOK_MAX]; // by value, best first
    int count;
} CloseLook;

// Lets the player of `knobs` look at the position, and then at `max` (0..CLOSE_LOOK_MAX) moves of
// it one by one: its best, `played` (MOVE_NONE: nobody knows) and those with the best static value
// after them, each searched by itself within the limits of the knobs. A finished position has no
// candidates. STATUS_UNSUPPORTED for a board that the player cannot do, STATUS_NO_MEMORY. Thread:
// any.
Status close_look(const KnobSet *knobs, const Board *position, Move played, int max, CloseLook *out,
                  ErrorText *err) MUST_CHECK;

// Plies to the end when the value is a proven win (positive) or loss (negative); 0: it is neither.
// Thread: any.
int close_look_plies(double value);
