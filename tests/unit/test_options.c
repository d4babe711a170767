// SPDX-License-Identifier: GPL-3.0-or-later
// Options of a command: what is read, what is refused with which words, what the help says.
#include "engine/base/check.h"
#include "harness/cli/command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct Values {
    const char *experiment, *other, *db;
    int64_t jobs;
    double share;
    bool fresh;
    int format;
    OptionList sets;
} Values;

static const Option ROWS[] = {
    OPTION_ARG(Values, experiment, "EXPERIMENT", "the experiment to play"),
    OPTION_ARG_OPTIONAL(Values, other, "OTHER", "another one"),
    OPTION_TEXT(Values, db, "--db", "FILE", "results/<name>.db", "the database"),
    OPTION_INT(Values, jobs, "--jobs", "N", 0, 1, 1024, "all cores", "play N games at once"),
    OPTION_REAL(Values, share, "--share", "X", 0.5, 0, 1, NULL, "a share"),
    OPTION_FLAG(Values, fresh, "--fresh", "start anew"),
    OPTION_CHOICE(Values, format, "--format", "text|md|csv", 0, "how to print"),
    OPTION_LIST(Values, sets, "--set", "KEY=VALUE", "change a value"),
};
static const OptionNeed NEEDS[] = {{"--share", "--db"}, {"--fresh", "--format=csv"}};
static const OptionTable TABLE = {ROWS, ARRAY_LEN(ROWS), NEEDS, ARRAY_LEN(NEEDS)};

enum { WORDS_MAX = 12 };

// Parses up to WORDS_MAX words, ended by NULL.
static Status parse(const char *const *words, Values *values, ErrorText *err) {
    char *argv[WORDS_MAX + 1] = {0};
    int argc = 0;
    for (; words[argc]; argc++)
        argv[argc] = (char *)words[argc];
    *values = (Values){0};
    return options_parse(&TABLE, argc, argv, values, err);
}

static void test_options__every_kind_is_read(void **state) {
    (void)state;
    Values v;
    ErrorText err = {0};
    const char *const words[] = {"--set",   "a=1",      "x.yaml", "--jobs=3",    "--share", "0.25",
                                 "--fresh", "--format", "csv",    "--set=b=--2", "--db=-",  NULL};
    assert_int_equal(parse(words, &v, &err), STATUS_OK);
    assert_string_equal(v.experiment, "x.yaml");
    assert_null(v.other);
    assert_int_equal(v.jobs, 3);
    assert_true(v.share == 0.25);
    assert_true(v.fresh);
    assert_int_equal(v.format, 2);
    assert_int_equal(v.sets.count, 2);
    assert_string_equal(v.sets.items[1], "b=--2");
    assert_string_equal(v.db, "-");
    options_release(&TABLE, &v);
}

static void test_options__defaults_hold(void **state) {
    (void)state;
    Values v;
    ErrorText err = {0};
    const char *const words[] = {"x.yaml", "-", NULL};
    assert_int_equal(parse(words, &v, &err), STATUS_OK);
    assert_string_equal(v.other, "-"); // a lone dash is an argument
    assert_null(v.db);
    assert_int_equal(v.jobs, 0);
    assert_true(v.share == 0.5);
    assert_false(v.fresh);
    assert_int_equal(v.sets.count, 0);
    options_release(&TABLE, &v);
}

static void test_options__the_last_of_two_counts_and_dashes_end_options(void **state) {
    (void)state;
    Values v;
    ErrorText err = {0};
    const char *const words[] = {"--jobs", "2", "--jobs", "5", "--", "--fresh", NULL};
    assert_int_equal(parse(words, &v, &err), STATUS_OK);
    assert_int_equal(v.jobs, 5);
    assert_string_equal(v.experiment, "--fresh");
    assert_false(v.fresh);
    options_release(&TABLE, &v);
}

typedef struct BadCase {
    const char *words[4];
    const char *message;
} BadCase;

static const BadCase BAD[] = {
    {{"x", "--jbos", "2"}, "unknown option '--jbos', nearest is '--jobs'"},
    {{"x", "--jbos=2"}, "unknown option '--jbos', nearest is '--jobs'"},
    {{"x", "-j"}, "unknown option '-j'; --help lists them"},
    {{"x", "--jobs", "0"}, "--jobs: '0', expected a whole number 1..1024"},
    {{"x", "--jobs="}, "--jobs: '', expected a whole number 1..1024"},
    {{"x", "--jobs"}, "--jobs needs a value: N"},
    {{"x", "--db", "--fresh"}, "--db needs a value: FILE"},
    {{"x", "--share", "1.5"}, "--share: '1.5', expected a number 0..1"},
    {{"x", "--format", "tetx"}, "--format: 'tetx', expected one of text|md|csv, nearest is 'text'"},
    {{"x", "--format", "html"}, "--format: 'html', expected one of text|md|csv"},
    {{"x", "--fresh=yes"}, "--fresh takes no value"},
    {{"x", "y", "z"}, "one argument too many: 'z'"},
    {{"--fresh"}, "EXPERIMENT is missing: the experiment to play"},
};

