// SPDX-License-Identifier: GPL-3.0-or-later
// Large pages by request (Linux: transparent huge pages).
#define _GNU_SOURCE // MADV_HUGEPAGE
#include "engine/base/large_memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// Large pages of 2 MiB, as x86-64 and most of ARM have them. Where they are of another size nothing
// breaks: memory is then only cut more coarsely or more finely than the system would.
enum { PAGE = 1 << 21 };

// Sanitizers watch over the heap only.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { HAS_LARGE_PAGES = 0 };
#else
enum { HAS_LARGE_PAGES = 1 };
#endif

// Below two pages there is more to lose by rounding up than to win.
static bool is_large(size_t size) { return HAS_LARGE_PAGES && size >= 2 * PAGE; }

static size_t rounded(size_t size) { return (size + PAGE - 1) / PAGE * PAGE; }

void *large_memory_new(size_t size) {
    if (size > SIZE_MAX / 2)
        return NULL;
    if (!is_large(size))
        return calloc(1, size);
    size = rounded(size);
    // One page more than it takes, to begin at the start of one; what is left over goes back.
    char *memory =
        mmap(NULL, size + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    size_t before = (PAGE - (uintptr_t)memory % PAGE) % PAGE;
    if (before)
        munmap(memory, before);
    munmap(memory + before + size, PAGE - before);
#ifdef MADV_HUGEPAGE
    if (madvise(memory + before, size, MADV_HUGEPAGE) != 0)
        return memory + before; // a wish: small pages will do
#endif
    return memory + before;
}

void large_memory_free(void *memory, size_t size) {
    if (!is_large(size))
        free(memory);
    else if (memory)
        munmap(memory, rounded(size));
}

void large_memory_claim(void *memory, size_t size) {
    enum { SMALL_PAGE = 4096 };
    // A byte in each small page: where the system gives no large ones, all of them have to be
    // touched.
    volatile char *bytes = memory; // written although nobody reads it
    for (size_t i = 0; i < size; i += SMALL_PAGE)
        bytes[i] = 0;
}

int64_t large_memory_machine_mb(void) {
    // Divided before multiplied: the bytes of a large machine need not fit, its MiB do.
    int64_t pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? pages / 1024 * page / 1024 : INT64_MAX;
}
