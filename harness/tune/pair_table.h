// SPDX-License-Identifier: GPL-3.0-or-later
// A table at which one thread plays pairs of games: one opening, colours swapped, two players.
#pragma once

#include "harness/tune/tune_crew_sides.h"

typedef struct PairTable PairTable; // opaque; two players, a referee and a board

// A pair to be played, as a thread of the crew asks for it.
typedef struct PairRequest {
    const CrewSides *sides;
    int64_t seating;        // another number: the sides have changed
    const TuneTrial *trial; // borrowed, as the sides
    int64_t stage_pair;     // number of the pair in its stage
} PairRequest;

// A table for games of the tune. `control` may drop the games. STATUS_NO_MEMORY, or as referee_init
// fails. Thread: owner.
Status pair_table_new(const TuneSpec *spec, const OpeningSet *openings, PoolControl *control,
                      PairTable **out, ErrorText *err) MUST_CHECK;

// Plays a pair. STATUS_STOPPED when the control dropped it; what else ends a run (game.h). Thread:
// owner.
Status pair_table_play(PairTable *table, const PairRequest *request, TuneResult *out,
                       ErrorText *err) MUST_CHECK;

// Frees the table; NULL is fine. Thread: owner.
void pair_table_free(PairTable *table);
