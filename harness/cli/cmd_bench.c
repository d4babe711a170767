// SPDX-License-Identifier: GPL-3.0-or-later
// `gomolab bench`: speed of placing, undoing and searching on fixed positions, and the node
// signature of the build.
#include "engine/base/check.h"
#include "harness/cli/command.h"
#include "harness/report/table.h"
#include "harness/study/bench.h"

#include <string.h>

typedef struct BenchOptions {
    OptionList set;
    int64_t depth, rounds;
    bool signature_only;
    int format;
} BenchOptions;

static const Option OPTIONS[] = {
    OPTION_LIST(BenchOptions, set, "--set", "KEY=VALUE", "change a knob of the player under test"),
    OPTION_INT(BenchOptions, depth, "--depth", "N", 6, 1, 64, NULL, "search to N plies"),
    OPTION_INT(
        BenchOptions, rounds, "--rounds", "N", 7, 1, BENCH_MAX_ROUNDS, NULL,
        "measure N times; the fastest round is the figure, the median shows how steady it was"),
    OPTION_FLAG(BenchOptions, signature_only, "--signature",
                "print the signature only: no clock is read"),
    OPTION_CHOICE(BenchOptions, format, "--format", TABLE_FORMATS, TABLE_TEXT,
                  "how to print the table"),
};

enum { MEASURE, BEST, MEDIAN, COUNT, ROUNDS };
static const TableColumn COLUMNS[] = {
    {"measure", COLUMN_TEXT, 0, NULL},
    {"best_per_s", COLUMN_REAL, 0, "best/s"},
    {"median_per_s", COLUMN_REAL, 0, "median/s"},
    {"count", COLUMN_INT, 0, NULL},
    {"rounds", COLUMN_INT, 0, NULL},
};

static void add_speed(Table *table, const char *measure, const BenchSpeed *speed) {
    table_row(table);
    table_set_text(table, MEASURE, measure);
    table_set_real(table, BEST, speed->best_per_s);
    table_set_real(table, MEDIAN, speed->median_per_s);
    table_set_int(table, COUNT, (int64_t)speed->count);
    table_set_int(table, ROUNDS, speed->rounds);
}

static Status apply_settings(const OptionList *settings, KnobSet *knobs, ErrorText *err) {
    for (int i = 0; i < settings->count; i++) {
        char key[64];
        const char *equals = strchr(settings->items[i], '=');
        size_t length = equals ? (size_t)(equals - settings->items[i]) : 0;
        if (length == 0 || length >= sizeof key)
            return error_set(err, STATUS_INVALID, "--set %s: expected KEY=VALUE",
                             settings->items[i]);
        memcpy(key, settings->items[i], length);
        key[length] = '\0';
        Status status = knob_set_text(knobs, key, equals + 1, err);
        if (status)
            return error_wrap(err, status, "--set %s", settings->items[i]);
    }
    return knob_check(knobs, err);
}

static Status measure(const BenchOptions *options, Table *table, ErrorText *err) {
    KnobSet knobs = knob_defaults();
    BenchSetup setup = {&knobs, (int)options->depth, (int)options->rounds, clock_monotonic()};
    BenchSpeed speed;
    uint64_t signature = 0;
    Status status = apply_settings(&options->set, &knobs, err);
    if (!status && !options->signature_only) {
        status = bench_make_undo(&setup, &speed, err);
        if (!status)
            add_speed(table, "make+undo pairs", &speed);
        if (!status)
            status = bench_search(&setup, &speed, err);
        if (!status)
            add_speed(table, "search nodes", &speed);
    }
    if (!status)
        status = bench_signature(&signature, err);
    if (!status) {
        table_row(table);
        table_set_text(table, MEASURE, "signature");
        table_set_int(table, COUNT, (int64_t)signature);
    }
    return status;
}

static int run(const void *values) {
    ErrorText err = {0};
    const BenchOptions *options = values;
    Table *table = table_new(COLUMNS, ARRAY_LEN(COLUMNS));
    Status status =
        table ? measure(options, table, &err) : error_set(&err, STATUS_NO_MEMORY, "out of memory");
    if (!status)
        status = table_print(table, (TableFormat)options->format, stdout, &err);
    table_free(table);
    return status ? command_fail(status, &err) : EXIT_DONE;
}

const Command command_bench = {
    .name = "bench",
    .summary = "measure the speed of the search, and its node signature",
    .details = "pairs: a stone placed and undone with all incremental state. nodes: alpha-beta "
               "over 20 midgames, each\n"
               "from a cleared engine. signature: nodes and moves of fixed configurations; it "
               "changes when the\n"
               "behaviour of the search changes, never with the machine\n",
    .options = {OPTIONS, ARRAY_LEN(OPTIONS)},
    .values_size = sizeof(BenchOptions),
    .run = run,
};
