// SPDX-License-Identifier: GPL-3.0-or-later
// The loop of a game.
#include "harness/play/game.h"

#include "harness/play/deadline.h"

#include <stdlib.h>
#include <string.h>

// A game while it is played; lives on the stack of game_play.
typedef struct Game {
    const GameSetup *setup;
    Referee *referee;
    GameRecord *record;
    GameClock clock;
    Verdict verdict;
    Text note;
    bool is_started[COLOUR_NB];
} Game;

// Colours differ, so that a player against itself does not mirror its own random choices.
uint64_t game_seat_seed(uint64_t slot_seed, Colour colour) {
    return rng_mix(slot_seed, (uint64_t)colour + 1);
}

// Turns a failure of the seat of `colour` into the result of the game: STATUS_OK then, else the
// status that ends the run.
static Status game_seat_failed(Game *game, Colour colour, Status status, ErrorText *err) {
    GameReason reason;
    switch (status) {
    case STATUS_TIMEOUT:
        reason = REASON_TIMEOUT;
        break;
    case STATUS_CRASH:
        reason = REASON_CRASH;
        break;
    case STATUS_INVALID:
        reason = REASON_ILLEGAL;
        break;
    default:
        return status;
    }
    const Experiment *experiment = game->setup->experiment;
    int player = colour == BLACK ? game->setup->slot.black : game->setup->slot.white;
    // What the seat said moves from the error to the note: the run goes on, and the reason stays
    // with the game.
    text_printf(&game->note, "%s (%s), ply %d: %s\n", experiment->players[player].name,
                colour == BLACK ? "black" : "white", game->record->move_count + 1, err->text);
    err->text[0] = '\0';
    game->verdict = verdict_forfeit(colour, reason);
    return STATUS_OK;
}

static Status game_start_seat(Game *game, Colour colour, ErrorText *err) {
    const GameSetup *setup = game->setup;
    const Experiment *experiment = setup->experiment;
    const ClockSpec *clock = &experiment->clock;
    SeatGame seat_game = {.width = experiment->width,
                          .height = experiment->height,
                          .k = experiment->k,
                          .rule = experiment->rule,
                          .colour = colour,
                          .seed = game_seat_seed(setup->slot.seed, colour),
                          .slot = setup->slot.slot,
                          .move_ms = game->clock.move_ms[colour],
                          .match_ms = clock->match_ms,
                          .start_us = clock->start_ms * 1000,
                          .end_us = clock->end_ms * 1000,
                          .stop = setup->stop};
    // Before the call: seat_end follows every seat_start, failed or not (seat.h).
    game->is_started[colour] = true;
    Status status = seat_start(setup->seats[colour], &seat_game, err);
    return status ? game_seat_failed(game, colour, status, err) : STATUS_OK;
}

// Tells both seats of a stone.
static Status game_place(Game *game, Move move, ErrorText *err) {
    // Seats place one after the other; the verdict of the first failure ends it, so that a game has
    // one loser.
    for (int colour = BLACK; colour <= WHITE && !game->verdict.is_over; colour++) {
        Status status = seat_place(game->setup->seats[colour], move, err);
        if (status)
            status = game_seat_failed(game, (Colour)colour, status, err);
        if (status)
            return status;
    }
    return STATUS_OK;
}

static Status game_record_move(Game *game, const MoveRecord *move, const char *pv, ErrorText *err) {
    if (game_record_add(game->record, move, pv))
        return STATUS_OK;
    return error_set(err, STATUS_NO_MEMORY, "slot %lld: out of memory for a move",
                     (long long)game->setup->slot.slot);
}

static Status game_open(Game *game, ErrorText *err) {
    const GameSetup *setup = game->setup;
    referee_start(game->referee, setup->opening, setup->opening_count);
    Status status = STATUS_OK;
    // Recorded before the seats start: a game that is lost by not starting still shows which
    // opening it would have been.
    for (int i = 0; i < setup->opening_count && !status; i++)
        status = game_record_move(game, &(MoveRecord){.move = setup->opening[i]}, NULL, err);
    for (int colour = BLACK; colour <= WHITE && !status && !game->verdict.is_over; colour++)
        status = game_start_seat(game, (Colour)colour, err);
    for (int i = 0; i < setup->opening_count && !status && !game->verdict.is_over; i++)
        status = game_place(game, setup->opening[i], err);
    return status;
}

