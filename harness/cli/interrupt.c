// SPDX-License-Identifier: GPL-3.0-or-later
// Signal handlers that do nothing but count.
#include "harness/cli/interrupt.h"

#include "engine/base/check.h"

#include <signal.h>
#include <stddef.h>

static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP};

// A handler gets no context; set before the handlers are.
static PoolControl *caught;

static void on_signal(int number) {
    (void)number;
    pool_control_interrupt(caught);
}

void interrupt_catch(PoolControl *control) {
    caught = control;
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < ARRAY_LEN(SIGNALS); i++) {
        struct sigaction before;
        // nohup: a hangup that is ignored stays ignored
        if (sigaction(SIGNALS[i], NULL, &before) == 0 && SIGNALS[i] == SIGHUP &&
            before.sa_handler == SIG_IGN)
            continue;
        sigaction(SIGNALS[i], &action, NULL);
    }
}

void interrupt_release(void) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < ARRAY_LEN(SIGNALS); i++) {
        struct sigaction now;
        if (sigaction(SIGNALS[i], NULL, &now) == 0 && now.sa_handler == on_signal)
            sigaction(SIGNALS[i], &action, NULL);
    }
}
