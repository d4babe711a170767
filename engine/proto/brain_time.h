// SPDX-License-Identifier: GPL-3.0-or-later
// The clocks of a brain: what a manager says about time, and how much of it a move may take.
//
// Up to three limits hold at once: on a turn, on the whole match, and what is left of that. A
// margin is kept back from each, since time also passes where no search can see it: in pipes, and
// while the process waits for a core. Arithmetic on milliseconds only; nothing here reads a clock.
#pragma once

#include "engine/engine.h"

typedef struct BrainTime {
    int64_t turn_ms;      // INFO timeout_turn: 0 = as fast as possible, -1 = never said
    int64_t match_ms;     // INFO timeout_match: 0 = no limit, -1 = never said
    int64_t left_ms;      // INFO time_left: may be negative; INT64_MAX = never said
    int64_t increment_ms; // INFO time_increment, 0 = none
    int64_t late_ms; // how much later than they should searches have ended: on a machine with more
                     // to do than cores a program waits for its turn, before and after them too
} BrainTime;

// Nothing said yet: no limit is known. Thread: any.
BrainTime brain_time_unknown(void);

// Notes the value of an INFO line when its key (in lower case) is one of time; false, and nothing
// changed, for any other key. Values out of range are taken for the nearest that makes sense.
// Thread: owner.
bool brain_time_note(BrainTime *time, const char *key, int64_t value);

// Milliseconds to spend on a move of a game with `stones` stones on `cells` cells: at least 1; 0 =
// no limit is known. `margin_ms` is kept back from each limit; -1 = 30 ms, a twentieth of it and
// twice late_ms, at most half. Thread: any.
int64_t brain_time_budget_ms(const BrainTime *time, int stones, int cells, int64_t margin_ms);

// Sets time_ms and, under a match clock, soft_ms of the next search on `board`; both stay as they
// are when no limit is known. `used_ms` have passed since the command came. Thread: any.
void brain_time_limit(const BrainTime *time, const Board *board, int64_t margin_ms, int64_t used_ms,
                      ThinkLimits *limits);

// Notes that a search under these limits took so long: the latest end counts, and is forgotten
// slowly. Thread: owner.
void brain_time_watch(BrainTime *time, const ThinkLimits *limits, int64_t took_ms);
