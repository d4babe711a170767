// SPDX-License-Identifier: GPL-3.0-or-later
// Brownian motion with drift that starts at 0 between two bounds: where and when it leaves.
#pragma once

typedef struct Brownian {
    double lower, upper; // lower < 0 < upper
    double drift;        // per unit of time
    double variance;     // per unit of time, > 0
} Brownian;

// Chance to leave through the upper bound, ever. Thread: any.
double brownian_exit_up(const Brownian *b);

// Expected time until it leaves. Thread: any.
double brownian_exit_time(const Brownian *b);

// Chance to have left through the upper bound by `time` > 0. Series of Darling & Siegert (1953);
// for short times the far bound is out of reach and the law for one bound is exact to 1e-15.
// Thread: any.
double brownian_up_by(const Brownian *b, double time);

// Chance to have left through the upper bound by `time`, or to be inside still and above `level`.
// Thread: any.
double brownian_above_at(const Brownian *b, double time, double level);
