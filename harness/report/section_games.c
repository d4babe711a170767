// SPDX-License-Identifier: GPL-3.0-or-later
// Sections about games: balance of the openings, how games ended, and failures of players.
#include "engine/base/check.h"
#include "harness/report/section.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHOWN_OPENINGS_MAX = 20 };         // rows for people
enum { LOPSIDED_PAIRS_MIN = 2 };          // pairs before an opening is called lopsided
static const double IDLE_CPU_SHOWN = 0.1; // of a core, while not on move: worth a word
static const double LOPSIDED = 0.85;      // share of either side from which it is: about 300 Elo

// --- openings
// -------------------------------------------------------------------------------------------------------

enum {
    OB_OPENING,
    OB_MOVES,
    OB_FIRST,
    OB_GAMES,
    OB_BLACK_WINS,
    OB_DRAWS,
    OB_WHITE_WINS,
    OB_BLACK_PERCENT,
    OB_FIRST_PERCENT,
    OB_PAIRS,
    OB_SWEPT,
    OB_PLIES
};

static const TableColumn OPENING_COLUMNS[] = {
    [OB_OPENING] = {"opening", COLUMN_INT, 0, NULL},
    [OB_MOVES] = {"moves", COLUMN_TEXT, 0, NULL},
    [OB_FIRST] = {"first", COLUMN_TEXT, 0, NULL},
    [OB_GAMES] = {"games", COLUMN_INT, 0, NULL},
    [OB_BLACK_WINS] = {"black_wins", COLUMN_INT, 0, NULL},
    [OB_DRAWS] = {"draws", COLUMN_INT, 0, NULL},
    [OB_WHITE_WINS] = {"white_wins", COLUMN_INT, 0, NULL},
    [OB_BLACK_PERCENT] = {"black_percent", COLUMN_REAL, 2, NULL},
    [OB_FIRST_PERCENT] = {"first_percent", COLUMN_REAL, 2, NULL},
    [OB_PAIRS] = {"pairs", COLUMN_INT, 0, NULL},
    [OB_SWEPT] = {"pairs_first_won_both", COLUMN_INT, 0, NULL},
    [OB_PLIES] = {"plies_mean", COLUMN_REAL, 1, NULL},
};

// Results of black and shares of the first mover stand side by side: for odd openings they are
// different players.
static void opening_row(const OpeningSummary *opening, Table *table) {
    int64_t games = wdl_counts_total(&opening->black);
    table_row(table);
    table_set_int(table, OB_OPENING, opening->opening);
    table_set_text(table, OB_MOVES, opening->moves);
    table_set_text(table, OB_FIRST, opening->first_mover == BLACK ? "B" : "W");
    table_set_int(table, OB_GAMES, games);
    table_set_int(table, OB_BLACK_WINS, opening->black.wins);
    table_set_int(table, OB_DRAWS, opening->black.draws);
    table_set_int(table, OB_WHITE_WINS, opening->black.losses);
    table_set_real(table, OB_BLACK_PERCENT, wdl_percent(opening->black));
    table_set_real(table, OB_FIRST_PERCENT, wdl_percent(opening->first));
    table_set_int(table, OB_PAIRS, opening->pairs);
    table_set_int(table, OB_SWEPT, opening->swept);
    section_set_ratio(table, OB_PLIES, (double)opening->plies, (double)games);
}

// Indices of the openings, sorted; free(). NULL when memory is out.
// Pointers are sorted, since qsort passes no context; indices are what the callers want.
static int *openings_sorted(const ReportInput *input, int (*compare)(const void *, const void *)) {
    // One more: calloc of nothing may give NULL, which here means no memory.
    int count = input->summary.opening_count;
    const OpeningSummary **order = calloc((size_t)count + 1, sizeof *order);
    int *out = calloc((size_t)count + 1, sizeof *out);
    for (int i = 0; order && i < count; i++)
        order[i] = &input->summary.openings[i];
    if (order && out) {
        qsort(order, (size_t)count, sizeof *order, compare);
        for (int i = 0; i < count; i++)
            out[i] = (int)(order[i] - input->summary.openings);
    } else {
        free(out);
        out = NULL;
    }
    free(order);
    return out;
}

// By experiment first: two experiments may number different openings alike.
static int compare_number(const void *a, const void *b) {
    const OpeningSummary *x = *(const OpeningSummary *const *)a,
                         *y = *(const OpeningSummary *const *)b;
    if (x->source != y->source)
        return x->source - y->source;
    return (x->opening > y->opening) - (x->opening < y->opening);
}

