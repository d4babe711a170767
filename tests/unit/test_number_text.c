// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and names as people read them: rounding at its edges, and never NaN or infinity.
// sanitizers: asan
#include "engine/base/check.h"
#include "harness/report/number_text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_number_text__counts_have_groups_of_three(void **state) {
    (void)state;
    assert_string_equal(number_count(0).text, "0");
    assert_string_equal(number_count(999).text, "999");
    assert_string_equal(number_count(1000).text, "1 000");
    assert_string_equal(number_count(1234567).text, "1 234 567");
    assert_string_equal(number_count(-1234).text, "-1 234");
    assert_string_equal(number_count(INT64_MAX).text, "9 223 372 036 854 775 807");
    assert_string_equal(number_count(INT64_MIN).text, "-9 223 372 036 854 775 808");
}

static void test_number_text__short_numbers_carry_into_the_next_suffix(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } CASES[] = {
        {0, "0"},
        {7, "7"},
        {0.517, "0.52"},
        {12.34, "12.3"},
        {99.96, "100"},
        {999, "999"},
        {999.6, "1.00 k"},
        {1234, "1.23 k"},
        {99949, "99.9 k"},
        {99951, "100 k"},
        {999600, "1.00 M"},
        {45.6e6, "45.6 M"},
        {7.89e9, "7.89 G"},
        {3e17, "300 P"},
        {-1500, "-1.50 k"},
        {NAN, "n/a"},
        {INFINITY, "n/a"},
        {1.5e20, "1.50e+20"},
        {-1e300, "-1.00e+300"},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++)
        assert_string_equal(number_short(CASES[i].value).text, CASES[i].text);
}

static void test_number_text__times_choose_their_unit(void **state) {
    (void)state;
    static const struct {
        double time_us;
        const char *text;
    } CASES[] = {
        {0, "0 µs"},         {1.5, "1.5 µs"},    {850, "850 µs"},    {999.6, "1.00 ms"},
        {12345, "12.3 ms"},  {999600, "1.00 s"}, {4.56e6, "4.56 s"}, {119e6, "119 s"},
        {180e6, "3.00 min"}, {18e9, "5.00 h"},   {INFINITY, "n/a"},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++)
        assert_string_equal(number_time_us(CASES[i].time_us).text, CASES[i].text);
}

static void test_number_text__shares_have_no_negative_zero(void **state) {
    (void)state;
    assert_string_equal(number_percent(0.625).text, "62.5 %");
    // Halves go to the even digit: both sides of a pairing then add up to 100.
    assert_string_equal(number_percent(0.6125).text, "61.2 %");
    assert_string_equal(number_percent(1 - 0.6125).text, "38.8 %");
    assert_string_equal(number_percent(-0.0001).text, "0.0 %");
    assert_string_equal(number_percent(NAN).text, "n/a");
}

static void test_number_text__elo_and_intervals_with_missing_ends(void **state) {
    (void)state;
    StatValue none = stat_missing("one game");
    assert_string_equal(number_elo(stat_value(142.4)).text, "+142");
    assert_string_equal(number_elo(stat_value(-0.3)).text, "0");
    assert_string_equal(number_elo(stat_value(-8)).text, "-8");
    assert_string_equal(number_elo(none).text, "n/a");
    assert_string_equal(number_interval(stat_value(-0.2), stat_value(165)).text, "[0, 165]");
    assert_string_equal(number_interval(stat_value(286.6), none).text, "> 287");
    assert_string_equal(number_interval(none, stat_value(-310)).text, "< -310");
    assert_string_equal(number_interval(none, none).text, "n/a");
}

static void test_number_text__likelihoods_never_claim_certainty(void **state) {
    (void)state;
    assert_string_equal(number_los(stat_value(0.975)).text, "97.5 %");
    assert_string_equal(number_los(stat_value(1.0)).text, "> 99.9 %");
    assert_string_equal(number_los(stat_value(0.0)).text, "< 0.1 %");
    assert_string_equal(number_los(stat_missing("one pair")).text, "n/a");
    for (int i = 0; i <= 20000; i++) { // near the ends, in steps smaller than the last digit
        double los = i / 2e7;
        assert_string_not_equal(number_los(stat_value(los)).text, "0.0 %");
        assert_string_not_equal(number_los(stat_value(1.0 - los)).text, "100.0 %");
    }
}

static void test_number_text__results_of_any_size_fit(void **state) {
    (void)state;
    assert_string_equal(number_wdl((WdlCounts){12, 3, 5}).text, "12-3-5");
    assert_string_equal(number_wdl((WdlCounts){COUNT_MAX, COUNT_MAX, COUNT_MAX}).text,
                        "1000000000000000-1000000000000000-1000000000000000");
    assert_string_equal(number_wdl((WdlCounts){INT64_MAX, 0, INT64_MAX}).text,
                        "9223372036854775807-0-9223372036854775807");
}

static void test_number_text__names_are_cut_by_columns_not_bytes(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int columns;
        const char *text;
    } CASES[] = {
        {"d4", 5, "d4"},
        {"alphabeta", 9, "alphabeta"},
        {"alphabeta", 8, "alphabe…"},
        {"五子棋引擎", 10, "五子棋引擎"},
        {"五子棋引擎", 9, "五子棋引…"},
        {"五子棋引擎", 8, "五子棋…"},
        {"", 4, ""},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Text out = {0};
        number_text_cut(&out, CASES[i].name, CASES[i].columns);
        assert_string_equal(text_cstr(&out), CASES[i].text);
        text_release(&out);
    }
}

static void test_number_text__control_characters_and_broken_utf8_are_replaced(void **state) {
    (void)state;
    Text out = {0};
    number_text_clean(&out, "a\nb\033[31m\xff\xc3(é");
    assert_string_equal(text_cstr(&out), "a b [31m\xef\xbf\xbd\xef\xbf\xbd(é");
    text_release(&out);
}

static void test_number_text__fixed_decimals_have_no_negative_zero(void **state) {
    (void)state;
    assert_string_equal(number_fixed(-0.04, 1, true).text, "+0.0");
    assert_string_equal(number_fixed(-0.04, 1, false).text, "0.0");
    assert_string_equal(number_fixed(-0.06, 1, true).text, "-0.1");
    assert_string_equal(number_fixed(12.34, 1, true).text, "+12.3");
    assert_string_equal(number_fixed(-1234.5, 0, false).text, "-1234");
    assert_string_equal(number_fixed(INFINITY, 1, true).text, "n/a");
    assert_string_equal(number_share(0.99991).text, "> 0.9999");
    assert_string_equal(number_share(0.5).text, "0.5000");
    assert_string_equal(number_share(0.00009).text, "< 0.0001");
    assert_string_equal(number_share(NAN).text, "n/a");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_number_text__counts_have_groups_of_three),
        cmocka_unit_test(test_number_text__short_numbers_carry_into_the_next_suffix),
        cmocka_unit_test(test_number_text__times_choose_their_unit),
        cmocka_unit_test(test_number_text__shares_have_no_negative_zero),
        cmocka_unit_test(test_number_text__elo_and_intervals_with_missing_ends),
        cmocka_unit_test(test_number_text__fixed_decimals_have_no_negative_zero),
        cmocka_unit_test(test_number_text__likelihoods_never_claim_certainty),
        cmocka_unit_test(test_number_text__results_of_any_size_fit),
        cmocka_unit_test(test_number_text__names_are_cut_by_columns_not_bytes),
        cmocka_unit_test(test_number_text__control_characters_and_broken_utf8_are_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
