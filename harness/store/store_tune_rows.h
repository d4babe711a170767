// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a tune's database as plain structs, and vectors of doubles as text.
#pragma once

#include "engine/base/text.h"

// Knobs that a tune may have: fixed, so that a tune is one piece of memory.
enum { STORE_TUNE_MAX_KNOBS = 64 };

// A knob as it is tuned. Its coordinate is 0 at `low` and 1 at `high`, in between linear in the
// value or, with is_log, in its logarithm.
// low < high; a logarithmic scale needs low > 0.
typedef struct StoreTuneKnob {
    char key[40];
    double low, high, start; // values
    bool is_log, is_whole;
} StoreTuneKnob;

// The one tune of a file. `identity` decides whether a run may go on: all that decides the games,
// without the budget, which may grow.
// Texts are owned and never NULL but for finished_at (NULL: not complete). Times are UTC.
typedef struct StoreTune {
    char *name, *method, *config, *identity; // config: the file as run
    char *started_at, *finished_at, *version, *host;
    uint64_t seed;
    int knob_count;
    StoreTuneKnob knobs[STORE_TUNE_MAX_KNOBS];
} StoreTune;

// A vector of doubles that is owned.
// An empty one is {0}: no memory, count 0.
typedef struct StoreVector {
    double *at; // owned
    int count;
} StoreVector;

// One piece of work: the scan, a tuner, a match. It is finished when it has an answer (or, a match,
// a verdict) and `finished_at`.
// `done` and `seconds` are summed over the iterations when the stage is read; writing ignores them.
typedef struct StoreTuneStage {
    int64_t id;                     // from 0
    char *kind;                     // sense, spsa, texel, random, match
    char *title;                    // in words
    int64_t iterations;             // planned
    int64_t pairs_each;             // pairs of games an iteration
    double hours;                   // of the budget, when that is one of time, else 0
    double rate;                    // spsa: r at the end
    StoreVector start, steps;       // in coordinates 0..1 of the knobs; steps: c at the end
    StoreVector answer;             // coordinates at the end; empty while it runs
    char *started_at, *finished_at; // finished_at NULL: not yet
    int64_t done;                   // iterations stored
    double seconds;                 // they took
} StoreTuneStage;

// One step of a stage, written with all that is needed to go on behind it.
// `theta` has a value for each knob, in the order of the tune; what `state` holds is known to the
// method alone.
typedef struct StoreTuneIteration {
    int64_t stage, iteration;
    int64_t pairs;
    char *results;  // two letters a pair, W D L as the plus side sees its game as black, as white
    double seconds; // wall time since the one before
    StoreVector theta; // values of the knobs after it
    StoreVector state; // the tuner's, after it
    double drift;      // spsa: sd of a knob that does nothing, in units of its step
} StoreTuneIteration;

// What the scan found out about a knob.
// Standard errors are of the estimate beside them.
// Written when the scan has ended, for all knobs at once.
typedef struct StoreTuneEffect {
    int knob;
    double h;                       // displacement, coordinates
    double low_value, high_value;   // start - h, start + h as values
    double slope, slope_se;         // Elo of + h against - h
    double curvature, curvature_se; // Elo that a displacement by h costs at an optimum
    double step;                    // c for what follows, coordinates
    bool is_flat;                   // neither differs from noise
} StoreTuneEffect;

// A match of the proof, seen from `player`. elo0, elo1 (normalized Elo), alpha and beta are those
// of the sequential test, written before its first game; Elo and its interval are logistic.
// A match that is no test (against an anchor, deeper) has bounds as well, which nobody asks. What
// is measured stays NaN or 0 until the match has ended.
typedef struct StoreTuneMatch {
    int64_t stage;
    char *player, *opponent; // "new", "start", an anchor's name
    char *openings;          // "held-out" or "tuning"
    int depth_plus;          // plies more than the base player's depth
    bool is_verdict;         // the pre-registered test
    double elo0, elo1, alpha, beta;
    int64_t pairs;              // planned
    int64_t classes[6];         // LL LD DD WL WD WW of those played
    double elo, elo_lo, elo_hi; // NaN: no value
    double llr, llr_lower, llr_upper;
    char *verdict; // accepted, rejected, undecided; NULL: still running or no test
} StoreTuneMatch;

// Frees what a match owns. Thread: owner.
void store_tune_match_release(StoreTuneMatch *match);

// Frees a tune and all it owns; NULL is fine. Thread: owner.
void store_tune_free(StoreTune *tune);

// Appends "[1,0.25]"; reads it back to the same bits (false: no such array, or out of memory).
// Thread: owner of `out`.
void store_vector_write(const StoreVector *vector, Text *out);
bool store_vector_read(const char *text, StoreVector *out); // as above
void store_vector_release(StoreVector *vector);             // frees and zeroes
