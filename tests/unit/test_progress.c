// SPDX-License-Identifier: GPL-3.0-or-later
// The line of progress: counts, speed, time left, the leader, the test; and what it says when there
// is too little to say.
// sanitizers: asan
#include "engine/base/check.h"
#include "experiment_fixture.h"
#include "harness/cli/progress.h"

typedef struct Line {
    Experiment experiment;
    Plan plan;
    Tally tally;
    Text text;
    PoolProgress progress;
} Line;

static void line_make(Line *line, int players, int64_t pairs) {
    ErrorText err = {""};
    *line = (Line){.experiment = experiment_fixture(players, pairs)};
    if (plan_init(&line->plan, &line->experiment, &(PlanLimits){0}, &err) ||
        tally_init(&line->tally, &line->plan, &err))
        fail_msg("%s", err.text);
    line->progress = (PoolProgress){.tally = &line->tally, .total = line->plan.slot_count};
}

static void line_release(Line *line) {
    tally_release(&line->tally);
    plan_release(&line->plan);
    text_release(&line->text);
    experiment_release(&line->experiment);
}

// Plays slot after slot; black wins, loses, draws as the letters say.
static void play(Line *line, const char *results) {
    ErrorText err = {""};
    for (int64_t slot = line->tally.game_count; *results; slot++, results++) {
        TallyGame game = {.slot = slot, .result = *results};
        assert_int_equal(tally_add(&line->tally, &game, &err), STATUS_OK);
    }
    line->progress.known = line->progress.played = line->tally.game_count;
}

static const char *written(Line *line) {
    text_clear(&line->text);
    progress_write(&line->progress, &line->text);
    return text_cstr(&line->text);
}

static void test_progress__before_the_first_game(void **state) {
    (void)state;
    Line line;
    line_make(&line, 2, 5);
    assert_string_equal(written(&line), "0/10 games, 0.0 games/s");
    line.progress.seconds = 4;
    assert_string_equal(written(&line), "0/10 games, 0.0 games/s");
    line_release(&line);
}

static void test_progress__speed_and_the_time_left(void **state) {
    (void)state;
    static const struct {
        int64_t played, known, total;
        double seconds;
        bool is_last;
        const char *text;
    } CASES[] = {
        {10, 10, 400, 2, false, "10/400 games, 5.0 games/s, ETA 1:18"},
        {10, 390, 400, 2, false, "390/400 games, 5.0 games/s, ETA 0:02"},
        {1, 1, 100000, 1, false, "1/100000 games, 1.0 games/s, ETA 27:46:39"},
        {500, 500, 1000, 2, false, "500/1000 games, 250 games/s, ETA 0:02"},
        {10, 400, 400, 3599.6, true, "400/400 games, 0.0 games/s, took 1:00:00"},
        {10, 400, 400, 59.4, true, "400/400 games, 0.2 games/s, took 0:59"},
        {10, 10, INT64_MAX, 2, false, "10 games, 5.0 games/s"}, // until it is decided
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Line line;
        line_make(&line, 2, 5);
        line.progress.played = CASES[i].played;
        line.progress.known = CASES[i].known;
        line.progress.total = CASES[i].total;
        line.progress.seconds = CASES[i].seconds;
        line.progress.is_last = CASES[i].is_last;
        assert_string_equal(written(&line), CASES[i].text);
        line_release(&line);
    }
}

// The leader of a match with what its games can say.
static void test_progress__the_leader_has_an_error_or_a_reason(void **state) {
    (void)state;
    static const struct {
        const char *results, *said;
    } CASES[] = {
        {"B", ", p0 > "},        // one won game is a bound
        {"BW", ", p0 > "},       // a pair won
        {"BB", ", p0 +0.0 Elo"}, // a pair split
        {"BWBBWB", " Elo ["},    {"D", ", p0 +0.0 Elo"}, {"WB", ", p1 > "},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Line line;
        line_make(&line, 2, 5);
        play(&line, CASES[i].results);
        const char *said = written(&line);
        if (!strstr(said, CASES[i].said))
            fail_msg("%s: '%s'", CASES[i].results, said);
        assert_null(strstr(said, "nan"));
        line_release(&line);
    }
}

static void test_progress__a_test_shows_its_ratio(void **state) {
    (void)state;
    Line line;
    line_make(&line, 2, 50);
    line.experiment.sprt = (SprtSpec){true, 0, 20, 0.05, 0.1, false};
    tally_release(&line.tally);
    ErrorText err = {""};
    assert_int_equal(tally_init(&line.tally, &line.plan, &err), STATUS_OK);
    assert_non_null(strstr(written(&line), ", LLR 0.00 [-2.25, 2.89] (0, 20, logistic)"));
    play(&line, "BWBWBD");
    Text want = {0};
    text_printf(&want, ", LLR %.2f [", line.tally.sprt.result.llr.value);
    assert_non_null(strstr(written(&line), text_cstr(&want)));
    assert_true(line.tally.sprt.result.llr.value > 0.05);
    text_release(&want);
    line_release(&line);
}

// A field too large to be rated at every line: the best share of the points.
static void test_progress__a_large_field_shows_a_score(void **state) {
    (void)state;
    Line line;
    line_make(&line, 300, 1);
    play(&line, "BD"); // p0 against p1: 1 1/2 of 2
    assert_non_null(strstr(written(&line), " games/s, p0 75.0 %"));
    line_release(&line);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_progress__before_the_first_game),
        cmocka_unit_test(test_progress__speed_and_the_time_left),
        cmocka_unit_test(test_progress__the_leader_has_an_error_or_a_reason),
        cmocka_unit_test(test_progress__a_test_shows_its_ratio),
        cmocka_unit_test(test_progress__a_large_field_shows_a_score),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
