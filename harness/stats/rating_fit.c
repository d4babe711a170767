// SPDX-License-Identifier: GPL-3.0-or-later
// Newton's method on the likelihood of a group of players, and the sandwich.
#include "harness/stats/rating_fit.h"

#include "harness/stats/numeric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS_MAX = 200, HALVINGS_MAX = 60 };
// Far out the likelihood of a lopsided score is nearly flat, and Newton's step there is huge and
// wrong: limited, the fit takes ten rounds or so instead of leaving the range of exp().
static const double step_max = 2.302585092994046; // 400 Elo
static const double step_enough = 1e-11;          // of a logit

// ln(1 / (1 + e^-x)) without overflow.
static double log_logistic(double x) { return x > 0.0 ? -log1p(exp(-x)) : x - log1p(exp(x)); }

static double logistic(double x) {
    if (x >= 0.0)
        return 1.0 / (1.0 + exp(-x));
    double e = exp(x);
    return e / (1.0 + e);
}

double fit_expected_score(RatingModel model, double x, double draw_width) {
    if (model == RATING_HALF_WIN)
        return logistic(x);
    // win + draw / 2 = (win + 1 - loss) / 2
    return (logistic(x - draw_width) + logistic(x + draw_width)) / 2.0;
}

// Log-likelihood of some games between two players, with first and second derivatives in x (the
// advantage of the first mover over the second, all told) and in the draw width e.
typedef struct GameTerms {
    double value, dx, de; // value and gradient
    double ixx, ixe, iee; // minus the second derivatives
} GameTerms;

static GameTerms game_terms(const FitProblem *f, const RatingCount *g, double x, double e) {
    GameTerms t = {0};
    if (f->model == RATING_HALF_WIN) {
        // q is not 1 - p: that would be 0 for a favourite of 37 logits and more.
        double p = logistic(x), q = logistic(-x);
        double won = g->first_wins + g->draws / 2.0, lost = g->second_wins + g->draws / 2.0;
        t.value = won * log_logistic(x) + lost * log_logistic(-x);
        t.dx = won * q - lost * p;
        t.ixx = (won + lost) * p * q;
        return t;
    }
    // A draw is one win and one loss, each shifted by the width, times e^2e - 1.
    double won = g->first_wins + g->draws, lost = g->second_wins + g->draws;
    double p = logistic(x - e), q = logistic(e - x), r = logistic(-x - e), s = logistic(x + e);
    double grow = -expm1(-2.0 * e); // 1 - e^-2e
    t.value =
        won * log_logistic(x - e) + lost * log_logistic(-x - e) + g->draws * (2.0 * e + log(grow));
    t.dx = won * q - lost * s;
    t.de = -won * q - lost * s + g->draws * 2.0 / grow;
    t.ixx = won * p * q + lost * r * s;
    t.ixe = -won * p * q + lost * r * s;
    t.iee = won * p * q + lost * r * s + g->draws * 4.0 * exp(-2.0 * e) / (grow * grow);
    return t;
}

static size_t places(const FitProblem *f) { return (size_t)f->players + FIT_EXTRA; }

static double difference(const FitProblem *f, const double *theta, const RatingCount *g) {
    return theta[g->first] - theta[g->second] + theta[f->players + FIT_ADVANTAGE];
}

static double square(double x) { return x * x; }

// The pinning game: a draw of equals with the advantage, seen as half a win each.
static double pin_value(double advantage) {
    return 0.5 * (log_logistic(advantage) + log_logistic(-advantage));
}

static double likelihood_games(const FitProblem *f, const double *theta) {
    double sum = 0.0, e = theta[f->players + FIT_DRAW_WIDTH];
    for (size_t i = 0; i < f->count_nb; i++)
        sum += game_terms(f, &f->counts[i], difference(f, theta, &f->counts[i]), e).value;
    for (size_t i = 0; i < f->virtual_nb; i++)
        sum += game_terms(f, &f->virtuals[i], difference(f, theta, &f->virtuals[i]), e).value;
    return sum;
}

