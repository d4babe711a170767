// SPDX-License-Identifier: GPL-3.0-or-later
// A watchdog for children: when this process ends in whatever way (SIGKILL included), the process
// groups that it had not taken off the list are killed.
//
// The watchdog is a tiny shell script behind a pipe: it holds no memory of ours, sits in a session
// of its own, so that Ctrl-C does not reach it, and ends when the pipe is closed, which the kernel
// does for every kind of death.
#pragma once

#include <sys/types.h>

// Puts a group on the list; starts the watchdog at the first call. Failing to start it is no error:
// engines that behave end by themselves when their input is closed. Thread: any.
void process_guard_add(pid_t group);

// Takes a group off the list; to be called before its leader is reaped, since numbers are used
// again. Thread: any.
void process_guard_remove(pid_t group);
