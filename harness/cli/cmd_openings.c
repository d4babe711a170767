// SPDX-License-Identifier: GPL-3.0-or-later
// `gomolab openings`: makes sets of openings, checks and describes them.
#include "engine/base/check.h"
#include "harness/cli/command.h"
#include "harness/cli/config.h"
#include "harness/cli/new_file.h"
#include "harness/play/opening_book.h"
#include "harness/play/opening_reader.h"
#include "harness/report/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Texts where NULL must tell "not given" from a value that happens to be the default.
typedef struct OpeningsOptions {
    int64_t generate, board;
    const char *check, *plies, *balance, *seed, *rule, *out;
    double bound;
    OptionList set;
    int rows, input, format;
} OpeningsOptions;

static const Option OPTIONS[] = {
    OPTION_INT(OpeningsOptions, generate, "--generate", "N", 0, 1, 10000000, "none",
               "make N openings, distinct up to the symmetries, none won at once"),
    OPTION_TEXT(OpeningsOptions, check, "--check", "FILE", "none", "describe the openings of FILE"),
    OPTION_TEXT(OpeningsOptions, plies, "--plies", "A..B", "3..8", "stones of an opening"),
    OPTION_TEXT(OpeningsOptions, balance, "--balance", "PLAYER", "none",
                "the player (a YAML file) whose value must be below the bound"),
    OPTION_REAL(OpeningsOptions, bound, "--bound", "V", 200, 0, 1e9, NULL,
                "|value| of the player must be below V"),
    OPTION_LIST(OpeningsOptions, set, "--set", "KEY=VALUE", "change a knob of the player"),
    OPTION_TEXT(OpeningsOptions, seed, "--seed", "S", "1", "seed of the random stones"),
    OPTION_INT(OpeningsOptions, board, "--board", "N", 15, 5, 22, NULL, "width and height"),
    OPTION_TEXT(OpeningsOptions, rule, "--rule", "RULE", "freestyle", "freestyle or standard"),
    OPTION_CHOICE(OpeningsOptions, rows, "--rows", "bottom|top", ROWS_BOTTOM,
                  "where row 1 lies in squares like h8, read and written"),
    OPTION_CHOICE(OpeningsOptions, input, "--input", "auto|pos|offset|psq|jsonl|tsv", OPENING_AUTO,
                  "format of the file to check"),
    OPTION_TEXT(OpeningsOptions, out, "--out", "FILE", "standard output",
                "write the openings to FILE"),
    OPTION_CHOICE(OpeningsOptions, format, "--format", TABLE_FORMATS, TABLE_TEXT,
                  "how to print the description"),
};

// Making and describing share one table: without these rows half of the options would do nothing in
// the other mode, silently.
static const OptionNeed NEEDS[] = {
    {"--plies", "--generate"}, {"--seed", "--generate"}, {"--out", "--generate"},
    {"--input", "--check"},    {"--bound", "--balance"}, {"--set", "--balance"},
};

// A number alone is both ends: `--plies 6`.
static Status parse_plies(const char *text, OpeningBookSpec *spec, ErrorText *err) {
    char low[8] = "";
    const char *dots = strstr(text, "..");
    size_t length = dots ? (size_t)(dots - text) : strlen(text);
    int64_t from = 0, to = 0;
    if (length < sizeof low) {
        memcpy(low, text, length);
        if (text_parse_int(low, 0, 100, &from) &&
            text_parse_int(dots ? dots + 2 : low, from, 100, &to)) {
            spec->min_plies = (int)from;
            spec->max_plies = (int)to;
            return STATUS_OK;
        }
    }
    return error_set(err, STATUS_INVALID,
                     "--plies: '%s', expected A..B with 0 <= A <= B <= 100, as in 3..8", text);
}

// Half of the seeds of an experiment: enough to tell books apart, and text_parse_int knows no more.
static Status parse_seed(const char *text, uint64_t *out, ErrorText *err) {
    int64_t seed;
    if (!text_parse_int(text, 0, INT64_MAX, &seed))
        return error_set(err, STATUS_INVALID, "--seed: '%s', expected a whole number from 0", text);
    *out = (uint64_t)seed;
    return STATUS_OK;
}

// Always five in a row; an experiment with another number reads the file again by its own.
static Status start_set(const OpeningsOptions *options, OpeningSet *set, ErrorText *err) {
    Rule rule = RULE_FREESTYLE;
    if (options->rule && !rule_parse(options->rule, &rule))
        return error_set(err, STATUS_INVALID, "--rule: '%s', expected freestyle or standard",
                         options->rule);
    int side = (int)options->board;
    return opening_set_init(set, side, side, 5, rule, err);
}

// The player that judges; *judge stays NULL without --balance.
static Status load_judge(const OpeningsOptions *options, PlayerSpec *player, const KnobSet **judge,
                         ErrorText *err) {
    if (!options->balance)
        return STATUS_OK;
    Status status = config_load_player(options->balance, &options->set, player, NULL, err);
    if (!status && player->external.command)
        status = error_set(err, STATUS_UNSUPPORTED,
                           "%s: a program cannot be the judge, expected a player of our own",
                           options->balance);
    *judge = &player->knobs;
    return status;
}

// --- making --------------------------------------------------------------------------------------

static void write_lines(const OpeningsOptions *options, const OpeningSet *set, FILE *file) {
    Text text = {0};
    for (int64_t i = 0; i < set->count; i++) {
        text_clear(&text);
        opening_write_pos(set, i, options->rows == ROWS_TOP, &text);
        fprintf(file, "%s\n", text_cstr(&text));
    }
    text_release(&text);
}

