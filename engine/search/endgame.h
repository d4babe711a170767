// SPDX-License-Identifier: GPL-3.0-or-later
// Solves a position to the end of the game: who wins, in how many plies, by which moves. For small
// worlds and for boards with few empty cells; any size, rule and k.
//
// Alpha-beta over all empty cells with a table of exact bounds; won and lost values carry the
// distance, so the winner is found to be as quick and the loser as slow as can be. A draw lasts
// until the board is full.
#pragma once

#include "engine/board/board.h"
#include "engine/search/tt.h"

typedef struct EndgameResult {
    bool solved;               // false: the node limit came first, nothing else is known
    int outcome;               // 1 won, 0 drawn, -1 lost, for the side to move
    int plies;                 // moves to the end with best play of both
    int by_value, by_distance; // moves that keep the outcome; of those, that keep the distance too
    Move value_move[BOARD_MAX_CELLS], distance_move[BOARD_MAX_CELLS]; // in board order
    int line_length;
    Move line[BOARD_MAX_CELLS]; // one line of best play to the end
    uint64_t nodes;
} EndgameResult;

// Solves for the side to move on an unfinished board (a finished or full one is answered with plies
// 0 and no moves). `node_limit` 0 = none. Works on `board` and leaves it as it was. `tt` is used
// and not cleared. Thread: owner.
void endgame_solve(Board *board, TransTable *tt, uint64_t node_limit, EndgameResult *result);
