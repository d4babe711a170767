// SPDX-License-Identifier: GPL-3.0-or-later
// The evaluation that knows nothing.
#include "engine/eval/none.h"

static Status none_open(Eval *eval, const KnobSet *knobs, const Board *board, ErrorText *err) {
    (void)eval, (void)knobs, (void)board, (void)err;
    return STATUS_OK;
}

static void none_close(Eval *eval) { (void)eval; }

static void none_reset(Eval *eval, const Board *board) { (void)eval, (void)board; }

// Nothing to keep, and so nothing to take back.
static void none_stone(Eval *eval, const Board *board, Move move, Colour colour) {
    (void)eval, (void)board, (void)move, (void)colour;
}

static double none_value(const Eval *eval, const Board *board, Colour own) {
    (void)eval, (void)board, (void)own;
    return 0;
}

static double none_point(const Eval *eval, const Board *board, Move move, Colour colour) {
    (void)eval, (void)board, (void)move, (void)colour;
    return 0;
}

const EvalModel NONE_MODEL = {
    .name = "none",
    .meaning = "0 everywhere: won and lost lines alone count; any board, any k",
    .min_side = BOARD_MIN_SIDE,
    .max_side = BOARD_MAX_SIDE,
    .any_k = true,
    .open = none_open,
    .close = none_close,
    .reset = none_reset,
    .place = none_stone,
    .undo = none_stone,
    .value = none_value,
    .point = none_point,
    .slow_value = none_value,
    .slow_point = none_point,
};
