// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of the proof: the evidence pair by pair between its two bounds, and the Elo of every
// match that was played on it.
#include "harness/report/figures.h"
#include "harness/report/number_text.h"
#include "harness/report/tune_view.h"
#include "harness/stats/elo.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PLOT_PX = 620, LLR_PX = 240, GAP_PX = 92, LABEL_PX = 200, ENDLESS_ELO = 150 };

// --- evidence
// ------------------------------------------------------------------------------------------------------

// The line begins at 0 without a pair: no evidence yet.
static void evidence_data(const TuneView *view, Text *out) {
    text_append(out, "# pairs llr\n0 0\n");
    for (int64_t i = 0; i < view->evidence_count; i++)
        text_printf(out, "%lld %.6f\n", (long long)view->evidence[i].pairs, view->evidence[i].llr);
    text_append(out, "\n\n");
}

static void bound_label(int number, const char *text, double y, const char *colour, Text *out) {
    text_printf(out,
                "set label %d '%s' at graph 1, first %.4f left offset 0.8, 0 font FONT.',12' "
                "textcolor rgb '%s'\n",
                number, text, y, colour);
}

// Both bounds lie in the picture whether the line comes near them or not: how far it still has to
// go is the question.
static void evidence_draw(const TuneView *view, Text *out) {
    const StoreTuneMatch *match = view->verdict;
    double lower = log(match->beta / (1 - match->alpha)),
           upper = log((1 - match->beta) / match->alpha);
    double low = lower, high = upper;
    int64_t pairs = 1;
    for (int64_t i = 0; i < view->evidence_count; i++) {
        low = fmin(low, view->evidence[i].llr);
        high = fmax(high, view->evidence[i].llr);
        pairs = view->evidence[i].pairs;
    }
    double pad = 0.12 * (high - low);
    text_printf(out,
                "set yrange [%.4f:%.4f]\nset xrange [0:%.1f]\nset ytics 2\n"
                "set grid ytics linetype 1 linecolor rgb '#ececec' linewidth 1\n"
                "set xlabel 'pairs of games' offset 0, 0.2 font FONT.',11' textcolor rgb "
                "'#606060'\n"
                "set label 4 'log-likelihood ratio: normalized Elo %g against %g' at graph 0, "
                "graph 1 left offset 0, 0.9 font FONT.',12' textcolor rgb '#202020'\n",
                low - pad, high + pad, 1.02 * (double)pairs, match->elo1, match->elo0);
    figure_append_x_tics(0, 1.02 * (double)pairs, PLOT_PX, out);
    bound_label(5, "accepted", upper, figure_colour(2), out);
    bound_label(6, "rejected", lower, figure_colour(1), out);
    text_printf(out,
                "plot 0 with lines linewidth 1 linecolor rgb '#909090', \\\n"
                "  %.4f with lines dashtype '-' linewidth 1.8 linecolor rgb '%s', \\\n"
                "  %.4f with lines dashtype '-' linewidth 1.8 linecolor rgb '%s', \\\n"
                "  data index 0 using 1:2 with lines linewidth 2.2 linecolor rgb '%s'\n"
                "unset label 1\nunset label 2\nunset label 5\nunset label 6\n",
                upper, figure_colour(2), lower, figure_colour(1), figure_colour(0));
}

// --- matches
// -------------------------------------------------------------------------------------------------------

// A match that was planned and not begun has no bar.
static bool is_played(const StoreTuneMatch *match) {
    int64_t pairs = 0;
    for (int c = 0; c < 6; c++)
        pairs += match->classes[c];
    return pairs > 0;
}

static int played_count(const TuneView *view) {
    int count = 0;
    for (int i = 0; i < view->match_count; i++)
        count += is_played(&view->matches[i]);
    return count;
}

// A tune that was extended has an answer a budget; each proof begins with the verdict's match.
static void match_title(const TuneView *view, int index, Text *out) {
    const StoreTuneMatch *match = &view->matches[index];
    int answer = 0, answers = 0;
    for (int i = 0; i < view->match_count; i++) {
        bool begins = view->matches[i].is_verdict && is_played(&view->matches[i]);
        answers += begins;
        answer += begins && i <= index;
    }
    text_printf(out, "%s : %s, %s", match->player, match->opponent,
                strcmp(match->openings, "held-out") == 0 ? "held out" : "tuned on");
    if (match->depth_plus)
        text_printf(out, ", depth %+d", match->depth_plus);
    if (answers > 1)
        text_printf(out, ", answer %d", answer);
}

typedef struct Span {
    double low, high;
} Span;

// row elo lo hi verdict "label": ends beyond the scale are at its edge.
static Span matches_data(const TuneView *view, Text *out) {
    Span span = {-10, 10};
    int row = 0;
    text_append(out, "# row elo lo hi verdict \"label\"\n");
    for (int i = 0; i < view->match_count; i++) {
        const StoreTuneMatch *match = &view->matches[i];
        PairCounts pairs;
        if (!is_played(match))
            continue;
        memcpy(pairs.n, match->classes, sizeof pairs.n);
        MatchStats stats = match_stats_compute(&pairs, NULL, BY_PAIRS);
        bool has_lo = stat_exists(stats.interval.lo), has_hi = stat_exists(stats.interval.hi);
        double lo = stats.interval.lo.value, hi = stats.interval.hi.value;
        // A bound without another end is drawn some way out, so that its bar has a direction.
        lo = has_lo ? lo : fmin(hi, 0) - ENDLESS_ELO;
        hi = has_hi ? hi : fmax(lo, 0) + ENDLESS_ELO;
        double elo = stat_exists(stats.elo) ? stats.elo.value : stats.score.value > 0.5 ? hi : lo;
        span.low = fmin(span.low, lo);
        span.high = fmax(span.high, hi);
        text_printf(out, "%d %.3f %.3f %.3f %d \"%s%s%s\"\n", ++row, elo, lo, hi, match->is_verdict,
                    stat_exists(stats.elo) ? number_elo(stats.elo).text : "",
                    stat_exists(stats.elo) ? "  " : "",
                    number_interval(stats.interval.lo, stats.interval.hi).text);
    }
    double pad = 0.05 * (span.high - span.low);
    return (Span){span.low - pad, span.high + pad};
}

