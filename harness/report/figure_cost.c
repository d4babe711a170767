// SPDX-License-Identifier: GPL-3.0-or-later
// Three pictures of cost: nodes against depth, the spread of times, and how well the ordering
// prunes.
#include "harness/report/figures.h"
#include "harness/report/number_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// An array of player indices with room for all; NULL when memory is out (kept in the figure).
static int *players_new(const ReportInput *input, Figure *figure) {
    int *players = calloc((size_t)input->summary.player_count + 1, sizeof *players);
    figure->data.failed |= !players;
    return players;
}

// Labels of a logarithmic axis: 1, 10, 100, 1 k, 10 k, ... from 10^lo to 10^hi.
static void decade_tics(Text *out, const char *axis, int lo, int hi, NumberText (*label)(double)) {
    text_printf(out, "set %stics (", axis);
    for (int i = lo; i <= hi; i++) {
        text_append(out, i > lo ? ", " : "");
        figure_append_tic(out, label(pow(10.0, i)).text);
        text_printf(out, " 1e%d", i);
    }
    text_append(out, ")\n");
}

// The decade tick label of a time: "1 µs", "100 ms", "10 s".
// Powers of ten only, so that no decimals are needed.
static NumberText time_label(double time_us) {
    NumberText out;
    if (time_us < 1e3)
        snprintf(out.text, sizeof out.text, "%.0f µs", time_us);
    else if (time_us < 1e6)
        snprintf(out.text, sizeof out.text, "%.0f ms", time_us / 1e3);
    else
        snprintf(out.text, sizeof out.text, "%.0f s", time_us / 1e6);
    return out;
}

static NumberText count_label(double value) {
    static const char *const SUFFIXES[] = {"", " k", " M", " G", " T", " P"};
    NumberText out;
    int step = 0;
    for (; value >= 1000.0 && step < 5; step++)
        value /= 1000.0;
    snprintf(out.text, sizeof out.text, "%.0f%s", value, SUFFIXES[step]);
    return out;
}

// --- nodes against depth
// --------------------------------------------------------------------------------------------

// A median of two moves is one of the two.
enum { SHOWN_MOVES_MIN = 3 };  // moves at a depth that make a point
enum { BARS_PLAYERS_MAX = 4 }; // more players' bars would hide each other

static bool has_depths(const PlayerSummary *player) {
    for (int depth = 1; player->depth && depth <= DEPTH_MAX; depth++)
        if (player->depth[depth].node_spread.count >= SHOWN_MOVES_MIN)
            return true;
    return false;
}

// One block a player, two empty lines between them: depth, median, p95, max, moves.
typedef struct DepthRange {
    int first, last;  // depths
    double low, high; // nodes
} DepthRange;

static DepthRange depth_data(const ReportInput *input, const int *players, int count,
                             Figure *figure) {
    DepthRange range = {DEPTH_MAX, 0, 1e18, 1.0};
    text_append(&figure->data, "# depth median p95 max moves; a block a player\n");
    for (int i = 0; i < count; i++) {
        const PlayerSummary *player = &input->summary.players[players[i]];
        Text name = {0};
        number_text_clean(&name, player->name);
        text_printf(&figure->data, "%s# %s\n", i ? "\n\n" : "", text_cstr(&name));
        text_release(&name);
        for (int depth = 1; depth <= DEPTH_MAX; depth++) {
            const StoreSpread *nodes = &player->depth[depth].node_spread;
            if (nodes->count < SHOWN_MOVES_MIN)
                continue;
            double median = fmax((double)nodes->median, 1.0), p95 = fmax((double)nodes->p95, 1.0);
            text_printf(&figure->data, "%d %.0f %.0f %lld %lld\n", depth, median, p95,
                        (long long)nodes->max, (long long)nodes->count);
            range.first = depth < range.first ? depth : range.first;
            range.last = depth > range.last ? depth : range.last;
            // The bars go up only: below the median the picture would show easy moves, which nobody
            // asks about.
            range.low = fmin(range.low, median);
            range.high = fmax(range.high, p95);
        }
    }
    return range;
}

// A dotted line through the medians of players that differ in depth only: the price of one more
// ply. One block each after those of the players; returns how many.
static int family_lines(const ReportInput *input, const int *players, int count, Figure *figure) {
    const PlayerSummary *all = input->summary.players;
    int blocks = 0;
    for (int i = 0; i < count; i++) {
        // Drawn by the first member of a family, so that each has one line.
        const char *family = all[players[i]].family;
        bool is_first = family[0] != '\0';
        int members = 0;
        for (int j = 0; j < count && is_first; j++) {
            bool same = strcmp(all[players[j]].family, family) == 0;
            is_first = !same || j >= i;
            members += same;
        }
        if (!is_first || members < 2)
            continue;
        blocks++;
        text_append(&figure->data, "\n\n# players that differ in depth only\n");
        for (int depth = 1; depth <= DEPTH_MAX; depth++)
            for (int j = 0; j < count; j++) {
                const StoreSpread *nodes = &all[players[j]].depth[depth].node_spread;
                if (nodes->count >= SHOWN_MOVES_MIN && strcmp(all[players[j]].family, family) == 0)
                    text_printf(&figure->data, "%d %.0f\n", depth,
                                fmax((double)nodes->median, 1.0));
            }
    }
    return blocks;
}

