// SPDX-License-Identifier: GPL-3.0-or-later
// The generalized sequential probability ratio test on counts of games or pairs.
#include "harness/stats/sprt.h"

#include "harness/stats/elo.h"
#include "harness/stats/numeric.h"

#include <math.h>

static const char no_solution[] =
    "the likelihood equations have no solution for these bounds and counts";
// A cell nobody has reached yet would forbid its outcome for ever and make the ratio infinite.
// Small enough to leave the evidence of real counts alone.
static const double empty_cell = 1e-3; // observations that an empty cell is taken for
enum { NORMALIZED_ROUNDS_MAX = 60 };

const char *sprt_model_name(SprtModel model) {
    return model == SPRT_LOGISTIC ? "logistic" : "normalized";
}

const char *sprt_state_name(SprtState state) {
    switch (state) {
    case SPRT_CONTINUE:
        return "continue";
    case SPRT_H0:
        return "H0";
    case SPRT_H1:
        return "H1";
    case SPRT_UNDEFINED:
        break;
    }
    return "undefined";
}

Status sprt_params_check(const SprtParams *params, ErrorText *err) {
    const SprtParams *p = params;
    if (!(p->alpha > 0.0 && p->alpha < 1.0) || !(p->beta > 0.0 && p->beta < 1.0))
        return error_set(err, STATUS_INVALID, "alpha %g, beta %g: each must be between 0 and 1",
                         p->alpha, p->beta);
    // Beyond that the two bounds of the ratio change sides.
    if (!(p->alpha + p->beta < 1.0))
        return error_set(err, STATUS_INVALID, "alpha %g + beta %g must be below 1", p->alpha,
                         p->beta);
    if (!(fabs(p->elo0) <= SPRT_ELO_MAX) || !(fabs(p->elo1) <= SPRT_ELO_MAX))
        return error_set(err, STATUS_INVALID, "elo0 %g, elo1 %g: each must be within +-%g", p->elo0,
                         p->elo1, SPRT_ELO_MAX);
    if (!(p->elo0 < p->elo1))
        return error_set(err, STATUS_INVALID, "elo0 %g must be below elo1 %g", p->elo0, p->elo1);
    return STATUS_OK;
}

// Outcome probabilities under a constraint: sum p phi = 0, where phi is the constraint's value in
// each cell.
typedef struct Secular {
    int cells;
    const double *freq;           // observed, all positive, sum 1
    double ratio[SCORE_CELL_MAX]; // phi over its largest magnitude on the side of the pole
} Secular;

// The multiplier theta lies between 0 and a pole, where 1 + theta phi vanishes in one cell. It is
// written as (1 - u) / |phi there|, so that 1 + theta phi = 1 + ratio - u ratio keeps all its
// digits however near the pole is.
static double secular_value(double log_u, void *ctx) {
    const Secular *s = ctx;
    // In log u because the root may lie anywhere between 1 (no change needed) and 1e-40 (at the
    // pole): lopsided counts under far bounds.
    double sum = 0.0, u = exp(log_u);
    for (int i = 0; i < s->cells; i++)
        sum += s->freq[i] * s->ratio[i] / (1.0 + s->ratio[i] - u * s->ratio[i]);
    return sum;
}

// The distribution closest to the observed one, in likelihood, that meets the constraint: freq / (1
// + theta phi), theta the root of a function that falls from infinity to minus infinity between its
// poles. False when phi has one sign.
static bool secular_solve(int cells, const double *freq, const double *phi, double *fitted) {
    // The sign of the constraint's mean under the observed counts says on which side of 0 theta
    // lies, and so which pole is met first.
    double least = 0.0, most = 0.0, at_zero = 0.0, log_u;
    for (int i = 0; i < cells; i++) {
        least = fmin(least, phi[i]);
        most = fmax(most, phi[i]);
        at_zero += freq[i] * phi[i];
    }
    if (!(least < 0.0 && most > 0.0) || !isfinite(least) || !isfinite(most))
        return false;
    Secular s = {.cells = cells, .freq = freq};
    for (int i = 0; i < cells; i++)
        s.ratio[i] = at_zero >= 0.0 ? phi[i] / -least : -phi[i] / most;
    if (!numeric_root(secular_value, &s, -100.0, 0.0, &log_u))
        log_u = 0.0; // the observed distribution meets the constraint as nearly as doubles can tell
    double u = exp(log_u);
    for (int i = 0; i < cells; i++)
        fitted[i] = freq[i] / (1.0 + s.ratio[i] - u * s.ratio[i]);
    return true;
}

