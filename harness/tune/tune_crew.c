// SPDX-License-Identifier: GPL-3.0-or-later
// Batches, and the threads that take pairs from them.
#include "harness/tune/tune_crew.h"

#include "engine/base/check.h"
#include "harness/tune/pair_table.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Batch {
    TuneTrial *trials;          // owned; room for cap
    TuneResult *results;        // owned
    bool *taken;                // owned
    int count, cap, next, done; // next: all before it are taken
    int64_t first_pair;
} Batch;

struct TuneCrew {
    CrewSetup setup;
    CrewSides sides;
    int64_t seating;      // how often sides were set
    pthread_mutex_t lock; // guards all below
    pthread_cond_t work, ready;
    Batch batch[TUNE_LAG];
    int oldest, given; // ring
    bool stop;
    Status status; // the first failure
    ErrorText err;
    int thread_count;
    pthread_t threads[];
};

typedef struct Hand { // what a thread holds
    Batch *batch;
    int pair;
    int64_t stage_pair;
    int64_t seating;
    CrewSides sides;
    TuneTrial trial;
} Hand;

static Batch *batch_at(TuneCrew *crew, int place) {
    return &crew->batch[(crew->oldest + place) % TUNE_LAG];
}

// --- with the lock held ------------------------------------------------------------------

// Values, not seeds: two trials may round to the same player.
static bool same_trial(const TuneTrial *a, const TuneTrial *b, int knobs) {
    size_t size = (size_t)knobs * sizeof *a->plus;
    return memcmp(a->plus, b->plus, size) == 0 && memcmp(a->minus, b->minus, size) == 0;
}

// A pair whose players the hand has already, else the first of the oldest batch that begins a
// trial nobody plays, else any.
static bool choose(TuneCrew *crew, Hand *hand) {
    int knobs = crew->setup.spec->knob_count;
    Batch *any_batch = NULL;
    int any_pair = 0, best = -1;
    for (int place = 0; place < crew->given && best < 2; place++) {
        Batch *batch = batch_at(crew, place);
        while (batch->next < batch->count && batch->taken[batch->next])
            batch->next++;
        for (int i = batch->next; i < batch->count && best < 2; i++) {
            if (batch->taken[i])
                continue;
            // Scanned to the end for a pair of one's own: a batch has few hundred pairs, a game
            // takes milliseconds.
            bool mine = hand->seating == crew->seating &&
                        same_trial(&batch->trials[i], &hand->trial, knobs);
            bool fresh = i % TUNE_REPEAT == 0;
            int rank = mine ? 2 : fresh ? 1 : 0;
            if (rank > best) {
                best = rank;
                any_batch = batch;
                any_pair = i;
            }
        }
    }
    if (best < 0)
        return false;
    any_batch->taken[any_pair] = true;
    hand->batch = any_batch;
    hand->pair = any_pair;
    hand->stage_pair = any_batch->first_pair + any_pair;
    hand->trial = any_batch->trials[any_pair];
    hand->sides = crew->sides;
    hand->seating = crew->seating;
    return true;
}

// Relaxed: the level is looked at again within milliseconds, and nothing else is read because of
// it.
static bool is_ending(TuneCrew *crew) {
    return crew->stop || crew->status ||
           atomic_load_explicit(&crew->setup.control->level, memory_order_relaxed) > 0;
}

static bool wait_for_pair(TuneCrew *crew, Hand *hand) {
    while (!is_ending(crew)) {
        if (choose(crew, hand))
            return true;
        pthread_cond_wait(&crew->work, &crew->lock);
    }
    return false;
}

static void fail(TuneCrew *crew, Status status, const ErrorText *err) {
    if (!crew->status) {
        crew->status = status;
        crew->err = *err;
    }
    pthread_cond_broadcast(&crew->work);
    pthread_cond_broadcast(&crew->ready);
}

// --- a thread ----------------------------------------------------------------------------

// The lock is held but while a pair is played.
static void *thread_main(void *arg) {
    TuneCrew *crew = arg;
    Hand hand = {.seating = -1};
    PairTable *table = NULL;
    ErrorText err = {""};
    Status status =
        pair_table_new(crew->setup.spec, crew->setup.openings, crew->setup.control, &table, &err);
    pthread_mutex_lock(&crew->lock);
    while (!status && wait_for_pair(crew, &hand)) {
        TuneResult result;
        pthread_mutex_unlock(&crew->lock);
        PairRequest request = {&hand.sides, hand.seating, &hand.trial, hand.stage_pair};
        status = pair_table_play(table, &request, &result, &err);
        pthread_mutex_lock(&crew->lock);
        if (status)
            break;
        hand.batch->results[hand.pair] = result;
        if (++hand.batch->done == hand.batch->count)
            pthread_cond_broadcast(&crew->ready);
    }
    // Dropped games fail too; while the crew is being stopped that is no failure.
    if (status && !crew->stop)
        fail(crew, status, &err);
    pthread_cond_broadcast(&crew->ready);
    pthread_mutex_unlock(&crew->lock);
    pair_table_free(table);
    return NULL;
}

// --- the owner ---------------------------------------------------------------------------

