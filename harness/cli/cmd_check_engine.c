// SPDX-License-Identifier: GPL-3.0-or-later
// `gomolab check-engine`: tries the protocol on an engine before a night is spent on it.
#include "engine/base/check.h"
#include "harness/cli/command.h"
#include "harness/cli/config.h"
#include "harness/cli/file_path.h"
#include "harness/play/engine_check.h"
#include "harness/report/table.h"

#include <stdlib.h>
#include <string.h>

typedef struct CheckEngineOptions {
    OptionList command;
    int64_t board, move_ms, margin_ms, start_ms, end_ms;
    int format;
} CheckEngineOptions;

static const Option OPTIONS[] = {
    OPTION_ARGS(CheckEngineOptions, command, "COMMAND",
                "the engine and its arguments (after `--` when they begin with a dash), or a "
                "player's YAML file"),
    OPTION_INT(CheckEngineOptions, board, "--board", "N", 15, 9, 22, NULL,
               "the size of board to try most on"),
    OPTION_INT(CheckEngineOptions, move_ms, "--move-ms", "MS", 500, 10, 60000, NULL,
               "the limit a move to try"),
    OPTION_INT(CheckEngineOptions, margin_ms, "--margin", "MS", 50, 0, 60000, NULL,
               "the overrun to tolerate"),
    OPTION_INT(CheckEngineOptions, start_ms, "--start-ms", "MS", 10000, 1, 600000, NULL,
               "the time to wait for OK to START"),
    OPTION_INT(CheckEngineOptions, end_ms, "--end-ms", "MS", 1000, 1, 600000, NULL,
               "the time to wait after END"),
    OPTION_CHOICE(CheckEngineOptions, format, "--format", TABLE_FORMATS, TABLE_TEXT,
                  "how to print the table"),
};

enum { CHECK_NAME, VERDICT, FOUND };
static const TableColumn COLUMNS[] = {
    {"check", COLUMN_TEXT, 0, NULL},
    {"verdict", COLUMN_TEXT, 0, NULL},
    {"found", COLUMN_TEXT, 0, NULL},
};

// By the ending: a file without it is a program, and what is in it is not looked at.
static bool is_yaml(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

// The engine that the arguments mean. `player` owns what it needs; its args are borrowed when they
// come from the command.
static Status find_engine(const CheckEngineOptions *options, PlayerSpec *player, ExternalSpec *out,
                          ErrorText *err) {
    const char *command = options->command.items[0];
    if (is_yaml(command)) {
        Status status = config_load_player(command, NULL, player, NULL, err);
        if (!status && !player->external.command)
            status = error_set(err, STATUS_INVALID, "%s: not an external engine", command);
        *out = player->external;
        return status;
    }
    player->external.command = path_find_program(command);
    if (!player->external.command)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    *out = player->external;
    // Borrowed from argv: `player` owns the command only and must not free these.
    out->args = (char **)options->command.items + 1;
    out->arg_count = options->command.count - 1;
    return STATUS_OK;
}

static int run(const void *values) {
    const CheckEngineOptions *options = values;
    ErrorText err = {0};
    PlayerSpec player = {0};
    ExternalSpec engine = {0};
    // Problems are counted, notes are not: a note loses no game.
    Finding findings[ENGINE_CHECK_MAX];
    int count = 0, problems = 0;
    Table *table = table_new(COLUMNS, ARRAY_LEN(COLUMNS));
    Status status = table ? find_engine(options, &player, &engine, &err)
                          : error_set(&err, STATUS_NO_MEMORY, "out of memory");
    // An engine that fails every check is still a table; only one that cannot be tried is an error.
    if (!status) {
        EngineCheckSetup setup = {&engine,           (int)options->board,
                                  options->move_ms,  options->margin_ms,
                                  options->start_ms, options->end_ms};
        status = engine_check(&setup, findings, &count, &err);
    }
    for (int i = 0; i < count; i++) {
        table_row(table);
        table_set_text(table, CHECK_NAME, findings[i].check);
        table_set_text(table, VERDICT, finding_kind_name(findings[i].kind));
        table_set_text(table, FOUND, findings[i].text);
        problems += findings[i].kind == FINDING_PROBLEM;
    }
    if (!status)
        status = table_print(table, (TableFormat)options->format, stdout, &err);
    table_free(table);
    player_spec_release(&player);
    if (status)
        return command_fail(status, &err);
    return problems ? EXIT_ANSWER_NO : EXIT_DONE;
}

const Command command_check_engine = {
    .name = "check-engine",
    .summary = "try the Gomocup protocol on an engine",
    .details =
        "Starts, sizes, rules, clocks, BOARD in and out of order, RESTART, END, output before "
        "START, bytes that are\n"
        "no text, CPU used while not on move. A problem is what would lose games, a note what is "
        "good to know.\n"
        "Exit status 0: no problem; 1: a problem was found; 3: the engine cannot be executed.\n",
    .options = {.rows = OPTIONS, .count = ARRAY_LEN(OPTIONS)},
    .values_size = sizeof(CheckEngineOptions),
    .run = run,
};