// The curve of a player, block `index` of the data; `shift` in plies.
static void depth_curve(const ReportInput *input, int player, int index, double shift,
                        bool with_bars, Figure *figure) {
    int rank = figure_rank(input, player);
    if (with_bars)
        text_printf(&figure->body,
                    "data index %d using ($1+%.4f):2:(0):($3-$2) with vectors nohead linewidth "
                    "2 linecolor rgb '%s' notitle, \\\n  ",
                    index, shift, figure_colour(rank));
    text_printf(&figure->body,
                "data index %d using ($1+%.4f):2 with linespoints linewidth 2 pointtype %d "
                "pointsize 1.4 linecolor rgb '%s' title ",
                index, shift, figure_point_type(rank), figure_colour(rank));
    figure_append_string(&figure->body, input->summary.players[player].short_name);
}

void figure_make_nodes_by_depth(const ReportInput *input, Figure *figure) {
    int *players = players_new(input, figure);
    int count = players ? figure_players(input, has_depths, players) : 0;
    if (count == 0) {
        snprintf(figure->skipped, sizeof figure->skipped,
                 "no moves with depth and nodes are stored");
        free(players);
        return;
    }
    DepthRange range = depth_data(input, players, count, figure);
    int key_px = 56 + figure_longest_name_px(&input->summary, players, count);
    bool with_bars = count <= BARS_PLAYERS_MAX;
    FigureFrame frame = {112, key_px + 24, FIGURE_TOP_PX, 78};
    figure->width = frame.left + 640 + frame.right;
    // A row of the key is 31 pixels high; gnuplot puts what does not fit beside it, out of sight.
    figure->height = count > 11 ? frame.top + frame.bottom + 32 * count : 560;
    figure_begin(figure, input, "Nodes of a move against depth",
                 with_bars ? "points: median · bars: up to 95 % of the moves"
                           : "median of the moves",
                 frame);
    int low = (int)floor(log10(range.low)), high = (int)ceil(log10(range.high) + 0.02);
    // One depth alone would be an axis of no width.
    double side = range.first == range.last ? 1.0 : 0.5;
    text_printf(&figure->head,
                "set logscale y\nset yrange [0.8e%d:1.25e%d]\nset xrange [%.2f:%.2f]\n", low, high,
                range.first - side, range.last + side);
    decade_tics(&figure->head, "y", low, high, count_label);
    text_printf(&figure->head,
                "set xtics %d\nset grid ytics linetype 1 linecolor rgb '#e4e4e4' linewidth 1\n"
                "set xlabel 'depth reached, plies' offset 0, -0.2 textcolor rgb '#404040'\n"
                "set ylabel 'nodes of a move' textcolor rgb '#404040'\n"
                "set key at screen %.5f, %.5f left top Left reverse samplen 1.4 spacing 1.5\n",
                range.last - range.first > 12 ? 2 : 1, 1.0 - (key_px + 10.0) / figure->width,
                1.0 - (frame.top - 6.0) / figure->height);
    text_append(&figure->body, "plot ");
    int families = family_lines(input, players, count, figure);
    for (int i = 0; i < families; i++)
        text_printf(&figure->body,
                    "data index %d using 1:2 with lines dashtype '.' linewidth 1.5 linecolor rgb "
                    "'#909090' notitle, \\\n  ",
                    count + i);
    for (int i = 0; i < count; i++) {
        // Side by side, a twentieth of a ply apart: bars on top of each other look like one.
        double shift = with_bars ? (i - (count - 1) / 2.0) * 0.05 : 0.0;
        text_append(&figure->body, i ? ", \\\n  " : "");
        depth_curve(input, players[i], i, shift, with_bars, figure);
    }
    text_append(&figure->body, "\n");
    free(players);
}

// --- time per move
// --------------------------------------------------------------------------------------------------

static bool has_times(const PlayerSummary *player) { return player->cost.time_us_spread.count > 0; }

// The time at the left edge of a bin; zeros are drawn at 1 µs.
static double bin_time(int bin) {
    // A logarithm has no 0; times are whole microseconds, so 1 is the least that can be seen.
    return bin <= 1 ? 1.0 : pow(10.0, (bin - 1) / (double)STORE_BINS_PER_DECADE);
}

