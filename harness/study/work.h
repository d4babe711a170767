// SPDX-License-Identifier: GPL-3.0-or-later
// Independent pieces of work on several threads: a parallel loop with progress.
//
// Pieces are taken in order, one at a time, by whichever thread is free; what they compute must not
// depend on that. The caller's thread waits and reports progress.
#pragma once

#include "engine/base/status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Work {
    int64_t count; // pieces
    int jobs;      // threads, at least 1
    // Does piece `index`; runs on a thread of the loop. A failure ends the loop; the first one is
    // reported.
    Status (*piece)(void *ctx, int64_t index, ErrorText *err);
    void *ctx;
    // Called on the caller's thread a few times a second and at the end; may be NULL. False: start
    // no further piece.
    bool (*progress)(void *ctx, int64_t done, int64_t count);
    void *progress_ctx;
} Work;

// Runs the loop and returns when every thread has ended: the first failure, or STATUS_STOPPED when
// `progress` said so. Thread: any.
Status work_run(const Work *work, ErrorText *err) MUST_CHECK;

// Number of processors that are online. Thread: any.
int work_cores(void);
