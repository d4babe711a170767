// SPDX-License-Identifier: GPL-3.0-or-later
// What pictures share: names that are never markup, colours that differ, scripts that are complete,
// tics that stay apart.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/base/rng.h"
#include "harness/report/figures.h"
#include "harness/report/table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_figure__texts_become_strings_of_gnuplot(void **state) {
    (void)state;
    static const struct {
        const char *text, *string, *tic;
    } CASES[] = {
        {"", "''", "''"},
        {"d4", "'d4'", "'d4'"},
        {"it's", "'it''s'", "'it''s'"},
        {"''", "''''''", "''''''"},
        {"100 %", "'100 %'", "'100 %%'"},
        {"a\\n\"b\"", "'a\\n\"b\"'", "'a\\n\"b\"'"},
        {"one\ntwo\ttab", "'one two tab'", "'one two tab'"},
        {"\xff", "'\xef\xbf\xbd'", "'\xef\xbf\xbd'"},
        {"五子棋", "'五子棋'", "'五子棋'"},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Text out = {0};
        figure_append_string(&out, CASES[i].text);
        assert_string_equal(text_cstr(&out), CASES[i].string);
        text_clear(&out);
        figure_append_tic(&out, CASES[i].text);
        assert_string_equal(text_cstr(&out), CASES[i].tic);
        text_release(&out);
    }
}

static void test_figure__names_are_cut_before_they_are_quoted(void **state) {
    (void)state;
    Text out = {0};
    figure_append_name(&out, "it's too long", 5);
    assert_string_equal(text_cstr(&out), "'it''s…'");
    assert_int_equal(figure_name_columns("it's too long", 5), 5);
    assert_int_equal(figure_name_columns("五子", 28), 4);
    assert_int_equal(figure_name_columns("", 28), 0);
    text_release(&out);
}

// Measured in DejaVu Sans at 13 points: what is reserved must hold what is drawn.
static void test_figure__capitals_get_the_room_they_take(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int drawn_px;
    } CASES[] = {{"WWWWWWWW", 137},    {"MMMMMMMM", 120}, {"mmmmmmmm", 136}, {"@@@@@@@@", 139},
                 {"RENJUSOLVER", 125}, {"wwwwwwww", 112}, {"五子棋五", 70}};
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++)
        if (figure_text_px(CASES[i].text) < CASES[i].drawn_px - 8) // margins hold a little more
            fail_msg("%s: %d px", CASES[i].text, figure_text_px(CASES[i].text));
    assert_int_equal(figure_text_px(""), 0);
}

// As many players as colours times point types are told apart.
static void test_figure__colour_and_point_tell_forty_players_apart(void **state) {
    (void)state;
    enum { PLAYERS = 5 * FIGURE_COLOURS };
    for (int a = 0; a < PLAYERS; a++) {
        const char *colour = figure_colour(a);
        assert_int_equal(strlen(colour), 7);
        assert_int_equal(strspn(colour + 1, "0123456789abcdef"), 6);
        for (int b = 0; b < a; b++)
            assert_true(strcmp(colour, figure_colour(b)) != 0 ||
                        figure_point_type(a) != figure_point_type(b));
    }
    assert_string_equal(figure_colour(PLAYERS), figure_colour(0));
}

static void test_figure__every_kind_has_a_name_of_its_own(void **state) {
    (void)state;
    int count = 0;
    assert_null(figure_kind_at(-1));
    for (; figure_kind_at(count); count++) {
        const FigureKind *kind = figure_kind_at(count);
        assert_true(kind->make && kind->summary[0]);
        assert_int_equal(strspn(kind->name, "abcdefghijklmnopqrstuvwxyz-"), strlen(kind->name));
        for (int other = 0; other < count; other++)
            assert_string_not_equal(kind->name, figure_kind_at(other)->name);
    }
    assert_int_equal(count, 10);
}

// Without games no picture is drawn, none crashes, and each says why.
static void test_figure__without_games_every_kind_says_why(void **state) {
    (void)state;
    ErrorText err = {""};
    ReportInput input = {0};
    assert_int_equal(report_input_finish(&input, &err), STATUS_OK);
    for (int i = 0; figure_kind_at(i); i++) {
        const FigureKind *kind = figure_kind_at(i);
        Figure figure = {.name = kind->name};
        if (kind->of_tune)
            continue;
        kind->make(&input, &figure);
        if (!figure.skipped[0])
            fail_msg("%s: nothing to draw, and no reason", kind->name);
        figure_release(&figure);
    }
    report_input_release(&input);
}

