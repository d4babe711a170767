// SPDX-License-Identifier: GPL-3.0-or-later
// The parallel loop.
#include "harness/study/work.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef struct WorkLoop {
    const Work *work;
    atomic_llong next, done; // next piece to take; pieces finished
    atomic_int running;      // threads that have not ended
    atomic_bool stop;        // take no further piece
    pthread_mutex_t lock;    // guards the two below
    Status status;
    ErrorText err;
} WorkLoop;

int work_cores(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > 1024 ? 1024 : (int)cores;
}

static void fail(WorkLoop *loop, Status status, const ErrorText *err) {
    pthread_mutex_lock(&loop->lock);
    if (loop->status == STATUS_OK) {
        loop->status = status;
        loop->err = *err;
    }
    pthread_mutex_unlock(&loop->lock);
    atomic_store(&loop->stop, true);
}

static void *work_thread(void *ctx) {
    WorkLoop *loop = ctx;
    while (!atomic_load(&loop->stop)) {
        // Taken one by one and not dealt out: pieces take very different times.
        int64_t index = atomic_fetch_add(&loop->next, 1);
        if (index >= loop->work->count)
            break;
        ErrorText err = {0};
        Status status = loop->work->piece(loop->work->ctx, index, &err);
        if (status)
            fail(loop, status, &err);
        else
            atomic_fetch_add(&loop->done, 1);
    }
    atomic_fetch_sub(&loop->running, 1);
    return NULL;
}

// Reports until every thread has ended; the pauses grow from 1 ms to 0.2 s.
static void watch(WorkLoop *loop) {
    const Work *work = loop->work;
    long pause_ns = 1000000;
    while (atomic_load(&loop->running) > 0) {
        nanosleep(&(struct timespec){.tv_nsec = pause_ns}, NULL);
        pause_ns = pause_ns < 100000000 ? 2 * pause_ns : 200000000;
        // The callback comes from this thread only, and need not be safe for several.
        if (work->progress &&
            !work->progress(work->progress_ctx, atomic_load(&loop->done), work->count))
            fail(loop, STATUS_STOPPED, &(ErrorText){"interrupted"});
    }
    if (work->progress)
        work->progress(work->progress_ctx, atomic_load(&loop->done), work->count);
}

// Fewer threads than asked for are no failure: the pieces get done.
Status work_run(const Work *work, ErrorText *err) {
    int jobs = work->jobs > work->count ? (int)work->count : work->jobs;
    WorkLoop loop = {.work = work, .lock = PTHREAD_MUTEX_INITIALIZER};
    pthread_t *threads = calloc(jobs > 0 ? (size_t)jobs : 1, sizeof *threads);
    if (!threads)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    int started = 0;
    for (; started < jobs; started++) {
        atomic_fetch_add(&loop.running, 1);
        if (pthread_create(&threads[started], NULL, work_thread, &loop)) {
            atomic_fetch_sub(&loop.running, 1);
            break;
        }
    }
    if (started == 0 && jobs > 0) { // no thread to be had: do it here
        atomic_fetch_add(&loop.running, 1);
        work_thread(&loop);
    }
    watch(&loop);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    pthread_mutex_destroy(&loop.lock);
    if (loop.status)
        error_set(err, loop.status, "%s", loop.err.text);
    return loop.status;
}