static double likelihood_priors(const FitProblem *f, const double *theta) {
    double sum = 0.0;
    for (size_t i = 0; i < f->anchor_nb; i++)
        sum -= square((theta[f->anchors[i].player] - f->anchors[i].elo) / f->anchors[i].sd) / 2.0;
    for (size_t i = 0; i < f->link_nb; i++) {
        const RatingLink *l = &f->links[i];
        sum -= square((theta[l->a] - theta[l->b] - l->delta) / l->sd) / 2.0;
    }
    return sum + (f->is_advantage_pinned ? pin_value(theta[f->players + FIT_ADVANTAGE]) : 0.0);
}

// Adds the terms of games at (first, second) to gradient and information; only the lower triangle
// is kept.
static void terms_add(const FitProblem *f, const RatingCount *g, const GameTerms *t,
                      double *gradient, double *info) {
    // x = theta_a - theta_b + h, so dx/d(a, b, h) is (1, -1, 1): every term stands at a, b and h
    // with those signs.
    size_t n = places(f), a = (size_t)g->first, b = (size_t)g->second;
    size_t h = (size_t)f->players + FIT_ADVANTAGE, e = (size_t)f->players + FIT_DRAW_WIDTH;
    if (gradient) {
        gradient[a] += t->dx;
        gradient[b] -= t->dx;
        gradient[h] += t->dx;
        gradient[e] += t->de;
    }
    info[a * n + a] += t->ixx;
    info[b * n + b] += t->ixx;
    info[(a > b ? a : b) * n + (a > b ? b : a)] -= t->ixx;
    info[h * n + a] += t->ixx;
    info[h * n + b] -= t->ixx;
    info[h * n + h] += t->ixx;
    info[e * n + a] += t->ixe;
    info[e * n + b] -= t->ixe;
    info[e * n + h] += t->ixe;
    info[e * n + e] += t->iee;
}

// Information of the priors; with a gradient, that too.
static void priors_add(const FitProblem *f, const double *theta, double *gradient, double *info) {
    size_t n = places(f), h = (size_t)f->players + FIT_ADVANTAGE;
    for (size_t i = 0; i < f->anchor_nb; i++) {
        size_t a = (size_t)f->anchors[i].player;
        // A normal prior is a parabola: its information is the same everywhere.
        double weight = 1.0 / square(f->anchors[i].sd);
        if (gradient)
            gradient[a] -= weight * (theta[a] - f->anchors[i].elo);
        info[a * n + a] += weight;
    }
    for (size_t i = 0; i < f->link_nb; i++) {
        const RatingLink *l = &f->links[i];
        size_t a = (size_t)l->a, b = (size_t)l->b;
        double weight = 1.0 / square(l->sd), off = theta[a] - theta[b] - l->delta;
        if (gradient) {
            gradient[a] -= weight * off;
            gradient[b] += weight * off;
        }
        info[a * n + a] += weight;
        info[b * n + b] += weight;
        info[(a > b ? a : b) * n + (a > b ? b : a)] -= weight;
    }
    if (f->is_advantage_pinned) {
        double p = logistic(theta[h]);
        if (gradient)
            gradient[h] += 0.5 - p;
        info[h * n + h] += p * (1.0 - p);
    }
}

static bool place_is_fitted(const FitProblem *f, size_t place) {
    if (place < (size_t)f->players)
        return !f->is_fixed[place];
    return place == (size_t)f->players + FIT_ADVANTAGE ? f->is_advantage_fitted
                                                       : f->is_draw_width_fitted;
}

// Rows and columns of places that are not fitted become the identity's, their gradient 0.
static void fixed_places_clear(const FitProblem *f, double *gradient, double *info) {
    size_t n = places(f);
    for (size_t i = 0; i < n; i++) {
        if (place_is_fitted(f, i))
            continue;
        for (size_t j = 0; j < n; j++)
            info[i * n + j] = info[j * n + i] = 0.0;
        info[i * n + i] = 1.0;
        if (gradient)
            gradient[i] = 0.0;
    }
}

