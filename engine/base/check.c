// SPDX-License-Identifier: GPL-3.0-or-later
// The end of a failed CHECK.
#include "engine/base/check.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void check_failed(const char *file, int line, const char *text) {
    fprintf(stderr, "%s:%d: check failed: %s\n", file, line, text);
    abort();
}
