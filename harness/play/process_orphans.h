// SPDX-License-Identifier: GPL-3.0-or-later
// Children that a program leaves behind: found by the mark in their environment, killed and reaped.
//
// A child that has left its process group and whose parent has died becomes a child of this
// process, once it has asked to be the reaper of orphans (Linux, prctl PR_SET_CHILD_SUBREAPER). The
// processes that are meant to be there are listed by process_orphans_expect, so that nobody else's
// child is touched.
#pragma once

#include <sys/types.h>

// Makes this process the reaper of orphans. Thread: any, more than once is fine.
void process_orphans_adopt(void);

// Lists a child that is no orphan (expect), or forgets it, before it is reaped (forget). Thread:
// any.
void process_orphans_expect(pid_t child);
void process_orphans_forget(pid_t child); // the inverse of process_orphans_expect

// Kills and reaps every unexpected child of this process whose environment holds the string `mark`
// ("NAME=value"), and reaps unexpected dead ones that had left our own process group. Thread: any.
void process_orphans_sweep(const char *mark);
