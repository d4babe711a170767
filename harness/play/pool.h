// SPDX-License-Identifier: GPL-3.0-or-later
// The pool: worker threads that play the slots of a plan which are not played yet, each game handed
// to one sink.
//
// Every worker has its own seats, referee and memory; a lock is taken twice a game, to take a slot
// and to count the result. What a game is does not depend on which worker plays it when.
#pragma once

#include "harness/play/seat.h"
#include "harness/play/tally.h"
#include "harness/record/game_sink.h"

// How a run is told to end, also by a signal handler: 0 go on, 1 start no new game, 2 drop the
// games in progress, too.
typedef struct PoolControl {
    atomic_int level;
    atomic_bool drop; // set with level 2; what seats and games look at
} PoolControl;

// Raises the level by one, from a signal handler or any thread.
void pool_control_interrupt(PoolControl *control);

// A game that was played in an earlier sitting.
typedef struct PastGame {
    int64_t slot;
    char result;
} PastGame;

// Earlier games in ascending order of slots; games that this run adds may or may not appear.
typedef struct PastGames {
    Status (*next)(void *ctx, PastGame *out, bool *found, ErrorText *err); // NULL: there are none
    void *ctx;                                                             // borrowed
} PastGames;

// How far a run is; handed to the callback, which copies what it wants to keep.
typedef struct PoolProgress {
    const Tally *tally; // locked while the callback runs: read it, do not keep it
    int64_t total;      // games of this shard
    int64_t played;     // in this sitting
    int64_t known;      // games that count as done: earlier ones and those of this sitting
    double seconds;     // since the start of the sitting
    int jobs;
    bool is_last;        // the run is over
    bool is_interrupted; // by the control: no new game is started
} PoolProgress;

// `plan`, `jobs`, `sink` and `control` must be set; the rest may be zero.
typedef struct PoolOptions {
    const Plan *plan; // borrowed, as all that follows
    int jobs;         // games at once, >= 1
    GameSink sink;
    PastGames past;
    int64_t past_games; // how many there are, for the progress; 0 = unknown
    PoolControl *control;
    // Opens the seat of a player for one worker; NULL: seat_open.
    Status (*open_seat)(void *ctx, int player, Seat **out, ErrorText *err);
    void *seat_ctx;
    // Called by the caller's thread some times a second, and once at the end; may be NULL.
    void (*progress)(void *ctx, const PoolProgress *progress);
    void *progress_ctx;
} PoolOptions;

// Plays until the plan is played, the test is decided, the control says so, or the run cannot go
// on; returns when every worker has ended. *tally (initialised, empty) gets the earlier games and
// the new ones; *played the number of new games. STATUS_STOPPED when interrupted; a sink's or
// seat's failure as it came. Thread: any, one pool at a time per control.
Status pool_run(const PoolOptions *options, Tally *tally, int64_t *played,
                ErrorText *err) MUST_CHECK;
