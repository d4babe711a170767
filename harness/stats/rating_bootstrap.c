// SPDX-License-Identifier: GPL-3.0-or-later
// Errors by resampling: whole pairs are drawn again within each pairing, games outside pairs within
// each ordered pair, and everything is fitted anew. Efron & Tibshirani, "An Introduction to the
// Bootstrap" (1993), chapter 8.
#include "engine/base/rng.h"
#include "harness/stats/rating_pool.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A resample can hold a perfect score that the data do not; a prior this wide (2000 Elo) around the
// fit keeps it finite.
static const double leash_sd = 2000.0 / ELO_PER_LOGIT;

typedef struct Resample {
    const FitProblem *data;
    FitProblem drawn;     // counts and anchors are its own
    RatingCount *singles; // the games outside pairs
    size_t single_nb;
    gsl_rng *random;
} Resample;

// Draws `cells` counts that sum to what `from` sums to, with its proportions.
// As a chain of binomials: each cell takes its share of what the cells before it have left.
static void multinomial_draw(gsl_rng *random, const double *from, int cells, double *to) {
    double left = 0.0, total = 0.0;
    for (int i = 0; i < cells; i++)
        total += from[i];
    left = floor(total + 0.5);
    for (int i = 0; i < cells; i++) {
        double p = total > 0.0 ? fmin(1.0, from[i] / total) : 0.0, drawn;
        if (left < 1e9) {
            drawn = gsl_ran_binomial(random, p, (unsigned)left);
        } else { // beyond the range of the exact generator the normal law is exact to a part in
                 // 10^4 of the deviation
            drawn = floor(left * p + gsl_ran_gaussian(random, sqrt(left * p * (1.0 - p))) + 0.5);
            drawn = fmax(0.0, fmin(left, drawn));
        }
        to[i] = i == cells - 1 ? left : drawn;
        left -= to[i];
        total -= from[i];
    }
}

static void game_add(RatingCount *c, int half_points, double count) {
    c->first_wins += half_points == 2 ? count : 0.0;
    c->draws += half_points == 1 ? count : 0.0;
    c->second_wins += half_points == 0 ? count : 0.0;
}

// Fills drawn.counts: one entry an ordered pair of singles, two a pairing of pairs.
// As many pairs a pairing and games an ordered pair as there were: who met whom is the schedule's
// doing, not chance.
static void resample(Resample *r) {
    size_t nb = 0;
    for (size_t i = 0; i < r->single_nb; i++) {
        const double from[3] = {r->singles[i].first_wins, r->singles[i].draws,
                                r->singles[i].second_wins};
        double to[3];
        multinomial_draw(r->random, from, 3, to);
        r->drawn.counts[nb++] =
            (RatingCount){r->singles[i].first, r->singles[i].second, to[0], to[1], to[2]};
    }
    for (size_t k = 0; k < r->data->pair_nb; k++) {
        const RatingPairs *p = &r->data->pairs[k];
        double from[9], to[9];
        memcpy(from, p->n, sizeof from);
        multinomial_draw(r->random, from, 9, to);
        RatingCount ab = {.first = p->a, .second = p->b}, ba = {.first = p->b, .second = p->a};
        for (int cell = 0; cell < 9; cell++) {
            game_add(&ab, cell / 3, to[cell]);
            game_add(&ba, 2 - cell % 3, to[cell]);
        }
        r->drawn.counts[nb++] = ab;
        r->drawn.counts[nb++] = ba;
    }
    r->drawn.count_nb = nb;
}

static int count_compare(const void *left, const void *right) {
    const RatingCount *a = left, *b = right;
    return a->first != b->first ? (a->first > b->first) - (a->first < b->first)
                                : (a->second > b->second) - (a->second < b->second);
}