// Least balanced first.
static int compare_balance(const void *a, const void *b) {
    const OpeningSummary *x = *(const OpeningSummary *const *)a,
                         *y = *(const OpeningSummary *const *)b;
    double off_x = fabs(wdl_share(x->first) - 0.5), off_y = fabs(wdl_share(y->first) - 0.5);
    if (off_x != off_y)
        return off_x < off_y ? 1 : -1;
    // With equal shares the one with more games: it is the surer finding.
    int64_t games_x = wdl_counts_total(&x->first), games_y = wdl_counts_total(&y->first);
    if (games_x != games_y)
        return games_x < games_y ? 1 : -1;
    // qsort is not stable: without a last word, rows would stand in another order with another C
    // library.
    return compare_number(a, b);
}

static void openings_fill(const ReportInput *input, Table *table) {
    int *order = openings_sorted(input, compare_number);
    for (int i = 0; order && i < input->summary.opening_count; i++)
        opening_row(&input->summary.openings[order[i]], table);
    free(order);
}

static const TableColumn OPENING_SHOWN[] = {
    {"opening", COLUMN_RIGHT, 0, NULL},       {"games", COLUMN_RIGHT, 0, NULL},
    {"wdl", COLUMN_RIGHT, 0, "black W-D-L"},  {"black", COLUMN_RIGHT, 0, "black"},
    {"mover", COLUMN_TEXT, 0, "first mover"}, {"first", COLUMN_RIGHT, 0, "its share"},
    {"plies", COLUMN_RIGHT, 0, "mean plies"}, {"moves", COLUMN_TEXT, 0, NULL},
};

static void openings_fill_people(const ReportInput *input, Table *table) {
    int *order = openings_sorted(input, compare_balance);
    for (int i = 0; order && i < input->summary.opening_count && i < SHOWN_OPENINGS_MAX; i++) {
        const OpeningSummary *opening = &input->summary.openings[order[i]];
        int64_t games = wdl_counts_total(&opening->black);
        char number[24];
        Text moves = {0};
        // Long openings would push the table off the screen; programs get them whole.
        number_text_cut(&moves, opening->moves ? opening->moves : "-", 32);
        table_row(table);
        snprintf(number, sizeof number, "%lld", (long long)opening->opening); // a name, no count
        table_set_text(table, 0, number);
        section_set_number(table, 1, number_count(games));
        section_set_number(table, 2, number_wdl(opening->black));
        section_set_number(table, 3, number_percent(wdl_share(opening->black)));
        table_set_text(table, 4, opening->first_mover == BLACK ? "black" : "white");
        section_set_number(table, 5, number_percent(wdl_share(opening->first)));
        section_set_number(table, 6, number_short((double)opening->plies / (double)games));
        table_set_text(table, 7, text_cstr(&moves));
        text_release(&moves);
    }
    free(order);
}

// The book as a whole, and how much of it costs games for nothing.
static void openings_notes(const ReportInput *input, Text *out) {
    const ReportSummary *summary = &input->summary;
    if (summary->opening_count == 0)
        return;
    if (summary->opening_count > SHOWN_OPENINGS_MAX)
        text_printf(out, "The %d least balanced of %s openings; --format csv lists all.\n",
                    SHOWN_OPENINGS_MAX, number_count(summary->opening_count).text);
    int64_t swept = 0, pairs = 0;
    int lopsided = 0;
    for (int i = 0; i < summary->opening_count; i++) {
        const OpeningSummary *opening = &summary->openings[i];
        double first = wdl_share(opening->first);
        swept += opening->swept;
        pairs += opening->pairs;
        lopsided +=
            // One pair split by colours says nothing about its opening yet.
            opening->pairs >= LOPSIDED_PAIRS_MIN && (first >= LOPSIDED || first <= 1.0 - LOPSIDED);
    }
    text_printf(out, "All openings: first mover %s of the points, black %s",
                number_percent(wdl_share(summary->first)).text,
                number_percent(wdl_share(summary->black)).text);
    if (pairs > 0)
        text_printf(out, "; in %s of %s whole pairs the side moving first won both games",
                    number_count(swept).text, number_count(pairs).text);
    text_append(out, ".\n");
    if (lopsided > 0)
        text_printf(out,
                    "%d %s so lopsided (%.0f %% or more for one side) that pairs on them say "
                    "little: they cost games.\n",
                    lopsided, lopsided == 1 ? "opening is" : "openings are", 100.0 * LOPSIDED);
}

static const SectionWord OPENING_WORDS[] = {
    {"first mover", "the side to move after the opening; its share mixes the opening's bias with "
                    "the players' strength unless both played both sides"},
    {"black",
     "the side that placed the first stone; with an odd opening it is not the first mover"},
};

const ReportSection SECTION_OPENING_BALANCE = {
    .name = "opening_balance",
    .title = "Balance of the openings",
    .programs = {OPENING_COLUMNS, ARRAY_LEN(OPENING_COLUMNS), openings_fill},
    .people = {OPENING_SHOWN, ARRAY_LEN(OPENING_SHOWN), openings_fill_people},
    .notes = openings_notes,
    .words = OPENING_WORDS,
    .word_count = ARRAY_LEN(OPENING_WORDS),
    .needs_openings = true,
};

