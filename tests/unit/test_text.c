// SPDX-License-Identifier: GPL-3.0-or-later
// Text: the buffer, strict numbers, shortest doubles, quoting, UTF-8 and the nearest name; and the
// messages that go with a status.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/base/rng.h"
#include "engine/base/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_text__grows_and_is_reused(void **state) {
    (void)state;
    Text text = {0};
    assert_string_equal(text_cstr(&text), "");
    text_append_bytes(&text, NULL, 0);
    for (int i = 0; i < 1000; i++)
        text_printf(&text, "%d,", i % 10);
    assert_int_equal(text.length, 2000);
    assert_int_equal(strlen(text_cstr(&text)), 2000);
    text_append_bytes(&text, "a\0b", 3);
    assert_int_equal(text.length, 2003);
    assert_memory_equal(text_cstr(&text) + 1998, "9,a\0b", 6); // its NUL included
    char *memory = text.data;
    text_clear(&text);
    assert_string_equal(text_cstr(&text), "");
    text_append(&text, "again");
    assert_ptr_equal(text.data, memory);
    assert_string_equal(text_cstr(&text), "again");
    text_release(&text);
    assert_string_equal(text_cstr(&text), "");
    text_clear(&text); // nothing to forget is fine
}

static void test_text__whole_numbers_are_read_strictly(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t lo, hi, value;
        bool is_read;
    } CASES[] = {
        {"0", 0, 0, 0, true},
        {"-0", 0, 0, 0, true},
        {"+7", 0, 9, 7, true},
        {"007", 0, 9, 7, true},
        {"10", 0, 9, 0, false},
        {"-1", 0, 9, 0, false},
        {"9", 0, 9, 9, true},
        {"9223372036854775807", INT64_MIN, INT64_MAX, INT64_MAX, true},
        {"-9223372036854775808", INT64_MIN, INT64_MAX, INT64_MIN, true},
        {"9223372036854775808", INT64_MIN, INT64_MAX, 0, false},
        {"-9223372036854775809", INT64_MIN, INT64_MAX, 0, false},
        {"", 0, 9, 0, false},
        {" 1", 0, 9, 0, false},
        {"1 ", 0, 9, 0, false},
        {"+-1", -9, 9, 0, false},
        {"-", -9, 9, 0, false},
        {"0x1", 0, 9, 0, false},
        {"1.0", 0, 9, 0, false},
        {"1e1", 0, 99, 0, false},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        int64_t value = -77;
        if (text_parse_int(CASES[i].text, CASES[i].lo, CASES[i].hi, &value) != CASES[i].is_read)
            fail_msg("'%s'", CASES[i].text);
        assert_int_equal(value, CASES[i].is_read ? CASES[i].value : -77);
    }
}

static void test_text__doubles_are_read_strictly(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value;
        bool is_read;
    } CASES[] = {
        {"1", 1, true},     {"-1.5", -1.5, true}, {"+.5", .5, true},      {"5.", 5, true},
        {"1e2", 100, true}, {"-9", -9, true},     {"100", 100, true},     {"100.1", 0, false},
        {"-9.1", 0, false}, {"", 0, false},       {".", 0, false},        {"-", 0, false},
        {"nan", 0, false},  {"inf", 0, false},    {"-inf", 0, false},     {"1e999", 0, false},
        {"0x10", 0, false}, {"-0X1", 0, false},   {" 1", 0, false},       {"1 ", 0, false},
        {"1,5", 0, false},  {"1e", 0, false},     {"infinity", 0, false},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        double value = -77;
        if (text_parse_double(CASES[i].text, -9, 100, &value) != CASES[i].is_read)
            fail_msg("'%s'", CASES[i].text);
        assert_true(value == (CASES[i].is_read ? CASES[i].value : -77));
    }
}

static void test_text__doubles_read_back_and_are_short(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } CASES[] = {
        {0, "0"},
        {-0.0, "0"},
        {1, "1"},
        {-17, "-17"},
        {0.1, "0.1"},
        {1.0 / 3, "0.3333333333333333"},
        {1e14, "100000000000000"},
        {1e15, "1e+15"},
        {2.5e-7, "2.5e-07"},
        {NAN, "nan"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        {999999999999999, "999999999999999"},
        {55.00000000000001, "55.00000000000001"},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Text text = {0};
        text_append_double(&text, CASES[i].value);
        assert_string_equal(text_cstr(&text), CASES[i].text);
        text_release(&text);
    }
    Rng rng = rng_init(3);
    Text text = {0};
    for (int i = 0; i < 2000; i++) { // any bits that are a number
        uint64_t bits = rng_next(&rng);
        double value, back = 0;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        text_clear(&text);
        text_append_double(&text, value);
        assert_true(text_parse_double(text_cstr(&text), -INFINITY, INFINITY, &back));
        assert_true(back == value);
    }
    text_release(&text);
}

