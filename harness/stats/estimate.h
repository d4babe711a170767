// SPDX-License-Identifier: GPL-3.0-or-later
// A number that may not exist. Statistics of small or one-sided matches often have no value; then
// the reason is kept in its place, so that nobody prints NaN, infinity or a made-up certainty.
#pragma once

#include <math.h>
#include <stdbool.h>

typedef struct StatValue {
    double value; // finite when it exists, else 0
    const char
        *reason; // NULL when the value exists, else a static sentence part: "every game was won"
} StatValue;

// A value, or a missing one with its reason (static string, borrowed). Thread: any.
static inline StatValue stat_value(double value) {
    return (StatValue){.value = value + 0.0, .reason = 0};
}
static inline StatValue stat_missing(const char *reason) {
    return (StatValue){.value = 0.0, .reason = reason};
}

// Whether there is a value. Thread: any.
static inline bool stat_exists(StatValue v) { return !v.reason; }

// `value` if it is finite, else missing with `reason`. Thread: any.
static inline StatValue stat_finite(double value, const char *reason) {
    return isfinite(value) ? stat_value(value) : stat_missing(reason);
}
