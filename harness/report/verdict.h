// SPDX-License-Identifier: GPL-3.0-or-later
// A sequential test in words, the same at the end of a run and in a report.
#pragma once

#include "engine/base/text.h"
#include "harness/stats/sprt.h"

// Appends "H1 accepted: +14.2 Elo [5.0, 23.1] after 1832 pairs, LLR 2.95 [-2.94, 2.94] for elo0 0,
// elo1 10, normalized model, alpha 0.05, beta 0.05" and, on lines of their own, the estimate as for
// a fixed length and the pairs that came after the verdict. The first estimate allows for the stop.
// Ends with a newline. Thread: owner of `out`.
void verdict_write(const SprtTest *test, Text *out);
