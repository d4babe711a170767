// SPDX-License-Identifier: GPL-3.0-or-later
// What the static analyser is told beforehand, since it looks at one source file at a time: these functions return the
// failure that they are given, so that "no failure was reported" means "the out parameters are set".
#pragma once

#include "engine/base/status.h"

void analyzer_use(const void *first, ...); // the arguments count as used; declared only

#define error_set(err, status, ...) (analyzer_use((err), __VA_ARGS__), (status))
#define error_wrap(err, status, ...) (analyzer_use((err), __VA_ARGS__), (status))
