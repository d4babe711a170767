// SPDX-License-Identifier: GPL-3.0-or-later
// Laws of exit of Brownian motion: limits, symmetry, agreement of the two series, and a small
// simulation.
// sanitizers: asan
#include "engine/base/rng.h"
#include "golden_tsv.h"
#include "harness/stats/brownian.h"

static const Brownian even = {.lower = -2.0, .upper = 3.0, .drift = 0.0, .variance = 1.0};

static void test_brownian__late_is_ever(void **state) {
    (void)state;
    for (int i = -20; i <= 20; i++) {
        Brownian b = even;
        b.drift = i * 0.25;
        golden_near("up", brownian_up_by(&b, 1000.0), brownian_exit_up(&b), 1e-12);
        golden_near("above", brownian_above_at(&b, 1000.0, 0.5), brownian_exit_up(&b), 1e-12);
        Brownian mirror = {-b.upper, -b.lower, -b.drift, b.variance};
        golden_near("mirror", brownian_exit_up(&b) + brownian_exit_up(&mirror), 1.0, 1e-12);
        golden_near("time", brownian_exit_time(&b), brownian_exit_time(&mirror), 1e-9);
    }
    golden_near("fair", brownian_exit_up(&even), 2.0 / 5.0, 1e-15);
    golden_near("fair time", brownian_exit_time(&even), 6.0, 1e-12);
}

// The law switches from one bound to the series of two at 0.02 width^2 / variance: no step there.
static void test_brownian__series_agree(void **state) {
    (void)state;
    double at = 0.02 * 25.0;
    for (int i = -20; i <= 20; i++) {
        Brownian b = even;
        b.drift = i;
        golden_near("up", brownian_up_by(&b, at * (1 - 1e-9)), brownian_up_by(&b, at * (1 + 1e-9)),
                    1e-7);
    }
    Brownian near = {.lower = -2.9, .upper = 2.9, .drift = 0.2, .variance = 1.0};
    at = 0.02 * 5.8 * 5.8;
    golden_near("above", brownian_above_at(&near, at * (1 - 1e-9), 0.0),
                brownian_above_at(&near, at * (1 + 1e-9), 0.0), 1e-3);
}

static void test_brownian__grows_with_drift(void **state) {
    (void)state;
    double last_up = -1.0, last_above = -1.0;
    for (int i = -60; i <= 60; i++) {
        Brownian b = even;
        b.drift = i * 0.1;
        double up = brownian_up_by(&b, 4.0), above = brownian_above_at(&b, 4.0, 1.0);
        assert_true(up >= last_up && above >= last_above && above >= up && above <= 1.0);
        last_up = up;
        last_above = above;
    }
}

static void test_brownian__agrees_with_simulation(void **state) {
    (void)state;
    enum { WALKS = 4000, STEPS = 800 };
    Rng rng = rng_init(3);
    Brownian b = {.lower = -2.0, .upper = 2.0, .drift = 0.3, .variance = 1.0};
    double time = 2.0, dt = time / STEPS, sd = sqrt(dt);
    int up = 0, above = 0;
    for (int walk = 0; walk < WALKS; walk++) {
        double x = 0.0;
        for (int step = 0; step < STEPS && x > b.lower && x < b.upper; step++)
            x += b.drift * dt + (rng_next(&rng) & 1 ? sd : -sd);
        up += x >= b.upper;
        above += x >= b.upper || (x > b.lower && x > 0.5);
    }
    golden_near("up", (double)up / WALKS, brownian_up_by(&b, time), 0.03);
    golden_near("above", (double)above / WALKS, brownian_above_at(&b, time, 0.5), 0.03);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_brownian__late_is_ever),
        cmocka_unit_test(test_brownian__series_agree),
        cmocka_unit_test(test_brownian__grows_with_drift),
        cmocka_unit_test(test_brownian__agrees_with_simulation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
