// SPDX-License-Identifier: GPL-3.0-or-later
// The writer thread and its queue.
#include "harness/store/store_writer.h"

#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "harness/store/game_rows.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

// The queue is bounded in games and in moves, since a game may have six or four hundred of them.
enum {
    DEFAULT_QUEUE_GAMES = 512,
    DEFAULT_BATCH_GAMES = 128,
    DEFAULT_COMMIT_MS = 20,
    QUEUE_MOVES = 1 << 16
};

// Three parties: workers put games in (writer_take), the thread takes them out and writes, the
// caller starts, flushes and stops. Workers wait only when the queue is full, not for each
// commit.
struct StoreWriter {
    Store *store;       // borrowed; the thread's alone while it runs
    GameRows rows;      // the thread's
    GameRecord **batch; // the thread's; batch_games of them
    int batch_games, queue_games, commit_ms;
    pthread_t thread;
    pthread_mutex_t mutex; // guards all below
    pthread_cond_t work, room, idle;
    GameRecord **queue; // ring of queue_games
    int head, count;
    int64_t moves_waiting;  // in the queue
    int64_t oldest_ns;      // when the queue last became non-empty
    int64_t taken, settled; // games ever taken; of these, committed or dropped
    int flushing;           // callers that wait
    bool stop;
    Status failure; // of the first failed transaction
    ErrorText failure_text;
    StoreWriterStats stats;
};

static int64_t now_ns(void) { return clock_now_ns(clock_monotonic()); }

static int compare_slots(const void *a, const void *b) {
    const GameRecord *x = *(GameRecord *const *)a, *y = *(GameRecord *const *)b;
    return (x->slot > y->slot) - (x->slot < y->slot);
}

// One transaction; in slot order, so that rows are mostly appended.
// Without the mutex: only this thread touches the store and the batch.
static Status write_batch(StoreWriter *w, int count, ErrorText *err) {
    qsort(w->batch, (size_t)count, sizeof *w->batch, compare_slots);
    Status status = connection_run(w->store, SQL_BEGIN, err);
    if (status)
        return status;
    for (int i = 0; i < count && !status; i++)
        status = game_rows_insert(&w->rows, w->store, w->batch[i], err);
    return connection_end_transaction(w->store, status, err);
}

// Waits for a batch that is due. False: stopped and nothing is left. The mutex is held.
static bool wait_for_batch(StoreWriter *w) {
    for (;;) {
        if (w->count == 0) {
            if (w->stop)
                return false;
            pthread_cond_wait(&w->work, &w->mutex);
            continue;
        }
        int64_t due_ns = w->oldest_ns + w->commit_ms * INT64_C(1000000);
        // Due when somebody waits, when there is enough for a transaction, when workers would be
        // held up, or when the oldest game has waited commit_ms: what a kill may cost.
        if (w->stop || w->flushing || w->count >= w->batch_games || w->count == w->queue_games ||
            w->moves_waiting >= QUEUE_MOVES || now_ns() >= due_ns)
            return true;
        struct timespec due = {due_ns / 1000000000, due_ns % 1000000000};
        pthread_cond_timedwait(&w->work, &w->mutex, &due);
    }
}

static int take_batch(StoreWriter *w, int64_t *moves) {
    int count = 0;
    *moves = 0;
    while (count < w->batch_games && w->count > 0) {
        GameRecord *record = w->queue[w->head];
        w->batch[count++] = record;
        *moves += record->move_count;
        w->head = (w->head + 1) % w->queue_games;
        w->count--;
    }
    w->moves_waiting -= *moves;
    // What stays in the queue is younger than what was taken; its wait begins anew.
    w->oldest_ns = now_ns();
    pthread_cond_broadcast(&w->room);
    return count;
}

// The loop holds the mutex except while it writes. `settled` is raised after the commit only, so
// that a flush that returns has its games on the disk (or has the failure).
static void *writer_main(void *ctx) {
    StoreWriter *w = ctx;
    int64_t cpu_start = clock_thread_cpu_ns();
    pthread_mutex_lock(&w->mutex);
    while (wait_for_batch(w)) {
        int64_t moves;
        ErrorText err = {""};
        int count = take_batch(w, &moves);
        // After a failure games are taken and dropped, so that nobody waits for room that never
        // comes; workers hear of it at their next game.
        Status status = w->failure;
        pthread_mutex_unlock(&w->mutex);
        if (!status)
            status = write_batch(w, count, &err);
        for (int i = 0; i < count; i++)
            game_record_free(w->batch[i]);
        pthread_mutex_lock(&w->mutex);
        w->settled += count;
        if (status && !w->failure) {
            w->failure = status;
            w->failure_text = err;
            pthread_cond_broadcast(&w->room);
        }
        if (!status) {
            w->stats.games += count;
            w->stats.moves += w->rows.skip_moves ? 0 : moves;
            w->stats.commits++;
        }
        w->stats.cpu_ns = clock_thread_cpu_ns() - cpu_start;
        pthread_cond_broadcast(&w->idle);
    }
    pthread_mutex_unlock(&w->mutex);
    return NULL;
}

