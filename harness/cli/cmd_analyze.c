// SPDX-License-Identifier: GPL-3.0-or-later
// `gomolab analyze`: static value, search value, best move and cost of single positions.
#include "engine/base/check.h"
#include "engine/base/rng.h"
#include "engine/engine.h"
#include "harness/cli/command.h"
#include "harness/cli/config.h"
#include "harness/cli/position_input.h"
#include "harness/report/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct AnalyzeOptions {
    const char *player;
    PositionInput input;
    OptionList set;
    bool as_played;
    int64_t seed;
    int format;
} AnalyzeOptions;

static const Option OPTIONS[] = {
    OPTION_ARG(AnalyzeOptions, player, "PLAYER", "the player's configuration"),
    POSITION_INPUT_OPTIONS(AnalyzeOptions, input),
    OPTION_LIST(AnalyzeOptions, set, "--set", "KEY=VALUE", "change a knob of the player"),
    OPTION_FLAG(AnalyzeOptions, as_played, "--as-played",
                "choose moves as in a game: play.* acts (randomness, pre-checks, first stone)"),
    OPTION_INT(AnalyzeOptions, seed, "--seed", "N", 1, 0, 1000000000, NULL,
               "start random numbers at N, with --as-played"),
    OPTION_CHOICE(AnalyzeOptions, format, "--format", TABLE_FORMATS, TABLE_TEXT,
                  "how to print the table"),
};

// The columns are a promise to scripts: names and order stay.
enum {
    ID,
    STATIC,
    VALUE,
    MOVE,
    DEPTH,
    NODES,
    INTERIOR,
    LEAVES,
    CUTOFFS,
    FIRST_CUTOFFS,
    TIME_US,
    PV
};
static const TableColumn COLUMNS[] = {
    {"id", COLUMN_TEXT, 0, NULL},      {"static", COLUMN_REAL, -1, NULL},
    {"value", COLUMN_REAL, -1, NULL},  {"move", COLUMN_TEXT, 0, NULL},
    {"depth", COLUMN_INT, 0, NULL},    {"nodes", COLUMN_INT, 0, NULL},
    {"interior", COLUMN_INT, 0, NULL}, {"leaves", COLUMN_INT, 0, NULL},
    {"cutoffs", COLUMN_INT, 0, NULL},  {"first_cutoffs", COLUMN_INT, 0, NULL},
    {"time_us", COLUMN_INT, 0, NULL},  {"pv", COLUMN_TEXT, 0, NULL},
};

static void add_row(Table *table, const Position *position, const Board *board,
                    const ThinkReport *report) {
    Text pv = {0};
    for (int i = 0; i < report->pv_length; i++)
        text_printf(&pv, "%s%s", i ? " " : "", notation_square(board, report->pv[i]).text);
    table_row(table);
    table_set_text(table, ID, position->id);
    table_set_real(table, STATIC, report->static_value);
    table_set_real(table, VALUE, report->value);
    table_set_text(table, MOVE, notation_square(board, report->move).text);
    table_set_int(table, DEPTH, report->cost.depth);
    table_set_int(table, NODES, (int64_t)report->cost.nodes);
    table_set_int(table, INTERIOR, (int64_t)report->cost.interior);
    table_set_int(table, LEAVES, (int64_t)report->cost.leaves);
    table_set_int(table, CUTOFFS, (int64_t)report->cost.cutoffs);
    table_set_int(table, FIRST_CUTOFFS, (int64_t)report->cost.first_cutoffs);
    table_set_int(table, TIME_US, report->cost.time_us);
    table_set_text(table, PV, report->pv_length ? text_cstr(&pv) : NULL);
    text_release(&pv);
}

// An engine of the position's size: the last one if it fits, else a new one in its place.
// Files may mix sizes; making an engine costs its tables, so that a run of positions of one size
// shares one.
static Status fitting_engine(const PlayerSpec *player, Rule rule, const Position *position,
                             Engine **engine, ErrorText *err) {
    if (*engine && engine_board(*engine)->width == position->width &&
        engine_board(*engine)->height == position->height)
        return STATUS_OK;
    EngineSetup setup = {&player->knobs, position->width,  position->height, 5,
                         rule,           clock_monotonic()};
    engine_free(*engine);
    *engine = NULL;
    Status status = engine_new(&setup, engine, err);
    // As before a game: the first position would else be searched in what page faults leave of its
    // time.
    if (!status && knob_int(&player->knobs, KNOB_SEARCH_TIME_MS))
        engine_claim_memory(*engine);
    return status;
}

static Status analyze(const AnalyzeOptions *options, const PlayerSpec *player, Rule rule,
                      const PositionList *positions, Table *table, ErrorText *err) {
    Engine *engine = NULL;
    Board *board = malloc(sizeof *board);
    Status status = board ? STATUS_OK : error_set(err, STATUS_NO_MEMORY, "no memory for a board");
    for (int i = 0; i < positions->count && !status; i++) {
        const Position *position = &positions->items[i];
        status = position_set_up(position, rule, 0, board, err);
        if (!status)
            status = fitting_engine(player, rule, position, &engine, err);
        if (!status) {
            // By the number of the position: a file gives the same answers whether it is analysed
            // whole or in parts that keep their order, and nothing learned from one position helps
            // with the next.
            engine_clear(engine, rng_mix((uint64_t)options->seed, (uint64_t)i));
            status = engine_set_position(engine, board, err);
        }
        // The first fault ends the analysis, named by line and position: answers with a hole in
        // them would be matched to the wrong positions.
        if (status) {
            status = position_input_fault(&options->input, position, status, err);
            break;
        }
        ThinkReport report;
        engine_think(engine, &(ThinkLimits){.as_played = options->as_played}, &report);
        add_row(table, position, board, &report);
    }
    engine_free(engine);
    free(board);
    return status;
}

static int run(const void *values) {
    const AnalyzeOptions *options = values;
    ErrorText err = {0};
    PlayerSpec player = {0};
    PositionList positions = {0};
    Rule rule = RULE_FREESTYLE;
    // Nothing is printed before all positions are answered: the table is as wide as its widest
    // cell.
    Table *table = table_new(COLUMNS, ARRAY_LEN(COLUMNS));
    Status status = table ? config_load_player(options->player, &options->set, &player, NULL, &err)
                          : error_set(&err, STATUS_NO_MEMORY, "out of memory");
    // What is shown here (static value, counters) is not part of the protocol of programs.
    if (!status && player.external.command)
        status = error_set(&err, STATUS_UNSUPPORTED,
                           "%s is an external program: only gomolab's own engine can be analysed",
                           options->player);
    if (!status)
        status = position_input_read(&options->input, "analyze", &positions, &rule, &err);
    if (!status)
        status = analyze(options, &player, rule, &positions, table, &err);
    if (!status)
        status = table_print(table, (TableFormat)options->format, stdout, &err);
    positions_release(&positions);
    player_spec_release(&player);
    table_free(table);
    return status ? command_fail(status, &err) : EXIT_DONE;
}

const Command command_analyze = {
    .name = "analyze",
    .summary = "show value, best move and cost of single positions",
    .details =
        "Values are from the mover's side. A file of positions is TSV with the columns `id` and\n"
        "`moves`, or `id`, `board` and `side`. No move is `-`; an infinite value is `inf`.\n",
    .options = {.rows = OPTIONS, .count = ARRAY_LEN(OPTIONS)},
    .values_size = sizeof(AnalyzeOptions),
    .run = run,
};
