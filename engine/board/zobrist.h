// SPDX-License-Identifier: GPL-3.0-or-later
// Zobrist keys: one fixed random word a cell and colour, computed, not stored, so that keys are the
// same in every build and on every machine. The key of a position is the XOR over its stones, and
// ZOBRIST_WHITE_TO_MOVE when white is.
#pragma once

#include "engine/board/move.h"

#include <stdint.h>

// Any constant does that no stone's word is.
#define ZOBRIST_WHITE_TO_MOVE 0xA54FF53A5F1D36F1u

// The word of a stone: a finalised counter (as in rng.h), two multiplications instead of a load.
// Thread: any.
static inline uint64_t zobrist_stone(Move move, Colour colour) {
    uint64_t z = ((uint64_t)move * 2 + (uint64_t)colour + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
