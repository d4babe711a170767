// SPDX-License-Identifier: GPL-3.0-or-later
// `gomolab bench`: speed of placing, undoing and searching on fixed positions, and the node
// signature of the build.
#include "engine/base/check.h"
#include "harness/cli/command.h"
#include "harness/cli/config.h"
#include "harness/report/table.h"
#include "harness/study/bench.h"
#include "harness/study/bench_compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Deep enough for tables and ordering to matter.
enum { DEFAULT_DEPTH = 6 };

typedef struct BenchOptions {
    const char *player;
    OptionList set;
    const char *other;
    int64_t depth, rounds;
    bool signature_only, from_scratch, quick;
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
    OPTION_FLAG(BenchOptions, quick, "--quick", "speeds only: no times to depth, no signature"),
    OPTION_TEXT(BenchOptions, other, "--compare", "OTHER_BINARY", NULL,
                "take turns with another build, --rounds times this other other this, and print "
                "ratios of speed"),
    OPTION_FLAG(BenchOptions, signature_only, "--signature",
                "print the signature only: no clock is read"),
    OPTION_CHOICE(BenchOptions, format, "--format", TABLE_FORMATS, TABLE_TEXT,
                  "how to print the table"),
};

enum { MEASURE, BEST, MEDIAN, COUNT, ROUNDS, TIME };
static const TableColumn COLUMNS[] = {
    {"measure", COLUMN_TEXT, 0, NULL},
    {"best_per_s", COLUMN_REAL, 0, "best/s"},
    {"median_per_s", COLUMN_REAL, 0, "median/s"},
    {"count", COLUMN_INT, 0, NULL},
    {"rounds", COLUMN_INT, 0, NULL},
    {"time_ms", COLUMN_REAL, 1, "time [ms]"},
};

static void add_speed(Table *table, const char *measure, const BenchSpeed *speed) {
    table_row(table);
    table_set_text(table, MEASURE, measure);
    table_set_real(table, BEST, speed->best_per_s);
    table_set_real(table, MEDIAN, speed->median_per_s);
    table_set_int(table, COUNT, (int64_t)speed->count);
    table_set_int(table, ROUNDS, speed->rounds);
}

