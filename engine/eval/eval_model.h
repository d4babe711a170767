// SPDX-License-Identifier: GPL-3.0-or-later
// What an evaluation model is: the functions and the state that each file of a model fills in, and
// eval.h runs.
//
// A model keeps its state up to date stone by stone and restores it on undo; its slow twin computes
// the same from the board alone. Values are doubles: integers are exact in them, and the models
// that are defined in doubles need them, so one search serves both. "own" is always the player for
// whom the search runs, whoever is to move at a leaf.
//
// A point score says what a stone of a colour on an empty cell would be worth by itself; move
// ordering, the candidate limit and the greedy player read it.
#pragma once

#include "engine/base/knob.h"
#include "engine/board/board.h"
#include "engine/eval/threat_map.h"

#include <math.h>

typedef struct Eval Eval;

// A row of the table of models: constants and functions, shared by all engines. Functions that may
// be NULL say so.
typedef struct EvalModel {
    const char *name;       // value of the knob eval.model
    const char *meaning;    // one line
    int min_side, max_side; // board sides that it can do; k must be 5 unless any_k
    bool any_k;
    bool needs_threats;           // reads eval->threats
    const int16_t *threat_values; // values of codes that the map sums up, or NULL: needs none

    // Allocates what the model needs (eval->state) for the board's size and rule. Failure leaves
    // nothing allocated.
    Status (*open)(Eval *eval, const KnobSet *knobs, const Board *board, ErrorText *err);
    void (*close)(Eval *eval);

    // Computes all state from the board.
    void (*reset)(Eval *eval, const Board *board);

    // A stone of `colour` is about to be placed on `move` (the board does not hold it yet): updates
    // the state. Undo is the exact inverse; it is called after the board has taken the stone back.
    void (*place)(Eval *eval, const Board *board, Move move, Colour colour);
    void (*undo)(Eval *eval, const Board *board, Move move, Colour colour);

    // Static value for `own`, and the point score of an empty cell; slow twins from the board
    // alone.
    double (*value)(const Eval *eval, const Board *board, Colour own);
    double (*point)(const Eval *eval, const Board *board, Move move, Colour colour);
    double (*point_both)(const Eval *eval, const Board *board,
                         Move move); // sum of both; NULL: no quicker way
    // Point scores of `count` empty cells at once, of one colour or (COLOUR_NB) of both; NULL: one
    // by one.
    void (*points)(const Eval *eval, const Board *board, const Move *moves, int count,
                   Colour colour, double *scores);
    // value() as it will be with a stone of the side to move on `move`, without placing it: what a
    // leaf costs when nothing else is asked of it. NULL: place and ask.
    double (*value_after)(const Eval *eval, const Board *board, Move move, Colour own);
    double (*slow_value)(const Eval *eval, const Board *board, Colour own);
    double (*slow_point)(const Eval *eval, const Board *board, Move move, Colour colour);
} EvalModel;

// The evaluation of one engine. It may point into itself (twin), so it is never copied or moved.
struct Eval {
    const EvalModel *model;
    EvalModel twin; // search.incremental no: the model with its slow functions in place
    // The arithmetic of eval_combine, by the knobs eval.arithmetic and eval.defense.
    double own_scale,
        enemy_weight; // 1 and eval.defense, or both ten times as large for exact tenths
    bool rounds;      // the enemy's part is made a whole number
    // What most models keep: two sums, and what they were before each stone on the board. A model
    // with other state keeps that in `state`.
    int64_t sum[COLOUR_NB]; // worth of each colour's stones, kept by place and undo
    int depth;              // entries in use of `saved`
    int64_t saved[BOARD_MAX_CELLS][COLOUR_NB]; // sums before each placed stone
    void *state;                               // the model's own, owned
    ThreatMap *threats; // owned; follows the board when a knob needs it, else NULL
};

// The worth of both sides' stones as one value, in the arithmetic of the knobs. Thread: any.
static inline double eval_combine(const Eval *eval, int64_t own, int64_t enemy) {
    double weighed = eval->enemy_weight * (double)enemy;
    return eval->own_scale * (double)own - (eval->rounds ? rint(weighed) : weighed);
}

// Remembers the sums before a stone is placed: what every model's place begins with. Thread: owner.
static inline void eval_push(Eval *eval) {
    eval->saved[eval->depth][BLACK] = eval->sum[BLACK];
    eval->saved[eval->depth++][WHITE] = eval->sum[WHITE];
}
// Brings back what the last eval_push has saved. Thread: owner.
static inline void eval_pop(Eval *eval) {
    eval->sum[BLACK] = eval->saved[--eval->depth][BLACK];
    eval->sum[WHITE] = eval->saved[eval->depth][WHITE];
}
