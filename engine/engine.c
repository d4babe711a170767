// SPDX-License-Identifier: GPL-3.0-or-later
// The facade: board, evaluation and search of one player put together. Whoever uses an engine sees
// engine.h only; what stands behind it can change without them.
#include "engine/engine.h"

#include "engine/base/check.h"
#include "engine/board/board_slow.h"
#include "engine/search/instant.h"

#include <stdlib.h>

struct Engine {
    Board board;
    Eval eval;
    Search search;
    Rule rule; // of the game; the board follows search.rule
};

// The rule by which the player counts five in a row (search.rule), which may be another than the
// game's.
static Rule believed_rule(const KnobSet *knobs, Rule rule) {
    switch ((SearchRule)knob_int(knobs, KNOB_SEARCH_RULE)) {
    case SEARCH_RULE_FREESTYLE:
        return RULE_FREESTYLE;
    case SEARCH_RULE_STANDARD:
        return RULE_STANDARD;
    case SEARCH_RULE_GAME:
        break;
    }
    return rule;
}

Status engine_new(const EngineSetup *setup, Engine **out, ErrorText *err) {
    // All 0: what was not made yet can be released, so one way out serves every failure.
    Engine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return error_set(err, STATUS_NO_MEMORY, "no memory for an engine");
    Status status = knob_check(setup->knobs, err);
    Rule rule = believed_rule(setup->knobs, setup->rule);
    int radius = (int)knob_int(setup->knobs, KNOB_MOVES_RADIUS);
    if (!status)
        status =
            board_init(&engine->board, setup->width, setup->height, setup->k, rule, radius, err);
    if (!status)
        status = eval_init(&engine->eval, setup->knobs, &engine->board, err);
    if (!status)
        status = search_init(&engine->search, setup->knobs, &engine->board, &engine->eval, err);
    if (status) {
        engine_free(engine);
        return status;
    }
    engine->search.clock = setup->clock;
    engine->rule = setup->rule;
    *out = engine;
    return STATUS_OK;
}

void engine_free(Engine *engine) {
    if (!engine)
        return;
    search_release(&engine->search);
    eval_release(&engine->eval);
    free(engine);
}

void engine_claim_memory(Engine *engine) { tt_claim_memory(&engine->search.tt); }

void engine_clear(Engine *engine, uint64_t seed) {
    board_clear(&engine->board);
    eval_reset(&engine->eval, &engine->board);
    search_clear(&engine->search);
    engine->search.rng = rng_init(seed);
}

const Board *engine_board(const Engine *engine) { return &engine->board; }

void engine_place(Engine *engine, Move move) { eval_place(&engine->eval, &engine->board, move); }

void engine_undo(Engine *engine) { eval_undo(&engine->eval, &engine->board); }

Status engine_set_position(Engine *engine, const Board *position, ErrorText *err) {
    Board *board = &engine->board;
    if (position->width != board->width || position->height != board->height ||
        position->k != board->k || position->rule != engine->rule)
        return error_set(err, STATUS_INVALID,
                         "the position is %dx%d, %d in a row, %s; the engine plays another game",
                         position->width, position->height, position->k, rule_name(position->rule));
    board_clear(board);
    // Stone by stone and not as a struct: the board keeps its own rule and radius, and undo reaches
    // back to the first stone.
    for (int i = 0; i < position->stone_count; i++)
        board_put(board, position->moves[i], (Colour)position->cells[position->moves[i]],
                  board->side);
    board_set_side(board, position->side);
    // Evaluated once at the end instead of after every stone.
    board->setup_count = position->setup_count;
    eval_reset(&engine->eval, board);
    search_clear(&engine->search);
    return STATUS_OK;
}

bool engine_game_is_over(const Engine *engine) {
    const Board *board = &engine->board;
    if (board_is_full(board))
        return true;
    if (board->rule == engine->rule)
        return board->wins[BLACK] > 0 || board->wins[WHITE] > 0;
    Board judged = *board; // the same stones, seen by the other rule
    judged.rule = engine->rule;
    return board_slow_wins(&judged, BLACK) > 0 || board_slow_wins(&judged, WHITE) > 0;
}

void engine_plant_fault(Engine *engine, SearchFault fault) { engine->search.fault = fault; }

double engine_static_value(Engine *engine) {
    return eval_value(&engine->eval, &engine->board, engine->board.side);
}

// The sooner of two limits where 0 means none.
static int64_t sooner(int64_t a, int64_t b) { return a == 0 ? b : b == 0 ? a : a < b ? a : b; }

void engine_think(Engine *engine, const ThinkLimits *limits, ThinkReport *report) {
    Search *search = &engine->search;
    const KnobSet *knobs = &search->knobs;
    // The clock runs from here, the solvers before the search included.
    int64_t start_ns = clock_now_ns(search->clock);
    int64_t time_ms = sooner(knob_int(knobs, KNOB_SEARCH_TIME_MS), limits->time_ms);
    search->start_ns = start_ns;
    search->deadline_ns = time_ms ? start_ns + time_ms * 1000000 : 0;
    search->soft_ns = limits->soft_ms ? start_ns + sooner(limits->soft_ms, time_ms) * 1000000 : 0;
    search->node_limit =
        (uint64_t)sooner(knob_int(knobs, KNOB_SEARCH_NODES), (int64_t)limits->nodes);
    search->stop_flag = limits->stop;

    SearchResult result;
    if (!limits->as_played || !instant_move(search, &result))
        search_run(search, limits->depth ? limits->depth : (int)knob_int(knobs, KNOB_SEARCH_DEPTH),
                   &result);
    // A player that must move does, even where its knobs leave it none; but nobody moves in a game
    // that is over.
    if (limits->as_played && result.move == MOVE_NONE && !engine_game_is_over(engine)) {
        result.move = instant_any_move(search);
        result.pv = (PvLine){.move = {result.move}, .length = result.move != MOVE_NONE};
    }
    *report = (ThinkReport){.move = result.move,
                            .value = result.value,
                            .static_value = engine_static_value(engine),
                            .cost = search->cost,
                            .stopped = search->stopped};
    for (; report->pv_length < result.pv.length && report->pv_length < ENGINE_MAX_PV;
         report->pv_length++)
        report->pv[report->pv_length] = result.pv.move[report->pv_length];
    report->cost.time_us = (clock_now_ns(search->clock) - start_ns) / 1000;
}
