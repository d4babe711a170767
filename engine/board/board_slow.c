// SPDX-License-Identifier: GPL-3.0-or-later
// Oracles for the board, written to be obviously right: they read the cells and nothing that place
// and undo keep, so that a fault there cannot hide here.
#include "engine/board/board_slow.h"

#include "engine/board/zobrist.h"

// -1 outside equals no colour: every run ends at the border without a test of its own.
static int cell_at(const Board *board, int x, int y) {
    bool inside = x >= 0 && x < board->width && y >= 0 && y < board->height;
    return inside ? board->cells[y * board->width + x] : -1;
}

uint64_t board_slow_key(const Board *board) {
    uint64_t key = board->side == WHITE ? ZOBRIST_WHITE_TO_MOVE : 0;
    for (int cell = 0; cell < board_cell_count(board); cell++)
        if (board->cells[cell] != EMPTY)
            key ^= zobrist_stone((Move)cell, (Colour)board->cells[cell]);
    return key;
}

// Stones of the cell's colour from the cell on, itself included.
static int run_from(const Board *board, int x, int y, int dx, int dy) {
    int colour = cell_at(board, x, y), run = 0;
    while (cell_at(board, x + run * dx, y + run * dy) == colour)
        run++;
    return run;
}

int board_slow_wins(const Board *board, Colour colour) {
    // Forward steps of the four directions; backward is the same run from its other end.
    static const int DX[] = {1, 0, 1, -1}, DY[] = {0, 1, 1, 1};
    int wins = 0;
    for (int cell = 0; cell < board_cell_count(board); cell++) {
        int x = cell % board->width, y = cell / board->width;
        for (int d = 0; d < 4 && board->cells[cell] == colour; d++)
            if (cell_at(board, x - DX[d], y - DY[d]) != (int)colour) // the start of a run
                wins += rule_run_wins(board->rule, run_from(board, x, y, DX[d], DY[d]), board->k);
    }
    return wins;
}

bool board_slow_wins_at(const Board *board, Move move, Colour colour) {
    static const int DX[] = {1, 0, 1, -1}, DY[] = {0, 1, 1, 1};
    int x = move % board->width, y = move / board->width;
    for (int d = 0; d < 4; d++) {
        int run = 1;
        for (int sign = -1; sign <= 1; sign += 2)
            for (int step = sign; cell_at(board, x + step * DX[d], y + step * DY[d]) == (int)colour;
                 step += sign)
                run++;
        if (rule_run_wins(board->rule, run, board->k))
            return true;
    }
    return false;
}

// With radius 0 every cell is a candidate, on the empty board, too.
static bool near_a_stone(const Board *board, int x, int y) {
    for (int dy = -board->radius; dy <= board->radius; dy++)
        for (int dx = -board->radius; dx <= board->radius; dx++) {
            int found = cell_at(board, x + dx, y + dy);
            if (found == BLACK || found == WHITE)
                return true;
        }
    return board->radius == 0;
}

int board_slow_candidates(const Board *board, Move *out) {
    int count = 0;
    for (int cell = 0; cell < board_cell_count(board); cell++)
        if (board->cells[cell] == EMPTY &&
            near_a_stone(board, cell % board->width, cell / board->width))
            out[count++] = (Move)cell;
    return count;
}

static uint32_t slow_line_word(const Board *board, int line, int colour) {
    uint32_t word = 0;
    for (int bit = 0; bit < 32; bit++)
        if (!(board->geometry.wall[line] >> bit & 1) &&
            board->cells[line_cell(&board->geometry, line, bit)] == colour)
            word |= (uint32_t)1 << bit;
    return word;
}

bool board_slow_lines_agree(const Board *board) {
    for (int line = 0; line < board->geometry.line_count; line++)
        for (int colour = 0; colour < COLOUR_NB; colour++)
            if (board->line[line].stones[colour] != slow_line_word(board, line, colour))
                return false;
    return true;
}
