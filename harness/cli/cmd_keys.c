// SPDX-License-Identifier: GPL-3.0-or-later
// `gomolab keys`: every knob of a player, as its table declares it.
#include "engine/base/check.h"
#include "engine/base/knob.h"
#include "harness/cli/command.h"
#include "harness/report/table.h"

#include <string.h>

typedef struct KeysOptions {
    const char *prefix;
    int format;
} KeysOptions;

static const Option OPTIONS[] = {
    OPTION_ARG_OPTIONAL(KeysOptions, prefix, "PREFIX", "only the keys that begin with it"),
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
    if (knob->step > 0)
        table_set_real(table, STEP, knob->step);
    table_set_text(table, EXACT_COLUMN, EXACT_NAMES[knob->exact]);
    table_set_text(table, MEANING, knob->meaning);
    text_release(&range);
}

static int run(const void *values) {
    const KeysOptions *options = values;
    ErrorText err = {0};
    Table *table = table_new(COLUMNS, ARRAY_LEN(COLUMNS));
    if (!table)
        return command_fail(error_set(&err, STATUS_NO_MEMORY, "out of memory"), &err);
    KnobSet defaults = knob_defaults();
    Text value = {0};
    for (int i = 0; i < KNOB_NB; i++) {
        const KnobInfo *knob = knob_info((KnobId)i);
        if (options->prefix && strncmp(knob->key, options->prefix, strlen(options->prefix)) != 0)
            continue;
        text_clear(&value);
        knob_write_text(&defaults, (KnobId)i, &value);
        add_knob(table, knob, text_cstr(&value));
    }
    Status status;
    if (table_row_count(table) == 0) {
        const char *near = knob_nearest_key(options->prefix);
        status = error_set(&err, STATUS_NOT_FOUND, "gomolab keys: no key begins with '%s'%s%s%s",
                           options->prefix, near ? ", nearest is '" : "", near ? near : "",
                           near ? "'" : "");
    } else {
        status = table_print(table, (TableFormat)options->format, stdout, &err);
    }
    text_release(&value);
    table_free(table);
    return status ? command_fail(status, &err) : EXIT_DONE;
}

const Command command_keys = {
    .name = "keys",
    .summary = "list every knob of a player: default, range, meaning",
    .details =
        "exact: yes = changing it keeps the value of plain minimax; no = it is another search;\n"
        "defines = it says what minimax means, so that both sides of a comparison must share it\n",
    .options = {OPTIONS, ARRAY_LEN(OPTIONS)},
    .values_size = sizeof(KeysOptions),
    .run = run,
};
