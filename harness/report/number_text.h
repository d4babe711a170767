// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and names as people read them. None of these ever writes NaN or infinity.
#pragma once

#include "engine/base/text.h"
#include "harness/stats/elo.h"

typedef struct NumberText {
    char text[64]; // NUL-terminated; three counts of any size
} NumberText;

// A count with blanks between thousands: "1 234 567". Thread: any.
NumberText number_count(int64_t value);

// Three significant digits with a suffix: "0.52", "12.3", "987", "1.23 k", "45.6 M", "7.89 G".
// Thread: any.
NumberText number_short(double value);

// Time from microseconds: "850 µs", "12.3 ms", "4.56 s", "3.2 min", "5.1 h". Thread: any.
NumberText number_time_us(double time_us);

// So many decimals, a plus sign in front of positive numbers when `is_signed`; what rounds to zero
// has no minus: "+12.5", "0.0". "n/a" for NaN and infinities. Thread: any.
NumberText number_fixed(double value, int decimals, bool is_signed);

// A share 0..1 as "62.5 %". Thread: any.
NumberText number_percent(double share);

// Elo with its sign: "+142", "-8", "0"; "n/a" when missing. Thread: any.
NumberText number_elo(StatValue elo);

// An interval of Elo: "[120, 165]", "> 286", "< -310", "n/a". Thread: any.
NumberText number_interval(StatValue lo, StatValue hi);

// Probability 0..1 as a percentage that never says 0 or 100 when it is neither: "97.5 %", "> 99.9
// %"; "n/a" when missing. Thread: any.
NumberText number_los(StatValue los);

// Probability 0..1 with four decimals, never 0 or 1: "0.9750", "> 0.9999"; "n/a" for NaN. Thread:
// any.
NumberText number_share(double share);

// "12-3-5": wins, draws, losses. Thread: any.
NumberText number_wdl(WdlCounts counts);

// Appends `text` on one line, control characters as blanks, bytes that are no UTF-8 as U+FFFD.
// Thread: owner of `out`.
void number_text_clean(Text *out, const char *text);

// Appends `text`, cut with "…" to at most `columns` terminal columns. Thread: owner of `out`.
void number_text_cut(Text *out, const char *text, int columns);
