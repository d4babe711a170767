// SPDX-License-Identifier: GPL-3.0-or-later
// Large pages by request (Linux: transparent huge pages).
#define _GNU_SOURCE // MADV_HUGEPAGE
#include "engine/base/large_memory.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 1 << 21 };

void *large_memory_new(size_t size) {
    if (size < 2 * PAGE || size > (size_t)-1 - PAGE)
        return malloc(size);
    size = (size + PAGE - 1) / PAGE * PAGE;
    void *memory = aligned_alloc(PAGE, size);
#ifdef MADV_HUGEPAGE
    if (memory && madvise(memory, size, MADV_HUGEPAGE) != 0)
        return memory; // a wish: small pages will do
#endif
    return memory;
}
