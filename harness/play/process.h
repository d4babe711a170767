// SPDX-License-Identifier: GPL-3.0-or-later
// A child process behind three pipes, that cannot hurt whoever holds it, whatever it does.
//
// Started without a shell, in a process group of its own, with no descriptor but its three.
// Everything that waits has a deadline; writing to a dead child is a Status, never a signal;
// standard error is always drained and its tail kept; output without newlines costs no memory.
// Stopping kills the whole group, reaps it, and also finds children that left the group (this
// process is made the reaper of orphans, and a child carries a mark in its environment). Should
// this process itself be killed, a watchdog kills the groups that are left (process_guard.h).
//
// Times are nanoseconds on the monotonic clock of engine/base/clock.h. Thread: owner, but for what
// says otherwise; several processes may be used by several threads.
#pragma once

#include "engine/base/status.h"
#include "engine/base/text.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct Process Process; // opaque; about 25 KB

// What to execute; borrowed for the call of process_spawn only.
typedef struct ProcessSpec {
    const char *path;  // of the program, executed as it is; relative to the working directory of
                       // this process
    char *const *args; // without the program itself
    int arg_count;
    const char *dir;  // working directory of the child; NULL = that of this process
    char *const *env; // "NAME=value", added to the environment of this process
    int env_count;
} ProcessSpec;

typedef struct ProcessLine {
    const char
        *text; // NUL-terminated, without its end; valid until the next call; may hold any bytes
    size_t length;
    int64_t received_ns; // when its last byte was read
} ProcessLine;

// Copies a line, or a part of one, for a message: cut to `cap` bytes with the NUL, what is no
// printable ASCII as '?'. Thread: any.
void process_quote(char *out, size_t cap, const char *bytes, size_t length);

// Starts the program. STATUS_IO with the path and the reason when it cannot be executed, or when
// the system refuses pipes or processes; STATUS_NO_MEMORY. The process is the caller's, freed by
// process_free.
Status process_spawn(const ProcessSpec *spec, Process **out, ErrorText *err) MUST_CHECK;

// Writes all bytes to its standard input. STATUS_TIMEOUT when it has not taken them at
// `deadline_ns` (0 = none), STATUS_CRASH when it has closed its input, STATUS_STOPPED when *stop
// (may be NULL) is set meanwhile.
Status process_send(Process *process, const char *bytes, size_t count, int64_t deadline_ns,
                    const atomic_bool *stop) MUST_CHECK;

// Waits for the next whole line of its standard output. STATUS_TIMEOUT at the deadline (0 = none),
// also for a line that is read after it; STATUS_CRASH when the output is closed and nothing is
// left; STATUS_STOPPED when *stop (may be NULL) is set.
Status process_read_line(Process *process, int64_t deadline_ns, const atomic_bool *stop,
                         ProcessLine *out) MUST_CHECK;

// The next line that has arrived, without waiting; false when there is none. Without `reads` only
// lines that earlier reads brought along.
bool process_poll_line(Process *process, bool reads, ProcessLine *out);

// CPU time that the process (all its threads, not its children) has used; -1 when it is gone.
int64_t process_cpu_ns(const Process *process);

// Its process id, for those who look at it; not to be waited for. Thread: any.
pid_t process_pid(const Process *process);

// Stops (SIGSTOP) and continues (SIGCONT) the whole group.
void process_suspend(Process *process);
void process_resume(Process *process); // the inverse of process_suspend

// Waits at most `wait_us` for it to end by itself; true when it has. Its output is dropped
// meanwhile.
bool process_await_end(Process *process, int64_t wait_us);

// Does it still take input, as far as is known? False once it has closed its end, or has ended.
bool process_is_listening(const Process *process);

// Closes its input and waits until it has ended by itself, at most `grace_us` (0: not at all); then
// kills what is left of the group and of its other children, and reaps them. Afterwards only the
// functions below are of use. Calling it again does nothing.
void process_stop(Process *process, int64_t grace_us);

// Appends "exit status 3", "killed by signal 11 (Segmentation fault)", "had to be killed" when it
// has not ended by itself, or "running" before process_stop.
void process_write_exit(const Process *process, Text *out);

// Appends the last lines of its standard error (at most 2 KB, bytes that are no text as '?');
// nothing when it was silent.
void process_write_stderr_tail(const Process *process, Text *out);

// Stops it without grace if it still runs, and frees; NULL is fine.
void process_free(Process *process);
