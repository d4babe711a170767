// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of a sweep: score against the value of a knob, with what a move costs below it.
#include "harness/report/figures.h"
#include "harness/report/number_text.h"
#include "harness/report/sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    PLOT_PX = 700,  // width of the plot area
    SCORE_PX = 340, // heights of the panels
    NODES_PX = 110,
    GAP_PX = 34,
    LEGEND_PX = 26, // a row of the legend
    TIC_PX = 46,    // values closer than this are not all labelled
    ELO_TIC_PX = 30,
    ELO_SHOWN_MAX = 800,
};

// --- data
// ----------------------------------------------------------------------------------------------------------

// Curves are blocks, two empty lines apart, which gnuplot calls by `index`.
static void sweep_data(const ReportInput *input, const SweepView *view, Text *out) {
    text_printf(out, "# %s score lo hi nodes_median \"player\"; a block a curve\n",
                knob_info(view->axis)->key);
    for (int i = 0; i < view->count; i++) {
        const SweepPoint *point = &view->points[i];
        Text name = {0};
        if (i > 0 && point->series != view->points[i - 1].series)
            text_append(out, "\n\n");
        text_append_double(out, point->x);
        text_printf(out, " %.6f %.6f %.6f ", point->score, point->lo, point->hi);
        if (isnan(point->nodes))
            text_append(out, "NaN");
        else
            text_printf(out, "%.0f", fmax(point->nodes, 1.0));
        number_text_clean(&name, input->summary.players[point->player].name);
        text_append(out, " \"");
        for (const char *c = text_cstr(&name); *c; c++)
            text_append_bytes(out, *c == '"' ? "'" : c, 1);
        text_append(out, "\"\n");
        out->failed |= name.failed;
        text_release(&name);
    }
}

// --- axes
// ----------------------------------------------------------------------------------------------------------

typedef struct Extent {
    double low, high;
} Extent;

// The x axis with room at both ends, on its own scale.
// The head of a gauntlet is marked on the axis, so its value lies within.
static Extent x_extent(const SweepView *view) {
    Extent x = {INFINITY, -INFINITY};
    for (int i = 0; i < view->count; i++) {
        x.low = fmin(x.low, view->points[i].x);
        x.high = fmax(x.high, view->points[i].x);
    }
    if (isfinite(view->head_x) && (!view->is_log || view->head_x > 0)) {
        x.low = fmin(x.low, view->head_x);
        x.high = fmax(x.high, view->head_x);
    }
    if (view->is_log) {
        double pad = pow(x.high / x.low, 0.05);
        return (Extent){x.low / pad, x.high * pad};
    }
    double pad = x.high > x.low ? 0.05 * (x.high - x.low) : 1.0;
    return (Extent){x.low - pad, x.high + pad};
}

static double x_share(const SweepView *view, Extent x, double value) {
    return view->is_log ? log(value / x.low) / log(x.high / x.low)
                        : (value - x.low) / (x.high - x.low);
}

static bool nodes_are_known(const SweepView *view) {
    for (int i = 0; i < view->count; i++)
        if (!isnan(view->points[i].nodes))
            return true;
    return false;
}

// The values of the sweep as tics, from the left, each that has room.
static void x_tics(const SweepView *view, Extent x, bool with_labels, Text *out) {
    double last = -1;
    double at = -INFINITY;
    bool first = true;
    text_append(out, "set xtics (");
    for (;;) { // values in ascending order over all curves
        const SweepPoint *next = NULL;
        for (int i = 0; i < view->count; i++)
            if (view->points[i].x > at && (!next || view->points[i].x < next->x))
                next = &view->points[i];
        if (!next)
            break;
        at = next->x;
        double share = x_share(view, x, at);
        Text label = {0};
        if (with_labels && next->is_endless)
            text_append(&label, "all");
        else if (with_labels)
            text_append_double(&label, at);
        // The first always, then whatever has room beside the one before.
        if (last < 0 || (share - last) * PLOT_PX >= TIC_PX) {
            text_append(out, first ? "" : ", ");
            figure_append_tic(out, text_cstr(&label));
            text_printf(out, " %.10g", at);
            first = false;
            last = share;
        }
        text_release(&label);
    }
    text_append(out, ")\n");
}

