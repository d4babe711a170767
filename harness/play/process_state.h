// SPDX-License-Identifier: GPL-3.0-or-later
// What a child process consists of: shared by the two halves that start it (process_spawn.c) and
// that talk to it and stop it (process.c), and by nobody else.
#pragma once

#include "engine/proto/line_buffer.h"

#include <time.h>

enum { PROCESS_TAIL_CAP = 2048 }; // bytes of standard error that are kept

// Times are nanoseconds. is_prompt, is_chatty and prompt_reads decide how the
// next answer is waited for (process.c).
struct Process {
    pid_t pid;
    int pidfd;                 // -1 where the kernel has none
    int in_fd, out_fd, err_fd; // the child's standard input, output, error; -1 = closed
    clockid_t cpu_clock;
    bool has_cpu_clock;
    bool is_reaped, has_exited;  // exit_status is known
    int exit_status;             // as waitpid gives it
    char mark[48];               // in the environment of the child and its children
    size_t tail_length;          // bytes ever written to the tail
    char tail[PROCESS_TAIL_CAP]; // ring
    LineBuffer lines;
    bool is_prompt;        // its last answer came at once: the next is waited for in a plain read
    bool is_chatty;        // something was on its standard error when it was looked at last
    unsigned prompt_reads; // plain reads so far
    bool is_cut_short;     // it was killed, it had not ended by itself
};

// Closes a descriptor, if it is open, and sets it to -1. Thread: owner.
void process_close_fd(int *fd);
