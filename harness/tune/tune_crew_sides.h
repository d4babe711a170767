// SPDX-License-Identifier: GPL-3.0-or-later
// Who plays the pairs of a stage, and where they start.
#pragma once

#include "harness/play/opening.h"
#include "harness/play/pool.h"
#include "harness/tune/tuner.h"

// The plus side is the first of each two. Valid for all batches until it is set anew.
typedef struct CrewSides {
    // Players whose knobs the trial replaces, or who play as they are (anchors).
    const PlayerSpec *player[2]; // borrowed; plus and minus side
    bool takes_values[2];        // the trial's values replace knobs of the player
    int depth_plus;              // plies added to the depth of both
    const uint32_t *openings;    // borrowed; indices in the set
    int64_t opening_count;
    bool in_order; // pair i of the stage takes opening i; else it is drawn by the pair's seed
} CrewSides;
