// SPDX-License-Identifier: GPL-3.0-or-later
// Names in old files: UTF-8, or the Windows code page of central Europe, where Piskvork comes from.
#pragma once

#include "engine/base/text.h"

// Appends `length` bytes as UTF-8: as they are when they are UTF-8, else read as CP1250. NUL bytes
// end the text. Thread: owner of `out`.
void legacy_text_append(Text *out, const char *bytes, size_t length);
