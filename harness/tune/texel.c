// SPDX-License-Identifier: GPL-3.0-or-later
// Newton's method for the weights, with bounds, an order to keep, and errors clustered by game.
#include "harness/tune/texel.h"

#include "engine/base/check.h"
#include "engine/base/rng.h"
#include "harness/stats/numeric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PARTS_MAX = TEXEL_KNOBS_MAX + 2, // the knobs, tempo, the logarithm of k
    STEPS_MAX = 60,
    HALVINGS_MAX = 30,
};

static const double STEP_SMALL = 1e-9; // a step of less than this, in units of the scale, ends it

// The positions of a fit: all, or those inside or outside one fold.
typedef struct Sample {
    const TexelData *data;
    int64_t *row; // owned
    int64_t count;
} Sample;

// Where a fit stands.
typedef struct Point {
    double k, tempo;
    double weight[TEXEL_KNOBS_MAX];
} Point;

// Mean log-loss, its gradient and its Fisher information; parts are the knobs in units of their
// scale, tempo, and the logarithm of k.
typedef struct Slope {
    double loss;
    double gradient[PARTS_MAX];
    double information[PARTS_MAX * PARTS_MAX];
} Slope;

// Exact for an evaluation that is linear in each knob alone: value at the start, slope by each
// knob, and one term for two knobs that multiply each other.
double texel_value(const TexelData *data, int64_t row, const double *weight, double *slope) {
    const double *at = data->slope + row * data->knob_count;
    double value = data->value[row];
    for (int i = 0; i < data->knob_count; i++)
        value += at[i] * (weight[i] - data->knob[i].start);
    if (slope)
        memcpy(slope, at, (size_t)data->knob_count * sizeof *slope);
    for (int c = 0; c < data->cross_count; c++) {
        double bend = data->bend[row * data->cross_count + c];
        int a = data->cross[c].a, b = data->cross[c].b;
        double by_a = weight[a] - data->knob[a].start, by_b = weight[b] - data->knob[b].start;
        value += bend * by_a * by_b;
        if (slope) {
            slope[a] += bend * by_b;
            slope[b] += bend * by_a;
        }
    }
    return value;
}

// -ln of the chance given to what happened, for outcomes of 0, 1/2 and 1; written so that neither
// large z nor large -z overflows.
static double log_loss(double z, double outcome) {
    return log1p(exp(-fabs(z))) + fmax(z, 0.0) - outcome * z;
}

static double chance(double z) { return 1.0 / (1.0 + exp(-z)); }

static double sample_loss(const Sample *sample, const Point *at) {
    double sum = 0;
    for (int64_t i = 0; i < sample->count; i++) {
        int64_t row = sample->row[i];
        double z = at->k * texel_value(sample->data, row, at->weight, NULL) + at->tempo;
        sum += log_loss(z, sample->data->outcome[row]);
    }
    return sum / (double)sample->count;
}

// --- k and tempo, with the weights as they are
// --------------------------------------------------------------------

