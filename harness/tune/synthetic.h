// SPDX-License-Identifier: GPL-3.0-or-later
// Synthetic surfaces: a strength that is known at every vector, and games that are coin flips by
// it. Tuners are judged on these, where the truth is known and a night takes a second.
//
// Ten weights whose sensitivities are spaced logarithmically from 10 to 300 Elo at half the range;
// the start is 150 Elo below the optimum; no draws; the first mover has 150 Elo, so that
// most pairs are split.
#pragma once

#include "engine/base/rng.h"
#include "harness/tune/tuner.h"

enum { SYNTHETIC_MAX = 16 };

// What the tuners are judged on; the names are those of SYNTHETIC_NAMES, in the same order.
typedef enum SyntheticShape {
    SYNTHETIC_QUADRATIC,
    SYNTHETIC_CORRELATED, // neighbours act together
    SYNTHETIC_SATURATING, // far away, a step costs less and less
    SYNTHETIC_FLAT,       // every third weight does nothing
    SYNTHETIC_BOUND,      // every other optimum lies beyond the range
    SYNTHETIC_NULL,       // nothing does anything
    SYNTHETIC_NB
} SyntheticShape;

// A surface: a loss in Elo that is quadratic in the distance from an optimum, bent by its shape.
typedef struct Synthetic {
    SyntheticShape shape;
    int count;                         // weights
    double sensitivity[SYNTHETIC_MAX]; // Elo lost half a range away from the optimum
    double optimum[SYNTHETIC_MAX];     // coordinates; may be outside 0..1
    double start[SYNTHETIC_MAX];       // coordinates
    double bias_elo;                   // of the first mover
} Synthetic;

// The names, "quadratic|correlated|...". Thread: any.
extern const char SYNTHETIC_NAMES[];

// A surface of `count` weights (1..SYNTHETIC_MAX) drawn by `seed`, whose start is `gap_elo` below
// the best vector. Thread: any.
void synthetic_init(Synthetic *surface, SyntheticShape shape, int count, double gap_elo,
                    uint64_t seed);

// Elo of a vector below the best vector within the range, <= 0. Thread: any.
double synthetic_elo(const Synthetic *surface, const double *u);

// Plays a pair. Thread: any.
TuneResult synthetic_play(const Synthetic *surface, const TuneTrial *trial);

// Makes `spec` (zeroed) a tune of the surface: knobs whose values are their coordinates, usual
// settings, no budget. Thread: owner.
void synthetic_spec(const Synthetic *surface, uint64_t seed, TuneSpec *spec);

// Runs a stage from its beginning to its end in this thread. `state` has the tuner's size. Thread:
// any.
void synthetic_run(const Synthetic *surface, const TunerMethod *method, const TunerSetup *setup,
                   double *state);