// Titles are longer than names of players: 44 columns hold both names and what the match was about.
static void match_rows(const TuneView *view, Text *out) {
    int row = 0;
    text_printf(out, "set yrange [%d.6:0.4]\nset ytics scale 0 (", played_count(view));
    for (int i = 0; i < view->match_count; i++) {
        Text title = {0}, cut = {0};
        if (!is_played(&view->matches[i]))
            continue;
        match_title(view, i, &title);
        number_text_cut(&cut, text_cstr(&title), 44);
        text_append(out, row ? ", " : "");
        figure_append_tic(out, text_cstr(&cut));
        text_printf(out, " %d", ++row);
        out->failed |= title.failed || cut.failed;
        text_release(&title);
        text_release(&cut);
    }
    text_append(out, ")\n");
}

// The match that decides in colour, the others in grey.
static void matches_draw(Span span, Text *out) {
    text_printf(out,
                "set xrange [%.3f:%.3f]\nunset grid\nset grid xtics linetype 1 linecolor rgb "
                "'#e4e4e4' linewidth 1\n"
                "set xlabel 'Elo' offset 0, 0 textcolor rgb '#404040'\n"
                "set label 4 'Elo with 95 %% interval, from all pairs' at graph 0, graph 1 left "
                "offset 0, 0.9 font FONT.',12' textcolor rgb '#202020'\n"
                "set arrow 1 from first 0, graph 0 to first 0, graph 1 nohead linecolor rgb "
                "'#909090' linewidth 1.2 back\n",
                span.low, span.high);
    figure_append_x_tics(span.low, span.high, PLOT_PX, out);
    text_append(out, "plot ");
    for (int verdict = 0; verdict <= 1; verdict++)
        text_printf(out,
                    "%s index 1 using ($5==%d ? $3 : NaN):1:($4-$3):(0) with vectors nohead "
                    "linewidth 3 linecolor rgb '%s', \\\n"
                    "  '' index 1 using ($5==%d ? $2 : NaN):1 with points pointtype 7 pointsize "
                    "1.7 linecolor rgb '#ffffff', \\\n"
                    "  '' index 1 using ($5==%d ? $2 : NaN):1 with points pointtype 7 pointsize "
                    "1.3 linecolor rgb '%s', \\\n",
                    verdict ? "  ''" : "data", verdict, figure_colour(verdict ? 0 : 6), verdict,
                    verdict, figure_colour(verdict ? 0 : 6));
    text_printf(out,
                "  '' index 1 using (%.3f):1:6 with labels left offset 0.8, 0 font FONT.',12' "
                "textcolor rgb '#202020'\n",
                span.high);
}

// --- the picture
// ---------------------------------------------------------------------------------------------------

static int longest_title(const TuneView *view) {
    int longest = 12;
    for (int i = 0; i < view->match_count; i++) {
        Text title = {0};
        match_title(view, i, &title);
        int width = figure_name_columns(text_cstr(&title), 44);
        longest = width > longest ? width : longest;
        text_release(&title);
    }
    return longest;
}

static void panel_place(const Figure *figure, FigureFrame frame, int top, int height, Text *out) {
    text_printf(out,
                "set lmargin at screen %.5f\nset rmargin at screen %.5f\nset tmargin at screen "
                "%.5f\nset bmargin at screen %.5f\n",
                (double)frame.left / figure->width, 1 - (double)frame.right / figure->width,
                1 - (double)top / figure->height, 1 - (double)(top + height) / figure->height);
}

void figure_make_tune_proof(const ReportInput *input, Figure *figure) {
    const TuneView *view = input->tune;
    int rows = view ? played_count(view) : 0;
    bool has_evidence = view && view->verdict && view->evidence_count > 0;
    if (rows == 0 && !has_evidence) {
        figure->is_absent = true;
        snprintf(figure->skipped, sizeof figure->skipped, "no match of the proof has been played");
        return;
    }
    FigureFrame frame = {40 + longest_title(view) * (FIGURE_CHAR_PX - 1), LABEL_PX,
                         FIGURE_TOP_PX + 30, 74};
    int llr = has_evidence ? LLR_PX : 0, gap = has_evidence && rows ? GAP_PX : 0;
    int list = rows ? rows * FIGURE_ROW_PX + 10 : 0;
    figure->width = frame.left + PLOT_PX + frame.right;
    figure->height = frame.top + llr + gap + list + frame.bottom;
    Text subtitle = {0};
    if (view->verdict && view->verdict->verdict)
        text_printf(&subtitle, "%s · ", view->verdict->verdict);
    text_append(&subtitle, "openings that the tuner never saw");
    figure_begin(figure, input, "Is it better?", text_cstr(&subtitle), frame);
    figure->head.failed |= subtitle.failed;
    text_release(&subtitle);
    Text *out = &figure->body;
    text_append(out, "set multiplot\n");
    evidence_data(view, &figure->data);
    Span span = matches_data(view, &figure->data);
    if (has_evidence) {
        panel_place(figure, frame, frame.top, LLR_PX, out);
        evidence_draw(view, out);
    }
    if (rows) {
        panel_place(figure, frame, frame.top + llr + gap, list, out);
        match_rows(view, out);
        matches_draw(span, out);
    }
    text_append(out, "unset multiplot\n");
}
