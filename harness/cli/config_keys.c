// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of a struct from and to text, by a table of keys.
#include "harness/cli/config_keys.h"

#include "engine/base/check.h"
#include "engine/base/nearest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Linear, like every look-up here: tables have some dozens of rows, and files hardly more keys.
int config_key_find(ConfigKeyTable table, const char *key) {
    for (int i = 0; i < table.count; i++)
        if (strcmp(table.rows[i].key, key) == 0)
            return i;
    return -1;
}

// By the names of the rows: groups have no rows of their own that could be forgotten.
bool config_key_is_group(ConfigKeyTable table, const char *key) {
    size_t length = strlen(key);
    for (int i = 0; i < table.count; i++)
        if (strncmp(table.rows[i].key, key, length) == 0 && table.rows[i].key[length] == '.')
            return true;
    return false;
}

Status config_key_unknown(ConfigKeyTable table, ConfigKeyTable more, const Setting *setting,
                          ErrorText *err) {
    enum { NAMES_MAX = 256 };
    const char *names[NAMES_MAX];
    size_t count = 0;
    CHECK(table.count + more.count <= NAMES_MAX);
    for (int i = 0; i < table.count; i++)
        names[count++] = table.rows[i].key;
    for (int i = 0; i < more.count; i++)
        names[count++] = more.rows[i].key;
    // Told apart from a typing error: the key was found, but what stands behind it has the wrong
    // shape.
    for (int i = 0; i < table.count; i++) { // "base.preset" where `base` takes no keys
        size_t length = strlen(names[i]);
        if (strncmp(setting->key, names[i], length) != 0 || setting->key[length] != '.')
            continue;
        Text expected = {0};
        config_key_write_expected(&table.rows[i], &expected);
        Status status =
            setting_key_error(setting, err, "%s: a map with key '%s', expected %s", names[i],
                              setting->key + length + 1, text_cstr(&expected));
        text_release(&expected);
        return status;
    }
    const char *list = more.count > 0 ? NULL : table.list; // the others are knobs
    char otherwise[80];
    snprintf(otherwise, sizeof otherwise, "; `gomolab keys%s%s` lists them", list ? " " : "",
             list ? list : "");
    return setting_key_error(setting, err, "unknown key '%s'%s", setting->key,
                             nearest_hint(setting->key, names, count, otherwise).text);
}

void config_key_write_expected(const ConfigKey *row, Text *out) {
    switch (row->type) {
    case CONFIG_INT:
    case CONFIG_INT64:
    case CONFIG_REAL:
        text_append(out, row->type == CONFIG_REAL ? "a number " : "a whole number ");
        text_append_double(out, row->low);
        text_append(out, "..");
        text_append_double(out, row->high);
        break;
    case CONFIG_SEED:
        text_append(out, "a whole number 0..18446744073709551615");
        break;
    case CONFIG_BOOL:
    case CONFIG_CHOICE:
        text_printf(out, "%s%s", row->choices ? "one of " : "",
                    row->choices ? row->choices : "yes or no");
        break;
    case CONFIG_TEXT:
        text_append(out, "text");
        break;
    case CONFIG_SPECIAL:
        text_append(out, row->choices);
        break;
    }
}

