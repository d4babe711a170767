// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of opening balance: how often the first mover scores, opening by opening, sorted.
#include "harness/report/figures.h"
#include "harness/report/number_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct OpeningShare {
    double share; // of the first mover
    int64_t games;
    int64_t opening;
} OpeningShare;

static int share_compare(const void *a, const void *b) {
    const OpeningShare *x = a, *y = b;
    if (x->share != y->share)
        return x->share < y->share ? 1 : -1;
    // A last word for equal shares, so that the same games make the same picture.
    return (x->opening > y->opening) - (x->opening < y->opening);
}

void figure_make_opening_balance(const ReportInput *input, Figure *figure) {
    const ReportSummary *summary = &input->summary;
    int count = summary->opening_count;
    if (count == 0) {
        snprintf(figure->skipped, sizeof figure->skipped, "no games");
        return;
    }
    OpeningShare *shares = calloc((size_t)count, sizeof *shares);
    if (!shares) {
        // The caller reports it as no memory, as for every failed text.
        figure->data.failed = true;
        return;
    }
    for (int i = 0; i < count; i++) {
        const OpeningSummary *opening = &summary->openings[i];
        shares[i] = (OpeningShare){wdl_share(opening->first), wdl_counts_total(&opening->first),
                                   opening->opening};
    }
    // Sorted, so that the shape is the message: a flat middle is a fair book, two plateaus are
    // openings that decide.
    qsort(shares, (size_t)count, sizeof *shares, share_compare);
    text_append(&figure->data, "# rank share games opening\n");
    for (int i = 0; i < count; i++)
        text_printf(&figure->data, "%d %.6f %lld %lld\n", i + 1, shares[i].share,
                    (long long)shares[i].games, (long long)shares[i].opening);
    FigureFrame frame = {112, 48, FIGURE_TOP_PX, 78};
    figure->width = 960;
    figure->height = 480;
    char subtitle[160];
    snprintf(subtitle, sizeof subtitle, "%s %s · first mover %s in all", number_count(count).text,
             count == 1 ? "opening" : "openings", number_percent(wdl_share(summary->first)).text);
    figure_begin(figure, input, "Does the first mover always win?", subtitle, frame);
    text_printf(&figure->head,
                "set xrange [0.4:%d.6]\nset yrange [-0.02:1.02]\nset ytics ('0 %%%%' 0, '25 %%%%' "
                "0.25, '50 %%%%' 0.5, '75 %%%%' 0.75, '100 %%%%' 1)\n"
                "unset grid\nset grid ytics linetype 1 linecolor rgb '#e4e4e4' linewidth 1\n"
                "set xlabel 'openings, from best to worst for the first mover' offset 0, -0.2 "
                "textcolor rgb '#404040'\n"
                "set ylabel 'score of the first mover' textcolor rgb '#404040'\n",
                count);
    // More labels would run into each other.
    if (count <= 20)
        text_append(&figure->head, "set xtics 1\n");
    text_printf(&figure->body,
                "W = %.4f\n"
                "plot data using 1:($2>0.5 ? ($2+0.5)/2 : NaN):(W):(($2-0.5)/2) with boxxyerror "
                "fillstyle solid 0.85 noborder linecolor rgb '#0072b2', \\\n"
                "  '' using 1:($2<0.5 ? ($2+0.5)/2 : NaN):(W):((0.5-$2)/2) with boxxyerror "
                "fillstyle solid 0.85 noborder linecolor rgb '#d55e00', \\\n"
                "  0.5 with lines linewidth 1.5 linecolor rgb '#404040'\n",
                count > 150 ? 0.5 : 0.4);
    free(shares);
}