// Newton's method in two numbers; the values are brought to unit size first.
static Status fit_k(const Sample *sample, Point *at, ErrorText *err) {
    const TexelData *data = sample->data;
    double size = 0, outcomes = 0;
    for (int64_t i = 0; i < sample->count; i++) {
        size += data->value[sample->row[i]] * data->value[sample->row[i]];
        outcomes += data->outcome[sample->row[i]];
    }
    // Root mean square of the values, so that the two unknowns have the same size whatever the unit
    // of the evaluation is.
    size = sqrt(size / (double)sample->count);
    outcomes /= (double)sample->count;
    if (!(size > 0) || !isfinite(size))
        return error_set(err, STATUS_INVALID,
                         "the evaluation is the same in every position: nothing to fit");
    // The likelihood would grow with tempo for ever.
    if (outcomes <= 0 || outcomes >= 1)
        return error_set(err, STATUS_INVALID,
                         "the side to move %s in every position: nothing to fit",
                         outcomes <= 0 ? "lost" : "won");
    double slope = 0, tempo = 0;
    for (int step = 0; step < STEPS_MAX; step++) {
        // The 1e-9 keeps the determinant above 0 where all chances are near 0 or 1.
        double g0 = 0, g1 = 0, h00 = 1e-9, h01 = 0, h11 = 1e-9;
        for (int64_t i = 0; i < sample->count; i++) {
            double x = data->value[sample->row[i]] / size, p = chance(slope * x + tempo);
            double off = p - data->outcome[sample->row[i]], spread = p * (1 - p);
            g0 += off, g1 += off * x;
            h00 += spread, h01 += spread * x, h11 += spread * x * x;
        }
        double det = h00 * h11 - h01 * h01;
        double by_tempo = (h11 * g0 - h01 * g1) / det, by_slope = (h00 * g1 - h01 * g0) / det;
        // At most 2 a step: from 0 the first one overshoots when the evaluation tells the outcome
        // almost surely.
        double length = hypot(by_tempo, by_slope), limit = length > 2 ? 2 / length : 1;
        tempo -= limit * by_tempo, slope -= limit * by_slope;
        if (length < 1e-10)
            break;
    }
    // Weights fitted to a negative k would make the evaluation prefer lost positions.
    if (!(slope > 0))
        return error_set(
            err, STATUS_INVALID,
            "the outcomes contradict the evaluation (k = %.3g): are these the games of "
            "players with such weights?",
            slope / size);
    at->k = slope / size;
    at->tempo = tempo;
    return STATUS_OK;
}

// --- the weights
// --------------------------------------------------------------------------------------------------

static void slope_compute(const Sample *sample, const Point *at, Slope *out) {
    const TexelData *data = sample->data;
    int n = data->knob_count, parts = n + 2;
    double jacobian[PARTS_MAX];
    memset(out, 0, sizeof *out);
    for (int64_t i = 0; i < sample->count; i++) {
        int64_t row = sample->row[i];
        double value = texel_value(data, row, at->weight, jacobian);
        double z = at->k * value + at->tempo;
        // The logistic likelihood: gradient (p - outcome) J, Fisher information p (1 - p) J J^T, J
        // the derivative of z. For cross terms that is not the whole second derivative but always
        // positive.
        double p = chance(z), off = p - data->outcome[row], spread = p * (1 - p);
        for (int a = 0; a < n; a++)
            jacobian[a] *= at->k * data->knob[a].scale;
        jacobian[n] = 1;
        // By the logarithm of k, which keeps it positive.
        jacobian[n + 1] = at->k * value;
        out->loss += log_loss(z, data->outcome[row]);
        for (int a = 0; a < parts; a++) {
            out->gradient[a] += off * jacobian[a];
            for (int b = 0; b <= a; b++)
                out->information[a * parts + b] += spread * jacobian[a] * jacobian[b];
        }
    }
    double share = 1.0 / (double)sample->count;
    out->loss *= share;
    for (int a = 0; a < parts; a++) {
        out->gradient[a] *= share;
        for (int b = 0; b <= a; b++)
            out->information[b * parts + a] = out->information[a * parts + b] *= share;
    }
}

static double pull_loss(const TexelData *data, double l2, const Point *at) {
    double sum = 0;
    for (int i = 0; i < data->knob_count; i++) {
        double moved = (at->weight[i] - data->knob[i].start) / data->knob[i].scale;
        sum += moved * moved;
    }
    return 0.5 * l2 * sum;
}

static void slope_add_pull(const TexelData *data, double l2, const Point *at, Slope *slope) {
    int n = data->knob_count;
    for (int i = 0; i < n; i++) {
        slope->gradient[i] += l2 * (at->weight[i] - data->knob[i].start) / data->knob[i].scale;
        slope->information[i * (n + 2) + i] += l2;
    }
    slope->loss += pull_loss(data, l2, at);
}

