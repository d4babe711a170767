// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of a match of two.
#include "harness/stats/elo.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

static const char no_games[] = "no games";
static const char no_pairs[] = "no complete pairs";
static const char all_won[] = "every game was won";
static const char all_lost[] = "every game was lost";
static const char no_variance_pairs[] = "every pair scored the same, so the data show no variance";
static const char no_variance_games[] = "every game ended the same, so the data show no variance";
static const char off_scale_hi[] = "the end lies at or beyond a perfect score";
static const char off_scale_lo[] = "the end lies at or beyond a score of 0";

// At 15 pairs Student's quantile is 2.14 against the normal 1.96. Five effective wins and five
// losses are the usual rule for when a binomial is near enough to a normal law.
enum { STUDENT_BELOW = 15 }; // observations; fewer than this and the normal quantile is too short
static const double wilson_below =
    5.0; // effective wins or losses; fewer and the normal interval is too short

double elo_from_score(double score) { return 400.0 * log10(score / (1.0 - score)); }

double score_from_elo(double elo) { return 1.0 / (1.0 + pow(10.0, -elo / 400.0)); }

const char *interval_method_name(IntervalMethod method) {
    switch (method) {
    case INTERVAL_NORMAL:
        return "normal";
    case INTERVAL_STUDENT:
        return "t";
    case INTERVAL_WILSON:
        return "wilson";
    case INTERVAL_NONE:
        break;
    }
    return "none";
}

// Elo of an end of an interval on the score. The complement is passed beside the score because 1 -
// score loses all its digits near 1.
static StatValue elo_end(double score, double complement) {
    if (!(complement > 0.0))
        return stat_missing(off_scale_hi);
    if (!(score > 0.0))
        return stat_missing(off_scale_lo);
    return stat_value(400.0 * log10(score / complement));
}

static EloInterval interval_around(const ScoreMoments *m, double half_width) {
    return (EloInterval){
        .lo = elo_end(m->mean - half_width, m->complement + half_width),
        .hi = elo_end(m->mean + half_width, m->complement - half_width),
    };
}

// Observations of yes or no that would give the same standard error: the n of Wilson's interval.
// A pair is worth more than a coin when it varies less than one: n_eff = s (1 - s) / SE^2.
static double effective_n(const ScoreMoments *m) {
    if (!(m->variance > 0.0))
        return m->n;
    return m->mean * m->complement / m->variance * m->n;
}

// (s + z^2 / 2n +- z sqrt(s (1 - s) / n + z^2 / 4n^2)) / (1 + z^2 / n). The last divisor is left
// out: score and complement share it, and Elo needs only their ratio.
static EloInterval interval_wilson(const ScoreMoments *m) {
    double n = effective_n(m), z2n = NORMAL_Z95 * NORMAL_Z95 / n;
    double half = NORMAL_Z95 * sqrt(m->mean * m->complement / n + z2n / (4.0 * n));
    // At a perfect score the far end is the end of the scale itself; rounding must not turn it into
    // some huge number.
    bool is_won = m->complement <= 0.0, is_lost = m->mean <= 0.0;
    double lo = is_lost ? 0.0 : m->mean + z2n / 2.0 - half,
           hi = is_won ? 0.0 : m->complement + z2n / 2.0 - half;
    return (EloInterval){
        .lo = elo_end(lo, m->complement + z2n / 2.0 + half),
        .hi = elo_end(m->mean + z2n / 2.0 + half, hi),
    };
}

// Three intervals, and the choice among them.
static void fill_intervals(const ScoreMoments *m, MatchStats *out) {
    double se = sqrt(m->variance / m->n);
    out->normal = interval_around(m, NORMAL_Z95 * se);
    out->wilson = interval_wilson(m);
    if (m->n >= 2.0)
        out->student = interval_around(m, gsl_cdf_tdist_Pinv(0.975, m->n - 1.0) * se);
    else
        out->student.lo = out->student.hi = stat_missing("one observation has no spread");

    // The shorter side of the scale decides: 99 wins and 1 loss are one observation of losing.
    double ends = effective_n(m) * fmin(m->mean, m->complement);
    out->method = m->n < STUDENT_BELOW ? INTERVAL_STUDENT : INTERVAL_NORMAL;
    EloInterval chosen = m->n < STUDENT_BELOW ? out->student : out->normal;
    if (!(m->variance > 0.0) || ends < wilson_below || !stat_exists(chosen.lo) ||
        !stat_exists(chosen.hi)) {
        out->method = INTERVAL_WILSON;
        chosen = out->wilson;
    }
    out->interval = chosen;
}

// Elo, normalized Elo and likelihood of superiority from the moments of the observations chosen.
static void fill_strength(const ScoreMoments *m, MatchStats *out) {
    const char *flat = out->by == BY_PAIRS ? no_variance_pairs : no_variance_games;
    out->score = stat_value(m->mean);
    out->elo = m->complement <= 0.0 ? stat_missing(all_won)
               : m->mean <= 0.0     ? stat_missing(all_lost)
                                    : stat_value(400.0 * log10(m->mean / m->complement));
    fill_intervals(m, out);
    out->se = stat_value(sqrt(m->variance / m->n));
    if (!(m->variance > 0.0)) {
        out->nelo = out->nelo_err = out->los = stat_missing(flat);
        return;
    }
    // (mean - complement) / 2 is mean - 1/2 without its rounding.
    // Per game although observed by pairs: the score of a pair is the mean of its two games, so a
    // game has twice the variance. What colours did to both games has cancelled by then.
    double lead = (m->mean - m->complement) / 2.0;
    double game_sd = sqrt(out->by == BY_PAIRS ? 2.0 * m->variance : m->variance);
    double games = out->by == BY_PAIRS ? 2.0 * m->n : m->n;
    out->nelo = stat_value(NELO_SCALE * lead / game_sd);
    // The score is measured in deviations of a game, so its own error is 1 / sqrt(games).
    out->nelo_err = stat_value(NORMAL_Z95 * NELO_SCALE / sqrt(games));
    out->los = stat_value(gsl_cdf_ugaussian_P(lead / out->se.value));
}

