// SPDX-License-Identifier: GPL-3.0-or-later
// Measures speeds over the fixed positions, and counts the signature.
#include "harness/study/bench.h"

#include "engine/base/check.h"
#include "engine/board/notation.h"

#include <stdlib.h>

static Status open_engine(const KnobSet *knobs, const BenchSet *set, Clock clock, Engine **out,
                          ErrorText *err) {
    EngineSetup setup = {knobs, set->side, set->side, 5, set->rule, clock};
    return engine_new(&setup, out, err);
}

static Status load(BenchPosition position, Board *board, ErrorText *err) {
    const BenchSet *set = position.set;
    Status status = board_init(board, set->side, set->side, 5, set->rule, 2, err);
    return status ? status : notation_play_moves(board, ROWS_BOTTOM, position.moves, err);
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The fastest round: all that happens on a machine beside the measurement slows it down.
static BenchSpeed summarise(double *per_s, int rounds, uint64_t count) {
    qsort(per_s, (size_t)rounds, sizeof *per_s, compare_doubles);
    return (BenchSpeed){per_s[rounds - 1], per_s[rounds / 2], count, rounds};
}

// --- placing and undoing
// ------------------------------------------------------------------------------------------------

static uint64_t play_and_take_back(Engine *engine, const Board *game) {
    for (int i = 0; i < game->stone_count; i++)
        engine_place(engine, game->moves[i]);
    for (int i = 0; i < game->stone_count; i++)
        engine_undo(engine);
    return game->stone_count;
}

static uint64_t make_undo_pass(Engine *engine, const Board *games) {
    uint64_t pairs = 0;
    for (int i = 0; i < BENCH_MIDGAME; i++)
        pairs += play_and_take_back(engine, &games[i]);
    return pairs;
}

enum { MAKE_UNDO_PASSES = 400 }; // about 50 ms

Status bench_make_undo(const BenchSetup *setup, BenchSpeed *out, ErrorText *err) {
    double per_s[BENCH_MAX_ROUNDS];
    Engine *engine = NULL;
    uint64_t pairs = 0;
    Board *games = calloc(BENCH_MIDGAME, sizeof *games);
    Status status =
        games ? STATUS_OK : error_set(err, STATUS_NO_MEMORY, "no memory for the positions");
    for (int i = 0; i < BENCH_MIDGAME && !status; i++)
        status = load(bench_position(i), &games[i], err);
    if (!status)
        status = open_engine(setup->knobs, bench_set(0), setup->clock, &engine, err);
    for (int round = 0; round < setup->rounds && !status; round++) {
        int64_t start_ns = clock_now_ns(setup->clock);
        pairs = 0;
        for (int pass = 0; pass < MAKE_UNDO_PASSES; pass++)
            pairs += make_undo_pass(engine, games);
        // One more, so that a clock that has not moved is no division by zero.
        per_s[round] = (double)pairs * 1e9 / (double)(clock_now_ns(setup->clock) - start_ns + 1);
    }
    if (!status)
        *out = summarise(per_s, setup->rounds, pairs);
    engine_free(engine);
    free(games);
    return status;
}

// --- searching
// ----------------------------------------------------------------------------------------------------------

static Status think(Engine *engine, BenchPosition position, ThinkLimits limits, ThinkReport *report,
                    ErrorText *err) {
    Board *board = malloc(sizeof *board);
    if (!board)
        return error_set(err, STATUS_NO_MEMORY, "no memory for a board");
    // Cleared, or a position would find what the round before left in the tables.
    engine_clear(engine, 1);
    Status status = load(position, board, err);
    if (!status)
        status = engine_set_position(engine, board, err);
    if (!status)
        engine_think(engine, &limits, report);
    free(board);
    return status;
}

// Times are those the engine measures of itself: setting up a position does not count.
Status bench_search(const BenchSetup *setup, BenchSpeed *out, ErrorText *err) {
    double per_s[BENCH_MAX_ROUNDS];
    Engine *engine = NULL;
    uint64_t nodes = 0;
    Status status = open_engine(setup->knobs, bench_set(0), setup->clock, &engine, err);
    for (int round = 0; round < setup->rounds && !status; round++) {
        int64_t time_us = 0;
        nodes = 0;
        for (int i = 0; i < BENCH_MIDGAME && !status; i++) {
            ThinkReport report = {0};
            status = think(engine, bench_position(i), (ThinkLimits){.depth = setup->depth}, &report,
                           err);
            nodes += report.cost.nodes;
            time_us += report.cost.time_us;
        }
        per_s[round] = (double)nodes * 1e6 / (double)(time_us + 1);
    }
    if (!status)
        *out = summarise(per_s, setup->rounds, nodes);
    engine_free(engine);
    return status;
}

// One pass over a set: adds nodes and time.
static Status search_set_once(const BenchSetup *setup, const BenchSet *set, Engine *engine,
                              uint64_t *nodes, int64_t *time_us, ErrorText *err) {
    Status status = STATUS_OK;
    for (int i = 0; set->moves[i] && !status; i++) {
        BenchPosition position = {set, set->moves[i]};
        ThinkReport report = {0};
        status = think(engine, position, (ThinkLimits){.depth = setup->depth}, &report, err);
        *nodes += report.cost.nodes;
        *time_us += report.cost.time_us;
    }
    return status;
}

Status bench_search_set(const BenchSetup *setup, int set, BenchSpeed *out, ErrorText *err) {
    // A set of two openings is searched within a millisecond: repeated until the clock's grain does
    // not matter.
    enum { ROUND_US = 50000, MAX_PASSES = 1000 };
    double per_s[BENCH_MAX_ROUNDS];
    Engine *engine = NULL;
    uint64_t pass_nodes = 0;
    Status status = open_engine(setup->knobs, bench_set(set), setup->clock, &engine, err);
    for (int round = 0; round < setup->rounds && !status; round++) {
        uint64_t nodes = 0;
        int64_t time_us = 0;
        for (int pass = 0; pass < MAX_PASSES && time_us < ROUND_US && !status; pass++) {
            status = search_set_once(setup, bench_set(set), engine, &nodes, &time_us, err);
            // Every pass visits the same nodes.
            pass_nodes = pass == 0 ? nodes : pass_nodes;
        }
        per_s[round] = (double)nodes * 1e6 / (double)(time_us + 1);
    }
    if (!status)
        *out = summarise(per_s, setup->rounds, pass_nodes);
    engine_free(engine);
    return status;
}

Status bench_time_to_depth(const BenchSetup *setup, int depth, int64_t limit_ms, BenchDepth *out,
                           ErrorText *err) {
    Engine *engine = NULL;
    BenchDepth found = {.is_reached = true};
    int64_t time_us = 0;
    Status status = open_engine(setup->knobs, bench_set(0), setup->clock, &engine, err);
    for (int i = 0; i < BENCH_TIMED && !status && found.is_reached; i++) {
        ThinkReport report = {0};
        ThinkLimits limits = {.depth = depth, .time_ms = limit_ms};
        status = think(engine, bench_position(i), limits, &report, err);
        found.is_reached = !report.stopped;
        found.nodes += report.cost.nodes;
        time_us += report.cost.time_us;
    }
    found.time_ms = (double)time_us / 1e3 / BENCH_TIMED;
    engine_free(engine);
    if (!status)
        *out = found;
    return status;
}

// --- signature
// ----------------------------------------------------------------------------------------------------------

// What the signature covers: each row is one configuration, as settings on top of the defaults.
enum { SIGNATURE_MAX = 48 };
// What searches and what prunes, each in some row, shallow enough to be counted in every run of the
// tests. A row is added with a feature; a number that changes without one is a change of behaviour.
static const char *const SIGNATURE_KNOBS[][SIGNATURE_MAX] = {
    {"search.depth", "4"},
    {"search.depth", "2", "search.algorithm", "minimax"},
    {"search.depth", "4", "search.algorithm", "pvs", "search.order", "[killer, score, history]",
     "search.root", "full"},
    {"search.depth", "4", "search.deepening", "yes", "search.tt_mb", "1", "search.order",
     "[history, center]"},
    {"search.depth", "3", "moves.limit", "12", "eval.defense", "1.2", "search.order",
     "[distance, score:own]"},
    {"search.algorithm", "greedy"},
    {"search.algorithm", "mcts", "mcts.playouts", "300", "search.threats", "yes"},
    {"search.algorithm", "mcts", "mcts.playouts", "30", "mcts.leaf", "playout"},
    {"search.depth",      "7",
     "search.algorithm",  "pvs",
     "search.deepening",  "yes",
     "search.tt_mb",      "1",
     "search.order",      "[score+history+killer+counter]",
     "search.vcf",        "both",
     "search.vct",        "root",
     "search.razor",      "40",
     "search.singular",   "6",
     "search.iid",        "5",
     "search.aspiration", "40",
     "history.gravity",   "yes",
     "search.threats",    "yes",
     "search.tt_deeper",  "yes",
     "search.null_move",  "2",
     "search.lmr",        "yes",
     "search.late_moves", "4",
     "search.futility",   "40",
     "search.extend",     "yes",
     "moves.forced",      "yes",
     "eval.model",        "threat"},
};

static Status signature_of(const char *const *settings, uint64_t *nodes, ErrorText *err) {
    KnobSet knobs = knob_defaults();
    for (int i = 0; i < SIGNATURE_MAX && settings[i]; i += 2) {
        Status status = knob_set_text(&knobs, settings[i], settings[i + 1], err);
        if (status)
            return status;
    }
    Engine *engine = NULL;
    Status status = STATUS_OK;
    for (int i = 0; i < BENCH_SIGNED && !status; i++) {
        BenchPosition position = bench_position(i);
        ThinkReport report = {0};
        // An engine is made for one board and rule.
        if (i == 0 || position.set->side != bench_position(i - 1).set->side ||
            position.set->rule != bench_position(i - 1).set->rule) {
            engine_free(engine);
            engine = NULL;
            status = open_engine(&knobs, position.set, clock_monotonic(), &engine, err);
        }
        if (!status)
            status = think(engine, position, (ThinkLimits){0}, &report, err);
        *nodes += report.cost.nodes +
                  (uint64_t)(report.move + 1); // the moves count too, not only the work
    }
    engine_free(engine);
    return status;
}

Status bench_signature(uint64_t *out, ErrorText *err) {
    uint64_t nodes = 0;
    for (size_t i = 0; i < ARRAY_LEN(SIGNATURE_KNOBS); i++) {
        Status status = signature_of(SIGNATURE_KNOBS[i], &nodes, err);
        if (status)
            return status;
    }
    *out = nodes;
    return STATUS_OK;
}
