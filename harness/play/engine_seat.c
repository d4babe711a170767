// SPDX-License-Identifier: GPL-3.0-or-later
// The facade behind the interface of a seat.
#include "harness/play/engine_seat.h"

#include "engine/board/notation.h"
#include "engine/engine.h"
#include "harness/record/game_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// How a match clock is shared out: a move may take this part of what is left, and most of the
// increment.
static const int64_t MOVES_LEFT_GUESS = 20;

typedef struct EngineSeat {
    Seat seat;
    Engine *engine; // owned
    int64_t increment_ms;
    atomic_bool *stop; // of the game, borrowed
    ThinkReport report;
} EngineSeat;

static Status engine_seat_start(Seat *seat, const SeatGame *game, ErrorText *err) {
    EngineSeat *self = (EngineSeat *)seat;
    (void)err;
    self->stop = game->stop;
    engine_clear(self->engine, game->seed);
    return STATUS_OK;
}

static Status engine_seat_place(Seat *seat, Move move, ErrorText *err) {
    (void)err;
    engine_place(((EngineSeat *)seat)->engine, move);
    return STATUS_OK;
}

// What the move should take, in ms; 0 = no limit. Never more than what is left, and never 0 with a
// match clock, since that would read as no limit.
static int64_t time_for(const EngineSeat *self, const SeatTurn *turn) {
    if (turn->left_ms < 0)
        return turn->move_ms;
    int64_t share = turn->left_ms / MOVES_LEFT_GUESS + self->increment_ms * 3 / 4;
    share = share > turn->left_ms ? turn->left_ms : share;
    share = share < 1 ? 1 : share;
    return turn->move_ms > 0 && turn->move_ms < share ? turn->move_ms : share;
}

// The most that a move may take of a match clock: three shares, but no more than a quarter of what
// is left, unless the share is more than that.
static int64_t hard_limit(const SeatTurn *turn, int64_t share) {
    int64_t most = turn->left_ms / 4 < 3 * share ? turn->left_ms / 4 : 3 * share;
    most = most < share ? share : most;
    return turn->move_ms > 0 && turn->move_ms < most ? turn->move_ms : most;
}

static void write_pv(const Board *board, const ThinkReport *report, char *out) {
    size_t length = 0;
    for (int i = 0; i < report->pv_length; i++) {
        SquareText square = notation_square(board, report->pv[i]);
        size_t need = strlen(square.text) + 1;
        if (length + need >= SEAT_PV_CAP)
            break;
        if (length)
            out[length++] = ' ';
        memcpy(out + length, square.text, need);
        length += need - 1;
    }
    out[length] = '\0';
}

static Status engine_seat_think(Seat *seat, const SeatTurn *turn, SeatAnswer *answer,
                                ErrorText *err) {
    EngineSeat *self = (EngineSeat *)seat;
    const Board *board = engine_board(self->engine);
    ThinkReport *report = &self->report;
    ThinkLimits limits = {.time_ms = time_for(self, turn), .as_played = true, .stop = self->stop};
    if (turn->left_ms >= 0) { // the share is an aim, not a limit: a hard move may take more
        limits.soft_ms = limits.time_ms;
        limits.time_ms = hard_limit(turn, limits.soft_ms);
    }
    engine_think(self->engine, &limits, report);
    answer->move = report->move;
    // A move that no search chose (random, from an opening rule) has no value and no depth.
    answer->known = isnan(report->value)
                        ? KNOWN_ALL & ~(unsigned)(KNOWN_VALUE | KNOWN_DEPTH | KNOWN_SELDEPTH)
                        : KNOWN_ALL;
    answer->value = report->value;
    answer->cost = report->cost;
    // The engine's own clock, started at the call: what happens between the call and the answer in
    // this thread is the engine's, too.
    answer->elapsed_us = report->cost.time_us;
    write_pv(board, report, answer->pv);
    // Asked after the search: a stop ended it early, and half a search is no move of this player.
    // The game is dropped, which must win over any other judgement of the answer.
    if (self->stop && atomic_load_explicit(self->stop, memory_order_relaxed))
        return error_set(err, STATUS_STOPPED, "the game was dropped");
    if (report->move == MOVE_NONE)
        return error_set(err, STATUS_INVALID, "the engine has no move to play");
    if (turn->allowed_us > 0 && answer->elapsed_us > turn->allowed_us)
        return seat_late(answer->elapsed_us, turn->allowed_us, err);
    return STATUS_OK;
}

static void engine_seat_end(Seat *seat, Text *note, SeatWatch *watch) {
    (void)note, (void)watch;
    ((EngineSeat *)seat)->stop = NULL;
}

static void engine_seat_free(Seat *seat) {
    engine_free(((EngineSeat *)seat)->engine);
    free(seat);
}

static const SeatMethods ENGINE_SEAT = {engine_seat_start, engine_seat_place, engine_seat_think,
                                        engine_seat_end, engine_seat_free};

static Status make_engine(const Experiment *experiment, int player, Engine **out, ErrorText *err) {
    EngineSetup setup = {.knobs = &experiment->players[player].knobs,
                         .width = experiment->width,
                         .height = experiment->height,
                         .k = experiment->k,
                         .rule = experiment->rule,
                         .clock = clock_monotonic()};
    Status status = engine_new(&setup, out, err);
    return status ? error_wrap(err, status, "player %s", experiment->players[player].name)
                  : STATUS_OK;
}

Status engine_seat_check(const Experiment *experiment, int player, ErrorText *err) {
    Engine *engine = NULL;
    Status status = make_engine(experiment, player, &engine, err);
    engine_free(engine);
    return status;
}

Status engine_seat_new(const Experiment *experiment, int player, Seat **out, ErrorText *err) {
    EngineSeat *self = calloc(1, sizeof *self);
    if (!self)
        return error_set(err, STATUS_NO_MEMORY, "out of memory for a player");
    self->seat.methods = &ENGINE_SEAT;
    self->increment_ms = experiment->clock.increment_ms;
    Status status = make_engine(experiment, player, &self->engine, err);
    if (status) {
        free(self);
        return status;
    }
    // Before the first game, not in its first move: page faults would be charged to the clock.
    if (experiment_is_timed(experiment, player))
        engine_claim_memory(self->engine);
    *out = &self->seat;
    return STATUS_OK;
}
