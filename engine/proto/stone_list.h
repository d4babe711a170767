// SPDX-License-Identifier: GPL-3.0-or-later
// Stones on their way onto a board: the lines between BOARD and DONE, and positions that are built
// again.
//
// The protocol names stones by whose they are, own or the opponent's, and in any order and number;
// which of the two is black follows only when the list is complete. Each cell is listed once.
#pragma once

#include "engine/board/board.h"
#include "engine/proto/gomocup.h"

typedef struct ListedStone {
    Move move;
    bool is_own;
} ListedStone;

typedef struct StoneList {
    ListedStone stone[BOARD_MAX_CELLS]; // in the order in which they came
    int count;
    bool is_listed[BOARD_MAX_CELLS]; // by cell
    ErrorText error;                 // the first line that was no stone; "" = none
} StoneList;

// Makes the list empty and without an error. Thread: owner.
void stone_list_clear(StoneList *list);

// Adds the stone of a line "x,y,field" (field 1 own, 2 the opponent's) on a board of this size. A
// line that is none, or names a cell twice, sets `error` instead; after the first such line nothing
// is added any more, so that the manager hears of the line that was at fault. Thread: owner.
void stone_list_read(StoneList *list, const GomocupCommand *line, int width, int height);

// Fills the list with the stones of a board in the order they were placed, as seen by `own`.
// Thread: owner.
void stone_list_take(StoneList *list, const Board *board, Colour own);

// Takes the stone on `cell` out, if it is listed; the others keep their order. Thread: owner.
void stone_list_remove(StoneList *list, Move cell);

// Puts the stones on an empty board of the size they were listed for; `own` is then to move.
// Thread: owner.
void stone_list_put(const StoneList *list, Board *board, Colour own);