// Fills the direction "all ratings up together" with the mean information of a rating. Returns what
// it added to each element, for taking it out of the inverse.
// The games only know differences, so the information is singular along it. Filled evenly, the
// factorisation exists, the step has no part in that direction (the gradients sum to 0), and what
// was added is known exactly.
static double gauge_fill(const FitProblem *f, double *info) {
    size_t n = places(f), players = (size_t)f->players;
    if (f->is_absolute)
        return 0.0;
    double sum = 0.0;
    for (size_t i = 0; i < players; i++)
        sum += info[i * n + i];
    double each = fmax(sum, 1e-300) / (double)(players * players);
    for (size_t i = 0; i < players; i++)
        for (size_t j = 0; j <= i; j++)
            info[i * n + j] += each;
    return each;
}

// Gradient and information at theta, ready for factoring.
static double system_build(const FitProblem *f, const double *theta, double *gradient,
                           double *info) {
    size_t n = places(f);
    double e = theta[f->players + FIT_DRAW_WIDTH];
    memset(info, 0, n * n * sizeof *info);
    memset(gradient, 0, n * sizeof *gradient);
    for (size_t i = 0; i < f->count_nb; i++) {
        GameTerms t = game_terms(f, &f->counts[i], difference(f, theta, &f->counts[i]), e);
        terms_add(f, &f->counts[i], &t, gradient, info);
    }
    for (size_t i = 0; i < f->virtual_nb; i++) {
        GameTerms t = game_terms(f, &f->virtuals[i], difference(f, theta, &f->virtuals[i]), e);
        terms_add(f, &f->virtuals[i], &t, gradient, info);
    }
    priors_add(f, theta, gradient, info);
    fixed_places_clear(f, gradient, info);
    return gauge_fill(f, info);
}

// Factors the information; where rounding has made it indefinite, a ridge of growing size helps.
// Relative to each diagonal, with a floor for those that are 0: a player whose games are all but
// decided has hardly any information.
static bool factor_with_ridge(size_t n, const double *info, double *factor) {
    for (double ridge = 0.0; ridge<1.0; ridge = ridge> 0.0 ? ridge * 100.0 : 1e-12) {
        memcpy(factor, info, n * n * sizeof *info);
        for (size_t i = 0; i < n; i++)
            factor[i * n + i] += ridge * info[i * n + i] + ridge * 1e-3;
        if (numeric_cholesky(factor, n))
            return true;
    }
    return false;
}

// Shifts the ratings to sum 0 where nothing else fixes the scale.
static void recentre(const FitProblem *f, double *theta) {
    if (f->is_absolute)
        return;
    double mean = 0.0;
    for (int i = 0; i < f->players; i++)
        mean += theta[i] / f->players;
    for (int i = 0; i < f->players; i++)
        theta[i] -= mean;
}

// Moves theta along `step`, shorter while that does not raise the likelihood. Returns the largest
// part moved.
static double step_take(const FitProblem *f, double *theta, double *step, double *trial,
                        double *value) {
    size_t n = places(f), e = (size_t)f->players + FIT_DRAW_WIDTH;
    double largest = 0.0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(step[i]));
    double scale = largest > step_max ? step_max / largest : 1.0;
    // Not a clip to 0: at most to a quarter at a time, so the direction of the step is kept and the
    // logarithm of the width's factor stays finite.
    if (step[e] * scale < -0.75 * theta[e])
        scale = -0.75 * theta[e] / step[e]; // the draw width stays positive
    for (int halving = 0; halving < HALVINGS_MAX; halving++, scale /= 2.0) {
        for (size_t i = 0; i < n; i++)
            trial[i] = theta[i] + scale * step[i];
        double now = likelihood_games(f, trial) + likelihood_priors(f, trial);
        // Near the top the gain is below the rounding of the sum; insisting on it would halve for
        // nothing.
        if (now >= *value - 1e-12 * fabs(*value)) {
            memcpy(theta, trial, n * sizeof *theta);
            *value = now;
            return largest * scale;
        }
    }
    return 0.0;
}

