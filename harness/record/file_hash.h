// SPDX-License-Identifier: GPL-3.0-or-later
// A fingerprint of a file's bytes, to notice that an engine or a book of openings is another one
// than last time.
#pragma once

#include "engine/base/status.h"

typedef struct FileHash {
    char text[17]; // 16 hexadecimal digits and a NUL
} FileHash;

// 64-bit FNV-1a (Fowler, Noll & Vo, 1991) of the contents. Not for security. STATUS_NOT_FOUND or
// STATUS_IO when the file cannot be read. Thread: any.
Status file_hash(const char *path, FileHash *out, ErrorText *err) MUST_CHECK;
