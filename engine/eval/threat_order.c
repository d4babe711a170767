// SPDX-License-Identifier: GPL-3.0-or-later
// The weights of move ordering, and their tables.
#include "engine/eval/threat_order.h"

#include <stdlib.h>

// By side (what the mover makes, what he takes from the enemy) and LineClass. A hundred units are a
// factor of e in how likely the move is the best.
static const int16_t LINE_ORDER[2][LINE_CLASS_NB] = {
    {0, 4, 61, 26, 129, 132, 191, 180, 223, 327, 311, 500, 1000},
    {0, 1, 35, 28, 96, 110, 174, 120, 165, 248, 227, 400, 900},
};

// The same for the combined threat: beyond the sum of its lines.
const int16_t THREAT_ORDER[2][THREAT_NB] = {
    {0, -49, -61, -70, 78, 86, 305, 116, 180, 604, 900, 2000},
    {0, 10, 38, 10, 140, 168, 262, 146, 210, 321, 500, 1500},
};

// On a line with the last move, by distance 1..4, then off it.
static const int16_t NEAR_LINE[5] = {0, 45, 22, 15, 22};
enum { NEAR_TWO = 16, NEAR_FOUR = 5, FAR = -23 };

static int16_t near_weight(int dx, int dy) {
    // No five holds two cells that are five or more apart.
    int far = dx > dy ? dx : dy;
    if (far > 4)
        return FAR;
    if (dx == 0 || dy == 0 || dx == dy)
        return NEAR_LINE[far];
    return far <= 2 ? NEAR_TWO : NEAR_FOUR;
}

void threat_order_init(ThreatOrder *order) {
    // Two lines in one look-up: a cell's code is two bytes, so four loads do for both sides.
    for (int side = 0; side < 2; side++)
        for (int pair = 0; pair < 256; pair++) {
            int low = pair & 15, high = pair >> 4;
            bool is_code = low < LINE_CLASS_NB && high < LINE_CLASS_NB;
            order->two_lines[side][pair] =
                (int16_t)(is_code ? LINE_ORDER[side][low] + LINE_ORDER[side][high] : 0);
        }
    for (int dy = 0; dy < 2 * BOARD_MAX_SIDE; dy++)
        for (int dx = 0; dx < 2 * BOARD_MAX_SIDE; dx++)
            order->near[dy][dx] = near_weight(abs(dx - BOARD_MAX_SIDE), abs(dy - BOARD_MAX_SIDE));
}
