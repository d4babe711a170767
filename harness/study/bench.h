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

typedef struct BenchPosition {
    const char *phase; // "opening", "midgame" or "late"
    Rule rule;
    int side;          // board side
    const char *moves; // "h8i9..." from the first stone on, rows from the bottom
} BenchPosition;

// Number of the fixed positions, and the `index`th. The first BENCH_MIDGAME are 15x15 freestyle
// midgames: the set on which speeds are measured. Thread: any.
// The first BENCH_SIGNED make the signature.
enum { BENCH_MIDGAME = 20, BENCH_SIGNED = 28 };
int bench_position_count(void);
const BenchPosition *bench_position(int index); // 0 <= index < bench_position_count()

// The positions fall into sets, one for each rule, board size and phase: their number, what the
// positions of a set have in common (its moves mean nothing), and whether a position belongs to it.
// Thread: any.
int bench_set_count(void);
const BenchPosition *bench_set_kind(int set); // 0 <= set < bench_set_count()
bool bench_set_holds(int set, int index);     // 0 <= index < bench_position_count()

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

// Mean time to a depth over the first BENCH_TIMED midgames, each with at most `limit_ms`. Thread:
// any.
enum { BENCH_TIMED = 3 };
Status bench_time_to_depth(const BenchSetup *setup, int depth, int64_t limit_ms, BenchDepth *out,
                           ErrorText *err) MUST_CHECK;

// The signature: nodes of all fixed configurations on all positions. Thread: any.
Status bench_signature(uint64_t *out, ErrorText *err) MUST_CHECK;
