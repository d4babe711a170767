// SPDX-License-Identifier: GPL-3.0-or-later
// The from-scratch twins of what board.h keeps incrementally: slow, plain, cell by cell. They are
// the oracles of the tests, and of searches with search.incremental no.
#pragma once

#include "engine/board/board.h"

// The Zobrist key of the stones and the side to move, computed anew. Thread: any reader.
uint64_t board_slow_key(const Board *board);

// Number of maximal runs of `colour` that win under the rule, found by walking every line. Thread:
// any reader.
int board_slow_wins(const Board *board, Colour colour);

// Would a stone of `colour` on the cell make a winning row? Found by walking the cells. Thread: any
// reader.
bool board_slow_wins_at(const Board *board, Move move, Colour colour);

// The candidate cells in board order, by looking around each cell; returns how many. Thread: any
// reader.
int board_slow_candidates(const Board *board, Move *out);

// Does every line word agree with the cells? Thread: any reader.
bool board_slow_lines_agree(const Board *board);
