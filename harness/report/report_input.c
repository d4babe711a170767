// SPDX-License-Identifier: GPL-3.0-or-later
// Reading databases for a report: every game once, and every move once if costs are asked for.
#include "harness/report/report_input.h"

#include "harness/report/number_text.h"
#include "harness/report/short_names.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// One database while it is read.
typedef struct Reading {
    const ReportRequest *request;
    ReportInput *input;
    Store *store;
    int source;      // index
    int group;       // the first source of the same experiment: its openings are the same
    int *player_map; // owned; player of the database -> player of the summary
} Reading;

static char *copy_or_null(const char *string) { return string ? strdup(string) : NULL; }

// "results/ladder.db" -> "ladder". The caller frees.
// What tells namesakes from different databases apart.
static char *label_of(const char *path) {
    const char *slash = strrchr(path, '/');
    char *label = strdup(slash ? slash + 1 : path);
    size_t length = label ? strlen(label) : 0;
    if (length > 3 && strcmp(label + length - 3, ".db") == 0)
        label[length - 3] = '\0';
    return label;
}

static Status source_add(Reading *reading, const char *path, ErrorText *err) {
    const StoreExperiment *experiment = store_experiment(reading->store);
    ReportSource *source = &reading->input->sources[reading->source];
    *source = (ReportSource){
        .path = copy_or_null(path),
        .label = label_of(path),
        .name = copy_or_null(experiment->name),
        .started_at = copy_or_null(experiment->started_at),
        .finished_at = copy_or_null(experiment->finished_at),
        .version = copy_or_null(experiment->version),
        .host = copy_or_null(experiment->host),
        .rule = experiment->rule,
        .width = experiment->width,
        .height = experiment->height,
        .k = experiment->k,
        .planned_games = experiment->planned_games,
        .sequential = sequential_init(experiment->identity),
    };
    reading->input->source_count = reading->source + 1;
    if (!source->path || !source->label || !source->name)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    const ReportSource *first = &reading->input->sources[0];
    reading->group = reading->source;
    // Shards of one experiment share a book: opening 17 of one is opening 17 of the other.
    for (int i = reading->source - 1; i >= 0; i--)
        if (strcmp(reading->input->sources[i].name, source->name) == 0)
            reading->group = i;
    if (source != first && (source->rule != first->rule || source->width != first->width ||
                            source->height != first->height))
        text_printf(&reading->input->warnings,
                    "%s and %s differ in rule or board size; their games are counted together\n",
                    first->path, path);
    return STATUS_OK;
}

// Players of several databases are one when name and settings agree; namesakes with other settings
// are told to the reader, who may have expected one row.
static Status players_read(Reading *reading, ErrorText *err) {
    int count = store_player_count(reading->store);
    reading->player_map = calloc((size_t)count + 1, sizeof *reading->player_map);
    if (!reading->player_map)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    ReportSummary *summary = &reading->input->summary;
    for (int i = 0; i < count; i++) {
        const StorePlayer *player = store_player(reading->store, i);
        PlayerRow row = {player->name, player->config,
                         reading->input->sources[reading->source].label};
        Status status = summary_add_player(summary, &row, &reading->player_map[i], err);
        if (status)
            return status;
        const char *name = summary->players[reading->player_map[i]].name;
        if (strcmp(name, player->name) != 0)
            text_printf(&reading->input->warnings,
                        "%s: player '%s' has other settings than its namesake; shown as '%s'\n",
                        reading->input->sources[reading->source].path, player->name, name);
    }
    ReportSource *source = &reading->input->sources[reading->source];
    source->sequential.is_asked &= count == 2; // a test is between two
    if (source->sequential.is_asked) {
        source->candidate = copy_or_null(summary->players[reading->player_map[0]].name);
        source->opponent = copy_or_null(summary->players[reading->player_map[1]].name);
    }
    return STATUS_OK;
}

