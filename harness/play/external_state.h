// SPDX-License-Identifier: GPL-3.0-or-later
// What a seat with an external program consists of: shared by the files that start its process
// (external_process.c), ask it for moves (external_move.c) and make and end it (external_seat.c),
// and by nobody else. Thread of everything here: owner.
#pragma once

#include "engine/base/clock.h"
#include "engine/board/board.h"
#include "engine/proto/search_talk.h"
#include "harness/play/process.h"
#include "harness/play/seat.h"
#include "harness/record/experiment.h"

enum {
    EXTERNAL_QUOTE_CAP = 200, // bytes of a line that are quoted, with the NUL
    // INFO for a limit that there is not: every engine that was tried takes this for "no limit",
    // which 0 is not for all.
    EXTERNAL_NO_LIMIT_MS = 100000000,
};

typedef struct ExternalSeat {
    Seat seat;                    // first, so that a Seat * is an ExternalSeat *
    const Experiment *experiment; // borrowed, as is `spec`
    const PlayerSpec *spec;

    // The process. It outlives games, unless it fails or `restart: game` asks for a new one.
    Process *process;     // owned; NULL = none
    bool has_started;     // START was answered by this process
    bool has_spawned;     // there has been a process
    bool knows_restart;   // false once RESTART was not answered with OK
    bool is_suspended;    // by us, with SIGSTOP: it must be continued before it can hear anything
    int games;            // that this process has ended well
    int moves;            // of this process, as counted for the samples of idle time
    bool is_idle_short;   // the last time it was not on move
    int64_t last_move_ns; // when its last move was read, in whatever game: gap_ms counts from it
    SearchTalk talk;      // what it said about the search that is going on
    Text out;             // the next write; kept, so that a move allocates nothing

    // The game.
    SeatGame game;
    Board board;                      // the position
    int told;                         // of its stones, those that the program knows
    Status failure;                   // of this game; STATUS_OK = none
    char refusal[EXTERNAL_QUOTE_CAP]; // the last ERROR or UNKNOWN of this game; "" = none
    int dropped;                      // lines dropped in this game
    int64_t idle_since_ns;            // when its last move was read; 0 = not yet in this game
    int64_t idle_cpu_mark_ns;         // its CPU time then; negative: not looked at
    int64_t idle_ns, idle_cpu_ns;     // in this game, while not on move, as far as measured
} ExternalSeat;

// Now, on the clock of the deadlines of process.h.
static inline int64_t external_now_ns(void) { return clock_now_ns(clock_monotonic()); }

// Notes what failed in this game and returns it: later calls see the failure, not its cause.
static inline Status external_fail(ExternalSeat *self, Status status) {
    self->failure = status;
    return status;
}

// The same for a game that the run drops.
Status external_fail_stopped(ExternalSeat *self, ErrorText *err) MUST_CHECK;

// Keeps a complaint of the program for the message of a later failure, which it may explain.
void external_keep_refusal(ExternalSeat *self, const ProcessLine *line);

// "; it had said: ERROR ..." when the program has complained in this game, else "". Returns `out`.
const char *external_refusal_text(const ExternalSeat *self, char out[EXTERNAL_QUOTE_CAP + 16]);

// What a program that is gone has done, a clause without subject: "ended", "closed its output".
// Waits a moment for its end, which comes a little after its pipes close.
const char *external_leave_text(ExternalSeat *self);

// Drops what has come while nothing was asked: from our buffer, and with `reads` from the pipe.
// Talk, and ERROR or UNKNOWN about an INFO, are expected then; anything else is counted.
void external_drop_lines(ExternalSeat *self, bool reads);

// Lets a suspended process go on; nothing for any other.
void external_resume(ExternalSeat *self);

// Waits until gap_ms after its last move, if it has such a gap: some engines lose commands that
// come right after their move, since they say it before they are ready to listen.
void external_wait_gap(ExternalSeat *self);

// Microseconds that the program has to end by itself.
int64_t external_grace_us(const ExternalSeat *self);

// Starts a process for the seat, which has none. Fails as process_spawn does.
Status external_spawn(ExternalSeat *self, ErrorText *err) MUST_CHECK;

// Must it be found out whether the program is content with one core?
bool external_is_affinity_open(const ExternalSeat *self);

// Says END and lets the program go, within the grace; the seat then has no process.
void external_part(ExternalSeat *self);

// Lets go of a process that is stopped already.
void external_discard(ExternalSeat *self);

// seat_start of an external seat: RESTART, or a process and START.
Status external_start(Seat *seat, const SeatGame *game, ErrorText *err) MUST_CHECK;

// seat_think of an external seat.
Status external_think(Seat *seat, const SeatTurn *turn, SeatAnswer *answer,
                      ErrorText *err) MUST_CHECK;
