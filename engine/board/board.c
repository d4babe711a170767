// SPDX-License-Identifier: GPL-3.0-or-later
// Place and undo, and the questions asked of a board.
#include "engine/board/board.h"

#include "engine/base/check.h"
#include "engine/board/zobrist.h"

#include <string.h>

Status board_init(Board *board, int width, int height, int k, Rule rule, int radius,
                  ErrorText *err) {
    if (width < BOARD_MIN_SIDE || width > BOARD_MAX_SIDE || height < BOARD_MIN_SIDE ||
        height > BOARD_MAX_SIDE)
        return error_set(err, STATUS_INVALID, "board %dx%d: sides must be %d..%d", width, height,
                         BOARD_MIN_SIDE, BOARD_MAX_SIDE);
    if (k < BOARD_MIN_K || k > BOARD_MAX_K)
        return error_set(err, STATUS_INVALID, "%d in a row: must be %d..%d", k, BOARD_MIN_K,
                         BOARD_MAX_K);
    if ((unsigned)rule >= RULE_NB)
        return error_set(err, STATUS_INVALID, "rule %d does not exist", (int)rule);
    if (radius < 0 || radius > BOARD_MAX_SIDE)
        return error_set(err, STATUS_INVALID, "candidate radius %d: must be 0..%d", radius,
                         BOARD_MAX_SIDE);
    // Nothing was written so far: a failure leaves the board as it was.
    line_geometry_init(&board->geometry, width, height);
    board->width = (uint8_t)width;
    board->height = (uint8_t)height;
    board->k = (uint8_t)k;
    board->rule = rule;
    board->radius = (uint8_t)radius;
    board_clear(board);
    return STATUS_OK;
}

void board_clear(Board *board) {
    // moves and undo stay as they are: nobody reads beyond stone_count.
    board->side = BLACK;
    board->stone_count = 0;
    board->setup_count = 0;
    board->key = 0;
    memset(board->wins, 0, sizeof board->wins);
    memset(board->line, 0, sizeof board->line);
    memset(board->near_rows, 0, sizeof board->near_rows);
    memset(board->cells, EMPTY, sizeof board->cells);
    if (board->radius == 0)
        for (int y = 0; y < board->height; y++)
            board->near_rows[y] = bits_below(board->width) << LINE_PAD;
}

// Puts the stone on its four lines and counts winning rows: the new run against the two it joins.
// Under "exactly k" a stone can also end a winning row by lengthening it, so the count may fall.
static void board_lines_add(Board *board, Move move, Colour colour) {
    const CellLines *at = &board->geometry.cell[move];
    int wins = 0;
    for (int d = 0; d < LINE_DIRECTIONS; d++) {
        // Most stones have no neighbour of their colour on most lines: one test spares two scans.
        uint32_t *own = &board->line[at->line[d]].stones[colour];
        int bit = at->bit[d];
        bool lonely = line_is_lonely(*own, bit);
        int up = lonely ? 0 : line_run_up(*own, bit), down = lonely ? 0 : line_run_down(*own, bit);
        *own |= (uint32_t)1 << bit;
        if (up + down + 1 < board->k)
            continue;
        wins += rule_run_wins(board->rule, up + down + 1, board->k);
        wins -=
            rule_run_wins(board->rule, up, board->k) + rule_run_wins(board->rule, down, board->k);
    }
    board->wins[colour] = (uint16_t)(board->wins[colour] + wins);
}

// Marks the cells within the radius. The rows are saved whole: at most 2 radius + 1 words, and undo
// need not find out which cells are near for the sake of another stone.
static void board_near_add(Board *board, Move move, BoardUndo *undo) {
    int radius = board->radius;
    if (radius == 0) { // every cell is near already
        undo->first_row = 0;
        undo->last_row = -1;
        return;
    }
    int x = move % board->width, y = move / board->width;
    int first = y > radius ? y - radius : 0;
    int last = y + radius < board->height ? y + radius : board->height - 1;
    int left = x > radius ? x - radius : 0;
    int right = x + radius < board->width ? x + radius : board->width - 1;
    undo->first_row = (int8_t)first;
    undo->last_row = (int8_t)last;
    uint32_t span = bits_below(right - left + 1) << (left + LINE_PAD);
    for (int row = first; row <= last; row++) {
        undo->near_rows[row - first] = board->near_rows[row];
        board->near_rows[row] |= span;
    }
}

