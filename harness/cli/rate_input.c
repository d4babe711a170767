// SPDX-License-Identifier: GPL-3.0-or-later
// The way from files and databases to a pool of results.
#include "harness/cli/rate_input.h"

#include "harness/cli/rate_tsv.h"
#include "harness/report/report_input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static Status out_of_memory(ErrorText *err) {
    return error_set(err, STATUS_NO_MEMORY, "out of memory reading results");
}

// --- databases
// ------------------------------------------------------------------------------------------------------

// Counts are by ordered pair (who moved first), so each direction adds its own; pairs hold both
// games and are added once.
static Status pairing_add(ResultPool *input, const ReportSummary *summary, const int *player, int i,
                          int j, ErrorText *err) {
    const PairingSummary *pairing = summary_pairing(summary, i, j);
    RatingCount games = {.first = player[i],
                         .second = player[j],
                         .first_wins = (double)pairing->first.wins,
                         .draws = (double)pairing->first.draws,
                         .second_wins = (double)pairing->first.losses};
    if (games.first_wins + games.draws + games.second_wins > 0.0) {
        Status status = result_pool_add_counts(input, &games, err);
        if (status)
            return status;
    }
    RatingPairs pairs = {.a = player[i], .b = player[j]};
    double total = 0.0;
    for (int cell = 0; cell < 9; cell++)
        total += pairs.n[cell / 3][cell % 3] = (double)pairing->pair_points[cell / 3][cell % 3];
    return i < j && total > 0.0 ? result_pool_add_pairs(input, &pairs, err) : STATUS_OK;
}

static Status summary_add(ResultPool *input, const ReportSummary *summary, ErrorText *err) {
    int count = summary->player_count;
    int *player = malloc(((size_t)count + 1) * sizeof *player);
    Status status = player ? STATUS_OK : out_of_memory(err);
    for (int i = 0; i < count && !status; i++) {
        player[i] = result_pool_player(input, summary->players[i].name);
        if (player[i] < 0)
            status = out_of_memory(err);
        input->lost_on_time += summary->players[i].lost_by[REASON_TIMEOUT];
        input->crashed +=
            summary->players[i].lost_by[REASON_CRASH] + summary->players[i].lost_by[REASON_ILLEGAL];
    }
    for (int i = 0; i < count && !status; i++)
        for (int j = 0; j < count && !status; j++)
            if (i != j)
                status = pairing_add(input, summary, player, i, j, err);
    free(player);
    return status;
}

static Status databases_load(ResultPool *input, const char *const *paths, int path_count,
                             ErrorText *err) {
    ReportInput report = {0};
    ReportRequest request = {.paths = paths, .path_count = path_count};
    Status status = report_input_load(&request, &report, err);
    if (!status) {
        text_append(&input->warnings, text_cstr(&report.warnings));
        status = summary_add(input, &report.summary, err);
    }
    report_input_release(&report);
    return status;
}

// --- files
// ----------------------------------------------------------------------------------------------------------

// Whether the file begins like a SQLite database. A pipe cannot be one, and is not looked at: it
// gives its bytes once only.
static Status file_is_database(const char *path, bool *is_database, ErrorText *err) {
    static const char magic[] = "SQLite format 3";
    char head[sizeof magic] = {0};
    *is_database = false;
    struct stat info;
    if (strcmp(path, "-") == 0 || (stat(path, &info) == 0 && !S_ISREG(info.st_mode)))
        return STATUS_OK;
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (!file)
        return error_set(err, errno == ENOENT ? STATUS_NOT_FOUND : STATUS_INVALID, "%s: %s", path,
                         strerror(errno));
    size_t read = fread(head, 1, sizeof head, file);
    bool is_bad = ferror(file) != 0;
    fclose(file);
    if (is_bad)
        return error_set(err, STATUS_INVALID, "%s: cannot be read", path);
    *is_database = read == sizeof head && memcmp(head, magic, sizeof head) == 0;
    return STATUS_OK;
}

Status rate_input_load(ResultPool *input, const char *const *paths, int path_count,
                       ErrorText *err) {
    const char **databases = malloc(((size_t)path_count + 1) * sizeof *databases);
    Status status = databases ? report_paths_check(paths, path_count, err) : out_of_memory(err);
    int database_count = 0;
    for (int i = 0; i < path_count && !status; i++) {
        bool is_database;
        status = file_is_database(paths[i], &is_database, err);
        // Databases are put together by the report's reader, which knows how players of several
        // databases are matched.
        if (!status && is_database)
            databases[database_count++] = paths[i];
        else if (!status)
            status = rate_tsv_read(input, paths[i], err);
    }
    if (!status && database_count)
        status = databases_load(input, databases, database_count, err);
    free(databases);
    return status;
}
