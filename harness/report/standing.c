// SPDX-License-Identifier: GPL-3.0-or-later
// Standings: the numbers of a player against everybody it met, and their order.
#include "harness/report/standing.h"

#include "harness/stats/rating_advice.h"

#include <math.h>
#include <stdlib.h>

// More games inside pairs than outside: the rest are the loose ends of an interrupted run.
// Otherwise the games were never meant as pairs (an import), and pairs among them are chance.
MatchStats standing_match(const PairCounts *pairs, const WdlCounts *single) {
    bool only_pairs = 2 * pair_counts_total(pairs) > wdl_counts_total(single);
    return match_stats_compute(pairs, only_pairs ? NULL : single, only_pairs ? BY_PAIRS : BY_GAMES);
}

// Everything but Elo. False when the player has no games.
// Players without games have no row: a name alone says nothing.
static bool standing_count(const ReportSummary *summary, int index, Standing *out) {
    const PlayerSummary *player = &summary->players[index];
    WdlCounts total = wdl_counts_sum(player->as_black, player->as_white);
    int64_t games = wdl_counts_total(&total);
    if (games == 0)
        return false;
    double points = (double)total.wins + 0.5 * (double)total.draws;
    *out = (Standing){.player = index,
                      .games = games,
                      .total = total,
                      .score = stat_value(points / (double)games),
                      .elo = stat_missing("no rating"),
                      .interval = {stat_missing("no rating"), stat_missing("no rating")},
                      .los = stat_missing("no rating"),
                      .pairs = pair_counts_total(&player->pairs),
                      .table = 1};
    return true;
}

static int standing_compare(const void *a, const void *b) {
    const Standing *x = a, *y = b;
    if (x->score.value != y->score.value)
        return x->score.value < y->score.value ? 1 : -1;
    return x->player - y->player;
}

// --- two players
// ----------------------------------------------------------------------------------------------------

// The second player's numbers are the first one's with signs changed, and computed all the same:
// each from its own counts.
static void match_fill(const ReportSummary *summary, Standings *out) {
    for (int i = 0; i < out->count; i++) {
        Standing *row = &out->rows[i];
        const PlayerSummary *player = &summary->players[row->player];
        MatchStats match = standing_match(&player->pairs, &player->single);
        row->elo = match.elo;
        row->interval = match.interval;
        row->los = match.los;
    }
    qsort(out->rows, (size_t)out->count, sizeof *out->rows, standing_compare);
    if (out->count > 0) {
        const PlayerSummary *first = &summary->players[out->rows[0].player];
        out->match = standing_match(&first->pairs, &first->single);
    }
}

// --- pools
// ----------------------------------------------------------------------------------------------------------

typedef struct PoolArrays {
    RatingCount *counts; // owned
    RatingPairs *pairs;  // owned
    const char **names;  // owned
    int *number;         // owned; player of the summary -> player of the pool, -1 none
    size_t count_nb, pair_nb;
} PoolArrays;

static void arrays_release(PoolArrays *arrays) {
    free(arrays->counts);
    free(arrays->pairs);
    free(arrays->names);
    free(arrays->number);
}

// Every ordered pair is a count, every pairing that has pairs a table of their points: what the
// rating needs to cluster its errors.
static Status arrays_fill(const ReportSummary *summary, const Standings *standings, PoolArrays *out,
                          ErrorText *err) {
    size_t players = (size_t)standings->count, all = (size_t)summary->player_count;
    *out = (PoolArrays){.counts = calloc(players * players + 1, sizeof *out->counts),
                        .pairs = calloc(players * players + 1, sizeof *out->pairs),
                        .names = calloc(players + 1, sizeof *out->names),
                        .number = calloc(all + 1, sizeof *out->number)};
    if (!out->counts || !out->pairs || !out->names || !out->number)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    for (int a = 0; a < standings->count; a++) {
        out->names[a] = summary->players[standings->rows[a].player].name;
        for (int b = 0; b < standings->count; b++) {
            const PairingSummary *pairing =
                summary_pairing(summary, standings->rows[a].player, standings->rows[b].player);
            const WdlCounts *first = &pairing->first;
            if (a != b && wdl_counts_total(first) > 0)
                out->counts[out->count_nb++] = (RatingCount){
                    a, b, (double)first->wins, (double)first->draws, (double)first->losses};
            if (a < b && pair_counts_total(&pairing->pairs) > 0) {
                RatingPairs *pairs = &out->pairs[out->pair_nb++];
                *pairs = (RatingPairs){.a = a, .b = b};
                for (int i = 0; i < 9; i++)
                    pairs->n[i / 3][i % 3] = (double)pairing->pair_points[i / 3][i % 3];
            }
        }
    }
    return STATUS_OK;
}