// Without a file there is nothing for the loader to read; --set then goes to the knobs directly.
static Status default_player(const BenchOptions *options, PlayerSpec *player, ErrorText *err) {
    player->knobs = knob_defaults();
    for (int i = 0; i < options->set.count; i++) {
        // A copy, as the words of argv are not ours to cut.
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
    // Once at the end: two settings may go together only when both are made.
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

// The name of a set as it stands in the table: "nodes freestyle 15 midgame".
static void name_set(int set, char *out, size_t cap) {
    const BenchSet *kind = bench_set(set);
    snprintf(out, cap, "nodes %s %d %s", rule_name(kind->rule), kind->side, kind->phase);
}

// The midgames, which are set 0, have been measured already.
static Status measure_sets(const BenchSetup *setup, const BenchSpeed *midgames, Table *table,
                           ErrorText *err) {
    Status status = STATUS_OK;
    for (int set = 0; set < bench_set_count() && !status; set++) {
        char name[48];
        BenchSpeed speed = *midgames;
        if (set > 0)
            status = bench_search_set(setup, set, &speed, err);
        if (status)
            break;
        name_set(set, name, sizeof name);
        add_speed(table, name, &speed);
    }
    return status;
}

// Depth says how long a search takes for those only that search by depth.
// Sampling searches and their like would run into the limit of time and say nothing.
static bool searches_by_depth(const KnobSet *knobs) {
    Algorithm algorithm = (Algorithm)knob_int(knobs, KNOB_SEARCH_ALGORITHM);
    return algorithm == ALGORITHM_MINIMAX || algorithm == ALGORITHM_ALPHABETA ||
           algorithm == ALGORITHM_PVS;
}

// Depth after depth, until one takes too long; the rows of the others are empty.
static Status measure_depths(const BenchSetup *setup, Table *table, ErrorText *err) {
    // A depth that takes longer has told enough, and the next takes several times as long.
    enum { LIMIT_MS = 10000 };
    static const int DEPTHS[] = {4, 6, 8, 10};
    BenchDepth found = {.is_reached = true};
    for (size_t i = 0; i < ARRAY_LEN(DEPTHS); i++) {
        char name[48];
        if (found.is_reached) {
            Status status = bench_time_to_depth(setup, DEPTHS[i], LIMIT_MS, &found, err);
            if (status)
                return status;
        }
        snprintf(name, sizeof name, "time to depth %d", DEPTHS[i]);
        table_row(table);
        table_set_text(table, MEASURE, name);
        if (!found.is_reached)
            continue;
        table_set_int(table, COUNT, (int64_t)found.nodes);
        table_set_real(table, TIME, found.time_ms);
    }
    return STATUS_OK;
}

static Status measure_speeds(const BenchOptions *options, const KnobSet *knobs, Table *table,
                             ErrorText *err) {
    KnobSet slow = *knobs;
    // CPU time, not wall time: other programs on the machine cost it less.
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
    status = measure_sets(&setup, &speed, table, err);
    if (!status && !options->quick && searches_by_depth(knobs))
        status = measure_depths(&setup, table, err);
    if (status || !options->from_scratch)
        return status;
    // One round: it is many times slower, and only the order of magnitude is of interest.
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
    // Last and by itself: its configurations are fixed, so that the options of the player under
    // test do not change it.
    if (!status && !options->quick)
        status = bench_signature(&signature, err);
    if (!status && !options->quick) {
        table_row(table);
        table_set_text(table, MEASURE, "signature");
        table_set_int(table, COUNT, (int64_t)signature);
    }
    player_spec_release(&player);
    return status;
}

// --- --compare
// --------------------------------------------------------------------------------------------------------

enum { C_MEASURE, C_THIS, C_OTHER, C_RATIO, C_LO, C_HI, C_ROUNDS, C_SAME };
static const TableColumn COMPARE_COLUMNS[] = {
    {"measure", COLUMN_TEXT, 0, NULL},         {"this", COLUMN_REAL, 0, "this/s"},
    {"other", COLUMN_REAL, 0, "other/s"},      {"ratio", COLUMN_REAL, 3, NULL},
    {"ratio_lo", COLUMN_REAL, 3, "95 % from"}, {"ratio_hi", COLUMN_REAL, 3, "to"},
    {"rounds", COLUMN_INT, 0, NULL},           {"same", COLUMN_BOOL, 0, NULL},
};

static void say_round(void *ctx, int done, int rounds) {
    (void)ctx;
    fprintf(stderr, "round %d of %d\n", done, rounds);
}

// What both builds are to measure, as words of their command line. False: too many.
static bool hand_on(const BenchOptions *options, char *depth, size_t cap, char **args, int *count) {
    static char set[] = "--set", depth_option[] = "--depth";
    *count = 0;
    if (2 * options->set.count + 3 > COMPARE_MAX_ARGS)
        return false;
    if (options->player)
        // exec takes char *, for old reasons; the cast goes by way of an integer because a plain
        // one would drop const.
        args[(*count)++] = (char *)(uintptr_t)options->player; // not changed by anybody
    for (int i = 0; i < options->set.count; i++) {
        args[(*count)++] = set;
        args[(*count)++] = (char *)(uintptr_t)options->set.items[i];
    }
    if (options->depth) {
        snprintf(depth, cap, "%lld", (long long)options->depth);
        args[(*count)++] = depth_option;
        args[(*count)++] = depth;
    }
    return true;
}

static void fill_comparison(const BenchComparison *found, int rounds, Table *table) {
    for (int i = 0; i < found->row_count; i++) {
        const CompareRow *row = &found->rows[i];
        table_row(table);
        table_set_text(table, C_MEASURE, row->measure);
        table_set_real(table, C_THIS, row->per_s[0]);
        table_set_real(table, C_OTHER, row->per_s[1]);
        table_set_real(table, C_RATIO, row->speed.ratio);
        table_set_real(table, C_LO, row->speed.lo);
        table_set_real(table, C_HI, row->speed.hi);
        table_set_int(table, C_ROUNDS, rounds);
    }
    table_row(table);
    table_set_text(table, C_MEASURE, "signature");
    table_set_int(table, C_THIS, found->signature[0]);
    table_set_int(table, C_OTHER, found->signature[1]);
    table_set_bool(table, C_SAME, found->signature[0] == found->signature[1]);
}

// The other build is a program that is run with the same words, so that any two versions with a
// `bench` can be compared.
static Status compare(const BenchOptions *options, ErrorText *err) {
    char *args[COMPARE_MAX_ARGS], depth[24];
    // /proc/self/exe and not argv[0]: it is this very build, even when the file was replaced or
    // found by PATH.
    CompareSetup setup = {.self = "/proc/self/exe",
                          .other = options->other,
                          .args = args,
                          .rounds = (int)options->rounds,
                          .progress = say_round};
    PlayerSpec player = {0};
    if (!hand_on(options, depth, sizeof depth, args, &setup.arg_count))
        return error_set(err, STATUS_INVALID, "--set: more settings than --compare can hand on");
    Status status = load_player(options, &player, err); // before anything is started
    player_spec_release(&player);
    BenchComparison *found = calloc(1, sizeof *found);
    Table *table = table_new(COMPARE_COLUMNS, ARRAY_LEN(COMPARE_COLUMNS));
    if (!status && (!found || !table))
        status = error_set(err, STATUS_NO_MEMORY, "out of memory");
    if (!status)
        status = bench_compare(&setup, found, err);
    if (!status) {
        fill_comparison(found, setup.rounds, table);
        status = table_print(table, (TableFormat)options->format, stdout, err);
    }
    table_free(table);
    free(found);
    return status;
}

static int run(const void *values) {
    ErrorText err = {0};
    const BenchOptions *options = values;
    if (options->other && (options->signature_only || options->from_scratch))
        return command_usage(&command_bench, "--compare and %s exclude each other",
                             options->signature_only ? "--signature" : "--from-scratch");
    if (options->other) {
        Status compared = compare(options, &err);
        return compared ? command_fail(compared, &err) : EXIT_DONE;
    }
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
               "from a cleared engine, and over each set of one rule, size and phase. time to "
               "depth: mean over 3 midgames, while\n"
               "none takes more than 10 s. signature: nodes and moves of fixed configurations; it "
               "changes when the\n"
               "behaviour of the search changes, never with the machine\n",
    .options = {.rows = OPTIONS, .count = ARRAY_LEN(OPTIONS)},
    .values_size = sizeof(BenchOptions),
    .run = run,
};
