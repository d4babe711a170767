// SPDX-License-Identifier: GPL-3.0-or-later
// Workers, and the thread that waits for them.
#include "harness/play/pool.h"

#include "engine/base/check.h"
#include "harness/play/affinity.h"
#include "harness/play/game.h"
#include "harness/play/seats.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// How often the caller of pool_run hears of progress; and the unit in which cores fight over
// memory.
enum { PROGRESS_MS = 100, CACHE_LINE = 64 };

// Lives on the stack of pool_run and is shared by all workers. One lock for all of it: a worker
// takes it twice a game, which even games of a millisecond do not feel.
typedef struct Pool {
    const PoolOptions *options;
    int64_t start_ns;
    pthread_mutex_t lock; // guards everything below
    pthread_cond_t ended; // a worker has ended
    Tally *tally;
    int64_t next_slot;
    PastGame past; // the next earlier game
    bool has_past;
    int64_t past_counted, played;
    int running;   // workers
    int *failures; // owned; by player: games lost to a crash or timeout in a row
    Status status; // the first failure
    ErrorText err;
} Pool;

// One thread's own memory: nobody else looks into it between its start and pthread_join.
typedef struct Worker {
    Pool *pool;
    pthread_t thread;
    int index;
    Referee referee;
    Move opening[BOARD_MAX_CELLS];
    Seat *seats[]; // owned; by player, opened when first needed
} Worker;

void pool_control_interrupt(PoolControl *control) {
    // Called by a signal handler: only lock-free atomics, nothing that may block. Relaxed, since
    // nobody reads anything else on the strength of these two.
    if (atomic_fetch_add_explicit(&control->level, 1, memory_order_relaxed) >= 1)
        atomic_store_explicit(&control->drop, true, memory_order_relaxed);
}

// --- with the lock held
// ------------------------------------------------------------------------------

// The first failure decides what the run reports; no game is started after it.
static void pool_fail(Pool *pool, Status status, const ErrorText *err) {
    if (pool->status)
        return;
    pool->status = status;
    pool->err = *err;
}

static Status pool_advance_past(Pool *pool, ErrorText *err) {
    const PastGames *past = &pool->options->past;
    pool->has_past = false;
    return past->next ? past->next(past->ctx, &pool->past, &pool->has_past, err) : STATUS_OK;
}

static Status tally_add_past(Pool *pool, ErrorText *err) {
    pool->past_counted++;
    return tally_add(pool->tally, &(TallyGame){pool->past.slot, pool->past.result, 0}, err);
}

// Counts earlier games up to `slot` (exclusive) that the plan has and nobody played in this
// sitting: the sitting has gone through all slots before next_slot itself.
static Status pool_skip_past(Pool *pool, ErrorText *err) {
    const Plan *plan = pool->options->plan;
    Status status = STATUS_OK;
    while (!status && pool->has_past && pool->past.slot <= pool->next_slot) {
        if (pool->past.slot == pool->next_slot && pool->next_slot < plan->slot_count) {
            status = tally_add_past(pool, err);
            pool->next_slot = plan_next(plan, pool->next_slot + 1);
        }
        if (!status)
            status = pool_advance_past(pool, err);
    }
    return status;
}

// Slots are handed out in the order of the plan, whoever asks: so the games that are stored are
// always a prefix of the plan, but for those in progress.
// Takes the next slot that nobody has played. False: nothing is left or the run is ending.
static bool pool_take(Pool *pool, PlanSlot *out) {
    const Plan *plan = pool->options->plan;
    ErrorText err = {0};
    if (pool->status || tally_is_decided(pool->tally) ||
        atomic_load_explicit(&pool->options->control->level, memory_order_relaxed) > 0)
        return false;
    Status status = pool_skip_past(pool, &err);
    if (status)
        pool_fail(pool, status, &err);
    // Asked again: the earlier games just counted may have decided the test.
    if (status || tally_is_decided(pool->tally) || pool->next_slot >= plan->slot_count)
        return false;
    *out = plan_slot(plan, pool->next_slot);
    pool->next_slot = plan_next(plan, pool->next_slot + 1);
    return true;
}

// After a failure or an interruption earlier games may be left that the score still lacks.
static Status pool_drain_past(Pool *pool, ErrorText *err) {
    const Plan *plan = pool->options->plan;
    Status status = STATUS_OK;
    while (!status && pool->has_past && pool->past.slot < plan->slot_count) {
        int64_t slot = pool->past.slot;
        // Slots before next_slot are counted already, as earlier games or as games of this sitting;
        // those of other shards are not ours.
        if (slot >= pool->next_slot && plan_next(plan, slot) == slot) {
            status = tally_add_past(pool, err);
        }
        if (!status)
            status = pool_advance_past(pool, err);
    }
    return status;
}

static bool is_machine_failure(GameReason reason) {
    return reason == REASON_CRASH || reason == REASON_TIMEOUT;
}

