// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl-C, SIGTERM and a closed terminal: the first ends a run in order, the second drops the games
// in progress.
#pragma once

#include "harness/play/pool.h"

// From now on the signals raise the control's level. One control at a time for the whole process,
// since signals have one handler. Thread: main, before any other is started.
void interrupt_catch(PoolControl *control);

// The signals have their default effect again. Thread: main.
void interrupt_release(void);
