// SPDX-License-Identifier: GPL-3.0-or-later
// A tune as plain data: what the YAML loader makes and the tuners work on.
//
// The knobs of a tune live in coordinates: u = 0 at the low end of the range, 1 at the high end,
// linear in the value or in its logarithm. All tuners see coordinates; values are made from them by
// params.h.
#pragma once

#include "harness/record/experiment.h"

enum { TUNE_MAX_KNOBS = 64, TUNE_MAX_ORDERS = 256, TUNE_MAX_ANCHORS = 16 };

// A knob and the range in which it may move, which lies within that of the knob itself.
typedef struct TuneKnob {
    KnobId id;
    double low, high, start; // values; low < high
    double step;             // of the scan, in coordinates; 0 = a quarter of the range
    bool is_log;             // scale: log; low > 0 then
    bool is_whole;           // whole numbers only
} TuneKnob;

// knobs[above] > knobs[below] always.
typedef struct TuneOrder {
    int above, below;
} TuneOrder;

// The schedule of TUNER_SPSA, in Spall's letters: see spsa.h.
typedef struct TuneSpsaSpec {
    int pairs;                      // pairs of games an iteration; 0 = by the budget
    double effect_elo;              // kappa: Elo that a step c costs at the optimum
    double rate;                    // r at the end
    double alpha, gamma, stability; // gains; stability: A as a share of the iterations
} TuneSpsaSpec;

// The baseline that a tuner must beat at the same number of games: see random_search.c.
typedef struct TuneRandomSpec {
    int pairs; // a candidate against the best so far
    double z;  // it takes over when it leads by this many standard errors
} TuneRandomSpec;

// The regression: see texel.h.
typedef struct TuneTexelSpec {
    char *database;    // owned; of `gomolab run`, with moves; NULL: none
    int64_t positions; // at most; 0 = all
    int per_game;      // positions a game, at most
    int folds;         // of the cross validation, by game
    double l2;         // pull towards the start values
} TuneTexelSpec;

// What is played after the tuner, fixed before its first game: a test chosen afterwards proves
// nothing. All but the match on the tuning openings use those that the tuner never saw.
typedef struct TuneProofSpec {
    int64_t pairs;                        // held-out match, new against start; 0 = no proof at all
    int64_t anchor_pairs;                 // of each match against an anchor
    int64_t transfer_pairs;               // of the match at two plies more
    double elo0, elo1, alpha, beta;       // the pre-registered test (normalized Elo)
    PlayerSpec anchors[TUNE_MAX_ANCHORS]; // owned
    int anchor_count;
} TuneProofSpec;

// Keys whose worth shows only after the file is read: where they stand is kept for messages.
typedef enum TuneKey {
    TUNE_KEY_BUDGET,
    TUNE_KEY_PROOF_PAIRS,
    TUNE_KEY_DATABASE,
    TUNE_KEY_OUTPUT,
    TUNE_KEY_NB
} TuneKey;

// The whole file. Everything but budget, name, paths, text and output makes the identity of the
// tune: see tune_spec_write_identity.
typedef struct TuneSpec {
    char *name;                 // owned, as all strings
    char *path;                 // file it was read from
    char *text;                 // the file as read
    char *method;               // sense, spsa, texel, random
    char *output;               // player file to write; NULL: results/tuned-NAME.yaml
    char *said_at[TUNE_KEY_NB]; // "file:line:column: key"; not part of the identity
    PlayerSpec base;            // start values applied
    char *base_path;            // file of the base player, for the header of the result; NULL: none
    TuneKnob knobs[TUNE_MAX_KNOBS];
    int knob_count;
    TuneOrder orders[TUNE_MAX_ORDERS];
    int order_count;
    Experiment match; // owned; rule, board, openings; no players
    double held_out;  // share of the openings that only the proof sees
    uint64_t seed;
    int64_t budget_games, budget_iterations; // 0 = not given; exactly one of the three is
    double budget_hours;
    int64_t scan_pairs; // per knob and comparison; 0 = no scan, steps as given
    TuneSpsaSpec spsa;
    TuneRandomSpec random;
    TuneTexelSpec texel;
    TuneProofSpec proof;
} TuneSpec;

// Frees all that the tune owns and zeroes it. Thread: owner.
void tune_spec_release(TuneSpec *spec);

// Appends one canonical JSON text of all that decides what a tune does: everything but the budget,
// which may grow. Two runs belong to one database when these texts are equal. Thread: owner of
// `out`.
void tune_spec_write_identity(const TuneSpec *spec, Text *out);
