// SPDX-License-Identifier: GPL-3.0-or-later
// The progress of a tune on standard error: one live line on a terminal, else a plain line now and
// then.
#pragma once

#include "harness/tune/tune_stage.h"

// Made by tune_live_start. has_line: the terminal's last line is a live one, to be written over.
typedef struct TuneLive {
    bool is_quiet, is_terminal, has_line;
    double last_s; // when the last line was printed
} TuneLive;

// How standard error is used from here on. Thread: main.
TuneLive tune_live_start(bool is_quiet);

// A callback for the run; `live` is its TuneLive. Writes over its own line on a terminal, a line
// now and then elsewhere, nothing when quiet. Thread: main.
void tune_live_show(TuneLive *live, const TuneProgress *progress);

// Prints a line of text, below the live line. Thread: main.
void tune_live_say(TuneLive *live, const char *line);
