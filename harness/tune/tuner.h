// SPDX-License-Identifier: GPL-3.0-or-later
// What every tuner that plays games is: a row of functions over a state that is nothing but an
// array of doubles.
//
// Iteration k plays `pairs_each` pairs of games, each between two vectors of knobs that `propose`
// makes from a state; `take` folds the results into the state. All of them are pure functions of
// (setup, state, iteration, pair, results): random numbers are counted from (seed, iteration,
// pair), so that a tune is the same on any number of threads and after any interruption, and every
// trial can be told again from the stored states.
//
// So that no worker waits for the last game of an iteration, the trials of iteration k are made
// from the state after iteration k - TUNE_LAG.
#pragma once

#include "harness/tune/tune_spec.h"

// TUNE_LAG: iterations in progress at once. TUNE_STATE_MAX: room for the largest state, of the
// scan.
enum {
    TUNE_LAG = 2,
    // Pairs in a row on one pair of vectors: making a player costs a tenth of a pair.
    TUNE_REPEAT = 4,
    TUNE_STATE_MAX = TUNE_MAX_KNOBS * 16
};

// What a stage of a tune is made from. Steps and start are part of the stored stage.
typedef struct TunerSetup {
    const TuneSpec *spec; // borrowed
    uint64_t seed;        // of the stage
    int64_t iterations;
    int pairs_each;
    double rate;                  // spsa: r at the end
    double start[TUNE_MAX_KNOBS]; // coordinates
    double steps[TUNE_MAX_KNOBS]; // spsa: c at the end, coordinates; sense: h
    const double *plus, *minus;   // match: the values of both sides; borrowed
    const TuneProofSpec *test;    // match: the test that decides it; NULL: a match of fixed length
} TunerSetup;

// One pair of games: two vectors of values, ready to play.
typedef struct TuneTrial {
    double plus[TUNE_MAX_KNOBS], minus[TUNE_MAX_KNOBS]; // values
    uint64_t seed;                                      // draws the opening, seeds the games
} TuneTrial;

// Half points (0, 1, 2) of the plus side: its game as black, its game as white.
typedef struct TuneResult {
    uint8_t half_points[2];
} TuneResult;

// All functions are pure but for what they write to; states are arrays of state_size doubles, at
// most TUNE_STATE_MAX, that mean something to their own method only.
typedef struct TunerMethod {
    const char *name;    // "spsa"
    const char *summary; // one line
    // Numbers that a state has; a function of the setup alone.
    int (*state_size)(const TunerSetup *setup); // doubles
    // The state before the first iteration.
    void (*begin)(const TunerSetup *setup, double *state);
    // The trial of a pair: pairs of one trial (TUNE_REPEAT) have the same values and other seeds.
    void (*propose)(const TunerSetup *setup, const double *state, int64_t iteration, int pair,
                    TuneTrial *out);
    // `proposed`: the state that the trials of this iteration were made from.
    void (*take)(const TunerSetup *setup, double *state, const double *proposed, int64_t iteration,
                 const TuneResult *results);
    // Where the tuner stands, and what it would answer if it ended now: both in coordinates, in
    // order and within bounds.
    void (*current)(const TunerSetup *setup, const double *state, double *u); // where it is now
    void (*answer)(const TunerSetup *setup, const double *state, double *u);  // what it would say
    double (*drift)(const TunerSetup *setup, const double *state); // StoreTuneIteration.drift
} TunerMethod;

extern const TunerMethod TUNER_SENSE, TUNER_SPSA, TUNER_RANDOM, TUNER_MATCH;

// The random numbers of a pair of an iteration; TUNE_REPEAT pairs share those of their trial.
// Thread: any.
uint64_t tuner_pair_seed(const TunerSetup *setup, int64_t iteration, int pair);
uint64_t tuner_trial_seed(const TunerSetup *setup, int64_t iteration, int pair); // as above

// The method of that name, NULL when none that plays is called so. Thread: any.
const TunerMethod *tuner_find(const char *name);
