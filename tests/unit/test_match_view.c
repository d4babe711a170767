// SPDX-License-Identifier: GPL-3.0-or-later
// A match in words, tables and JSON: the keys that are promised and no others, reasons for what is
// missing, and never a number that is none.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/base/rng.h"
#include "harness/report/match_view.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const MATCH_KEYS[] = {"by",
                                         "games",
                                         "pairs",
                                         "wins",
                                         "draws",
                                         "losses",
                                         "classes",
                                         "score",
                                         "elo",
                                         "elo_lo",
                                         "elo_hi",
                                         "interval",
                                         "elo_t_lo",
                                         "elo_t_hi",
                                         "elo_wilson_lo",
                                         "elo_wilson_hi",
                                         "nelo",
                                         "nelo_err",
                                         "los",
                                         "se",
                                         "se_pairs",
                                         "se_games",
                                         "error_ratio",
                                         "opening_free_elo",
                                         "opening_free_se",
                                         "opening_free_lo",
                                         "opening_free_hi",
                                         "bias_elo",
                                         "bias_score"};
static const char *const TEST_KEYS[] = {"model", "elo0",     "elo1",        "alpha",
                                        "beta",  "llr",      "lower",       "upper",
                                        "state", "sprt_elo", "sprt_elo_lo", "sprt_elo_hi"};
static const char *const PLAN_KEYS[] = {
    "elo",   "power",        "confidence", "pair_variance", "bias_elo",
    "slope", "measured_elo", "pairs",      "games",         "pairs_measured_elo"};

static MatchView view_of(const PairCounts *pairs, const WdlCounts *single, StatBy by) {
    MatchView view = {.has_counts = true, .stats = match_stats_compute(pairs, single, by)};
    return view;
}

static void test_add(MatchView *view, const PairCounts *pairs) {
    ScoreCells cells = score_cells_from_pairs(pairs);
    view->has_sprt = true;
    view->params = (SprtParams){0, 10, 0.05, 0.05, SPRT_LOGISTIC};
    view->result = sprt_evaluate(&view->params, &cells);
    view->estimate = sprt_estimate(&view->params, &view->result, &cells);
}

static void plan_add(MatchView *view, double variance, double bias) {
    view->has_plan = true;
    view->plan_input = (MatchPlanInput){5, 0.8, 0.95, variance, bias};
    view->plan = match_plan_compute(&view->plan_input);
}

static void write(const MatchView *view, TableFormat format, bool explain, Text *out) {
    ErrorText err = {""};
    text_clear(out);
    if (match_view_write(view, format, explain, out, &err))
        fail_msg("%s", err.text);
}

static json_t *json_of(const MatchView *view) {
    Text text = {0};
    json_error_t error;
    write(view, TABLE_JSON, false, &text);
    json_t *root = json_loads(text_cstr(&text), JSON_REJECT_DUPLICATES, &error);
    if (!root)
        fail_msg("%s in %s", error.text, text_cstr(&text));
    text_release(&text);
    return root;
}

static void keys_check(json_t *object, const char *const *keys, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!json_object_get(object, keys[i]))
            fail_msg("'%s' is missing", keys[i]);
}

static void test_match_view__json_has_the_keys_that_are_promised_and_no_others(void **state) {
    (void)state;
    PairCounts pairs = {.n = {95, 8, 2, 268, 9, 118}};
    MatchView view = view_of(&pairs, NULL, BY_PAIRS);
    json_t *root = json_of(&view);
    keys_check(root, MATCH_KEYS, ARRAY_LEN(MATCH_KEYS));
    assert_int_equal(json_object_size(root), ARRAY_LEN(MATCH_KEYS) + 1); // and warnings
    assert_int_equal(json_array_size(json_object_get(root, "warnings")), 0);
    json_decref(root);
    test_add(&view, &pairs);
    plan_add(&view, 0.1, 0.2);
    root = json_of(&view);
    keys_check(root, TEST_KEYS, ARRAY_LEN(TEST_KEYS));
    assert_int_equal(json_object_size(root), ARRAY_LEN(MATCH_KEYS) + ARRAY_LEN(TEST_KEYS) + 2);
    keys_check(json_object_get(root, "plan"), PLAN_KEYS, ARRAY_LEN(PLAN_KEYS));
    assert_int_equal(json_object_size(json_object_get(root, "plan")), ARRAY_LEN(PLAN_KEYS));
    json_decref(root);
    view.later_pairs = 3;
    root = json_of(&view);
    assert_int_equal(json_integer_value(json_object_get(root, "later_pairs")), 3);
    json_decref(root);
    MatchView alone = {0};
    plan_add(&alone, 0.1, 0.2);
    root = json_of(&alone);
    assert_int_equal(json_object_size(root), 2); // plan and warnings
    json_decref(root);
}

// Each null has a warning that begins with its key.
static void nulls_check(json_t *object, json_t *warnings) {
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        if (!json_is_null(value))
            continue;
        size_t index;
        json_t *warning;
        bool is_explained = false;
        json_array_foreach(warnings, index, warning) {
            const char *text = json_string_value(warning);
            is_explained |= strncmp(text, key, strlen(key)) == 0 && text[strlen(key)] == ':';
        }
        if (!is_explained)
            fail_msg("%s is null, and no warning says why", key);
    }
}

