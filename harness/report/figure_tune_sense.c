// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of a sensitivity scan: what each knob does to the strength.
#include "harness/report/figures.h"
#include "harness/report/number_text.h"
#include "harness/report/tune_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SLOPE_PX = 330, COST_PX = 330, BETWEEN_PX = 40, STEPS_PX = 250 };

// Most sensitive first.
// By the larger of what the two measurements say; half a slope is what one step of it is worth.
static int effect_compare(const void *a, const void *b) {
    const StoreTuneEffect *x = *(const StoreTuneEffect *const *)a,
                          *y = *(const StoreTuneEffect *const *)b;
    double by = fmax(fabs(y->slope) / 2, y->curvature) - fmax(fabs(x->slope) / 2, x->curvature);
    return by > 0 ? 1 : by < 0 ? -1 : x->knob - y->knob;
}

static void value_append(const StoreTuneKnob *knob, double value, Text *out) {
    text_printf(out, knob->is_whole ? "%.0f" : "%.4g", value);
}

static NumberText difference_text(const StoreTuneKnob *knob, double value) {
    NumberText out;
    snprintf(out.text, sizeof out.text, knob->is_whole ? "%.0f" : "%.3g", value);
    return out;
}

// How far c moves the value at the start, upwards.
// In values and not in coordinates: what somebody would type.
static double step_value(const StoreTuneKnob *knob, double step) {
    return tune_view_value(knob, tune_view_coordinate(knob, knob->start) + step) - knob->start;
}

// row slope lo hi cost lo hi flat "from … to" "step" "key"
static void sense_data(const TuneView *view, const StoreTuneEffect *const *sorted, Text *out) {
    text_append(out, "# row slope lo hi cost lo hi flat \"low to high\" \"step\" \"knob\"\n");
    for (int i = 0; i < view->effect_count; i++) {
        const StoreTuneEffect *e = sorted[i];
        const StoreTuneKnob *knob = &view->tune->knobs[e->knob];
        Text range = {0};
        value_append(knob, e->low_value, &range);
        text_append(&range, " … ");
        value_append(knob, e->high_value, &range);
        text_printf(out, "%d %.3f %.3f %.3f %.3f %.3f %.3f %d \"%s\" \"%s\" \"%s\"\n", i + 1,
                    e->slope, e->slope - 1.96 * e->slope_se, e->slope + 1.96 * e->slope_se,
                    e->curvature, e->curvature - 1.96 * e->curvature_se,
                    e->curvature + 1.96 * e->curvature_se, e->is_flat, text_cstr(&range),
                    difference_text(knob, step_value(knob, e->step)).text, knob->key);
        out->failed |= range.failed;
        text_release(&range);
    }
}

static void knob_names(const TuneView *view, const StoreTuneEffect *const *sorted, Text *out) {
    text_printf(out, "set yrange [%d.6:0.4]\nset ytics scale 0 (", view->effect_count);
    for (int i = 0; i < view->effect_count; i++) {
        text_append(out, i ? ", " : "");
        figure_append_tic(out, view->tune->knobs[sorted[i]->knob].key);
        text_printf(out, " %d", i + 1);
    }
    text_append(out, ")\n");
}

static int longest_key(const TuneView *view) {
    int longest = 8;
    for (int i = 0; i < view->effect_count; i++) {
        int width = figure_name_columns(view->tune->knobs[view->effects[i].knob].key, 40);
        longest = width > longest ? width : longest;
    }
    return longest;
}

// The range of one panel, 0 in it, and its tics.
static void panel_range(const TuneView *view, bool is_slope, Text *out) {
    double low = 0, high = 0;
    for (int i = 0; i < view->effect_count; i++) {
        const StoreTuneEffect *e = &view->effects[i];
        double at = is_slope ? e->slope : e->curvature,
               err = 1.96 * (is_slope ? e->slope_se : e->curvature_se);
        low = fmin(low, at - err);
        high = fmax(high, at + err);
    }
    double pad = fmax(0.05 * (high - low), 1.0);
    text_printf(out, "set xrange [%.3f:%.3f]\n", low - pad, high + pad);
    figure_append_x_tics(low - pad, high + pad, is_slope ? SLOPE_PX : COST_PX, out);
}

