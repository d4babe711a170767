// SPDX-License-Identifier: GPL-3.0-or-later
// Rating lists as text, tables and JSON: the same players in the same order, names as they are.
// sanitizers: asan
#include "engine/base/check.h"
#include "harness/report/rating_view.h"
#include "harness/stats/rating_advice.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const NAMES[] = {"a \"b\", c", "五子棋", "x\ty",
                                    "never lost", "island", "alone"};

// Three who took points from each other, one above them all, one who met nobody of them.
static const RatingCount COUNTS[] = {
    {0, 1, 12, 4, 6}, {1, 0, 9, 2, 7},  {1, 2, 8, 0, 5}, {2, 0, 6, 1, 9},
    {3, 0, 10, 0, 0}, {0, 3, 0, 0, 10}, {4, 5, 3, 1, 2}, {5, 4, 3, 0, 2},
};

typedef struct Bench {
    RatingInput input;
    RatingOptions options;
    Rating rating;
    Text warnings, out;
    RatingView view;
} Bench;

static void bench_make(Bench *bench, RatingModel model) {
    ErrorText err = {""};
    *bench = (Bench){.input = {ARRAY_LEN(NAMES), NAMES, COUNTS, ARRAY_LEN(COUNTS), NULL, 0},
                     .options = rating_options_default()};
    bench->options.model = model;
    if (rating_compute(&bench->input, &bench->options, &bench->rating, &err) ||
        rating_warnings(&bench->input, &bench->options, &bench->rating, &bench->warnings, &err))
        fail_msg("%s", err.text);
    bench->view = (RatingView){.input = &bench->input,
                               .options = &bench->options,
                               .rating = &bench->rating,
                               .warnings = text_cstr(&bench->warnings)};
}

static void bench_release(Bench *bench) {
    rating_release(&bench->rating);
    text_release(&bench->warnings);
    text_release(&bench->out);
}

static const char *written(Bench *bench, TableFormat format) {
    ErrorText err = {""};
    text_clear(&bench->out);
    if (rating_view_write(&bench->view, format, &bench->out, &err))
        fail_msg("%s", err.text);
    assert_int_equal(text_cstr(&bench->out)[bench->out.length - 1], '\n');
    return text_cstr(&bench->out);
}

static json_t *json_of(Bench *bench) {
    json_error_t error;
    json_t *root = json_loads(written(bench, TABLE_JSON), JSON_REJECT_DUPLICATES, &error);
    if (!root)
        fail_msg("%s in %s", error.text, text_cstr(&bench->out));
    return root;
}

static void number_check(json_t *value, StatValue want) {
    if (!stat_exists(want))
        assert_true(json_is_null(value));
    else
        assert_true(json_number_value(value) == want.value);
}

static void test_rating_view__json_holds_every_number_of_the_rating(void **state) {
    (void)state;
    Bench bench;
    bench_make(&bench, RATING_HALF_WIN);
    json_t *root = json_of(&bench), *players = json_object_get(root, "players");
    assert_int_equal(json_array_size(players), ARRAY_LEN(NAMES));
    for (size_t i = 0; i < ARRAY_LEN(NAMES); i++) {
        json_t *row = json_array_get(players, i);
        const RatedPlayer *want = &bench.rating.player[bench.rating.order[i]];
        assert_int_equal(json_object_size(row), 10);
        assert_string_equal(json_string_value(json_object_get(row, "player")),
                            NAMES[bench.rating.order[i]]);
        number_check(json_object_get(row, "elo"), want->elo);
        number_check(json_object_get(row, "se"), want->se);
        number_check(json_object_get(row, "lo"), want->lo);
        number_check(json_object_get(row, "hi"), want->hi);
        number_check(json_object_get(row, "score"), want->score);
        assert_int_equal(json_integer_value(json_object_get(row, "games")), want->games);
        assert_int_equal(json_integer_value(json_object_get(row, "group")), want->group);
        assert_int_equal(json_integer_value(json_object_get(row, "table")), want->table);
        const char *bound = json_string_value(json_object_get(row, "bound"));
        bool is_perfect = bench.rating.order[i] == 3; // "never lost"
        assert_int_equal(bound != NULL, is_perfect);
        if (is_perfect)
            assert_string_equal(bound, ">");
    }
    assert_string_equal(json_string_value(json_object_get(root, "model")), "half-win");
    assert_string_equal(json_string_value(json_object_get(root, "errors")), "hessian");
    assert_string_equal(json_string_value(json_object_get(root, "against")), "mean");
    assert_int_equal(json_integer_value(json_object_get(root, "games")), 100);
    assert_null(json_object_get(root, "draw_elo"));
    assert_null(json_object_get(root, "los"));
    size_t lines = 0;
    for (const char *c = bench.view.warnings; *c; c++)
        lines += *c == '\n';
    assert_int_equal(json_array_size(json_object_get(root, "warnings")), lines);
    json_decref(root);
    bench_release(&bench);
}

