// SPDX-License-Identifier: GPL-3.0-or-later
// Time, handed to whoever needs it: a Clock is a function, so that tests can turn the hands
// themselves, and so that what a search does never depends on a clock that it was not given.
#pragma once

#include <stdint.h>

typedef struct Clock {
    int64_t (*now_ns)(void *ctx); // nanoseconds since an arbitrary start, never going back
    void *ctx;                    // borrowed by the clock
} Clock;

// The system's monotonic clock. Thread: any.
Clock clock_monotonic(void);

// Nanoseconds on `clock`. Thread: any for clock_monotonic.
static inline int64_t clock_now_ns(Clock clock) { return clock.now_ns(clock.ctx); }

// The CPU time of whichever thread reads it: speeds measured by it do not suffer from other
// programs. Thread: any.
Clock clock_cpu(void);

// Nanoseconds of CPU time used by the calling thread. Thread: any.
int64_t clock_thread_cpu_ns(void);
