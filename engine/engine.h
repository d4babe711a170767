// SPDX-License-Identifier: GPL-3.0-or-later
// The engine as the rest of the program sees it: a configuration and a position in, a move and its
// cost out.
//
// An Engine owns a board, an evaluation and a search; two engines in one process share nothing that
// changes. With limits in depth or nodes the answer depends on the knobs, the position and the seed
// only - never on time, threads or addresses.
#pragma once

#include "engine/base/clock.h"
#include "engine/base/cost.h"
#include "engine/base/fault.h"
#include "engine/base/knob.h"
#include "engine/board/board.h"

#include <stdatomic.h>

enum { ENGINE_MAX_PV = 64 }; // moves of a principal variation that are reported

typedef struct Engine Engine; // opaque; about 1 MB plus the transposition table

// What an engine is for its whole life: another board, rule or knob needs another engine.
typedef struct EngineSetup {
    const KnobSet *knobs; // copied
    int width, height, k; // k = 5 for every evaluation model; others only for verification
    Rule rule;
    Clock clock; // the only clock the engine reads
} EngineSetup;

// What one move may cost. The first limit that is reached ends the search; without any, it ends at
// the depth of the knobs.
typedef struct ThinkLimits {
    int64_t time_ms; // hard limit for this move on top of search.time_ms; 0 = none
    int64_t soft_ms; // what the move should take, of a clock for the whole game: less while the
                     // best move stands firm, more, up to the hard limit, while it changes; 0 = the
                     // hard limit
    uint64_t nodes;  // on top of search.nodes; 0 = none
    int depth;       // overrides search.depth; 0 = as configured
    bool as_played;  // true: play.* knobs act (randomness, pre-checks, opening move); false: show
                     // the search alone
    atomic_bool *stop; // borrowed, may be NULL: set by another thread to end the search soon; the
                       // best so far is returned
} ThinkLimits;

// What came of it. The caller's, without pointers.
typedef struct ThinkReport {
    Move move;    // MOVE_NONE when the search has no move (won, full, no candidates)
    double value; // from the mover's side; a win in n plies is ENGINE_WIN - n, a loss the negative
    double static_value; // static evaluation of the position, from the mover's side
    SearchCost cost;
    Move pv[ENGINE_MAX_PV]; // principal variation, starting with `move`
    int pv_length;
    bool stopped; // a limit or the stop flag ended the search before its depth was complete
} ThinkReport;

#define ENGINE_WIN 1e9 // value of a five on the board; static values stay far below

// Makes an engine with an empty board. STATUS_INVALID for knobs that make no sense together,
// STATUS_UNSUPPORTED for a size or k that the evaluation model cannot do, STATUS_NO_MEMORY. The
// engine is the caller's, freed by engine_free. Allocates everything the engine will ever need.
// Thread: owner.
Status engine_new(const EngineSetup *setup, Engine **out, ErrorText *err) MUST_CHECK;

// Takes the memory of the transposition table now instead of in the first search, which may have a
// clock to keep: tens of milliseconds for 64 MiB. For a new engine. Thread: owner.
void engine_claim_memory(Engine *engine);

// Frees the engine; NULL is fine. Thread: owner.
void engine_free(Engine *engine);

// A new game: empty board, cleared table, history and killers, random numbers from `seed`. Thread:
// owner.
void engine_clear(Engine *engine, uint64_t seed);

// The position, read only; valid until the engine changes. Its rule (and with it `wins`) is the one
// that search.rule names, which may be another than the game's. Thread: owner.
const Board *engine_board(const Engine *engine);

// Places a stone of the side to move on an empty cell (opening stones, the opponent's move, our
// own). Thread: owner.
void engine_place(Engine *engine, Move move);

// Takes the last stone back. Thread: owner.
void engine_undo(Engine *engine);

// Copies the stones, their order and the side to move of `position`, which must have the engine's
// size, rule and k (STATUS_INVALID otherwise). The table, history and killers are cleared. Thread:
// owner.
Status engine_set_position(Engine *engine, const Board *position, ErrorText *err) MUST_CHECK;

// Is the game over: a five by the game's rule, which search.rule does not change, or a full board?
// Thread: owner.
bool engine_game_is_over(const Engine *engine);

// The static evaluation from the mover's side. Thread: owner.
double engine_static_value(Engine *engine);

// Plants a fault into the search (FAULT_NONE: takes it out). For tests only. Thread: owner.
void engine_plant_fault(Engine *engine, SearchFault fault);

// Chooses a move in the current position and says what it cost; the position is unchanged
// afterwards. Thread: owner; only limits->stop may be touched by others meanwhile.
void engine_think(Engine *engine, const ThinkLimits *limits, ThinkReport *report);