static bool fit_logistic(const ScoreCells *cells, const double *freq, double elo, double *fitted) {
    double phi[SCORE_CELL_MAX], score = score_from_elo(elo);
    for (int i = 0; i < cells->cells; i++)
        phi[i] = cells->score[i] - score;
    return secular_solve(cells->cells, freq, phi, fitted);
}

static void distribution_moments(const ScoreCells *cells, const double *p, double *mean,
                                 double *deviation) {
    double total = 0.0, sum = 0.0, square = 0.0;
    for (int i = 0; i < cells->cells; i++) {
        total += p[i];
        sum += p[i] * cells->score[i];
    }
    *mean = sum / total;
    for (int i = 0; i < cells->cells; i++)
        square += p[i] * (cells->score[i] - *mean) * (cells->score[i] - *mean);
    *deviation = sqrt(square / total);
}

// The constraint (mean - 1/2) / deviation = t, linearised at a mean and deviation.
// The mean is linear in p, the deviation is not: sqrt(v) is taken as (d + v / d) / 2, its tangent
// at the deviation d. Hence phi = score - 1/2 - t d / 2 - t (score - mean)^2 / (2 d).
static void normalized_phi(const ScoreCells *cells, double t, double mean, double deviation,
                           double *phi) {
    for (int i = 0; i < cells->cells; i++) {
        double off = (cells->score[i] - mean) / deviation;
        phi[i] = cells->score[i] - 0.5 - t * deviation * (1.0 + off * off) / 2.0;
    }
}

// A deviation together with its mean 1/2 + t deviation fixes the linearised constraint; the fit to
// that constraint has some mean of its own, and where the two means agree the fit is a solution.
typedef struct DeviationScan {
    const ScoreCells *cells;
    const double *freq;
    double t;
    double fitted[SCORE_CELL_MAX]; // of the last evaluation
} DeviationScan;

static double deviation_gap(double deviation, void *ctx) {
    DeviationScan *s = ctx;
    double phi[SCORE_CELL_MAX], mean, unused, wanted = 0.5 + s->t * deviation;
    normalized_phi(s->cells, s->t, wanted, deviation, phi);
    if (!secular_solve(s->cells->cells, s->freq, phi, s->fitted))
        return NAN;
    distribution_moments(s->cells, s->fitted, &mean, &unused);
    return mean - wanted;
}

// Every solution by scanning the deviation, the likeliest kept. Slow (some thousand logarithms) but
// cannot swing.
static bool fit_normalized_by_scan(const ScoreCells *cells, const double *freq, double t,
                                   double *fitted) {
    // From 1/2, the largest deviation that scores in 0..1 can have, down eight decades, even in its
    // logarithm.
    enum { STEPS = 400 };
    DeviationScan scan = {.cells = cells, .freq = freq, .t = t};
    double best = -HUGE_VAL, last = NAN, last_gap = NAN;
    for (int step = 1; step <= STEPS; step++) {
        double deviation = 0.5 * pow(1e-8, 1.0 - (double)step / STEPS), root;
        double gap = deviation_gap(deviation, &scan);
        // A change of sign may also be a jump between poles: only where the gap closes is there a
        // solution.
        if (isfinite(gap) && isfinite(last_gap) && (gap > 0.0) != (last_gap > 0.0) &&
            numeric_root(deviation_gap, &scan, last, deviation, &root) &&
            fabs(deviation_gap(root, &scan)) < 1e-9) {
            double likelihood = 0.0;
            for (int i = 0; i < cells->cells; i++)
                likelihood += freq[i] * log(scan.fitted[i]);
            if (likelihood > best) {
                best = likelihood;
                for (int i = 0; i < cells->cells; i++)
                    fitted[i] = scan.fitted[i];
            }
        }
        last = deviation;
        last_gap = gap;
    }
    return best > -HUGE_VAL;
}

// Fits under (mean - 1/2) / deviation = t: from the uniform distribution on, the constraint is
// linearised at the present mean and deviation; a fixed point is the solution. Bounds so far out
// that not even the first step can be made have none. Lopsided counts can make the plain iteration
// swing or step out of reach; then the scan finds the fixed point.
static bool fit_normalized(const ScoreCells *cells, const double *freq, double t, double *fitted) {
    int n = cells->cells;
    for (int i = 0; i < n; i++)
        fitted[i] = 1.0 / n;
    for (int round = 0; round < NORMALIZED_ROUNDS_MAX; round++) {
        double mean, deviation, phi[SCORE_CELL_MAX], next[SCORE_CELL_MAX], change = 0.0;
        distribution_moments(cells, fitted, &mean, &deviation);
        normalized_phi(cells, t, mean, deviation, phi);
        if (!secular_solve(n, freq, phi, next)) {
            // Nothing has been fitted yet: sprt_elo_limit tells beforehand which bounds end here.
            if (round == 0)
                return false;
            break;
        }
        for (int i = 0; i < n; i++) {
            change = fmax(change, fabs(next[i] - fitted[i]));
            fitted[i] = next[i];
        }
        if (change < 1e-13)
            return true;
    }
    return fit_normalized_by_scan(cells, freq, t, fitted);
}

