// SPDX-License-Identifier: GPL-3.0-or-later
// A search opened on a position, with its board and evaluation within reach: for tests of what
// stands between the evaluation and the facade.
#pragma once

#include "engine/board/notation.h"
#include "engine/search/search.h"
#include "tests/support/random_board.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct SearchRig {
    Board board;
    Eval eval;
    Search search;
} SearchRig;

// Applies "key=value key=value ..." to the knobs; lists are written without blanks.
static inline void rig_set(KnobSet *knobs, const char *settings) {
    char copy[512], *rest = copy, *word;
    ErrorText err = {{0}};
    snprintf(copy, sizeof copy, "%s", settings);
    while ((word = strtok_r(rest, " ", &rest))) {
        char *equals = strchr(word, '=');
        *equals = '\0';
        if (knob_set_text(knobs, word, equals + 1, &err))
            fail_msg("%s", err.text);
    }
}

// Opens evaluation and search on the board as it stands; its radius becomes that of the knobs.
static inline void rig_open_here(SearchRig *rig, const char *settings) {
    KnobSet knobs = knob_defaults();
    ErrorText err = {{0}};
    rig_set(&knobs, settings);
    memset(&rig->eval, 0, sizeof rig->eval);
    memset(&rig->search, 0, sizeof rig->search);
    if (eval_init(&rig->eval, &knobs, &rig->board, &err) ||
        search_init(&rig->search, &knobs, &rig->board, &rig->eval, &err))
        fail_msg("%s: %s", settings, err.text);
    rig->search.clock = clock_monotonic();
    rig->search.rng = rng_init(1);
    rig->search.own = rig->board.side;
    rig->search.check_every = 1024;
    rig->search.passed_at = -2;
    rig->search.window[0] = -INFINITY;
    rig->search.window[1] = INFINITY;
}

// The same on a square board after a list of moves.
static inline void rig_open(SearchRig *rig, int side, Rule rule, const char *moves,
                            const char *settings) {
    KnobSet knobs = knob_defaults();
    ErrorText err = {{0}};
    rig_set(&knobs, settings);
    fresh_board(&rig->board, side, side, 5, rule, (int)knob_int(&knobs, KNOB_MOVES_RADIUS));
    if (notation_play_moves(&rig->board, ROWS_BOTTOM, moves, &err))
        fail_msg("%s", err.text);
    rig_open_here(rig, settings);
}

static inline void rig_close(SearchRig *rig) { // frees what was opened
    search_release(&rig->search);
    eval_release(&rig->eval);
}

// The cell of a square of the rig's board.
static inline Move rig_cell(const SearchRig *rig, const char *square) {
    Move cell = MOVE_NONE;
    if (notation_read_square(&rig->board, ROWS_BOTTOM, square, &cell) <= 0)
        fail_msg("%s is no square", square);
    return cell;
}
