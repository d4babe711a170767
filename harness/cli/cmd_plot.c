// SPDX-License-Identifier: GPL-3.0-or-later
// `gomolab plot`: pictures of one or more databases, drawn by gnuplot.
#include "engine/base/check.h"
#include "engine/base/nearest.h"
#include "harness/cli/command.h"
#include "harness/report/figures.h"
#include "harness/report/plot.h"

#include <stdio.h>
#include <string.h>

// In the order of the words of --format.
typedef enum PlotFormat { PLOT_BOTH, PLOT_PNG, PLOT_SVG } PlotFormat;

typedef struct PlotOptions {
    OptionList databases;
    const char *out;
    int format;
    OptionList only;
} PlotOptions;

static const Option OPTIONS[] = {
    OPTION_ARGS(
        PlotOptions, databases, "DB",
        "databases of `run`, `merge` or `import`, several are counted together; or one of `tune`"),
    OPTION_TEXT(PlotOptions, out, "--out", "DIR", "DB without .db, with -plots",
                "folder for the pictures, made when missing"),
    OPTION_CHOICE(PlotOptions, format, "--format", "both|png|svg", PLOT_BOTH, "what to draw"),
    OPTION_LIST(PlotOptions, only, "--only", "NAME",
                "draw this picture only; may be given several times"),
};

// Before anything is read: a typing error should not cost a scan of all moves.
static Status picture_check(const char *name, ErrorText *err) {
    const char *names[16];
    size_t count = 0;
    const FigureKind *kind;
    for (int i = 0; (kind = figure_kind_at(i)); i++) {
        // For whoever adds kinds of pictures beyond the room.
        CHECK(count < ARRAY_LEN(names));
        names[count++] = kind->name;
        if (strcmp(kind->name, name) == 0)
            return STATUS_OK;
    }
    return error_set(err, STATUS_INVALID, "gomolab plot: --only: no picture '%s'%s", name,
                     nearest_hint(name, names, count, "; --help lists them").text);
}

// Beside the first database and by its name, so that the pictures of two runs never overwrite each
// other.
static void folder_default(const char *database, Text *out) {
    size_t length = strlen(database);
    if (length > 3 && strcmp(database + length - 3, ".db") == 0)
        length -= 3;
    text_append_bytes(out, database, length);
    text_append(out, "-plots");
}

static int outcome_print(const PlotOutcome *outcome, const char *folder) {
    // The paths of what was drawn are the result, for scripts; what was not drawn, and why, is for
    // people.
    fputs(text_cstr(&outcome->files), stdout);
    fputs(text_cstr(&outcome->notes), stderr);
    // No reason to throw the work away: scripts and data are complete, and can be drawn on another
    // machine.
    if (outcome->gnuplot_missing) {
        fprintf(stderr,
                "gnuplot was not found: install it (Debian, Ubuntu: apt-get install gnuplot-nox) "
                "and run this again.\n"
                "Scripts and data are in %s: `cd %s && gnuplot *.gp` draws them, too.\n",
                folder, folder);
        return EXIT_CANNOT;
    }
    return outcome->failed > 0 ? EXIT_CANNOT : EXIT_DONE;
}

static int plot_run(const PlotOptions *options, const char *folder) {
    ErrorText err = {0};
    ReportInput input = {0};
    PlotOutcome outcome = {0};
    // Costs and tunes are read in any case: which pictures the data is good for shows only
    // afterwards.
    ReportRequest request = {.paths = options->databases.items,
                             .path_count = options->databases.count,
                             .with_costs = true,
                             .with_tunes = true};
    PlotRequest plot = {folder, options->format != PLOT_SVG, options->format != PLOT_PNG,
                        options->only.items, options->only.count};
    Status status = STATUS_OK;
    for (int i = 0; i < options->only.count && status == STATUS_OK; i++)
        status = picture_check(options->only.items[i], &err);
    if (status == STATUS_OK)
        status = report_input_load(&request, &input, &err);
    if (status == STATUS_OK) {
        fputs(text_cstr(&input.warnings), stderr);
        status = plot_all(&input, &plot, &outcome, &err);
    }
    // Pictures that failed do not keep the others from being drawn; they show in the exit status.
    int result = status ? command_fail(status, &err) : outcome_print(&outcome, folder);
    plot_outcome_release(&outcome);
    report_input_release(&input);
    return result;
}

static int plot_command(const void *values) {
    const PlotOptions *options = values;
    Text folder = {0};
    if (options->out)
        text_append(&folder, options->out);
    else
        folder_default(options->databases.items[0], &folder);
    int result = plot_run(options, text_cstr(&folder));
    text_release(&folder);
    return result;
}

const Command command_plot = {
    .name = "plot",
    .summary = "pictures by gnuplot: Elo ladder, scores, costs, openings, sweeps, tunes",
    .details = "pictures: elo-ladder score-matrix nodes-by-depth time-per-move prune-rate "
               "opening-balance sweep; of a tune: tune-path tune-sense tune-proof\n"
               "Each is NAME.png and NAME.svg, with its data NAME.dat and its script NAME.gp "
               "beside it. The paths of the\n"
               "pictures are printed. Without gnuplot, scripts and data are written all the same, "
               "and the exit status is 3.\n",
    .options = {.rows = OPTIONS, .count = ARRAY_LEN(OPTIONS)},
    .values_size = sizeof(PlotOptions),
    .run = plot_command,
};
