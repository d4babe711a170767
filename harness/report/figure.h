// SPDX-License-Identifier: GPL-3.0-or-later
// A picture before it is drawn: the text of a gnuplot script and of its data file.
//
// One function a picture (figures.h lists them); this file knows what all of them share: sizes,
// margins, colours that colour-blind people tell apart (Okabe and Ito, "Color universal design",
// 2008), titles, and names that never are markup.
#pragma once

#include "harness/report/report_input.h"

#include <stdbool.h>

// Made by one maker, written and drawn by plot.c, freed by figure_release.
typedef struct Figure {
    const char *name;  // stem of its files: "elo-ladder"
    Text head;         // title block, margins, axes: written after the terminal is set
    Text body;         // the plot command
    Text data;         // the .dat file
    int width, height; // pixels
    char skipped[160]; // why there is nothing to draw; "" = there is
    bool is_absent;    // skipped, and nobody expects it: said only when it is asked for by name
} Figure;

// Where the plot area lies, in pixels from the edges of the picture.
typedef struct FigureFrame {
    int left, right, top, bottom;
} FigureFrame;

enum {
    FIGURE_COLOURS = 8,
    FIGURE_CHAR_PX = 10, // width of a character of the base font, generously
    FIGURE_TOP_PX = 96,  // room for title and subtitle
    FIGURE_LEFT_PX = 24, // where they begin
    FIGURE_ROW_PX = 36,  // height of a row of a ladder
};

// The place of a player in the standings, from 0: its colour in every picture. Thread: any.
int figure_rank(const ReportInput *input, int player);

// The colour of the `index`th player, "#rrggbb"; they repeat after FIGURE_COLOURS. Thread: any.
const char *figure_colour(int index);

// The point type of the `index`th player: changes whenever the colours start again. Thread: any.
int figure_point_type(int index);

// Appends a text as a gnuplot string in single quotes, on one line, in valid UTF-8. Thread: owner
// of `out`.
void figure_append_string(Text *out, const char *text);

// Appends the label of a tic: gnuplot takes it as a format, so `%` is doubled. Thread: owner of
// `out`.
void figure_append_tic(Text *out, const char *text);

// Appends `set xtics`: the smallest step of 1, 2 or 5 times a power of ten whose labels stay apart
// on an axis from `low` to `high` (low < high) that is `width_px` wide, in the base font. gnuplot's
// own choice counts tics only, whatever is written at them. Thread: owner of `out`.
void figure_append_x_tics(double low, double high, int width_px, Text *out);

// Appends a name as a gnuplot string, cut to `columns` columns; players have short names for that.
// Thread: owner of `out`.
void figure_append_name(Text *out, const char *name, int columns);

// Columns that a name takes after cutting. Thread: any.
int figure_name_columns(const char *name, int columns);

// Pixels that a text takes in the base font, generously: capitals, m and w are wide. Thread: any.
int figure_text_px(const char *text);

// The widest short name of these players, in pixels, at least four characters. Thread: any.
int figure_longest_name_px(const ReportSummary *summary, const int *players, int count);

// Writes size, title, subtitle (what is shown; the experiment is added) and margins into the
// figure. Thread: owner.
void figure_begin(Figure *figure, const ReportInput *input, const char *title, const char *subtitle,
                  FigureFrame frame);

// The y axis as a list of player names, first at the top. Thread: owner.
void figure_name_rows(Figure *figure, const ReportSummary *summary, const int *players, int count);

// Players that have something to show, best standing first; `out` has room for all. Returns how
// many. Thread: any.
int figure_players(const ReportInput *input, bool (*has)(const PlayerSummary *), int *out);

// Frees the texts. Thread: owner.
void figure_release(Figure *figure);

// The whole script: terminal by the variable `format` (png or svg), output by `target`, data by
// `data`, each with a default, so that `gnuplot NAME.gp` draws it again by hand. Thread: owner of
// `out`.
void figure_write_script(const Figure *figure, Text *out);
