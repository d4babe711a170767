// SPDX-License-Identifier: GPL-3.0-or-later
// A seat: one player at the board, whoever it is - our own engine in this process or a program
// behind pipes.
//
// A seat lives for many games; for each it sees: start, place for every stone (the opening's, the
// opponent's and its own, in order), think when it is on move, end. The referee knows the rules and
// the result; a seat only chooses moves. What goes wrong in a seat is a Status, and the referee
// turns it into the result of the game:
//
//   STATUS_TIMEOUT  no answer within the time allowed     -> reason timeout
//   STATUS_CRASH    the program ended or closed its pipes -> reason crash
//   STATUS_INVALID  the answer is no move                 -> reason illegal
//   STATUS_STOPPED  the run drops this game (*stop is set)
//   any other       the run cannot go on: a program cannot be executed (STATUS_IO,
//   STATUS_NOT_FOUND), cannot play the
//                   size or rule (STATUS_UNSUPPORTED), memory is out (STATUS_NO_MEMORY)
//
// Thread class of everything here: owner (one worker has the seat), except the stop flag, which
// anyone may set.
#pragma once

#include "engine/base/cost.h"
#include "engine/base/text.h"
#include "engine/board/move.h"
#include "engine/board/rule.h"
#include "harness/record/game_record.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct SeatGame {
    int width, height, k;
    Rule rule;
    Colour colour;     // whose stones the seat plays
    uint64_t seed;     // of this seat in this game; equal seeds and equal moves give equal answers
    int64_t slot;      // for messages
    int64_t move_ms;   // time per move that the player is told, 0 = none
    int64_t match_ms;  // time for all its moves, 0 = none
    int64_t start_us;  // the program must be ready within this, 0 = no deadline
    int64_t end_us;    // grace for the program to end when it must
    atomic_bool *stop; // borrowed; set: give up at once with STATUS_STOPPED
} SeatGame;

typedef struct SeatTurn {
    int64_t move_ms; // aim for at most this, 0 = no limit
    int64_t left_ms; // what is left of the match clock, this move included; -1 = no match clock
    int64_t
        allowed_us; // an answer after this is STATUS_TIMEOUT (limit and margin), 0 = no deadline
} SeatTurn;

enum { SEAT_PV_CAP = 512 };

typedef struct SeatAnswer {
    Move move;      // a cell index of the board; whether it may be played is the referee's question
    unsigned known; // MoveKnown bits of what follows
    double value;   // from the mover's side
    SearchCost cost;      // cost.time_us as the player itself counts it
    char pv[SEAT_PV_CAP]; // squares separated by blanks, cut at the capacity
    int64_t elapsed_us; // charged to the clock: from the last byte sent (or the call) to the whole
                        // answer; also set on STATUS_TIMEOUT, STATUS_CRASH and STATUS_INVALID
} SeatAnswer;

typedef struct Seat Seat;
// What a kind of seat does; the inline functions below say what each call means. All fail with a
// Status of the list above.
typedef struct SeatMethods {
    Status (*start)(Seat *seat, const SeatGame *game,
                    ErrorText *err);                        // *game is copied where needed
    Status (*place)(Seat *seat, Move move, ErrorText *err); // stones alternate, black first
    Status (*think)(Seat *seat, const SeatTurn *turn, SeatAnswer *answer, ErrorText *err);
    void (*end)(Seat *seat, Text *note, SeatWatch *watch); // after every start, failed or not
    void (*free)(Seat *seat);
} SeatMethods;

// What every seat begins with; an implementation puts this first in its own struct.
struct Seat {
    const SeatMethods *methods;
};

// STATUS_TIMEOUT and its words: the tenth of a millisecond that was begun counts, so that the time
// taken never reads like the time allowed.
static inline Status seat_late(int64_t elapsed_us, int64_t allowed_us, ErrorText *err) {
    return error_set(err, STATUS_TIMEOUT, "the move took %.1f ms, %.1f ms were allowed",
                     (double)((elapsed_us + 99) / 100) / 10, (double)(allowed_us / 100) / 10);
}

// Begins a game on an empty board.
static inline Status seat_start(Seat *seat, const SeatGame *game, ErrorText *err) {
    return seat->methods->start(seat, game, err);
}

// One stone more on the board, of the opening, the opponent or the seat itself; the cell is empty,
// colours alternate and black begins. May be kept back until the seat is asked to think.
static inline Status seat_place(Seat *seat, Move move, ErrorText *err) {
    return seat->methods->place(seat, move, err);
}

// Chooses a move for the side to move, which is the seat's. The stone is not placed: seat_place
// follows if it is legal.
static inline Status seat_think(Seat *seat, const SeatTurn *turn, SeatAnswer *answer,
                                ErrorText *err) {
    return seat->methods->think(seat, turn, answer, err);
}

// The game is over. The seat may append what should be kept beside the game (the tail of a
// program's standard error after a failure) to `note`; a program's fills *watch.
static inline void seat_end(Seat *seat, Text *note, SeatWatch *watch) {
    seat->methods->end(seat, note, watch);
}

// Ends the program, frees the seat; NULL is fine.
static inline void seat_free(Seat *seat) {
    if (seat)
        seat->methods->free(seat);
}
