// SPDX-License-Identifier: GPL-3.0-or-later
// Fields by a table of keys: every type set, refused, written and read back; settings from files
// and from --set.
// sanitizers: asan
#include "engine/base/check.h"
#include "harness/cli/config_keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct Fields {
    int whole;
    int64_t large;
    uint64_t seed;
    double real;
    bool flag, side;
    enum { RED, GREEN, BLUE } colour;
    char *text;
} Fields;

static const ConfigKey ROWS[] = {
    CONFIG_ROW_INT(Fields, whole, "whole", "3", -5, 10, ""),
    CONFIG_ROW_INT64(Fields, large, "group.large", "0", 0, 1e15, ""),
    CONFIG_ROW_SEED(Fields, seed, "seed", "1", ""),
    CONFIG_ROW_REAL(Fields, real, "real", "0.5", 0, 2, ""),
    CONFIG_ROW_BOOL(Fields, flag, "flag", "no", ""),
    {"side", CONFIG_BOOL, offsetof(Fields, side), 0, 0, "left|right", "left", ""},
    CONFIG_ROW_CHOICE(Fields, colour, "colour", "green", "red|green|blue", ""),
    CONFIG_ROW_TEXT(Fields, text, "text", NULL, ""),
    CONFIG_ROW_SPECIAL("special", "whatever it likes", NULL, ""),
};
static const ConfigKeyTable TABLE = {ROWS, ARRAY_LEN(ROWS), "--things"};

typedef struct Bench {
    ConfigSource source;
    SettingList list;
    Fields fields;
    ErrorText err;
} Bench;

// Reads a text of one setting and sets its field.
static Status set(Bench *bench, const char *text) {
    ConfigFile *file;
    *bench = (Bench){.err = {""}};
    Status status =
        config_source_parse(&bench->source, "k.yaml", text, strlen(text), &file, &bench->err);
    if (!status)
        status = settings_flatten(file, file->yaml->root, (const char *[]){"special", NULL},
                                  &bench->list, &bench->err);
    if (!status)
        status = config_keys_default(TABLE, &bench->fields, &bench->err);
    for (int i = 0; i < bench->list.count && !status; i++) {
        int row = config_key_find(TABLE, bench->list.items[i].key);
        status =
            row < 0
                ? config_key_unknown(TABLE, (ConfigKeyTable){0}, &bench->list.items[i], &bench->err)
                : config_key_set(&ROWS[row], &bench->list.items[i], &bench->fields, &bench->err);
    }
    return status;
}

static void release(Bench *bench) {
    settings_release(&bench->list);
    config_source_release(&bench->source);
    free(bench->fields.text);
}

static void test_config_keys__defaults_are_those_of_the_table(void **state) {
    (void)state;
    Bench bench;
    assert_int_equal(set(&bench, ""), STATUS_OK);
    assert_int_equal(bench.fields.whole, 3);
    assert_int_equal(bench.fields.seed, 1);
    assert_true(bench.fields.real == 0.5);
    assert_false(bench.fields.flag || bench.fields.side);
    assert_int_equal(bench.fields.colour, GREEN);
    assert_null(bench.fields.text);
    release(&bench);
}

// Text in, the same canonical text out, and read back again.
static void test_config_keys__values_are_written_as_they_are_read(void **state) {
    (void)state;
    static const struct {
        const char *key, *text, *written;
    } CASES[] = {
        {"whole", "-5", "-5"},
        {"whole", "010", "10"},
        {"group.large", "1000000000000000", "1000000000000000"},
        {"seed", "18446744073709551615", "18446744073709551615"},
        {"real", "0.1", "0.1"},
        {"real", "2e0", "2"},
        {"flag", "Yes", "true"},
        {"flag", "off", "false"},
        {"side", "right", "right"},
        {"colour", "blue", "blue"},
        {"text", "'a: b'", "a: b"},
        {"text", "''", ""},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++)
        for (int again = 0; again < 2; again++) {
            Bench bench;
            Text yaml = {0}, out = {0};
            bool is_text = strcmp(CASES[i].key, "text") == 0;
            text_printf(&yaml, "%s: ", CASES[i].key);
            if (again && is_text)
                text_append_json(&yaml, CASES[i].written);
            else
                text_append(&yaml, again ? CASES[i].written : CASES[i].text);
            if (set(&bench, text_cstr(&yaml)))
                fail_msg("%s: %s", text_cstr(&yaml), bench.err.text);
            config_key_write(&ROWS[config_key_find(TABLE, CASES[i].key)], &bench.fields, &out);
            assert_string_equal(text_cstr(&out), CASES[i].written);
            text_release(&yaml);
            text_release(&out);
            release(&bench);
        }
}

