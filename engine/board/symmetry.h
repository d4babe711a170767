// SPDX-License-Identifier: GPL-3.0-or-later
// The symmetries of a board: eight of a square, four of another rectangle; and keys that do not see
// them.
//
// A symmetry is a number of three bits, done in this order: 1 mirrors left-right, 2 mirrors
// top-bottom, 4 swaps x and y. 0 changes nothing. Only square boards have the ones with bit 4.
#pragma once

#include "engine/board/move.h"

#include <stdint.h>

enum { SYMMETRY_NB = 8 };

// How many symmetries a board has: 8 or 4; they are the numbers below that. Thread: any.
static inline int symmetry_count(int width, int height) { return width == height ? 8 : 4; }

// Where `symmetry` takes the cell `move`. Thread: any.
Move symmetry_apply(int width, int height, int symmetry, Move move);

// The symmetry that takes it back. Thread: any.
int symmetry_inverse(int symmetry);

// Key of the position after `count` alternating stones, black first, under a symmetry: equal
// positions have equal keys however their stones were ordered, different ones differ up to the odds
// of 64 bits. Side to move included. Thread: any.
uint64_t symmetry_position_key(int width, int height, const Move *moves, int count, int symmetry);

// The smallest of these keys over all symmetries: the same for positions that are images of each
// other. Thread: any.
uint64_t symmetry_canonical_key(int width, int height, const Move *moves, int count);
