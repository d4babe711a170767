// SPDX-License-Identifier: GPL-3.0-or-later
// The inside of a rating: the pool cut into groups, each group turned into a fitting problem with
// players numbered locally. Used by rating.c and its neighbours only.
#pragma once

#include "harness/stats/rating_data.h"
#include "harness/stats/rating_fit.h"

// A pool while it is being rated. Arrays are owned.
typedef struct Pool {
    const RatingInput *input;
    const RatingOptions *options;
    int groups, tables;
    int *group_of;       // player -> group, numbered so that points flow upward: see
                         // graph_components_strong
    int *table_of;       // group -> table
    int *local;          // player -> index within its group
    int *member;         // players sorted by group
    int *member_start;   // group -> first place in `member`; one more at the end
    bool *is_absolute;   // group -> several anchors or priors fix its scale
    double *total_games; // player -> games
    double *elo;         // player -> rating within its group, later within its table
    double *shift;       // group -> what placing the group in its table added
    double *advantage;   // group -> advantage in Elo, 0 where there is none
    double *draw_elo;    // group -> width in Elo
    RatingCount *counts; // sorted by group; games across groups at the end
    size_t *count_start; // group -> first place in `counts`; groups + 1 entries, the last begins
                         // the games across
    const RatingCount **across; // scratch for the games of one group with others
    int *reference;             // table -> the group the others are placed against
} Pool;

// Cuts the pool into groups and tables. On failure the pool is empty. Thread: any.
MUST_CHECK Status pool_init(Pool *pool, const RatingInput *input, const RatingOptions *options,
                            ErrorText *err);

// Frees the arrays and empties the pool. Thread: owner.
void pool_release(Pool *pool);

// Places every group of every table against its reference: mean, anchor, offset, and bounds across
// one-way links, which go to out->player[].bound. Thread: any.
void pool_place_groups(Pool *pool, Rating *out);

// Fits one group of at least two players, or one with anchors, and stores ratings, covariance and
// group numbers. Thread: any.
MUST_CHECK Status pool_fit_group(Pool *pool, int group, Rating *out, ErrorText *err);

// Replaces `matrix` by the covariance over refits of resampled data: whole pairs within each
// pairing, other games within each ordered pair. `theta` is the fit of the data. False on no
// memory. Thread: any.
MUST_CHECK bool rating_bootstrap(const FitProblem *problem, const double *theta, int rounds,
                                 uint64_t seed, double *matrix);

// The standard error of a variance in Elo squared. Missing where errors are read from the scatter
// of pairs and the pairs do not scatter: a zero would claim a certainty that few or equal pairs
// cannot give. Thread: any.
StatValue pool_error(RatingErrors errors, double variance);
