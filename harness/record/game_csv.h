// SPDX-License-Identifier: GPL-3.0-or-later
// Games as CSV (RFC 4180) with a header: one row a stone, the game's columns repeated, named as in
// the database.
//
// A game whose moves were not logged is one row with the columns of the move empty; so is what is
// not known of a move.
#pragma once

#include "harness/record/game_sheet.h"

// Appends the header, or the rows of a game. Thread: owner of `out`.
void game_csv_write_header(Text *out);
void game_csv_write(const GameSheet *sheet, Text *out); // the rows of a game
