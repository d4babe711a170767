// SPDX-License-Identifier: GPL-3.0-or-later
// Games in the manner of PGN, for programs that rate players: tags, then numbered squares.
//
// Result is of the tags White and Black, as in chess and as rating programs take it: "1-0" means
// that the player named White won (here he moved second unless the opening says otherwise; Winner
// names him). The tag First says whose turn it was after the opening; squares count rows from the
// bottom.
#pragma once

#include "harness/record/game_sheet.h"

// Appends a game and an empty line. Thread: owner of `out`.
void pgn_write(const GameSheet *sheet, Text *out);
