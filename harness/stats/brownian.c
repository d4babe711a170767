// SPDX-License-Identifier: GPL-3.0-or-later
// Laws of exit of Brownian motion between two bounds.
#include "harness/stats/brownian.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>

// Without drift about the 21st term is below `negligible` at the shortest time that the series are
// asked for (terms fall like e^(-n^2 pi^2 short_time / 2)); the cap only guards against absurd
// drifts.
enum { TERMS_MAX = 200 };
static const double short_time =
    0.02; // of width^2 / variance: below it the other bound is out of reach
static const double negligible = 1e-18;

static double clamp_probability(double p) { return p < 0.0 ? 0.0 : p > 1.0 ? 1.0 : p; }

double brownian_exit_up(const Brownian *b) {
    // (1 - e^(-2 m x)) / (1 - e^(-2 m L)) with x the distance to the lower bound; expm1 keeps small
    // drifts exact, and the form for negative drifts keeps e^(...) from overflowing.
    double m = 2.0 * b->drift / b->variance, x = -b->lower, width = b->upper - b->lower;
    // The limit without drift, the gambler's ruin: 0 / 0 in the formula.
    if (fabs(m) * width < 1e-12)
        return x / width;
    if (m > 0.0)
        return expm1(-m * x) / expm1(-m * width);
    return exp(m * (width - x)) * expm1(m * x) / expm1(m * width);
}

double brownian_exit_time(const Brownian *b) {
    double width = b->upper - b->lower;
    // Wald's identities: E[position at the exit] = drift E[T], and without drift E[position^2] =
    // variance E[T]. The first loses its digits as the drift goes to 0, hence the second below.
    if (fabs(b->drift) * width < 1e-5 * b->variance)
        return -b->lower * b->upper / b->variance;
    double up = brownian_exit_up(b);
    return (b->upper * up + b->lower * (1.0 - up)) / b->drift;
}

// The series need ever more terms as time goes to 0; by then the motion has not had the time to
// meet both bounds, and the law for one bound takes over.
static bool is_short(const Brownian *b, double time) {
    double width = b->upper - b->lower;
    return time * b->variance < short_time * width * width;
}

double brownian_up_by(const Brownian *b, double time) {
    double width = b->upper - b->lower, x = -b->lower, sd = sqrt(b->variance * time);
    if (is_short(b, time)) {
        // The maximum up to `time`, by the reflection principle: Phi((m t - u) / sd) + e^(2 m u /
        // s^2) Phi((-u - m t) / sd). The exponential overflows where its factor underflows, so the
        // two meet as logarithms.
        double mirrored = gsl_cdf_ugaussian_P((-b->upper - b->drift * time) / sd);
        double image =
            mirrored > 0.0 ? exp(2.0 * b->drift * b->upper / b->variance + log(mirrored)) : 0.0;
        return clamp_probability(gsl_cdf_ugaussian_P((b->drift * time - b->upper) / sd) + image);
    }
    // Chance to leave upward ever, less the chance to do so after `time`: each mode n of the motion
    // between the bounds dies out with its own `rate`.
    double after = 0.0, rate0 = b->drift * b->drift / (2.0 * b->variance);
    for (int n = 1; n <= TERMS_MAX; n++) {
        double k = n * M_PI / width, rate = rate0 + k * k * b->variance / 2.0;
        double size = exp(b->drift * b->upper / b->variance - rate * time) / rate * n;
        after += (n % 2 ? 1.0 : -1.0) * size * sin(k * x);
        if (size < negligible)
            break;
    }
    return clamp_probability(brownian_exit_up(b) - after * b->variance * M_PI / (width * width));
}

// Integral of e^(c y) sin(k (y - lower)) from `level` to the upper bound, scaled by e^(-damp).
static double tilted_sine(const Brownian *b, double c, double k, double level, double damp) {
    double at_upper = exp(c * b->upper - damp) *
                      (c * sin(k * (b->upper - b->lower)) - k * cos(k * (b->upper - b->lower)));
    double at_level =
        exp(c * level - damp) * (c * sin(k * (level - b->lower)) - k * cos(k * (level - b->lower)));
    return (at_upper - at_level) / (c * c + k * k);
}

double brownian_above_at(const Brownian *b, double time, double level) {
    double width = b->upper - b->lower, c = b->drift / b->variance;
    if (is_short(b, time) &&
        fmin(b->upper - level, level - b->lower) > 4.0 * sqrt(b->variance * time))
        return gsl_cdf_ugaussian_P((b->drift * time - level) / sqrt(b->variance * time));
    // The density of being at y and never having left is (2 / width) e^(c y) times the sum over n
    // of e^(-damp) sin(-k lower) sin(k (y - lower)); its integral above `level` joins those who
    // have left upward.
    double inside = 0.0;
    for (int n = 1; n <= TERMS_MAX; n++) {
        double k = n * M_PI / width;
        double damp =
            (b->drift * b->drift / (2.0 * b->variance) + k * k * b->variance / 2.0) * time;
        inside += sin(-k * b->lower) * tilted_sine(b, c, k, level, damp);
        // e^-42 is below 1e-18.
        if (damp - fmax(c * b->upper, c * level) > 42.0)
            break;
    }
    return clamp_probability(brownian_up_by(b, time) + 2.0 / width * inside);
}
