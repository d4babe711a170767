// SPDX-License-Identifier: GPL-3.0-or-later
// A text file read whole, as often as it is asked for.
//
// A configuration is asked several questions (which kind is it? what does it say? how does it read
// as it stands?), each by reading the file. A pipe gives its bytes once only: what comes from
// something that is no file on disk is kept and given again to every later reader.
#pragma once

#include "engine/base/status.h"

#include <stddef.h>

// Reads `path` up to `limit` + 1 bytes (one more than allowed, so that the caller sees that there
// are too many) into *bytes, which is the caller's to free. STATUS_NOT_FOUND when it cannot be
// read. Thread: any.
Status whole_file_read(const char *path, size_t limit, char **bytes, size_t *length,
                       ErrorText *err) MUST_CHECK;
