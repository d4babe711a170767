// SPDX-License-Identifier: GPL-3.0-or-later
// Reading the row of a tune and its knobs, for the files of this directory.
#pragma once

#include "harness/store/connection.h"

// Reads tune and tune_knob into store->tune. STATUS_INVALID when the file holds no tune. Thread:
// owner.
Status tune_rows_load(Store *store, ErrorText *err) MUST_CHECK;
