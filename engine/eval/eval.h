// SPDX-License-Identifier: GPL-3.0-or-later
// Static evaluation: one interface, one file a model (eval_model.h), one row in the table of
// eval.c.
#pragma once

#include "engine/eval/eval_model.h"

// The model of the name in the `length` bytes from `name` on, or NULL. Thread: any.
const EvalModel *eval_model_find(const char *name, size_t length);

// Opens the model that the knobs name for the board's size and rule, and evaluates the board.
// STATUS_UNSUPPORTED when the model cannot do the size or k. Pairs with eval_release. Thread:
// owner.
Status eval_init(Eval *eval, const KnobSet *knobs, const Board *board, ErrorText *err) MUST_CHECK;

// Frees what the model allocated. A zeroed Eval is fine. Thread: owner.
void eval_release(Eval *eval);

// Computes the state anew from the board. Thread: owner.
void eval_reset(Eval *eval, const Board *board);

// Places a stone of the side to move on both the board and the evaluation; undo takes it back.
// Thread: owner.
static inline void eval_place(Eval *eval, Board *board, Move move) {
    Colour colour = board->side;
    // The model sees the board before the stone, the map after it, as their contracts say.
    eval->model->place(eval, board, move, colour);
    board_place(board, move);
    if (eval->threats)
        threat_map_place(eval->threats, board, move, colour);
}
// The inverse of eval_place, in its order reversed: the model is told last, when the board has
// taken the stone back. There must be a stone. Thread: owner.
static inline void eval_undo(Eval *eval, Board *board) {
    Move move = board_last_move(board);
    Colour colour = (Colour)board->cells[move];
    if (eval->threats)
        threat_map_undo(eval->threats);
    board_undo(board);
    eval->model->undo(eval, board, move, colour);
}

// Static value for `own`, whoever is to move: positive is good for own, 0 even. Won and lost
// positions are not known for what they are: that is the search's to see. Thread: reader.
static inline double eval_value(const Eval *eval, const Board *board, Colour own) {
    return eval->model->value(eval, board, own);
}

// Point score of an empty cell for a stone of `colour`: what it would be worth there, in the units
// of the model, never mixed with those of another. Thread: reader.
static inline double eval_point(const Eval *eval, const Board *board, Move move, Colour colour) {
    return eval->model->point(eval, board, move, colour);
}

// Sum of the point scores of an empty cell for both colours. Thread: owner.
static inline double eval_point_both(const Eval *eval, const Board *board, Move move) {
    const EvalModel *model = eval->model;
    if (model->point_both)
        return model->point_both(eval, board, move);
    return model->point(eval, board, move, BLACK) + model->point(eval, board, move, WHITE);
}

// Point scores of `count` empty cells, of `colour` or (COLOUR_NB) of both together. Thread: owner.
static inline void eval_points(const Eval *eval, const Board *board, const Move *moves, int count,
                               Colour colour, double *scores) {
    if (eval->model->points) {
        eval->model->points(eval, board, moves, count, colour, scores);
        return;
    }
    for (int i = 0; i < count; i++)
        scores[i] = colour == COLOUR_NB ? eval_point_both(eval, board, moves[i])
                                        : eval_point(eval, board, moves[i], colour);
}
