// SPDX-License-Identifier: GPL-3.0-or-later
// What a sweep has measured: score against the value of the knob that varies most, one curve for
// each setting of the other knobs that vary.
//
// In a gauntlet the scores are those against the heads, who are no points of a curve; else against
// all others.
#pragma once

#include "engine/base/knob.h"
#include "harness/report/report_input.h"

// One player of the sweep as a point of its curve.
typedef struct SweepPoint {
    int player;
    int series;
    // Value of the axis knob; where the knob's 0 means "no limit", to the right of all others.
    double x;
    bool is_endless;      // it is such a 0
    double score, lo, hi; // points a game with its 95 % interval, 0..1
    double nodes;         // median of a move; NAN unknown
} SweepPoint;

// The whole sweep.
typedef struct SweepView {
    KnobId axis;
    bool is_log;        // values spread over more than a decade
    SweepPoint *points; // owned; by series, then x
    int count;
    int series_count;
    Text *labels;  // owned; of the series: "search.depth 4"; empty when there is one only
    int head;      // player whom the others meet in a gauntlet; -1: none, or more than one
    double head_x; // its value of the axis knob if it is a player of a curve; else NAN
} SweepView;

// Whether two players or more have names as `sweep:` gives them. Thread: any reader.
bool sweep_is_asked(const ReportInput *input);

// Finds the axis and the points. `*found` is false (and *out empty) when no numeric knob has two
// values among players with games. Release with sweep_release. Thread: any reader.
// STATUS_NO_MEMORY is the only failure.
Status sweep_find(const ReportInput *input, SweepView *out, bool *found, ErrorText *err) MUST_CHECK;

// Frees and zeroes; a zeroed one is fine. Thread: owner.
void sweep_release(SweepView *view);
