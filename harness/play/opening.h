// SPDX-License-Identifier: GPL-3.0-or-later
// Openings: the first stones of a game, black first, as a set that is held compactly (two bytes a
// stone, eight an opening).
//
// A set is checked as it grows: every stone on the board and on an empty cell, nobody has won, a
// cell is left to play on. Where openings come from - files, random stones - is in opening_reader.h
// and here; which game gets which is the plan's.
#pragma once

#include "engine/base/rng.h"
#include "engine/base/status.h"
#include "engine/board/board.h"

#include <stdint.h>

typedef struct OpeningSet {
    int width, height, k;
    Rule rule;
    Board *board;    // owned scratch for checking
    Move *moves;     // owned; all openings one after the other
    uint32_t *first; // owned; count + 1 indices into moves
    uint32_t *lines; // owned; line of the source file, from 1
    int64_t count;   // openings
    int64_t cap, move_cap;
    bool skips_won;    // set by the owner: won openings are counted, not refused
    int64_t won;       // so many
    int64_t won_line;  // line of the first of them
    ErrorText won_why; // what is wrong with it
} OpeningSet;

// An empty set for games of this size and rule. STATUS_INVALID for a size that no board has,
// STATUS_NO_MEMORY. Thread: owner.
Status opening_set_init(OpeningSet *set, int width, int height, int k, Rule rule,
                        ErrorText *err) MUST_CHECK;

// Frees what the set owns and zeroes it; a zeroed set is fine. Thread: owner.
void opening_set_release(OpeningSet *set);

// Adds an opening of `count` stones (cells; negative or too large = outside), which came from
// `line`. STATUS_INVALID, saying which stone and why, when it may not start a game; the set is
// unchanged then. Thread: owner.
Status opening_set_add(OpeningSet *set, const int *cells, int count, int64_t line,
                       ErrorText *err) MUST_CHECK;

// The stones of an opening, borrowed until the set changes; *count gets their number. Thread: any
// reader.
const Move *opening_set_get(const OpeningSet *set, int64_t index, int *count);

// Plays the stones on a cleared board. Thread: owner of the board.
void opening_play(Board *board, const Move *moves, int count);

// `plies` stones on distinct random cells of the whole board, none of them a win, written to
// `moves`; `board` is scratch of the size and rule. Returns the number of stones: fewer than
// `plies` only when the board has no more cells that do not win. Thread: owner.
int opening_random(Board *board, int plies, Rng *rng, Move *moves);
