// SPDX-License-Identifier: GPL-3.0-or-later
// `gomolab report`: tables from one or more databases.
#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "harness/cli/command.h"
#include "harness/report/report.h"

#include <stdio.h>
#include <unistd.h>

// Room for more than there are; CHECK in sections_pick guards it.
enum { SECTIONS_MAX = 16 };

typedef struct ReportOptions {
    OptionList databases;
    int format;
    OptionList sections;
    bool explain;
} ReportOptions;

static const Option OPTIONS[] = {
    OPTION_ARGS(ReportOptions, databases, "DB",
                "databases of `run`, `merge` or `import`; several are counted together"),
    OPTION_CHOICE(ReportOptions, format, "--format", TABLE_FORMATS, TABLE_TEXT,
                  "how the tables are written"),
    OPTION_LIST(ReportOptions, sections, "--section", "NAME",
                "print this section only; may be given several times"),
    OPTION_FLAG(ReportOptions, explain, "--explain",
                "add a sentence for each number: what it means, and what it does not"),
};

// The sections asked for, all when none is named.
static Status sections_pick(const ReportOptions *options, const ReportSection **out, int *count,
                            ErrorText *err) {
    *count = 0;
    for (int i = 0; i < options->sections.count; i++) {
        NearestHint hint;
        const ReportSection *section = report_section_find(options->sections.items[i], &hint);
        if (!section)
            return error_set(err, STATUS_INVALID, "gomolab report: --section: no section '%s'%s",
                             options->sections.items[i], hint.text);
        // Named twice is printed once.
        bool is_there = false;
        for (int k = 0; k < *count; k++)
            is_there |= out[k] == section;
        if (!is_there)
            out[(*count)++] = section;
    }
    const ReportSection *section;
    // In the order of the report, those named above in the order of the command line.
    for (int i = 0; options->sections.count == 0 && (section = report_section_at(i)); i++)
        out[(*count)++] = section;
    CHECK(*count <= SECTIONS_MAX);
    return STATUS_OK;
}

// One live line while all moves are scanned, if that takes long and somebody is watching.
typedef struct Progress {
    int64_t started_ns, shown_ns;
    bool is_terminal, has_line;
} Progress;

static bool progress_show(void *ctx, const char *path, int64_t done, int64_t total) {
    Progress *progress = ctx;
    int64_t now = clock_now_ns(clock_monotonic());
    // Nothing for scans that take less than a second, then five times a second.
    if (!progress->is_terminal || now - progress->started_ns < 1000000000 ||
        now - progress->shown_ns < 200000000)
        return true;
    progress->shown_ns = now;
    progress->has_line = true;
    fprintf(stderr, "\r%s: moves of %lld of %lld games read\033[K", path, (long long)done,
            (long long)total);
    fflush(stderr);
    return true;
}

static Status report_run(const ReportOptions *options, Text *out, ErrorText *err) {
    const ReportSection *sections[SECTIONS_MAX];
    ReportLayout layout = {.format = (TableFormat)options->format,
                           .sections = sections,
                           .explain = options->explain,
                           // A section that was asked for by name is printed even when it has no
                           // rows.
                           .skip_empty = options->sections.count == 0};
    Status status = sections_pick(options, sections, &layout.section_count, err);
    if (status)
        return status;
    Progress progress = {.started_ns = clock_now_ns(clock_monotonic()),
                         .is_terminal = isatty(STDERR_FILENO)};
    ReportRequest request = {.paths = options->databases.items,
                             .path_count = options->databases.count,
                             .progress = progress_show,
                             .progress_ctx = &progress};
    for (int i = 0; i < layout.section_count; i++) {
        // The scan of all moves is the expensive part: done only when some section shows it.
        request.with_costs |= sections[i]->needs_costs;
        request.with_openings |= sections[i]->needs_openings;
    }
    ReportInput input;
    status = report_input_load(&request, &input, err);
    // The live line is wiped before warnings and tables come to stand behind it.
    if (progress.has_line)
        fputs("\r\033[K", stderr);
    if (status == STATUS_OK)
        fputs(text_cstr(&input.warnings), stderr);
    if (status == STATUS_OK)
        status = report_write(&input, &layout, out, err);
    report_input_release(&input);
    return status;
}

// All or nothing on standard output: a report that fails in its middle prints none of it.
static int report_command(const void *values) {
    Text out = {0};
    ErrorText err = {0};
    Status status = report_run(values, &out, &err);
    if (status == STATUS_OK)
        fputs(text_cstr(&out), stdout);
    text_release(&out);
    return status ? command_fail(status, &err) : EXIT_DONE;
}

const Command command_report = {
    .name = "report",
    .summary = "standings, head to head, cost of moves, ordering, openings, ends of games",
    .details =
        "sections: experiments standings sequential_test head_to_head player_cost move_cost "
        "prune_rate "
        "opening_balance\n"
        "  game_ends failures\n"
        "json is one object with a key for each section; rows have the columns of the database's "
        "view of that\n"
        "name, and more. csv and tsv of several sections set them apart by a line `# name`.\n"
        "text and md round and shorten; csv, tsv and json do not. harness/report/columns.md "
        "describes every "
        "column.\n",
    .options = {.rows = OPTIONS, .count = ARRAY_LEN(OPTIONS)},
    .values_size = sizeof(ReportOptions),
    .run = report_command,
};
