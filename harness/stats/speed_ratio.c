// SPDX-License-Identifier: GPL-3.0-or-later
// The mean of logarithms and its interval.
#include "harness/stats/speed_ratio.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

SpeedRatio speed_ratio(const double *log_ratios, int count) {
    double sum = 0, squares = 0;
    for (int i = 0; i < count; i++)
        sum += log_ratios[i];
    double mean = sum / count;
    for (int i = 0; i < count; i++)
        squares += (log_ratios[i] - mean) * (log_ratios[i] - mean);
    SpeedRatio ratio = {exp(mean), NAN, NAN};
    if (count < 2)
        return ratio;
    // In logarithms a ratio and its inverse are equally far from 1, so the interval of B against A
    // is that of A against B upside down.
    double half = gsl_cdf_tdist_Pinv(0.975, count - 1.0) * sqrt(squares / (count - 1.0) / count);
    ratio.lo = exp(mean - half);
    ratio.hi = exp(mean + half);
    return ratio;
}
