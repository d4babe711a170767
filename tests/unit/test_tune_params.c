// SPDX-License-Identifier: GPL-3.0-or-later
// Coordinates, orders, rounding: properties over random vectors.
#include "engine/base/rng.h"
#include "harness/tune/params.h"

// cmocka wants these before it.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static TuneSpec shape_spec(void) {
    TuneSpec spec = {.knob_count = 4};
    spec.knobs[0] = (TuneKnob){.id = KNOB_EVAL_DEFENSE, .low = 0.5, .high = 2.5, .start = 1.2};
    KnobId ids[] = {KNOB_EVAL_OPEN_FOUR, KNOB_EVAL_FOUR, KNOB_EVAL_THREE};
    for (int i = 0; i < 3; i++)
        spec.knobs[i + 1] = (TuneKnob){.id = ids[i],
                                       .low = 1,
                                       .high = 1000,
                                       .start = pow(10, 2 - i),
                                       .is_log = true,
                                       .is_whole = true};
    spec.orders[spec.order_count++] = (TuneOrder){1, 2};
    spec.orders[spec.order_count++] = (TuneOrder){2, 3};
    return spec;
}

static void test_tune_params__coordinates_and_values_are_inverse(void **state) {
    (void)state;
    TuneSpec spec = shape_spec();
    for (int i = 0; i < spec.knob_count; i++) {
        const TuneKnob *knob = &spec.knobs[i];
        assert_true(params_value(knob, 0) == knob->low);
        assert_true(params_value(knob, 1) == knob->high);
        assert_true(params_value(knob, -3) == knob->low);
        for (double u = 0.01; u < 1; u += 0.07)
            assert_true(fabs(params_coordinate(knob, params_value(knob, u)) - u) < 1e-12);
    }
    assert_true(fabs(params_value(&spec.knobs[1], 0.5) - sqrt(1000)) < 1e-9);
}

static void test_tune_params__values_keep_bounds_and_orders(void **state) {
    (void)state;
    TuneSpec spec = shape_spec();
    Rng rng = rng_init(7);
    for (int round = 0; round < 20000; round++) {
        double u[4], values[4];
        for (int i = 0; i < 4; i++)
            u[i] = rng_unit(&rng) * 1.4 - 0.2;
        double dither = round % 3 ? rng_unit(&rng) : 0.5;
        params_values(&spec, u, dither, values);
        for (int i = 0; i < 4; i++) {
            assert_true(values[i] >= spec.knobs[i].low && values[i] <= spec.knobs[i].high);
            assert_true(!spec.knobs[i].is_whole || values[i] == floor(values[i]));
        }
        assert_true(values[1] > values[2] && values[2] > values[3]);
        bool moved = params_project(&spec, u);
        double again[4];
        memcpy(again, u, sizeof u);
        assert_true(!moved || !params_project(&spec, again) || fabs(again[1] - u[1]) < 1e-6);
    }
}

static void test_tune_params__an_ordered_vector_keeps_its_bits(void **state) {
    (void)state;
    TuneSpec spec = shape_spec();
    double u[4] = {0.3, 0.9, 0.5, 0.1}, before[4];
    memcpy(before, u, sizeof u);
    assert_false(params_project(&spec, u));
    assert_memory_equal(u, before, sizeof u);
}

static void test_tune_params__random_rounding_keeps_the_mean(void **state) {
    (void)state;
    TuneSpec spec = shape_spec();
    spec.order_count = 0;
    Rng rng = rng_init(3);
    double u[4], values[4], sum = 0;
    enum { ROUNDS = 20000 };
    params_start(&spec, u);
    u[3] = params_coordinate(&spec.knobs[3], 2.3);
    for (int i = 0; i < ROUNDS; i++) {
        params_values(&spec, u, rng_unit(&rng), values);
        assert_true(values[3] == 2 || values[3] == 3);
        sum += values[3];
    }
    assert_true(fabs(sum / ROUNDS - 2.3) < 0.02);
    params_final(&spec, u, values);
    assert_true(values[3] == 2);
    assert_true(values[1] == 100 && values[0] == 1.2);
}

static void test_tune_params__contradictions_are_found(void **state) {
    (void)state;
    ErrorText err;
    TuneSpec spec = shape_spec();
    assert_int_equal(params_check(&spec, &err), STATUS_OK);
    spec.orders[spec.order_count++] = (TuneOrder){3, 1};
    assert_int_equal(params_check(&spec, &err), STATUS_INVALID);
    assert_non_null(strstr(err.text, "cycle"));
    spec.knobs[1].start = spec.knobs[2].start; // a circle is said even where the start breaks it
    assert_int_equal(params_check(&spec, &err), STATUS_INVALID);
    assert_non_null(strstr(err.text, " contradicts "));
    spec = shape_spec();
    spec.orders[spec.order_count++] = (TuneOrder){3, 1};
    spec.order_count--;
    spec.knobs[1].high = 10;
    spec.knobs[2].low = 10;
    assert_int_equal(params_check(&spec, &err), STATUS_INVALID);
    assert_non_null(strstr(err.text, "cannot be kept"));
    spec = shape_spec();
    spec.knobs[2].start = 200;
    assert_int_equal(params_check(&spec, &err), STATUS_INVALID);
    assert_non_null(strstr(err.text, "does not hold at the start"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tune_params__coordinates_and_values_are_inverse),
        cmocka_unit_test(test_tune_params__values_keep_bounds_and_orders),
        cmocka_unit_test(test_tune_params__an_ordered_vector_keeps_its_bits),
        cmocka_unit_test(test_tune_params__random_rounding_keeps_the_mean),
        cmocka_unit_test(test_tune_params__contradictions_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
