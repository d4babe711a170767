// SPDX-License-Identifier: GPL-3.0-or-later
// The schema as steps from one version to the next, and how a file is brought to the newest.
//
// The version is SQLite's user_version; 0 is an empty file. Step i makes version i + 1 from version
// i, in one transaction with the new number, so that a file is always of exactly one version. Steps
// are never changed after a release: a new schema is a new step.
#pragma once

#include "engine/base/status.h"

#include <sqlite3.h>

enum { SCHEMA_APPLICATION_ID = 0x474f4d4b }; // "GOMK": what `file` and we know our databases by

// One version's worth of SQL: tables, indices and views, each with comments that `.schema` shows.
typedef const char *const *SchemaStep; // statements, ended by NULL

extern const SchemaStep
    SCHEMA_STEPS[]; // STORE_SCHEMA_VERSION of them; step 0 makes the tables and views

// Brings the file to version `target` by steps[from..target-1], inside the caller's transaction.
// Thread: owner of `db`.
Status schema_apply(sqlite3 *db, const SchemaStep *steps, int from, int target,
                    ErrorText *err) MUST_CHECK;
