// SPDX-License-Identifier: GPL-3.0-or-later
// `gomolab check`: is this configuration valid, and what does it say once bases, sweeps and
// defaults are resolved?
#include "engine/base/check.h"
#include "harness/cli/command.h"
#include "harness/cli/config.h"
#include "harness/cli/config_tune.h"
#include "harness/cli/verify_config.h"
#include "harness/play/engine_seat.h"
#include "harness/play/plan.h"
#include "harness/report/table.h"

typedef struct CheckOptions {
    OptionList files, sets;
    bool resolved;
    int format;
} CheckOptions;

static const Option OPTIONS[] = {
    OPTION_ARGS(CheckOptions, files, "FILE", "a player, an experiment, a verification or a tune"),
    OPTION_FLAG(CheckOptions, resolved, "--resolved",
                "print every key, its value and where it came from"),
    OPTION_LIST(CheckOptions, sets, "--set", "KEY=VALUE",
                "change a value first, as `run` and `analyze` do"),
    OPTION_CHOICE(CheckOptions, format, "--format", TABLE_FORMATS, TABLE_TEXT,
                  "how to print the table of --resolved"),
};

enum { FILE_COLUMN, PLAYER, KEY, VALUE, FROM };
static const TableColumn COLUMNS[] = {
    {"file", COLUMN_TEXT, 0, NULL}, {"player", COLUMN_TEXT, 0, NULL},
    {"key", COLUMN_TEXT, 0, NULL},  {"value", COLUMN_TEXT, 0, NULL},
    {"from", COLUMN_TEXT, 0, NULL},
};

// Our own players must be able to sit down; programs are not started here (`gomolab check-engine`).
static Status check_seats(const Experiment *experiment, ErrorText *err) {
    Status status = STATUS_OK;
    for (int i = 0; i < experiment->player_count && status == STATUS_OK; i++) {
        if (experiment->players[i].external.command)
            continue;
        status = engine_seat_check(experiment, i, err);
        if (status)
            error_wrap(err, status, "%s", experiment->path);
    }
    return status;
}

// What `run` would refuse before its first game is refused here: openings, repeated games, players.
static Status check_plan(const Experiment *experiment, ErrorText *err) {
    Plan plan;
    // Without limits: valid means that the whole plan can be played, not a part of it.
    PlanLimits limits = {0};
    Status status = plan_init(&plan, experiment, &limits, err);
    if (status)
        return status;
    status = plan_check_duplicates(&plan, err);
    if (status)
        error_wrap(err, status, "%s", experiment->path);
    plan_release(&plan);
    return status ? status : check_seats(experiment, err);
}

// What a file is, is judged by its keys, as `run`, `tune` and `verify` are told by the user: a tune
// has knobs, a verification candidates, an experiment players; what is left is a player.
static Status check_file(const char *path, const CheckOptions *options, ConfigListing *listing,
                         ErrorText *err) {
    ConfigKind kind;
    bool is_verification = false, is_tune = false;
    Status status = config_kind(path, &kind, err);
    if (!status)
        status = verify_config_is(path, &is_verification, err);
    if (!status)
        status = config_tune_is(path, &is_tune, err);
    if (status)
        return status;
    // Before the verification: a tune has `player` at its root as well.
    if (is_tune) {
        TuneSpec spec = {0};
        status = config_load_tune(path, &options->sets, &spec, listing, err);
        tune_spec_release(&spec);
        return status;
    }
    if (is_verification)
        return verify_config_list(path, &options->sets, listing, err);
    if (kind == CONFIG_KIND_EXPERIMENT) {
        Experiment experiment = {0};
        status = config_load_experiment(path, &options->sets, &experiment, listing, err);
        if (status == STATUS_OK)
            status = check_plan(&experiment, err);
        experiment_release(&experiment);
    } else {
        PlayerSpec player = {0};
        status = config_load_player(path, &options->sets, &player, listing, err);
        player_spec_release(&player);
    }
    return status;
}

static void add_entries(Table *table, const char *path, const ConfigListing *listing) {
    for (int i = 0; i < listing->count; i++) {
        const ConfigEntry *entry = &listing->entries[i];
        table_row(table);
        table_set_text(table, FILE_COLUMN, path);
        table_set_text(table, PLAYER, entry->player);
        table_set_text(table, KEY, entry->key);
        table_set_text(table, VALUE, entry->value);
        table_set_text(table, FROM, entry->origin);
    }
}

static int run(const void *values) {
    const CheckOptions *options = values;
    Table *table = table_new(COLUMNS, ARRAY_LEN(COLUMNS));
    ErrorText err = {0};
    int result = EXIT_DONE;
    if (!table)
        return command_fail(error_set(&err, STATUS_NO_MEMORY, "out of memory"), &err);
    for (int i = 0; i < options->files.count; i++) { // every bad file is named, not the first only
        const char *path = options->files.items[i];
        ConfigListing listing = {0};
        Status status = check_file(path, options, &listing, &err);
        if (status == STATUS_OK && listing.failed)
            status = error_set(&err, STATUS_NO_MEMORY, "%s: out of memory", path);
        if (status) {
            int failed = command_fail(status, &err);
            // The worst of them; the table of the good ones is printed all the same.
            result = failed > result ? failed : result;
        } else if (options->resolved) {
            add_entries(table, path, &listing);
        } else {
            printf("%s: ok\n", path);
        }
        config_listing_release(&listing);
    }
    Status status = options->resolved && table_row_count(table)
                        ? table_print(table, (TableFormat)options->format, stdout, &err)
                        : STATUS_OK;
    table_free(table);
    return status ? command_fail(status, &err) : result;
}

const Command command_check = {
    .name = "check",
    .summary = "is this configuration valid? --resolved: every key and where it came from",
    .details = "exit status: 0 all are valid, 2 one is not (one line on standard error for each)\n",
    .options = {.rows = OPTIONS, .count = ARRAY_LEN(OPTIONS)},
    .values_size = sizeof(CheckOptions),
    .run = run,
};
