// SPDX-License-Identifier: GPL-3.0-or-later
// A playout: the game played on at random, quickly, to see who wins. Fives are made and stopped,
// open fours are made; otherwise the better of a few random candidates by point score is played.
#pragma once

#include "engine/search/search_state.h"

#include <math.h>

// A static value as a number between -1 and 1; `scale` becomes 1/2. Infinities are 1 and -1. A
// quotient, so that it is the same bits on every machine. Thread: any.
static inline double playout_squash(double value, double scale) {
    return isinf(value) ? (value > 0 ? 1 : -1) : value / (scale + fabs(value));
}

// Plays on from the current position, takes everything back, and returns what came of it for the
// side to move: 1 won, -1 lost, 0 drawn; between them, by the evaluation over `scale`, when nobody
// has won after a while. The position must not be decided. Random numbers are the search's.
// Thread: owner.
double playout_worth(Search *search, double scale);
