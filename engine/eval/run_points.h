// SPDX-License-Identifier: GPL-3.0-or-later
// What a stone on each empty cell would be worth by the runs through it, for both colours.
//
// A stone changes the scores of the nearest empty cell on each side of it, past stones of one
// colour: at most 16 scores. They are brought up to date only when somebody asks
// (run_points_follow): most positions of a search are leaves, and nobody orders the moves of a
// leaf. For this the scores keep their own list of stones and their own lines, and a log to go
// back.
#pragma once

#include "engine/board/board.h"

enum { RUN_MAX = BOARD_MAX_SIDE, RUN_CHANGES = 4 * LINE_DIRECTIONS };

// One score as it was before the stone that changed it.
typedef struct RunChange {
    Move cell;
    uint8_t colour, direction;
    int32_t old;
} RunChange;

// About 90 KB, part of a model's state.
typedef struct RunPoints {
    // Worth of a run through a cell: [stones below][stones above][is the end below open?][above?].
    // Filled by the owner.
    int32_t through[RUN_MAX + 1][RUN_MAX + 1][2][2];
    int32_t score[COLOUR_NB][BOARD_MAX_CELLS]; // of empty cells, sum over directions
    int32_t gain[COLOUR_NB][BOARD_MAX_CELLS][LINE_DIRECTIONS];

    uint64_t key; // of the board that was followed last
    int count;    // stones followed
    Move move[BOARD_MAX_CELLS];
    uint8_t colour[BOARD_MAX_CELLS];
    LineStones line[LINE_MAX]; // of these stones
    uint8_t change_count[BOARD_MAX_CELLS];
    RunChange change[BOARD_MAX_CELLS][RUN_CHANGES]; // by stone: what it changed
} RunPoints;

// Stones of one colour around a bit of a line, and whether the cells beyond them are empty.
typedef struct RunAround {
    int below, above, open_below, open_above;
} RunAround;

// The stones around `bit`, whose own cell does not matter; `empty` has the empty cells of the line.
// Thread: any.
static inline RunAround run_around(uint32_t own, uint32_t empty, int bit) {
    int below = line_run_down(own, bit), above = line_run_up(own, bit);
    return (RunAround){below, above, (int)(empty >> (bit - below - 1) & 1u),
                       (int)(empty >> bit >> (above + 1) & 1u)};
}

// Starts from the empty board of this size; `through` must be filled. Thread: owner.
void run_points_reset(RunPoints *points, const Board *board);

// Goes from the stones that were followed to those on the board. Thread: owner.
void run_points_update(RunPoints *points, const Board *board);

// The same, at once when nothing has changed. Thread: owner.
static inline void run_points_follow(RunPoints *points, const Board *board) {
    if (points->key != board->key)
        run_points_update(points, board);
}
