// SPDX-License-Identifier: GPL-3.0-or-later
// The board: stones, lines, key, candidate cells and winning rows, all kept up to date by place and
// undone exactly.
//
// State: cells by index; each line as two words (line.h); a 64-bit Zobrist key (Zobrist, "A new
// hashing method with application for game playing", 1970) over stones and side to move; per row a
// word of cells within the candidate radius of a stone; the number of winning rows of each colour.
// Undo pops what place saved; nothing is recomputed. Each part has a from-scratch twin
// (board_slow.h) which tests hold against it.
//
// Left out: evaluation (engine/eval), whose turn it should be by stone count (any position can be
// set up), time.
#pragma once

#include "engine/base/status.h"
#include "engine/board/line.h"
#include "engine/board/move.h"
#include "engine/board/rule.h"

#include <stdbool.h>
#include <stdint.h>

// What a stone changes and undo cannot derive from the stone itself.
typedef struct BoardUndo {
    uint64_t key;
    uint32_t near_rows[BOARD_MAX_SIDE]; // rows first_row..last_row as they were, from index 0
    int8_t first_row, last_row;         // first > last: none was saved
    uint16_t wins[COLOUR_NB];
    Colour side;
} BoardUndo;

// Plain data without pointers: assignment copies a position, history and all.
typedef struct Board {
    LineGeometry geometry;
    uint8_t width, height, k; // k stones in a row win
    uint8_t radius;           // candidates: Chebyshev distance to a stone; 0 = the whole board
    Rule rule;
    Colour side;              // to move
    uint16_t stone_count;     // both colours
    uint16_t setup_count;     // of these, the first so many were set up in no order of play
    uint16_t wins[COLOUR_NB]; // winning rows on the board (runs that the rule counts)
    uint64_t key;             // Zobrist, side to move included
    LineStones line[LINE_MAX];
    uint32_t near_rows[BOARD_MAX_SIDE]; // by y: bit x + LINE_PAD = within radius of a stone
                                        // (occupied cells included)
    uint8_t cells[BOARD_MAX_CELLS];     // Colour by index
    int16_t moves[BOARD_MAX_CELLS];     // stones in the order they were placed
    BoardUndo undo[BOARD_MAX_CELLS];    // parallel to moves
} Board;

// Makes an empty board, black to move. width, height 2..22, k 2..6, radius 0..22, else
// STATUS_INVALID and the board is untouched. Thread: owner. No allocation: the struct (about 60 KB)
// is the caller's.
Status board_init(Board *board, int width, int height, int k, Rule rule, int radius,
                  ErrorText *err) MUST_CHECK;

// Back to the empty board of the same size, rule and radius. Thread: owner.
void board_clear(Board *board);

// Places a stone of the side to move on the empty cell `move` and passes the turn. Playing on after
// a win is allowed. Thread: owner.
void board_place(Board *board, Move move);

// Places a stone of `colour` whoever is to move; afterwards `side_after` is. For set-up positions.
// Thread: owner.
void board_put(Board *board, Move move, Colour colour, Colour side_after);

// Takes the last placed stone back: the exact inverse of board_place or board_put. There must be
// one. Thread: owner.
void board_undo(Board *board);

// Gives the move to `side` without a stone; not undone by board_undo. For set-up positions. Thread:
// owner.
void board_set_side(Board *board, Colour side);

// width * height; cells are 0 up to that. Thread: any reader.
static inline int board_cell_count(const Board *board) { return board->width * board->height; }

// Is the cell on the board and empty? Thread: any reader.
static inline bool board_is_free(const Board *board, int cell) {
    return cell >= 0 && cell < board_cell_count(board) && board->cells[cell] == EMPTY;
}

// True when no cell is empty. Thread: any reader.
static inline bool board_is_full(const Board *board) {
    return board->stone_count == board_cell_count(board);
}

// The cell played last, MOVE_NONE on an empty board. Thread: any reader.
static inline Move board_last_move(const Board *board) {
    return board->stone_count ? board->moves[board->stone_count - 1] : (Move)MOVE_NONE;
}

// The cell of the last stone that was played in order; MOVE_NONE on an empty board and right after
// a set-up without order. Thread: any reader.
static inline Move board_last_played(const Board *board) {
    return board->stone_count > board->setup_count ? board->moves[board->stone_count - 1]
                                                   : (Move)MOVE_NONE;
}

// The centre: (width / 2, height / 2); h8 on 15x15. Thread: any.
static inline Move board_centre(const Board *board) {
    return (Move)(board->height / 2 * board->width + board->width / 2);
}

// Writes the candidate cells (empty, within the radius of a stone) to out in board order and
// returns how many; none on an empty board unless radius is 0. `out` has room for every cell.
// Thread: any reader.
int board_candidates(const Board *board, Move *out);

// Would a stone of `colour` on the cell make a winning row? Thread: any reader.
bool board_wins_at(const Board *board, Move move, Colour colour);

// Length of the longest run of `colour` through `cell`, were the cell of that colour. Thread: any
// reader.
int board_longest_run(const Board *board, Move cell, Colour colour);
