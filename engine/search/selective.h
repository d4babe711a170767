// SPDX-License-Identifier: GPL-3.0-or-later
// What a search may leave out or look at harder: decided lines, wins by fours, null moves,
// futility, reductions. Each is a knob of its own, none keeps the minimax value, and all read the
// threat map that the evaluation keeps for them.
#pragma once

#include "engine/search/search_state.h"

// Do the threats on the board decide the game for the mover, whatever is searched (search.threats)?
// A five to be made, two fives of the enemy, an open four that nothing answers. Sets *value.
// Thread: owner.
bool selective_decided(const Search *search, int ply, double *value);

// Does the mover win by continuous fours within the limits of a leaf (search.vcf)? Sets *value.
// Thread: owner.
bool selective_leaf_wins(Search *search, int ply, double *value);

// Plies by which this node is searched deeper: 1 when the enemy threatens a five (search.extend).
// Thread: owner.
int selective_extension(const Search *search);

// May the node be given up or won by its static value (search.razor, search.futility): no win in
// the window, and the enemy threatens neither five nor open four? Sets *value. Reads search->now.
// Thread: owner.
bool selective_stands(Search *search, const SearchNode *node, double *value);

// Is the move quiet: for neither side does it make more than a plain four or three? Thread: owner.
bool selective_is_quiet(const Search *search, Move move);

// Fills the table of reductions, by depth and number of the move. Thread: owner.
void selective_fill_reductions(Search *search);

// Plies by which the `index`th move of a node is searched less deep at first (search.lmr); 0 =
// none. Thread: owner.
int selective_reduction(const Search *search, const SearchNode *node, Move move, int index);

// May the `index`th move be left out altogether (search.late_moves)? `best` is the best value so
// far. Thread: owner.
bool selective_skips(const Search *search, const SearchNode *node, Move move, int index,
                     double best);

// How far below the table's value all other moves must be for it to be singular. Thread: any.
double selective_singular_margin(int depth_plies);
