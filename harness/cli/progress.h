// SPDX-License-Identifier: GPL-3.0-or-later
// The progress of a run on standard error: one live line on a terminal, else a plain line every few
// seconds.
#pragma once

#include "harness/play/pool.h"

// Used by the thread that holds the pool's lock, so that nothing in it needs a lock of its own.
typedef struct Progress {
    bool is_quiet;
    bool is_terminal;
    bool has_line; // a live line stands there
    // The user has been told what the first Ctrl-C does, which must be said once only.
    bool said_ending;
    double last_s; // when the last line was printed
} Progress;

// How standard error is used from here on. Thread: main.
Progress progress_start(bool is_quiet);

// A callback for the pool; `ctx` is the Progress. Thread: main.
void progress_show(void *ctx, const PoolProgress *progress);

// One line of text about the state of a run, without its end: "120/400 games, 35.2 games/s, ETA
// 0:08, d6 +182 Elo [120, 260]". Thread: owner of `out`.
// An Elo is shown for the leader, and the likelihood ratio when there is a test; neither decides
// anything here.
void progress_write(const PoolProgress *progress, Text *out);
