// SPDX-License-Identifier: GPL-3.0-or-later
// A tune as its pictures need it: the path of every knob, the last sensitivity scan, the matches
// and the evidence of the one that decides.
#pragma once

#include "harness/store/store_tune.h"

// More than a picture has columns for would only make its data large.
enum { TUNE_VIEW_POINTS = 500 }; // of a stage's path, about

// Where the knobs stood after so many games.
// By the knobs of the tune, in their order.
typedef struct TunePathPoint {
    int64_t games; // played by the tuner until then
    // Stages of the tuner, counted from 0: a path is one line through all.
    int segment;
    double theta[STORE_TUNE_MAX_KNOBS];  // values
    double spread[STORE_TUNE_MAX_KNOBS]; // sd of a knob that does nothing, coordinates; 0: none
} TunePathPoint;

// The ratio of the deciding match after so many pairs.
// The test as it went, pair after pair; within its bounds until it ended.
typedef struct TuneEvidence {
    int64_t pairs;
    double llr;
} TuneEvidence;

// Read once, in one state of the database, and not changed afterwards.
typedef struct TuneView {
    Store *store; // owned; what follows is read from it
    const StoreTune *tune;
    // In the order in which they were begun; their numbers are their ids.
    StoreTuneStage *stages; // owned
    int stage_count;
    StoreTuneEffect *effects; // owned; of the last scan that has ended
    int effect_count;
    TunePathPoint *path; // owned; begins with the start
    int64_t path_count, path_cap;
    const StoreTuneStage *last; // of the tuner, NULL: none yet
    // As stored: seen from the new weights, with what was measured missing until a match has ended.
    StoreTuneMatch *matches; // owned
    int match_count;
    const StoreTuneMatch *verdict; // the match that decides, NULL: none yet
    TuneEvidence *evidence;        // owned; of that match
    int64_t evidence_count, evidence_cap;
    int64_t games; // in the database
} TuneView;

// Reads the database of a tune. Failures name it. Release with tune_view_free. Thread: owner.
// STATUS_INVALID for rows that do not fit each other; STATUS_NO_MEMORY; failures of the store.
Status tune_view_new(const char *path, TuneView **out, ErrorText *err) MUST_CHECK;

// Frees, and closes the database; NULL is fine. Thread: owner.
void tune_view_free(TuneView *view);

// The value of a coordinate of a knob, kept within its range. Thread: any.
double tune_view_value(const StoreTuneKnob *knob, double coordinate);

// The coordinate of a value. Thread: any.
// 0 at the low end of the range, 1 at the high end, linear or in the logarithm.
double tune_view_coordinate(const StoreTuneKnob *knob, double value);
