// SPDX-License-Identifier: GPL-3.0-or-later
// Short standings, the verdict, the way to go on.
#include "harness/cli/run_report.h"

#include "engine/base/check.h"
#include "harness/cli/command.h"
#include "harness/play/forecast.h"
#include "harness/report/report_input.h"
#include "harness/report/table.h"
#include "harness/report/verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- standings
// ---------------------------------------------------------------------------------------

enum { PLAYER, GAMES, WINS, DRAWS, LOSSES, SCORE, ELO, ELO_LOW, ELO_HIGH };
static const TableColumn COLUMNS[] = {
    {"player", COLUMN_TEXT, 0, NULL},   {"games", COLUMN_INT, 0, NULL},
    {"wins", COLUMN_INT, 0, NULL},      {"draws", COLUMN_INT, 0, NULL},
    {"losses", COLUMN_INT, 0, NULL},    {"score", COLUMN_REAL, 1, "score %"},
    {"elo", COLUMN_REAL, 1, "Elo"},     {"elo_low", COLUMN_REAL, 1, "95 % from"},
    {"elo_high", COLUMN_REAL, 1, "to"},
};

static void set_value(Table *table, int column, StatValue value) {
    if (stat_exists(value))
        table_set_real(table, column, value.value);
}

static void add_standing(Table *table, const char *name, WdlCounts games) {
    int64_t count = wdl_counts_total(&games);
    table_row(table);
    table_set_text(table, PLAYER, name);
    table_set_int(table, GAMES, count);
    table_set_int(table, WINS, games.wins);
    table_set_int(table, DRAWS, games.draws);
    table_set_int(table, LOSSES, games.losses);
    if (count > 0)
        table_set_real(table, SCORE,
                       100.0 * ((double)games.wins + 0.5 * (double)games.draws) / (double)count);
}

// What the database says, with Elo as in `gomolab report`: of the match, or ratings of the pool
// (the Elo of a score against a whole field would depend on the field).
static void fill_from_database(const ReportInput *input, Table *table) {
    for (int i = 0; i < input->standings.count; i++) {
        const Standing *row = &input->standings.rows[i];
        add_standing(table, input->summary.players[row->player].name, row->total);
        set_value(table, ELO, row->elo);
        set_value(table, ELO_LOW, row->interval.lo);
        set_value(table, ELO_HIGH, row->interval.hi);
    }
}

// What was counted while the games came in, without Elo.
static void fill_from_tally(const Tally *tally, Table *table) {
    for (int i = 0; i < tally->plan->experiment->player_count; i++) {
        WdlCounts games;
        PairCounts pairs;
        tally_player(tally, i, &games, &pairs);
        add_standing(table, tally->plan->experiment->players[i].name, games);
    }
}

// `saved` is what the database holds, NULL when it cannot be read. Games that were played and could
// not be saved do not count.
static Status print_standings(const RunReport *report, const ReportInput *saved, ErrorText *err) {
    Table *table = table_new(COLUMNS, ARRAY_LEN(COLUMNS));
    if (!table)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    if (saved)
        fill_from_database(saved, table);
    else
        fill_from_tally(report->tally, table);
    Status status = table_print(table, TABLE_TEXT, stdout, err);
    if (saved && saved->standings.is_pool && !report->options->quiet)
        fputs("Elo: ratings of the pool, 0 = their mean, first-move advantage fitted with them\n",
              stderr);
    table_free(table);
    return status;
}

// --- the sequential test
// -----------------------------------------------------------------------------

// To standard output: the verdict is the result that a script waits for.
static int print_verdict(const SprtTest *test) {
    Text text = {0};
    verdict_write(test, &text);
    printf("sprt: %s", text_cstr(&text));
    text_release(&text);
    SprtState state = test->result.state;
    return state == SPRT_H1 ? EXIT_DONE : state == SPRT_H0 ? EXIT_H0 : EXIT_UNDECIDED;
}

// --- going on
// ----------------------------------------------------------------------------------------

// Quoted where a shell needs it: the line is there to be copied.
static void write_option(const char *name, const char *value, Text *out) {
    if (!value)
        return;
    text_printf(out, " %s", name);
    text_append(out, " ");
    text_append_word(out, value);
}

// The command that goes on with the run: the same without --fresh.
static void write_command(const RunOptions *options, Text *out) {
    text_append(out, "gomolab run");
    text_append(out, " ");
    text_append_word(out, options->experiment);
    write_option("--db", options->db, out);
    write_option("--seed", options->seed, out);
    write_option("--shard", options->shard, out);
    for (int i = 0; i < options->set.count; i++)
        write_option("--set", options->set.items[i], out);
    if (options->jobs > 0)
        text_printf(out, " --jobs %lld", (long long)options->jobs);
    if (options->games > 0)
        text_printf(out, " --games %lld", (long long)options->games);
    text_append(out, options->no_move_log ? " --no-move-log" : "");
    text_append(out, options->quiet ? " --quiet" : "");
}

static void print_way_on(const RunReport *report, const ReportInput *saved) {
    Text command = {0};
    int64_t games = saved ? saved->summary.games : report->tally->game_count;
    write_command(report->options, &command);
    // A full disk will be full again.
    const char *remedy = report->status == STATUS_IO ? "when that is mended, " : "";
    fprintf(stderr, "%lld game%s saved in %s; %sgo on with: %s\n", (long long)games,
            games == 1 ? " is" : "s are", report->path, remedy, text_cstr(&command));
    text_release(&command);
}