static void panel_draw(int column, Text *out) {
    text_append(out, "plot ");
    for (int flat = 0; flat <= 1; flat++) {
        // Grey and not left out: that a knob does nothing is a finding.
        const char *colour = flat ? "#b0b0b0" : figure_colour(column == 2 ? 0 : 2);
        text_printf(out,
                    "%s using ($8==%d ? $%d : NaN):1:($%d-$%d):(0) with vectors nohead linewidth 3 "
                    "linecolor rgb '%s', \\\n"
                    "  '' using ($8==%d ? $%d : NaN):1 with points pointtype 7 pointsize 1.7 "
                    "linecolor rgb '#ffffff', \\\n"
                    "  '' using ($8==%d ? $%d : NaN):1 with points pointtype 7 pointsize 1.3 "
                    "linecolor rgb '%s'%s",
                    flat ? "  ''" : "data", flat, column + 1, column + 2, column + 1, colour, flat,
                    column, flat, column, colour, flat ? "\n" : ", \\\n");
    }
}

static void panel_place(const Figure *figure, int left, int width, Text *out) {
    text_printf(out, "set lmargin at screen %.5f\nset rmargin at screen %.5f\n",
                (double)left / figure->width, (double)(left + width) / figure->width);
}

// Columns of text at the right: what was played, and the step that follows.
static void table_draw(int rows, int left, const Figure *figure, Text *out) {
    panel_place(figure, left, STEPS_PX, out);
    text_printf(
        out, "unset arrow 1\nunset label 4\nunset xlabel\nunset xtics\nset xrange [0:1]\n"
             "set label 5 'from … to' at first 0.05, graph 1 left offset 0, 0.9 font FONT.',11' "
             "textcolor rgb '#606060'\n"
             "set label 6 'step' at first 0.82, graph 1 left offset 0, 0.9 font FONT.',11' "
             "textcolor rgb '#606060'\n"
             "plot data using (0.05):1:9 with labels left font FONT.',12' textcolor rgb "
             "'#202020', \\\n"
             "  '' using (0.82):1:10 with labels left font FONT.',12' textcolor rgb '#202020'\n");
    (void)rows;
}

// Slope and cost are two questions with two scales: which way to go, and how wide a step has to be
// to be seen.
static void sense_draw(const ReportInput *input, const StoreTuneEffect *const *sorted,
                       Figure *figure) {
    const TuneView *view = input->tune;
    FigureFrame frame = {40 + longest_key(view) * FIGURE_CHAR_PX, 24, FIGURE_TOP_PX + 30, 72};
    int cost_left = frame.left + SLOPE_PX + BETWEEN_PX;
    int flats = 0;
    for (int i = 0; i < view->effect_count; i++)
        flats += view->effects[i].is_flat;
    figure->width = cost_left + COST_PX + 16 + STEPS_PX + frame.right;
    figure->height = frame.top + frame.bottom + view->effect_count * FIGURE_ROW_PX + 16;
    figure_begin(figure, input, "What each knob does to the strength",
                 flats ? "bars: 95 % interval · grey: no effect beyond noise"
                       : "bars: 95 % interval",
                 frame);
    sense_data(view, sorted, &figure->data);
    knob_names(view, sorted, &figure->head);
    Text *out = &figure->body;
    text_append(out, "set multiplot\nset arrow 1 from first 0, graph 0 to first "
                     "0, graph 1 nohead "
                     "linecolor rgb '#909090' linewidth 1.2 back\n"
                     "set label 4 'upper against lower value' at graph 0, graph 1 left offset 0, "
                     "0.9 font FONT.',12' textcolor rgb '#202020'\n"
                     "set xlabel 'Elo' offset 0, -0.1 textcolor rgb '#404040'\n");
    panel_place(figure, frame.left, SLOPE_PX, out);
    panel_range(view, true, out);
    panel_draw(2, out);
    text_append(out, "unset label 1\nunset label 2\nset ytics ('' 0)\n"
                     "set label 4 'cost of that step from the optimum' at graph 0, graph 1 left "
                     "offset 0, 0.9 font FONT.',12' textcolor rgb '#202020'\n");
    panel_place(figure, cost_left, COST_PX, out);
    panel_range(view, false, out);
    panel_draw(5, out);
    table_draw(view->effect_count, cost_left + COST_PX + 16, figure, out);
    text_append(out, "unset multiplot\n");
}

void figure_make_tune_sense(const ReportInput *input, Figure *figure) {
    const TuneView *view = input->tune;
    const StoreTuneEffect *sorted[STORE_TUNE_MAX_KNOBS];
    if (!view || view->effect_count == 0) {
        figure->is_absent = true;
        snprintf(figure->skipped, sizeof figure->skipped, "no finished sensitivity scan is stored");
        return;
    }
    for (int i = 0; i < view->effect_count; i++)
        sorted[i] = &view->effects[i];
    qsort(sorted, (size_t)view->effect_count, sizeof(StoreTuneEffect *), effect_compare);
    sense_draw(input, sorted, figure);
}
