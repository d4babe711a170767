// SPDX-License-Identifier: GPL-3.0-or-later
// How much faster is one of two things, when each was measured several times in turns?
#pragma once

// A ratio of speeds with its uncertainty, free of the drift of the machine when the two were run in
// turns.
typedef struct SpeedRatio {
    double ratio;  // 1 = equally fast, above: the first is faster
    double lo, hi; // 95 % interval; NaN with less than two measurements
} SpeedRatio;

// The ratio whose logarithm is the mean of `log_ratios`, one a measurement, with Student's t
// interval of that mean (Student 1908); count >= 1. Thread: any.
SpeedRatio speed_ratio(const double *log_ratios, int count);