void board_put(Board *board, Move move, Colour colour, Colour side_after) {
    ASSERT(board_is_free(board, move));
    // The record first: what follows changes what it saves.
    BoardUndo *undo = &board->undo[board->stone_count];
    undo->key = board->key;
    undo->side = board->side;
    memcpy(undo->wins, board->wins, sizeof undo->wins);
    board_near_add(board, move, undo);
    board_lines_add(board, move, colour);
    board->cells[move] = (uint8_t)colour;
    board->moves[board->stone_count++] = move;
    board->key ^= zobrist_stone(move, colour);
    board_set_side(board, side_after);
}

void board_place(Board *board, Move move) {
    board_put(board, move, board->side, colour_other(board->side));
}

void board_set_side(Board *board, Colour side) {
    if (board->side != side)
        board->key ^= ZOBRIST_WHITE_TO_MOVE;
    board->side = side;
}

void board_undo(Board *board) {
    ASSERT(board->stone_count > 0);
    const BoardUndo *undo = &board->undo[--board->stone_count];
    Move move = board->moves[board->stone_count];
    Colour colour = (Colour)board->cells[move];
    const CellLines *at = &board->geometry.cell[move];
    // The stone is there, so flipping its bit takes it away. Everything else is put back, not
    // undone.
    for (int d = 0; d < LINE_DIRECTIONS; d++)
        board->line[at->line[d]].stones[colour] ^= (uint32_t)1 << at->bit[d];
    for (int row = undo->first_row; row <= undo->last_row; row++)
        board->near_rows[row] = undo->near_rows[row - undo->first_row];
    memcpy(board->wins, undo->wins, sizeof board->wins);
    board->cells[move] = EMPTY;
    board->key = undo->key;
    board->side = undo->side;
    if (board->setup_count > board->stone_count)
        board->setup_count = board->stone_count; // what is put in its place has been played
}

// Rows are lines too, the first ones: a word a row, and its bits from the lowest give board order.
int board_candidates(const Board *board, Move *out) {
    int count = 0;
    for (int y = 0; y < board->height; y++) {
        const LineStones *row = &board->line[y];
        uint32_t free = board->near_rows[y] & ~(row->stones[BLACK] | row->stones[WHITE]);
        int base = y * board->width - LINE_PAD;
        for (; free; free &= free - 1)
            out[count++] = (Move)(base + bits_lowest(free));
    }
    return count;
}

bool board_wins_at(const Board *board, Move move, Colour colour) {
    const CellLines *at = &board->geometry.cell[move];
    for (int d = 0; d < LINE_DIRECTIONS; d++) {
        uint32_t own = board->line[at->line[d]].stones[colour];
        if (line_is_lonely(own, at->bit[d]))
            continue; // a run of one, and k is 2 at least
        int run = line_run_up(own, at->bit[d]) + line_run_down(own, at->bit[d]) + 1;
        if (rule_run_wins(board->rule, run, board->k))
            return true;
    }
    return false;
}

// Longer than k counts, too: this is for ordering moves, and wins nothing by itself.
int board_longest_run(const Board *board, Move cell, Colour colour) {
    const CellLines *at = &board->geometry.cell[cell];
    int longest = 0;
    for (int d = 0; d < LINE_DIRECTIONS; d++) {
        uint32_t own = board->line[at->line[d]].stones[colour];
        int run = line_run_up(own, at->bit[d]) + line_run_down(own, at->bit[d]) + 1;
        longest = run > longest ? run : longest;
    }
    return longest;
}
