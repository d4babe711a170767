// SPDX-License-Identifier: GPL-3.0-or-later
// Ticks: blocking calls of a thread that cannot last.
//
// A wait with a deadline takes two system calls, one that waits and one that reads. A plain read
// takes one, but knows no deadline; while ticks run a timer interrupts it every TICK_NS, and the
// caller goes on with a wait that does know. Ticks interrupt every blocking call of the thread
// (EINTR), and no other thread's.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { TICK_NS = 10000000 };

// Starts the ticks of this thread; nothing when they run already. False when the system has no
// timer for them. Thread: any (each has its own ticks, which end with it).
bool tick_start(void);

// Ends the ticks of this thread; cheap when there are none. Thread: any.
void tick_stop(void);
