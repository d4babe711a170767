// SPDX-License-Identifier: GPL-3.0-or-later
// Which slots of a plan are played already. The store answers, whoever plays asks; neither knows
// the other.
#pragma once

#include "engine/base/status.h"

#include <stdint.h>

typedef struct DoneSlots {
    // Sets *out to the first slot >= `from` that is not played. `from` never goes down from call to
    // call; slots finished since the source was opened may or may not count as played. Thread:
    // owner (one at a time).
    Status (*first_missing)(void *ctx, int64_t from, int64_t *out, ErrorText *err);
    void *ctx; // borrowed; NULL function: nothing is played yet
} DoneSlots;

// Asks; an empty source (all zero) says that nothing is played. Thread: owner.
MUST_CHECK static inline Status done_slots_first_missing(const DoneSlots *done, int64_t from,
                                                         int64_t *out, ErrorText *err) {
    if (done->first_missing)
        return done->first_missing(done->ctx, from, out, err);
    *out = from;
    return STATUS_OK;
}
