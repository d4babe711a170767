// SPDX-License-Identifier: GPL-3.0-or-later
// The positions that texel.h learns from: chosen from stored games, then evaluated with each knob
// moved.
//
// Taken are quiet positions only (a five, an open four or a four of either side decides the game by
// itself, whatever the weights say), none of the opening, a few of each game: which ones depends on
// the seed and the game's slot alone. Games that ended by a fault (time, crash, illegal move) say
// nothing about positions and are left out. Both games of a pair are one group.
#pragma once

#include "engine/base/knob.h"
#include "engine/board/board.h"
#include "harness/store/store_read.h"
#include "harness/tune/texel.h"

// One stored game of which positions were taken.
typedef struct TexelGame {
    int64_t group;
    int64_t first_move;  // into `moves`
    int64_t first_place; // into `place`
    int place_count;
    char result; // 'B', 'W' or 'D'
} TexelGame;

// Which positions of a database are taken.
typedef struct TexelChoice {
    int per_game;      // positions of a game, at most
    int64_t positions; // of a database, at most: its first games; 0 = all
    uint64_t seed;
} TexelChoice;

// Zero-initialised is empty; add games of one or more databases, then measure.
typedef struct TexelPositions {
    int width, height; // of all games; 0 while empty
    Rule rule;
    TexelGame *games; // owned; with at least one position
    int64_t game_count, game_cap;
    Move *moves; // owned; of one game after another, up to its last position
    int64_t move_count, move_cap;
    int16_t *place; // owned; stones on the board at each position, ascending within a game
    int64_t count, place_cap;
    // Games read; of these, ended by a fault; quiet positions among the others.
    int64_t games_seen, faulty_games, quiet;
    int sources; // databases read
    // Owned; as in TexelData, made by texel_positions_measure.
    double *value, *slope, *bend, *outcome;
    int64_t *group;
    TexelCross cross[TEXEL_CROSS_MAX];
    int cross_count;
    // Not linear in this knob: its slope at the start is an estimate.
    bool is_curved[TEXEL_KNOBS_MAX];
} TexelPositions;

// Frees everything and empties it. Thread: owner.
void texel_positions_release(TexelPositions *positions);

// Adds positions of the games of a database. STATUS_CONFLICT when its board or
// rule is another than that of the games before, or k is not 5; STATUS_NO_MEMORY; failures of the
// store. Thread: owner.
Status texel_positions_add(TexelPositions *positions, Store *store, const TexelChoice *choice,
                           ErrorText *err) MUST_CHECK;

// Is no five, open four or four of either side on the board? Boards with k = 5. NULL table: memory
// was out, and the answer is no. Thread: any reader.
bool texel_position_is_quiet(const Board *board);

// Evaluates every position at `start` and with each of the knobs moved; a knob that multiplies
// another is found by moving both. Afterwards texel_positions_data gives what texel_fit reads.
// STATUS_INVALID: no positions; STATUS_UNSUPPORTED: the evaluation model cannot do the board.
// Thread: owner.
Status texel_positions_measure(TexelPositions *positions, const KnobSet *start, const KnobId *knobs,
                               int knob_count, ErrorText *err) MUST_CHECK;

// The measured positions with the knobs' bounds, one of `knob` for each knob measured. Borrows from
// `positions`. Thread: any reader.
TexelData texel_positions_data(const TexelPositions *positions, const TexelKnob *knob,
                               int knob_count);
