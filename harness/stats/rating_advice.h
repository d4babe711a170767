// SPDX-License-Identifier: GPL-3.0-or-later
// What the reader of a rating list must be told: what could not be rated and why, what was assumed,
// which links between players are weak, and which pairing would mend them best.
#pragma once

#include "engine/base/text.h"
#include "harness/stats/rating.h"

// The weakest link inside a group: the cut whose two sides are least sure of each other.
typedef struct RatingWeakLink {
    bool is_weak;       // false: no link stands out, and nothing below is set
    int group;          // 1..
    int side_players;   // on the smaller side
    double games;       // across the cut
    double se;          // of the difference between the means of the two sides, Elo
    double se_inside;   // typical error of a rating if the cut did not matter, Elo
    int best_a, best_b; // the pairing that narrows it most; a is on the smaller side
    double se_after;    // of the same difference after ADVICE_GAMES more games of that pairing
} RatingWeakLink;

// Games that the advice "play more of this pairing" is reckoned with.
enum { ADVICE_GAMES = 100 };

// Finds the weakest link of `group` (1..). Writes 1 into side[player] for the players of the
// smaller side, else 0; `side` holds one char a player. No link stands out when its variance
// is below nine times the rest's. The direction is the leading eigenvector of the covariance.
// Thread: any.
MUST_CHECK Status rating_weak_link(const RatingInput *input, const Rating *rating, int group,
                                   char *side, RatingWeakLink *out, ErrorText *err);

// Appends every warning, one a line, without a bullet. `input->names` must be given. Thread: owner
// of `out`.
MUST_CHECK Status rating_warnings(const RatingInput *input, const RatingOptions *options,
                                  const Rating *rating, Text *out, ErrorText *err);

// Index of the group with the most games inside, whose advantage stands for the pool; -1 when no
// group has games. Thread: any.
int rating_main_group(const Rating *rating);
