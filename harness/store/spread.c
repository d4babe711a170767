// SPDX-License-Identifier: GPL-3.0-or-later
// Streaming quantiles: exact while there are few values, then log-linear buckets.
#include "harness/store/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// 512 buckets an octave: the middle of one is within 1 / 1024 of every value in it. As in
// HdrHistogram (Gil Tene).
enum { SUB_BITS = 9, SUB = 1 << SUB_BITS };

// Values below 2 * SUB have a bucket each; above, the top SUB_BITS + 1 bits name it.
// Buckets of neighbouring octaves follow each other without a gap: shift * SUB + (SUB .. 2 * SUB -
// 1).
static int bucket_of(int64_t value) {
    if (value < 2 * SUB)
        return (int)value;
    int shift = 63 - __builtin_clzll((unsigned long long)value) - SUB_BITS;
    return shift * SUB + (int)(value >> shift);
}

static int64_t bucket_middle(int bucket) {
    if (bucket < 2 * SUB)
        return bucket;
    int shift = bucket / SUB - 1;
    int64_t low = (int64_t)(bucket - shift * SUB) << shift;
    return low + ((INT64_C(1) << shift) >> 1);
}

static int bin_of(int64_t value) {
    if (value < 1)
        return 0;
    int bin = 1 + (int)floor(STORE_BINS_PER_DECADE * log10((double)value) +
                             1e-9); // powers of ten are on the edge
    return bin < STORE_BINS ? bin : STORE_BINS - 1;
}

// Makes sure that a bucket is there.
// New buckets are zeroed; those that are there keep their counts.
static bool reach_bucket(Spread *spread, int bucket) {
    if (bucket < spread->bucket_count)
        return true;
    // A whole octave at a time: 64-bit values need at most 56 of them, 230 KB.
    int count = (bucket / SUB + 1) * SUB;
    int64_t *buckets = realloc(spread->buckets, (size_t)count * sizeof *buckets);
    if (!buckets)
        return false;
    memset(buckets + spread->bucket_count, 0,
           (size_t)(count - spread->bucket_count) * sizeof *buckets);
    spread->buckets = buckets;
    spread->bucket_count = count;
    return true;
}

static bool count_value(Spread *spread, int64_t value) {
    int bucket = bucket_of(value);
    if (!reach_bucket(spread, bucket))
        return false;
    spread->buckets[bucket]++;
    return true;
}

// From now on approximate: the values themselves are given up, so that a database of a hundred
// million moves needs no more memory than one of a million.
static bool spill(Spread *spread) {
    if (!reach_bucket(spread, bucket_of(spread->max)))
        return false;
    for (int64_t i = 0; i < spread->count; i++)
        spread->buckets[bucket_of(spread->values[i])]++;
    free(spread->values);
    spread->values = NULL;
    spread->cap = 0;
    return true;
}

static bool keep_value(Spread *spread, int64_t value) {
    if (spread->count == spread->cap) {
        int64_t cap = spread->cap ? spread->cap * 2 : 64;
        int64_t *values = realloc(spread->values, (size_t)cap * sizeof *values);
        if (!values)
            return false;
        spread->values = values;
        spread->cap = cap;
    }
    spread->values[spread->count] = value;
    return true;
}

void spread_add(Spread *spread, int64_t value) {
    // A clock that was set back, or a foreign database; not worth failing a report for.
    if (value < 0)
        value = 0;
    if (!spread->buckets && spread->count < spread->exact)
        spread->failed |= !keep_value(spread, value);
    else
        spread->failed |= !(spread->buckets || spill(spread)) || !count_value(spread, value);
    if (spread->failed)
        return;
    spread->count++;
    if (value > spread->max)
        spread->max = value;
}

static int compare_values(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int64_t spread_quantile(Spread *spread, double part) {
    if (spread->count == 0)
        return 0;
    // The smallest value that `part` of all do not exceed, as the views in SQL define it: no
    // interpolation.
    int64_t rank = (int64_t)ceil(part * (double)spread->count);
    if (rank < 1)
        rank = 1;
    if (!spread->buckets) {
        qsort(spread->values, (size_t)spread->count, sizeof *spread->values, compare_values);
        return spread->values[rank - 1];
    }
    int64_t seen = 0;
    for (int i = 0; i < spread->bucket_count; i++) {
        seen += spread->buckets[i];
        if (seen >= rank) {
            // The middle of the last bucket may lie beyond what was ever added.
            int64_t value = bucket_middle(i);
            return value < spread->max ? value : spread->max;
        }
    }
    return spread->max;
}

StoreSpread spread_summary(Spread *spread) {
    StoreSpread out = {.count = spread->count,
                       .median = spread_quantile(spread, 0.5),
                       .p95 = spread_quantile(spread, 0.95),
                       .max = spread->max};
    if (!spread->buckets) {
        for (int64_t i = 0; i < spread->count; i++)
            out.bins[bin_of(spread->values[i])]++;
        return out;
    }
    for (int i = 0; i < spread->bucket_count; i++)
        if (spread->buckets[i])
            out.bins[bin_of(bucket_middle(i))] += spread->buckets[i];
    return out;
}

void spread_release(Spread *spread) {
    free(spread->values);
    free(spread->buckets);
    *spread = (Spread){0};
}