static void test_config_keys__what_is_no_value_is_refused_with_what_was_expected(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } CASES[] = {
        {"whole: 11", "k.yaml:1:8: whole: '11', expected a whole number -5..10"},
        {"whole: 1.0", "k.yaml:1:8: whole: '1.0', expected a whole number -5..10"},
        {"whole: '1 '", "k.yaml:1:8: whole: '1 ', expected a whole number -5..10"},
        {"whole:", "k.yaml:1:7: whole: nothing, expected a whole number -5..10"},
        {"group: {large: -1}", "k.yaml:1:16: group.large: '-1', expected a whole number 0..1e+15"},
        {"seed: -1", "k.yaml:1:7: seed: '-1', expected a whole number 0..18446744073709551615"},
        {"seed: 18446744073709551616", "k.yaml:1:7: seed: '18446744073709551616', expected a who"},
        {"real: 2.1", "k.yaml:1:7: real: '2.1', expected a number 0..2"},
        {"real: nan", "k.yaml:1:7: real: 'nan', expected a number 0..2"},
        {"real: 0x1", "k.yaml:1:7: real: '0x1', expected a number 0..2"},
        {"flag: maybe", "k.yaml:1:7: flag: 'maybe', expected yes or no"},
        {"side: yes", "k.yaml:1:7: side: 'yes', expected one of left|right"},
        {"colour: Red",
         "k.yaml:1:9: colour: 'Red', expected one of red|green|blue, nearest is 'red'"},
        {"colour: red|green",
         "k.yaml:1:9: colour: 'red|green', expected one of red|green|blue, nearest is 'green'"},
        {"text: [a]", "k.yaml:1:7: text: a list, expected text"},
        {"colours: red", "k.yaml:1:1: unknown key 'colours', nearest is 'colour'"},
        {"whole: {part: 1}", "k.yaml:1:9: whole: a map with key 'part', expected a whole number"},
        {"zzzzzzzz: 1", "k.yaml:1:1: unknown key 'zzzzzzzz'; `gomolab keys --things` lists them"},
        {"group: {large: 1}\ngroup.large: 2",
         "k.yaml:2:1: 'group.large' is given twice, first on line 1"},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Bench bench;
        Status status = set(&bench, CASES[i].text);
        if (status != STATUS_INVALID ||
            strncmp(bench.err.text, CASES[i].message, strlen(CASES[i].message)) != 0)
            fail_msg("%s: '%s', expected '%s'", CASES[i].text, bench.err.text, CASES[i].message);
        assert_int_equal(bench.fields.colour, bench.fields.whole ? GREEN : RED); // untouched
        release(&bench);
    }
}

static void test_config_source__words_of_set_are_settings(void **state) {
    (void)state;
    ConfigSource source = {0};
    ErrorText err = {""};
    Setting setting = {0};
    static const char *const WORDS[] = {"whole=4", "text=a=b", "colour=[red, blue]", "text="};
    for (size_t i = 0; i < ARRAY_LEN(WORDS); i++) {
        Text origin = {0};
        assert_int_equal(config_source_set(&source, WORDS[i], WORDS[i], &setting, &err), STATUS_OK);
        assert_true(setting_is_option(&setting));
        setting_write_origin(&setting, &origin);
        assert_string_equal(text_cstr(&origin) + strlen("--set "), WORDS[i]);
        assert_int_equal(setting.value->kind, i == 2 ? YAML_LIST : YAML_SCALAR);
        if (i == 1)
            assert_string_equal(setting.value->text, "a=b");
        free(setting.key);
        text_release(&origin);
    }
    static const char *const BAD[] = {"whole", "=4", ""};
    for (size_t i = 0; i < ARRAY_LEN(BAD); i++) {
        setting = (Setting){0};
        assert_int_equal(config_source_set(&source, BAD[i], BAD[i], &setting, &err),
                         STATUS_INVALID);
        assert_non_null(strstr(err.text, "--set"));
        free(setting.key);
    }
    config_source_release(&source);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_config_keys__defaults_are_those_of_the_table),
        cmocka_unit_test(test_config_keys__values_are_written_as_they_are_read),
        cmocka_unit_test(test_config_keys__what_is_no_value_is_refused_with_what_was_expected),
        cmocka_unit_test(test_config_source__words_of_set_are_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
