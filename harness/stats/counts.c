// SPDX-License-Identifier: GPL-3.0-or-later
// Sums over counts of games and pairs.
#include "harness/stats/counts.h"

#include "engine/base/check.h"

PairClass pair_class_from_half_points(int first_game, int second_game) {
    // One win each is WL and two draws are DD, although both make two half points of four: how the
    // points were made tells the bias of the opening.
    static const PairClass table[3][3] = {
        {PAIR_LL, PAIR_LD, PAIR_WL},
        {PAIR_LD, PAIR_DD, PAIR_WD},
        {PAIR_WL, PAIR_WD, PAIR_WW},
    };
    CHECK(first_game >= 0 && first_game <= 2 && second_game >= 0 && second_game <= 2);
    return table[first_game][second_game];
}

const char *pair_class_name(PairClass pair_class) {
    static const char *const names[PAIR_CLASS_NB] = {"LL", "LD", "DD", "WL", "WD", "WW"};
    CHECK(pair_class >= 0 && pair_class < PAIR_CLASS_NB);
    return names[pair_class];
}

int64_t pair_counts_total(const PairCounts *pairs) {
    int64_t total = 0;
    for (int i = 0; i < PAIR_CLASS_NB; i++)
        total += pairs->n[i];
    return total;
}

int64_t wdl_counts_total(const WdlCounts *games) {
    return games->wins + games->draws + games->losses;
}

WdlCounts wdl_from_pairs(const PairCounts *pairs) {
    const int64_t *n = pairs->n;
    return (WdlCounts){
        .wins = 2 * n[PAIR_WW] + n[PAIR_WD] + n[PAIR_WL],
        .draws = n[PAIR_LD] + n[PAIR_WD] + 2 * n[PAIR_DD],
        .losses = 2 * n[PAIR_LL] + n[PAIR_LD] + n[PAIR_WL],
    };
}

PairCounts pair_counts_swapped(const PairCounts *pairs) {
    const int64_t *n = pairs->n;
    // In the order of the enumeration; a split pair and two draws look alike from both sides.
    return (PairCounts){
        .n = {n[PAIR_WW], n[PAIR_WD], n[PAIR_DD], n[PAIR_WL], n[PAIR_LD], n[PAIR_LL]}};
}

// Five scores from six classes: a test of strength may not tell DD from WL, which score the same.
ScoreCells score_cells_from_pairs(const PairCounts *pairs) {
    const int64_t *n = pairs->n;
    return (ScoreCells){
        .cells = 5,
        .score = {0.0, 0.25, 0.5, 0.75, 1.0},
        .count = {(double)n[PAIR_LL], (double)n[PAIR_LD], (double)n[PAIR_DD] + (double)n[PAIR_WL],
                  (double)n[PAIR_WD], (double)n[PAIR_WW]},
    };
}

ScoreCells score_cells_from_wdl(const WdlCounts *games) {
    return (ScoreCells){
        .cells = 3,
        .score = {0.0, 0.5, 1.0},
        .count = {(double)games->losses, (double)games->draws, (double)games->wins},
    };
}

// Two passes: a sum of squares less the square of the sum keeps no digit of the variance when
// nearly every pair was split, the ordinary state of a match whose openings decide. The complement
// is summed on its own because 1 - mean has few digits near 1.
ScoreMoments score_moments(const ScoreCells *cells) {
    ScoreMoments m = {0};
    double won = 0.0, lost = 0.0;
    for (int i = 0; i < cells->cells; i++) {
        m.n += cells->count[i];
        won += cells->count[i] * cells->score[i];
        lost += cells->count[i] * (1.0 - cells->score[i]);
    }
    if (m.n <= 0.0)
        return m;
    m.mean = won / m.n;
    m.complement = lost / m.n;
    for (int i = 0; i < cells->cells; i++) {
        double off = cells->score[i] - m.mean;
        m.variance += cells->count[i] / m.n * off * off;
    }
    return m;
}
