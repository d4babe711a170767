// SPDX-License-Identifier: GPL-3.0-or-later
// Ratings of a pool of players from counts of their games, with the first-move advantage and honest errors.
//
// The model is Bradley-Terry: the first mover scores 1 / (1 + 10^(-(r_first - r_second + advantage) / 400)); a draw is
// half a win, or, after Rao & Kupper, an outcome of its own with a width `draw_elo`. All parameters are fitted together
// by maximum likelihood (Newton). A rating exists only among players who took points from each other, directly or round
// a circle; such a set is a *group* (a strongly connected component). Across one-way links (a perfect score) only a bound
// exists. Groups that can be ordered through such links share a *table*; tables are never comparable. Memory grows with
// the pairings, plus players squared within a group; time with players cubed within a group.
// Sources: Zermelo (1929); Bradley & Terry (Biometrika 1952); Ford (Amer. Math. Monthly 1957) for when a rating exists;
// Davidson & Beaver (Biometrics 1977) for the order effect; Rao & Kupper (JASA 1967); Huber (1967) and White
// (Econometrica 1980) for the clustered errors; Hunter (Annals of Statistics 2004); Coulom's BayesElo for virtual draws.
#pragma once

#include "harness/stats/counts.h"
#include "harness/stats/estimate.h"

#include <stddef.h>

// Games of one ordered pair of players; all games, those inside pairs included.
typedef struct RatingCount {
    int first, second;                          // player indices, different; `first` moved first
    double first_wins, draws, second_wins;      // 0..COUNT_MAX each
} RatingCount;

// Complete pairs of one pairing, by the half points (0, 1, 2) that `a` made moving first and moving second. Their games
// are among the RatingCounts too.
typedef struct RatingPairs {
    int a, b;          // player indices, different
    double n[3][3];    // [half points of a moving first][half points of a moving second]
} RatingPairs;

typedef struct RatingInput {
    int players;
    const char *const *names;   // one a player, for messages; borrowed
    const RatingCount *counts;  // an ordered pair may appear more than once
    size_t count_nb;
    const RatingPairs *pairs;   // NULL when not known
    size_t pair_nb;
} RatingInput;

typedef enum RatingModel { RATING_HALF_WIN, RATING_RAO_KUPPER } RatingModel;

// How errors are made. AUTO is SANDWICH when pairs are known, else HESSIAN.
typedef enum RatingErrors { ERRORS_AUTO, ERRORS_SANDWICH, ERRORS_HESSIAN, ERRORS_BOOTSTRAP } RatingErrors;

// What an error of a rating is measured against. AUTO is the anchor when there is one, else the mean of the group.
typedef enum RatingAgainst { AGAINST_AUTO, AGAINST_MEAN, AGAINST_PLAYER } RatingAgainst;

typedef struct RatingAnchor {
    int player;
    double elo, sd; // sd 0: exactly there; > 0: a normal prior
} RatingAnchor;

typedef struct RatingLink {
    int a, b;
    double delta, sd; // r_a - r_b is normal around delta, sd > 0: two versions of one program
} RatingLink;

typedef struct RatingOptions {
    RatingModel model;
    bool is_advantage_fixed, is_draw_elo_fixed;
    double advantage, draw_elo;     // Elo, used when fixed; draw_elo > 0
    double prior_draws;             // virtual draws a player, >= 0
    double offset;                  // mean of a table without anchors
    const RatingAnchor *anchors;    // borrowed
    size_t anchor_nb;
    const RatingLink *links;        // borrowed
    size_t link_nb;
    RatingErrors errors;
    int bootstrap_rounds;           // >= 2 for ERRORS_BOOTSTRAP
    uint64_t seed;                  // of the bootstrap
    RatingAgainst against;
    int against_player;             // with AGAINST_PLAYER
} RatingOptions;

typedef enum RatingBound { BOUND_NONE, BOUND_ABOVE, BOUND_BELOW } RatingBound;

// A player's row. Where `bound` is not BOUND_NONE, elo is what the rating would be had half a point more been lost (or
// won) across the one-way link: the rating lies beyond it.
typedef struct RatedPlayer {
    StatValue elo, se, lo, hi;
    RatingBound bound;
    double games;
    StatValue score;  // points per game
    int group, table; // from 1
} RatedPlayer;

typedef struct RatingGroup {
    int group, table;           // from 1
    int players;
    double games;               // inside the group
    StatValue advantage, advantage_se;
    RatingBound advantage_bound; // the first mover (or the second) never lost a point that would limit it
    StatValue draw_elo, draw_elo_se; // Rao-Kupper only
    bool is_advantage_flat;      // nobody played both roles often enough to tell advantage from strength
    bool is_absolute;            // several anchors or priors fix the scale
} RatingGroup;

// The result. Arrays are owned; free with rating_release.
typedef struct Rating {
    int players, group_nb, table_nb;
    RatedPlayer *player;  // by player index
    RatingGroup *group;   // by group number - 1
    int *order;           // player indices: by table, within it from the strongest down
    double *covariance;   // players^2, Elo^2; meaningful within a group only, 0 elsewhere
    RatingErrors errors;  // how errors were made, never AUTO
    int against;          // player index the errors are measured against; -1 = mean of the group, -2 = the fixed scale
    double log_likelihood; // natural log, all groups
    bool is_draw_elo_assumed; // no draws, or nothing but draws: draw_elo was set, not fitted
} Rating;

enum { AGAINST_GROUP_MEAN = -1, AGAINST_SCALE = -2 };

// Options with every choice at its default: half wins, advantage fitted, no prior, no anchors. Thread: any.
RatingOptions rating_options_default(void);

// Fits everything. On success *out is owned by the caller. Fails with STATUS_INVALID (bad index, a player against
// itself, two anchors on one player, sd < 0) or STATUS_NO_MEMORY; a pool without ratings is not a failure. Thread: any.
MUST_CHECK Status rating_compute(const RatingInput *input, const RatingOptions *options, Rating *out, ErrorText *err);
void rating_release(Rating *rating); // frees the arrays

// r_i - r_j, its standard error, and the likelihood that i is the stronger; missing across groups. Thread: any.
typedef struct RatingDifference {
    StatValue elo, se, los;
} RatingDifference;
RatingDifference rating_difference(const Rating *rating, int i, int j);

// The same fit with the openings taken out: only pairs that one side won twice count, and their odds are those of twice
// the difference, whatever the opening gave. `input->pairs` must be known. Advantage and draws do not enter. Thread: any.
MUST_CHECK Status rating_compute_opening_free(const RatingInput *input, const RatingOptions *options, Rating *out,
                                              ErrorText *err);