// The variance of a game as it would be if openings were fair is twice the variance of a pair
// score; what single games show beyond it is the squared bias of the openings.
static void fill_bias(const PairCounts *pairs, const ScoreMoments *m, MatchStats *out) {
    WdlCounts games = wdl_from_pairs(pairs);
    ScoreCells cells = score_cells_from_wdl(&games);
    ScoreMoments single = score_moments(&cells);
    if (!(single.variance > 0.0)) {
        out->bias_score = out->bias_elo = stat_missing(no_variance_games);
        return;
    }
    // By chance the difference can be below 0. A bias of 1/2 is the end of the scale.
    double squared = fmax(0.0, single.variance - 2.0 * m->variance);
    double bias = fmin(sqrt(squared), 0.5);
    out->bias_score = stat_value(bias);
    out->bias_elo = bias < 0.5
                        ? stat_value(elo_from_score(0.5 + bias))
                        : stat_missing("every pair was split: the openings decide the games");
}

// With an opening worth b Elo to the first mover, A wins its two games with odds d + b and d - b;
// the odds of winning both against losing both are 10^(2 d / 400), whatever b is. Split pairs say
// nothing (McNemar 1947); the variance of a logarithm of odds is 1/W + 1/L. With an empty side half
// a pair is added to both (Haldane 1956, Anscombe 1956).
static void fill_opening_free(const PairCounts *pairs, MatchStats *out) {
    double won = (double)pairs->n[PAIR_WW], lost = (double)pairs->n[PAIR_LL];
    if (won + lost <= 0.0) {
        out->opening_free_elo = out->opening_free_se =
            stat_missing("no pair was won by one side twice");
        out->opening_free.lo = out->opening_free.hi = out->opening_free_elo;
        return;
    }
    ScoreMoments share = {
        .n = won + lost, .mean = won / (won + lost), .complement = lost / (won + lost)};
    share.variance = share.mean * share.complement;
    out->opening_free = interval_wilson(&share);
    out->opening_free.lo.value /=
        2.0; // the odds of a decisive pair are those of twice the difference
    out->opening_free.hi.value /= 2.0;
    out->opening_free_corrected = won <= 0.0 || lost <= 0.0;
    if (out->opening_free_corrected) {
        won += 0.5;
        lost += 0.5;
    }
    out->opening_free_elo = stat_value(200.0 * log10(won / lost));
    out->opening_free_se = stat_value(200.0 / log(10.0) * sqrt(1.0 / won + 1.0 / lost));
}

// Both errors whatever `by` says: their ratio is what pairing has earned.
static void fill_errors(const ScoreMoments *pairs, const ScoreMoments *games, MatchStats *out) {
    out->se_pairs =
        pairs->n > 0.0 ? stat_value(sqrt(pairs->variance / pairs->n)) : stat_missing(no_pairs);
    out->se_games =
        games->n > 0.0 ? stat_value(sqrt(games->variance / games->n)) : stat_missing(no_games);
    if (pairs->n <= 0.0)
        out->error_ratio = stat_missing(no_pairs);
    else
        out->error_ratio = pairs->variance > 0.0
                               ? stat_value(out->se_games.value / out->se_pairs.value)
                               : stat_missing(no_variance_pairs);
}

static void fill_missing(MatchStats *out, const char *reason) {
    StatValue none = stat_missing(reason);
    out->score = out->elo = out->nelo = out->nelo_err = out->los = out->se = none;
    EloInterval no_interval = {none, none};
    out->interval = out->normal = out->student = out->wilson = no_interval;
    out->method = INTERVAL_NONE;
}

MatchStats match_stats_compute(const PairCounts *pairs, const WdlCounts *single, StatBy by) {
    MatchStats out = {.by = by};
    if (pairs)
        out.classes = *pairs;
    out.pairs = pair_counts_total(&out.classes);
    out.wdl = wdl_from_pairs(&out.classes);
    ScoreCells pair_cells = score_cells_from_pairs(&out.classes),
               game_cells = score_cells_from_wdl(&out.wdl);
    ScoreMoments pair_moments = score_moments(&pair_cells),
                 game_moments = score_moments(&game_cells);

    fill_errors(&pair_moments, &game_moments, &out);
    if (out.pairs > 0) {
        fill_bias(&out.classes, &pair_moments, &out);
        fill_opening_free(&out.classes, &out);
    } else {
        out.bias_score = out.bias_elo = out.opening_free_elo = out.opening_free_se =
            stat_missing(no_pairs);
        out.opening_free.lo = out.opening_free.hi = stat_missing(no_pairs);
    }
    // Errors from pairs stay those of the whole pairs; only what speaks of games takes in the rest.
    if (by == BY_GAMES && single) {
        out.wdl.wins += single->wins;
        out.wdl.draws += single->draws;
        out.wdl.losses += single->losses;
        game_cells = score_cells_from_wdl(&out.wdl);
        game_moments = score_moments(&game_cells);
        out.se_games = game_moments.n > 0.0
                           ? stat_value(sqrt(game_moments.variance / game_moments.n))
                           : stat_missing(no_games);
    }
    out.games = wdl_counts_total(&out.wdl);
    const ScoreMoments *used = by == BY_PAIRS ? &pair_moments : &game_moments;
    if (used->n > 0.0)
        fill_strength(used, &out);
    else
        fill_missing(&out, by == BY_PAIRS ? no_pairs : no_games);
    return out;
}
