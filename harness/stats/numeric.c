// SPDX-License-Identifier: GPL-3.0-or-later
// GSL behind a face that never aborts.
#include "harness/stats/numeric.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_roots.h>
#include <gsl/gsl_vector.h>
#include <math.h>
#include <pthread.h>

// GSL ends the program on an error unless it is told otherwise, once a process.
static pthread_once_t gsl_silenced = PTHREAD_ONCE_INIT;

static void gsl_silence(void) { gsl_set_error_handler_off(); }

bool numeric_root(NumericFunction f, void *ctx, double lo, double hi, double *root) {
    pthread_once(&gsl_silenced, gsl_silence);
    // The ends are looked at before GSL is, which would call a bracket without a change of sign an
    // error.
    double at_lo = f(lo, ctx), at_hi = f(hi, ctx);
    if (!isfinite(at_lo) || !isfinite(at_hi) || !(lo < hi))
        return false;
    if (at_lo == 0.0 || at_hi == 0.0) {
        *root = at_lo == 0.0 ? lo : hi;
        return true;
    }
    if ((at_lo > 0.0) == (at_hi > 0.0))
        return false;
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    if (!solver)
        return false;
    gsl_function function = {.function = f, .params = ctx};
    // An absolute part beside the relative one: without it a root at 0 is never close enough.
    double tiny = 1e-15 * (hi - lo);
    bool is_found = gsl_root_fsolver_set(solver, &function, lo, hi) == GSL_SUCCESS;
    for (int step = 0; is_found && step < 200; step++) {
        is_found = gsl_root_fsolver_iterate(solver) == GSL_SUCCESS;
        double a = gsl_root_fsolver_x_lower(solver), b = gsl_root_fsolver_x_upper(solver);
        if (gsl_root_test_interval(a, b, tiny, 1e-14) == GSL_SUCCESS)
            break;
    }
    if (is_found)
        *root = gsl_root_fsolver_root(solver);
    gsl_root_fsolver_free(solver);
    return is_found;
}

bool numeric_cholesky(double *matrix, size_t n) {
    pthread_once(&gsl_silenced, gsl_silence);
    gsl_matrix_view view = gsl_matrix_view_array(matrix, n, n);
    // decomp1 reads the lower triangle only; the older cholesky_decomp writes L^T into the upper
    // one, which nobody here needs.
    return gsl_linalg_cholesky_decomp1(&view.matrix) == GSL_SUCCESS;
}

void numeric_cholesky_solve(const double *factor, size_t n, double *x) {
    gsl_matrix_const_view view = gsl_matrix_const_view_array(factor, n, n);
    gsl_vector_view vector = gsl_vector_view_array(x, n);
    gsl_linalg_cholesky_svx(&view.matrix, &vector.vector);
}

void numeric_cholesky_invert(double *factor, size_t n) {
    gsl_matrix_view view = gsl_matrix_view_array(factor, n, n);
    gsl_linalg_cholesky_invert(&view.matrix);
}