// Phi(elo / se): likelihood that a rating lies above the mean it is measured against.
static StatValue los_above_mean(const RatedPlayer *rated) {
    if (rated->bound != BOUND_NONE || !stat_exists(rated->elo) || !stat_exists(rated->se) ||
        rated->se.value <= 0.0)
        return stat_missing("no error of the rating");
    return stat_value(0.5 * erfc(-rated->elo.value / rated->se.value / sqrt(2.0)));
}

// A bound is no Elo: it goes into the end of the interval that it is.
static void rated_fill(Standing *row, const RatedPlayer *rated) {
    row->table = rated->table;
    row->los = los_above_mean(rated);
    if (rated->bound == BOUND_NONE) {
        row->elo = rated->elo;
        row->interval = (EloInterval){rated->lo, rated->hi};
        return;
    }
    static const char REASON[] = "a perfect score gives a bound only";
    row->elo = stat_missing(REASON);
    row->interval.lo = rated->bound == BOUND_ABOVE ? rated->elo : stat_missing(REASON);
    row->interval.hi = rated->bound == BOUND_BELOW ? rated->elo : stat_missing(REASON);
}

// Puts the rows into the order of the rating.
static Status rows_reorder(Standings *standings, const Rating *rating, ErrorText *err) {
    Standing *rows = calloc((size_t)standings->count, sizeof *rows);
    if (!rows)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    for (int i = 0; i < standings->count; i++)
        rows[i] = standings->rows[rating->order[i]];
    free(standings->rows);
    standings->rows = rows;
    return STATUS_OK;
}

// The same options as `gomolab rate` has by default, so that the two print the same numbers.
static Status pool_fill(const ReportSummary *summary, Standings *out, ErrorText *err) {
    PoolArrays arrays;
    Rating rating = {0};
    Status status = arrays_fill(summary, out, &arrays, err);
    RatingInput input = {out->count,
                         arrays.names,
                         arrays.counts,
                         arrays.count_nb,
                         arrays.pair_nb ? arrays.pairs : NULL,
                         arrays.pair_nb};
    RatingOptions options = rating_options_default();
    if (status == STATUS_OK)
        status = rating_compute(&input, &options, &rating, err);
    if (status == STATUS_OK) {
        for (int i = 0; i < out->count; i++)
            rated_fill(&out->rows[i], &rating.player[i]);
        out->tables = rating.table_nb;
        int main_group = rating_main_group(&rating);
        StatValue none = stat_missing("nobody took points from each other both ways");
        out->advantage = main_group < 0 ? none : rating.group[main_group].advantage;
        out->advantage_se = main_group < 0 ? none : rating.group[main_group].advantage_se;
        status = rating_warnings(&input, &options, &rating, &out->warnings, err);
        if (status == STATUS_OK)
            status = rows_reorder(out, &rating, err);
        rating_release(&rating);
    }
    arrays_release(&arrays);
    return status;
}

Status standings_compute(const ReportSummary *summary, Standings *out, ErrorText *err) {
    *out = (Standings){.rows = calloc((size_t)summary->player_count + 1, sizeof *out->rows),
                       .tables = 1};
    out->advantage = out->advantage_se = stat_missing("not a pool");
    if (!out->rows)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    for (int i = 0; i < summary->player_count; i++)
        out->count += standing_count(summary, i, &out->rows[out->count]);
    out->is_pool = out->count > 2;
    if (out->is_pool)
        return pool_fill(summary, out, err);
    match_fill(summary, out);
    return STATUS_OK;
}

void standings_release(Standings *standings) {
    free(standings->rows);
    text_release(&standings->warnings);
    *standings = (Standings){0};
}