// An engine that fails again and again says more about the machine than about the engine.
static void pool_watch_failures(Pool *pool, const PlanSlot *slot, char result, GameReason reason) {
    const Experiment *experiment = pool->options->plan->experiment;
    int loser = result == 'B' ? slot->white : slot->black;
    int other = loser == slot->white ? slot->black : slot->white;
    // The winner is well, whatever it did before.
    pool->failures[other] = 0;
    pool->failures[loser] = is_machine_failure(reason) ? pool->failures[loser] + 1 : 0;
    if (experiment->stop_after_failures == 0 ||
        pool->failures[loser] < experiment->stop_after_failures)
        return;
    ErrorText err;
    Status status = error_set(
        &err, STATUS_IO,
        "player %s failed %d time%s in a row, the last time in slot %lld (%s): "
        "stopped as stop_after_failures says",
        experiment->players[loser].name, pool->failures[loser], text_plural(pool->failures[loser]),
        (long long)slot->slot, game_reason_name(reason));
    pool_fail(pool, status, &err);
}

// --- a worker
// ----------------------------------------------------------------------------------------

static Status worker_seat(Worker *worker, int player, Seat **out, ErrorText *err) {
    const PoolOptions *options = worker->pool->options;
    // Opened when first needed: in a large field a worker may never meet every player, and each
    // engine may take its table.
    if (!worker->seats[player]) {
        Status status =
            options->open_seat
                ? options->open_seat(options->seat_ctx, player, &worker->seats[player], err)
                : seat_open(options->plan->experiment, player, &worker->seats[player], err);
        if (status)
            return status;
    }
    *out = worker->seats[player];
    return STATUS_OK;
}

static Status worker_play(Worker *worker, const PlanSlot *slot, GameRecord **out, ErrorText *err) {
    const PoolOptions *options = worker->pool->options;
    GameSetup setup = {.experiment = options->plan->experiment,
                       .slot = *slot,
                       .opening = worker->opening,
                       .clock = clock_monotonic(),
                       .stop = &options->control->drop};
    setup.opening_count =
        plan_opening(options->plan, slot, &worker->referee.board, worker->opening);
    Status status = worker_seat(worker, slot->black, &setup.seats[BLACK], err);
    if (!status)
        status = worker_seat(worker, slot->white, &setup.seats[WHITE], err);
    return status ? status : game_play(&setup, &worker->referee, out, err);
}

// Equal for games that went alike; 0 when nobody moved, as when a program did not start: that says
// nothing about how the players play.
static uint64_t moves_key(const GameRecord *record) {
    uint64_t key = 1;
    if (record->move_count <= record->opening_plies)
        return 0;
    // The opening counts, too: both games of a pair share it.
    for (int i = 0; i < record->move_count; i++)
        key = rng_mix(key, (uint64_t)record->moves[i].move);
    // Never 0, which says that nothing is known.
    return key | 1;
}

// Plays one slot and hands the game over; true when the worker should go on.
static bool worker_step(Worker *worker, const PlanSlot *slot) {
    Pool *pool = worker->pool;
    GameRecord *record = NULL;
    ErrorText err = {0};
    TallyGame game = {.slot = slot->slot};
    GameReason reason = REASON_NB;
    Status status = worker_play(worker, slot, &record, &err);
    if (!status) {
        game.result = record->result;
        game.moves_key = moves_key(record);
        reason = record->reason;
        // The record is the sink's from here on, also when it fails.
        status = game_sink_take(&pool->options->sink, record, &err);
        if (status) // nobody can keep the other games either
            atomic_store_explicit(&pool->options->control->drop, true, memory_order_relaxed);
    }
    pthread_mutex_lock(&pool->lock);
    if (!status) {
        status = tally_add(pool->tally, &game, &err);
        pool->played++;
        pool_watch_failures(pool, slot, game.result, reason);
    }
    // A game that was dropped is no failure: its slot is played when the run goes on.
    if (status && status != STATUS_STOPPED)
        pool_fail(pool, status, &err);
    pthread_mutex_unlock(&pool->lock);
    return status == STATUS_OK;
}