// Games that went alike say less than their number.
// Deterministic players repeat themselves from like openings, and error bars know nothing of it.
static void print_twins(const Tally *tally) {
    int64_t pairs = tally->base;
    if (tally->twins > 0)
        fprintf(stderr, "note: in %lld of %lld pairs both games went alike, move for move\n",
                (long long)tally->twins, (long long)pairs);
}

// Why a test that could have gone on for ever ended undecided: nothing else on the screen says it.
static void print_used_up(const Tally *tally) {
    const Plan *plan = tally->plan;
    // A plan that --games cut ended for that reason.
    if (tally_is_decided(tally) || !plan->ends_with_openings ||
        plan->slot_count < 2 * plan->pairs * plan->pairing_count)
        return;
    fprintf(stderr,
            "note: the openings are used up (%s, %lld distinct), and deterministic players would "
            "only repeat their games; use more openings, 'symmetries: true' or 'allow_duplicates: "
            "true'\n",
            plan_openings_name(plan), (long long)plan->distinct);
}

// Printed also when the run failed or was interrupted: what is saved is worth showing, and the way
// on is worth knowing. A verdict of the test decides the exit status only when the run went to its
// end.
int run_report(const RunReport *report) {
    ErrorText err = {0};
    ReportInput input = {0};
    ReportRequest request = {.paths = &report->path, .path_count = 1};
    // The database rather than the score in memory: what is printed is what is saved. If it cannot
    // be read (a full disk), the score will do.
    bool is_read = report_input_load(&request, &input, NULL) == STATUS_OK;
    const ReportInput *saved = is_read ? &input : NULL;
    int result = report->status ? exit_status(report->status) : EXIT_DONE;
    if (report->status && report->status != STATUS_STOPPED)
        command_fail(report->status, report->err);
    if (report->status)
        print_way_on(report, saved);
    if (!report->options->quiet)
        print_twins(report->tally);
    Status status = print_standings(report, saved, &err);
    report_input_release(&input);
    if (status)
        return command_fail(status, &err);
    if (report->tally->has_sprt) {
        int verdict = print_verdict(&report->tally->sprt);
        if (!report->status)
            print_used_up(report->tally);
        result = report->status ? result : verdict;
    }
    return result;
}

// --- before it begins
// --------------------------------------------------------------------------------

// Wall time of the probe games, in seconds.
static const double PROBE_S = 2.0;

static void print_forecast(const Forecast *forecast, int64_t games, int jobs) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    // More jobs than cores finish no more games in the same time.
    double workers = jobs < cores || cores < 1 ? jobs : (double)cores;
    double seconds = forecast->game_s * (double)games / workers;
    static const struct {
        double seconds;
        const char *name;
    } UNITS[] = {{86400, "days"}, {3600, "hours"}, {60, "minutes"}, {1, "seconds"}};
    size_t unit = 0;
    // From two units on, so that "90 minutes" is not "1.5 hours".
    while (unit + 1 < ARRAY_LEN(UNITS) && seconds < 2 * UNITS[unit].seconds)
        unit++;
    printf("estimated time: %s%.*f %s (%.3g s a game, from %lld probe game%s)\n",
           forecast->is_lower_bound ? "more than " : "", seconds / UNITS[unit].seconds < 10 ? 1 : 0,
           seconds / UNITS[unit].seconds, UNITS[unit].name, forecast->game_s,
           (long long)forecast->games, forecast->games == 1 ? "" : "s");
}

static void print_openings(const Plan *plan) {
    const Experiment *experiment = plan->experiment;
    if (plan->round_count == 0)
        printf("openings: random, %d plies\n", experiment->openings.random_plies);
    else if (!experiment->openings.file)
        printf("openings: the empty board\n");
    else
        printf("openings: %lld in %s, %lld distinct%s\n", (long long)plan->openings.count,
               experiment->openings.file_text, (long long)plan->distinct,
               experiment->symmetries ? " with their symmetries" : "");
}

Status run_describe(const Plan *plan, int jobs, int64_t past_games, ErrorText *err) {
    Forecast forecast = {0};
    int64_t games = plan_game_count(plan);
    bool is_endless = plan->experiment->pairs_until_sprt;
    int64_t left = games > past_games ? games - past_games : 0;
    printf("experiment: %s\nplayers: %d, pairings: %lld\n", plan->experiment->name,
           plan->experiment->player_count, (long long)plan->pairing_count);
    if (is_endless)
        printf("games: until the test is decided");
    if (is_endless && plan->ends_with_openings)
        printf(", at most %lld: the openings are used up then", (long long)games);
    if (!is_endless)
        printf("games: %lld", (long long)games);
    printf(" (%lld played already)\n", (long long)past_games);
    print_openings(plan);
    printf("duplicates: %lld\n", 2 * (long long)plan_duplicates(plan));
    Status status = left > 0 ? forecast_plan(plan, jobs, PROBE_S, &forecast, err) : STATUS_OK;
    if (status)
        return status;
    if (is_endless)
        printf("estimated time: %.3g s a game, until the test is decided\n", forecast.game_s);
    else
        print_forecast(&forecast, left, jobs);
    return STATUS_OK;
}
