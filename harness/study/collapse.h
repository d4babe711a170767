// SPDX-License-Identifier: GPL-3.0-or-later
// How a game was lost on the board: the shape of the attack that could not be stopped, or the
// single threat that was not.
//
// Read backwards from the five. Before it the winner had one cell for it (left open: missed four)
// or more. More than one came from two fours at once (double four) or from an open four; an open
// four from an open three, and that from the stone which made it: with a four (four-three), with
// another open three (double three), or alone, and then the loser could have answered (missed open
// three).
#pragma once

#include "engine/board/board.h"

typedef enum Collapse {
    COLLAPSE_NONE,              // no five at the end, or not five in a row
    COLLAPSE_MISSED_FIVE,       // the loser could have made five in its last move
    COLLAPSE_MISSED_FOUR,       // one cell to stop, and it was left open
    COLLAPSE_DOUBLE_FOUR,       // two fours by one stone
    COLLAPSE_FOUR_THREE,        // a four and an open three by one stone
    COLLAPSE_DOUBLE_THREE,      // two open threes by one stone
    COLLAPSE_MISSED_OPEN_THREE, // an open three alone, not answered
    COLLAPSE_NB
} Collapse;

// "four-three", "double three", ...; "-" for none. Thread: any.
const char *collapse_name(Collapse collapse);

// Reads the shape from a board whose last stone made the five; the board is changed (stones are
// taken back). COLLAPSE_NONE when the last stone made none. k = 5. Thread: owner.
Collapse collapse_of(Board *board);
