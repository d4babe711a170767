// SPDX-License-Identifier: GPL-3.0-or-later
// Children that a program leaves behind: found by the mark in their environment, killed and reaped.
//
// A child that has left its process group and whose parent has died becomes a child of this
// process, once it has asked to be the reaper of orphans (Linux, prctl PR_SET_CHILD_SUBREAPER). The
// processes that are meant to be there are listed, so that nobody else's child is touched.
#pragma once

#include <sys/types.h>

// Makes this process the reaper of orphans. Thread: any, more than once is fine.
void process_orphans_adopt(void);

// Around the start of a child that is no orphan: end lists it (child < 0: none was started). No
// sweep looks in between, or it would take a child that ends at once for somebody's orphan, and its
// exit status with it. Several may start at the same time. Thread: any, both the same.
void process_orphans_begin_start(void);
void process_orphans_end_start(pid_t child); // see begin

// waitpid(-leader, exit_status, WNOHANG) for a listed leader of a group; when it is the leader that
// is reaped, it is off the list before its number can be another's. Thread: any.
pid_t process_orphans_reap_group(pid_t leader, int *exit_status);

// Takes a child off the list that could not be reaped: a sweep will, once it can be. Thread: any.
void process_orphans_forget(pid_t child);

// Kills and reaps every unexpected child of this process whose environment holds the string `mark`
// ("NAME=value"), and reaps unexpected dead ones that had left our own process group. Thread: any.
void process_orphans_sweep(const char *mark);