static Status games_read(Reading *reading, ErrorText *err) {
    StoreCursor *cursor = NULL;
    Status status = store_games_open(reading->store, 0, &cursor, err);
    bool found = status == STATUS_OK;
    while (found) {
        StoreGame game;
        status = store_games_next(cursor, &game, &found, err);
        if (status || !found)
            break;
        // Before the players are renumbered: the test knows the players of its own database, 0 and
        // 1.
        sequential_add_game(&reading->input->sources[reading->source].sequential, &game);
        game.black = reading->player_map[game.black];
        game.white = reading->player_map[game.white];
        status = summary_add_game(&reading->input->summary, reading->group, &game, err);
        if (status)
            break;
        reading->input->sources[reading->source].games++;
    }
    // A pair never reaches over the end of a database.
    summary_end_source(&reading->input->summary);
    store_cursor_close(cursor);
    return status;
}

static Status watches_read(Reading *reading, ErrorText *err) {
    // Added up over databases; what is divided by what is decided where it is shown.
    StoreWatch *watches = NULL;
    int count = 0;
    Status status = store_watches(reading->store, &watches, &count, err);
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        const StoreWatch *watch = &watches[i];
        StoreWatch *sum =
            &reading->input->summary.players[reading->player_map[watch->player]].watch;
        sum->games += watch->games;
        sum->dropped_lines += watch->dropped_lines;
        sum->idle_us += watch->idle_us;
        sum->idle_cpu_us += watch->idle_cpu_us;
    }
    free(watches);
    return status;
}

static Status openings_read(Reading *reading, ErrorText *err) {
    StoreOpening *openings = NULL;
    int count = 0;
    Status status = store_openings(reading->store, &openings, &count, err);
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = summary_add_opening(&reading->input->summary, reading->group, &openings[i], err);
    store_openings_free(openings, count);
    return status;
}

// --- costs
// ----------------------------------------------------------------------------------------------------------

static bool progress_pass(void *ctx, int64_t done, int64_t total) {
    Reading *reading = ctx;
    const ReportRequest *request = reading->request;
    return !request->progress ||
           request->progress(request->progress_ctx, store_path(reading->store), done, total);
}

static Status costs_keep(ReportSummary *summary, const StoreCost *rows, int count, ErrorText *err) {
    Status status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = summary_set_cost(summary, &rows[i], err);
    return status;
}

// One scan over all databases, so that medians are those of all moves together.
// Medians of parts cannot be put together again.
static Status costs_read(Reading *readings, int count, ReportSummary *summary, ErrorText *err) {
    StoreCosts costs = {0};
    StoreCostScan *scan = store_cost_scan_new(summary->player_count);
    Status status = scan ? STATUS_OK : error_set(err, STATUS_NO_MEMORY, "out of memory");
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        StoreCostSource source = {readings[i].store, readings[i].player_map, progress_pass,
                                  &readings[i]};
        status = store_cost_scan_add(scan, &source, err);
    }
    if (status == STATUS_OK)
        status = store_cost_scan_finish(scan, &costs, err);
    if (status == STATUS_OK)
        status = costs_keep(summary, costs.by_player, costs.player_rows, err);
    if (status == STATUS_OK)
        status = costs_keep(summary, costs.by_stage, costs.stage_rows, err);
    if (status == STATUS_OK)
        status = costs_keep(summary, costs.by_depth, costs.depth_rows, err);
    store_costs_release(&costs);
    store_cost_scan_free(scan);
    return status;
}

// --- all of it
// ------------------------------------------------------------------------------------------------------

// Opens one database and counts its games. The store stays open for the scan of its moves.
static Status source_read(Reading *reading, const char *path, ErrorText *err) {
    Status status = store_open(path, &reading->store, err);
    if (status == STATUS_OK)
        status = source_add(reading, path, err);
    if (status == STATUS_OK)
        status = players_read(reading, err);
    // One state of a database that is being written; the scan of all moves is outside, since it may
    // take long.
    if (status == STATUS_OK)
        status = store_snapshot_begin(reading->store, err);
    if (status)
        return status;
    status = games_read(reading, err);
    // Moves of openings are read only where somebody looks at them: they are a row a stone.
    if (status == STATUS_OK && reading->request->with_openings)
        status = openings_read(reading, err);
    if (status == STATUS_OK)
        status = watches_read(reading, err);
    store_snapshot_end(reading->store);
    return status;
}

