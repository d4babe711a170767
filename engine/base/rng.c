// SPDX-License-Identifier: GPL-3.0-or-later
// splitmix64 and what is built on it.
#include "engine/base/rng.h"

#include "engine/base/check.h"

// 2^64 divided by the golden ratio, made odd: consecutive states lie as far apart as can be, and
// all 2^64 of them come before one returns.
static const uint64_t GOLDEN_GAMMA = 0x9E3779B97F4A7C15u;

// David Stafford's mix 13, the variant that splitmix64 uses: each bit of z changes about half of
// the bits of the result.
static uint64_t rng_finalise(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// The two words take different ways, or (a, b) and (b, a) would be one seed. Without the finaliser
// between them, run seeds that lie close together could share the seeds of their items.
uint64_t rng_mix(uint64_t a, uint64_t b) {
    return rng_finalise(rng_finalise(a + GOLDEN_GAMMA) ^ (b + GOLDEN_GAMMA) * 0xD1342543DE82EF95u);
}

Rng rng_init(uint64_t seed) { return (Rng){.state = seed}; }

uint64_t rng_next(Rng *rng) {
    rng->state += GOLDEN_GAMMA;
    return rng_finalise(rng->state);
}

uint64_t rng_below(Rng *rng, uint64_t bound) {
    CHECK(bound >= 1);
    uint64_t limit =
        UINT64_MAX -
        UINT64_MAX % bound; // a multiple of bound: values at or above it are drawn again
    uint64_t word;
    do
        word = rng_next(rng);
    while (word >= limit);
    return word % bound;
}

// The upper 53 bits, times 2^-53: every value is exact, and 1 is never reached.
double rng_unit(Rng *rng) { return (double)(rng_next(rng) >> 11) * 0x1.0p-53; }
