// SPDX-License-Identifier: GPL-3.0-or-later
// The threat map: for every empty cell and colour what a stone there would make, kept up to date
// stone by stone.
//
// Per cell and colour a code (four line classes) and its combined threat; per colour how many cells
// carry each threat, and the sum of a value per code. A stone changes at most `reach` cells in each
// of eight directions; only cells whose class changes are touched, and each goes to a log from
// which undo restores it. Nothing is recomputed on undo. threat_map_slow_agrees is the from-scratch
// twin.
#pragma once

#include "engine/board/board.h"
#include "engine/board/cell_pattern.h"

enum { THREAT_LOG_MAX = 41 }; // cells that one stone can change: 5 to each of 8 sides, and its own

typedef struct ThreatChange { // a cell as it was
    uint32_t codes;
    Move cell;
    uint8_t threat[COLOUR_NB];
    int16_t worth[COLOUR_NB];
} ThreatChange;

typedef struct ThreatRenewal { // a cell as it will be
    uint32_t codes;
    Move cell;
} ThreatRenewal;

// What is summed up over the board; copied as a whole before every stone.
typedef struct ThreatTally {
    uint16_t count[COLOUR_NB][THREAT_NB]; // empty cells by threat
    int32_t value[COLOUR_NB];             // sum of values[code] over empty cells
} ThreatTally;

// Arrays are by cell. What a colour has on a cell is what a stone of it there would make, be it
// that colour's turn or not.
typedef struct ThreatMap {
    CellPatternTable patterns;
    const uint8_t *threats; // by code
    const int16_t *values;  // by code, borrowed; NULL: all 0
    int cell_count;
    ThreatTally tally;
    uint32_t codes[BOARD_MAX_CELLS]; // CellCode of black in the low half, of white in the high
    int16_t worth[COLOUR_NB][BOARD_MAX_CELLS]; // values[code], 0 on stones
    uint8_t threat[COLOUR_NB]
                  [BOARD_MAX_CELLS + 8]; // THREAT_NONE on stones; padded for word-wise scans

    // Working space and undo log. `log` holds the changes of all stones since reset, one after
    // another, log_count how many of them each stone made.
    ThreatRenewal fresh[THREAT_LOG_MAX]; // of the stone being placed
    int depth, logged;                   // stones since reset, changes in `log`
    ThreatTally saved[BOARD_MAX_CELLS];
    uint8_t log_count[BOARD_MAX_CELLS];
    ThreatChange log[BOARD_MAX_CELLS * THREAT_LOG_MAX];
} ThreatMap;

// Builds the map of a board; `values` (65536 entries, or NULL) is borrowed. Boards with k = 5 only.
// STATUS_NO_MEMORY when the shared tables cannot be made. The struct (about 250 KB) is the
// caller's, nothing is to be released. Thread: owner.
Status threat_map_init(ThreatMap *map, const Board *board, const int16_t *values,
                       ErrorText *err) MUST_CHECK;

// Computes everything anew from the board and forgets the log. Thread: owner.
void threat_map_reset(ThreatMap *map, const Board *board);

// Follows a stone of `colour` that the board has just taken. Thread: owner.
void threat_map_place(ThreatMap *map, const Board *board, Move move, Colour colour);

// Goes back to before the last stone that threat_map_place followed. Thread: owner.
void threat_map_undo(ThreatMap *map);

// What a stone of `colour` on the cell would make, by direction. Thread: reader.
static inline CellCode threat_map_code(const ThreatMap *map, Colour colour, Move cell) {
    return (CellCode)(map->codes[cell] >> 16 * colour);
}

// Number of empty cells where a stone of `colour` makes `threat`. Thread: reader.
static inline int threat_map_count(const ThreatMap *map, Colour colour, CellThreat threat) {
    return map->tally.count[colour][threat];
}

// Writes the cells where a stone of `colour` makes at least `least` (which must be above
// THREAT_NONE), in board order, and returns how many. Thread: reader.
int threat_map_cells(const ThreatMap *map, Colour colour, CellThreat least, Move *out);

// The first cell (board order) where a stone of `colour` makes a five, MOVE_NONE when there is
// none. Thread: reader.
Move threat_map_five(const ThreatMap *map, Colour colour);

// Is every code, threat and tally what the board says, computed anew by the slow definition?
// Thread: reader.
bool threat_map_slow_agrees(const ThreatMap *map, const Board *board);
