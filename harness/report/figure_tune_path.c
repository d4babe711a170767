// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of a tune under way: each knob's path, and the band in which a knob that does nothing
// would wander.
#include "harness/report/figures.h"
#include "harness/report/number_text.h"
#include "harness/report/tune_view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    PANEL_HIGH_PX = 128,
    ACROSS_PX = 84, // between panels: room for tics
    DOWN_PX = 66,   // room for the title of the next row
    TICS_MAX = 5,
    COLUMNS_MAX = 3,
};

typedef struct Range {
    double low, high;
    bool is_log;
} Range;

typedef struct Tics {
    double at[TICS_MAX + 1];
    int count;
} Tics;

static Tics even_tics(double low, double high, int most) {
    Tics tics = {.count = 0};
    double span = high - low, step = pow(10, floor(log10(span / most)));
    while (floor(high / step) - ceil(low / step) + 1 > most)
        step *= floor(high / (2 * step)) - ceil(low / (2 * step)) + 1 <= most   ? 2
                : floor(high / (5 * step)) - ceil(low / (5 * step)) + 1 <= most ? 5
                                                                                : 10;
    for (double i = ceil(low / step); i * step <= high && tics.count < most; i++)
        tics.at[tics.count++] = i * step;
    return tics;
}

// 1, 2, 5, 10, ... or as sparse as need be.
static Tics log_tics(double low, double high, int most) {
    static const double STEPS[][3] = {{1, 2, 5}, {1, 3, 0}, {1, 0, 0}};
    Tics tics = {.count = 0};
    for (int sparse = 0; sparse < 3; sparse++) {
        tics.count = 0;
        bool fits = true;
        for (int decade = (int)floor(log10(low)); decade <= (int)ceil(log10(high)); decade++)
            for (int i = 0; i < 3 && STEPS[sparse][i] > 0; i++) {
                double value = STEPS[sparse][i] * pow(10, decade);
                if (value < low || value > high)
                    continue;
                fits &= tics.count < most;
                if (fits)
                    tics.at[tics.count++] = value;
            }
        if (fits)
            break;
    }
    return tics;
}

static void tics_write(const char *axis, const Tics *tics, Text *out) {
    text_printf(out, "set %stics (", axis);
    for (int i = 0; i < tics->count; i++) {
        double value = fabs(tics->at[i]) < 1e-12 ? 0 : tics->at[i];
        bool is_large = fabs(value) >= 10000;
        text_printf(out, "%s'%.6g%s' %.10g", i ? ", " : "", is_large ? value / 1000 : value,
                    is_large ? " k" : "", tics->at[i]);
    }
    text_append(out, ")\n");
}

// --- data
// ----------------------------------------------------------------------------------------------------------

// Two standard deviations around the start.
static double band_end(const StoreTuneKnob *knob, double spread, int sign) {
    return tune_view_value(knob, tune_view_coordinate(knob, knob->start) + sign * 2 * spread);
}

// A block a knob: games value low high, the band of a knob that does nothing.
static Range knob_data(const TuneView *view, int i, Text *out) {
    const StoreTuneKnob *knob = &view->tune->knobs[i];
    Range range = {knob->start, knob->start, false};
    text_printf(out, "%s# %s\n", i ? "\n\n" : "", knob->key);
    for (int64_t p = 0; p < view->path_count; p++) {
        const TunePathPoint *point = &view->path[p];
        double low = band_end(knob, point->spread[i], -1),
               high = band_end(knob, point->spread[i], 1);
        text_printf(out, "%lld %.10g %.10g %.10g\n", (long long)point->games, point->theta[i], low,
                    high);
        range.low = fmin(range.low, fmin(low, point->theta[i]));
        range.high = fmax(range.high, fmax(high, point->theta[i]));
    }
    // A path that covers less than a factor of four is as readable on a linear axis, and shows
    // small moves better.
    range.is_log = knob->is_log && range.low > 0 && range.high / range.low > 4;
    if (range.is_log) {
        double pad = pow(range.high / range.low, 0.08);
        range.low /= pad, range.high *= pad;
    } else {
        double span = range.high - range.low;
        // A knob that never moved still needs an axis of some height.
        double pad = span > 0 ? 0.08 * span : 0.05 * fmax(fabs(range.high), 0.1);
        range.low -= pad, range.high += pad;
    }
    return range;
}

// --- a panel
// -------------------------------------------------------------------------------------------------------

// What the knob became: the answer of the last stage, or where it stands.
static double knob_answer(const TuneView *view, int i, bool *is_final) {
    const StoreTuneStage *last = view->last;
    *is_final = last->finished_at && i < last->answer.count;
    return *is_final ? tune_view_value(&view->tune->knobs[i], last->answer.at[i])
                     : view->path[view->path_count - 1].theta[i];
}

// Games before the last stage of the tuner.
// The mean of the last half is that of the last stage only.
static int64_t stage_begin(const TuneView *view) {
    int64_t last = view->path_count - 1, at = last;
    while (at > 0 && view->path[at].segment == view->path[last].segment)
        at--;
    return view->path[at].games;
}

static NumberText value_text(const StoreTuneKnob *knob, double value) {
    NumberText out;
    snprintf(out.text, sizeof out.text, knob->is_whole ? "%.0f" : "%.4g", value);
    return out;
}

typedef struct Grid {
    const Figure *figure;
    FigureFrame frame;
    int columns, rows;
    int panel_px; // plot area of a knob
} Grid;

