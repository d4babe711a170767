// SPDX-License-Identifier: GPL-3.0-or-later
// The tuners where the truth is known. Goals are those of a published comparison of ten weights,
// 150 Elo of damage: 4.5 Elo left after 5 000 games, 0.4 after 100 000.
// sanitizers: asan
#include "harness/tune/sense.h"
#include "harness/tune/spsa.h"
#include "harness/tune/synthetic_study.h"
#include "harness/tune/tune_defaults.h"

// cmocka wants these before it.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static SyntheticStudy study(SyntheticShape shape, int seeds, double games, bool known) {
    SyntheticStudy out;
    ErrorText err;
    assert_int_equal(synthetic_study(shape, seeds, games, known, &out, &err), STATUS_OK);
    return out;
}

static void test_synthetic__surfaces_start_where_they_should(void **state) {
    (void)state;
    for (int shape = 0; shape < SYNTHETIC_NULL; shape++)
        for (uint64_t seed = 1; seed < 20; seed++) {
            Synthetic s;
            synthetic_init(&s, (SyntheticShape)shape, 10, 150, seed);
            assert_true(fabs(synthetic_elo(&s, s.start) + 150) < 0.01);
            double best[SYNTHETIC_MAX];
            for (int i = 0; i < s.count; i++)
                best[i] = fmin(fmax(s.optimum[i], 0), 1);
            assert_true(fabs(synthetic_elo(&s, best)) < 1e-9);
        }
}

static void test_synthetic__spsa_reaches_the_published_regret(void **state) {
    (void)state;
    SyntheticStudy five = study(SYNTHETIC_QUADRATIC, 50, 5000, true);
    assert_true(five.regret > 0.7 * 4.5 && five.regret < 1.3 * 4.5);
    SyntheticStudy twenty = study(SYNTHETIC_QUADRATIC, 50, 20000, true);
    assert_true(twenty.regret > 0.7 * 1.6 && twenty.regret < 1.3 * 1.6);
}

static void test_synthetic__other_surfaces_are_climbed_with_a_scan(void **state) {
    (void)state;
    const SyntheticShape shapes[] = {SYNTHETIC_QUADRATIC, SYNTHETIC_CORRELATED, SYNTHETIC_FLAT,
                                     SYNTHETIC_BOUND};
    for (int i = 0; i < 4; i++) {
        SyntheticStudy s = study(shapes[i], 12, 10000, false);
        assert_true(s.regret < 10);
        assert_int_equal(s.passed, s.seeds);
    }
}

static void test_synthetic__idle_weights_stay_and_nothing_is_proved_of_nothing(void **state) {
    (void)state;
    SyntheticStudy flat = study(SYNTHETIC_FLAT, 20, 10000, false);
    assert_true(flat.idle == 80 && flat.start_z_max < 3);
    SyntheticStudy null = study(SYNTHETIC_NULL, 100, 2000, false);
    assert_true((double)null.passed <= null.alpha * (double)null.seeds);
    assert_true(null.start_z_rms < 1.1);
}

static void test_synthetic__the_scan_finds_what_is_there(void **state) {
    (void)state;
    Synthetic s;
    TuneSpec spec = {0};
    TunerSetup setup;
    double numbers[TUNE_STATE_MAX];
    StoreTuneEffect effects[TUNE_MAX_KNOBS];
    synthetic_init(&s, SYNTHETIC_FLAT, 10, 30, 5);
    s.bias_elo = 0;
    synthetic_spec(&s, 1, &spec);
    spec.scan_pairs = 4000;
    tune_setup_sense(&spec, &setup);
    synthetic_run(&s, &TUNER_SENSE, &setup, numbers);
    sense_effects(&setup, numbers, effects);
    for (int i = 0; i < 10; i++) {
        double truth = s.sensitivity[i] * 4 * effects[i].h * effects[i].h;
        assert_true(fabs(effects[i].curvature - truth) < 4 * effects[i].curvature_se);
        assert_true(truth < 10 || !effects[i].is_flat);
    }
    assert_true(effects[8].step < effects[2].step); // 206 and 21 Elo at half the range
}

// A forecast of the random walk against the sum that the tuner keeps.
static void test_synthetic__drift_is_as_predicted(void **state) {
    (void)state;
    Synthetic s;
    TuneSpec spec = {0};
    TunerSetup setup;
    double numbers[TUNE_STATE_MAX], steps[TUNE_MAX_KNOBS];
    synthetic_init(&s, SYNTHETIC_NULL, 3, 0, 1);
    synthetic_spec(&s, 1, &spec);
    for (int i = 0; i < 3; i++)
        steps[i] = 0.1;
    tune_setup_main(&spec, s.start, steps, 4000, &setup);
    synthetic_run(&s, &TUNER_SPSA, &setup, numbers);
    assert_true(fabs(TUNER_SPSA.drift(&setup, numbers) - spsa_drift(&setup, setup.iterations)) <
                1e-9);
    SpsaForecast f = spsa_forecast(&setup, 4000, 0);
    assert_true(f.floor_elo > 1.2 && f.floor_elo < 1.4); // C n r / 8
    assert_true(fabs(f.time_games - 1447.6) < 1);        // C / (4 r kappa)
}

static void test_synthetic__random_search_keeps_the_better(void **state) {
    (void)state;
    Synthetic s;
    TuneSpec spec = {0};
    TunerSetup setup;
    double numbers[TUNE_STATE_MAX], u[TUNE_MAX_KNOBS];
    synthetic_init(&s, SYNTHETIC_QUADRATIC, 2, 150, 3);
    synthetic_spec(&s, 1, &spec);
    spec.method = (char *)"random";
    tune_setup_main(&spec, s.start, s.start, 20000, &setup);
    synthetic_run(&s, &TUNER_RANDOM, &setup, numbers);
    TUNER_RANDOM.answer(&setup, numbers, u);
    assert_true(synthetic_elo(&s, u) > -40);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_synthetic__surfaces_start_where_they_should),
        cmocka_unit_test(test_synthetic__spsa_reaches_the_published_regret),
        cmocka_unit_test(test_synthetic__other_surfaces_are_climbed_with_a_scan),
        cmocka_unit_test(test_synthetic__idle_weights_stay_and_nothing_is_proved_of_nothing),
        cmocka_unit_test(test_synthetic__the_scan_finds_what_is_there),
        cmocka_unit_test(test_synthetic__drift_is_as_predicted),
        cmocka_unit_test(test_synthetic__random_search_keeps_the_better),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
