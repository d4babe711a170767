// SPDX-License-Identifier: GPL-3.0-or-later
// Files of positions: what `analyze`, `solve` and `verify` read.
//
// A file is TSV. Its header names the columns: `id` and either `moves` (from the first stone on,
// black first; `-` or empty: no stone; they may go on past a five) or `board` (cells from the top
// left, `X` black, `O` white, `.` empty; one string, or rows joined by `/`) with `side` (`X` or `O`
// to move), or both, which must then agree. Other columns are ignored; so are empty lines, lines
// that begin with `#`, and the carriage return of a line. Where a column is missing, some names of
// public collections stand for it: `board_top_row_first` and `board_rows_from_top` for board,
// `side_to_move` and `stm` for side (`b` and `w` are then X and O).
//
// Any stone counts are accepted: a position says itself whether a game can reach its counts.
#pragma once

#include "engine/board/board.h"
#include "engine/board/notation.h"

typedef struct Position {
    char *id; // owned
    int line; // of the file, from 1; 0 = not from a file
    int width, height;
    Colour side;    // to move
    bool has_order; // the stones are in the order they were played, the last is the last move
    bool has_usual_counts; // as many black as white stones, or one more, and the right side to move
    int stone_count;
    int16_t *stones;  // owned; cell of each stone
    uint8_t *colours; // owned; Colour of each stone
} Position;

// A growing list; zero-initialised is empty.
typedef struct PositionList {
    Position *items; // owned
    int count, cap;
} PositionList;

// Reads a file. Boards of positions that give moves only are `board_side` cells wide and high
// (2..22). Faults are "path:line: what": STATUS_INVALID, or STATUS_NOT_FOUND when the file cannot
// be opened; *out is then empty. Frees with positions_release. Thread: any.
Status positions_read(const char *path, int board_side, PositionList *out,
                      ErrorText *err) MUST_CHECK;

// The same from a text in memory; `name` stands for the path in messages. Thread: any.
Status positions_parse(const char *name, const char *text, int board_side, PositionList *out,
                       ErrorText *err) MUST_CHECK;

// Appends the position after the moves ("h8 i9 ...") under the given id. Thread: owner.
Status positions_add_moves(PositionList *list, const char *id, const char *moves, int board_side,
                           ErrorText *err) MUST_CHECK;

// Appends the position that stands on the board. Thread: owner.
Status positions_add_board(PositionList *list, const char *id, const Board *board,
                           ErrorText *err) MUST_CHECK;

// Frees all and empties the list; a zeroed one is fine. Thread: owner.
void positions_release(PositionList *list);

// Makes *board hold the position: its size, five in a row, the rule, the candidate radius. Thread:
// owner.
Status position_set_up(const Position *position, Rule rule, int radius, Board *board,
                       ErrorText *err) MUST_CHECK;

typedef struct PositionGame {
    Rule rule;
    int k;      // in a row, 2..6
    int radius; // candidate radius of the board
} PositionGame;

// The same for any k. Thread: owner.
Status position_set_up_game(const Position *position, const PositionGame *game, Board *board,
                            ErrorText *err) MUST_CHECK;
