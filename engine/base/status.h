// SPDX-License-Identifier: GPL-3.0-or-later
// How every fallible function reports: a Status for the program, an ErrorText for the person.
//
// Status is 0 (STATUS_OK) or a negative cause. The text is owned by the caller, written by whoever
// found the fault and wrapped on the way out ("openings.txt:7: move h16: outside the 15x15 board").
// A function that returns a failure leaves its out parameters untouched unless its contract says
// otherwise.
#pragma once

#include <stdarg.h>

#define MUST_CHECK __attribute__((warn_unused_result))
#define PRINTF_LIKE(fmt_index, first_arg) __attribute__((format(printf, fmt_index, first_arg)))

// Why something failed: a small set, since all that callers do is let one of them pass and hand the
// others on. In brackets the exit status of a command that ends with it.
typedef enum Status {
    STATUS_OK = 0,
    // Bad input from a person: configuration, position, argument (exit status 2).
    STATUS_INVALID = -1,
    // A file, row or name that does not exist (exit status 2).
    STATUS_NOT_FOUND = -2,
    // Valid by itself, but not together with what is there (exit status 2).
    STATUS_CONFLICT = -3,
    // The system refused: disk full, read-only, pipe broken (exit status 3).
    STATUS_IO = -4,
    // Allocation failed (exit status 3).
    STATUS_NO_MEMORY = -5,
    // This engine or build cannot do it: board size, rule, missing program (exit status 2).
    STATUS_UNSUPPORTED = -6,
    // Interrupted on request (exit status 130).
    STATUS_STOPPED = -7,
    // A deadline passed. Of an engine: a result of its game, not the end of the program.
    STATUS_TIMEOUT = -8,
    // A child process ended when it should not. Of an engine: a result of its game, too.
    STATUS_CRASH = -9,
} Status;

// Room for a path, a place in it and a sentence, wrapped a few times.
enum { ERROR_TEXT_CAP = 768 };

typedef struct ErrorText {
    char text[ERROR_TEXT_CAP]; // NUL-terminated, one line, no trailing newline; "" = nothing said
} ErrorText;

// The name of a status as written in code ("STATUS_IO"); "STATUS_?" for a number that is none.
// Thread: any.
const char *status_name(Status status);

// Writes the text (cut at the capacity, newlines become spaces) and returns `status`, so that a
// failing function can end with `return error_set(err, STATUS_INVALID, "...")`. `err` may be NULL.
// Thread: owner of `err`.
Status error_set(ErrorText *err, Status status, const char *fmt, ...) PRINTF_LIKE(3, 4);

// Puts "<prefix>: " before the text that is there and returns `status`. `err` may be NULL. Thread:
// owner of `err`.
Status error_wrap(ErrorText *err, Status status, const char *fmt, ...) PRINTF_LIKE(3, 4);
