// SPDX-License-Identifier: GPL-3.0-or-later
// The table printer: every format, missing values, infinities, quoting, widths.
// sanitizers: asan
#include "engine/base/check.h"
#include "harness/report/table.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const TableColumn COLUMNS[] = {
    {"player", COLUMN_TEXT, 0, NULL},
    {"games", COLUMN_INT, 0, "Games"},
    {"elo", COLUMN_REAL, 1, "Elo"},
    {"ok", COLUMN_BOOL, 0, NULL},
};

static Table *sample(void) {
    Table *table = table_new(COLUMNS, ARRAY_LEN(COLUMNS));
    assert_non_null(table);
    table_row(table);
    table_set_text(table, 0, "a|\"b\",\tc");
    table_set_int(table, 1, -12345678901);
    table_set_real(table, 2, 1.0 / 3);
    table_set_bool(table, 3, true);
    table_row(table);
    table_set_text(table, 0, "活三");
    table_set_real(table, 2, -0.01);
    table_set_bool(table, 3, false);
    table_row(table);
    table_set_text(table, 0, NULL);
    table_set_int(table, 1, 7);
    table_set_real(table, 2, -INFINITY);
    table_row(table);
    table_set_text(table, 0, "d");
    table_set_real(table, 2, NAN);
    table_set_int(table, 2, 5); // a real column takes an int
    return table;
}

static void check(TableFormat format, const char *expected) {
    Table *table = sample();
    Text text = {0};
    ErrorText err = {0};
    assert_int_equal(table_write(table, format, &text, &err), STATUS_OK);
    assert_string_equal(text_cstr(&text), expected);
    text_release(&text);
    table_free(table);
}

static void test_table__text_is_aligned(void **state) {
    (void)state;
    check(TABLE_TEXT, "player           Games   Elo  ok\n"
                      "a|\"b\", c  -12345678901   0.3  yes\n"
                      "活三                 -   0.0  no\n"
                      "-                    7  -inf  -\n"
                      "d                    -   5.0  -\n");
}

static void test_table__markdown_is_aligned_and_escaped(void **state) {
    (void)state;
    check(TABLE_MD, "| player    |        Games |  Elo | ok  |\n"
                    "|:----------|-------------:|-----:|:----|\n"
                    "| a\\|\"b\", c | -12345678901 |  0.3 | yes |\n"
                    "| 活三      |            - |  0.0 | no  |\n"
                    "| -         |            7 | -inf | -   |\n"
                    "| d         |            - |  5.0 | -   |\n");
}

static void test_table__csv_quotes_and_keeps_precision(void **state) {
    (void)state;
    check(TABLE_CSV, "player,games,elo,ok\n"
                     "\"a|\"\"b\"\",\tc\",-12345678901,0.3333333333333333,yes\n"
                     "活三,,-0.01,no\n"
                     ",7,-inf,\n"
                     "d,,5,\n");
}

static void test_table__tsv_has_one_line_a_row(void **state) {
    (void)state;
    check(TABLE_TSV, "player\tgames\telo\tok\n"
                     "a|\"b\", c\t-12345678901\t0.3333333333333333\tyes\n"
                     "活三\t-\t-0.01\tno\n"
                     "-\t7\t-inf\t-\n"
                     "d\t-\t5\t-\n");
}

static void test_table__json_has_types(void **state) {
    (void)state;
    Table *table = sample();
    Text text = {0};
    ErrorText err = {0};
    assert_int_equal(table_write(table, TABLE_JSON, &text, &err), STATUS_OK);
    json_t *rows = json_loads(text_cstr(&text), 0, NULL);
    assert_int_equal(json_array_size(rows), 4);
    json_t *first = json_array_get(rows, 0), *third = json_array_get(rows, 2);
    assert_string_equal(json_string_value(json_object_get(first, "player")), "a|\"b\",\tc");
    assert_true(json_integer_value(json_object_get(first, "games")) == -12345678901);
    assert_true(json_real_value(json_object_get(first, "elo")) == 1.0 / 3);
    assert_true(json_is_true(json_object_get(first, "ok")));
    assert_true(json_is_null(json_object_get(third, "player")));
    assert_true(json_is_null(json_object_get(third, "ok")));
    assert_string_equal(json_string_value(json_object_get(third, "elo")), "-inf");
    json_decref(rows);
    text_release(&text);
    table_free(table);
}

static void test_table__bytes_that_are_no_utf8_stay_valid_json(void **state) {
    (void)state;
    Table *table = table_new(COLUMNS, ARRAY_LEN(COLUMNS));
    table_row(table);
    table_set_text(table, 0, "caf\xe9 \xff\xc3\xa9");
    Text text = {0};
    ErrorText err = {0};
    assert_int_equal(table_write(table, TABLE_JSON, &text, &err), STATUS_OK);
    json_t *rows = json_loads(text_cstr(&text), 0, NULL);
    assert_non_null(rows);
    const char *player = json_string_value(json_object_get(json_array_get(rows, 0), "player"));
    assert_string_equal(player, "caf\xef\xbf\xbd \xef\xbf\xbd\xc3\xa9");
    json_decref(rows);
    text_release(&text);
    table_free(table);
}

static void test_table__an_empty_table_is_a_header_or_an_empty_array(void **state) {
    (void)state;
    Table *table = table_new(COLUMNS, ARRAY_LEN(COLUMNS));
    Text text = {0};
    ErrorText err = {0};
    assert_int_equal(table_write(table, TABLE_CSV, &text, &err), STATUS_OK);
    assert_int_equal(table_write(table, TABLE_JSON, &text, &err), STATUS_OK);
    assert_string_equal(text_cstr(&text), "player,games,elo,ok\n[]");
    assert_int_equal(table_row_count(table), 0);
    text_release(&text);
    table_free(table);
}

static void test_table__width_counts_terminal_columns(void **state) {
    (void)state;
    assert_int_equal(table_text_width(""), 0);
    assert_int_equal(table_text_width("abc"), 3);
    assert_int_equal(table_text_width("\xc3\xa9"), 1);  // one accented letter
    assert_int_equal(table_text_width("e\xcc\x81"), 1); // e and a combining accent
    assert_int_equal(table_text_width("活四"), 4);
    assert_int_equal(table_text_width("●○"), 2);
    assert_int_equal(table_text_width("\xff\xfe"), 2); // no UTF-8: a column a byte
    assert_int_equal(table_text_width("\xe6\xb4"), 2); // cut in the middle
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table__text_is_aligned),
        cmocka_unit_test(test_table__markdown_is_aligned_and_escaped),
        cmocka_unit_test(test_table__csv_quotes_and_keeps_precision),
        cmocka_unit_test(test_table__tsv_has_one_line_a_row),
        cmocka_unit_test(test_table__json_has_types),
        cmocka_unit_test(test_table__bytes_that_are_no_utf8_stay_valid_json),
        cmocka_unit_test(test_table__an_empty_table_is_a_header_or_an_empty_array),
        cmocka_unit_test(test_table__width_counts_terminal_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
