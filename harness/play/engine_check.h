// SPDX-License-Identifier: GPL-3.0-or-later
// Does a program speak the protocol well enough for a night of games? Each check is one row of a
// table: what is tried, and a finding in words.
//
// A problem is what loses games or stops them: no OK, illegal moves, overrun clocks, an END that is
// ignored. A note is what may be, but is good to know: no RESTART, bytes that are not UTF-8, CPU
// used while not on move.
#pragma once

#include "harness/play/engine_check_setup.h"

// In the order of gravity.
typedef enum FindingKind { FINDING_OK, FINDING_NOTE, FINDING_PROBLEM } FindingKind;

typedef struct Finding {
    const char *check; // what was tried
    FindingKind kind;
    char text[256]; // one line
} Finding;

enum { ENGINE_CHECK_MAX = 24 }; // findings at most

// Tries everything; takes some ten moves of the program. Writes the findings (room for
// ENGINE_CHECK_MAX) and returns their number in *count. STATUS_IO when the program cannot be
// executed. Thread: owner.
Status engine_check(const EngineCheckSetup *setup, Finding *findings, int *count,
                    ErrorText *err) MUST_CHECK;

// "ok", "note" or "problem". Thread: any.
const char *finding_kind_name(FindingKind kind);
