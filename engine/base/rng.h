// SPDX-License-Identifier: GPL-3.0-or-later
// Random numbers that hide nothing: a 64-bit mixer for counter-based seeds, and a small generator
// seeded from it.
//
// The mixer is the finaliser of splitmix64 (Steele, Lea & Flood, "Fast splittable pseudorandom
// number generators", OOPSLA 2014); the generator is splitmix64 itself. The same seed gives the
// same numbers on every machine. Not for cryptography.
#pragma once

#include <stdint.h>

// All that a generator is. Whoever plays has one of its own, so that no thread's pace can change
// what another draws.
typedef struct Rng {
    uint64_t state; // the whole state: copy it to fork, store it to resume
} Rng;

// Mixes two words into one; rng_mix(seed, index) is the seed of item `index` of a run. Thread: any.
uint64_t rng_mix(uint64_t a, uint64_t b);

// A generator that starts at `seed`; every seed, 0 included, is good. Thread: any.
Rng rng_init(uint64_t seed);

// The next 64 random bits. Thread: owner.
uint64_t rng_next(Rng *rng);

// A number in 0..bound-1, exactly uniform (rejection); bound >= 1. Thread: owner.
uint64_t rng_below(Rng *rng, uint64_t bound);

// A number in [0, 1) with 53 random bits. Thread: owner.
double rng_unit(Rng *rng);
