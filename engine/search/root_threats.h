// SPDX-License-Identifier: GPL-3.0-or-later
// What threats prove before a search begins: a win of the mover's, and which of his moves lose to
// continuous fours.
#pragma once

#include "engine/search/search_state.h"

// Does the mover win by continuous fours (search.vcf) or threats (search.vct) at the root? Fills
// the result with the line; its value says that the five stands in so many plies at most. Thread:
// owner.
bool root_threats_win(Search *search, SearchResult *result);

// If the enemy would win by continuous fours were the mover to pass (search.vcf), finds the moves
// after which he does not: they and the mover's own fours are then the moves of the root, those
// that hold and those without judgement. Without any that holds the root is left alone. Thread:
// owner.
void root_threats_restrict(Search *search);

// The value of a root move that would be the best so far: `value` as searched, or a loss if the
// enemy wins by continuous threats after it (search.vct). Each move is asked once a search. Thread:
// owner.
double root_threats_value(Search *search, Move move, double value);

// Makes the root's list hold just those moves, if root_threats_restrict found it so: in the order
// of the list, then the others. Thread: owner.
void root_threats_apply(const Search *search, MoveList *list);
