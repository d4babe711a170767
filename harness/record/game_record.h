// SPDX-License-Identifier: GPL-3.0-or-later
// A finished game as data: what the referee hands to a sink, what the store writes and readers get
// back.
//
// The record owns everything it points at. `result` is from black's side. Opening stones are moves
// too, without costs.
#pragma once

#include "engine/base/cost.h"
#include "engine/base/text.h"
#include "engine/board/move.h"

#include <stdbool.h>
#include <stdint.h>

// Why a game ended. Timeout, crash and illegal are faults of the loser, adjudicated is the
// referee's word; the names are those of the column `reason` of the database.
typedef enum GameReason {
    REASON_FIVE,
    REASON_OVERLINE,
    REASON_FORBIDDEN,
    REASON_BOARD_FULL,
    REASON_RESIGN,
    REASON_TIMEOUT,
    REASON_CRASH,
    REASON_ILLEGAL,
    REASON_ADJUDICATED,
    REASON_NB
} GameReason;

// Which numbers of a MoveRecord are known; the others are NULL in the database. A move of our own
// engine knows all.
typedef enum MoveKnown {
    KNOWN_VALUE = 1u << 0,
    KNOWN_DEPTH = 1u << 1,
    KNOWN_SELDEPTH = 1u << 2,
    KNOWN_NODES = 1u << 3,
    KNOWN_COUNTERS = 1u << 4, // interior, leaves, cutoffs, first_cutoffs, branches, tt_*
    KNOWN_TIME = 1u << 5,
    KNOWN_PV = 1u << 6,
    KNOWN_ALL = (1u << 7) - 1u
} MoveKnown;

// One ply. Stones of the opening are plies as well, with nothing known of them.
// What its bit of `known` does not vouch for is not to be read.
typedef struct MoveRecord {
    Move move;      // cell index on the game's board
    unsigned known; // MoveKnown bits; 0 for a stone of the opening
    double value;   // from the mover's side
    SearchCost cost;
    char *pv; // owned, squares separated by blanks; NULL when not known
} MoveRecord;

// What an external program did in a game while it was not on move.
typedef struct SeatWatch {
    bool is_watched;              // false: no program, or it never got there; the rest is 0
    int64_t dropped_lines;        // that it said, talk and blank lines aside
    int64_t idle_us, idle_cpu_us; // wall time that was looked at, and CPU time it used in it
} SeatWatch;

// What the file of an imported game says of it; strings are owned, NULL = not said.
// is_imported may stand alone: a file need not say anything.
typedef struct GameSource {
    bool is_imported;
    char *event, *date, *round;
} GameSource;

// A whole game.
// Made by one worker and handed over whole: nobody else sees it before it is finished.
typedef struct GameRecord {
    int64_t slot; // place in the plan, from 0
    int64_t pair; // slot / 2: two games on one opening with colours swapped; -1: not one of a pair
    int64_t opening;  // index in the set of openings, from 0; -1: not from a set
    int black, white; // player index in the experiment, from 0
    int width, height;
    int opening_plies; // stones that the opening placed
    // Of the board: 'B' means that black has won.
    char result;       // 'B', 'W' or 'D'
    GameReason reason; // why it ended
    uint64_t seed;     // the slot's random seed
    int64_t wall_us;   // wall time of the whole game
    int move_count;    // plies, opening stones included
    int move_cap;      // capacity of moves
    // Ply i + 1 is moves[i]; even indices are black's.
    MoveRecord *moves; // owned
    SeatWatch watch[COLOUR_NB];
    GameSource source;
    char *note; // owned, NULL = none: what went wrong in words, tail of an engine's stderr
} GameRecord;

// An empty record on the heap, or NULL when memory is out. Freed by game_record_free, which accepts
// NULL. Thread: owner.
GameRecord *game_record_new(void);

// Frees the record and all it owns; NULL is fine. Thread: owner.
void game_record_free(GameRecord *record);

// Appends a move (copied; `pv` may be NULL, is copied too). False when memory is out. Thread:
// owner.
bool game_record_add(GameRecord *record, const MoveRecord *move, const char *pv);

// The word of the `reason` column: "five", "overline", "forbidden", "board-full", "resign",
// "timeout", "crash", "illegal", "adjudicated". Thread: any.
const char *game_reason_name(GameReason reason);

// Finds a reason by its word. False (and *out untouched) when there is none. Thread: any.
bool game_reason_parse(const char *name, GameReason *out);

// Who moves first after the opening: plies alternate, black first. Thread: any.
static inline Colour game_record_first(const GameRecord *record) {
    return record->opening_plies % 2 ? WHITE : BLACK;
}

// Appends the square of a cell as people write it ("h8"). Thread: owner of `out`.
void game_record_write_square(const GameRecord *record, Move move, Text *out);

// Appends the stones of the opening ("h8 i9 ..."), "-" when there are none. Thread: owner of `out`.
void game_record_write_opening(const GameRecord *record, Text *out);
