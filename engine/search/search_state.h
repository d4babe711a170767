// SPDX-License-Identifier: GPL-3.0-or-later
// The state of one search, shared by the algorithms and by what orders their moves: knobs unpacked,
// lists and lines by ply, what was learned, what it cost.
#pragma once

#include "engine/base/clock.h"
#include "engine/base/cost.h"
#include "engine/base/fault.h"
#include "engine/base/knob.h"
#include "engine/base/rng.h"
#include "engine/eval/eval.h"
#include "engine/eval/threat_order.h"
#include "engine/search/tt.h"

#include <stdatomic.h>

// Sizes of what lies in a Search. The depth of a root and the ply of a node share one bound.
enum {
    SEARCH_MAX_PLY = 66, // depth limit of search.depth, and two more
    SEARCH_FOURS_MEMO = 1 << 14,
    REDUCTION_MOVES = 64,
};

// Bound of a history, to either side, with history.gravity: as an entry comes near it, a bonus
// counts less and less.
#define SEARCH_HISTORY_LIMIT 8192.0

typedef struct PvLine {
    Move move[SEARCH_MAX_PLY];
    int length;
} PvLine;

// Candidate moves of one node, in the order in which they are searched.
typedef struct MoveList {
    Move move[BOARD_MAX_CELLS];
    double key[BOARD_MAX_CELLS]; // of the ordering term that was applied last
    int count;
    // A node that is cut at its first move needs no more than the best one: the others wait here,
    // in board order, until the second is asked for (movepick_begin, movepick_move).
    Move pool[BOARD_MAX_CELLS];
    double pool_key[BOARD_MAX_CELLS];
    Move front;     // goes before all others when the pool is ranked; MOVE_NONE: none does
    int pool_count; // 0: everything is in move[] already
    // The quick ordering (SearchParams.quick_order) ranks nothing: the next best is picked when
    // it is asked for. Key in the high bits, the move's distance to the last cell in the low nine.
    int32_t packed[BOARD_MAX_CELLS];
    int picked; // so many stand in move[] already; -1: all do
} MoveList;

// The knobs that the node functions read, unpacked once (search.c). Names are those of the knobs,
// which say in knobs.def what they mean.
typedef struct SearchParams {
    // Candidates: in what order, how many, and which.
    OrderList order;
    int limit;
    MoveSelect select;
    // Where a line ends, and what it is worth then. `threshold`, `win_unit` and `no_moves_unit` are
    // the numbers of threshold:N, times_depth:N and value:N.
    Terminal terminal;
    double threshold;
    WinValue win_value;
    double win_unit;
    NoMoves no_moves;
    double no_moves_unit;
    bool count_root;
    bool from_scratch; // search.incremental no
    // How the root is searched, and whether moves are asked by null windows.
    RootWindow root;
    bool pvs;
    // The ordering terms: what they measure, how history learns, and which of them the ordering
    // has.
    CenterTerm center;
    HistoryBonus history_bonus;
    double history_unit;
    HistoryNodes history_nodes;
    bool history_skip_first;
    bool history_shared; // one table for both colours: that of BLACK
    bool history_gravity;
    bool uses_history, uses_killers, uses_counters; // is the term in the ordering?
    // What the combination of knobs allows (search.c): each a way to the same result, or the same
    // kind of result, with less work.
    bool quick_order; // ordering by one sum over the threat map, one move at a time
    bool rank_leads;  // the first ordering term is the ranking of `limit`
    // What a selective search leaves out or looks at harder (selective.h). 0 and false: off.
    bool vcf_root, vcf_leaves; // where wins by continuous fours are looked for
    int64_t vct_nodes;         // of a search for wins by threats
    int vcf_fours;             // in a line at the leaves
    bool threats, forced, tt_deeper, lmr, extend;
    int null_move, late_moves, iid, singular;
    double futility, razor, aspiration;
    // What follows from several of them.
    bool is_selective; // a node asks more than plain alpha-beta does (selective.h)
    bool tie_by_board; // among equal root values the first in board order
    bool leaf_by_move; // a leaf is evaluated without placing its stone
} SearchParams;

