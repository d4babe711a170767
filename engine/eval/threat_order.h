// SPDX-License-Identifier: GPL-3.0-or-later
// How likely a move is the best of its position, by what it makes and what it takes from the enemy:
// what orders candidates under the threat map.
//
// The weights are those of a conditional logit over the moves of self-play games: 100 units more
// are e times as likely. Features: the four line classes and the combined threat of the cell, for
// the mover and for the enemy, and where the cell lies from the last move. After Coulom, "Computing
// Elo ratings of move patterns in the game of Go" (ICGA Journal, 2007).
#pragma once

#include "engine/eval/threat_map.h"

// The tables of one engine, about 5 KB; the weights themselves are constants of threat_order.c.
typedef struct ThreatOrder {
    int16_t two_lines[2][256]; // by two line classes: made by the mover, taken from the enemy
    int16_t near[2 * BOARD_MAX_SIDE][2 * BOARD_MAX_SIDE]; // by dy and dx from the last move
} ThreatOrder;

extern const int16_t THREAT_ORDER[2][THREAT_NB]; // by combined threat, of the mover and the enemy

// Fills the tables. Thread: owner.
void threat_order_init(ThreatOrder *order);

// Weight of an empty cell for `mover`, without the part of the last move. Thread: reader.
static inline int threat_order_cell(const ThreatOrder *order, const ThreatMap *map, Colour mover,
                                    Move cell) {
    uint32_t codes = map->codes[cell];
    uint32_t own = codes >> 16 * mover & 0xffff, enemy = codes >> 16 * colour_other(mover) & 0xffff;
    return order->two_lines[0][own & 255] + order->two_lines[0][own >> 8] +
           order->two_lines[1][enemy & 255] + order->two_lines[1][enemy >> 8] +
           THREAT_ORDER[0][map->threat[mover][cell]] +
           THREAT_ORDER[1][map->threat[colour_other(mover)][cell]];
}
