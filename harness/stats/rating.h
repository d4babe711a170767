// SPDX-License-Identifier: GPL-3.0-or-later
// Ratings of a pool of players from counts of their games, with the first-move advantage and honest
// errors.
//
// The model is Bradley-Terry: the first mover scores 1 / (1 + 10^(-(r_first - r_second + advantage)
// / 400)); a draw is half a win, or, after Rao & Kupper, an outcome of its own with a width
// `draw_elo`. All parameters are fitted together by maximum likelihood (Newton). A rating exists
// only among players who took points from each other, directly or round a circle; such a set is a
// *group* (a strongly connected component). Across one-way links (a perfect score) only a bound
// exists. Groups that can be ordered through such links share a *table*; tables are never
// comparable. Memory grows with the pairings, plus players squared within a group; time with
// players cubed within a group. Sources: Zermelo (1929); Bradley & Terry (Biometrika 1952); Ford
// (Amer. Math. Monthly 1957) for when a rating exists; Davidson & Beaver (Biometrics 1977) for the
// order effect; Rao & Kupper (JASA 1967); Huber (1967) and White (Econometrica 1980) for the
// clustered errors; Hunter (Annals of Statistics 2004); Coulom's BayesElo for virtual draws.
#pragma once

#include "harness/stats/rating_data.h"

// Options with every choice at its default: half wins, advantage fitted, no prior, no anchors.
// Thread: any.
RatingOptions rating_options_default(void);

// Fits everything. On success *out is owned by the caller. Fails with STATUS_INVALID (bad index, a
// player against itself, two anchors on one player, sd < 0) or STATUS_NO_MEMORY; a pool without
// ratings is not a failure. Thread: any.
MUST_CHECK Status rating_compute(const RatingInput *input, const RatingOptions *options,
                                 Rating *out, ErrorText *err);

// Frees the arrays and zeroes the rest; a zeroed one is fine. Thread: owner.
void rating_release(Rating *rating);

typedef struct RatingDifference {
    StatValue elo, se; // Elo
    StatValue los;     // likelihood that i is the stronger, 0..1
} RatingDifference;

// r_i - r_j of two players of the pool (indices of `rating`). The error comes from the whole
// covariance, C_ii + C_jj - 2 C_ij, and so is smaller between players who met often than their own
// errors suggest. All three are missing across groups, se and los also where the pairs do not
// scatter (see RatingErrors), and los where the two cannot move against each other. Thread: any.
RatingDifference rating_difference(const Rating *rating, int i, int j);

// The same fit with the openings taken out: only pairs that one side won twice count, and their
// odds are those of twice the difference, whatever the opening gave. `input->pairs` must be known.
// Advantage and draws do not enter. Thread: any.
MUST_CHECK Status rating_compute_opening_free(const RatingInput *input,
                                              const RatingOptions *options, Rating *out,
                                              ErrorText *err);