// --- ends of games
// --------------------------------------------------------------------------------------------------

static const TableColumn END_COLUMNS[] = {
    {"reason", COLUMN_TEXT, 0, NULL},    {"games", COLUMN_INT, 0, NULL},
    {"black_wins", COLUMN_INT, 0, NULL}, {"white_wins", COLUMN_INT, 0, NULL},
    {"draws", COLUMN_INT, 0, NULL},      {"percent", COLUMN_REAL, 1, NULL},
};

// In the order of the enum: ends on the board first, then what was decided otherwise.
static void ends_fill(const ReportInput *input, Table *table) {
    for (int reason = 0; reason < REASON_NB; reason++) {
        const int64_t *results = input->summary.results_by_reason[reason];
        int64_t games = results[0] + results[1] + results[2];
        // Reasons that did not occur are left out here, unlike failures, where 0 is what one hopes
        // for.
        if (games == 0)
            continue;
        table_row(table);
        table_set_text(table, 0, game_reason_name((GameReason)reason));
        table_set_int(table, 1, games);
        for (int i = 0; i < 3; i++)
            table_set_int(table, 2 + i, results[i]);
        section_set_ratio(table, 5, 100.0 * (double)games, (double)input->summary.games);
    }
}

static const TableColumn END_SHOWN[] = {
    {"reason", COLUMN_TEXT, 0, NULL},
    {"games", COLUMN_RIGHT, 0, NULL},
    {"share", COLUMN_RIGHT, 0, NULL},
    {"black_wins", COLUMN_RIGHT, 0, "black won"},
    {"white_wins", COLUMN_RIGHT, 0, "white won"},
    {"draws", COLUMN_RIGHT, 0, "drawn"},
};

static void ends_fill_people(const ReportInput *input, Table *table) {
    for (int reason = 0; reason < REASON_NB; reason++) {
        const int64_t *results = input->summary.results_by_reason[reason];
        int64_t games = results[0] + results[1] + results[2];
        if (games == 0)
            continue;
        table_row(table);
        table_set_text(table, 0, game_reason_name((GameReason)reason));
        section_set_number(table, 1, number_count(games));
        section_set_number(table, 2, number_percent((double)games / (double)input->summary.games));
        for (int i = 0; i < 3; i++)
            section_set_number(table, 3 + i, number_count(results[i]));
    }
}

static void ends_notes(const ReportInput *input, Text *out) {
    if (input->summary.games > 0)
        text_printf(out, "Mean length: %s plies, opening included.\n",
                    number_short((double)input->summary.plies / (double)input->summary.games).text);
}

static const SectionWord END_WORDS[] = {
    {"reason", "why the game ended: five, overline, forbidden, board-full, resign, timeout, crash, "
               "illegal, adjudicated; the last "
               "five are decided by something else than stones on the board"},
};

const ReportSection SECTION_GAME_ENDS = {
    .name = "game_ends",
    .title = "How games ended",
    .programs = {END_COLUMNS, ARRAY_LEN(END_COLUMNS), ends_fill},
    .people = {END_SHOWN, ARRAY_LEN(END_SHOWN), ends_fill_people},
    .notes = ends_notes,
    .words = END_WORDS,
    .word_count = ARRAY_LEN(END_WORDS),
};

// --- failures
// -------------------------------------------------------------------------------------------------------

static const TableColumn FAILURE_COLUMNS[] = {
    {"player", COLUMN_TEXT, 0, NULL},           {"games", COLUMN_INT, 0, NULL},
    {"timeouts", COLUMN_INT, 0, NULL},          {"crashes", COLUMN_INT, 0, NULL},
    {"illegal", COLUMN_INT, 0, NULL},           {"timeouts_per_1000", COLUMN_REAL, 2, NULL},
    {"crashes_per_1000", COLUMN_REAL, 2, NULL}, {"illegal_per_1000", COLUMN_REAL, 2, NULL},
    {"dropped_lines", COLUMN_INT, 0, NULL},     {"idle_cpu_percent", COLUMN_REAL, 2, NULL},
};

// Losses that say more about the program than about its play.
static const GameReason FAILURES[] = {REASON_TIMEOUT, REASON_CRASH, REASON_ILLEGAL};

