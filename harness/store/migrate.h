// SPDX-License-Identifier: GPL-3.0-or-later
// Bringing an older database to the schema of this program, forward only.
#pragma once

#include "harness/store/connection.h"
#include "harness/store/schema.h"

// Migrates an open database of ours by `steps` to `target`, in one transaction: afterwards it is of
// that version, or as it was. Nothing happens to a file that is not ours, or not older. Thread:
// owner, holding the run lock.
Status migrate_store(Store *store, const SchemaStep *steps, int target, ErrorText *err) MUST_CHECK;

// The same for a closed file, with the schema of this program; takes the run lock if there is
// anything to do. A missing file is fine (whoever opens it will say so). Thread: any.
Status migrate_file(const char *path, ErrorText *err) MUST_CHECK;
