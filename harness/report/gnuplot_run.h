// SPDX-License-Identifier: GPL-3.0-or-later
// Runs gnuplot on a script file: no shell, no display, the C locale, a time limit.
#pragma once

#include "engine/base/status.h"

// One picture to be drawn. Strings are borrowed for the call.
typedef struct GnuplotJob {
    const char *script; // file
    const char *data;   // file, given to the script as `data`
    const char *format; // "png" or "svg"
    const char *target; // the picture; written under another name and renamed when it is whole
    int timeout_ms;     // the child and its children are killed then
} GnuplotJob;

// Draws one picture. STATUS_UNSUPPORTED: there is no gnuplot in PATH; STATUS_TIMEOUT; STATUS_IO: it
// failed (its own words are in *err) or the file could not be put in place. On failure no target is
// left behind that was not there before. Thread: any.
Status gnuplot_draw(const GnuplotJob *job, ErrorText *err) MUST_CHECK;
