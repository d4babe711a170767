// SPDX-License-Identifier: GPL-3.0-or-later
// Response curves: which knob is the axis, who is on which curve, where a value without end stands.
// sanitizers: asan
#include "engine/base/check.h"
#include "golden_tsv.h"
#include "harness/record/experiment.h"
#include "harness/report/sweep.h"

enum { PLAYERS_MAX = 12 };

// A report under construction: players, then pairs of games between them.
typedef struct Bench {
    ReportInput input;
    int64_t slot;
} Bench;

// Adds a player with settings "key=value key=value", written as `sweep:` names them.
static int swept_add(Bench *bench, const char *settings) {
    ErrorText err = {""};
    PlayerSpec player = {.name = (char *)settings, .knobs = knob_defaults()};
    char copy[128], *rest = copy, *word;
    snprintf(copy, sizeof copy, "%s", settings);
    while ((word = strtok_r(rest, " ", &rest))) {
        char *equals = strchr(word, '=');
        if (!equals)
            continue;
        *equals = '\0';
        if (knob_set_text(&player.knobs, word, equals + 1, &err))
            fail_msg("%s", err.text);
    }
    Text config = {0};
    player_spec_write_json(&player, &config);
    PlayerRow row = {settings, text_cstr(&config), "db"};
    int index = -1;
    if (summary_add_player(&bench->input.summary, &row, &index, &err))
        fail_msg("%s", err.text);
    text_release(&config);
    return index;
}

// A pair of games in which `a` makes these half points in each.
static void pair_add(Bench *bench, int a, int b, int points) {
    for (int i = 0; i < 2; i++) {
        ErrorText err = {""};
        char of_a = i ? 'W' : 'B', of_b = i ? 'B' : 'W';
        StoreGame game = {.slot = bench->slot,
                          .pair = bench->slot / 2,
                          .opening = bench->slot / 2,
                          .black = i ? b : a,
                          .white = i ? a : b,
                          .result = points == 1   ? 'D'
                                    : points == 2 ? of_a
                                                  : of_b};
        bench->slot++;
        assert_int_equal(summary_add_game(&bench->input.summary, 0, &game, &err), STATUS_OK);
    }
}

static void everybody_meets(Bench *bench, int players) {
    for (int a = 0; a < players; a++)
        for (int b = a + 1; b < players; b++)
            for (int i = 0; i < 3; i++)
                pair_add(bench, a, b, (a + b + i) % 3);
    summary_end_source(&bench->input.summary);
}

static bool find(const Bench *bench, SweepView *view) {
    ErrorText err = {""};
    bool found = false;
    if (sweep_find(&bench->input, view, &found, &err))
        fail_msg("%s", err.text);
    return found;
}

static void bench_release(Bench *bench, SweepView *view) {
    sweep_release(view);
    report_input_release(&bench->input);
}

static void test_sweep__the_axis_is_the_number_with_most_values(void **state) {
    (void)state;
    Bench bench = {0};
    SweepView view = {0};
    static const char *const SETTINGS[] = {
        "p eval.defense=1.5 search.depth=2", "p eval.defense=0.5 search.depth=1",
        "p eval.defense=1 search.depth=2",   "p eval.defense=0.5 search.depth=2",
        "p eval.defense=1.5 search.depth=1", "p eval.defense=1 search.depth=1"};
    for (size_t i = 0; i < ARRAY_LEN(SETTINGS); i++)
        swept_add(&bench, SETTINGS[i]);
    everybody_meets(&bench, ARRAY_LEN(SETTINGS));
    assert_true(sweep_is_asked(&bench.input));
    assert_true(find(&bench, &view));
    assert_int_equal(view.axis, KNOB_EVAL_DEFENSE);
    assert_int_equal(view.count, 6);
    assert_int_equal(view.series_count, 2);
    assert_int_equal(view.head, -1);
    assert_true(isnan(view.head_x));
    assert_false(view.is_log);
    for (int i = 0; i < view.count; i++) { // by series, then value
        const SweepPoint *point = &view.points[i];
        assert_int_equal(point->series, i / 3);
        golden_near("x", point->x, 0.5 * (i % 3 + 1), 0);
        assert_non_null(strstr(SETTINGS[point->player], text_cstr(&view.labels[i / 3]) + 13));
        assert_true(point->lo <= point->score && point->score <= point->hi);
        assert_true(isnan(point->nodes));
    }
    assert_string_equal(text_cstr(&view.labels[0]), "search.depth 2"); // the first player's
    assert_string_equal(text_cstr(&view.labels[1]), "search.depth 1");
    bench_release(&bench, &view);
}

static void test_sweep__heads_of_a_gauntlet_are_no_points(void **state) {
    (void)state;
    Bench bench = {0};
    SweepView view = {0};
    int head = swept_add(&bench, "p eval.defense=1.1");
    int low = swept_add(&bench, "p eval.defense=0.5"), high = swept_add(&bench, "p eval.defense=2");
    pair_add(&bench, low, head, 0);
    pair_add(&bench, low, head, 1);
    pair_add(&bench, high, head, 2);
    pair_add(&bench, high, head, 1);
    summary_end_source(&bench.input.summary);
    assert_true(find(&bench, &view));
    assert_int_equal(view.count, 2);
    assert_int_equal(view.head, head);
    golden_near("head", view.head_x, 1.1, 1e-12);
    golden_near("low", view.points[0].score, 0.25, 1e-12);
    golden_near("high", view.points[1].score, 0.75, 1e-12);
    bench_release(&bench, &view);
}

