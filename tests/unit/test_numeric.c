// SPDX-License-Identifier: GPL-3.0-or-later
// Roots and positive definite systems: answers against the question, and failures as values.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/base/rng.h"
#include "golden_tsv.h"
#include "harness/stats/numeric.h"

static double cubic(double x, void *ctx) { return x * x * x - *(double *)ctx; }
static double pole(double x, void *ctx) { return (void)ctx, 1.0 / x; }
static double step(double x, void *ctx) { return x < *(double *)ctx ? -1.0 : 1.0; }
static double undefined(double x, void *ctx) { return (void)ctx, sqrt(x); }

static void test_numeric__roots_are_found_to_the_last_digits(void **state) {
    (void)state;
    static const double CUBES[] = {1e-12, 0.001, 1, 2, 27, 1e12};
    for (size_t i = 0; i < ARRAY_LEN(CUBES); i++) {
        double cube = CUBES[i], root = -1;
        assert_true(numeric_root(cubic, &cube, 0.0, 1e5, &root));
        golden_near("root", root, cbrt(cube), 1e-14 * 1e5 + 1e-13 * cbrt(cube));
    }
    double at = 0.3, root = -1; // no slope at all: a jump is found as well
    assert_true(numeric_root(step, &at, 0.0, 1.0, &root));
    golden_near("jump", root, 0.3, 1e-12);
}

static void test_numeric__a_root_at_an_end_is_that_end(void **state) {
    (void)state;
    double cube = 8, root = -1;
    assert_true(numeric_root(cubic, &cube, 2.0, 5.0, &root));
    assert_true(root == 2.0);
    assert_true(numeric_root(cubic, &cube, -1.0, 2.0, &root));
    assert_true(root == 2.0);
}

static void test_numeric__without_a_bracket_nothing_is_written(void **state) {
    (void)state;
    double cube = 8, root = 42;
    assert_false(numeric_root(cubic, &cube, 3.0, 5.0, &root));     // same sign
    assert_false(numeric_root(cubic, &cube, 5.0, 1.0, &root));     // upside down
    assert_false(numeric_root(pole, NULL, 0.0, 1.0, &root));       // infinite at an end
    assert_false(numeric_root(undefined, NULL, -1.0, 1.0, &root)); // not a number
    assert_true(root == 42);
}

enum { SIDE_MAX = 7 };

// A random positive definite matrix, A A^T and a little more on the diagonal.
static void positive_definite(Rng *rng, size_t n, double *out) {
    double a[SIDE_MAX * SIDE_MAX];
    for (size_t i = 0; i < n * n; i++)
        a[i] = 2.0 * rng_unit(rng) - 1.0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            out[i * n + j] = i == j ? 0.1 : 0.0;
            for (size_t k = 0; k < n; k++)
                out[i * n + j] += a[i * n + k] * a[j * n + k];
        }
}

static void test_numeric__solutions_and_inverses_undo_the_matrix(void **state) {
    (void)state;
    Rng rng = rng_init(5);
    for (size_t n = 1; n <= SIDE_MAX; n++) {
        double matrix[SIDE_MAX * SIDE_MAX], factor[SIDE_MAX * SIDE_MAX], x[SIDE_MAX], b[SIDE_MAX];
        positive_definite(&rng, n, matrix);
        memcpy(factor, matrix, sizeof matrix);
        for (size_t i = 0; i < n; i++) {
            for (size_t j = i + 1; j < n; j++)
                factor[i * n + j] = NAN; // only the lower triangle is read
            x[i] = b[i] = 2.0 * rng_unit(&rng) - 1.0;
        }
        assert_true(numeric_cholesky(factor, n));
        numeric_cholesky_solve(factor, n, x);
        numeric_cholesky_invert(factor, n);
        for (size_t i = 0; i < n; i++) {
            double row = 0;
            for (size_t j = 0; j < n; j++) {
                row += matrix[i * n + j] * x[j];
                double product = 0;
                for (size_t k = 0; k < n; k++)
                    product += matrix[i * n + k] * factor[k * n + j];
                golden_near("inverse", product, i == j, 1e-9);
            }
            golden_near("solution", row, b[i], 1e-9);
        }
    }
}

static void test_numeric__a_matrix_that_is_not_definite_is_refused(void **state) {
    (void)state;
    double negative[] = {-1.0}, singular[] = {1, 1, 1, 1}, saddle[] = {1, 2, 2, 1}, zero[] = {0.0};
    assert_false(numeric_cholesky(negative, 1));
    assert_false(numeric_cholesky(singular, 2));
    assert_false(numeric_cholesky(saddle, 2));
    assert_false(numeric_cholesky(zero, 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numeric__roots_are_found_to_the_last_digits),
        cmocka_unit_test(test_numeric__a_root_at_an_end_is_that_end),
        cmocka_unit_test(test_numeric__without_a_bracket_nothing_is_written),
        cmocka_unit_test(test_numeric__solutions_and_inverses_undo_the_matrix),
        cmocka_unit_test(test_numeric__a_matrix_that_is_not_definite_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
