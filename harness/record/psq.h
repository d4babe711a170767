// SPDX-License-Identifier: GPL-3.0-or-later
// Games as Piskvork and Gomocup write them.
//
//     Piskvorky 15x15, 11:11, 0      width x height; clocks that mean nothing to us
//     8,8,120                        one line a stone: column from the left, row from the top, from 1; milliseconds
//     ...
//     black.zip                      the player who began, then the other
//     white.zip
//     -1                             number of the opening, -1 = none
//     1,Freestyle                    newer files: 1 the first player won, 2 the second, 3 a draw; the rule
//
// We write all of it, and then lines `gomolab ...` with what the format has no place for (see
// game_sheet.h); readers of PSQ stop before them. Files with LF, CR or CRLF, with a byte-order
// mark, with blanks after commas, without names or result are read; several games may follow each
// other in one file. A name that would be read as another kind of line (`4`, `1,2`) is written with
// `player` before it, and as a field.
#pragma once

#include "harness/record/game_sheet.h"

// Appends a game, lines ended by CRLF. Thread: owner of `out`.
void psq_write(const GameSheet *sheet, Text *out);

// Reads the games of a text in memory of `length` bytes. A game with a fault is complained of, with
// the line, and left out; games are not settled. The failure of `take`, or STATUS_NO_MEMORY.
// Thread: any.
Status psq_read(const char *text, size_t length, const SheetTaker *taker,
                ErrorText *err) MUST_CHECK;
