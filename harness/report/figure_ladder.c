// SPDX-License-Identifier: GPL-3.0-or-later
// Two pictures of results: the Elo ladder and the matrix of scores.
#include "harness/report/figures.h"
#include "harness/report/number_text.h"
#include "harness/report/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LADDER_PX = 620 }; // width of the ladder's plot

// --- Elo ladder
// -----------------------------------------------------------------------------------------------------

typedef struct Span {
    double lo, hi;
} Span;

static void span_add(Span *span, StatValue value) {
    if (!stat_exists(value))
        return;
    span->lo = fmin(span->lo, value.value);
    span->hi = fmax(span->hi, value.value);
}

// All there is to show and 0, with room at both sides.
// 0 belongs to every ladder: it is what the numbers are measured against.
static Span ladder_span(const ReportInput *input) {
    Span span = {0, 0};
    for (int i = 0; i < input->standings.count; i++) {
        span_add(&span, input->standings.rows[i].elo);
        span_add(&span, input->standings.rows[i].interval.lo);
        span_add(&span, input->standings.rows[i].interval.hi);
    }
    double pad = fmax(0.06 * (span.hi - span.lo), 10.0);
    return (Span){span.lo - pad, span.hi + pad};
}

// row elo lo hi arrow colour: an end that runs off the scale lies at the edge of the picture, arrow
// -1 or 1.
static void ladder_data(const ReportInput *input, Span span, Figure *figure) {
    text_append(&figure->data, "# row elo lo hi arrow \"label\" \"player\"; an end beyond the "
                               "scale is at the edge, arrow -1 or 1\n");
    for (int i = 0; i < input->standings.count; i++) {
        const Standing *row = &input->standings.rows[i];
        bool has_lo = stat_exists(row->interval.lo), has_hi = stat_exists(row->interval.hi);
        double lo = has_lo ? row->interval.lo.value : span.lo,
               hi = has_hi ? row->interval.hi.value : span.hi;
        // Nothing is known of the error: a point alone, as a bar to the edge would be a bound.
        if (!has_lo && !has_hi)
            lo = hi = stat_exists(row->elo) ? row->elo.value : 0.0;
        Text label = {0}, name = {0};
        if (stat_exists(row->elo))
            text_printf(&label, "%s  ", number_elo(row->elo).text);
        text_append(&label, number_interval(row->interval.lo, row->interval.hi).text);
        number_text_clean(&name, input->summary.players[row->player].name);
        text_printf(&figure->data, "%d ", i + 1);
        if (stat_exists(row->elo))
            text_printf(&figure->data, "%.3f", row->elo.value);
        else
            text_append(&figure->data, "NaN");
        text_printf(&figure->data, " %.3f %.3f %d \"%s\" \"", lo, hi,
                    has_lo == has_hi ? 0
                    : has_lo         ? 1
                                     : -1,
                    text_cstr(&label));
        // A quote would end the string.
        for (const char *c = text_cstr(&name); *c; c++)
            text_append_bytes(&figure->data, *c == '"' ? "'" : c, 1);
        text_append(&figure->data, "\"\n");
        figure->data.failed |= label.failed || name.failed;
        text_release(&label);
        text_release(&name);
    }
}

// Players that no results link share an axis, but no scale.
static void ladder_borders(const ReportInput *input, Figure *figure) {
    for (int i = 1; i < input->standings.count; i++)
        if (input->standings.rows[i].table != input->standings.rows[i - 1].table)
            text_printf(&figure->head,
                        "set arrow %d from graph 0, first %d.5 to graph 1, first %d.5 nohead "
                        "dashtype 2 linecolor rgb '#909090' linewidth 1.2 back\n",
                        i + 1, i, i);
}

// White under blue: a point stays visible on its own bar.
void figure_make_elo_ladder(const ReportInput *input, Figure *figure) {
    int count = input->standings.count;
    if (count == 0) {
        snprintf(figure->skipped, sizeof figure->skipped, "no games");
        return;
    }
    int *players = calloc((size_t)count, sizeof *players);
    if (!players) {
        figure->data.failed = true;
        return;
    }
    for (int i = 0; i < count; i++)
        players[i] = input->standings.rows[i].player;
    Span span = ladder_span(input);
    FigureFrame frame = {40 + figure_longest_name_px(&input->summary, players, count), 215,
                         FIGURE_TOP_PX, 78};
    figure->width = frame.left + frame.right + LADDER_PX;
    figure->height = frame.top + frame.bottom + count * FIGURE_ROW_PX + 24;
    figure_begin(figure, input, "Elo ladder", "bars: 95 % interval", frame);
    figure_name_rows(figure, &input->summary, players, count);
    free(players);
    ladder_data(input, span, figure);
    ladder_borders(input, figure);
    text_printf(&figure->head,
                "set xrange [%.3f:%.3f]\nset xlabel '%s' offset 0, -0.2 textcolor rgb '#404040'\n"
                "set arrow 1 from first 0, graph 0 to first 0, graph 1 nohead linecolor rgb "
                "'#909090' linewidth 1.2 back\n",
                span.lo, span.hi,
                !input->standings.is_pool ? "Elo against the other"
                : input->standings.tables > 1
                    ? "Elo, 0 = mean; dashed lines part what has no common scale"
                    : "Elo, 0 = mean of the players");
    figure_append_x_tics(span.lo, span.hi, LADDER_PX, &figure->head);
    text_append(&figure->body,
                "plot data using 3:1:($4-$3):(0) with vectors nohead linewidth 3 linecolor rgb "
                "'#0072b2', \\\n"
                "  '' using ($5>0 ? $3 : NaN):1:($4-$3):(0) with vectors head filled size screen "
                "0.012, 20 linewidth 3 linecolor rgb '#0072b2', \\\n"
                "  '' using ($5<0 ? $4 : NaN):1:($3-$4):(0) with vectors head filled size screen "
                "0.012, 20 linewidth 3 linecolor rgb '#0072b2', \\\n"
                "  '' using 2:1 with points pointtype 7 pointsize 1.7 linecolor rgb '#ffffff', \\\n"
                "  '' using 2:1 with points pointtype 7 pointsize 1.3 linecolor rgb '#0072b2', \\\n"
                "  '' using (");
    text_printf(&figure->body, "%.3f", span.hi);
    text_append(&figure->body, "):1:6 with labels left offset 1.5, 0 textcolor rgb '#202020'\n");
}

