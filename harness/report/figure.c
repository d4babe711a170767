// SPDX-License-Identifier: GPL-3.0-or-later
// What all pictures share.
#include "harness/report/figure.h"

#include "engine/base/check.h"
#include "harness/report/number_text.h"
#include "harness/report/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const COLOURS[FIGURE_COLOURS] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                    "#56b4e9", "#e69f00", "#5d5d5d", "#8c6bb1"};

enum { SMALL_CHAR_PX = 8 }; // width of a character of the font of subtitles, generously

static const double PNG_SCALE = 1.5; // more pixels than the size says: sharp on dense screens

const char *figure_colour(int index) { return COLOURS[index % FIGURE_COLOURS]; }

int figure_point_type(int index) {
    static const int TYPES[] = {7, 5, 9, 13,
                                11}; // filled: circle, square, triangle, diamond, triangle down
    return TYPES[index / FIGURE_COLOURS % (int)ARRAY_LEN(TYPES)];
}

// --- strings
// --------------------------------------------------------------------------------------------------------

// In single quotes; every character of `doubled` is written twice.
// Cleaned of control characters and broken UTF-8 first: a name with a line end would be two lines
// of the script.
static void append_quoted(Text *out, const char *text, const char *doubled) {
    Text clean = {0};
    number_text_clean(&clean, text);
    text_append(out, "'");
    for (const char *c = text_cstr(&clean); *c; c++) {
        text_append_bytes(out, c, 1);
        if (strchr(doubled, *c))
            text_append_bytes(out, c, 1);
    }
    text_append(out, "'");
    out->failed |= clean.failed;
    text_release(&clean);
}

void figure_append_string(Text *out, const char *text) { append_quoted(out, text, "'"); }

void figure_append_tic(Text *out, const char *text) { append_quoted(out, text, "'%"); }

void figure_append_name(Text *out, const char *name, int columns) {
    Text cut = {0};
    number_text_cut(&cut, name, columns);
    figure_append_string(out, text_cstr(&cut));
    out->failed |= cut.failed;
    text_release(&cut);
}

int figure_name_columns(const char *name, int columns) {
    int width = table_text_width(name);
    return width < columns ? width : columns;
}

int figure_text_px(const char *text) {
    int px = FIGURE_CHAR_PX * table_text_width(text);
    for (const char *c = text; *c; c++)
        if (strchr("MWm@%", *c))
            px += 7;
        else if (*c == 'w')
            px += 4;
        else if (*c >= 'A' && *c <= 'Z')
            px += 3;
    return px;
}

int figure_longest_name_px(const ReportSummary *summary, const int *players, int count) {
    int longest = 4 * FIGURE_CHAR_PX;
    for (int i = 0; i < count; i++) {
        int width = figure_text_px(summary->players[players[i]].short_name);
        longest = width > longest ? width : longest;
    }
    return longest;
}

// --- frame
// ----------------------------------------------------------------------------------------------------------

// What was played and what is shown. When that is wider than `px` the names of experiments, in
// front, are cut; what the picture means is not.
static void subtitle_write(const ReportInput *input, const char *subtitle, int px, Text *out) {
    enum { LEAST = 12, SUBTITLE_POINTS = 11, BASE_POINTS = 13 };
    Text played = {0}, names = {0}, rest = {0};
    report_input_describe(input, &played);
    const char *text = text_cstr(&played), *end = strstr(text, " · ");
    size_t length = end ? (size_t)(end - text) : strlen(text);
    text_append_bytes(&names, text, length);
    text_printf(&rest, "%s%s%s", text + length, subtitle[0] ? " · " : "", subtitle);
    int room = px / SMALL_CHAR_PX - table_text_width(text_cstr(&rest));
    // Names of wide letters take more than their share.
    do {
        text_clear(out);
        number_text_cut(out, text_cstr(&names), room > LEAST ? room : LEAST);
        text_append(out, text_cstr(&rest));
    } while (--room > LEAST && figure_text_px(text_cstr(out)) * SUBTITLE_POINTS > px * BASE_POINTS);
    out->failed |= played.failed || names.failed || rest.failed;
    text_release(&played);
    text_release(&names);
    text_release(&rest);
}