// The score axis from the intervals, 50 % always in it.
// Never much beyond 0 and 100 %, but a little, so that a perfect score is not drawn on the frame.
static Extent score_extent(const SweepView *view) {
    Extent y = {0.5, 0.5};
    for (int i = 0; i < view->count; i++) {
        y.low = fmin(y.low, view->points[i].lo);
        y.high = fmax(y.high, view->points[i].hi);
    }
    double pad = fmax(0.07 * (y.high - y.low), 0.004);
    return (Extent){fmax(y.low - pad, -0.015), fmin(y.high + pad, 1.015)};
}

static double tic_step(double span, const double *steps) {
    while (steps[1] > 0 && span / steps[0] > 7.5)
        steps++;
    return steps[0];
}

static void score_tics(Extent y, Text *out) {
    static const double STEPS[] = {0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0};
    double step = tic_step(y.high - y.low, STEPS);
    text_append(out, "set ytics (");
    bool first = true;
    for (int i = (int)ceil(fmax(y.low, 0) / step); i * step <= fmin(y.high, 1.0) + 1e-9; i++) {
        char label[24];
        snprintf(label, sizeof label, step < 0.01 ? "%.1f %%" : "%.0f %%", 100 * i * step);
        text_append(out, first ? "" : ", ");
        figure_append_tic(out, label);
        text_printf(out, " %.6f", i * step);
        first = false;
    }
    text_append(out, ")\n");
}

// The same scale in Elo, at the right: multiples of a step, from 0 outwards, where there is room.
// Elo is stretched towards the ends of the score: steps from the middle outwards, and none where
// labels would touch.
static void elo_tics(Extent y, Text *out) {
    static const double STEPS[] = {5, 10, 20, 50, 100, 0};
    double low = elo_from_score(fmax(y.low, 0.1)), high = elo_from_score(fmin(y.high, 0.9));
    double step = tic_step(high - low, STEPS), room = ELO_TIC_PX * (y.high - y.low) / SCORE_PX;
    text_append(out, "set y2tics ('0' 0.5");
    for (int sign = -1; sign <= 1; sign += 2) {
        double last = 0.5;
        for (int i = 1; i * step <= ELO_SHOWN_MAX; i++) {
            double score = score_from_elo(sign * i * step);
            if (score < y.low || score > y.high)
                break;
            if (fabs(score - last) < room)
                continue;
            text_printf(out, ", '%+.0f' %.6f", sign * i * step, score);
            last = score;
        }
    }
    text_printf(out, ")\nset y2range [%.6f:%.6f]\n", y.low, y.high);
}

// --- the picture
// ---------------------------------------------------------------------------------------------------

static void panel_margins(const Figure *figure, FigureFrame frame, int top, int height, Text *out) {
    text_printf(out,
                "set lmargin at screen %.5f\nset rmargin at screen %.5f\nset tmargin at screen "
                "%.5f\nset bmargin at screen %.5f\n",
                (double)frame.left / figure->width, 1.0 - (double)frame.right / figure->width,
                1.0 - (double)top / figure->height, 1.0 - (double)(top + height) / figure->height);
}

static void x_label(const SweepView *view, Text *out) {
    const KnobInfo *info = knob_info(view->axis);
    Text label = {0}, cut = {0};
    text_printf(&label, "%s: %s", info->key, info->meaning);
    number_text_cut(&cut, text_cstr(&label), 110);
    text_append(out, "set xlabel ");
    figure_append_string(out, text_cstr(&cut));
    text_append(out, " offset 0, -0.2 font FONT.',11' textcolor rgb '#404040'\n");
    text_release(&label);
    text_release(&cut);
}

