// SPDX-License-Identifier: GPL-3.0-or-later
// Reading results from a TSV file (rate_input.h says how they look).
#pragma once

#include "harness/cli/result_pool.h"

// Adds the results of one file, "-" for standard input. STATUS_NOT_FOUND, or STATUS_INVALID with
// file:line:column. The pool may hold part of the file after a failure. Thread: owner.
MUST_CHECK Status rate_tsv_read(ResultPool *input, const char *path, ErrorText *err);
