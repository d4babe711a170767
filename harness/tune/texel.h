// SPDX-License-Identifier: GPL-3.0-or-later
// Weights from games already played: logistic regression of the outcomes on the evaluation.
//
// The chance that the side to move scores is taken as 1 / (1 + exp(-(k * value + tempo))), where
// `value` is the evaluation of a position and `tempo` what having the move is worth. First k and
// tempo are fitted with the weights as they are; then the weights that make the outcomes most
// likely, pulled towards the old ones. k and tempo go along: weights twice as large and half a k
// say the same, and the pull chooses among them the weights nearest to the old, so that they stay
// in proportion to those that are not tuned. Newton's method with bounds; it takes seconds.
//
// An evaluation is given by its value at the start, its slope by each knob and, for knobs that
// multiply each other (a weight and eval.defense), the cross term: exact where the evaluation is
// linear in each knob taken alone. Positions of one game share its outcome, so errors are clustered
// and folds are dealt by group (a game, or the games of one pair), never by position.
//
// Sources: P. Osterlund, "Texel's tuning method" (chessprogramming.org, 2014); Liang & Zeger,
// "Longitudinal data analysis using generalized linear models" (Biometrika 1986) for the errors.
#pragma once

#include "engine/base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { TEXEL_KNOBS_MAX = 64, TEXEL_CROSS_MAX = 128, TEXEL_FOLDS_MAX = 20 };

// Two knobs that multiply each other in the evaluation.
typedef struct TexelCross {
    int a, b; // a < b
} TexelCross;

// What a knob may become.
typedef struct TexelKnob {
    double start, low, high; // low <= start <= high
    double scale;            // > 0: a change of this size costs l2 / 2
} TexelKnob;

// Positions as numbers. Arrays are borrowed; those by position have `count` rows.
typedef struct TexelData {
    int knob_count, cross_count;
    TexelKnob knob[TEXEL_KNOBS_MAX];
    TexelCross cross[TEXEL_CROSS_MAX];
    int64_t count;
    const double *value;   // evaluation at the start, from the side to move
    const double *slope;   // knob_count a row: change of it by 1 of each knob
    const double *bend;    // cross_count a row: change of the slope by a per 1 of b; NULL: none
    const double *outcome; // 0, 1/2 or 1, for the side to move
    const int64_t *group;  // positions of a group share an outcome; rows of a group lie together
} TexelData;

// How it is fitted and judged.
typedef struct TexelOptions {
    double l2; // pull to the start on the mean log-loss, >= 0; 0: none, and k stays as first fitted
    int folds; // 2..TEXEL_FOLDS_MAX; 0 = no cross-validation
    uint64_t seed; // deals the groups to folds
    // Makes a point keep the order of the knobs, in place; NULL: any point will do.
    void (*project)(void *ctx, double *knobs);
    void *project_ctx; // borrowed
} TexelOptions;

// Mean log-loss, in nats a position (0.693 = knowing nothing).
typedef struct TexelFold {
    int64_t train, held; // positions
    double train_before, train_after, held_before, held_after;
} TexelFold;

// What the games say. Weights are in the units of their knobs.
typedef struct TexelResult {
    double k, tempo;                   // chance = 1 / (1 + exp(-(k * value + tempo)))
    double weight[TEXEL_KNOBS_MAX];    // fitted
    double se[TEXEL_KNOBS_MAX];        // standard error, clustered by group; 0: not fitted
    bool is_unknown[TEXEL_KNOBS_MAX];  // no position says anything about it: left at its start
    bool is_on_bound[TEXEL_KNOBS_MAX]; // it would have gone on
    double loss_before, loss_after;    // of all positions
    int64_t groups;
    int fold_count;
    TexelFold fold[TEXEL_FOLDS_MAX];
    int steps; // of Newton's method for the weights
} TexelResult;

// Fits k, then the weights, then each fold anew. STATUS_INVALID: fewer than two groups (or groups
// than folds), all outcomes equal, or an evaluation that the outcomes contradict (k <= 0);
// STATUS_NO_MEMORY. The same data and options give the same bits. Thread: any.
Status texel_fit(const TexelData *data, const TexelOptions *options, TexelResult *out,
                 ErrorText *err) MUST_CHECK;

// The evaluation of position `row` with the knobs at `weight`, and (unless NULL) its slope by each
// knob there. Thread: any.
double texel_value(const TexelData *data, int64_t row, const double *weight, double *slope);
