// SPDX-License-Identifier: GPL-3.0-or-later
// Memory for large tables that are filled at once or looked up at random: in large pages where the
// system has them. A table of 32 MB costs 16 page faults then, not 8192.
#pragma once

#include <stddef.h>

// At least `size` bytes, not cleared; NULL when memory is out. The caller's, freed by free().
// Thread: any.
void *large_memory_new(size_t size);
