// SPDX-License-Identifier: GPL-3.0-or-later
// The pictures that `gomolab plot` draws, as a table: name, what it shows, the function that makes
// it.
#pragma once

#include "harness/report/figure.h"

// A picture as a row of the table. Adding one is a maker in a file of its own and a row.
// Rows are constant. `make` reads the input only, and decides by itself whether it has enough data.
typedef struct FigureKind {
    const char *name;    // stem of its files
    const char *summary; // one line, for --help
    bool of_tune;        // of the database of a tune, else of games
    // Fills size, head, body and data of a zeroed figure whose name is set; or `skipped` with the
    // reason.
    void (*make)(const ReportInput *input, Figure *figure);
} FigureKind;

// The table: `index` 0.. ; NULL after the last. Thread: any.
const FigureKind *figure_kind_at(int index);

// The makers, one a picture; each fills a figure as FigureKind.make says. Thread: any.
// Out of memory is noted in the texts of the figure, which the caller asks.
void figure_make_elo_ladder(const ReportInput *input, Figure *figure);
void figure_make_score_matrix(const ReportInput *input, Figure *figure);    // as above
void figure_make_nodes_by_depth(const ReportInput *input, Figure *figure);  // as above
void figure_make_time_per_move(const ReportInput *input, Figure *figure);   // as above
void figure_make_prune_rate(const ReportInput *input, Figure *figure);      // as above
void figure_make_opening_balance(const ReportInput *input, Figure *figure); // as above
void figure_make_sweep(const ReportInput *input, Figure *figure);           // as above
void figure_make_tune_path(const ReportInput *input, Figure *figure);       // as above
void figure_make_tune_sense(const ReportInput *input, Figure *figure);      // as above
void figure_make_tune_proof(const ReportInput *input, Figure *figure);      // as above