// All 64 bits, which text_parse_int does not reach.
static bool seed_parse(const char *text, uint64_t *out) {
    size_t length = strlen(text);
    if (length == 0 || length > 20 || strspn(text, "0123456789") != length)
        return false;
    uint64_t value = 0;
    for (const char *c = text; *c; c++) {
        uint64_t digit = (uint64_t)(*c - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

static bool text_replace(char **field, const char *text) {
    char *copy = strdup(text);
    if (!copy)
        return false;
    free(*field);
    *field = copy;
    return true;
}

// False: the text is no value of the row. Out of memory is told by *no_memory.
// Writes the field only when the text is a value of it: callers rely on that for "untouched on
// failure".
static bool row_parse(const ConfigKey *row, const char *text, void *object, bool *no_memory) {
    void *field = (char *)object + row->offset;
    int64_t whole;
    switch (row->type) {
    case CONFIG_INT:
        if (!text_parse_int(text, (int64_t)row->low, (int64_t)row->high, &whole))
            return false;
        *(int *)field = (int)whole;
        return true;
    case CONFIG_INT64:
        return text_parse_int(text, (int64_t)row->low, (int64_t)row->high, field);
    case CONFIG_SEED:
        return seed_parse(text, field);
    case CONFIG_REAL:
        return text_parse_double(text, row->low, row->high, field);
    case CONFIG_BOOL:
        // Bools with words of their own take these and no others, so that `logistic: yes` is
        // refused.
        if (!row->choices)
            return text_parse_bool(text, field);
        if (text_choice_find(row->choices, text) < 0)
            return false;
        *(bool *)field = text_choice_find(row->choices, text) == 1;
        return true;
    case CONFIG_CHOICE:
        if (text_choice_find(row->choices, text) < 0)
            return false;
        // Enums of rows are as large as an int, which CONFIG_ROW_CHOICE refuses to compile without.
        *(int *)field = text_choice_find(row->choices, text);
        return true;
    case CONFIG_TEXT:
        *no_memory = !text_replace(field, text);
        return !*no_memory;
    case CONFIG_SPECIAL:
        break;
    }
    CHECK(row->type != CONFIG_SPECIAL);
    return false;
}

Status config_keys_default(ConfigKeyTable table, void *object, ErrorText *err) {
    for (int i = 0; i < table.count; i++) {
        const ConfigKey *row = &table.rows[i];
        bool no_memory = false;
        if (row->type == CONFIG_SPECIAL || !row->default_text)
            continue;
        bool done = row_parse(row, row->default_text, object, &no_memory);
        if (no_memory)
            return error_set(err, STATUS_NO_MEMORY, "out of memory");
        // A default that is no value of its own row is a mistake in the table, not in a file.
        CHECK(done); // the table contradicts itself
    }
    return STATUS_OK;
}

// Is the value one of a list of words? (The choices of a special are a sentence.)
static bool has_words(const ConfigKey *row) {
    return row->choices && (row->type == CONFIG_CHOICE || row->type == CONFIG_BOOL);
}

Status config_key_set(const ConfigKey *row, const Setting *setting, void *object, ErrorText *err) {
    Text expected = {0};
    const char *text;
    bool no_memory = false;
    // Made before it is needed: a map or a list in the place of a value is refused with it, too.
    config_key_write_expected(row, &expected);
    Status status = setting_text(setting, text_cstr(&expected), &text, err);
    if (status == STATUS_OK && !row_parse(row, text, object, &no_memory)) {
        if (no_memory)
            status = error_set(err, STATUS_NO_MEMORY, "out of memory");
        else
            status =
                setting_error(setting, err, STATUS_INVALID, "%s: '%.60s', expected %s%s", row->key,
                              text, text_cstr(&expected),
                              has_words(row) ? nearest_choice_hint(text, row->choices).text : "");
    }
    text_release(&expected);
    return status;
}

void config_key_write(const ConfigKey *row, const void *object, Text *out) {
    const void *field = (const char *)object + row->offset;
    const char *start;
    size_t length;
    int index;
    switch (row->type) {
    case CONFIG_INT:
        text_printf(out, "%d", *(const int *)field);
        break;
    case CONFIG_INT64:
        text_printf(out, "%" PRId64, *(const int64_t *)field);
        break;
    case CONFIG_SEED:
        text_printf(out, "%" PRIu64, *(const uint64_t *)field);
        break;
    // The shortest text that reads back to the same bits: stored configurations are compared as
    // text.
    case CONFIG_REAL:
        text_append_double(out, *(const double *)field);
        break;
    case CONFIG_BOOL:
    case CONFIG_CHOICE:
        index = row->type == CONFIG_BOOL ? *(const bool *)field : *(const int *)field;
        // YAML's own words, though `yes` and `no` are read as well.
        length = text_choice_at(row->choices ? row->choices : "false|true", index, &start);
        text_append_bytes(out, start, length);
        break;
    case CONFIG_TEXT:
        text_append(out, *(char *const *)field ? *(char *const *)field : "");
        break;
    case CONFIG_SPECIAL:
        break;
    }
}