Status report_paths_check(const char *const *paths, int count, ErrorText *err) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++) {
            struct stat a, b;
            if (stat(paths[i], &a) == 0 && stat(paths[k], &b) == 0 && S_ISREG(a.st_mode) &&
                a.st_dev == b.st_dev && a.st_ino == b.st_ino)
                return error_set(err, STATUS_CONFLICT, "%s: given twice (as %s)", paths[i],
                                 paths[k]);
        }
    return STATUS_OK;
}

Status report_input_load(const ReportRequest *request, ReportInput *out, ErrorText *err) {
    *out = (ReportInput){0};
    Status status = report_paths_check(request->paths, request->path_count, err);
    if (status)
        return status;
    // A tune has pictures of its own and no standings.
    if (request->with_tunes && request->path_count == 1 && store_tune_is(request->paths[0]))
        return tune_view_new(request->paths[0], &out->tune, err);
    size_t room = (size_t)request->path_count + 1;
    Reading *readings = calloc(room, sizeof *readings);
    out->sources = calloc(room, sizeof *out->sources);
    if (!readings || !out->sources)
        status = error_set(err, STATUS_NO_MEMORY, "out of memory");
    for (int i = 0; i < request->path_count && status == STATUS_OK; i++) {
        readings[i] = (Reading){.request = request, .input = out, .source = i};
        status = source_read(&readings[i], request->paths[i], err);
    }
    if (status == STATUS_OK && request->with_costs)
        status = costs_read(readings, request->path_count, &out->summary, err);
    for (int i = 0; readings && i < request->path_count; i++) {
        free(readings[i].player_map);
        store_close(readings[i].store);
    }
    free(readings);
    return status ? status : report_input_finish(out, err);
}

// Gives every player the name that tables and pictures have room for.
static Status short_names_set(ReportSummary *summary, ErrorText *err) {
    size_t count = (size_t)summary->player_count;
    const char **names = calloc(count + 1, sizeof *names);
    char **cut = calloc(count + 1, sizeof *cut);
    Status status =
        names && cut ? STATUS_OK : error_set(err, STATUS_NO_MEMORY, "out of memory for names");
    for (size_t i = 0; i < count && !status; i++)
        names[i] = summary->players[i].name;
    if (!status)
        status = short_names_make(names, (int)count, cut, err);
    for (size_t i = 0; i < count && cut; i++) {
        free(summary->players[i].short_name);
        summary->players[i].short_name = cut[i];
    }
    free(names);
    free(cut);
    return status;
}

Status report_input_finish(ReportInput *input, ErrorText *err) {
    Status status = short_names_set(&input->summary, err);
    return status ? status : standings_compute(&input->summary, &input->standings, err);
}

void report_input_release(ReportInput *input) {
    for (int i = 0; i < input->source_count; i++) {
        ReportSource *source = &input->sources[i];
        free(source->path);
        free(source->label);
        free(source->name);
        free(source->started_at);
        free(source->finished_at);
        free(source->version);
        free(source->host);
        free(source->candidate);
        free(source->opponent);
    }
    free(input->sources);
    tune_view_free(input->tune);
    standings_release(&input->standings);
    summary_release(&input->summary);
    text_release(&input->warnings);
    *input = (ReportInput){0};
}

void report_input_describe(const ReportInput *input, Text *out) {
    if (input->tune) {
        const StoreTune *tune = input->tune->tune;
        text_printf(out, "%s · %s · %s games", tune->name, tune->method,
                    number_count(input->tune->games).text);
        return;
    }
    for (int i = 0; i < input->source_count; i++) {
        if (i == 3 && input->source_count > 4) {
            text_printf(out, " and %d more", input->source_count - 3);
            break;
        }
        text_append(out, i ? " + " : "");
        text_append(out, input->sources[i].name);
    }
    if (input->source_count > 0) {
        const ReportSource *source = &input->sources[0];
        text_printf(out, " · %s %dx%d", rule_name(source->rule), source->width, source->height);
        if (source->k != 5)
            text_printf(out, ", %d in a row", source->k);
    }
    text_printf(out, " · %s %s", number_count(input->summary.games).text,
                input->summary.games == 1 ? "game" : "games");
}