// Opened when everything is made: a failed generation leaves the file of last time alone.
static Status write_out(const OpeningsOptions *options, const OpeningSet *set, ErrorText *err) {
    NewFile file = {0};
    Status status = options->out ? new_file_open(&file, options->out, err) : STATUS_OK;
    if (status)
        return status;
    write_lines(options, set, options->out ? file.stream : stdout); // command_main looks after that
    return new_file_close(&file, STATUS_OK, err);
}

static Status generate(const OpeningsOptions *options, OpeningSet *set, const KnobSet *judge,
                       ErrorText *err) {
    OpeningBookSpec spec = {.count = options->generate, .seed = 1, .judge = judge};
    spec.bound = options->bound;
    Status status = parse_plies(options->plies ? options->plies : "3..8", &spec, err);
    // An opening that fills the board leaves no move to play.
    if (!status && spec.max_plies >= set->width * set->height)
        status = error_set(err, STATUS_INVALID, "--plies: %d stones fill the board of %d cells",
                           spec.max_plies, set->width * set->height);
    if (!status && options->seed)
        status = parse_seed(options->seed, &spec.seed, err);
    if (!status)
        status = opening_book_generate(set, &spec, err);
    return status ? status : write_out(options, set, err);
}

// --- describing ----------------------------------------------------------------------------------

enum { PROPERTY, VALUE };
static const TableColumn COLUMNS[] = {
    {"property", COLUMN_TEXT, 0, NULL},
    {"value", COLUMN_REAL, -1, NULL},
};

static Status print_stats(const OpeningsOptions *options, const OpeningSet *set,
                          const OpeningBookStats *stats, ErrorText *err) {
    const struct {
        const char *name;
        double value;
        bool is_shown;
    } rows[] = {
        {"openings", (double)(stats->count + set->won), true},
        {"won", (double)set->won, true},
        {"plies_min", stats->min_plies, true},
        {"plies_mean", stats->mean_plies, true},
        {"plies_max", stats->max_plies, true},
        {"black_to_move", (double)stats->black_to_move, true},
        {"white_to_move", (double)(stats->count - stats->black_to_move), true},
        {"duplicates", (double)stats->duplicates, true},
        {"symmetric_duplicates", (double)stats->symmetric_duplicates, true},
        {"value_min", stats->min_value, stats->has_values},
        {"value_median", stats->median_value, stats->has_values},
        {"value_mean", stats->mean_value, stats->has_values},
        {"value_max", stats->max_value, stats->has_values},
        {"abs_value_mean", stats->mean_abs_value, stats->has_values},
        {"abs_value_max", stats->max_abs_value, stats->has_values},
        {"bound", options->bound, stats->has_values},
        {"beyond_bound", (double)stats->beyond_bound, stats->has_values},
    };
    Table *table = table_new(COLUMNS, ARRAY_LEN(COLUMNS));
    if (!table)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (rows[i].is_shown) {
            table_row(table);
            table_set_text(table, PROPERTY, rows[i].name);
            // Three digits behind the point: sums in another order must not change what is printed.
            table_set_real(table, VALUE, round(rows[i].value * 1000) / 1000);
        }
    Status status = table_print(table, (TableFormat)options->format, stdout, err);
    table_free(table);
    return status;
}

static Status check(const OpeningsOptions *options, OpeningSet *set, const KnobSet *judge,
                    ErrorText *err) {
    OpeningBookStats stats;
    set->skips_won = true; // all of them are counted before the first is reported
    Status status = opening_read_file(set, options->check, (OpeningFormat)options->input,
                                      (RowOrder)options->rows, err);
    if (!status)
        status = opening_book_describe(set, judge, options->bound, &stats, err);
    if (!status)
        status = print_stats(options, set, &stats, err);
    // The table was printed: it is of use all the same, and the exit status tells the rest.
    if (!status && set->won > 0) {
        *err = set->won_why;
        status =
            error_wrap(err, STATUS_INVALID, "%s:%lld", options->check, (long long)set->won_line);
    }
    return status;
}

static int run(const void *values) {
    const OpeningsOptions *options = values;
    ErrorText err = {0};
    OpeningSet set = {0};
    PlayerSpec player = {0};
    const KnobSet *judge = NULL;
    if ((options->generate > 0) == (options->check != NULL))
        return command_usage(&command_openings, "expected either --generate N or --check FILE");
    Status status = start_set(options, &set, &err);
    if (!status)
        status = load_judge(options, &player, &judge, &err);
    if (!status)
        status = options->check ? check(options, &set, judge, &err)
                                : generate(options, &set, judge, &err);
    opening_set_release(&set);
    player_spec_release(&player);
    return status ? command_fail(status, &err) : EXIT_DONE;
}

const Command command_openings = {
    .name = "openings",
    .summary = "make, check and describe sets of openings",
    .details =
        "Openings are written one a line in squares (h8i9j10), black first. Values are those "
        "of the player's\n"
        "search, from black's side. Duplicates are positions that stand earlier in the set, "
        "symmetric ones\n"
        "images of an earlier one as well. Exit status 2 when an opening cannot start a game.\n",
    .options = {OPTIONS, ARRAY_LEN(OPTIONS), NEEDS, ARRAY_LEN(NEEDS)},
    .values_size = sizeof(OpeningsOptions),
    .run = run,
};