static void test_rating_view__groups_share_the_players_out(void **state) {
    (void)state;
    Bench bench;
    bench_make(&bench, RATING_RAO_KUPPER);
    json_t *root = json_of(&bench), *group;
    size_t index, players = 0;
    double games = 0;
    json_array_foreach(json_object_get(root, "groups"), index, group) {
        players += json_array_size(json_object_get(group, "players"));
        games += json_number_value(json_object_get(group, "games"));
        assert_int_equal(json_integer_value(json_object_get(group, "group")), index + 1);
    }
    assert_int_equal(players, ARRAY_LEN(NAMES));
    assert_true(games == 80); // but the 20 across the one-way link
    assert_string_equal(json_string_value(json_object_get(root, "model")), "rao-kupper");
    assert_true(json_number_value(json_object_get(json_object_get(root, "draw_elo"), "elo")) > 0);
    json_decref(root);
    bench_release(&bench);
}

static void test_rating_view__the_matrix_of_superiority_is_complete(void **state) {
    (void)state;
    Bench bench;
    bench_make(&bench, RATING_HALF_WIN);
    bench.view.has_superiority = true;
    json_t *root = json_of(&bench), *los = json_object_get(root, "los");
    for (size_t i = 0; i < ARRAY_LEN(NAMES); i++)
        for (size_t j = 0; j < ARRAY_LEN(NAMES); j++) {
            json_t *one = json_array_get(json_array_get(los, i), j);
            json_t *other = json_array_get(json_array_get(los, j), i);
            int a = bench.rating.order[i], b = bench.rating.order[j];
            bool is_known = i != j && bench.rating.player[a].group == bench.rating.player[b].group;
            assert_int_equal(json_is_number(one), is_known);
            if (is_known)
                assert_true(fabs(json_number_value(one) + json_number_value(other) - 1) < 1e-12);
        }
    json_decref(root);
    assert_non_null(strstr(written(&bench, TABLE_TEXT), "\nsuperiority"));
    bench_release(&bench);
}

static void test_rating_view__tables_for_programs_have_every_column(void **state) {
    (void)state;
    Bench bench;
    bench_make(&bench, RATING_HALF_WIN);
    const char *csv = written(&bench, TABLE_CSV);
    assert_ptr_equal(strstr(csv, "rank,player,bound,elo,se,lo,hi,games,score,group,table\n"), csv);
    assert_non_null(strstr(csv, "\"a \"\"b\"\", c\""));
    const char *tsv = written(&bench, TABLE_TSV);
    for (const char *line = tsv; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        int tabs = 0;
        for (const char *c = line; *c && *c != '\n'; c++)
            tabs += *c == '\t';
        assert_int_equal(tabs, 10); // a tab in a name is none of the table's
    }
    bench_release(&bench);
}

static void test_rating_view__text_has_a_table_for_each_of_the_rating(void **state) {
    (void)state;
    Bench bench;
    bench_make(&bench, RATING_HALF_WIN);
    const char *text = written(&bench, TABLE_TEXT);
    assert_ptr_equal(strstr(text, "6 players, 100 games; Bradley-Terry, draws as half wins\n"),
                     text);
    assert_non_null(strstr(text, "first-move advantage +"));
    assert_non_null(strstr(text, "\ntable 1 of 2\n"));
    assert_non_null(strstr(text, "\ntable 2 of 2\n"));
    assert_null(strstr(text, "    One standard error"));
    bench.view.is_explained = true;
    text = written(&bench, TABLE_TEXT);
    assert_non_null(strstr(text, "    One standard error"));
    assert_null(strstr(text, "(null)"));
    bench_release(&bench);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rating_view__json_holds_every_number_of_the_rating),
        cmocka_unit_test(test_rating_view__groups_share_the_players_out),
        cmocka_unit_test(test_rating_view__the_matrix_of_superiority_is_complete),
        cmocka_unit_test(test_rating_view__tables_for_programs_have_every_column),
        cmocka_unit_test(test_rating_view__text_has_a_table_for_each_of_the_rating),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