// Margins and texts are given as shares of the picture, which gnuplot keeps in PNG and SVG alike;
// measured in characters they would differ with the font.
void figure_begin(Figure *figure, const ReportInput *input, const char *title, const char *subtitle,
                  FigureFrame frame) {
    double width = figure->width, height = figure->height;
    Text *head = &figure->head;
    Text line = {0};
    text_printf(head, "set lmargin at screen %.5f\nset rmargin at screen %.5f\n",
                frame.left / width, 1.0 - frame.right / width);
    text_printf(head, "set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
                1.0 - frame.top / height, frame.bottom / height);
    text_append(head, "set label 1 ");
    figure_append_string(head, title);
    text_printf(head, " at screen %.5f, %.5f left front font FONT.',17' textcolor rgb '#202020'\n",
                FIGURE_LEFT_PX / width, 1.0 - 30 / height);
    subtitle_write(input, subtitle, (int)(width - 2 * FIGURE_LEFT_PX), &line);
    text_append(head, "set label 2 ");
    figure_append_string(head, text_cstr(&line));
    text_printf(head, " at screen %.5f, %.5f left front font FONT.',11' textcolor rgb '#606060'\n",
                FIGURE_LEFT_PX / width, 1.0 - 60 / height);
    head->failed |= line.failed;
    text_release(&line);
}

void figure_name_rows(Figure *figure, const ReportSummary *summary, const int *players, int count) {
    text_printf(&figure->head, "set yrange [%d.6:0.4]\nset ytics scale 0 (", count);
    for (int i = 0; i < count; i++) {
        text_append(&figure->head, i ? ", " : "");
        figure_append_tic(&figure->head, summary->players[players[i]].short_name);
        text_printf(&figure->head, " %d", i + 1);
    }
    text_append(&figure->head, ")\n");
}

// Columns of the longest label among the multiples of `step`, as "%g" writes it.
static int longest_label(double low, double high, double step) {
    int longest = 0;
    for (double i = ceil(low / step); i * step <= high; i++) {
        int columns = snprintf(NULL, 0, "%g", i * step);
        longest = columns > longest ? columns : longest;
    }
    return longest;
}

void figure_append_x_tics(double low, double high, int width_px, Text *out) {
    static const double FACTORS[] = {1, 2, 5};
    enum { MOST = 50 }; // no step gives more labels than that: where the search begins
    if (!(high > low) || !isfinite(high - low))
        return; // numbers of a damaged database: gnuplot says what it thinks of the range
    double power = pow(10, floor(log10((high - low) / MOST))), step;
    for (int i = 0;; i++) {
        step = power * FACTORS[i % 3];
        double apart_px = step / (high - low) * width_px;
        // A label, and the width of a character on either side together.
        if (apart_px >= (longest_label(low, high, step) + 1) * FIGURE_CHAR_PX)
            break;
        power *= i % 3 == 2 ? 10 : 1;
    }
    text_printf(out, "set format x '%%g'\nset xtics %.10g\n", step);
}

// A player keeps its colour from picture to picture.
int figure_rank(const ReportInput *input, int player) {
    for (int i = 0; i < input->standings.count; i++)
        if (input->standings.rows[i].player == player)
            return i;
    return 0;
}

int figure_players(const ReportInput *input, bool (*has)(const PlayerSummary *), int *out) {
    int count = 0;
    for (int i = 0; i < input->standings.count; i++) {
        int player = input->standings.rows[i].player;
        if (has(&input->summary.players[player]))
            out[count++] = player;
    }
    return count;
}

void figure_release(Figure *figure) {
    text_release(&figure->head);
    text_release(&figure->body);
    text_release(&figure->data);
}

// --- the script
// -----------------------------------------------------------------------------------------------------

void figure_write_script(const Figure *figure, Text *out) {
    text_printf(out,
                "# %s: written by gomolab plot. `gnuplot %s.gp` draws it again; `gnuplot -e "
                "\"format='svg'\" %s.gp` as SVG.\n"
                "if (!exists('format')) format = 'png'\n"
                "if (!exists('target')) target = '%s.'.format\n"
                "if (!exists('data')) data = '%s.dat'\n"
                "set encoding utf8\n",
                figure->name, figure->name, figure->name, figure->name, figure->name);
    text_printf(out,
                "FONT = format eq 'svg' ? 'DejaVu Sans, Verdana, sans-serif' : 'DejaVu Sans'\n"
                "if (format eq 'svg') set terminal svg size %d,%d noenhanced dynamic font "
                "FONT.',13' background '#ffffff'\n"
                "if (format ne 'svg') set terminal pngcairo size %d,%d noenhanced font FONT.',13' "
                "fontscale %g linewidth %g "
                "pointscale %g background '#ffffff'\n"
                "set output target\n",
                figure->width, figure->height, (int)(figure->width * PNG_SCALE),
                (int)(figure->height * PNG_SCALE), PNG_SCALE, PNG_SCALE, PNG_SCALE);
    text_append(out, "set border 0\n"
                     "set tics nomirror scale 0 textcolor rgb '#404040'\n"
                     "set grid xtics linetype 1 linecolor rgb '#e4e4e4' linewidth 1\n"
                     "set style textbox opaque noborder\n"
                     "set key off\n");
    text_append(out, text_cstr(&figure->head));
    text_append(out, text_cstr(&figure->body));
    text_append(out, "unset output\n");
    out->failed |= figure->head.failed || figure->body.failed;
}
