// SPDX-License-Identifier: GPL-3.0-or-later
// The two system clocks that gomolab reads.
#include "engine/base/clock.h"

#include <time.h>

// Cannot fail for the two clocks that are asked for here, so it has no error to report.
static int64_t clock_read_ns(clockid_t id) {
    struct timespec ts;
    clock_gettime(id, &ts);
    return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static int64_t monotonic_now_ns(void *ctx) {
    (void)ctx;
    return clock_read_ns(CLOCK_MONOTONIC);
}

Clock clock_monotonic(void) { return (Clock){.now_ns = monotonic_now_ns, .ctx = NULL}; }

int64_t clock_thread_cpu_ns(void) { return clock_read_ns(CLOCK_THREAD_CPUTIME_ID); }

static int64_t cpu_ns(void *ctx) {
    (void)ctx;
    return clock_thread_cpu_ns();
}

Clock clock_cpu(void) { return (Clock){cpu_ns, NULL}; }