// t-value of one observation for `elo`: a pair has half the variance of a game.
static double t_value(double elo, int cells) {
    return elo / NELO_SCALE * (cells == 5 ? sqrt(2.0) : 1.0);
}

double sprt_elo_limit(SprtModel model, int cells) {
    if (model == SPRT_LOGISTIC)
        return SPRT_ELO_MAX;
    // The first step of fit_normalized can be made when some cell lies on the other side of the
    // linearised constraint than the empty middle.
    // The uniform distribution, where fit_normalized starts: its variance, then each cell's bound.
    double square = 0.0, limit = 0.0;
    for (int i = 0; i < cells; i++) {
        double off = (double)i / (cells - 1) - 0.5;
        square += off * off / cells;
    }
    for (int i = 0; i < cells; i++) {
        double off = (double)i / (cells - 1) - 0.5;
        limit = fmax(limit, 2.0 * off / (sqrt(square) * (1.0 + off * off / square)));
    }
    return limit / t_value(1.0, cells);
}

static bool fit(const SprtParams *params, const ScoreCells *cells, const double *freq, double elo,
                double *fitted) {
    return params->model == SPRT_LOGISTIC
               ? fit_logistic(cells, freq, elo, fitted)
               : fit_normalized(cells, freq, t_value(elo, cells->cells), fitted);
}

// One set of frequencies for both hypotheses, empty cells included: the ratio compares fits to the
// same data.
static StatValue likelihood_ratio(const SprtParams *params, const ScoreCells *cells) {
    double freq[SCORE_CELL_MAX], fit0[SCORE_CELL_MAX], fit1[SCORE_CELL_MAX], total = 0.0, sum = 0.0;
    for (int i = 0; i < cells->cells; i++) {
        freq[i] = cells->count[i] > 0.0 ? cells->count[i] : empty_cell;
        total += freq[i];
    }
    for (int i = 0; i < cells->cells; i++)
        freq[i] /= total;
    if (!fit(params, cells, freq, params->elo0, fit0) ||
        !fit(params, cells, freq, params->elo1, fit1))
        return stat_missing(no_solution);
    for (int i = 0; i < cells->cells; i++)
        sum += freq[i] * log(fit1[i] / fit0[i]);
    return stat_finite(total * sum, no_solution);
}

SprtResult sprt_evaluate(const SprtParams *params, const ScoreCells *cells) {
    SprtResult r = {
        .lower = log(params->beta / (1.0 - params->alpha)),
        .upper = log((1.0 - params->beta) / params->alpha),
        .llr = stat_value(0.0),
        .state = SPRT_CONTINUE,
    };
    double total = 0.0;
    for (int i = 0; i < cells->cells; i++)
        total += cells->count[i];
    if (total <= 0.0)
        return r;
    // Exact even after one pair. The normal form of the ratio would divide by a variance that is 0
    // then.
    r.llr = likelihood_ratio(params, cells);
    if (!stat_exists(r.llr))
        r.state = SPRT_UNDEFINED;
    else if (r.llr.value >= r.upper)
        r.state = SPRT_H1;
    else if (r.llr.value <= r.lower)
        r.state = SPRT_H0;
    return r;
}

SprtTest sprt_test_init(const SprtParams *params) {
    SprtTest test = {.params = *params};
    ScoreCells none = score_cells_from_pairs(&test.tested);
    test.result = sprt_evaluate(params, &none);
    return test;
}

SprtState sprt_test_add_pair(SprtTest *test, PairClass pair_class) {
    // A verdict that a later pair could take back would be a test with other error rates. What
    // comes later is games that were in progress, counted apart.
    if (test->result.state == SPRT_H0 || test->result.state == SPRT_H1) {
        test->later.n[pair_class]++;
        return test->result.state;
    }
    test->tested.n[pair_class]++;
    ScoreCells cells = score_cells_from_pairs(&test->tested);
    test->result = sprt_evaluate(&test->params, &cells);
    return test->result.state;
}