// Knobs that may move from here: known, and not held by a bound that the gradient pushes against.
static void free_parts(const TexelData *data, const Point *at, const Slope *slope,
                       const bool *unknown, bool *is_free) {
    for (int i = 0; i < data->knob_count; i++) {
        const TexelKnob *knob = &data->knob[i];
        bool is_held = (at->weight[i] <= knob->low && slope->gradient[i] > 0) ||
                       (at->weight[i] >= knob->high && slope->gradient[i] < 0);
        is_free[i] = !unknown[i] && !is_held;
    }
    is_free[data->knob_count] = true; // tempo
    // k is said by the caller: errors are given for a fixed k, the fit lets it go along.
    is_free[data->knob_count + 1] = false; // k
}

// The inverse of the information of the free parts, zeros elsewhere. A tiny ridge keeps knobs
// apart that no position tells apart.
static bool information_invert(const Slope *slope, int parts, const bool *is_free, double *out) {
    int place[PARTS_MAX], count = 0;
    double matrix[PARTS_MAX * PARTS_MAX], trace = 0;
    for (int a = 0; a < parts; a++)
        if (is_free[a]) {
            trace += slope->information[a * parts + a];
            place[count++] = a;
        }
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++)
            matrix[a * count + b] =
                slope->information[place[a] * parts + place[b]] + (a == b ? 1e-12 * trace : 0);
    if (!numeric_cholesky(matrix, (size_t)count))
        return false;
    numeric_cholesky_invert(matrix, (size_t)count);
    memset(out, 0, (size_t)(parts * parts) * sizeof *out);
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++)
            out[place[a] * parts + place[b]] = matrix[a * count + b];
    return true;
}

// Goes a part of the way; never leaves the bounds.
static Point point_step(const TexelData *data, const TexelOptions *options, const Point *at,
                        const double *step, double share) {
    Point next = *at;
    for (int i = 0; i < data->knob_count; i++) {
        const TexelKnob *knob = &data->knob[i];
        double moved = at->weight[i] + share * step[i] * knob->scale;
        next.weight[i] = fmin(fmax(moved, knob->low), knob->high);
    }
    // After the bounds: the project function keeps them, too.
    if (options->project)
        options->project(options->project_ctx, next.weight);
    next.tempo += share * step[data->knob_count];
    // At most by a factor of e a step, so that a wild first step can be halved back.
    next.k *= exp(fmin(fmax(share * step[data->knob_count + 1], -1.0), 1.0));
    return next;
}

// Returns the number of steps; *at is the best point found.
static int fit_weights(const Sample *sample, const TexelOptions *options, const bool *unknown,
                       Point *at) {
    const TexelData *data = sample->data;
    int parts = data->knob_count + 2;
    double inverse[PARTS_MAX * PARTS_MAX], step[PARTS_MAX];
    bool is_free[PARTS_MAX];
    Slope slope;
    int steps = 0;
    for (; steps < STEPS_MAX; steps++) {
        slope_compute(sample, at, &slope);
        slope_add_pull(data, options->l2, at, &slope);
        free_parts(data, at, &slope, unknown, is_free);
        is_free[parts - 1] = options->l2 > 0; // else nothing holds the scale of the weights
        if (!information_invert(&slope, parts, is_free, inverse))
            return steps;
        double longest = 0;
        for (int a = 0; a < parts; a++) {
            step[a] = 0;
            for (int b = 0; b < parts; b++)
                step[a] -= inverse[a * parts + b] * slope.gradient[b];
            longest = fmax(longest, fabs(step[a]));
        }
        // Halved until the loss really falls: with bounds and orders the full step may lead
        // elsewhere than Newton meant.
        bool is_better = false;
        double share = 1;
        for (int halving = 0; halving < HALVINGS_MAX && !is_better && longest > STEP_SMALL;
             halving++, share /= 2) {
            Point next = point_step(data, options, at, step, share);
            double loss = sample_loss(sample, &next) + pull_loss(data, options->l2, &next);
            is_better = loss < slope.loss;
            if (is_better)
                *at = next;
        }
        if (!is_better || longest * share < STEP_SMALL)
            return steps;
    }
    return steps;
}