// Takes games from the entries of an ordered pair; entries are sorted, several may share the pair.
static void singles_subtract(Resample *r, int first, int second, int half_points, double count) {
    RatingCount key = {.first = first, .second = second};
    size_t lo = 0, hi = r->single_nb;
    while (lo < hi) {
        size_t middle = (lo + hi) / 2;
        if (count_compare(&r->singles[middle], &key) < 0)
            lo = middle + 1;
        else
            hi = middle;
    }
    for (; lo < r->single_nb && count > 0.0 && count_compare(&r->singles[lo], &key) == 0; lo++) {
        RatingCount *c = &r->singles[lo];
        double *cell = half_points == 2   ? &c->first_wins
                       : half_points == 1 ? &c->draws
                                          : &c->second_wins;
        double taken = fmin(*cell, count);
        *cell -= taken;
        count -= taken;
    }
}

// The games outside pairs: all games less those of the pairs.
static void singles_make(Resample *r) {
    r->single_nb = r->data->count_nb;
    memcpy(r->singles, r->data->counts, r->single_nb * sizeof *r->singles);
    if (!r->data->pair_nb)
        return;
    qsort(r->singles, r->single_nb, sizeof *r->singles, count_compare);
    for (size_t k = 0; k < r->data->pair_nb; k++) {
        const RatingPairs *p = &r->data->pairs[k];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                singles_subtract(r, p->a, p->b, i, p->n[i][j]);
                singles_subtract(r, p->b, p->a, 2 - j, p->n[i][j]);
            }
    }
}

static bool resample_init(Resample *r, const FitProblem *data, const double *theta, uint64_t seed) {
    *r = (Resample){.data = data, .drawn = *data};
    r->drawn.counts = malloc((data->count_nb + 2 * data->pair_nb + 1) * sizeof *r->drawn.counts);
    r->drawn.anchors = malloc((data->anchor_nb + (size_t)data->players) * sizeof *r->drawn.anchors);
    r->singles = malloc((data->count_nb + 1) * sizeof *r->singles);
    r->random = gsl_rng_alloc(gsl_rng_mt19937);
    if (!r->drawn.counts || !r->drawn.anchors || !r->singles || !r->random)
        return false;
    memcpy(r->drawn.anchors, data->anchors, data->anchor_nb * sizeof *r->drawn.anchors);
    for (int i = 0; i < data->players; i++)
        r->drawn.anchors[r->drawn.anchor_nb++] = (RatingAnchor){i, theta[i], leash_sd};
    // Like the leash: in a resample the first mover may never lose a point.
    r->drawn.is_advantage_pinned = r->drawn.is_advantage_fitted;
    // Mersenne Twister from a seed of our own, so that the errors of a list are the same on every
    // run.
    gsl_rng_set(r->random, (unsigned long)rng_mix(seed, 0));
    singles_make(r);
    return true;
}

static void resample_release(Resample *r) {
    free(r->drawn.counts);
    free(r->drawn.anchors);
    free(r->singles);
    if (r->random)
        gsl_rng_free(r->random);
}

bool rating_bootstrap(const FitProblem *problem, const double *theta, int rounds, uint64_t seed,
                      double *matrix) {
    size_t n = (size_t)problem->players + FIT_EXTRA;
    Resample r;
    double *sample = malloc((2 * n + 2 * n * n) * sizeof *sample);
    bool is_sound = resample_init(&r, problem, theta, seed) && sample;
    if (!is_sound)
        goto done;
    double *mean = sample + n, *products = mean + n, *inverse = products + n * n, unused;
    memset(mean, 0, (n + n * n) * sizeof *mean);
    for (int round = 0; round < rounds; round++) {
        resample(&r);
        // The fit of the data is near that of the resample: a good place to start from.
        memcpy(sample, theta, n * sizeof *sample);
        // A singular resample still leaves the best point found, which is the best that can be said
        // of it.
        if (!fit_newton(&r.drawn, sample, inverse, &unused))
            continue;
        for (size_t i = 0; i < n; i++) {
            // As deviations from the fit, lest the products drown what they differ by.
            mean[i] += sample[i] - theta[i];
            for (size_t j = 0; j < n; j++)
                products[i * n + j] += (sample[i] - theta[i]) * (sample[j] - theta[j]);
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            matrix[i * n + j] = (products[i * n + j] - mean[i] * mean[j] / rounds) / (rounds - 1);
done:
    resample_release(&r);
    free(sample);
    return is_sound;
}