// All players with games, with zeros: a program that never failed is a fact too.
static void failures_fill(const ReportInput *input, Table *table) {
    for (int i = 0; i < input->standings.count; i++) {
        const Standing *row = &input->standings.rows[i];
        const PlayerSummary *player = &input->summary.players[row->player];
        table_row(table);
        table_set_text(table, 0, player->name);
        table_set_int(table, 1, row->games);
        for (int f = 0; f < 3; f++) {
            table_set_int(table, 2 + f, player->lost_by[FAILURES[f]]);
            section_set_ratio(table, 5 + f, 1000.0 * (double)player->lost_by[FAILURES[f]],
                              (double)row->games);
        }
        // Our own engine is not watched: missing, not 0.
        if (player->watch.games > 0) {
            table_set_int(table, 8, player->watch.dropped_lines);
            section_set_ratio(table, 9, 100.0 * (double)player->watch.idle_cpu_us,
                              (double)player->watch.idle_us);
        }
    }
}

static const TableColumn FAILURE_SHOWN[] = {
    {"player", COLUMN_TEXT, 0, NULL},
    {"games", COLUMN_RIGHT, 0, NULL},
    {"timeouts", COLUMN_RIGHT, 0, NULL},
    {"per1", COLUMN_RIGHT, 0, "per 1000"},
    {"crashes", COLUMN_RIGHT, 0, NULL},
    {"per2", COLUMN_RIGHT, 0, "per 1000"},
    {"illegal", COLUMN_RIGHT, 0, "illegal moves"},
    {"per3", COLUMN_RIGHT, 0, "per 1000"},
    {"dropped", COLUMN_RIGHT, 0, "dropped lines"},
    {"idle", COLUMN_RIGHT, 0, "idle CPU"},
};

static int64_t failures_of(const PlayerSummary *player) {
    return player->lost_by[REASON_TIMEOUT] + player->lost_by[REASON_CRASH] +
           player->lost_by[REASON_ILLEGAL];
}

// Did it talk or compute while it was not on move, so that people should know?
// Players without a fault are listed only for what may have disturbed the others' clocks.
static bool is_restless(const PlayerSummary *player) {
    const StoreWatch *watch = &player->watch;
    return watch->dropped_lines > 0 ||
           (double)watch->idle_cpu_us > IDLE_CPU_SHOWN * (double)watch->idle_us;
}

static void failures_fill_people(const ReportInput *input, Table *table) {
    for (int i = 0; i < input->standings.count; i++) {
        const Standing *row = &input->standings.rows[i];
        const PlayerSummary *player = &input->summary.players[row->player];
        if (failures_of(player) == 0 && !is_restless(player))
            continue;
        table_row(table);
        section_set_name(table, 0, player->short_name);
        section_set_number(table, 1, number_count(row->games));
        for (int f = 0; f < 3; f++) {
            int64_t count = player->lost_by[FAILURES[f]];
            section_set_number(table, 2 + 2 * f, number_count(count));
            section_set_number(table, 3 + 2 * f,
                               number_short(1000.0 * (double)count / (double)row->games));
        }
        if (player->watch.games > 0)
            section_set_number(table, 8, number_count(player->watch.dropped_lines));
        if (player->watch.idle_us > 0)
            section_set_number(
                table, 9,
                number_percent((double)player->watch.idle_cpu_us / (double)player->watch.idle_us));
    }
}

// Said where the number is seen, with the key that changes it.
static void failures_notes(const ReportInput *input, Text *out) {
    int64_t failures = 0;
    for (int i = 0; i < input->summary.player_count; i++)
        failures += failures_of(&input->summary.players[i]);
    if (failures == 0)
        text_append(out, "None: no game was lost by a timeout, a crash or an illegal move.\n");
    else
        text_append(out, "Games lost this way count as losses in every table above. Players "
                         "without any are not listed.\n");
    for (int i = 0; i < input->summary.player_count; i++) {
        const PlayerSummary *player = &input->summary.players[i];
        if (player->watch.idle_us > 0 &&
            (double)player->watch.idle_cpu_us > IDLE_CPU_SHOWN * (double)player->watch.idle_us)
            text_printf(out,
                        "%s computes while its opponent thinks: suspend: true keeps it from "
                        "that.\n",
                        player->name);
    }
}

static const SectionWord FAILURE_WORDS[] = {
    {"dropped lines", "what a program said while it was not on move and nobody had asked: not "
                      "taken for a move"},
    {"idle CPU", "CPU time that a program used while it was not on move, of that time; near 0 "
                 "unless it ponders or never sleeps"},
    {"per 1000", "failures in a thousand games of the player; a strong engine that fails often may "
                 "still be strong when it does not"},
};

const ReportSection SECTION_FAILURES = {
    .name = "failures",
    .title = "Timeouts, crashes, illegal moves",
    .programs = {FAILURE_COLUMNS, ARRAY_LEN(FAILURE_COLUMNS), failures_fill},
    .people = {FAILURE_SHOWN, ARRAY_LEN(FAILURE_SHOWN), failures_fill_people},
    .notes = failures_notes,
    .words = FAILURE_WORDS,
    .word_count = ARRAY_LEN(FAILURE_WORDS),
};
