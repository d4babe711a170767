// SPDX-License-Identifier: GPL-3.0-or-later
// Results of pairings of players, kept only for those that met: memory follows the pairings, not
// the square of the players.
#pragma once

#include "harness/stats/counts.h"

#include <stddef.h>

// Two players, as seen from the row player.
typedef struct PairingSummary {
    int row, column; // players
    WdlCounts as_black, as_white;
    WdlCounts first; // of the games in which the row player moved first
    PairCounts pairs;
    // Whole pairs by half points of the row player: moving first, moving second.
    int64_t pair_points[3][3];
    WdlCounts single; // games outside whole pairs, seen from the row player
} PairingSummary;

// Open addressing by (row, column). Zero-initialised is empty; free with pairing_map_release.
typedef struct PairingMap {
    PairingSummary *entries; // owned; the two directions of a pairing lie side by side
    size_t count, cap;
    size_t *slots; // owned; index + 1 into entries; 2 * cap of them, a power of two
} PairingMap;

// The entry, made when it is new together with the opposite one; NULL when memory is out. Valid
// until the next call that makes one. Thread: owner.
PairingSummary *pairing_map_at(PairingMap *map, int row, int column);

// The same pairing seen from the other player; `entry` is one of the map's, row != column. Thread:
// any.
PairingSummary *pairing_map_opposite(const PairingMap *map, const PairingSummary *entry);

// The entry, or one without games when the two never met. Thread: any reader.
const PairingSummary *pairing_map_find(const PairingMap *map, int row, int column);

// Frees and zeroes; a zeroed one is fine. Thread: owner.
void pairing_map_release(PairingMap *map);