// Knobs that no position says anything about.
static void find_unknown(const TexelData *data, bool *unknown) {
    for (int i = 0; i < data->knob_count; i++) {
        unknown[i] = true;
        for (int64_t row = 0; row < data->count && unknown[i]; row++)
            unknown[i] = data->slope[row * data->knob_count + i] == 0;
    }
    // A knob may do nothing while its partner is at the start and still matter: a weight times a
    // knob that is 0.
    for (int c = 0; c < data->cross_count; c++)
        for (int64_t row = 0; row < data->count; row++)
            if (data->bend[row * data->cross_count + c] != 0)
                unknown[data->cross[c].a] = unknown[data->cross[c].b] = false;
}

// Standard errors, given k, from the spread of the groups' gradients around their sum (the
// sandwich).
static void errors_compute(const Sample *sample, const TexelOptions *options, const Point *at,
                           TexelResult *out) {
    const TexelData *data = sample->data;
    int n = data->knob_count, parts = n + 2;
    double inverse[PARTS_MAX * PARTS_MAX], jacobian[PARTS_MAX], sum[PARTS_MAX] = {0};
    double variance[PARTS_MAX] = {0};
    bool is_free[PARTS_MAX];
    Slope slope;
    slope_compute(sample, at, &slope);
    slope_add_pull(data, options->l2, at, &slope);
    free_parts(data, at, &slope, out->is_unknown, is_free);
    for (int i = 0; i < n; i++)
        out->is_on_bound[i] = !out->is_unknown[i] && !is_free[i];
    if (!information_invert(&slope, parts, is_free, inverse))
        return;
    for (int64_t row = 0; row < data->count; row++) {
        double z = at->k * texel_value(data, row, at->weight, jacobian) + at->tempo;
        double off = chance(z) - data->outcome[row];
        for (int a = 0; a < n; a++)
            sum[a] += off * at->k * data->knob[a].scale * jacobian[a];
        sum[n] += off;
        // Rows of a group lie together: its gradients are added before they are squared, since they
        // share one outcome.
        if (row + 1 < data->count && data->group[row + 1] == data->group[row])
            continue;
        for (int a = 0; a < parts; a++) {
            double pushed = 0;
            for (int b = 0; b < parts; b++)
                pushed += inverse[a * parts + b] * sum[b];
            variance[a] += pushed * pushed;
        }
        memset(sum, 0, sizeof sum);
    }
    // The usual correction for few groups, n / (n - 1).
    double groups = (double)out->groups, count = (double)data->count;
    for (int i = 0; i < n; i++)
        out->se[i] = sqrt(variance[i] * groups / (groups - 1)) / count * data->knob[i].scale;
}

// --- folds
// --------------------------------------------------------------------------------------------------------

typedef struct Dealt {
    uint64_t mixed;
    int64_t group; // running number of the group in the data
} Dealt;

static int dealt_compare(const void *a, const void *b) {
    const Dealt *x = a, *y = b;
    if (x->mixed != y->mixed)
        return x->mixed < y->mixed ? -1 : 1;
    return (x->group > y->group) - (x->group < y->group);
}

// Writes the fold of each position: groups in an order by seed, dealt out one by one, so that folds
// have equal numbers of groups.
static Status folds_deal(const TexelData *data, const TexelOptions *options, int64_t groups,
                         int *fold_of, ErrorText *err) {
    Dealt *dealt = calloc((size_t)groups, sizeof *dealt);
    int *fold_of_group = calloc((size_t)groups, sizeof *fold_of_group);
    Status status =
        dealt && fold_of_group ? STATUS_OK : error_set(err, STATUS_NO_MEMORY, "out of memory");
    int64_t group = -1;
    for (int64_t row = 0; row < data->count && !status; row++)
        if (row == 0 || data->group[row] != data->group[row - 1]) {
            group++;
            // By a hash of the group's number: folds must not follow the order of play, which is
            // that of openings and pairings.
            dealt[group] = (Dealt){rng_mix(options->seed, (uint64_t)data->group[row]), group};
        }
    if (!status) {
        qsort(dealt, (size_t)groups, sizeof *dealt, dealt_compare);
        for (int64_t i = 0; i < groups; i++)
            fold_of_group[dealt[i].group] = (int)(i % options->folds);
        group = -1;
        for (int64_t row = 0; row < data->count; row++) {
            group += row == 0 || data->group[row] != data->group[row - 1];
            fold_of[row] = fold_of_group[group];
        }
    }
    free(dealt);
    free(fold_of_group);
    return status;
}