static void panel_place(const Grid *grid, int i, Text *out) {
    double left = grid->frame.left + i % grid->columns * (grid->panel_px + ACROSS_PX);
    double top = grid->frame.top + i / grid->columns * (PANEL_HIGH_PX + DOWN_PX);
    double width = grid->figure->width, height = grid->figure->height;
    text_printf(out,
                "set lmargin at screen %.5f\nset rmargin at screen %.5f\nset tmargin at screen "
                "%.5f\nset bmargin at screen %.5f\n",
                left / width, (left + grid->panel_px) / width, 1 - top / height,
                1 - (top + PANEL_HIGH_PX) / height);
}

static void panel_draw(const TuneView *view, const Grid *grid, int i, Figure *figure) {
    const StoreTuneKnob *knob = &view->tune->knobs[i];
    Text *out = &figure->body, title = {0};
    bool is_final;
    Range range = knob_data(view, i, &figure->data);
    double answer = knob_answer(view, i, &is_final);
    int64_t games = view->path[view->path_count - 1].games;
    panel_place(grid, i, out);
    if (i == 1)
        text_append(out, "unset label 1\nunset label 2\n");
    text_printf(out, "%sset yrange [%.10g:%.10g]\n",
                range.is_log ? "set logscale y\n" : "unset logscale y\n", range.low, range.high);
    Tics tics = range.is_log ? log_tics(range.low, range.high, TICS_MAX)
                             : even_tics(range.low, range.high, TICS_MAX);
    tics_write("y", &tics, out);
    // The label once a column, below the last panel of it.
    bool is_lowest = i + grid->columns >= view->tune->knob_count;
    tics = even_tics(0, (double)games, 4);
    tics_write("x", &tics, out);
    text_append(out, is_lowest ? "set xlabel 'games of the tuner' offset 0, 0.2 font FONT.',11' "
                                 "textcolor rgb '#606060'\n"
                               : "unset xlabel\n");
    text_append(out, "set label 4 ");
    figure_append_string(out, knob->key);
    text_append(out, " at graph 0, graph 1 left offset 0, 0.9 font FONT.',12' textcolor rgb "
                     "'#202020'\nset label 5 ");
    text_printf(&title, "%s → %s", value_text(knob, knob->start).text,
                value_text(knob, answer).text);
    figure_append_string(out, text_cstr(&title));
    text_printf(out,
                " at graph 1, graph 1 right offset 0, 0.9 font FONT.',12' textcolor rgb '%s'\n",
                figure_colour(0));
    text_printf(out,
                "plot data index %d using 1:3:4 with filledcurves fillstyle solid 1 noborder "
                "linecolor rgb '#e3e3e3', \\\n"
                "  %.10g with lines dashtype '-' linewidth 1.2 linecolor rgb '#808080', \\\n"
                "  data index %d using 1:2 with lines linewidth 1.8 linecolor rgb '%s'",
                i, knob->start, i, figure_colour(0));
    if (is_final && strcmp(view->last->kind, "spsa") == 0) { // the mean of the last half
        double from = ((double)stage_begin(view) + (double)games) / 2;
        text_printf(out,
                    ", \\\n  data index %d every ::0::0 using (%.10g):(%.10g):(%.10g):(0) with "
                    "vectors nohead linewidth 3 linecolor rgb '%s'",
                    i, from, answer, (double)games - from, figure_colour(1));
    }
    text_append(out, "\n");
    out->failed |= title.failed;
    text_release(&title);
}

// A knob a panel, each on its own scale: knobs have no unit in common.
void figure_make_tune_path(const ReportInput *input, Figure *figure) {
    const TuneView *view = input->tune;
    if (!view || view->path_count < 2) {
        figure->is_absent = true;
        snprintf(figure->skipped, sizeof figure->skipped, "no iteration of a tuner is stored");
        return;
    }
    int knobs = view->tune->knob_count;
    int columns = knobs == 1 ? 1 : knobs <= 4 ? 2 : COLUMNS_MAX;
    Grid grid = {figure,
                 {78, 40, FIGURE_TOP_PX + 26, 70},
                 columns,
                 (knobs + columns - 1) / columns,
                 columns == 1   ? 740
                 : columns == 2 ? 410
                                : 264};
    figure->width =
        grid.frame.left + columns * (grid.panel_px + ACROSS_PX) - ACROSS_PX + grid.frame.right;
    figure->height =
        grid.frame.top + grid.rows * (PANEL_HIGH_PX + DOWN_PX) - DOWN_PX + grid.frame.bottom;
    figure_begin(figure, input, "Path of each knob",
                 strcmp(view->last->kind, "spsa") == 0
                     ? "grey: where a knob that does nothing stays 19 times of 20 · orange: answer"
                     : "",
                 grid.frame);
    text_printf(&figure->head,
                "set xrange [0:%lld]\nset grid ytics linetype 1 linecolor rgb '#ececec' linewidth "
                "1\nset tics font FONT.',10'\n",
                (long long)view->path[view->path_count - 1].games);
    text_append(&figure->data, "# games value low high; a block a knob; low, high: 2 sd of a knob "
                               "that does nothing\n");
    text_append(&figure->body, "set multiplot\n");
    for (int i = 0; i < knobs; i++)
        panel_draw(view, &grid, i, figure);
    text_append(&figure->body, "unset multiplot\n");
}
