// SPDX-License-Identifier: GPL-3.0-or-later
// Moves that a player makes without searching, when it plays (play.*): the first stone, a random
// candidate, five in a row now, the enemy's five stopped.
#pragma once

#include "engine/search/search.h"

// Chooses such a move if the knobs ask for one: fills *result (value NaN: nothing was searched) and
// returns true. The cost is then 0. Thread: owner.
bool instant_move(Search *search, SearchResult *result);

// The first candidate in board order, else the first empty cell: what a player that must move does
// when its search has no move (a game over by its own rule only, no candidates by its own knobs).
// MOVE_NONE on a full board. Thread: owner.
Move instant_any_move(const Search *search);
