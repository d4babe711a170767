// SPDX-License-Identifier: GPL-3.0-or-later
// How fast the engine is, on fixed positions, and a signature of what it does.
//
// Two speeds: pairs of placing and undoing a stone with all incremental state, and nodes of the
// search. Both are measured in rounds over the whole set; the fastest round is the figure (other
// work on the machine can only slow a round down), the median tells how steady it was. The
// signature is the number of nodes that a fixed list of configurations visits on the set: it
// depends on no clock, and changes whenever the behaviour of the search does.
#pragma once

#include "engine/base/clock.h"
#include "engine/engine.h"

// The first BENCH_MIDGAME positions are 15x15 freestyle midgames, which are set 0: the ones on
// which the speeds of old and new builds are compared. The first BENCH_SIGNED make the signature;
// the rest came later and are for speeds by set only.
enum { BENCH_MIDGAME = 20, BENCH_SIGNED = 28 };

// All positions of one rule, board size and phase.
typedef struct BenchSet {
    const char *phase; // "opening", "midgame" or "late"
    Rule rule;
    int side; // of the board, in cells
    // "h8i9..." from the first stone on, rows from the bottom; NULL after the last position.
    const char *moves[BENCH_MIDGAME + 1];
} BenchSet;

typedef struct BenchPosition {
    const BenchSet *set; // what it has in common with others; static
    const char *moves;   // one of set->moves
} BenchPosition;

// How many sets there are; no two are of the same rule, size and phase. Thread: any.
int bench_set_count(void);

// The set of that number, 0 <= set < bench_set_count(); static. Thread: any.
const BenchSet *bench_set(int set);

// How many fixed positions there are, of all sets. Thread: any.
int bench_position_count(void);

// The position of that number, 0 <= index < bench_position_count(): set by set, in the order of the
// sets. Thread: any.
BenchPosition bench_position(int index);

typedef struct BenchSpeed {
    double best_per_s, median_per_s; // pairs or nodes a second
    uint64_t count;                  // pairs or nodes of one round
    int rounds;
} BenchSpeed;

typedef struct BenchSetup {
    const KnobSet *knobs; // the player under test
    int depth;            // plies for the search; 0 = the player's own
    int rounds;           // 1..BENCH_MAX_ROUNDS
    Clock clock;
} BenchSetup;
enum { BENCH_MAX_ROUNDS = 99 };

// Speed of placing and undoing: each round plays every midgame stone by stone and takes it back,
// repeated to about 50 ms. Thread: any.
Status bench_make_undo(const BenchSetup *setup, BenchSpeed *out, ErrorText *err) MUST_CHECK;

// Speed of the search over the midgames, each from a cleared engine. Thread: any.
Status bench_search(const BenchSetup *setup, BenchSpeed *out, ErrorText *err) MUST_CHECK;

// Speed of the search over the positions of one set; a short set is searched again until a round
// takes 50 ms. `count` is of one pass. Thread: any.
Status bench_search_set(const BenchSetup *setup, int set, BenchSpeed *out,
                        ErrorText *err) MUST_CHECK;

// What it takes to search `depth` plies (setup->depth is not read).
typedef struct BenchDepth {
    bool is_reached; // false: a position took longer than the limit, or a limit of the player's
    double time_ms;  // mean of the positions
    uint64_t nodes;  // of all of them
} BenchDepth;

enum { BENCH_TIMED = 3 }; // midgames a time to depth is measured on

// Mean time to `depth` plies (>= 1) over the first BENCH_TIMED midgames, each from a cleared engine
// with at most `limit_ms` (0 = no limit). Stops at the first position that does not get there:
// out->is_reached is false then, and time and nodes are of what was searched. STATUS_NO_MEMORY, or
// what engine_new says of the player; *out is untouched then. Thread: any.
Status bench_time_to_depth(const BenchSetup *setup, int depth, int64_t limit_ms, BenchDepth *out,
                           ErrorText *err) MUST_CHECK;

// The signature: nodes of all fixed configurations on all positions. Thread: any.
Status bench_signature(uint64_t *out, ErrorText *err) MUST_CHECK;
