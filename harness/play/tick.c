// SPDX-License-Identifier: GPL-3.0-or-later
// A timer a thread, made when it is first needed (Linux: it signals this very thread).
#define _GNU_SOURCE // gettid, SIGEV_THREAD_ID
#include "harness/play/tick.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

// `is_running` spares the system call when a thread asks again, which it does for every move.
typedef struct Ticks {
    timer_t timer;
    bool has_timer, is_running;
} Ticks;

// A timer a thread, and a signal to just that thread: an interval timer of the process would
// interrupt whichever thread the kernel likes.
static _Thread_local Ticks ticks;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t at_thread_end; // written once, by `once`
static bool is_ready;               // as is this

// To interrupt is all that the signal is for.
static void ignore(int signal) { (void)signal; }

// Called by the thread library when a thread ends: a timer that outlives its thread would signal a
// number that somebody else may get.
static void delete_timer(void *own) {
    Ticks *of_thread = own;
    if (of_thread->has_timer)
        timer_delete(of_thread->timer);
    of_thread->has_timer = of_thread->is_running = false;
}

static void prepare(void) {
    // SIGRTMIN itself, the first that comes to mind, is left to others.
    struct sigaction action = {.sa_handler = ignore}; // without SA_RESTART
    sigemptyset(&action.sa_mask);
    is_ready = sigaction(SIGRTMIN + 1, &action, NULL) == 0 &&
               pthread_key_create(&at_thread_end, delete_timer) == 0;
}

static bool set_period(int64_t period_ns) {
    struct timespec period = {.tv_nsec = (long)period_ns};
    return timer_settime(ticks.timer, 0, &(struct itimerspec){period, period}, NULL) == 0;
}

bool tick_start(void) {
    if (ticks.is_running)
        return true;
    pthread_once(&once, prepare);
    if (!is_ready)
        return false;
    if (!ticks.has_timer) {
        struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN + 1};
        event.sigev_notify_thread_id = gettid();
        ticks.has_timer = timer_create(CLOCK_MONOTONIC, &event, &ticks.timer) == 0;
        if (ticks.has_timer && pthread_setspecific(at_thread_end, &ticks) != 0)
            delete_timer(&ticks);
    }
    ticks.is_running = ticks.has_timer && set_period(TICK_NS);
    return ticks.is_running;
}

// The timer stays, disarmed: making one costs more than setting it.
void tick_stop(void) {
    if (ticks.is_running)
        set_period(0);
    ticks.is_running = false;
}
