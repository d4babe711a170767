// SPDX-License-Identifier: GPL-3.0-or-later
// All pictures of a report: writes a data file and a script for each, and lets gnuplot draw them.
#pragma once

#include "harness/report/report_input.h"

// What to draw, and where. Borrowed for the call.
typedef struct PlotRequest {
    const char *folder;      // made when it is missing
    bool png, svg;           // at least one
    const char *const *only; // names of pictures; only_count 0 = all
    int only_count;
} PlotRequest;

// What came of it. Zeroed by plot_all, released by the caller.
typedef struct PlotOutcome {
    Text files; // paths of the pictures drawn, one a line
    Text notes; // for standard error, one a line: what was skipped or failed, and why
    int drawn, skipped, failed;
    bool gnuplot_missing; // scripts and data are there, pictures are not
} PlotOutcome;

// Writes NAME.dat, NAME.gp, NAME.png and NAME.svg for every picture that has something to show.
// Without gnuplot, and when it fails, data and scripts stay. A failure is returned only when the
// folder or a file cannot be written, or memory is out; *outcome is to be released in every case.
// Thread: owner.
Status plot_all(const ReportInput *input, const PlotRequest *request, PlotOutcome *outcome,
                ErrorText *err) MUST_CHECK;

// Frees the texts; also after a failure. Thread: owner.
void plot_outcome_release(PlotOutcome *outcome);