typedef struct Folds {
    const TexelData *data;
    const TexelOptions *options;
    int *of; // owned; fold of each position
} Folds;

// Fits without one fold, and looks at it.
static Status fold_fit(const Folds *folds, int fold, TexelResult *out, ErrorText *err) {
    const TexelData *data = folds->data;
    Sample train = {data, malloc((size_t)data->count * sizeof(int64_t)), 0};
    Sample held = {data, malloc((size_t)data->count * sizeof(int64_t)), 0};
    Status status =
        train.row && held.row ? STATUS_OK : error_set(err, STATUS_NO_MEMORY, "out of memory");
    Point at = {0};
    for (int64_t row = 0; row < data->count && !status; row++) {
        Sample *sample = folds->of[row] == fold ? &held : &train;
        sample->row[sample->count++] = row;
    }
    for (int i = 0; i < data->knob_count; i++)
        at.weight[i] = data->knob[i].start;
    // k anew without the fold: its outcomes may not help in any way.
    if (!status && (status = fit_k(&train, &at, err)))
        error_wrap(err, status, "without fold %d", fold + 1);
    if (!status) {
        TexelFold *into = &out->fold[fold];
        *into = (TexelFold){.train = train.count,
                            .held = held.count,
                            .train_before = sample_loss(&train, &at),
                            .held_before = sample_loss(&held, &at)};
        fit_weights(&train, folds->options, out->is_unknown, &at);
        into->train_after = sample_loss(&train, &at);
        into->held_after = sample_loss(&held, &at);
    }
    free(train.row);
    free(held.row);
    return status;
}

static Status folds_fit(const TexelData *data, const TexelOptions *options, TexelResult *out,
                        ErrorText *err) {
    Folds folds = {data, options, calloc((size_t)data->count, sizeof(int))};
    if (!folds.of)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    Status status = folds_deal(data, options, out->groups, folds.of, err);
    for (int fold = 0; fold < options->folds && !status; fold++)
        status = fold_fit(&folds, fold, out, err);
    out->fold_count = options->folds;
    free(folds.of);
    return status;
}

// Each fold begins from the start weights, not from the answer: what it says about unseen games
// must not know them.
Status texel_fit(const TexelData *data, const TexelOptions *options, TexelResult *out,
                 ErrorText *err) {
    CHECK(data->knob_count >= 1 && data->knob_count <= TEXEL_KNOBS_MAX);
    CHECK(options->folds >= 0 && options->folds <= TEXEL_FOLDS_MAX);
    TexelResult result = {0};
    for (int64_t row = 0; row < data->count; row++)
        result.groups += row == 0 || data->group[row] != data->group[row - 1];
    int64_t least = options->folds > 2 ? options->folds : 2;
    if (result.groups < least)
        return error_set(err, STATUS_INVALID, "positions of %lld games, expected at least %lld",
                         (long long)result.groups, (long long)least);
    Sample all = {data, malloc((size_t)data->count * sizeof(int64_t)), data->count};
    if (!all.row)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    for (int64_t row = 0; row < data->count; row++)
        all.row[row] = row;
    Point at = {0};
    for (int i = 0; i < data->knob_count; i++)
        at.weight[i] = data->knob[i].start;
    find_unknown(data, result.is_unknown);
    Status status = fit_k(&all, &at, err);
    if (!status) {
        result.loss_before = sample_loss(&all, &at);
        result.steps = fit_weights(&all, options, result.is_unknown, &at);
        result.loss_after = sample_loss(&all, &at);
        result.k = at.k;
        result.tempo = at.tempo;
        memcpy(result.weight, at.weight, sizeof result.weight);
        errors_compute(&all, options, &at, &result);
        if (options->folds)
            status = folds_fit(data, options, &result, err);
    }
    free(all.row);
    if (!status)
        *out = result;
    return status;
}
