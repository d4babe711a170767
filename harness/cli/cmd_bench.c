// SPDX-License-Identifier: GPL-3.0-or-later
// `gomolab bench`: speed of placing, undoing and searching on fixed positions, and the node
// signature of the build.
#include "engine/base/check.h"
#include "harness/cli/command.h"
#include "harness/cli/config.h"
#include "harness/report/table.h"
#include "harness/study/bench.h"

#include <string.h>

enum { DEFAULT_DEPTH = 6 };

typedef struct BenchOptions {
    const char *player;
    OptionList set;
    int64_t depth, rounds;
    bool signature_only, from_scratch;
    int format;
} BenchOptions;

static const Option OPTIONS[] = {
    OPTION_ARG_OPTIONAL(BenchOptions, player, "PLAYER",
                        "the player under test; default: every knob at its default"),
    OPTION_LIST(BenchOptions, set, "--set", "KEY=VALUE", "change a knob of the player under test"),
    OPTION_INT(BenchOptions, depth, "--depth", "N", 0, 1, 64, "6, or that of PLAYER",
               "search to N plies"),
    OPTION_INT(
        BenchOptions, rounds, "--rounds", "N", 7, 1, BENCH_MAX_ROUNDS, NULL,
        "measure N times; the fastest round is the figure, the median shows how steady it was"),
    OPTION_FLAG(BenchOptions, from_scratch, "--from-scratch",
                "measure the same search with search.incremental=no, too"),
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

static Status default_player(const BenchOptions *options, PlayerSpec *player, ErrorText *err) {
    player->knobs = knob_defaults();
    for (int i = 0; i < options->set.count; i++) {
        char key[64];
        const char *equals = strchr(options->set.items[i], '=');
        size_t length = equals ? (size_t)(equals - options->set.items[i]) : 0;
        if (length == 0 || length >= sizeof key)
            return error_set(err, STATUS_INVALID, "--set %s: expected KEY=VALUE",
                             options->set.items[i]);
        memcpy(key, options->set.items[i], length);
        key[length] = '\0';
        Status status = knob_set_text(&player->knobs, key, equals + 1, err);
        if (status)
            return error_wrap(err, status, "--set %s", options->set.items[i]);
    }
    return knob_check(&player->knobs, err);
}

// The player under test: from its file, or the defaults with --set.
static Status load_player(const BenchOptions *options, PlayerSpec *player, ErrorText *err) {
    if (!options->player)
        return default_player(options, player, err);
    Status status = config_load_player(options->player, &options->set, player, NULL, err);
    if (!status && player->external.command)
        status = error_set(err, STATUS_UNSUPPORTED,
                           "%s is an external program: only gomolab's own engine is measured",
                           options->player);
    return status;
}

static Status measure_speeds(const BenchOptions *options, const KnobSet *knobs, Table *table,
                             ErrorText *err) {
    KnobSet slow = *knobs;
    BenchSetup setup = {knobs, (int)options->depth, (int)options->rounds, clock_cpu()};
    BenchSpeed speed;
    if (setup.depth == 0 && !options->player)
        setup.depth = DEFAULT_DEPTH;
    Status status = bench_make_undo(&setup, &speed, err);
    if (status)
        return status;
    add_speed(table, "make+undo pairs", &speed);
    status = bench_search(&setup, &speed, err);
    if (status)
        return status;
    add_speed(table, "search nodes", &speed);
    if (!options->from_scratch)
        return STATUS_OK;
    slow.number[KNOB_SEARCH_INCREMENTAL] = 0;
    setup.knobs = &slow;
    setup.rounds = 1;
    status = bench_search(&setup, &speed, err);
    if (!status)
        add_speed(table, "search nodes from scratch", &speed);
    return status;
}

static Status measure(const BenchOptions *options, Table *table, ErrorText *err) {
    PlayerSpec player = {0};
    uint64_t signature = 0;
    Status status = load_player(options, &player, err);
    if (!status && !options->signature_only)
        status = measure_speeds(options, &player.knobs, table, err);
    if (!status)
        status = bench_signature(&signature, err);
    if (!status) {
        table_row(table);
        table_set_text(table, MEASURE, "signature");
        table_set_int(table, COUNT, (int64_t)signature);
    }
    player_spec_release(&player);
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
    .details = "Speeds are per second of CPU time. pairs: a stone placed and undone with all "
               "incremental state. nodes: alpha-beta "
               "over 20 midgames, each\n"
               "from a cleared engine. signature: nodes and moves of fixed configurations; it "
               "changes when the\n"
               "behaviour of the search changes, never with the machine\n",
    .options = {OPTIONS, ARRAY_LEN(OPTIONS)},
    .values_size = sizeof(BenchOptions),
    .run = run,
};