static void test_figure__a_script_has_its_defaults_and_its_parts_in_order(void **state) {
    (void)state;
    Figure figure = {.name = "elo-ladder", .width = 800, .height = 400};
    Text out = {0};
    text_append(&figure.head, "set title 'head'\n");
    text_append(&figure.body, "plot data\n");
    figure_write_script(&figure, &out);
    static const char *const PARTS[] = {
        "if (!exists('format')) format = 'png'\n",
        "if (!exists('target')) target = 'elo-ladder.'.format\n",
        "if (!exists('data')) data = 'elo-ladder.dat'\n",
        "set encoding utf8\n",
        "size 800,400 noenhanced",
        "size 1200,600 noenhanced",
        "set output target\n",
        "set title 'head'\n",
        "plot data\n",
        "unset output\n",
    };
    const char *at = text_cstr(&out);
    for (size_t i = 0; i < ARRAY_LEN(PARTS); i++) {
        const char *found = strstr(at, PARTS[i]);
        if (!found)
            fail_msg("'%s' is missing or too early", PARTS[i]);
        at = found + strlen(PARTS[i]);
    }
    assert_string_equal(at, "");
    figure_release(&figure);
    text_release(&out);
}

static double step_of(double low, double high, int width_px) {
    Text out = {0};
    figure_append_x_tics(low, high, width_px, &out);
    const char *at = strstr(text_cstr(&out), "set xtics ");
    double step = at ? strtod(at + strlen("set xtics "), NULL) : 0;
    text_release(&out);
    return step;
}

static int columns_of(double value) { return snprintf(NULL, 0, "%g", value); }

// The room between two tics holds the longest label and a gap, and not much more: tics are not
// scarce.
static void test_figure__labels_of_an_axis_do_not_touch(void **state) {
    (void)state;
    Rng rng = rng_init(11);
    for (int round = 0; round < 2000; round++) {
        double size = pow(10, 6 * rng_unit(&rng) - 1);
        double low = -size * rng_unit(&rng), high = size * (0.1 + rng_unit(&rng));
        int width_px = 200 + (int)rng_below(&rng, 600), longest = 0;
        double step = step_of(low, high, width_px);
        assert_true(step > 0);
        for (double i = ceil(low / step); i * step <= high; i++)
            longest = columns_of(i * step) > longest ? columns_of(i * step) : longest;
        double apart_px = step / (high - low) * width_px;
        assert_true(apart_px >= (longest + 1) * FIGURE_CHAR_PX);
        assert_true(apart_px <= 2.5 * 10 * FIGURE_CHAR_PX);
    }
}

static void test_figure__steps_are_round(void **state) {
    (void)state;
    assert_float_equal(step_of(-58, 115, 330), 50, 1e-9);
    assert_float_equal(step_of(-15, 80, 330), 20, 1e-9);
    assert_float_equal(step_of(-90, 1790, 330), 500, 1e-9);
    assert_float_equal(step_of(-1, 1, 330), 0.5, 1e-9);
    // Nothing to divide: gnuplot is left to its own choice.
    assert_float_equal(step_of(3, 3, 330), 0, 0);
    assert_float_equal(step_of(0, INFINITY, 330), 0, 0);
    assert_float_equal(step_of(NAN, 1, 330), 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure__texts_become_strings_of_gnuplot),
        cmocka_unit_test(test_figure__names_are_cut_before_they_are_quoted),
        cmocka_unit_test(test_figure__capitals_get_the_room_they_take),
        cmocka_unit_test(test_figure__colour_and_point_tell_forty_players_apart),
        cmocka_unit_test(test_figure__every_kind_has_a_name_of_its_own),
        cmocka_unit_test(test_figure__without_games_every_kind_says_why),
        cmocka_unit_test(test_figure__a_script_has_its_defaults_and_its_parts_in_order),
        cmocka_unit_test(test_figure__labels_of_an_axis_do_not_touch),
        cmocka_unit_test(test_figure__steps_are_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
