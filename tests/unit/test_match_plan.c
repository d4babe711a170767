// SPDX-License-Identifier: GPL-3.0-or-later
// Lengths of matches: the pairs that are planned have the power that was asked for, no pair less
// has.
// sanitizers: asan
#include "engine/base/check.h"
#include "golden_tsv.h"
#include "harness/stats/match_plan.h"

static double normal_cdf(double z) { return erfc(-z / sqrt(2.0)) / 2.0; }

// Chance that the 95 % interval of so many pairs lies above 0 when the score is `gain` above even.
static double power_of(double pairs, double gain, double variance) {
    return normal_cdf(gain * sqrt(pairs / variance) - NORMAL_Z95);
}

static void test_match_plan__the_power_is_reached_and_no_pair_wasted(void **state) {
    (void)state;
    static const struct {
        double elo, power, variance, bias;
    } CASES[] = {
        {10, 0.8, PAIR_VARIANCE_FAIR, 0},
        {5, 0.95, 0.06, 0.1},
        {50, 0.5, 0.125, 0.3},
        {1, 0.9, 0.01, 0.45},
        {400, 0.8, 0.1, 0},
        {0.1, 0.8, 0.25, 0},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        MatchPlanInput in = {CASES[i].elo, CASES[i].power, 0.95, CASES[i].variance, CASES[i].bias};
        MatchPlan plan = match_plan_compute(&in);
        double gain = score_from_elo(in.elo) - 0.5, slope = 1 - 4 * in.bias_score * in.bias_score;
        golden_near("slope", plan.slope.value, slope, 1e-12);
        golden_near("measured", score_from_elo(plan.measured_elo.value), 0.5 + slope * gain, 1e-12);
        assert_true(stat_exists(plan.pairs) && stat_exists(plan.pairs_measured));
        assert_true(plan.pairs.value == floor(plan.pairs.value));
        assert_true(power_of(plan.pairs.value, slope * gain, in.pair_variance) >= in.power - 1e-9);
        assert_true(power_of(plan.pairs.value - 1, slope * gain, in.pair_variance) <
                    in.power + 1e-9);
        assert_true(power_of(plan.pairs_measured.value, gain, in.pair_variance) >= in.power - 1e-9);
        assert_true(plan.pairs_measured.value <= plan.pairs.value);
    }
}

static void test_match_plan__ten_elo_of_fair_pairs_is_a_known_number(void **state) {
    (void)state;
    MatchPlanInput in = {10, 0.8, 0.95, PAIR_VARIANCE_FAIR, 0};
    // (1.959964 + 0.841621)^2 / 8 / (score of 10 Elo - 1/2)^2
    golden_near("pairs", match_plan_compute(&in).pairs.value, 4739, 1);
}

static void test_match_plan__openings_that_decide_everything_have_no_plan(void **state) {
    (void)state;
    MatchPlanInput in = {10, 0.8, 0.95, 0.1, 0.5};
    MatchPlan plan = match_plan_compute(&in);
    assert_false(stat_exists(plan.pairs));
    assert_non_null(strstr(plan.pairs.reason, "openings decide every game"));
    assert_true(stat_exists(plan.pairs_measured));
    golden_near("slope", plan.slope.value, 0, 0);
    golden_near("measured", plan.measured_elo.value, 0, 1e-12);
    in = (MatchPlanInput){10, 0.8, 0.95, 0, 0};
    assert_non_null(strstr(match_plan_compute(&in).pairs.reason, "no variance"));
}

static void test_match_plan__the_smallest_difference_needs_just_these_pairs(void **state) {
    (void)state;
    for (double pairs = 20; pairs < 1e7; pairs *= 3) {
        double elo = match_plan_smallest_elo(pairs, PAIR_VARIANCE_FAIR, 0.8, 0.95);
        MatchPlanInput in = {elo, 0.8, 0.95, PAIR_VARIANCE_FAIR, 0};
        golden_near("pairs", match_plan_compute(&in).pairs.value, pairs, 1.0);
    }
    assert_true(isinf(match_plan_smallest_elo(1, 0.25, 0.8, 0.95)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_match_plan__the_power_is_reached_and_no_pair_wasted),
        cmocka_unit_test(test_match_plan__ten_elo_of_fair_pairs_is_a_known_number),
        cmocka_unit_test(test_match_plan__openings_that_decide_everything_have_no_plan),
        cmocka_unit_test(test_match_plan__the_smallest_difference_needs_just_these_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
