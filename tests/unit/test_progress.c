// SPDX-License-Identifier: GPL-3.0-or-later
// The line of progress of a run: what it says of the leader with few games and with many.
#include "harness/cli/progress.h"
#include "tests/unit/experiment_fixture.h"

// The line after the first games of a plan of 4 pairs a pairing; black wins, white wins or a draw
// by `results`. Played in 2 s of this sitting.
static void write_line(int players, const char *results, bool is_last, Text *out) {
    Experiment experiment = experiment_fixture(players, 4);
    fixture_openings(&experiment, "h8\nh8i9\nh8i9g7\nh8g7i9f6\n");
    Plan plan;
    Tally tally;
    ErrorText err;
    assert_int_equal(plan_init(&plan, &experiment, &(PlanLimits){0}, &err), STATUS_OK);
    assert_int_equal(tally_init(&tally, &plan, &err), STATUS_OK);
    int64_t played = 0;
    for (; results[played]; played++) {
        TallyGame game = {.slot = played, .result = results[played]};
        assert_int_equal(tally_add(&tally, &game, &err), STATUS_OK);
    }
    PoolProgress progress = {.tally = &tally,
                             .total = plan.slot_count,
                             .played = played,
                             .known = played,
                             .seconds = 2,
                             .jobs = 1,
                             .is_last = is_last};
    progress_write(&progress, out);
    tally_release(&tally);
    plan_release(&plan);
    fixture_drop_openings(&experiment);
    experiment_release(&experiment);
}

static void test_progress__says_what_the_games_allow(void **state) {
    (void)state;
    static const struct {
        int players;
        const char *results, *line;
    } CASES[] = {
        {2, "", "0/8 games, 0.0 games/s"},
        // Colours are swapped within a pair: the same player wins both games.
        {2, "BW", "2/8 games, 1.0 games/s, ETA 0:06, p0 > -"},
        {2, "BB", "2/8 games, 1.0 games/s, ETA 0:06, p0 +0.0 Elo ["},
        {2, "BWBBBBBB", "8/8 games, 4.0 games/s, ETA 0:00, p0 +88.7 Elo ["},
        // Every pair of every pairing was split: ratings, but nothing from which to tell their
        // error.
        {3, "BBBBBB", "6/24 games, 3.0 games/s, ETA 0:06, p0 +0.0 Elo, too few games for an error"},
        {3, "BWBBBBBBBBBB", "12/24 games, 6.0 games/s, ETA 0:02, p0 +"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Text line = {0};
        write_line(CASES[i].players, CASES[i].results, false, &line);
        if (strncmp(text_cstr(&line), CASES[i].line, strlen(CASES[i].line)) != 0)
            fail_msg("\"%s\", expected \"%s...\"", text_cstr(&line), CASES[i].line);
        assert_int_equal(strstr(CASES[i].line, "too few") != NULL,
                         strstr(text_cstr(&line), "too few") != NULL);
        text_release(&line);
    }
}

static void test_progress__the_last_line_says_how_long_it_took(void **state) {
    (void)state;
    Text line = {0};
    write_line(2, "BBBB", true, &line);
    assert_ptr_equal(strstr(text_cstr(&line), "4/8 games, 2.0 games/s, took 0:02, p0 "),
                     text_cstr(&line));
    assert_null(strstr(text_cstr(&line), "ETA"));
    text_release(&line);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_progress__says_what_the_games_allow),
        cmocka_unit_test(test_progress__the_last_line_says_how_long_it_took),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
