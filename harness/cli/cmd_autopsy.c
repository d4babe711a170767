// SPDX-License-Identifier: GPL-3.0-or-later
// `gomolab autopsy`: where and how games were lost.
#include "engine/base/check.h"
#include "harness/cli/autopsy_view.h"
#include "harness/cli/command.h"
#include "harness/study/work.h"

#include <stdio.h>
#include <unistd.h>

typedef struct AutopsyOptions {
    const char *database;
    int64_t nodes, jobs;
    int section, format;
    bool no_boards, ascii;
} AutopsyOptions;

static const Option OPTIONS[] = {
    OPTION_ARG(AutopsyOptions, database, "DB", "database of `run`, `merge` or `import`"),
    // A limit in nodes and not in time, so that the same database has the same findings on every
    // machine.
    OPTION_INT(AutopsyOptions, nodes, "--nodes", "N", 5000, 1, 1000000000, NULL,
               "give the solver N nodes for a position"),
    // 0 cannot be given and stands for all cores.
    OPTION_INT(AutopsyOptions, jobs, "--jobs", "N", 0, 1, 1024, "all cores", "use N threads"),
    OPTION_CHOICE(AutopsyOptions, section, "--section", AUTOPSY_SECTIONS, AUTOPSY_ALL,
                  "print this table only"),
    OPTION_FLAG(AutopsyOptions, no_boards, "--no-boards", "print no boards of the examples"),
    OPTION_FLAG(AutopsyOptions, ascii, "--ascii", "X and O instead of stones"),
    OPTION_CHOICE(AutopsyOptions, format, "--format", TABLE_FORMATS, TABLE_TEXT,
                  "how to print the tables"),
};

// On a terminal only: nobody else wants to see it.
static bool show_progress(void *ctx, int64_t done, int64_t total) {
    (void)ctx;
    fprintf(stderr, "\r%lld of %lld games%s", (long long)done, (long long)total,
            done == total ? "\n" : "");
    return true;
}

static int run(const void *values) {
    const AutopsyOptions *options = values;
    ErrorText err = {0};
    Store *store = NULL;
    Autopsy autopsy = {0};
    AutopsyLimits limits = {.nodes = (uint64_t)options->nodes,
                            .jobs = options->jobs ? (int)options->jobs : work_cores()};
    Status status = store_open(options->database, &store, &err);
    if (!status)
        status = autopsy_run(store, &limits, isatty(STDERR_FILENO) ? show_progress : NULL, NULL,
                             &autopsy, &err);
    if (!status) {
        AutopsyView view = {.section = (AutopsySection)options->section,
                            .format = (TableFormat)options->format,
                            .boards = !options->no_boards,
                            .style = options->ascii ? ART_ASCII : ART_UNICODE};
        status = autopsy_print(store, &autopsy, &view, &err);
    }
    // Said aloud: the percentages of the tables are of the games that are left.
    if (!status && autopsy.without_moves)
        fprintf(stderr,
                "gomolab autopsy: %lld decided games have no moves kept and were left out\n",
                (long long)autopsy.without_moves);
    autopsy_release(&autopsy);
    store_close(store);
    return status ? command_fail(status, &err) : EXIT_DONE;
}

const Command command_autopsy = {
    .name = "autopsy",
    .summary = "where and how games were lost",
    .details =
        "proved_ply: the loser's move after which the winner's win is proved, by continuous fours "
        "(vcf) or threats\n"
        "(vct), backwards from the end; resisted: plies from there to the end; escape: a move "
        "after "
        "which no win is\n"
        "proved, instead of the losing move, or else the loser's last move before it. shape: what "
        "could not be\n"
        "stopped (double four, four-three, double three) or was not (missed five, missed four, "
        "missed open three).\n"
        "Look closer: gomolab show DB GAME --ply N --analyze PLAYER.\n",
    .options = {.rows = OPTIONS, .count = ARRAY_LEN(OPTIONS)},
    .values_size = sizeof(AutopsyOptions),
    .run = run,
};
