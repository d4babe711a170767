// SPDX-License-Identifier: GPL-3.0-or-later
// The threads that play the pairs of a tune. Batches are handed in and collected in order; while
// the last pairs of one are played, idle threads take pairs of the next.
//
// A thread keeps the two players it has made as long as their knobs are asked for, and prefers
// pairs that ask for them.
#pragma once

#include "harness/tune/tune_crew_sides.h"

typedef struct CrewSetup {
    const TuneSpec *spec; // borrowed, as all that follows
    const OpeningSet *openings;
    int jobs; // >= 1
    PoolControl *control;
} CrewSetup;

typedef struct TuneCrew TuneCrew; // opaque

// Starts the threads. STATUS_NO_MEMORY. The crew is the caller's. Thread: owner.
Status tune_crew_start(const CrewSetup *setup, TuneCrew **out, ErrorText *err) MUST_CHECK;

// What is played from now on; no batch may be in the hands of the crew. Thread: owner.
void tune_crew_seat(TuneCrew *crew, const CrewSides *sides);

// Hands over a batch: `count` trials (copied), the first of which is pair `first_pair` of the
// stage. At most TUNE_LAG batches at once. STATUS_NO_MEMORY. Thread: owner.
Status tune_crew_give(TuneCrew *crew, const TuneTrial *trials, int count, int64_t first_pair,
                      ErrorText *err) MUST_CHECK;

// Waits for the oldest batch and writes its results in the order of its trials. STATUS_STOPPED when
// the control ended it, or the failure of a player. Wakes up after `patience_ms` (0: never) with
// *is_done false. Thread: owner.
Status tune_crew_collect(TuneCrew *crew, int patience_ms, TuneResult *results, bool *is_done,
                         ErrorText *err) MUST_CHECK;

// Pairs played of the batches in its hands. Thread: owner.
int64_t tune_crew_ahead(TuneCrew *crew);

// Ends the threads, dropping what is not played, and frees; NULL is fine. Thread: owner.
void tune_crew_stop(TuneCrew *crew);
