// SPDX-License-Identifier: GPL-3.0-or-later
// Games as SGF, FF[4], GM[4] (Gomoku and Renju).
//
// Written: players (PB, PW), result (RE), rule (RU), size (SZ), event (EV), round (RO, the slot),
// date (DT), and the fields of game_sheet.h in the root's comment GC and in the comment C of every
// move. Read: collections of games, the first variation at each branch, set-up stones (AB, AW) if
// they can be stones of an opening played in turn, RU as a word or as the number of the Gomocup
// protocol, SZ[15] or SZ[15:14]; without SZ the board is 15x15. Comments `C[opening move]` and
// `C[123ms]`, which another match runner writes, are understood. What stands outside the trees is
// passed over.
//
// After Hollosi, "SGF File Format FF[4]" (red-bean.com/sgf, 1997-2019).
#pragma once

#include "harness/record/game_sheet.h"

// Appends one game tree and a newline. Thread: owner of `out`.
void sgf_write(const GameSheet *sheet, Text *out);

// Reads the games of a text in memory of `length` bytes. A game with a fault is complained of, with
// the line, and left out; games are not settled. The failure of `take`, or STATUS_NO_MEMORY.
// Thread: any.
Status sgf_read(const char *text, size_t length, const SheetTaker *taker,
                ErrorText *err) MUST_CHECK;
