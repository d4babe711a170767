// SPDX-License-Identifier: GPL-3.0-or-later
// Mirrors and turns of cells, and keys over them.
#include "engine/board/symmetry.h"

#include "engine/base/check.h"
#include "engine/board/zobrist.h"

// The bits of a symmetry, in the order in which they are done.
enum { MIRROR_X = 1, MIRROR_Y = 2, SWAP_XY = 4 };

Move symmetry_apply(int width, int height, int symmetry, Move move) {
    ASSERT(symmetry >= 0 && symmetry < symmetry_count(width, height));
    int x = move % width, y = move / width;
    if (symmetry & MIRROR_X)
        x = width - 1 - x;
    if (symmetry & MIRROR_Y)
        y = height - 1 - y;
    return (Move)(symmetry & SWAP_XY ? x * width + y : y * width + x);
}

// Mirrors undo themselves; behind a swap of the axes the mirrors change places.
int symmetry_inverse(int symmetry) {
    if (!(symmetry & SWAP_XY))
        return symmetry;
    return SWAP_XY | (symmetry & MIRROR_X ? MIRROR_Y : 0) | (symmetry & MIRROR_Y ? MIRROR_X : 0);
}

// From all stones each time: asked once an opening or game, never in a search.
uint64_t symmetry_position_key(int width, int height, const Move *moves, int count, int symmetry) {
    uint64_t key = count & 1 ? ZOBRIST_WHITE_TO_MOVE : 0;
    for (int i = 0; i < count; i++)
        key ^= zobrist_stone(symmetry_apply(width, height, symmetry, moves[i]), (Colour)(i & 1));
    return key;
}

uint64_t symmetry_canonical_key(int width, int height, const Move *moves, int count) {
    uint64_t least = UINT64_MAX;
    for (int symmetry = 0; symmetry < symmetry_count(width, height); symmetry++) {
        uint64_t key = symmetry_position_key(width, height, moves, count, symmetry);
        least = key < least ? key : least;
    }
    return least;
}
