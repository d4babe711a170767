// SPDX-License-Identifier: GPL-3.0-or-later
// Quantiles of a stream of whole numbers in bounded memory.
//
// Up to `exact` values are kept as they are. Beyond that they are counted in buckets whose width
// grows with the value: 512 buckets for each doubling, so a quantile is at most 0.1 % off (the idea
// of Tene's HdrHistogram, 2012), as many as the largest value needs.
#pragma once

#include "harness/store/store_rows.h"

// Set `exact`, add values, ask; two phases, told apart by `buckets`. After `failed` the numbers
// mean nothing.
typedef struct Spread {
    int64_t exact; // how many values to keep as they are; set it before the first
    int64_t count, max;
    int64_t *values; // owned; until there are more
    int64_t cap;
    int64_t *buckets; // owned; from then on
    int bucket_count;
    bool failed; // memory ran out
} Spread;        // zero-initialised is empty, and never exact

// Adds one value; negative ones count as 0. Thread: owner.
void spread_add(Spread *spread, int64_t value);

// The least value that a share `part` (0..1) of all does not exceed; 0 when there is none. Sorts.
// Thread: owner.
int64_t spread_quantile(Spread *spread, double part);

// The summary. Thread: owner.
StoreSpread spread_summary(Spread *spread);

// Frees and empties. Thread: owner.
void spread_release(Spread *spread);
