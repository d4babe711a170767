// SPDX-License-Identifier: GPL-3.0-or-later
// A file that gets its name when it is whole: until then what was there stays, and a failure leaves
// no half of a file behind.
#pragma once

#include "engine/base/status.h"

#include <stdio.h>

// Between new_file_open and new_file_close; zeroed, it is closed.
typedef struct NewFile {
    FILE *stream; // to write to
    char *path;   // what was asked for, links followed
    char *part;   // where it is written until then; NULL: in place, as devices and pipes are
} NewFile;

// Starts a file for `path`; *file is zeroed before. STATUS_INVALID when it cannot be written: then
// nothing is to be closed. Thread: any, one thread a path.
Status new_file_open(NewFile *file, const char *path, ErrorText *err) MUST_CHECK;

// Ends the file and returns `status`. With STATUS_OK the file takes its place, which may fail
// (STATUS_IO, as when the disk is full); else it is dropped. A file that is not open is left
// alone. Thread: that of new_file_open.
Status new_file_close(NewFile *file, Status status, ErrorText *err) MUST_CHECK;
