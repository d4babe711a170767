// SPDX-License-Identifier: GPL-3.0-or-later
// Parsing argv by a table of options, and the help that the same table gives.
#include "harness/cli/options.h"

#include "engine/base/check.h"
#include "engine/base/nearest.h"

#include <stdlib.h>
#include <string.h>

static bool row_is_argument(const Option *row) { return row->name[0] != '-'; }
static void *row_field(const Option *row, void *values) { return (char *)values + row->offset; }

// "Not given" is the initial value of the row, which may lie outside its range.
static void values_reset(const OptionTable *table, void *values) {
    for (int i = 0; i < table->count; i++) {
        const Option *row = &table->rows[i];
        void *field = row_field(row, values);
        switch (row->type) {
        case OPTION_TYPE_FLAG:
            *(bool *)field = false;
            break;
        case OPTION_TYPE_INT:
            *(int64_t *)field = (int64_t)row->initial;
            break;
        case OPTION_TYPE_REAL:
            *(double *)field = row->initial;
            break;
        case OPTION_TYPE_TEXT:
            *(const char **)field = NULL;
            break;
        case OPTION_TYPE_CHOICE:
            *(int *)field = (int)row->initial;
            break;
        case OPTION_TYPE_LIST:
            *(OptionList *)field = (OptionList){0};
            break;
        }
    }
}

// One by one: command lines are short.
static Status list_append(OptionList *list, const char *item, ErrorText *err) {
    const char **items = realloc(list->items, ((size_t)list->count + 1) * sizeof *items);
    if (!items)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    list->items = items;
    list->items[list->count++] = item;
    return STATUS_OK;
}

// What does not fit leaves the field as it was, except a choice, which is -1 then: the command is
// not run.
static Status row_set(const Option *row, const char *text, void *values, ErrorText *err) {
    void *field = row_field(row, values);
    switch (row->type) {
    case OPTION_TYPE_FLAG:
        *(bool *)field = true;
        return STATUS_OK;
    case OPTION_TYPE_INT:
        if (text_parse_int(text, (int64_t)row->low, (int64_t)row->high, field))
            return STATUS_OK;
        return error_set(err, STATUS_INVALID, "%s: '%s', expected a whole number %.0f..%.0f",
                         row->name, text, row->low, row->high);
    case OPTION_TYPE_REAL:
        if (text_parse_double(text, row->low, row->high, field))
            return STATUS_OK;
        return error_set(err, STATUS_INVALID, "%s: '%s', expected a number %g..%g", row->name, text,
                         row->low, row->high);
    case OPTION_TYPE_TEXT:
        *(const char **)field = text;
        return STATUS_OK;
    case OPTION_TYPE_CHOICE:
        *(int *)field = text_choice_find(row->choices, text);
        if (*(int *)field >= 0)
            return STATUS_OK;
        return error_set(err, STATUS_INVALID, "%s: '%s', expected one of %s%s", row->name, text,
                         row->choices, nearest_choice_hint(text, row->choices).text);
    case OPTION_TYPE_LIST:
        return list_append(field, text, err);
    }
    return STATUS_INVALID;
}

// By the whole name: no abbreviations, which would change their meaning with every new option.
static const Option *row_find(const OptionTable *table, const char *name, size_t length) {
    for (int i = 0; i < table->count; i++) {
        const Option *row = &table->rows[i];
        if (!row_is_argument(row) && strlen(row->name) == length &&
            strncmp(row->name, name, length) == 0)
            return row;
    }
    return NULL;
}

enum { OPTIONS_MAX = 64 };

static Status unknown_option(const OptionTable *table, const char *word, size_t length,
                             ErrorText *err) {
    char name[80];
    const char *names[OPTIONS_MAX];
    size_t count = 0;
    CHECK(table->count < OPTIONS_MAX);
    for (int i = 0; i < table->count; i++)
        if (!row_is_argument(&table->rows[i]))
            names[count++] = table->rows[i].name;
    names[count++] = "--help";
    if (length >= sizeof name)
        length = sizeof name - 1;
    memcpy(name, word, length);
    name[length] = '\0';
    return error_set(err, STATUS_INVALID, "unknown option '%s'%s", name,
                     nearest_hint(name, names, count, "; --help lists them").text);
}

