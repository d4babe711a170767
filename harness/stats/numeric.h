// SPDX-License-Identifier: GPL-3.0-or-later
// The generic numerics that the statistics rest on, from the GNU Scientific Library, wrapped so
// that a failure is a value and never an abort: bracketed roots, and solving and inverting positive
// definite systems.
#pragma once

#include "engine/base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef double (*NumericFunction)(double x, void *ctx);

// A root of `f` between `lo` and `hi` (Brent 1973), to about 1e-14 of the bracket. True and *root
// written when `f` is finite and of opposite signs (or zero) at the ends; else false and *root
// untouched. Ends after 200 steps at the latest. Thread: any.
MUST_CHECK bool numeric_root(NumericFunction f, void *ctx, double lo, double hi, double *root);

// Factors the symmetric positive definite `matrix` (n by n, row-major; only the lower triangle is
// read) in place as L L^T. False when it is not positive definite; the contents are then lost.
// Thread: any.
MUST_CHECK bool numeric_cholesky(double *matrix, size_t n);

// Solves with a factor made by numeric_cholesky; `x` holds the right side and receives the
// solution. Thread: any.
void numeric_cholesky_solve(const double *factor, size_t n, double *x);

// Turns a factor into the whole inverse, in place, both triangles filled. Thread: any.
void numeric_cholesky_invert(double *factor, size_t n);