// A player's searching part: about 900 KB, in the engine. Made once, it serves every move: nothing
// in it is allocated while searching. The arrays by ply have room for the longest line.
typedef struct Search {
    KnobSet knobs;
    SearchParams params;
    Board *board; // borrowed from the engine
    Eval *eval;   // borrowed from the engine
    Clock clock;
    TransTable tt;
    struct VcfSolver *vcf; // owned; NULL when no knob asks for it
    struct MctsTree *mcts; // owned; NULL unless the algorithm is mcts
    struct VctSolver *vct; // owned; NULL when no knob asks for it
    // What threats have proved of the root's moves (root_threats.h).
    Move root_move[BOARD_MAX_CELLS];    // the only moves of the root, in board order
    int root_count;                     // 0: any
    int16_t root_loss[BOARD_MAX_CELLS]; // plies in which the enemy wins by threats after the move;
                                        // 0 = not asked, -1 = he does not
    uint64_t root_nodes_left;           // for these questions
    Rng rng;
    SearchFault fault; // planted by a test

    // The search in progress: for whom, how far, what it cost, and when it has to end. Times are
    // those of `clock`.
    Colour own;     // for whom the search runs: the side to move at the root
    int root_depth; // depth of the current iteration
    SearchCost cost;
    uint64_t node_limit;    // 0 = none
    uint64_t next_check;    // nodes at which the limits are looked at again
    uint32_t check_every;   // nodes between two looks
    int64_t checked_ns;     // the clock at the last one, if there is a deadline
    int64_t start_ns;       // when the search began, if it has limits of time
    int64_t deadline_ns;    // 0 = none
    int64_t soft_ns;        // when it should be done, at or before the deadline; 0 = none
    atomic_bool *stop_flag; // borrowed, may be NULL
    int passed_at;          // ply of the last null move on this line; none directly after another
    bool stopped;           // a limit was reached: unwind
    double window[2];       // of the root: the result counts if it lies strictly between

    // By ply: candidates, the best line from here, and what sister nodes have left.
    MoveList list[SEARCH_MAX_PLY];
    PvLine pv[SEARCH_MAX_PLY + 1];
    Move killer[SEARCH_MAX_PLY][2];
    Move counter[COLOUR_NB][BOARD_MAX_CELLS]; // by the reply's colour and the move replied to
    Move excluded[SEARCH_MAX_PLY]; // left out at a ply while the others are asked; else MOVE_NONE
    double now[SEARCH_MAX_PLY];    // static value by ply, for its mover
    // Tables: of leaf searches for fours, of ordering, of reductions, and what cutoffs have taught.
    uint64_t no_fours[SEARCH_FOURS_MEMO]; // keys of positions that no continuous fours win
    ThreatOrder order;
    uint16_t late_more[SEARCH_MAX_PLY]; // quiet moves kept beyond search.late_moves, by depth
    uint8_t reduction[SEARCH_MAX_PLY][REDUCTION_MOVES]; // by depth and number of the move
    double history[COLOUR_NB][BOARD_MAX_CELLS];
    double center_key[BOARD_MAX_CELLS]; // the ordering term `center`, by cell
} Search;

// One node, as its helpers see it. depth_plies may rise above what the parent asked for
// (extensions).
typedef struct SearchNode {
    int depth_plies, ply;
    double alpha, beta;
    Move singular;     // searched one ply deeper; MOVE_NONE: none is
    bool is_improving; // the mover stands no worse than two plies before
} SearchNode;

typedef struct SearchResult {
    Move move;    // MOVE_NONE: no candidates, or the root counts as finished
    double value; // from the mover's side; NaN where the root has no value at all
    PvLine pv;
} SearchResult;
