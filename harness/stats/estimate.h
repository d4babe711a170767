// SPDX-License-Identifier: GPL-3.0-or-later
// A number that may not exist. Statistics of small or one-sided matches often have no value; then
// the reason is kept in its place, so that nobody prints NaN, infinity or a made-up certainty.
#pragma once

#include <math.h>
#include <stdbool.h>

// To be asked stat_exists before its value is read; the reason is meant for the reader and fits
// after "n/a: ".
typedef struct StatValue {
    double value; // finite when it exists, else 0
    // NULL when the value exists, else a static sentence part: "every game was won".
    const char *reason;
} StatValue;

// A value; -0 becomes 0, so that nobody prints "-0.0". Thread: any.
static inline StatValue stat_value(double value) {
    return (StatValue){.value = value + 0.0, .reason = 0};
}

// A number that does not exist, and why. Thread: any.
static inline StatValue stat_missing(const char *reason) {
    return (StatValue){.value = 0.0, .reason = reason};
}

// Whether there is a value. Thread: any.
static inline bool stat_exists(StatValue v) { return !v.reason; }

// `value` if it is finite, else missing with `reason`. Thread: any.
static inline StatValue stat_finite(double value, const char *reason) {
    return isfinite(value) ? stat_value(value) : stat_missing(reason);
}
