// SPDX-License-Identifier: GPL-3.0-or-later
// Joining the databases of shards into what one run would have written.
#pragma once

#include "engine/base/status.h"

#include <stdint.h>

// What was written, for the message.
typedef struct StoreMergeStats {
    int64_t games, moves; // rows in the result
} StoreMergeStats;

// Joins `count` databases into the new file `out`, equal to one run by (slot, ply). STATUS_CONFLICT
// when `out` exists, two hold the same slot, or one holds another experiment; the sources stay as
// they are and `out` appears whole (it is written under another name and renamed) or not at all.
// Thread: any.
Status store_merge(const char *out, const char *const *paths, int count, StoreMergeStats *stats,
                   ErrorText *err) MUST_CHECK;
