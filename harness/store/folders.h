// SPDX-License-Identifier: GPL-3.0-or-later
// The folders of a database that is about to be made.
#pragma once

#include "engine/base/status.h"

// Makes every folder that `path` names before its last slash. STATUS_IO: the disk is full;
// STATUS_INVALID: it may not be made. Thread: any.
Status folders_make(const char *path, ErrorText *err) MUST_CHECK;
