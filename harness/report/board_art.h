// SPDX-License-Identifier: GPL-3.0-or-later
// A board as lines of text for a terminal.
//
// Which stone is black? Without colours `●` is black and `○` white, as on paper, whatever the
// terminal's background does to them; every picture of a game names both. With colours a board of
// wood is painted, on which both are `●`, black and white in truth. In ASCII they are X and O. The
// last stone stands in brackets; a row that won is underlined in colour.
#pragma once

#include "engine/base/text.h"
#include "engine/board/board.h"

typedef enum ArtStyle { ART_ASCII, ART_UNICODE, ART_COLOUR } ArtStyle;

// Terminal columns of a line of board_art_row, coordinates included. Thread: any.
int board_art_width(const Board *board);

// Lines of a whole board: one a row, and the letters below. Thread: any.
int board_art_height(const Board *board);

// Appends line `line` (0..height - 1) without its end. Thread: owner of `out`.
void board_art_line(const Board *board, ArtStyle style, int line, Text *out);

// Appends the stone of a colour, one column wide. Thread: owner of `out`.
void board_art_stone(Colour colour, ArtStyle style, Text *out);