Status tune_crew_start(const CrewSetup *setup, TuneCrew **out, ErrorText *err) {
    TuneCrew *crew = calloc(1, sizeof *crew + (size_t)setup->jobs * sizeof *crew->threads);
    if (!crew)
        return error_set(err, STATUS_NO_MEMORY, "out of memory for %d threads", setup->jobs);
    crew->setup = *setup;
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->work, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    // The wall clock may be set while somebody waits by it.
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&crew->ready, &monotonic);
    pthread_condattr_destroy(&monotonic);
    Status status = STATUS_OK;
    for (int i = 0; i < setup->jobs && !status; i++) {
        if (pthread_create(&crew->threads[i], NULL, thread_main, crew) != 0)
            status =
                error_set(err, STATUS_NO_MEMORY, "no thread for a worker: %s", strerror(errno));
        else
            crew->thread_count++;
    }
    if (status)
        tune_crew_stop(crew);
    else
        *out = crew;
    return status;
}

void tune_crew_seat(TuneCrew *crew, const CrewSides *sides) {
    pthread_mutex_lock(&crew->lock);
    CHECK(crew->given == 0);
    crew->sides = *sides;
    // Threads compare it with what sits at their table.
    crew->seating++;
    pthread_mutex_unlock(&crew->lock);
}

// Each array that grew is kept at once: after a failure all three are still valid, and cap says
// what all have.
static Status reserve(Batch *batch, int count, ErrorText *err) {
    if (count <= batch->cap)
        return STATUS_OK;
    TuneTrial *trials = realloc(batch->trials, (size_t)count * sizeof *trials);
    if (trials)
        batch->trials = trials;
    TuneResult *results = realloc(batch->results, (size_t)count * sizeof *results);
    if (results)
        batch->results = results;
    bool *taken = realloc(batch->taken, (size_t)count * sizeof *taken);
    if (taken)
        batch->taken = taken;
    if (!trials || !results || !taken)
        return error_set(err, STATUS_NO_MEMORY, "out of memory for %d pairs", count);
    batch->cap = count;
    return STATUS_OK;
}

Status tune_crew_give(TuneCrew *crew, const TuneTrial *trials, int count, int64_t first_pair,
                      ErrorText *err) {
    pthread_mutex_lock(&crew->lock);
    CHECK(crew->given < TUNE_LAG);
    Batch *batch = batch_at(crew, crew->given);
    Status status = reserve(batch, count, err);
    if (!status) {
        memcpy(batch->trials, trials, (size_t)count * sizeof *trials);
        memset(batch->taken, 0, (size_t)count * sizeof *batch->taken);
        batch->count = count;
        batch->next = batch->done = 0;
        batch->first_pair = first_pair;
        crew->given++;
        pthread_cond_broadcast(&crew->work);
    }
    pthread_mutex_unlock(&crew->lock);
    return status;
}

// Waits for a sign of life; false when the patience is over. A signal handler cannot wake anybody,
// so the control is looked at several times a second.
static bool wait_ready(TuneCrew *crew, int patience_ms) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)patience_ms * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    return pthread_cond_timedwait(&crew->ready, &crew->lock, &until) != ETIMEDOUT;
}

// Batches are handed back in the order they came, whichever is done first: the tuner folds
// iterations in by number.
Status tune_crew_collect(TuneCrew *crew, int patience_ms, TuneResult *results, bool *is_done,
                         ErrorText *err) {
    enum { LOOK_MS = 50 };
    pthread_mutex_lock(&crew->lock);
    CHECK(crew->given > 0);
    Batch *batch = batch_at(crew, 0);
    int waited_ms = 0;
    while (batch->done < batch->count && !is_ending(crew) &&
           (patience_ms == 0 || waited_ms < patience_ms))
        if (!wait_ready(crew, LOOK_MS))
            waited_ms += LOOK_MS;
    *is_done = batch->done == batch->count;
    Status status = STATUS_OK;
    if (*is_done) {
        memcpy(results, batch->results, (size_t)batch->count * sizeof *results);
        crew->oldest = (crew->oldest + 1) % TUNE_LAG;
        crew->given--;
    } else if (crew->status) {
        status = error_set(err, crew->status, "%s", crew->err.text);
    } else if (is_ending(crew)) {
        status = error_set(err, STATUS_STOPPED, "interrupted");
    }
    if (status)
        pthread_cond_broadcast(&crew->work);
    pthread_mutex_unlock(&crew->lock);
    return status;
}

int64_t tune_crew_ahead(TuneCrew *crew) {
    int64_t done = 0;
    pthread_mutex_lock(&crew->lock);
    for (int i = 0; i < crew->given; i++)
        done += batch_at(crew, i)->done;
    pthread_mutex_unlock(&crew->lock);
    return done;
}

void tune_crew_stop(TuneCrew *crew) {
    if (!crew)
        return;
    pthread_mutex_lock(&crew->lock);
    crew->stop = true;
    // Games in progress end at their next move; their pairs are played again when the tune goes on.
    atomic_store_explicit(&crew->setup.control->drop, true, memory_order_relaxed);
    pthread_cond_broadcast(&crew->work);
    pthread_mutex_unlock(&crew->lock);
    for (int i = 0; i < crew->thread_count; i++)
        pthread_join(crew->threads[i], NULL);
    for (int i = 0; i < TUNE_LAG; i++) {
        free(crew->batch[i].trials);
        free(crew->batch[i].results);
        free(crew->batch[i].taken);
    }
    pthread_mutex_destroy(&crew->lock);
    pthread_cond_destroy(&crew->work);
    pthread_cond_destroy(&crew->ready);
    free(crew);
}
