// SPDX-License-Identifier: GPL-3.0-or-later
// Status names and the text that goes with a failure.
#include "engine/base/status.h"

#include <stdio.h>
#include <string.h>

const char *status_name(Status status) {
    // Without a default: the compiler then names a status that was forgotten here.
    switch (status) {
    case STATUS_OK:
        return "STATUS_OK";
    case STATUS_INVALID:
        return "STATUS_INVALID";
    case STATUS_NOT_FOUND:
        return "STATUS_NOT_FOUND";
    case STATUS_CONFLICT:
        return "STATUS_CONFLICT";
    case STATUS_IO:
        return "STATUS_IO";
    case STATUS_NO_MEMORY:
        return "STATUS_NO_MEMORY";
    case STATUS_UNSUPPORTED:
        return "STATUS_UNSUPPORTED";
    case STATUS_STOPPED:
        return "STATUS_STOPPED";
    case STATUS_TIMEOUT:
        return "STATUS_TIMEOUT";
    case STATUS_CRASH:
        return "STATUS_CRASH";
    }
    return "STATUS_?";
}

// One line per error: a newline inside a quoted piece of input must not break the message in two.
static void error_flatten(ErrorText *err) {
    for (char *c = err->text; *c; c++)
        if (*c == '\n' || *c == '\r' || *c == '\t')
            *c = ' ';
}

Status error_set(ErrorText *err, Status status, const char *fmt, ...) {
    if (!err)
        return status;
    va_list args;
    va_start(args, fmt);
    vsnprintf(err->text, sizeof err->text, fmt, args);
    va_end(args);
    error_flatten(err);
    return status;
}

Status error_wrap(ErrorText *err, Status status, const char *fmt, ...) {
    if (!err)
        return status;
    // The text moves behind its prefix within one buffer: a copy, since snprintf must not overlap.
    ErrorText inner = *err;
    va_list args;
    va_start(args, fmt);
    int used = vsnprintf(err->text, sizeof err->text, fmt, args);
    va_end(args);
    // When both do not fit, the end of the inner text goes: where it happened matters first.
    int room = (int)sizeof err->text - used - 3; // ": " and the NUL
    if (used >= 0 && room > 0)
        snprintf(err->text + used, (size_t)room + 3, ": %.*s", room, inner.text);
    error_flatten(err);
    return status;
}