// A block a player: the outline of its distribution on a log scale, tallest bin 1; then one block
// of medians.
static void time_data(const ReportInput *input, const int *players, int count, Figure *figure) {
    text_append(&figure->data, "# a block a player: time_us share of the tallest bin; last block: "
                               "row median p95 max \"label\"\n");
    for (int i = 0; i < count; i++) {
        const StoreSpread *times = &input->summary.players[players[i]].cost.time_us_spread;
        int64_t tallest = 1;
        int first = STORE_BINS, last = 0;
        for (int b = 0; b < STORE_BINS; b++)
            if (times->bins[b] > 0) {
                tallest = times->bins[b] > tallest ? times->bins[b] : tallest;
                first = b < first ? b : first;
                last = b;
            }
        // The outline begins and ends on the base line, or the filled curve would close askew.
        text_printf(&figure->data, "%.6g 0 %d\n", bin_time(first), i + 1);
        for (int b = first; b <= last; b++) {
            double share = (double)times->bins[b] / (double)tallest;
            text_printf(&figure->data, "%.6g %.5f %d\n%.6g %.5f %d\n", bin_time(b), share, i + 1,
                        bin_time(b + 1), share, i + 1);
        }
        text_printf(&figure->data, "%.6g 0 %d\n\n\n", bin_time(last + 1), i + 1);
    }
    for (int i = 0; i < count; i++) {
        const StoreSpread *times = &input->summary.players[players[i]].cost.time_us_spread;
        text_printf(&figure->data, "%d %.0f %.0f %.0f \"%s / %s\"\n", i + 1,
                    fmax((double)times->median, 1.0), fmax((double)times->p95, 1.0),
                    fmax((double)times->max, 1.0), number_time_us((double)times->median).text,
                    number_time_us((double)times->p95).text);
    }
}

// Outlines and not bars of a mean: two programs of one mean may spend it evenly or in bursts.
void figure_make_time_per_move(const ReportInput *input, Figure *figure) {
    int *players = players_new(input, figure);
    int count = players ? figure_players(input, has_times, players) : 0;
    if (count == 0) {
        snprintf(figure->skipped, sizeof figure->skipped, "no times of moves are stored");
        free(players);
        return;
    }
    double lowest = 1e18, highest = 1.0;
    for (int i = 0; i < count; i++) {
        const StoreSpread *times = &input->summary.players[players[i]].cost.time_us_spread;
        for (int b = 0; b < STORE_BINS; b++)
            if (times->bins[b] > 0) {
                lowest = fmin(lowest, bin_time(b));
                highest = fmax(highest, bin_time(b + 1));
            }
    }
    time_data(input, players, count, figure);
    FigureFrame frame = {40 + figure_longest_name_px(&input->summary, players, count), 200,
                         FIGURE_TOP_PX + 20, 78};
    int row_px = count <= 4 ? 74 : 54;
    figure->width = frame.left + frame.right + 640;
    figure->height = frame.top + frame.bottom + count * row_px;
    figure_begin(figure, input, "Time of a move",
                 "distribution over all moves, each scaled to its tallest bin", frame);
    // Whole decades: a logarithmic axis that begins anywhere has no labels to read it by.
    int low = (int)floor(log10(lowest)), high = (int)ceil(log10(highest) - 1e-9);
    figure_name_rows(figure, &input->summary, players, count);
    text_printf(&figure->head,
                "set yrange [%d.35:0.1]\nset logscale x\nset xrange [0.97e%d:1e%d]\n", count, low,
                high > low ? high : low + 1);
    decade_tics(&figure->head, "x", low, high, time_label);
    text_append(&figure->head,
                "set xlabel 'time of a move' offset 0, -0.2 textcolor rgb '#404040'\n"
                "set label 3 'median / 95 %' at graph 1, graph 1 left offset 1.5, 0.6 font "
                "FONT.',11' textcolor rgb '#606060'\n");
    text_append(&figure->body, "plot ");
    for (int i = 0; i < count; i++)
        text_printf(&figure->body,
                    "%s index %d using 1:($3+0.22):($3+0.22-0.8*$2) with filledcurves fillstyle "
                    "solid 0.75 noborder linecolor rgb '%s', \\\n  ",
                    i ? "''" : "data", i, figure_colour(figure_rank(input, players[i])));
    text_printf(
        &figure->body,
        "'' index %d using 2:($1-0.58):(0):(0.8) with vectors nohead linewidth 2.5 linecolor rgb "
        "'#202020', \\\n"
        "  '' index %d using 3:($1+0.04):(0):(0.18) with vectors nohead linewidth 2 linecolor rgb "
        "'#202020', \\\n"
        "  '' index %d using (1e%d):1:5 with labels left offset 1.5, 0 textcolor rgb '#202020'\n",
        count, count, count, high > low ? high : low + 1);
    free(players);
}