static void test_text__yes_and_no(void **state) {
    (void)state;
    static const char *const YES[] = {"yes", "TRUE", "On", "1"}, *const NO[] = {"no", "False",
                                                                                "off", "0"};
    static const char *const NEITHER[] = {"", "y", "yess", "2", " yes", "truefalse"};
    for (size_t i = 0; i < ARRAY_LEN(YES); i++) {
        bool value = false;
        assert_true(text_parse_bool(YES[i], &value) && value);
        assert_true(text_parse_bool(NO[i], &value) && !value);
    }
    for (size_t i = 0; i < ARRAY_LEN(NEITHER); i++) {
        bool value = true;
        assert_false(text_parse_bool(NEITHER[i], &value));
        assert_true(value);
    }
}

static void test_text__choices(void **state) {
    (void)state;
    static const char CHOICES[] = "one|two|three";
    const char *start;
    assert_int_equal(text_choice_find(CHOICES, "one"), 0);
    assert_int_equal(text_choice_find(CHOICES, "three"), 2);
    assert_int_equal(text_choice_find(CHOICES, "thre"), -1);
    assert_int_equal(text_choice_find(CHOICES, "One"), -1);
    assert_int_equal(text_choice_find(CHOICES, "one|two"), -1);
    assert_int_equal(text_choice_find(CHOICES, ""), -1);
    assert_int_equal(text_choice_at(CHOICES, 1, &start), 3);
    assert_memory_equal(start, "two|", 4);
    assert_int_equal(text_choice_at(CHOICES, 3, &start), 0);
    assert_int_equal(text_choice_at(CHOICES, 9, &start), 0);
}

static void test_text__json_strings(void **state) {
    (void)state;
    static const struct {
        const char *raw, *json;
    } CASES[] = {
        {"", "\"\""},
        {"plain", "\"plain\""},
        {"a\"b\\c", "\"a\\\"b\\\\c\""},
        {"\n\t\x01", "\"\\u000a\\u0009\\u0001\""},
        {"\x7f", "\"\\u007f\""},
        {"\xc2\x80", "\"\\u0080\""},                  // a control character of the second table
        {"\xef\xbb\xbf", "\"\\ufeff\""},              // byte order mark
        {"h\xc3\xa9", "\"h\xc3\xa9\""},               // é stays
        {"\xff", "\"\xef\xbf\xbd\""},                 // no UTF-8
        {"\xe4\xba", "\"\xef\xbf\xbd\xef\xbf\xbd\""}, // cut short: each byte by itself
        {"\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\""},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Text text = {0};
        text_append_json(&text, CASES[i].raw);
        assert_string_equal(text_cstr(&text), CASES[i].json);
        text_release(&text);
    }
}

static void test_text__utf8_is_decoded_strictly(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        int count;
        uint32_t code;
    } CASES[] = {
        {"a", 1, 'a'},
        {"\x7f", 1, 0x7f},
        {"\xc2\x80", 2, 0x80},
        {"\xdf\xbf", 2, 0x7ff},
        {"\xe0\xa0\x80", 3, 0x800},
        {"\xed\x9f\xbf", 3, 0xd7ff},
        {"\xef\xbf\xbf", 3, 0xffff},
        {"\xf0\x90\x80\x80", 4, 0x10000},
        {"\xf4\x8f\xbf\xbf", 4, 0x10ffff},
        {"\x80", 0, 0},             // a byte that only continues
        {"\xc0\xaf", 0, 0},         // overlong
        {"\xc1\xbf", 0, 0},         // overlong
        {"\xe0\x9f\xbf", 0, 0},     // overlong
        {"\xf0\x8f\xbf\xbf", 0, 0}, // overlong
        {"\xed\xa0\x80", 0, 0},     // surrogate
        {"\xed\xbf\xbf", 0, 0},     // surrogate
        {"\xf4\x90\x80\x80", 0, 0}, // beyond the last
        {"\xf8\x88\x80\x80", 0, 0}, // five bytes
        {"\xe4\xba", 0, 0},         // cut short by the end
        {"\xc3(", 0, 0},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        uint32_t code = 0;
        assert_int_equal(text_decode_utf8(CASES[i].bytes, &code), CASES[i].count);
        if (CASES[i].count)
            assert_int_equal(code, CASES[i].code);
    }
}