static void test_match_view__no_counts_print_a_number_that_is_none(void **state) {
    (void)state;
    static const PairCounts PAIRS[] = {
        {{0}},
        {{1}},
        {{0, 0, 0, 0, 0, 1}},
        {{0, 0, 5}},
        {{0, 0, 0, 9}},
        {{3, 0, 0, 3}},
        {{COUNT_MAX, 0, 0, 0, 0, 1}},
        {{0, 1}},
        {{1, 1, 1, 1, 1, 1}},
    };
    for (size_t i = 0; i < ARRAY_LEN(PAIRS); i++) {
        MatchView view = view_of(&PAIRS[i], NULL, i % 2 ? BY_PAIRS : BY_GAMES);
        test_add(&view, &PAIRS[i]);
        plan_add(&view, i % 3 ? 0.1 : 0.0, i % 4 ? 0.1 : 0.5);
        json_t *root = json_of(&view);
        json_t *warnings = json_object_get(root, "warnings");
        nulls_check(root, warnings);
        nulls_check(json_object_get(root, "plan"), warnings);
        json_decref(root);
        Text text = {0};
        for (int format = TABLE_TEXT; format <= TABLE_TSV; format++) {
            write(&view, (TableFormat)format, false, &text);
            assert_null(strstr(text_cstr(&text), "nan"));
            assert_null(strstr(text_cstr(&text), "inf"));
            assert_int_equal(text_cstr(&text)[text.length - 1], '\n');
        }
        text_release(&text);
    }
}

static void test_match_view__text_is_as_on_record(void **state) {
    (void)state;
    WdlCounts games = {120, 30, 90};
    MatchView view = view_of(NULL, &games, BY_GAMES);
    Text text = {0};
    write(&view, TABLE_TEXT, false, &text);
    assert_string_equal(
        text_cstr(&text),
        "games               240  120 won, 30 drawn, 90 lost\n"
        "score               0.5625\n"
        "Elo                 +43.7  [+2.7, +85.9]  95 %, from games, normal interval\n"
        "normalized Elo      +46.8  [+2.9, +90.8]\n"
        "superiority         0.9816\n");
    write(&view, TABLE_CSV, false, &text);
    assert_ptr_equal(strstr(text_cstr(&text), "statistic,value,lo,hi,note\ngames,240,,,"),
                     text_cstr(&text));
    text_release(&text);
}

// Shares never claim certainty; ends that do not exist leave the interval open.
static void test_match_view__certainty_is_never_printed(void **state) {
    (void)state;
    WdlCounts won = {2000, 0, 1}, all = {20, 0, 0}, none = {0, 0, 20};
    Text text = {0};
    MatchView view = view_of(NULL, &won, BY_GAMES);
    write(&view, TABLE_TEXT, false, &text);
    assert_non_null(strstr(text_cstr(&text), "superiority         > 0.9999\n"));
    view = view_of(NULL, &all, BY_GAMES);
    write(&view, TABLE_TEXT, false, &text);
    assert_non_null(strstr(text_cstr(&text), "Elo                 n/a  > +286.6"));
    assert_non_null(strstr(text_cstr(&text), "(every game was won)"));
    view = view_of(NULL, &none, BY_GAMES);
    write(&view, TABLE_TEXT, false, &text);
    assert_non_null(strstr(text_cstr(&text), "Elo                 n/a  < -286.6"));
    text_release(&text);
}

static int lines_beginning(const char *text, const char *with) {
    int count = 0;
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
        count += strncmp(line, with, strlen(with)) == 0;
    return count;
}

static void test_match_view__every_number_can_be_explained(void **state) {
    (void)state;
    PairCounts pairs = {.n = {95, 8, 2, 268, 9, 218}};
    MatchView view = view_of(&pairs, NULL, BY_PAIRS);
    test_add(&view, &pairs);
    view.later_pairs = 7;
    assert_int_equal(view.result.state, SPRT_H1);
    Text plain = {0}, text = {0};
    write(&view, TABLE_TEXT, false, &plain);
    assert_int_equal(lines_beginning(text_cstr(&plain), "    "), 1); // of the later pairs
    assert_non_null(strstr(text_cstr(&plain), "7 pairs came after the verdict"));
    write(&view, TABLE_TEXT, true, &text);
    int numbers = lines_beginning(text_cstr(&plain), "") - 1;
    assert_int_equal(lines_beginning(text_cstr(&text), "    "), numbers + 1);
    write(&view, TABLE_CSV, true, &text); // sentences are for people
    assert_int_equal(lines_beginning(text_cstr(&text), "    "), 0);
    text_release(&plain);
    text_release(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_match_view__json_has_the_keys_that_are_promised_and_no_others),
        cmocka_unit_test(test_match_view__no_counts_print_a_number_that_is_none),
        cmocka_unit_test(test_match_view__text_is_as_on_record),
        cmocka_unit_test(test_match_view__certainty_is_never_printed),
        cmocka_unit_test(test_match_view__every_number_can_be_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