static void test_options__wrong_usage_is_named(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(BAD); i++) {
        Values v;
        ErrorText err = {0};
        assert_int_equal(parse(BAD[i].words, &v, &err), STATUS_INVALID);
        assert_string_equal(err.text, BAD[i].message);
        options_release(&TABLE, &v);
    }
}

static void test_options__help_wins_over_mistakes(void **state) {
    (void)state;
    Values v;
    ErrorText err = {0};
    const char *const words[] = {"--jbos", "--help", NULL};
    assert_int_equal(parse(words, &v, &err), STATUS_STOPPED);
    options_release(&TABLE, &v);
}

static void test_options__help_shows_range_and_default(void **state) {
    (void)state;
    Text text = {0};
    options_write_help(&TABLE, &text);
    assert_non_null(
        strstr(text_cstr(&text), "play N games at once (1..1024, default all cores)\n"));
    assert_non_null(strstr(text_cstr(&text), "a share (0..1, default 0.5)\n"));
    assert_non_null(strstr(text_cstr(&text), "how to print (default text)\n"));
    assert_non_null(strstr(text_cstr(&text), "the database (default results/<name>.db)\n"));
    assert_non_null(strstr(text_cstr(&text), "change a value (may be repeated)\n"));
    text_clear(&text);
    options_write_usage(&TABLE, &text);
    assert_string_equal(text_cstr(&text),
                        "EXPERIMENT [OTHER] [--db FILE] [--jobs N] [--share X] [--fresh] "
                        "[--format text|md|csv] [--set KEY=VALUE]...");
    text_release(&text);
}

// Every command of the program: names and options are unique, every option has help, defaults lie
// in their ranges.
static void test_options__tables_of_all_commands_are_sane(void **state) {
    (void)state;
    const Command *command;
    for (int i = 0; (command = command_at(i)); i++) {
        assert_non_null(command->run);
        assert_true(strlen(command->summary) > 0);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(command->name, command_at(j)->name);
        for (int r = 0; r < command->options.count; r++) {
            const Option *row = &command->options.rows[r];
            assert_true(strlen(row->help) > 0);
            assert_true(row->offset < command->values_size);
            assert_true(strcmp(row->name, "--help") != 0);
            if ((row->type == OPTION_TYPE_INT || row->type == OPTION_TYPE_REAL) &&
                !row->default_text)
                assert_true(row->initial >= row->low && row->initial <= row->high);
            for (int q = 0; q < r; q++)
                assert_string_not_equal(row->name, command->options.rows[q].name);
        }
    }
}

static void test_options__what_needs_another_is_refused_alone(void **state) {
    (void)state;
    Values v;
    ErrorText err = {0};
    const char *const alone[] = {"x.yaml", "--share=0.2", NULL};
    assert_int_equal(parse(alone, &v, &err), STATUS_INVALID);
    assert_string_equal(err.text, "--share does nothing without --db");
    options_release(&TABLE, &v);
    const char *const other[] = {"x.yaml", "--fresh", "--format", "md", NULL};
    assert_int_equal(parse(other, &v, &err), STATUS_INVALID);
    assert_string_equal(err.text, "--fresh does nothing without --format csv");
    options_release(&TABLE, &v);
    const char *const both[] = {"--share", "0.2",     "x.yaml",       "--db",
                                "d",       "--fresh", "--format=csv", NULL};
    assert_int_equal(parse(both, &v, &err), STATUS_OK);
    options_release(&TABLE, &v);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options__what_needs_another_is_refused_alone),
        cmocka_unit_test(test_options__every_kind_is_read),
        cmocka_unit_test(test_options__defaults_hold),
        cmocka_unit_test(test_options__the_last_of_two_counts_and_dashes_end_options),
        cmocka_unit_test(test_options__wrong_usage_is_named),
        cmocka_unit_test(test_options__help_wins_over_mistakes),
        cmocka_unit_test(test_options__help_shows_range_and_default),
        cmocka_unit_test(test_options__tables_of_all_commands_are_sane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
