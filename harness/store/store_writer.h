// SPDX-License-Identifier: GPL-3.0-or-later
// The one thread that writes games: a bounded queue in, transactions of whole games out.
//
// Workers hand finished games over through a GameSink and go on at once; when the queue is full
// they wait, so that memory stays bounded. The writer commits what it has as soon as `commit_ms`
// have passed since the oldest game came in, or `batch_games` are there. A game and its moves are
// always in one transaction: after a crash or kill -9 each game is whole or absent, and at most the
// last `commit_ms` are lost.
//
// Measured (test_store_writer__memory_is_flat, GOMOLAB_STORE_GAMES=100000): 1.6 to 1.9 microseconds
// of CPU a move row, game rows and commits included; memory does not grow.
#pragma once

#include "harness/record/game_sink.h"
#include "harness/store/store.h"

typedef struct StoreWriter StoreWriter; // opaque

// How much may be lost and how much memory may wait; the defaults suit games from a millisecond to
// minutes.
typedef struct StoreWriterOptions { // 0 = the default
    int queue_games;                // games that may wait before producers do [512]
    int batch_games;                // games a transaction [128]
    int commit_ms;                  // longest wait of a game for its transaction [20]
    bool skip_moves;                // --no-move-log: game rows only
} StoreWriterOptions;

// Counted from the start of the writer.
typedef struct StoreWriterStats {
    int64_t games, moves; // committed rows
    int64_t commits;      // transactions
    int queue_peak;       // most games waiting at once
    int64_t cpu_ns;       // CPU time of the writer thread
} StoreWriterStats;

// Starts the thread. The store must be of store_open_run; nobody else may use it until
// store_writer_stop. `options` may be NULL. The writer is the caller's, freed by store_writer_stop.
// Thread: owner of the store.
Status store_writer_start(Store *store, const StoreWriterOptions *options, StoreWriter **out,
                          ErrorText *err) MUST_CHECK;

// Where to hand games. After a failed transaction (disk full: STATUS_IO; a slot that is there
// already: STATUS_CONFLICT) every take fails with that status and text; what was committed stays.
// Thread: any, several at once.
GameSink store_writer_sink(StoreWriter *writer);

// Waits until every game taken so far is committed; the writer's failure if there was one. Thread:
// any.
Status store_writer_flush(StoreWriter *writer, ErrorText *err) MUST_CHECK;

// Numbers so far. Thread: any.
StoreWriterStats store_writer_stats(StoreWriter *writer);

// Writes what is queued, ends the thread and frees the writer in every case; the failure if there
// was one. `stats` may be NULL. Thread: owner, when no producer is left.
Status store_writer_stop(StoreWriter *writer, StoreWriterStats *stats, ErrorText *err) MUST_CHECK;
