// SPDX-License-Identifier: GPL-3.0-or-later
// Reading the row of a tune and its knobs, for the files of this directory.
#pragma once

#include "harness/store/connection.h"

// Reads tune and tune_knob into store->tune, once for a store. STATUS_CONFLICT when the file holds
// an experiment, STATUS_INVALID when it holds neither. Thread: owner.
Status tune_rows_load(Store *store, ErrorText *err) MUST_CHECK;