// A head that differs in another knob is beside the curve, not on it.
static void test_sweep__a_head_of_another_kind_has_no_place_on_the_curve(void **state) {
    (void)state;
    Bench bench = {0};
    SweepView view = {0};
    int head = swept_add(&bench, "anchor search.depth=3");
    pair_add(&bench, swept_add(&bench, "p eval.defense=0.5"), head, 0);
    pair_add(&bench, swept_add(&bench, "p eval.defense=2"), head, 2);
    summary_end_source(&bench.input.summary);
    assert_true(find(&bench, &view));
    assert_int_equal(view.head, head);
    assert_true(isnan(view.head_x));
    assert_int_equal(view.series_count, 1);
    assert_string_equal(text_cstr(&view.labels[0]), "");
    bench_release(&bench, &view);
}

static void test_sweep__zero_without_end_stands_at_the_right(void **state) {
    (void)state;
    static const struct {
        const char *key, *low, *high;
        bool is_log;
        double x;
    } CASES[] = {{"moves.limit", "10", "20", false, 22.0},
                 {"moves.limit", "2", "200", true, 200 * 2.51188643150958}}; // 100^0.2
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Bench bench = {0};
        SweepView view = {0};
        const char *values[] = {"0", CASES[i].high, CASES[i].low};
        char name[64];
        for (size_t v = 0; v < ARRAY_LEN(values); v++) {
            snprintf(name, sizeof name, "p %s=%s", CASES[i].key, values[v]);
            swept_add(&bench, name);
        }
        everybody_meets(&bench, 3);
        assert_true(find(&bench, &view));
        assert_int_equal(view.is_log, CASES[i].is_log);
        assert_true(view.points[2].is_endless);
        assert_false(view.points[0].is_endless || view.points[1].is_endless);
        golden_near("x", view.points[2].x, CASES[i].x, 1e-9);
        bench_release(&bench, &view);
    }
}

// A zero that is a value like others stays where it is.
static void test_sweep__zero_of_a_weight_is_a_zero(void **state) {
    (void)state;
    Bench bench = {0};
    SweepView view = {0};
    swept_add(&bench, "p eval.defense=0");
    swept_add(&bench, "p eval.defense=1");
    everybody_meets(&bench, 2);
    assert_true(find(&bench, &view));
    golden_near("x", view.points[0].x, 0, 0);
    assert_false(view.points[0].is_endless || view.is_log);
    bench_release(&bench, &view);
}

static void test_sweep__nothing_to_see_is_nothing_found(void **state) {
    (void)state;
    Bench bench = {0};
    SweepView view = {0};
    assert_false(sweep_is_asked(&bench.input));
    assert_false(find(&bench, &view)); // no players
    swept_add(&bench, "p eval.defense=1");
    assert_false(sweep_is_asked(&bench.input)); // one
    swept_add(&bench, "p eval.defense=2");
    assert_true(sweep_is_asked(&bench.input));
    assert_false(find(&bench, &view)); // nobody has played
    bench_release(&bench, &view);
    Bench words = {0}; // what varies is no number
    swept_add(&words, "p search.algorithm=alphabeta");
    swept_add(&words, "p search.algorithm=pvs");
    everybody_meets(&words, 2);
    assert_false(find(&words, &view));
    bench_release(&words, &view);
}

static void test_sweep__names_are_swept_only_by_whole_keys(void **state) {
    (void)state;
    static const struct {
        const char *name;
        bool is_swept;
    } CASES[] = {
        {"classic eval.defense=0.8", true},
        {"eval.defense=0.8", true},
        {"a b=1 eval.defense=0.8", true},
        {"eval.defens=0.8", false},
        {"xeval.defense=0.8", false},
        {"eval.defense", false},
        {"=", false},
        {"", false},
        {"eval.defense =1", false},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        ErrorText err = {""};
        ReportInput input = {0};
        for (int twice = 0; twice < 2; twice++) {
            int index;
            PlayerRow row = {CASES[i].name, twice ? "{\"b\": 1}" : "{}", "db"};
            assert_int_equal(summary_add_player(&input.summary, &row, &index, &err), STATUS_OK);
        }
        if (sweep_is_asked(&input) != CASES[i].is_swept)
            fail_msg("'%s'", CASES[i].name);
        report_input_release(&input);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sweep__the_axis_is_the_number_with_most_values),
        cmocka_unit_test(test_sweep__heads_of_a_gauntlet_are_no_points),
        cmocka_unit_test(test_sweep__a_head_of_another_kind_has_no_place_on_the_curve),
        cmocka_unit_test(test_sweep__zero_without_end_stands_at_the_right),
        cmocka_unit_test(test_sweep__zero_of_a_weight_is_a_zero),
        cmocka_unit_test(test_sweep__nothing_to_see_is_nothing_found),
        cmocka_unit_test(test_sweep__names_are_swept_only_by_whole_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
