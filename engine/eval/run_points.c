// SPDX-License-Identifier: GPL-3.0-or-later
// Point scores of runs, followed stone by stone.
#include "engine/eval/run_points.h"

#include <string.h>

// What a stone of `colour` on the cell would be worth in direction `d`, whatever stands there.
static int32_t line_gain(const RunPoints *points, const Board *board, Move cell, int d,
                         int colour) {
    const CellLines *at = &board->geometry.cell[cell];
    const LineStones *line = &points->line[at->line[d]];
    uint32_t empty =
        ~(line->stones[BLACK] | line->stones[WHITE] | board->geometry.wall[at->line[d]]);
    RunAround own = run_around(line->stones[colour], empty, at->bit[d]);
    return points->through[own.below][own.above][own.open_below][own.open_above];
}

void run_points_reset(RunPoints *points, const Board *board) {
    // The empty board, whatever stands on this one: its stones are followed at the first question.
    memset(points->line, 0, sizeof points->line);
    memset(points->score, 0, sizeof points->score);
    points->count = 0;
    points->key = board->key ^ 1; // whatever the board holds, it has not been followed yet
    for (int colour = 0; colour < COLOUR_NB; colour++)
        for (Move cell = 0; cell < board_cell_count(board); cell++)
            for (int d = 0; d < LINE_DIRECTIONS; d++) {
                points->gain[colour][cell][d] = line_gain(points, board, cell, d, colour);
                points->score[colour][cell] += points->gain[colour][cell][d];
            }
}

// Computes one score anew if the bit is an empty cell, and logs what it was.
static inline void refresh(RunPoints *points, const Board *board, int line, int bit, int d,
                           int colour) {
    const LineStones *stones = &points->line[line];
    uint32_t empty = ~(stones->stones[BLACK] | stones->stones[WHITE] | board->geometry.wall[line]);
    if (!(empty >> bit & 1u))
        return;
    Move cell = line_cell(&board->geometry, line, bit);
    RunAround own = run_around(stones->stones[colour], empty, bit);
    int32_t now = points->through[own.below][own.above][own.open_below][own.open_above];
    int32_t *gain = &points->gain[colour][cell][d];
    if (*gain == now)
        return;
    points->change[points->count][points->change_count[points->count]++] =
        (RunChange){cell, (uint8_t)colour, (uint8_t)d, *gain};
    points->score[colour][cell] += now - *gain;
    *gain = now;
}

// Follows one stone. In each direction the first cell beyond the run on either side, of either
// colour, is all that can change: runs end at the first gap. The score of the stone's own cell
// stays as it was; nobody asks for it, and it is right again when the stone is gone.
static void push(RunPoints *points, const Board *board, Move move, Colour stone) {
    const CellLines *at = &board->geometry.cell[move];
    points->change_count[points->count] = 0;
    for (int d = 0; d < LINE_DIRECTIONS; d++) {
        int line = at->line[d], bit = at->bit[d];
        points->line[line].stones[stone] ^= (uint32_t)1 << bit;
        for (int colour = 0; colour < COLOUR_NB; colour++) {
            uint32_t own = points->line[line].stones[colour];
            refresh(points, board, line, bit + 1 + line_run_up(own, bit), d, colour);
            refresh(points, board, line, bit - 1 - line_run_down(own, bit), d, colour);
        }
    }
    points->move[points->count] = move;
    points->colour[points->count++] = (uint8_t)stone;
}

static void pop(RunPoints *points, const Board *board) {
    int last = --points->count;
    const CellLines *at = &board->geometry.cell[points->move[last]];
    for (int d = 0; d < LINE_DIRECTIONS; d++)
        points->line[at->line[d]].stones[points->colour[last]] ^= (uint32_t)1 << at->bit[d];
    for (int i = points->change_count[last]; i-- > 0;) {
        const RunChange *change = &points->change[last][i];
        int32_t *gain = &points->gain[change->colour][change->cell][change->direction];
        points->score[change->colour][change->cell] += change->old - *gain;
        *gain = change->old;
    }
}

void run_points_update(RunPoints *points, const Board *board) {
    // Back to the last stone in common and on from there: between two questions a search has mostly
    // moved a few plies. Equal keys never come here, and equal stones in another order score the
    // same.
    int common = 0,
        shorter = points->count < board->stone_count ? points->count : board->stone_count;
    while (common < shorter && points->move[common] == board->moves[common] &&
           points->colour[common] == board->cells[board->moves[common]])
        common++;
    while (points->count > common)
        pop(points, board);
    while (points->count < board->stone_count) {
        Move move = board->moves[points->count];
        push(points, board, move, (Colour)board->cells[move]);
    }
    points->key = board->key;
}
