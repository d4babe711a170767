// SPDX-License-Identifier: GPL-3.0-or-later
// What a match left behind, as counts: single games (win, draw, loss) and pairs of games, always
// seen from one player.
//
// A pair is one opening played twice with colours swapped. Its two games share the opening, so they
// are not independent; every honest error bar here is built from pairs. Six classes are kept apart
// although a pair that was split (WL) and one drawn twice (DD) score the same: the difference
// measures the bias of the openings.
#pragma once

#include "engine/base/status.h"

#include <stdbool.h>
#include <stdint.h>

// Results of single games, paired or not.
typedef struct WdlCounts {
    int64_t wins, draws, losses; // games; each 0..COUNT_MAX
} WdlCounts;

// Classes of a pair, in the order of the command line; the order of the two games does not matter.
typedef enum PairClass {
    PAIR_LL,
    PAIR_LD,
    PAIR_DD,
    PAIR_WL,
    PAIR_WD,
    PAIR_WW,
    PAIR_CLASS_NB
} PairClass;

typedef struct PairCounts {
    int64_t n[PAIR_CLASS_NB]; // pairs in each class; each 0..COUNT_MAX
} PairCounts;

// The largest count accepted anywhere: sums of a few of them stay exact in int64_t and nearly so in
// double.
#define COUNT_MAX INT64_C(1000000000000000)

// Whether an observation is a whole pair (five possible scores) or a single game (three).
// Pairs are the honest choice wherever they are whole; games are for results that came without
// them.
typedef enum StatBy { BY_PAIRS, BY_GAMES } StatBy;

enum { SCORE_CELL_MAX = 5 };

// Observations with their possible scores in 0..1, lowest first: (0, 1/2, 1) or (0, 1/4, 1/2, 3/4,
// 1).
typedef struct ScoreCells {
    int cells; // 3 or 5
    double score[SCORE_CELL_MAX];
    double count[SCORE_CELL_MAX];
} ScoreCells;

// Mean, its complement (exact near 1) and the variance of one observation (divided by n, not n -
// 1).
typedef struct ScoreMoments {
    double n, mean, complement, variance; // mean, complement and variance are 0 when n is 0
} ScoreMoments;

// The class of a pair from the points of its two games in half points: 0, 1 or 2 each. Thread: any.
PairClass pair_class_from_half_points(int first_game, int second_game);

// Short name of a class: "LL", "LD", "DD", "WL", "WD", "WW". Thread: any.
const char *pair_class_name(PairClass pair_class);

// Sums. Thread: any.
int64_t pair_counts_total(const PairCounts *pairs);
int64_t wdl_counts_total(const WdlCounts *games); // as above, games

// The single games inside the pairs: W = 2WW + WD + WL, D = LD + WD + 2DD, L = 2LL + LD + WL.
// Thread: any.
WdlCounts wdl_from_pairs(const PairCounts *pairs);

// The same counts seen from the other player. Thread: any.
PairCounts pair_counts_swapped(const PairCounts *pairs);

// Observations for a test or an error bar. Thread: any.
ScoreCells score_cells_from_pairs(const PairCounts *pairs);
ScoreCells score_cells_from_wdl(const WdlCounts *games); // as above, games

// Moments of the observations. Thread: any.
ScoreMoments score_moments(const ScoreCells *cells);
