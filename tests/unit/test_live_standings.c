// SPDX-License-Identifier: GPL-3.0-or-later
// Live standings: the same as those of a report on the same games.
#include "engine/base/rng.h"
#include "harness/cli/live_standings.h"
#include "tests/unit/experiment_fixture.h"

#include <math.h>

static void assert_same(StatValue a, StatValue b) {
    assert_int_equal(stat_exists(a), stat_exists(b));
    if (stat_exists(a) && fabs(a.value - b.value) > 1e-9)
        fail_msg("%.12g is not %.12g", a.value, b.value);
}

// What a report counts when the game is over.
static void add_to_summary(const Plan *plan, int64_t number, char result, ReportSummary *summary) {
    ErrorText err;
    PlanSlot slot = plan_slot(plan, number);
    int plies;
    opening_set_get(&plan->openings, slot.opening, &plies);
    StoreGame game = {.slot = number,
                      .pair = slot.pair,
                      .opening = slot.opening,
                      .black = slot.black,
                      .white = slot.white,
                      .first = plies % 2 ? WHITE : BLACK,
                      .result = result,
                      .reason = REASON_FIVE};
    assert_int_equal(summary_add_game(summary, 0, &game, &err), STATUS_OK);
}

static void check_players(int players, int64_t games) {
    Experiment experiment = experiment_fixture(players, 4);
    fixture_openings(&experiment, "h8\nh8i9\nh8i9g7\nh8g7i9f6\n");
    Plan plan;
    Tally tally;
    ErrorText err;
    ReportSummary summary = {0};
    Standings live, stored;
    Rng rng = rng_init(7);
    assert_int_equal(plan_init(&plan, &experiment, &(PlanLimits){0}, &err), STATUS_OK);
    assert_int_equal(tally_init(&tally, &plan, &err), STATUS_OK);
    for (int i = 0; i < players; i++) {
        int index;
        PlayerRow row = {.name = experiment.players[i].name, .label = ""};
        assert_int_equal(summary_add_player(&summary, &row, &index, &err), STATUS_OK);
    }
    for (int64_t slot = 0; slot < plan.slot_count && slot < games; slot++) {
        TallyGame game = {.slot = slot, .result = "BBWD"[rng_below(&rng, 4)]};
        assert_int_equal(tally_add(&tally, &game, &err), STATUS_OK);
        add_to_summary(&plan, slot, game.result, &summary);
    }
    summary_end_source(&summary);
    assert_int_equal(live_standings_compute(&tally, &live, &err), STATUS_OK);
    assert_int_equal(standings_compute(&summary, &stored, &err), STATUS_OK);
    assert_int_equal(live.count, stored.count);
    for (int i = 0; i < live.count; i++) {
        assert_int_equal(live.rows[i].player, stored.rows[i].player);
        assert_int_equal(live.rows[i].games, stored.rows[i].games);
        assert_same(live.rows[i].elo, stored.rows[i].elo);
        assert_same(live.rows[i].interval.lo, stored.rows[i].interval.lo);
        assert_same(live.rows[i].interval.hi, stored.rows[i].interval.hi);
    }
    assert_same(live.advantage, stored.advantage);
    standings_release(&live);
    standings_release(&stored);
    summary_release(&summary);
    tally_release(&tally);
    plan_release(&plan);
    fixture_drop_openings(&experiment);
    experiment_release(&experiment);
}

static void test_live_standings__are_those_of_a_report(void **state) {
    (void)state;
    check_players(4, 48);
    check_players(4, 31); // one game waits for its twin
    check_players(3, 2);  // only two have met
    check_players(2, 8);
    check_players(2, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_live_standings__are_those_of_a_report),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
