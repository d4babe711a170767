// SPDX-License-Identifier: GPL-3.0-or-later
// Putting an old database aside under a free name (--fresh).
#pragma once

#include "engine/base/status.h"

// Renames `path` and what SQLite keeps beside it to "<name>-1.db", "<name>-2.db", ..., the first
// that is free; *renamed is the new name, the caller's to free(), or NULL when there is no such
// file. Nothing is lost: a log that is still there is merged first, or goes along. Thread: any,
// holding the run lock.
Status retire_database(const char *path, char **renamed, ErrorText *err) MUST_CHECK;
