// SPDX-License-Identifier: GPL-3.0-or-later
// `gomolab keys`: every knob of a player, as its table declares it; and the keys of the other
// tables.
#include "engine/base/check.h"
#include "engine/base/knob.h"
#include "harness/cli/command.h"
#include "harness/cli/config_draft.h"
#include "harness/cli/config_tune.h"
#include "harness/report/table.h"

#include <string.h>

typedef struct KeysOptions {
    const char *prefix;
    bool experiment, engine, tune;
    int format;
} KeysOptions;

static const Option OPTIONS[] = {
    OPTION_ARG_OPTIONAL(KeysOptions, prefix, "PREFIX", "only the keys that begin with it"),
    OPTION_FLAG(KeysOptions, experiment, "--experiment", "the keys of an experiment instead"),
    OPTION_FLAG(KeysOptions, engine, "--engine", "the keys of an external engine instead"),
    OPTION_FLAG(KeysOptions, tune, "--tune", "the keys of a tune instead"),
    OPTION_CHOICE(KeysOptions, format, "--format", TABLE_FORMATS, TABLE_TEXT,
                  "how to print the table"),
};

enum { KEY, TYPE, DEFAULT, RANGE, STEP, EXACT_COLUMN, MEANING };
static const TableColumn COLUMNS[] = {
    {"key", COLUMN_TEXT, 0, NULL},     {"type", COLUMN_TEXT, 0, NULL},
    {"default", COLUMN_TEXT, 0, NULL}, {"range", COLUMN_TEXT, 0, NULL},
    {"step", COLUMN_REAL, -1, NULL},   {"exact", COLUMN_TEXT, 0, NULL},
    {"meaning", COLUMN_TEXT, 0, NULL},
};

// The words of both tables follow the order of the enums KnobType and KnobExact.
static void add_knob(Table *table, const KnobInfo *knob, const char *default_text) {
    static const char *const TYPES[] = {"int", "real", "bool", "choice", "order"};
    static const char *const EXACT_NAMES[] = {"yes", "no", "defines"};
    Text range = {0};
    switch (knob->type) {
    case KNOB_TYPE_INT:
    case KNOB_TYPE_REAL:
        text_append_double(&range, knob->low);
        text_append(&range, "..");
        text_append_double(&range, knob->high);
        break;
    case KNOB_TYPE_BOOL:
        text_append(&range, "true|false");
        break;
    case KNOB_TYPE_CHOICE:
        text_append(&range, knob->choices);
        break;
    case KNOB_TYPE_ORDER:
        text_append(&range, "list of terms");
        break;
    }
    table_row(table);
    table_set_text(table, KEY, knob->key);
    table_set_text(table, TYPE, TYPES[knob->type]);
    table_set_text(table, DEFAULT, default_text);
    table_set_text(table, RANGE, text_cstr(&range));
    // No step: the tuner does not change it, and 0 would read as a size.
    if (knob->step > 0)
        table_set_real(table, STEP, knob->step);
    table_set_text(table, EXACT_COLUMN, EXACT_NAMES[knob->exact]);
    table_set_text(table, MEANING, knob->meaning);
    text_release(&range);
}

// A prefix and no pattern: keys are grouped by what stands before the dot.
static bool is_asked_for(const KeysOptions *options, const char *key) {
    return !options->prefix || strncmp(key, options->prefix, strlen(options->prefix)) == 0;
}

static void add_knobs(Table *table, const KeysOptions *options) {
    KnobSet defaults = knob_defaults();
    Text value = {0};
    for (int i = 0; i < KNOB_NB; i++) {
        if (!is_asked_for(options, knob_info((KnobId)i)->key))
            continue;
        text_clear(&value);
        knob_write_text(&defaults, (KnobId)i, &value);
        add_knob(table, knob_info((KnobId)i), text_cstr(&value));
    }
    text_release(&value);
}

// Keys that are no knobs: nothing to tune, nothing that minimax would ask about.
static void add_keys(Table *table, ConfigKeyTable keys, const KeysOptions *options) {
    // In the order of ConfigType. Both sizes of int and the seed are one kind for whoever writes a
    // file.
    static const char *const TYPES[] = {"int",  "int",    "int",  "real",
                                        "bool", "choice", "text", "map"};
    Text range = {0};
    for (int i = 0; i < keys.count; i++) {
        const ConfigKey *key = &keys.rows[i];
        if (!is_asked_for(options, key->key))
            continue;
        text_clear(&range);
        bool is_choice = key->type == CONFIG_BOOL && key->choices; // two words of its own
        config_key_write_expected(key, &range);
        table_row(table);
        table_set_text(table, KEY, key->key);
        table_set_text(table, TYPE, TYPES[is_choice ? CONFIG_CHOICE : key->type]);
        table_set_text(table, DEFAULT, key->default_text);
        table_set_text(table, RANGE, text_cstr(&range));
        table_set_text(table, MEANING, key->meaning);
    }
    text_release(&range);
}

// An empty table would look like an answer.
static Status no_such_key(const KeysOptions *options, ErrorText *err) {
    // The other tables are short enough to be listed whole.
    bool is_knob = !options->experiment && !options->engine && !options->tune;
    return error_set(err, STATUS_NOT_FOUND, "gomolab keys: no key begins with '%s'%s",
                     options->prefix, is_knob ? knob_nearest_hint(options->prefix, "").text : "");
}

static int run(const void *values) {
    const KeysOptions *options = values;
    ErrorText err = {0};
    if (options->experiment + options->engine + options->tune > 1)
        return command_usage(&command_keys,
                             "two of --experiment, --engine and --tune, expected one");
    Table *table = table_new(COLUMNS, ARRAY_LEN(COLUMNS));
    if (!table)
        return command_fail(error_set(&err, STATUS_NO_MEMORY, "out of memory"), &err);
    if (options->experiment)
        add_keys(table, config_experiment_keys(), options);
    else if (options->engine)
        add_keys(table, config_engine_keys(), options);
    else if (options->tune)
        add_keys(table, config_tune_keys(), options);
    else
        add_knobs(table, options);
    Status status = table_row_count(table) == 0
                        ? no_such_key(options, &err)
                        : table_print(table, (TableFormat)options->format, stdout, &err);
    table_free(table);
    return status ? command_fail(status, &err) : EXIT_DONE;
}

const Command command_keys = {
    .name = "keys",
    .summary = "list every knob of a player: default, range, meaning",
    .details =
        "exact: yes = changing it keeps the value of plain minimax; no = it is another search;\n"
        "defines = it says what minimax means, so that both sides of a comparison must share it\n",
    .options = {.rows = OPTIONS, .count = ARRAY_LEN(OPTIONS)},
    .values_size = sizeof(KeysOptions),
    .run = run,
};
