// SPDX-License-Identifier: GPL-3.0-or-later
// Results for `gomolab rate`: TSV files of counts or of single games, and databases of experiments,
// put together into one pool.
//
// A TSV file has a header that names its columns: `first`, `second` (first moved first), and either
// `first_wins`, `draws`, `second_wins` (counts) or `result_first` (1, 0.5 or 0, a game a line).
// With `result_first` a column `pair` may say which two games share an opening. Other columns are
// ignored, as are empty lines and lines that begin with `#`. Players of different files are the
// same when their names are; databases tell namesakes with other settings apart.
#pragma once

#include "harness/cli/result_pool.h"

// Reads all files into the pool. STATUS_INVALID with file:line:column for a fault in a TSV;
// database faults as store_open tells them. "-" is standard input. Thread: owner.
MUST_CHECK Status rate_input_load(ResultPool *input, const char *const *paths, int path_count,
                                  ErrorText *err);