// Reads the option at argv[*index]; *index is left at the last word that belongs to it.
static Status option_read(const OptionTable *table, int argc, char **argv, int *index, void *values,
                          ErrorText *err) {
    const char *word = argv[*index];
    // The first =; values may hold more of them.
    size_t length = strcspn(word, "=");
    const char *value = word[length] == '=' ? word + length + 1 : NULL;
    const Option *row = row_find(table, word, length);
    if (!row)
        return unknown_option(table, word, length, err);
    if (row->type == OPTION_TYPE_FLAG) {
        if (value)
            return error_set(err, STATUS_INVALID, "%s takes no value", row->name);
    } else if (!value) {
        // A word that is an option itself is no value; `--opt=--word` says that it is meant.
        if (*index + 1 >= argc || strncmp(argv[*index + 1], "--", 2) == 0)
            return error_set(err, STATUS_INVALID, "%s needs a value: %s", row->name,
                             row->value_name ? row->value_name : row->choices);
        value = argv[++*index];
    }
    Status status = row_set(row, value, values, err);
    // Exactly so many words, so that the next argument is not taken for one of them.
    for (int left = (int)row->low; row->type == OPTION_TYPE_LIST && left > 1 && !status; left--) {
        if (*index + 1 >= argc || strncmp(argv[*index + 1], "--", 2) == 0)
            return error_set(err, STATUS_INVALID, "%s needs %d values: %s", row->name,
                             (int)row->low, row->value_name);
        status = row_set(row, argv[++*index], values, err);
    }
    return status;
}

// The row that takes the next argument: the `taken`th, or the last when it is a list; NULL: none is
// left.
static const Option *argument_row(const OptionTable *table, int taken) {
    const Option *last = NULL;
    for (int i = 0; i < table->count; i++)
        if (row_is_argument(&table->rows[i])) {
            last = &table->rows[i];
            if (taken-- == 0)
                return last;
        }
    return last && last->type == OPTION_TYPE_LIST ? last : NULL;
}

// Names in a table of needs are the programmer's: one that is missing is a mistake in the table.
static const Option *row_named(const OptionTable *table, const char *name) {
    const Option *row = row_find(table, name, strcspn(name, "="));
    CHECK(row);
    return row;
}

// Are the options there that the given ones need? given[i]: row i was.
// An option that would do nothing is a mistake that the user should hear of.
static Status needs_check(const OptionTable *table, const bool *given, const void *values,
                          ErrorText *err) {
    for (int i = 0; i < table->need_count; i++) {
        const OptionNeed *need = &table->needs[i];
        const Option *needed = row_named(table, need->needs);
        const char *choice = strchr(need->needs, '=');
        bool is_met = choice ? *(const int *)((const char *)values + needed->offset) ==
                                   text_choice_find(needed->choices, choice + 1)
                             : given[needed - table->rows];
        if (given[row_named(table, need->option) - table->rows] && !is_met)
            return error_set(err, STATUS_INVALID, "%s does nothing without %s%s%s", need->option,
                             needed->name, choice ? " " : "", choice ? choice + 1 : "");
    }
    return STATUS_OK;
}

