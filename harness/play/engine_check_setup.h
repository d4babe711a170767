// SPDX-License-Identifier: GPL-3.0-or-later
// What is checked, and with how much patience.
#pragma once

#include "harness/record/experiment.h"

typedef struct EngineCheckSetup {
    const ExternalSpec *engine; // command, args, dir, env; borrowed
    int size;                   // of the board of most checks, 5..22
    int64_t move_ms;            // timeout_turn that is tried
    int64_t margin_ms;          // overrun that is no problem
    int64_t start_ms, end_ms;   // deadlines
} EngineCheckSetup;