// --- score matrix
// ---------------------------------------------------------------------------------------------------

// Colour by the score of the row player: orange below 50 %, white at it, blue above.
// Orange and blue are told apart by colour-blind readers as well, and both grow darker away from
// the middle.
static const char MATRIX_PALETTE[] = "set palette defined (0 '#b35806', 0.25 '#f1a340', 0.5 "
                                     "'#f7f7f7', 0.75 '#67a9cf', 1 '#08519c')\n"
                                     "set cbrange [0:1]\nunset colorbox\n";

static void matrix_data(const ReportInput *input, Figure *figure) {
    text_append(&figure->data, "# column row score games \"score, percent\" dark\n");
    int count = input->standings.count;
    for (int row = 0; row < count; row++)
        for (int column = 0; column < count; column++) {
            const PairingSummary *pairing =
                summary_pairing(&input->summary, input->standings.rows[row].player,
                                input->standings.rows[column].player);
            WdlCounts total = wdl_counts_sum(pairing->as_black, pairing->as_white);
            int64_t games = wdl_counts_total(&total);
            // Pairings nobody played stay empty: 50 % would be a claim.
            if (games == 0 || row == column)
                continue;
            double score = ((double)total.wins + 0.5 * (double)total.draws) / (double)games;
            text_printf(&figure->data, "%d %d %.6f %lld \"%.0f\" %d\n", column + 1, row + 1, score,
                        (long long)games, wdl_percent(total), score < 0.15 || score > 0.8);
        }
}

void figure_make_score_matrix(const ReportInput *input, Figure *figure) {
    int count = input->standings.count;
    matrix_data(input, figure);
    if (count < 2) {
        snprintf(figure->skipped, sizeof figure->skipped, "fewer than two players have games");
        return;
    }
    int *players = calloc((size_t)count, sizeof *players);
    if (!players) {
        figure->data.failed = true;
        return;
    }
    for (int i = 0; i < count; i++)
        players[i] = input->standings.rows[i].player;
    // Cells shrink with the number of players, as far as a label of two digits fits.
    int cell = count <= 4 ? 88 : count <= 8 ? 68 : count <= 16 ? 56 : 36;
    int names = 40 + figure_longest_name_px(&input->summary, players, count) + 4 * FIGURE_CHAR_PX;
    FigureFrame frame = {names, 40, FIGURE_TOP_PX + 44, 56};
    int plot = count * cell;
    frame.right = frame.left + plot < 640 ? 700 - frame.left - plot : 60; // room for the title
    figure->width = frame.left + plot + frame.right;
    figure->height = frame.top + plot + frame.bottom;
    figure_begin(figure, input, "Score of row against column, percent", "", frame);
    text_printf(&figure->head, "set xrange [0.5:%d.5]\nset yrange [%d.5:0.5]\nset ytics scale 0 (",
                count, count);
    for (int i = 0; i < count; i++) {
        Text name = {0};
        text_printf(&name, "%s  %d", input->summary.players[players[i]].short_name, i + 1);
        text_append(&figure->head, i ? ", " : "");
        figure_append_tic(&figure->head, text_cstr(&name));
        text_printf(&figure->head, " %d", i + 1);
        text_release(&name);
    }
    text_append(&figure->head, ")\nunset xtics\nset x2tics scale 0 (");
    for (int i = 0; i < count; i++)
        text_printf(&figure->head, "%s'%d' %d", i ? ", " : "", i + 1, i + 1);
    text_printf(&figure->head, ")\nset x2range [0.5:%d.5]\nunset grid\n%s", count, MATRIX_PALETTE);
    // Under the title, not under the matrix: two players and long names leave no room there.
    text_printf(&figure->head,
                "set label 3 'better than 50 %%: blue · worse: orange · players in order of their "
                "score' at screen %.5f, graph 0 left offset 0, -1.6 font FONT.',11' textcolor rgb "
                "'#606060'\n",
                FIGURE_LEFT_PX / (double)figure->width);
    free(players);
    const char *size = cell >= 56 ? "13" : "10";
    text_printf(
        &figure->body,
        "plot data using 1:2:(0.47):(0.47):3 with boxxyerror fillstyle solid 1 noborder palette, "
        "\\\n"
        "  '' using ($6==0 ? $1 : NaN):2:5 with labels font FONT.',%s' textcolor rgb '#202020', "
        "\\\n"
        "  '' using ($6==1 ? $1 : NaN):2:5 with labels font FONT.',%s' textcolor rgb '#ffffff'\n",
        size, size);
}