// Three layers: the bands of all curves first, then the line of 50 %, then bars and points, so that
// no band hides a point.
static void score_panel(const SweepView *view, Text *out) {
    text_append(out, "plot ");
    for (int s = 0; s < view->series_count; s++)
        text_printf(out,
                    "data index %d using 1:3:4 with filledcurves fillstyle transparent solid 0.14 "
                    "noborder linecolor rgb '%s' notitle, \\\n  ",
                    s, figure_colour(s));
    text_append(out, "0.5 with lines linewidth 1.2 linecolor rgb '#909090' notitle");
    for (int s = 0; s < view->series_count; s++) {
        text_printf(out,
                    ", \\\n  data index %d using 1:3:(0):($4-$3) with vectors nohead linewidth 1.6 "
                    "linecolor rgb '%s' notitle, \\\n"
                    "  '' index %d using 1:2 with lines linewidth 2.4 linecolor rgb '%s' notitle, "
                    "\\\n"
                    "  '' index %d using 1:2 with points pointtype 7 pointsize 1.7 linecolor rgb "
                    "'#ffffff' notitle, \\\n"
                    "  '' index %d using 1:2 with points pointtype %d pointsize 1.25 linecolor rgb "
                    "'%s' title ",
                    s, figure_colour(s), s, figure_colour(s), s, s, figure_point_type(s),
                    figure_colour(s));
        figure_append_name(out, view->series_count > 1 ? text_cstr(&view->labels[s]) : "", 60);
    }
    text_append(out, "\n");
}

// "500", "20 k", "1.5 M": of round numbers.
static NumberText nodes_label(double nodes) {
    NumberText out;
    const char *suffix = nodes >= 1e6 ? " M" : nodes >= 1e3 ? " k" : "";
    snprintf(out.text, sizeof out.text, "%g%s",
             nodes / (nodes >= 1e6   ? 1e6
                      : nodes >= 1e3 ? 1e3
                                     : 1),
             suffix);
    return out;
}

static void nodes_panel(const SweepView *view, Text *out) {
    double high = 1;
    for (int i = 0; i < view->count; i++)
        high = isnan(view->points[i].nodes) ? high : fmax(high, view->points[i].nodes);
    double step = pow(10, floor(log10(high)));
    // A step that gives two to four tics from 0 on.
    step = high / step >= 4 ? 2 * step : high / step >= 2 ? step : step / 2;
    text_printf(out, "set yrange [0:%.6g]\nset ytics (", 1.12 * high);
    for (int i = 0; i * step <= 1.12 * high; i++) {
        text_append(out, i ? ", " : "");
        figure_append_tic(out, nodes_label(i * step).text);
        text_printf(out, " %.6g", i * step);
    }
    text_append(out, ")\nunset ylabel\nset label 6 'nodes of a move, median' at graph 0, graph 1 "
                     "left offset 0, 0.7 font FONT.',11' textcolor rgb '#606060'\nplot ");
    for (int s = 0; s < view->series_count; s++)
        text_printf(out,
                    "%sdata index %d using 1:5 with linespoints linewidth 1.8 pointtype %d "
                    "pointsize 1.0 linecolor rgb '%s' notitle",
                    s ? ", \\\n  " : "", s, figure_point_type(s), figure_colour(s));
    text_append(out, "\n");
}

// Where the head of a gauntlet stands: 50 % against itself.
static void head_mark(const ReportInput *input, const SweepView *view, Text *out) {
    // A logarithmic axis has no place for a head whose value is 0.
    if (!isfinite(view->head_x) || (view->is_log && view->head_x <= 0))
        return;
    text_printf(out,
                "set arrow 2 from first %.10g, graph 0 to first %.10g, graph 1 nohead dashtype '-' "
                "linewidth 1.2 linecolor rgb '#909090' back\nset label 5 ",
                view->head_x, view->head_x);
    figure_append_string(out, input->summary.players[view->head].short_name);
    text_printf(out,
                " at first %.10g, graph 1 left offset 0.6, -0.9 font FONT.',11' textcolor rgb "
                "'#606060'\n",
                view->head_x);
}

