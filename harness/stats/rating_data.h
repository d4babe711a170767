// SPDX-License-Identifier: GPL-3.0-or-later
// What a rating of a pool is made from, and what comes out: games, options, anchors; players and
// groups with their errors. How and why: rating.h.
#pragma once

#include "harness/stats/counts.h"
#include "harness/stats/estimate.h"

#include <stddef.h>

// Games of one ordered pair of players; all games, those inside pairs included.
typedef struct RatingCount {
    int first, second;                     // player indices, different; `first` moved first
    double first_wins, draws, second_wins; // 0..COUNT_MAX each
} RatingCount;

// Complete pairs of one pairing, by the half points (0, 1, 2) that `a` made moving first and moving
// second. Their games are among the RatingCounts too.
typedef struct RatingPairs {
    int a, b;       // player indices, different
    double n[3][3]; // [half points of a moving first][half points of a moving second]
} RatingPairs;

// The games of a pool. Arrays are borrowed for the call.
typedef struct RatingInput {
    int players;
    const char *const *names;  // one a player, for messages; borrowed
    const RatingCount *counts; // an ordered pair may appear more than once
    size_t count_nb;
    const RatingPairs *pairs; // NULL when not known
    size_t pair_nb;
} RatingInput;

// What a draw is. HALF_WIN: half a win for each, the score alone counts; the usual choice, and the
// only one that needs no draws to be seen. RAO_KUPPER: an outcome of its own whose chance grows
// with the draw width (Rao & Kupper, JASA 1967); its scale is not the other's, so lists of the two
// are not comparable.
typedef enum RatingModel { RATING_HALF_WIN, RATING_RAO_KUPPER } RatingModel;

// How errors are made. AUTO is SANDWICH when pairs are known, else HESSIAN.
typedef enum RatingErrors {
    ERRORS_AUTO,
    ERRORS_SANDWICH,
    ERRORS_HESSIAN,
    ERRORS_BOOTSTRAP
} RatingErrors;

// What an error of a rating is measured against. AUTO is the anchor when there is one, else the
// mean of the group.
typedef enum RatingAgainst { AGAINST_AUTO, AGAINST_MEAN, AGAINST_PLAYER } RatingAgainst;

// What is known of a player's rating beforehand. A single anchor with sd 0 only shifts the finished
// table; several, or one with sd > 0, fix the scale and enter the fit.
typedef struct RatingAnchor {
    int player;
    double elo, sd; // sd 0: exactly there; > 0: a normal prior
} RatingAnchor;

// What is known of two players against each other beforehand; ties them into one group.
typedef struct RatingLink {
    int a, b;
    double delta, sd; // r_a - r_b is normal around delta, sd > 0: two versions of one program
} RatingLink;

// What is asked for; rating_options_default has every choice. Elo throughout.
typedef struct RatingOptions {
    RatingModel model;
    bool is_advantage_fixed, is_draw_elo_fixed;
    double advantage, draw_elo;  // Elo, used when fixed; draw_elo > 0
    double prior_draws;          // virtual draws a player, >= 0
    double offset;               // mean of a table without anchors
    const RatingAnchor *anchors; // borrowed
    size_t anchor_nb;
    const RatingLink *links; // borrowed
    size_t link_nb;
    RatingErrors errors;
    int bootstrap_rounds; // >= 2 for ERRORS_BOOTSTRAP
    uint64_t seed;        // of the bootstrap
    RatingAgainst against;
    int against_player; // with AGAINST_PLAYER
} RatingOptions;

// On which side of the printed number the truth lies when only a bound exists.
typedef enum RatingBound { BOUND_NONE, BOUND_ABOVE, BOUND_BELOW } RatingBound;

// A player's row. Where `bound` is not BOUND_NONE, elo is what the rating would be had half a point
// more been lost (or won) across the one-way link: the rating lies beyond it.
typedef struct RatedPlayer {
    StatValue elo, se, lo, hi;
    RatingBound bound;
    double games;
    StatValue score;  // points per game
    int group, table; // from 1
    bool is_fixed;    // an anchor without error
} RatedPlayer;

// Players among whom points went both ways, directly or round a circle: the set within which
// ratings can be compared with errors. Each has a first-move advantage and a draw width of its own.
typedef struct RatingGroup {
    int group, table; // from 1
    int players;
    double games; // inside the group
    StatValue advantage, advantage_se;
    // Not NONE: the first mover (or the second) never lost a point that would limit it.
    RatingBound advantage_bound;
    StatValue draw_elo, draw_elo_se; // Rao-Kupper only
    bool is_advantage_flat; // nobody played both roles often enough to tell advantage from strength
    bool is_absolute;       // several anchors or priors fix the scale
} RatingGroup;

// The result. Arrays are owned; free with rating_release.
typedef struct Rating {
    int players, group_nb, table_nb;
    RatedPlayer *player; // by player index
    RatingGroup *group;  // by group number - 1
    int *order;          // player indices: by table, within it from the strongest down
    double *covariance;  // players^2, Elo^2; meaningful within a group only, 0 elsewhere
    RatingErrors errors; // how errors were made, never AUTO
    // Player index the errors are measured against, or AGAINST_GROUP_MEAN or AGAINST_SCALE.
    int against;
    double log_likelihood;    // natural log, all groups
    bool is_draw_elo_assumed; // no draws, or nothing but draws: draw_elo was set, not fitted
} Rating;

// Values of Rating.against that are no player.
enum { AGAINST_GROUP_MEAN = -1, AGAINST_SCALE = -2 };
