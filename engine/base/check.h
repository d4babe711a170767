// SPDX-License-Identifier: GPL-3.0-or-later
// Assertions: CHECK is always on, ASSERT only in debug and sanitizer builds (hot paths). Both are
// for bugs of ours; bad input is never a CHECK. A failed check prints where and what, then aborts.
#pragma once

// Prints "file:line: check failed: text" to standard error and aborts. Thread: any.
_Noreturn void check_failed(const char *file, int line, const char *text);

// A bug if false, in every build. An expression, so that it can stand beside a comma, too.
#define CHECK(cond) ((cond) ? (void)0 : check_failed(__FILE__, __LINE__, #cond))
// The same where a test would cost the search its speed. In a release build `cond` is not
// evaluated, so it must do nothing; it is still compiled, so that it cannot rot.
#ifdef GOMOLAB_DEBUG
#define ASSERT(cond) CHECK(cond)
#else
#define ASSERT(cond) ((void)sizeof(cond))
#endif

// Elements of an array, a constant. Not for pointers: what they point at has no length.
#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
