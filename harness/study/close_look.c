// SPDX-License-Identifier: GPL-3.0-or-later
// Searches a position and its moves one by one.
#include "harness/study/close_look.h"

#include "engine/base/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_WIN = 1000 }; // values of wins lie within so many plies of ENGINE_WIN

// A proven win in n plies is worth ENGINE_WIN - n; the limit keeps infinities and values that are
// merely large out.
int close_look_plies(double value) {
    double plies = ENGINE_WIN - fabs(value);
    if (!(plies >= 0 && plies <= LONGEST_WIN))
        return 0;
    return value > 0 ? (int)plies : -(int)plies;
}

// A value one ply on, as the side before it sees it.
// A proven end is a ply farther away, seen from before the move; all other values only change
// sides.
static double step_back(double value) {
    int plies = close_look_plies(value);
    bool is_proven = plies != 0 || fabs(value) == ENGINE_WIN;
    return -value - (is_proven ? (value < 0 ? 1 : -1) : 0);
}

typedef struct Ranked {
    Move move;
    double value;
} Ranked;

static int compare_ranked(const void *a, const void *b) {
    const Ranked *x = a, *y = b;
    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return x->move - y->move;
}

static int compare_looks(const void *a, const void *b) {
    const CandidateLook *x = a, *y = b;
    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    // Among equals the one that the player chose, by its own tie-break, comes first.
    if (x->is_best != y->is_best)
        return x->is_best ? -1 : 1;
    return x->move - y->move;
}

// The candidates by static value after them, best first.
// Which moves are worth a look is decided without a search: one each would cost as much as the
// looks.
static int rank_statically(Engine *engine, Ranked *out) {
    Move moves[BOARD_MAX_CELLS];
    int count = board_candidates(engine_board(engine), moves);
    for (int i = 0; i < count; i++) {
        engine_place(engine, moves[i]);
        out[i] = (Ranked){moves[i], -engine_static_value(engine)};
        engine_undo(engine);
    }
    qsort(out, (size_t)count, sizeof *out, compare_ranked);
    return count;
}

// Looks at one move: the search of what is left of the depth.
// A winning move has nothing to search; at depth 1 the static value after it is all a search would
// see.
static void look_at(Engine *engine, int depth, Move move, CandidateLook *out) {
    Colour mover = engine_board(engine)->side;
    *out = (CandidateLook){.move = move, .line = {move}, .line_length = 1};
    engine_place(engine, move);
    const Board *board = engine_board(engine);
    if (board->wins[mover]) {
        out->value = ENGINE_WIN - 1;
    } else if (depth <= 1) {
        out->value = -engine_static_value(engine);
    } else {
        ThinkReport report;
        engine_think(engine, &(ThinkLimits){.depth = depth - 1}, &report);
        out->value = step_back(report.value);
        for (int i = 0; i < report.pv_length && out->line_length < ENGINE_MAX_PV; i++)
            out->line[out->line_length++] = report.pv[i];
    }
    engine_undo(engine);
}

static void look_at_once(Engine *engine, int depth, Move move, int max, CloseLook *out) {
    for (int i = 0; i < out->count; i++)
        if (out->candidates[i].move == move)
            return;
    if (out->count < max && board_is_free(engine_board(engine), move))
        look_at(engine, depth, move, &out->candidates[out->count++]);
}

static void look_at_candidates(Engine *engine, int depth, Move played, int max, CloseLook *out) {
    Ranked ranked[BOARD_MAX_CELLS];
    int count = rank_statically(engine, ranked);
    // The best and the one played first: they are to be there whatever `max` is.
    look_at_once(engine, depth, out->best.move, max, out);
    if (played != MOVE_NONE)
        look_at_once(engine, depth, played, max, out);
    for (int i = 0; i < count && out->count < max; i++)
        look_at_once(engine, depth, ranked[i].move, max, out);
    for (int i = 0; i < out->count; i++) {
        out->candidates[i].is_best = out->candidates[i].move == out->best.move;
        out->candidates[i].is_played = out->candidates[i].move == played;
    }
    qsort(out->candidates, (size_t)out->count, sizeof out->candidates[0], compare_looks);
}

// The depth that moves are searched within: players that do not look ahead judge them statically, a
// tree search knows no depth.
static int depth_of(const KnobSet *knobs) {
    switch ((Algorithm)knob_int(knobs, KNOB_SEARCH_ALGORITHM)) {
    case ALGORITHM_RANDOM:
    case ALGORITHM_GREEDY:
        return 1;
    case ALGORITHM_MCTS:
        return 2;
    default:
        return (int)knob_int(knobs, KNOB_SEARCH_DEPTH);
    }
}

Status close_look(const KnobSet *knobs, const Board *position, Move played, int max, CloseLook *out,
                  ErrorText *err) {
    CHECK(max >= 0 && max <= CLOSE_LOOK_MAX);
    Engine *engine = NULL;
    EngineSetup setup = {knobs,       position->width, position->height,
                         position->k, position->rule,  clock_monotonic()};
    Status status = engine_new(&setup, &engine, err);
    if (!status) {
        // As in a game's first move: the answer must not depend on what was asked before, nor its
        // time be spent on page faults.
        engine_clear(engine, 1);
        if (knob_int(knobs, KNOB_SEARCH_TIME_MS))
            engine_claim_memory(engine);
        status = engine_set_position(engine, position, err);
    }
    if (!status) {
        *out = (CloseLook){0};
        engine_think(engine, &(ThinkLimits){0}, &out->best);
        if (out->best.move != MOVE_NONE)
            look_at_candidates(engine, depth_of(knobs), played, max, out);
    }
    engine_free(engine);
    return status;
}
