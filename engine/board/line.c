// SPDX-License-Identifier: GPL-3.0-or-later
// The geometry of lines for one board size.
#include "engine/board/line.h"

#include "engine/base/check.h"

#include <string.h>

// Directions in the order of LINE_DIRECTIONS. Lines too short for a five are kept: leaving them out
// would cost a test wherever a cell's lines are walked.
// The line of direction `d` through the cell (x, y), counted within the direction.
static int line_within(int d, int x, int y, int height) {
    switch (d) {
    case 0:
        return y;
    case 1:
        return x;
    case 2:
        return x - y + height - 1;
    default:
        return x + y;
    }
}

static void geometry_add_cell(LineGeometry *geometry, int x, int y,
                              const int base[LINE_DIRECTIONS]) {
    int cell = y * geometry->width + x;
    for (int d = 0; d < LINE_DIRECTIONS; d++) {
        int line = base[d] + line_within(d, x, y, geometry->height);
        int bit = (d == 1 ? y : x) + LINE_PAD;
        geometry->cell[cell].line[d] = (uint8_t)line;
        geometry->cell[cell].bit[d] = (uint8_t)bit;
        geometry->wall[line] &= ~((uint32_t)1 << bit);
        geometry->length[line]++;
        if (geometry->first_cell[line] < 0)
            geometry->first_cell[line] = (int16_t)cell;
    }
}

void line_geometry_init(LineGeometry *geometry, int width, int height) {
    CHECK(width >= BOARD_MIN_SIDE && width <= BOARD_MAX_SIDE);
    CHECK(height >= BOARD_MIN_SIDE && height <= BOARD_MAX_SIDE);
    memset(geometry, 0, sizeof *geometry);
    geometry->width = (uint8_t)width;
    geometry->height = (uint8_t)height;
    const int count[LINE_DIRECTIONS] = {height, width, width + height - 1, width + height - 1};
    // From one bit to the next: x grows in all directions but the column's. An anti-diagonal
    // therefore climbs, towards smaller cells.
    const int step[LINE_DIRECTIONS] = {1, width, width + 1, 1 - width};
    int base[LINE_DIRECTIONS];
    for (int d = 0, next = 0; d < LINE_DIRECTIONS; next += count[d], d++) {
        base[d] = next;
        for (int i = 0; i < count[d]; i++) {
            // All wall, until cells carve their bits out of it.
            geometry->wall[next + i] = UINT32_MAX;
            geometry->first_cell[next + i] = -1;
            geometry->cell_step[next + i] = (int16_t)step[d];
            geometry->direction[next + i] = (uint8_t)d;
        }
        geometry->line_count = (uint8_t)(next + count[d]);
    }
    for (int x = 0; x < width;
         x++) // x outer, y inner: the first visit of a line is its lowest bit in every direction
        for (int y = 0; y < height; y++)
            geometry_add_cell(geometry, x, y, base);
}
