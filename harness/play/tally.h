// SPDX-License-Identifier: GPL-3.0-or-later
// The score while games come in: by pairing, in single games and in whole pairs; and the sequential
// test.
//
// Games finish in any order, whole pairs are counted in the order of the plan: a pair that ends
// early waits for those before it, so that short games do not bias the test and
// every number of threads gives one verdict.
#pragma once

#include "harness/play/plan.h"
#include "harness/stats/elo.h"
#include "harness/stats/sprt.h"

// A finished game as far as the score needs it.
typedef struct TallyGame {
    int64_t slot;
    char result;        // 'B', 'W' or 'D'
    uint64_t moves_key; // equal for games that went alike, move for move; 0 = unknown
} TallyGame;

// What a rating needs of a pairing, seen from its first player; the first mover is the side to move
// after the opening.
typedef struct TallyMovers {
    WdlCounts first, second;   // all finished games in which it moved first, second
    int64_t pair_points[3][3]; // whole pairs by its half points: moving first, moving second
} TallyMovers;

// A pair that waits for its turn.
typedef struct TallyPair {
    uint64_t moves_key[2];
    uint8_t half_points[2]; // of the pairing's first player, plus 1; 0 = not played yet
} TallyPair;

typedef struct Tally {
    const Plan *plan;    // borrowed
    WdlCounts *games;    // owned; by pairing, seen from its first player, all finished games
    PairCounts *pairs;   // owned; the same in whole pairs, in plan order
    TallyMovers *movers; // owned; by pairing
    int64_t game_count;  // finished games
    bool has_sprt;
    SprtTest sprt;      // seen from player 0
    int64_t twins;      // pairs counted whose two games went alike, move for move
    TallyPair *window;  // owned ring of pairs from `base` on
    int64_t window_cap; // pairs; a power of two
    int64_t base;       // this shard's pairs before it are all counted
} Tally;

// An empty score of the plan. STATUS_INVALID for a test that makes no sense, STATUS_NO_MEMORY;
// nothing to release then. Thread: owner.
Status tally_init(Tally *tally, const Plan *plan, ErrorText *err) MUST_CHECK;

// Frees what it owns and zeroes it; a zeroed tally is fine. Thread: owner.
void tally_release(Tally *tally);

// A game of this shard is over. Every slot comes once. STATUS_NO_MEMORY. Thread: owner.
Status tally_add(Tally *tally, const TallyGame *game, ErrorText *err) MUST_CHECK;

// Has the sequential test been decided? Thread: any reader.
static inline bool tally_is_decided(const Tally *tally) {
    return tally->has_sprt &&
           (tally->sprt.result.state == SPRT_H0 || tally->sprt.result.state == SPRT_H1);
}

// All games and pairs of a player, seen from that player. Thread: any reader.
void tally_player(const Tally *tally, int player, WdlCounts *games, PairCounts *pairs);

// The player with the best score per game, the lower index among equals; -1 before the first game.
// Thread: any reader.
int tally_leader(const Tally *tally);