static Status report_failure(const StoreWriter *w, ErrorText *err) {
    return w->failure ? error_set(err, w->failure, "%s", w->failure_text.text) : STATUS_OK;
}

static Status writer_take(void *ctx, GameRecord *record, ErrorText *err) {
    StoreWriter *w = ctx;
    pthread_mutex_lock(&w->mutex);
    // A single game with very many moves is let in when the queue is empty, or it would wait for
    // ever.
    while (!w->failure &&
           (w->count == w->queue_games || (w->count && w->moves_waiting >= QUEUE_MOVES)))
        pthread_cond_wait(&w->room, &w->mutex);
    Status status = report_failure(w, err);
    if (!status) {
        if (w->count == 0)
            w->oldest_ns = now_ns();
        w->queue[(w->head + w->count++) % w->queue_games] = record;
        w->moves_waiting += record->move_count;
        w->taken++;
        if (w->count > w->stats.queue_peak)
            w->stats.queue_peak = w->count;
        // Between the first game and a full batch the thread wakes by its timer only.
        if (w->count == 1 || w->count == w->batch_games || w->count == w->queue_games ||
            w->moves_waiting >= QUEUE_MOVES)
            pthread_cond_signal(&w->work);
        record = NULL;
    }
    pthread_mutex_unlock(&w->mutex);
    game_record_free(record);
    return status;
}

// Signals are the main thread's business.
// A thread inherits the mask of its maker: with everything blocked the kernel delivers Ctrl-C to a
// thread that expects it, and no write of SQLite is interrupted.
static int start_thread(StoreWriter *w) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&w->thread, NULL, writer_main, w);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

static void writer_free(StoreWriter *w) {
    game_rows_release(&w->rows);
    free(w->batch);
    free(w->queue);
    free(w);
}

Status store_writer_start(Store *store, const StoreWriterOptions *options, StoreWriter **out,
                          ErrorText *err) {
    // A store that was opened to read has no sitting for the games to belong to.
    CHECK(store->sitting_id > 0);
    StoreWriterOptions o = options ? *options : (StoreWriterOptions){0};
    StoreWriter *w = calloc(1, sizeof *w);
    if (!w)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    w->store = store;
    w->rows.skip_moves = o.skip_moves;
    w->queue_games = o.queue_games > 0 ? o.queue_games : DEFAULT_QUEUE_GAMES;
    w->batch_games = o.batch_games > 0 ? o.batch_games : DEFAULT_BATCH_GAMES;
    w->commit_ms = o.commit_ms > 0 ? o.commit_ms : DEFAULT_COMMIT_MS;
    w->queue = calloc((size_t)w->queue_games, sizeof(GameRecord *));
    w->batch = calloc((size_t)w->batch_games, sizeof(GameRecord *));
    if (!w->queue || !w->batch) {
        writer_free(w);
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    }
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->work, &monotonic);
    pthread_cond_init(&w->room, NULL);
    pthread_cond_init(&w->idle, NULL);
    pthread_condattr_destroy(&monotonic);
    if (start_thread(w)) {
        writer_free(w);
        return error_set(err, STATUS_NO_MEMORY, "the writer thread cannot be started");
    }
    *out = w;
    return STATUS_OK;
}

GameSink store_writer_sink(StoreWriter *writer) { return (GameSink){writer_take, writer}; }

Status store_writer_flush(StoreWriter *w, ErrorText *err) {
    pthread_mutex_lock(&w->mutex);
    // Games that come meanwhile are not waited for: a flush ends even while workers go on.
    int64_t goal = w->taken;
    w->flushing++;
    pthread_cond_signal(&w->work);
    while (w->settled < goal)
        pthread_cond_wait(&w->idle, &w->mutex);
    w->flushing--;
    Status status = report_failure(w, err);
    pthread_mutex_unlock(&w->mutex);
    return status;
}

StoreWriterStats store_writer_stats(StoreWriter *w) {
    pthread_mutex_lock(&w->mutex);
    StoreWriterStats stats = w->stats;
    pthread_mutex_unlock(&w->mutex);
    return stats;
}

// Nobody may hand in games any more: the workers have ended. What the queue still holds is written
// first.
Status store_writer_stop(StoreWriter *w, StoreWriterStats *stats, ErrorText *err) {
    pthread_mutex_lock(&w->mutex);
    w->stop = true;
    pthread_cond_signal(&w->work);
    pthread_mutex_unlock(&w->mutex);
    pthread_join(w->thread, NULL);
    Status status = report_failure(w, err);
    if (stats)
        *stats = w->stats;
    pthread_mutex_destroy(&w->mutex);
    pthread_cond_destroy(&w->work);
    pthread_cond_destroy(&w->room);
    pthread_cond_destroy(&w->idle);
    writer_free(w);
    return status;
}