// The inverse of the information at theta, fixed places and the filled direction taken out.
static bool covariance_make(const FitProblem *f, const double *theta, double *gradient,
                            double *info, double *matrix) {
    size_t n = places(f), players = (size_t)f->players;
    double filled = system_build(f, theta, gradient, info);
    if (!factor_with_ridge(n, info, matrix))
        return false;
    numeric_cholesky_invert(matrix, n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (!place_is_fitted(f, i) || !place_is_fitted(f, j))
                matrix[i * n + j] = 0.0;
    // each * 11^T has the eigenvalue each * players along 1, so its inverse is 11^T / (each *
    // players^2).
    if (filled > 0.0)
        for (size_t i = 0; i < players; i++)
            for (size_t j = 0; j < players; j++)
                matrix[i * n + j] -= 1.0 / (filled * (double)(players * players));
    return true;
}

bool fit_newton(const FitProblem *f, double *theta, double *matrix, double *log_likelihood) {
    size_t n = places(f);
    // One block for gradient, trial and information.
    double *gradient = malloc((2 * n + n * n) * sizeof *gradient),
           *trial = gradient ? gradient + n : NULL;
    double *info = gradient ? gradient + 2 * n : NULL;
    bool is_sound = gradient != NULL;
    recentre(f, theta);
    double value = likelihood_games(f, theta) + likelihood_priors(f, theta);
    for (int round = 0; is_sound && round < ROUNDS_MAX; round++) {
        system_build(f, theta, gradient, info);
        is_sound = factor_with_ridge(n, info, matrix);
        if (!is_sound)
            break;
        numeric_cholesky_solve(matrix, n, gradient);
        double moved = step_take(f, theta, gradient, trial, &value);
        recentre(f, theta);
        // Newton's error squares itself: a step this small means that the next would not be seen.
        if (moved < step_enough)
            break;
    }
    // Factored anew at the final theta; the last round's factor is of the point before.
    is_sound = is_sound && covariance_make(f, theta, gradient, info, matrix);
    *log_likelihood = likelihood_games(f, theta);
    free(gradient);
    return is_sound;
}

// Gradient of one game in x and e, by the half points of the first mover.
static void game_score(const FitProblem *f, int half_points, double x, double e, double *dx,
                       double *de) {
    RatingCount one = {
        .first_wins = half_points == 2, .draws = half_points == 1, .second_wins = half_points == 0};
    GameTerms t = game_terms(f, &one, x, e);
    *dx = t.dx;
    *de = t.de;
}

// Adds count * g g^T for g = alpha (e_a - e_b) + eta e_h + epsilon e_e; lower triangle.
static void outer_add(const FitProblem *f, int player_a, int player_b, const double g[3],
                      double count, double *meat) {
    size_t n = places(f), a = (size_t)player_a, b = (size_t)player_b;
    size_t h = (size_t)f->players + FIT_ADVANTAGE, e = (size_t)f->players + FIT_DRAW_WIDTH;
    double alpha = g[0], eta = g[1], epsilon = g[2];
    meat[a * n + a] += count * alpha * alpha;
    meat[b * n + b] += count * alpha * alpha;
    meat[(a > b ? a : b) * n + (a > b ? b : a)] -= count * alpha * alpha;
    meat[h * n + a] += count * alpha * eta;
    meat[h * n + b] -= count * alpha * eta;
    meat[h * n + h] += count * eta * eta;
    meat[e * n + a] += count * alpha * epsilon;
    meat[e * n + b] -= count * alpha * epsilon;
    meat[e * n + h] += count * eta * epsilon;
    meat[e * n + e] += count * epsilon * epsilon;
}

// Whole pairs: the gradients of the two games are added before they are squared. Single games that
// the counts hold inside the pairs are taken out again (`sign` -1), so that every game is counted
// in one cluster.
static void pairs_add(const FitProblem *f, const double *theta, double *meat) {
    double advantage = theta[f->players + FIT_ADVANTAGE], e = theta[f->players + FIT_DRAW_WIDTH];
    for (size_t k = 0; k < f->pair_nb; k++) {
        const RatingPairs *p = &f->pairs[k];
        double d = theta[p->a] - theta[p->b];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double count = p->n[i][j], dx1, de1, dx2, de2;
                if (count <= 0.0)
                    continue;
                game_score(f, i, d + advantage, e, &dx1, &de1);
                game_score(f, 2 - j, -d + advantage, e, &dx2, &de2); // b moved first and made 2 - j
                outer_add(f, p->a, p->b, (double[3]){dx1 - dx2, dx1 + dx2, de1 + de2}, count, meat);
                outer_add(f, p->a, p->b, (double[3]){dx1, dx1, de1}, -count, meat);
                outer_add(f, p->a, p->b, (double[3]){-dx2, dx2, de2}, -count, meat);
            }
    }
}