static void subtitle_write(const ReportInput *input, const SweepView *view, Text *out) {
    if (view->head >= 0)
        text_printf(out, "against %s · ", input->summary.players[view->head].short_name);
    text_append(out, "bars: 95 % interval");
}

// Two panels above one another share the axis of values: a better score can be seen together with
// what it costs.
static void sweep_draw(const ReportInput *input, const SweepView *view, Figure *figure) {
    bool with_nodes = nodes_are_known(view);
    int legend = view->series_count > 1 ? view->series_count * LEGEND_PX + 10 : 0;
    FigureFrame frame = {96, 96, FIGURE_TOP_PX + legend, 78};
    int lower = with_nodes ? GAP_PX + NODES_PX : 0;
    figure->width = frame.left + PLOT_PX + frame.right;
    figure->height = frame.top + SCORE_PX + lower + frame.bottom;
    Text subtitle = {0}, title = {0};
    subtitle_write(input, view, &subtitle);
    text_printf(&title, "Score by %s", knob_info(view->axis)->key);
    figure_begin(figure, input, text_cstr(&title), text_cstr(&subtitle), frame);
    figure->head.failed |= subtitle.failed || title.failed;
    text_release(&subtitle);
    text_release(&title);
    sweep_data(input, view, &figure->data);

    Extent x = x_extent(view), y = score_extent(view);
    Text *head = &figure->head, *body = &figure->body;
    text_printf(head, "%sset xrange [%.10g:%.10g]\nset yrange [%.6f:%.6f]\n",
                view->is_log ? "set logscale x\n" : "", x.low, x.high, y.low, y.high);
    text_append(head, "set grid ytics linetype 1 linecolor rgb '#e4e4e4' linewidth 1\n"
                      "set ylabel 'score' textcolor rgb '#404040'\n"
                      "set y2label 'Elo' offset -0.6, 0 textcolor rgb '#404040'\n");
    score_tics(y, head);
    elo_tics(y, head);
    head_mark(input, view, head);
    if (legend)
        text_printf(
            head, "set key at screen %.5f, %.5f left top Left reverse samplen 0.6 spacing 1.35\n",
            (frame.left - 14.0) / figure->width, 1.0 - (FIGURE_TOP_PX - 14.0) / figure->height);
    text_append(body, "set multiplot\n");
    panel_margins(figure, frame, frame.top, SCORE_PX, body);
    x_tics(view, x, !with_nodes, body); // the values stand below the lower panel only
    if (!with_nodes)
        x_label(view, body);
    score_panel(view, body);
    if (with_nodes) {
        panel_margins(figure, frame, frame.top + SCORE_PX + GAP_PX, NODES_PX, body);
        text_append(body, "unset label 1\nunset label 2\nunset label 5\nunset y2tics\nunset "
                          "y2label\nset key off\n");
        x_tics(view, x, true, body);
        x_label(view, body);
        nodes_panel(view, body);
    }
    text_append(body, "unset multiplot\n");
}

void figure_make_sweep(const ReportInput *input, Figure *figure) {
    SweepView view = {0};
    bool found = false;
    ErrorText err = {""};
    if (!sweep_is_asked(input)) {
        figure->is_absent = true;
        snprintf(figure->skipped, sizeof figure->skipped, "the experiment has no sweep");
        return;
    }
    if (sweep_find(input, &view, &found, &err)) {
        figure->data.failed = true;
        return;
    }
    if (found)
        sweep_draw(input, &view, figure);
    else
        snprintf(figure->skipped, sizeof figure->skipped,
                 "no knob that is a number has two values among players with games");
    sweep_release(&view);
}