// Anywhere before `--`: who asks for help gets it, even behind a mistake.
static bool wants_help(int argc, char **argv) {
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

Status options_parse(const OptionTable *table, int argc, char **argv, void *values,
                     ErrorText *err) {
    values_reset(table, values);
    if (wants_help(argc, argv))
        return STATUS_STOPPED;
    int taken = 0;
    bool only_arguments = false, given[OPTIONS_MAX] = {false};
    CHECK(table->count <= OPTIONS_MAX);
    for (int i = 0; i < argc; i++) {
        if (!only_arguments && strcmp(argv[i], "--") == 0) {
            only_arguments = true;
            continue;
        }
        // A single dash is an argument: standard input.
        bool is_option = !only_arguments && argv[i][0] == '-' && argv[i][1] != '\0';
        Status status;
        if (is_option) {
            const Option *row = row_find(table, argv[i], strcspn(argv[i], "="));
            // An unknown option marks nothing; option_read refuses it in the next line.
            given[row ? row - table->rows : 0] = row != NULL;
            status = option_read(table, argc, argv, &i, values, err);
        } else {
            const Option *row = argument_row(table, taken++);
            status = row ? row_set(row, argv[i], values, err)
                         : error_set(err, STATUS_INVALID, "one argument too many: '%s'", argv[i]);
        }
        if (status)
            return status;
    }
    // Arguments are counted in the order of the rows, so that the first that got no word is named.
    for (int i = 0, seen = 0; i < table->count; i++)
        if (row_is_argument(&table->rows[i]) && seen++ >= taken && !table->rows[i].is_optional)
            return error_set(err, STATUS_INVALID, "%s is missing: %s", table->rows[i].name,
                             table->rows[i].help);
    return needs_check(table, given, values, err);
}

void options_release(const OptionTable *table, void *values) {
    for (int i = 0; i < table->count; i++)
        if (table->rows[i].type == OPTION_TYPE_LIST) {
            OptionList *list = row_field(&table->rows[i], values);
            free(list->items);
            *list = (OptionList){0};
        }
}

// --- help ------------------------------------------------------------------------------

static void row_write_name(const Option *row, Text *out) {
    text_append(out, row->name);
    if (!row_is_argument(row) && row->type != OPTION_TYPE_FLAG)
        text_printf(out, " %s", row->value_name ? row->value_name : row->choices);
}

void options_write_usage(const OptionTable *table, Text *out) {
    const char *gap = "";
    for (int pass = 0; pass < 2; pass++) // arguments, then options
        for (int i = 0; i < table->count; i++) {
            const Option *row = &table->rows[i];
            if (row_is_argument(row) != (pass == 0))
                continue;
            text_printf(out, "%s%s", gap, row->is_optional ? "[" : "");
            row_write_name(row, out);
            text_append(out, row->is_optional ? "]" : "");
            text_append(out, row->type == OPTION_TYPE_LIST && row->low < 1 ? "..." : "");
            gap = " ";
        }
}

// " (1..1024, default all cores)", or nothing.
static void row_write_range(const Option *row, Text *out) {
    const char *start = NULL;
    const char *gap = " (";
    if (row->type == OPTION_TYPE_INT || row->type == OPTION_TYPE_REAL) {
        text_append(out, gap);
        text_append_double(out, row->low);
        text_append(out, "..");
        text_append_double(out, row->high);
        gap = ", ";
    }
    if (row->type == OPTION_TYPE_CHOICE) {
        size_t length = text_choice_at(row->choices, (int)row->initial, &start);
        text_printf(out, "%sdefault %.*s", gap, (int)length, start);
        gap = ", ";
    } else if (row->default_text) {
        text_printf(out, "%sdefault %s", gap, row->default_text);
        gap = ", ";
    } else if (row->type == OPTION_TYPE_INT || row->type == OPTION_TYPE_REAL) {
        text_printf(out, "%sdefault ", gap);
        text_append_double(out, row->initial);
    }
    if (row->type == OPTION_TYPE_LIST && !row_is_argument(row) && row->low < 1) {
        text_printf(out, "%smay be repeated", gap);
        gap = ", ";
    }
    text_append(out, gap[0] == ',' ? ")" : "");
}

void options_write_help(const OptionTable *table, Text *out) {
    Text name = {0};
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < table->count; i++) {
            const Option *row = &table->rows[i];
            if (row_is_argument(row) != (pass == 0))
                continue;
            text_clear(&name);
            row_write_name(row, &name);
            text_printf(out, "  %-24s%s%s", text_cstr(&name),
                        name.length >= 24 ? "\n                          " : "", row->help);
            row_write_range(row, out);
            text_append(out, "\n");
        }
    text_printf(out, "  %-24sprint this and stop\n", "--help");
    text_release(&name);
}