static void *worker_main(void *arg) {
    Worker *worker = arg;
    Pool *pool = worker->pool;
    PlanSlot slot;
    bool goes_on = true;
    affinity_bind_worker(pool->options->plan->experiment, worker->index);
    while (goes_on) {
        pthread_mutex_lock(&pool->lock);
        goes_on = pool_take(pool, &slot);
        pthread_mutex_unlock(&pool->lock);
        goes_on = goes_on && worker_step(worker, &slot);
    }
    // Without the lock: a program may take its grace to end, and the others play on.
    for (int i = 0; i < pool->options->plan->experiment->player_count; i++)
        seat_free(worker->seats[i]);
    pthread_mutex_lock(&pool->lock);
    pool->running--;
    // One waits for it, the thread in pool_run.
    pthread_cond_signal(&pool->ended);
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

// A worker of its own cache lines, so that no two threads write to one.
static Status worker_new(Pool *pool, Worker **out, ErrorText *err) {
    const Experiment *experiment = pool->options->plan->experiment;
    size_t size = sizeof(Worker) + (size_t)experiment->player_count * sizeof(Seat *);
    // aligned_alloc wants a multiple of the alignment.
    size = (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    Worker *worker = aligned_alloc(CACHE_LINE, size);
    if (!worker)
        return error_set(err, STATUS_NO_MEMORY, "out of memory for a worker");
    memset(worker, 0, size);
    worker->pool = pool;
    worker->index = pool->running;
    Status status = referee_init(&worker->referee, experiment, err);
    if (!status && pthread_create(&worker->thread, NULL, worker_main, worker) != 0)
        status = error_set(err, STATUS_NO_MEMORY, "no thread for a worker: %s", strerror(errno));
    if (status)
        free(worker);
    else
        *out = worker;
    return status;
}

// --- the run
// -----------------------------------------------------------------------------------------

static void pool_report(Pool *pool, bool is_last) {
    const PoolOptions *options = pool->options;
    if (!options->progress)
        return;
    int64_t unseen = options->past_games - pool->past_counted;
    PoolProgress progress = {
        .tally = pool->tally,
        .total = plan_game_count(options->plan),
        .played = pool->played,
        .known = pool->tally->game_count + (unseen > 0 && !is_last ? unseen : 0),
        .seconds = (double)(clock_now_ns(clock_monotonic()) - pool->start_ns) / 1e9,
        .jobs = pool->running,
        .is_last = is_last,
        .is_interrupted = atomic_load_explicit(&options->control->level, memory_order_relaxed) > 0};
    options->progress(options->progress_ctx, &progress);
}

static void pool_wait(Pool *pool) {
    while (pool->running > 0) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        // On the monotonic clock, as pool_start_locks set up the condition: a clock that is put
        // back must not stop the progress.
        until.tv_nsec += PROGRESS_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&pool->ended, &pool->lock, &until);
        if (pool->running > 0)
            pool_report(pool, false);
    }
}

static void pool_start_locks(Pool *pool) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&pool->ended, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&pool->lock, NULL);
}

// Starts the workers, waits for all of them; with the lock held.
static void pool_work(Pool *pool, Worker **workers, int jobs) {
    ErrorText err = {0};
    Status status = pool_advance_past(pool, &err);
    int started = 0;
    while (!status && started < jobs) {
        status = worker_new(pool, &workers[started], &err);
        started += status == STATUS_OK;
        // Counted before the worker can end: it cannot take the lock, which is held from here to
        // pool_wait.
        pool->running = started;
    }
    if (status)
        pool_fail(pool, status, &err);
    pool_wait(pool);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < started; i++) {
        pthread_join(workers[i]->thread, NULL);
        free(workers[i]);
    }
    pthread_mutex_lock(&pool->lock);
    status = pool_drain_past(pool, &err);
    if (status)
        pool_fail(pool, status, &err);
}

Status pool_run(const PoolOptions *options, Tally *tally, int64_t *played, ErrorText *err) {
    CHECK(options->jobs >= 1);
    const Plan *plan = options->plan;
    Pool pool = {.options = options,
                 .start_ns = clock_now_ns(clock_monotonic()),
                 .tally = tally,
                 .next_slot = plan_next(plan, 0)};
    // No more workers than games.
    int64_t games = plan_game_count(plan);
    int jobs = games < options->jobs ? (int)games : options->jobs;
    pool.failures = calloc((size_t)plan->experiment->player_count, sizeof *pool.failures);
    // One more than there are: calloc may give NULL for none.
    Worker **workers = calloc((size_t)jobs + 1, sizeof(Worker *));
    Status status = pool.failures && workers
                        ? STATUS_OK
                        : error_set(err, STATUS_NO_MEMORY, "out of memory for %d workers", jobs);
    if (!status)
        status = affinity_check(plan->experiment, err);
    // What cannot be executed stops the run before its first game; later on it is a result.
    if (!status && !options->open_seat)
        status = seats_probe(plan->experiment, err);
    if (!status) {
        pool_start_locks(&pool);
        pthread_mutex_lock(&pool.lock);
        pool_work(&pool, workers, jobs);
        pool_report(&pool, true);
        pthread_mutex_unlock(&pool.lock);
        pthread_cond_destroy(&pool.ended);
        pthread_mutex_destroy(&pool.lock);
        status = pool.status;
        if (status)
            *err = pool.err;
        // An interruption that came when everything was played, or decided, has interrupted
        // nothing.
        else if (atomic_load(&options->control->level) > 0 && !tally_is_decided(tally) &&
                 tally->game_count < games)
            status = error_set(err, STATUS_STOPPED, "interrupted");
    }
    *played = pool.played;
    free(pool.failures);
    free(workers);
    return status;
}
