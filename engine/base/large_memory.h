// SPDX-License-Identifier: GPL-3.0-or-later
// Memory for large tables that are looked up at random: in large pages where the system has them,
// which spares most misses of the address cache, and page faults: a table of 32 MB costs 16 instead
// of 8192.
#pragma once

#include <stddef.h>
#include <stdint.h>

// `size` bytes, all 0, that take memory only where they are touched; NULL when memory is out. The
// caller's, freed by large_memory_free. Thread: any.
void *large_memory_new(size_t size);

// Frees memory of large_memory_new; `size` as it was asked for. NULL is fine. Thread: any.
void large_memory_free(void *memory, size_t size);

// Makes `size` bytes of large_memory_new that hold only 0 the process's own. A page that is touched
// for the first time takes its time, a large one up to a millisecond: whoever has a clock to keep
// does it before. Thread: owner.
void large_memory_claim(void *memory, size_t size);

// Memory of this machine in MiB; INT64_MAX when the system does not say. Thread: any.
int64_t large_memory_machine_mb(void);