// What a shell makes of a quoted word is the word.
static void test_text__words_of_a_shell(void **state) {
    (void)state;
    static const struct {
        const char *raw, *word;
    } CASES[] = {
        {"", "''"},
        {"plain-1.2/x:y,@%+=_", "plain-1.2/x:y,@%+=_"},
        {"two words", "'two words'"},
        {"it's", "'it'\\''s'"},
        {"$HOME `id`", "'$HOME `id`'"},
        {"*", "'*'"},
        {"~", "'~'"},
        {"a\nb", "'a\nb'"},
        {"\xc3\xa9", "'\xc3\xa9'"},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Text text = {0};
        text_append_word(&text, CASES[i].raw);
        assert_string_equal(text_cstr(&text), CASES[i].word);
        text_release(&text);
    }
}

static void test_text__bytes_that_are_no_text_are_replaced(void **state) {
    (void)state;
    Text text = {0};
    text_append_clean(&text, "ok \xff\xc3\xa9 \xe4\xba");
    assert_string_equal(text_cstr(&text), "ok \xef\xbf\xbd\xc3\xa9 \xef\xbf\xbd\xef\xbf\xbd");
    text_release(&text);
    assert_string_equal(text_plural(1), "");
    assert_string_equal(text_plural(0), "s");
    assert_string_equal(text_plural(2), "s");
}

static void test_status__names(void **state) {
    (void)state;
    assert_string_equal(status_name(STATUS_OK), "STATUS_OK");
    assert_string_equal(status_name(STATUS_CRASH), "STATUS_CRASH");
    assert_string_equal(status_name((Status)1), "STATUS_?");
    assert_string_equal(status_name((Status)-10), "STATUS_?");
    for (int a = STATUS_CRASH; a <= STATUS_OK; a++) // each its own
        for (int b = a + 1; b <= STATUS_OK; b++)
            assert_string_not_equal(status_name((Status)a), status_name((Status)b));
}

static void test_status__texts_are_one_line_and_wrap_outward(void **state) {
    (void)state;
    ErrorText err = {{0}};
    assert_int_equal(error_set(&err, STATUS_IO, "bad '%s'", "a\r\n\tb"), STATUS_IO);
    assert_string_equal(err.text, "bad 'a   b'");
    assert_int_equal(error_wrap(&err, STATUS_INVALID, "file:%d", 7), STATUS_INVALID);
    assert_string_equal(err.text, "file:7: bad 'a   b'");
    assert_int_equal(error_set(NULL, STATUS_CRASH, "%d", 1), STATUS_CRASH); // nobody listens
    assert_int_equal(error_wrap(NULL, STATUS_CRASH, "%d", 1), STATUS_CRASH);
}

static void test_status__long_texts_are_cut_at_the_end(void **state) {
    (void)state;
    char longer[2 * ERROR_TEXT_CAP];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    ErrorText err = {{0}};
    assert_int_equal(error_set(&err, STATUS_IO, "%s", longer), STATUS_IO);
    assert_int_equal(strlen(err.text), ERROR_TEXT_CAP - 1);
    for (int i = 0; i < 3; i++)
        assert_int_equal(error_wrap(&err, STATUS_IO, "outer"), STATUS_IO);
    assert_int_equal(strlen(err.text), ERROR_TEXT_CAP - 1);
    assert_memory_equal(err.text, "outer: outer: outer: xxx", 24);
    for (int length = ERROR_TEXT_CAP - 8; length <= ERROR_TEXT_CAP + 8; length++) {
        error_set(&err, STATUS_IO, "inner");
        error_wrap(&err, STATUS_IO, "%.*s", length,
                   longer); // the prefix leaves little room or none
        assert_true(strlen(err.text) < ERROR_TEXT_CAP);
        assert_int_equal(err.text[0], 'x');
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text__grows_and_is_reused),
        cmocka_unit_test(test_text__whole_numbers_are_read_strictly),
        cmocka_unit_test(test_text__doubles_are_read_strictly),
        cmocka_unit_test(test_text__doubles_read_back_and_are_short),
        cmocka_unit_test(test_text__yes_and_no),
        cmocka_unit_test(test_text__choices),
        cmocka_unit_test(test_text__json_strings),
        cmocka_unit_test(test_text__utf8_is_decoded_strictly),
        cmocka_unit_test(test_text__words_of_a_shell),
        cmocka_unit_test(test_text__bytes_that_are_no_text_are_replaced),
        cmocka_unit_test(test_status__names),
        cmocka_unit_test(test_status__texts_are_one_line_and_wrap_outward),
        cmocka_unit_test(test_status__long_texts_are_cut_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
