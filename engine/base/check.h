// SPDX-License-Identifier: GPL-3.0-or-later
// Assertions: CHECK is always on, ASSERT only in debug and sanitizer builds (hot paths). Both are
// for bugs of ours; bad input is never a CHECK. A failed check prints where and what, then aborts.
#pragma once

// Prints "file:line: check failed: text" to standard error and aborts. Thread: any.
_Noreturn void check_failed(const char *file, int line, const char *text);

#define CHECK(cond) ((cond) ? (void)0 : check_failed(__FILE__, __LINE__, #cond))
#ifdef GOMOLAB_DEBUG
#define ASSERT(cond) CHECK(cond)
#else
#define ASSERT(cond) ((void)sizeof(cond))
#endif

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
