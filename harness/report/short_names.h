// SPDX-License-Identifier: GPL-3.0-or-later
// Names of players cut to the room of a table or a picture, none of two to the same text.
#pragma once

#include "engine/base/status.h"

enum { SHORT_NAME_COLUMNS = 32 };

// Writes `count` strings, each the caller's to free, of at most SHORT_NAME_COLUMNS terminal columns
// into `out` (room for `count`, NULL before): the names as they are where they fit, else cut at the
// end with "…". Where that would make two different names look alike, all names are written without
// the groups of their keys ("eval.defense=1" becomes "defense=1"), and those that still look alike
// are cut in the middle, or numbered when all else fails. Names are different texts. Thread: any.
Status short_names_make(const char *const *names, int count, char **out, ErrorText *err) MUST_CHECK;
