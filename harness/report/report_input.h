// SPDX-License-Identifier: GPL-3.0-or-later
// What a report is about: one or more databases, read and counted.
#pragma once

#include "engine/base/status.h"
#include "harness/report/sequential.h"
#include "harness/report/standing.h"
#include "harness/report/summary.h"
#include "harness/report/tune_view.h"

// One database. Several of one experiment (shards, a run that went on elsewhere) are several
// sources; their openings are counted together by the experiment's name.
// Read when the database is opened and kept as copies: the database itself is closed again.
typedef struct ReportSource {
    char *path;                     // owned
    char *label;                    // owned; file name without folder and ".db"
    char *name;                     // owned; of the experiment
    char *started_at, *finished_at; // owned; finished_at NULL: not complete
    char *version, *host;           // owned
    Rule rule;
    int width, height, k;
    // Fewer than planned: the run was stopped, or this is one shard.
    int64_t games, planned_games; // planned 0: unknown
    SequentialTest sequential;
    char *candidate, *opponent; // owned; names of players 0 and 1 in the report, NULL: none
} ReportSource;

// Everything that sections and pictures read; nothing of it changes after report_input_load.
// Indices of players are those of the summary everywhere, whatever they are in their databases.
typedef struct ReportInput {
    ReportSummary summary;
    ReportSource *sources; // owned
    int source_count;
    Standings standings;
    // Such as namesakes with other settings: what the reader should know, and no reason to refuse.
    Text warnings;  // one line each, for standard error
    TuneView *tune; // owned; of the database of a tune, which has no games to count; else NULL
} ReportInput;

// Is told how far the scan of all moves is; false stops it.
// Called in the thread that reads, now and then; `done` and `total` are games of the database at
// `path`.
typedef bool ReportProgress(void *ctx, const char *path, int64_t done, int64_t total);

// What to read. Everything is borrowed.
// The three flags are about cost: what is not asked for is not read.
typedef struct ReportRequest {
    const char *const *paths;
    int path_count;
    bool with_costs;    // read all moves
    bool with_openings; // read the stones of the openings
    bool with_tunes;    // one database of a tune may be given instead, and is read as such
    ReportProgress *progress;
    void *progress_ctx;
} ReportRequest;

// STATUS_CONFLICT when one of these files stands in the list twice, be it under two names: every
// game would count twice. Thread: any.
Status report_paths_check(const char *const *paths, int count, ErrorText *err) MUST_CHECK;

// Reads the databases. Costs of moves are read when `with_costs`; that is a scan of all moves, with
// `progress` (may be NULL). Release with report_input_release in every case. Failures name the
// database. Thread: owner.
Status report_input_load(const ReportRequest *request, ReportInput *out, ErrorText *err) MUST_CHECK;

// Computes the standings once the summary is complete; report_input_load does it. Thread: owner.
// Gives short names as well. STATUS_NO_MEMORY, or what the rating says.
Status report_input_finish(ReportInput *input, ErrorText *err) MUST_CHECK;

// Frees everything and zeroes it; a zeroed one is fine. Thread: owner.
void report_input_release(ReportInput *input);

// Appends what was played: "depth-ladder · freestyle 15x15 · 300 games". Thread: owner of `out`.
void report_input_describe(const ReportInput *input, Text *out);
