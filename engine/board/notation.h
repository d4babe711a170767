// SPDX-License-Identifier: GPL-3.0-or-later
// How people write moves: `h8`, letters from the left, numbers from the bottom (a15 is the top left
// of 15x15, h8 its centre); files that count rows from the top say so. And how files write boards:
// `X` black, `O` white, `.` empty.
#pragma once

#include "engine/base/text.h"
#include "engine/board/board.h"

typedef enum RowOrder {
    ROWS_BOTTOM,
    ROWS_TOP
} RowOrder; // does row 1 lie at the bottom (the default) or at the top?

typedef struct SquareText {
    char text[8]; // "v22" and its NUL, with room
} SquareText;

// "h8" for a cell, "-" for MOVE_NONE. Thread: any.
SquareText notation_square(const Board *board, Move move);

// Reads one square at the start of `text` (any case, letters a..v, then digits). Returns the number
// of bytes read and sets *out to the cell; 0 when there is no square, and -1 when it lies outside
// the board (*out untouched). Thread: any.
int notation_read_square(const Board *board, RowOrder rows, const char *text, Move *out);

// Plays a list of moves ("h8 i9 ...", also "h8i9", blanks and commas between; "-" or "" = none) on
// the board, the side to move first. Moves may go on past a five. On failure says which move and
// why (STATUS_INVALID) and the board is as before. Thread: owner.
Status notation_play_moves(Board *board, RowOrder rows, const char *text,
                           ErrorText *err) MUST_CHECK;

// Sets up the stones of a board text (rows from the top, one string or joined by `/`) with `side`
// to move, on a cleared board. Any numbers of stones are accepted. Stones are put in board order,
// so there is no last move (setup_count). On failure (wrong length, wrong character) the board is
// empty. Thread: owner.
Status notation_set_board(Board *board, const char *text, Colour side, ErrorText *err) MUST_CHECK;

// Appends the moves of the board in order, separated by blanks; "-" when there is none. Thread:
// owner of `out`.
void notation_write_moves(const Board *board, Text *out);

// Appends the board as rows from the top, joined by `/`. Thread: owner of `out`.
void notation_write_board(const Board *board, Text *out);