// A game alone is a cluster of one.
static void singles_add(const FitProblem *f, const double *theta, double *meat) {
    double e = theta[f->players + FIT_DRAW_WIDTH];
    for (size_t k = 0; k < f->count_nb; k++) {
        const RatingCount *g = &f->counts[k];
        const double by_half_points[3] = {g->second_wins, g->draws, g->first_wins};
        for (int i = 0; i < 3; i++) {
            double dx, de;
            game_score(f, i, difference(f, theta, g), e, &dx, &de);
            outer_add(f, g->first, g->second, (double[3]){dx, dx, de}, by_half_points[i], meat);
        }
    }
}

// Virtual draws and priors are not sampled: they vary as their own information says.
static void virtuals_add(const FitProblem *f, const double *theta, double *meat) {
    double e = theta[f->players + FIT_DRAW_WIDTH];
    for (size_t i = 0; i < f->virtual_nb; i++) {
        GameTerms t = game_terms(f, &f->virtuals[i], difference(f, theta, &f->virtuals[i]), e);
        terms_add(f, &f->virtuals[i], &t, NULL, meat);
    }
    priors_add(f, theta, NULL, meat);
}

// out = left * right, all n by n and row-major; the inner loop runs along rows.
static void matrix_multiply(size_t n, const double *left, const double *right, double *out) {
    memset(out, 0, n * n * sizeof *out);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            double factor = left[i * n + k];
            if (factor == 0.0)
                continue;
            for (size_t j = 0; j < n; j++)
                out[i * n + j] += factor * right[k * n + j];
        }
}

// A^-1 B A^-1 (Huber 1967, White 1980): A the information, in `matrix` inverted, B the scatter of
// the gradients that was really seen, one pair or single game a cluster. Where openings are biased,
// games of a pair move against each other and B is smaller than A.
void fit_sandwich(const FitProblem *f, const double *theta, double *matrix, double *work) {
    size_t n = places(f);
    double *meat = work, *half = work + n * n, *model = work + 2 * n * n, *clusters = model + n;
    for (size_t i = 0; i < n; i++)
        model[i] = matrix[i * n + i];
    memset(meat, 0, n * n * sizeof *meat);
    singles_add(f, theta, meat);
    pairs_add(f, theta, meat);
    virtuals_add(f, theta, meat);
    for (size_t i = 0; i < n; i++)
        // Only the lower triangle was summed.
        for (size_t j = 0; j < i; j++)
            meat[j * n + i] = meat[i * n + j];
    matrix_multiply(n, matrix, meat, half);
    memcpy(meat, matrix, n * n * sizeof *meat);
    matrix_multiply(n, half, meat, matrix);
    // A player with few clusters lies close to all that it has been seen doing, so that its scatter
    // says next to nothing: its own variance is then that of the model at least.
    fit_clusters(f->counts, f->count_nb, f->pairs, f->pair_nb, f->players, clusters);
    for (size_t i = 0; i < (size_t)f->players; i++) {
        double *own = &matrix[i * n + i];
        bool has_scatter = *own * ELO_PER_LOGIT * ELO_PER_LOGIT > RATING_NO_SCATTER;
        if (has_scatter && clusters[i] < FIT_FEW_CLUSTERS)
            *own = fmax(*own, model[i]);
    }
}

void fit_clusters(const RatingCount *counts, size_t count_nb, const RatingPairs *pairs,
                  size_t pair_nb, int players, double *out) {
    memset(out, 0, (size_t)players * sizeof *out);
    for (size_t k = 0; k < count_nb; k++) {
        const RatingCount *c = &counts[k];
        double games = c->first_wins + c->draws + c->second_wins;
        out[c->first] += games;
        out[c->second] += games;
    }
    for (size_t k = 0; k < pair_nb; k++) // two of the games are one cluster
        for (int i = 0; i < 9; i++) {
            out[pairs[k].a] -= pairs[k].n[i / 3][i % 3];
            out[pairs[k].b] -= pairs[k].n[i / 3][i % 3];
        }
}
