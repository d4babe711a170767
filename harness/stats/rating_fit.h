// SPDX-License-Identifier: GPL-3.0-or-later
// Maximum likelihood for one group of players: Newton on ratings, first-move advantage and draw
// width together, and the covariance of the result. All values here are in natural units (logits):
// Elo times ln 10 / 400.
//
// The parameter vector has players + 2 places: the ratings, then the advantage, then the draw
// width. A place that is not fitted keeps its value; its row of the information matrix is the
// identity's. Where nothing fixes the scale, the ratings sum to 0 and the missing direction is
// filled in before factoring and taken out after inverting.
#pragma once

#include "harness/stats/rating_data.h"

// A logit is the natural logarithm of the odds; the fit works in logits, everything outside in Elo.
#define ELO_PER_LOGIT 173.71779276130073 // 400 / ln 10

// Elo squared: a clustered variance below is what rounding leaves of a zero, of pairs that all say
// the same. It is called unknown.
#define RATING_NO_SCATTER 1e-6

// One group as the fit sees it. Arrays are the caller's; players are numbered within the group, Elo
// has become logits.
typedef struct FitProblem {
    int players;
    RatingModel model;
    bool is_advantage_fitted, is_draw_width_fitted;
    bool is_advantage_pinned; // one virtual drawn game of equals keeps the advantage finite
    bool is_absolute;         // anchors fix the scale
    RatingCount *counts;      // real games, player indices local
    size_t count_nb;
    RatingCount *virtuals; // virtual draws
    size_t virtual_nb;
    RatingPairs *pairs;
    size_t pair_nb;
    RatingAnchor *anchors; // sd > 0 only; elo and sd in logits
    size_t anchor_nb;
    RatingLink *links; // delta and sd in logits
    size_t link_nb;
    bool *is_fixed; // one a player
} FitProblem;

enum { FIT_ADVANTAGE = 0, FIT_DRAW_WIDTH = 1, FIT_EXTRA = 2 }; // places after the players

// Maximises from the values in `theta` (players + FIT_EXTRA) and leaves the best there. `matrix`
// (places^2) receives the inverse information, rows of fixed places 0. Returns false when the
// information stays singular; theta is then the best found. `log_likelihood` is of the real games
// and virtual draws. Thread: any.
MUST_CHECK bool fit_newton(const FitProblem *problem, double *theta, double *matrix,
                           double *log_likelihood);

// Replaces the inverse information in `matrix` by the sandwich clustered by pair, games outside
// pairs standing alone; priors count as information. The variance of a player with fewer than
// FIT_FEW_CLUSTERS of them is not made smaller than the model's, unless it has no scatter at all
// (RATING_NO_SCATTER). `work` holds 2 * places * (places + 1) doubles.
// Thread: any.
void fit_sandwich(const FitProblem *problem, const double *theta, double *matrix, double *work);

enum { FIT_FEW_CLUSTERS = 8 };

// Clusters of each player, its pairs and the games outside pairs: out[0..players-1]. The games of
// `pairs` are among `counts`. Thread: any.
void fit_clusters(const RatingCount *counts, size_t count_nb, const RatingPairs *pairs,
                  size_t pair_nb, int players, double *out);

// Expected score of the first mover, 0..1, and its complement, when x = r_first - r_second +
// advantage. Thread: any.
double fit_expected_score(RatingModel model, double x, double draw_width);
