// SPDX-License-Identifier: GPL-3.0-or-later
// The quick ordering of candidates, for selective searches: one whole number a move, summed up from
// the threat map (eval/threat_order.h) and what the search has learned.
//
// Key and cell share a word, so the best move is the largest word. Nothing is sorted: most nodes
// are cut after a move or two, and a sort would order what nobody looks at. Used through
// movepick.h.
#pragma once

#include "engine/search/search_state.h"

// Can the candidates be ordered by one sum over the threat map, picked one at a time? Where the
// search is selective, and the ordering one term of the threat model: the score of both sides, with
// or without history, killers and counter-moves. Its parts are then weighed against each other.
// Thread: owner.
bool movepick_can_be_quick(const Search *search);

// Fills list[ply] with the candidates and their keys, `first` (if it is one) already in front and
// counted by moves.limit like the others. With moves.forced those that cannot meet a double threat
// of the enemy's are left out. Thread: owner.
void movepick_pack(Search *search, int ply, Move first);

// Moves the best of what is left to move[index]; something must be left. Thread: owner.
void movepick_pick(Search *search, int ply, int index);