// --- prune rates
// ----------------------------------------------------------------------------------------------------

typedef struct PrunePanel {
    const char *title;
    StatValue (*value)(const ReportSummary *summary, int player);
} PrunePanel;

static StatValue panel_per_node(const ReportSummary *summary, int player) {
    return cost_cutoffs_per_node(&summary->players[player].cost);
}

static StatValue panel_per_interior(const ReportSummary *summary, int player) {
    return cost_cutoffs_per_interior_node(&summary->players[player].cost);
}

static StatValue panel_first_move(const ReportSummary *summary, int player) {
    return cost_first_move_cutoff_rate(&summary->players[player].cost);
}

static const PrunePanel PANELS[] = {
    {"cutoffs per node", panel_per_node},
    {"cutoffs per interior node", panel_per_interior},
    {"first-move cutoff rate", panel_first_move},
    {"node saving against minimax", summary_node_saving},
};
enum { PANEL_NB = 4 };

static bool has_counters(const PlayerSummary *player) { return player->cost.counted_moves > 0; }

// Node saving needs a minimax player; a panel of dashes would say less than none.
static bool panel_has_values(const PrunePanel *panel, const ReportSummary *summary,
                             const int *players, int count) {
    for (int i = 0; i < count; i++)
        if (stat_exists(panel->value(summary, players[i])))
            return true;
    return false;
}

// A block a panel: row share "label".
static void panel_data(const PrunePanel *panel, const ReportSummary *summary, const int *players,
                       int count, Text *data) {
    text_printf(data, "# %s\n", panel->title);
    for (int i = 0; i < count; i++) {
        StatValue value = panel->value(summary, players[i]);
        if (stat_exists(value))
            // A search that visits more than minimax has a saving below 0: its bar ends at the
            // axis, its label says it.
            text_printf(data, "%d %.6f \"%s\"\n", i + 1, fmax(value.value, 0.0),
                        number_percent(value.value).text);
        else
            text_printf(data, "%d 0 \"–\"\n", i + 1);
    }
    text_append(data, "\n\n");
}

// Panels side by side on one scale of 0 to 100 %: the three rates are mistaken for each other, and
// here they stand beside each other.
void figure_make_prune_rate(const ReportInput *input, Figure *figure) {
    int *players = players_new(input, figure);
    int count = players ? figure_players(input, has_counters, players) : 0;
    if (count == 0) {
        snprintf(figure->skipped, sizeof figure->skipped, "no counters of cutoffs are stored");
        free(players);
        return;
    }
    const PrunePanel *panels[PANEL_NB];
    int panel_count = 0;
    for (int i = 0; i < PANEL_NB; i++)
        if (panel_has_values(&PANELS[i], &input->summary, players, count))
            panels[panel_count++] = &PANELS[i];
    int panel_px = 270, gap_px = 36;
    FigureFrame frame = {40 + figure_longest_name_px(&input->summary, players, count), 40,
                         FIGURE_TOP_PX + 34, 60};
    int shown = panel_count ? panel_count : 1;
    figure->width = frame.left + shown * (panel_px + gap_px) + frame.right;
    figure->height = frame.top + frame.bottom + count * FIGURE_ROW_PX;
    figure_begin(figure, input, "How well the search prunes", "", frame);
    text_append(&figure->head,
                "set xrange [0:1.25]\nset xtics scale 0 ('0 %%' 0, '50 %%' 0.5, '100 %%' 1)\n");
    figure_name_rows(figure, &input->summary, players, count);
    text_append(&figure->body, "set multiplot\n");
    for (int p = 0; p < panel_count; p++) {
        panel_data(panels[p], &input->summary, players, count, &figure->data);
        double left = frame.left + p * (panel_px + gap_px);
        text_printf(&figure->body, "set lmargin at screen %.5f\nset rmargin at screen %.5f\n",
                    left / figure->width, (left + panel_px) / figure->width);
        text_printf(
            &figure->body,
            "%sset label 4 '%s' at graph 0, graph 1 left offset 0, 1.1 textcolor rgb '#202020'\n",
            p == 1 ? "unset label 1\nunset label 2\nunset ytics\n" : "", panels[p]->title);
        text_printf(&figure->body,
                    "plot data index %d using (0):1:(0):2:($1-0.34):($1+0.34) with boxxyerror "
                    "fillstyle solid 1 noborder linecolor rgb '%s', \\\n"
                    "  '' index %d using 2:1:3 with labels left offset 0.5, 0 font FONT.',11' "
                    "textcolor rgb '#202020'\n",
                    p, figure_colour(p), p);
    }
    text_append(&figure->body, "unset multiplot\n");
    free(players);
}
