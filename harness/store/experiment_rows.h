// SPDX-License-Identifier: GPL-3.0-or-later
// Reading the row of an experiment and its players, for the files of this directory.
#pragma once

#include "harness/store/connection.h"

// Reads experiment and player into store->experiment and store->players, once for a store.
// STATUS_CONFLICT when the file holds a tune, STATUS_INVALID when it holds neither. All that is
// read has been in the tables since schema version 1, so that an older file can be looked at
// without migrating it. Thread: owner.
Status experiment_rows_load(Store *store, ErrorText *err) MUST_CHECK;
