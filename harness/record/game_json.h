// SPDX-License-Identifier: GPL-3.0-or-later
// Games as JSON lines: one object a game, with an array of its moves, named as in the database.
//
// Always valid UTF-8: bytes that are none, as engines may print them, become U+FFFD. What is not
// known is left out; infinite values are the strings "inf" and "-inf"; the seed is a string, since
// it has 64 bits.
#pragma once

#include "harness/record/game_sheet.h"

// Appends a game as one line. Thread: owner of `out`.
void game_json_write(const GameSheet *sheet, Text *out);
