// SPDX-License-Identifier: GPL-3.0-or-later
// A stored game as pages of a terminal: the board after each ply, and beside it who plays, what the
// move cost and meant.
#pragma once

#include "harness/record/game_record.h"
#include "harness/report/board_art.h"
#include "harness/report/table.h"
#include "harness/store/store_read.h"

// A game being looked at. `style` and `columns` may be set by the caller between pages.
typedef struct ReplayView {
    const GameRecord *game;              // borrowed
    char title[200];                     // "game 17 of depth-ladder, opening 3, freestyle 15x15"
    const char *black_name, *white_name; // borrowed from the store
    char black[80], white[80];           // the same, cut
    Board board;                         // scratch: the position of the last page drawn
    int board_ply;                       // plies on it
    ArtStyle style;
    int columns; // width of the terminal; 0 = no limit
} ReplayView;

// Prepares the view of a game of `store`; both are borrowed. STATUS_INVALID: the moves do not fit
// the board. About 60 KB, on the heap of the caller's choice. Thread: owner.
Status replay_view_init(ReplayView *view, const Store *store, const GameRecord *game,
                        ErrorText *err) MUST_CHECK;

// Appends the page after `ply` plies (0..move_count), lines with ends. Thread: owner.
void replay_view_page(ReplayView *view, int ply, Text *out);

// Appends all moves as a table: ply, stone, square, value, depth, nodes, time, principal variation.
// Thread: owner.
void replay_view_moves(ReplayView *view, Text *out);

// The first `plies` moves for programs, or as Markdown: all that is stored of each, unrounded, in
// the words and units of the database (player by name, square besides x and y). The caller frees
// it; NULL when out of memory. Thread: owner.
Table *replay_view_table(const ReplayView *view, int plies);
