// SPDX-License-Identifier: GPL-3.0-or-later
// What pictures share: the tics of an axis stay apart, whatever numbers stand at them.
#include "engine/base/rng.h"
#include "harness/report/figure.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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
        cmocka_unit_test(test_figure__labels_of_an_axis_do_not_touch),
        cmocka_unit_test(test_figure__steps_are_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
