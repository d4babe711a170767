// SPDX-License-Identifier: GPL-3.0-or-later
// Which stage of a tune comes next, and what it is made from.
#pragma once

#include "harness/store/store_tune.h"
#include "harness/tune/tune_budget.h"
#include "harness/tune/tuner.h"

// A tune is a scan (if its method has one), then the tuner, then the matches of the proof; a larger
// budget adds another tuner stage, which starts from the last answer, and another proof.
typedef enum TuneStageKind {
    TUNE_STAGE_SENSE,
    TUNE_STAGE_MAIN,
    TUNE_STAGE_MATCH,
    TUNE_STAGE_NONE // everything is done
} TuneStageKind;

// A match of the proof. Values say which side has which: the tuned ones, the start, or an anchor.
// The strings and the anchor are borrowed from the spec.
typedef struct TuneMatchPlan {
    const char *player, *opponent; // "new", "start", or the anchor's name
    const PlayerSpec *anchor;      // the opponent; NULL: the start values
    bool is_new;                   // the player has the tuned values; else the start's
    bool on_tuning;                // openings that the tuner has seen
    bool is_verdict;
    int depth_plus;
    int64_t pairs;
    double alpha; // of the verdict
} TuneMatchPlan;

// The next stage. What is not said to be for its kind means nothing.
typedef struct TunePlan {
    TuneStageKind kind;
    int row;             // index of the stored stage that is to be gone on with; -1: a new one
    TuneMatchPlan match; // of a match
    // For a tuner where it starts, for a match what has been found.
    double start[TUNE_MAX_KNOBS]; // coordinates: where the tuner starts, or what it has found
    double steps[TUNE_MAX_KNOBS]; // of the scan, or as usual
    double games;                 // of a new tuner stage; 0: by time, to be measured
    int64_t iterations;      // of a new tuner stage, when the budget is one of iterations, else 0
    double hours;            // of a new tuner stage, when the budget is one of time
    double pairs_per_second; // as measured by the stages so far; 0: unknown
    int tuners;              // finished tuner stages
} TunePlan;

// All that decides: what was asked for, and the rows of the database.
typedef struct TunePlanInput {
    const TuneSpec *spec; // borrowed, as all that follows
    TuneBudget budget;
    bool transfer;
    const StoreTuneStage *stages;
    int stage_count;
    const StoreTuneMatch *matches;
    int match_count;
    const StoreTuneEffect *effects; // of the scan; NULL: none yet
} TunePlanInput;

// Decides. Thread: any.
// Pure: the same rows give the same plan, so an interrupted tune and one that ran through play the
// same games. Pointers of *out lead into the input. The fields that depend on the speed of games
// are filled by the caller, who can measure it.
void tune_plan_next(const TunePlanInput *input, TunePlan *out);
