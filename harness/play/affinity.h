// SPDX-License-Identifier: GPL-3.0-or-later
// Which core a worker and the programs of its games run on.
//
// In a game one process runs at a time, so sharing a core costs nothing, and a pipe between two
// processes answers several times faster there than across cores. Programs inherit the core of the
// worker that starts them. A program that turns out to use more threads than it was declared to is
// given all cores back.
#pragma once

#include "engine/base/status.h"
#include "engine/base/text.h"
#include "harness/record/experiment.h"

#include <sys/types.h>

// Reads "auto", "none", or cores: "0,2,4-7". STATUS_INVALID says what was expected; *out is
// untouched then. Thread: any.
Status affinity_parse(const char *text, AffinitySpec *out, ErrorText *err) MUST_CHECK;

// Appends what affinity_parse reads back. Thread: owner of `out`.
void affinity_write(const AffinitySpec *spec, Text *out);

// Are the cores that are asked for there? STATUS_INVALID when not. Thread: any.
Status affinity_check(const Experiment *experiment, ErrorText *err) MUST_CHECK;

// Binds the calling thread, worker `worker` of a run, as the experiment says. Does nothing where
// that means "anywhere", and where the system refuses: it is a matter of speed only. Thread: any.
void affinity_bind_worker(const Experiment *experiment, int worker);

// Gives `child` all cores of this process, whatever the calling thread is bound to. Thread: any.
void affinity_release(pid_t child);

// Settles where a program runs of which nobody said how many threads it uses, once it has played:
// with one thread it is bound to the core of the calling worker; with more it keeps all cores, and
// the worker gets them back. Thread: any.
void affinity_settle(pid_t child);
