// SPDX-License-Identifier: GPL-3.0-or-later
// The lock that keeps two runs off one database: "<file>-lock" beside it, locked as long as the run
// lives.
//
// SQLite's own locks are free between two transactions, so they cannot tell a running experiment. A
// lock of the kernel on an open file (flock) ends with the process, however it ends; the name that
// stays behind then means nothing.
#pragma once

#include "engine/base/status.h"

// Takes the lock; *fd is to be given to run_lock_release. STATUS_CONFLICT: another process (named)
// has it; STATUS_INVALID: the folder cannot be written; STATUS_IO: the disk is full. Thread: any.
Status run_lock_take(const char *path, int *fd, ErrorText *err) MUST_CHECK;

// Gives it back and removes the file. fd -1 is fine. Thread: any.
void run_lock_release(const char *path, int fd);