static Status game_turn(Game *game, ErrorText *err) {
    Colour mover = game->referee->board.side;
    SeatTurn turn = game_clock_turn(&game->clock, mover);
    SeatAnswer answer;
    answer.move = MOVE_NONE;
    // Set here because a seat that fails leaves the answer as it is; `pv` is large and read only
    // when `known` says so.
    answer.known = 0;
    answer.elapsed_us = 0;
    Status status = seat_think(game->setup->seats[mover], &turn, &answer, err);
    // The seat knows one deadline, the clock knows the match: a move may come in time and still
    // overrun what is left of it.
    if (!status && !game_clock_charge(&game->clock, mover, answer.elapsed_us))
        status = seat_late(answer.elapsed_us, turn.allowed_us, err);
    if (status)
        return game_seat_failed(game, mover, status, err);
    bool knows_value = answer.known & KNOWN_VALUE;
    game->verdict = referee_move(game->referee, answer.move, knows_value ? &answer.value : NULL);
    if (game->verdict.is_over && game->verdict.reason == REASON_ILLEGAL) {
        const Board *board = &game->referee->board;
        bool is_on_board = answer.move >= 0 && answer.move < board_cell_count(board);
        error_set(err, STATUS_INVALID, "%s is %s", notation_square(board, answer.move).text,
                  is_on_board ? "occupied" : "outside the board");
        return game_seat_failed(game, mover, STATUS_INVALID, err);
    }
    MoveRecord move = {.move = answer.move,
                       .known = answer.known | KNOWN_TIME,
                       .value = knows_value ? answer.value : 0};
    if (answer.known)
        move.cost = answer.cost;
    move.cost.time_us = answer.elapsed_us;
    status = game_record_move(game, &move, answer.known & KNOWN_PV ? answer.pv : NULL, err);
    if (!status && !game->verdict.is_over)
        status = game_place(game, answer.move, err);
    return status;
}

static Status game_finish(Game *game, ErrorText *err) {
    GameRecord *record = game->record;
    record->result = game->verdict.result;
    record->reason = game->verdict.reason;
    if (game->note.length > 0)
        record->note = strdup(text_cstr(&game->note));
    if (game->note.failed || (game->note.length > 0 && !record->note))
        return error_set(err, STATUS_NO_MEMORY, "slot %lld: out of memory for a note",
                         (long long)record->slot);
    return STATUS_OK;
}

Status game_play(const GameSetup *setup, Referee *referee, GameRecord **out, ErrorText *err) {
    const Experiment *experiment = setup->experiment;
    const PlanSlot *slot = &setup->slot;
    GameRecord *record = game_record_new();
    if (!record)
        return error_set(err, STATUS_NO_MEMORY, "slot %lld: out of memory for a game",
                         (long long)slot->slot);
    record->slot = slot->slot;
    record->pair = slot->pair;
    record->opening = slot->opening;
    record->black = slot->black;
    record->white = slot->white;
    record->width = experiment->width;
    record->height = experiment->height;
    record->opening_plies = setup->opening_count;
    record->seed = slot->seed;
    Game game = {.setup = setup, .referee = referee, .record = record};
    game.clock = game_clock_start(&experiment->clock, &experiment->players[slot->black],
                                  &experiment->players[slot->white]);
    int64_t start_ns = clock_now_ns(setup->clock);
    Status status = game_open(&game, err);
    while (!status && !game.verdict.is_over) {
        // Also between moves: seats that answer at once would otherwise play the game to its end.
        // Relaxed is enough, nothing else is published with the flag.
        bool is_dropped = atomic_load_explicit(setup->stop, memory_order_relaxed);
        status = is_dropped ? error_set(err, STATUS_STOPPED, "the game was dropped")
                            : game_turn(&game, err);
    }
    // Both seats hear of the end before anything else may fail: a program must be stopped or
    // cleared whatever becomes of the record.
    for (int colour = BLACK; colour <= WHITE; colour++)
        if (game.is_started[colour])
            seat_end(setup->seats[colour], &game.note, &record->watch[colour]);
    record->wall_us = (clock_now_ns(setup->clock) - start_ns) / 1000;
    if (!status)
        status = game_finish(&game, err);
    text_release(&game.note);
    if (status)
        game_record_free(record);
    else
        *out = record;
    return status;
}
