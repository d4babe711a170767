// SPDX-License-Identifier: GPL-3.0-or-later
// The plan: which game is played in which slot. A pure function of the resolved experiment, never
// written out, so that ten million slots cost no more than ten.
//
// Slots count from 0: outermost the round (one opening), then the pairing, then the colours; slot /
// 2 is the pair. Every prefix is balanced: all pairings meet on the same openings in the same
// order. A round takes the next opening of the set (shuffled by seed if asked), again from the
// first when the set is used up; with `symmetries` each further pass takes images of the openings
// that were not played before. Seeds come from (run seed, slot) only.
#pragma once

#include "harness/play/opening.h"
#include "harness/record/experiment.h"

typedef struct PlanPairing {
    int16_t first, second; // players; `first` has black in even slots
} PlanPairing;

typedef struct PlanRound {
    uint32_t opening; // index in the set
    uint8_t symmetry; // image that is played, before `transform`
} PlanRound;

typedef struct Plan {
    const Experiment *experiment; // borrowed; must outlive the plan
    OpeningSet openings;          // empty when they are random
    PlanPairing *pairings;        // owned
    int64_t pairing_count;
    PlanRound *rounds;   // owned; the sequence of distinct rounds, repeated when it ends
    int64_t round_count; // 0 when openings are random
    int64_t distinct;    // different openings on offer; INT64_MAX when there are more than that
    int64_t pairs;       // rounds to play: pairs per pairing
    // until-sprt between deterministic players: `pairs` ends where they would repeat themselves
    bool ends_with_openings;
    int64_t slot_count;         // games in all: 2 * pairs * pairing_count, or as --games cuts it
    int64_t shard, shard_count; // only pairs with pair % shard_count == shard are played here
} Plan;

// How much of the plan this process plays; what a slot is does not depend on it.
typedef struct PlanLimits {
    int64_t games; // --games: only the first N slots, rounded up to whole pairs; 0 = all
    int64_t shard, shard_count; // --shard (shard + 1)/shard_count; shard_count 0 = no shards
} PlanLimits;

// A game to be played, as plan_slot computes it; owns nothing.
typedef struct PlanSlot {
    int64_t slot, pair;
    int64_t round;    // pairs that this pairing played before
    int64_t opening;  // index in the set of openings; the round when openings are random
    int symmetry;     // as in PlanRound
    int black, white; // player indices
    uint64_t seed;
} PlanSlot;

// Makes the plan and reads the openings. STATUS_INVALID or STATUS_NOT_FOUND for bad openings or
// limits that make no sense, STATUS_NO_MEMORY; *plan needs no release then. Thread: owner.
Status plan_init(Plan *plan, const Experiment *experiment, const PlanLimits *limits,
                 ErrorText *err) MUST_CHECK;

// Frees what the plan owns and zeroes it. Thread: owner.
void plan_release(Plan *plan);

// The game of a slot, 0 <= slot < slot_count. Thread: any.
PlanSlot plan_slot(const Plan *plan, int64_t slot);

// Writes the stones that open the game of `slot` to `moves` (room for every cell) and returns how
// many. `board` is scratch of the experiment's size and rule. Thread: owner of `board`.
int plan_opening(const Plan *plan, const PlanSlot *slot, Board *board, Move *moves);

// The first slot >= `slot` that belongs to this shard; slot_count when there is none. Thread: any.
int64_t plan_next(const Plan *plan, int64_t slot);

// Games of this shard. Thread: any.
int64_t plan_game_count(const Plan *plan);

// Does this player answer the same in every game that goes the same way? Thread: any.
bool plan_is_deterministic(const Experiment *experiment, int player);

// How many pairs of the plan repeat another: rounds on an opening that was played before, for
// pairings of two deterministic players. 0 when nothing repeats. Thread: any.
int64_t plan_duplicates(const Plan *plan);

// The openings in a message: the path of their file as written, or what there is instead. Borrowed
// from the experiment. Thread: any.
const char *plan_openings_name(const Plan *plan);

// Refuses a plan that repeats itself (STATUS_INVALID, with the reason and the way out) unless the
// experiment allows it. Thread: any.
Status plan_check_duplicates(const Plan *plan, ErrorText *err) MUST_CHECK;
