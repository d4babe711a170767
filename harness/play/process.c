// SPDX-License-Identifier: GPL-3.0-or-later
// Talking to and stopping a child process.
#define _GNU_SOURCE // ppoll
#include "harness/play/process.h"

#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "harness/play/process_guard.h"
#include "harness/play/process_orphans.h"
#include "harness/play/process_state.h"
#include "harness/play/tick.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    CHUNK = 65536,                // of one read of standard error
    STOP_POLL_NS = 50000000,      // how often a waiting call looks at *stop
    KILL_WAIT_NS = 2000000000,    // how long a killed group may take to disappear
    PROMPT_NS = 500000,           // an answer that comes within this is prompt
    PROMPT_ROOM_NS = 3 * TICK_NS, // until the deadline, for a wait that knows none
    STDERR_EVERY = 16, // plain reads, after which standard error is looked at: a pipe holds 64 KB
};

static int64_t now_ns(void) { return clock_now_ns(clock_monotonic()); }

// ---- talking

// A ring of the last bytes: tail_length counts all that ever came, so that its remainder is the
// place of the next byte and its size tells whether the beginning is lost.
static void keep_tail(Process *process, const char *bytes, size_t count) {
    if (count > PROCESS_TAIL_CAP) {
        process->tail_length += count - PROCESS_TAIL_CAP;
        bytes += count - PROCESS_TAIL_CAP;
        count = PROCESS_TAIL_CAP;
    }
    for (size_t i = 0; i < count; i++)
        process->tail[process->tail_length++ % PROCESS_TAIL_CAP] = bytes[i];
}

// Reads standard error once, without waiting; closes it at its end. Was there something?
static bool read_stderr(Process *process) {
    char chunk[CHUNK];
    ssize_t count = read(process->err_fd, chunk, sizeof chunk);
    if (count > 0)
        keep_tail(process, chunk, (size_t)count);
    // Closed, so that poll does not report the hang-up of an ended pipe for ever.
    else if (count == 0 || (errno != EAGAIN && errno != EINTR))
        process_close_fd(&process->err_fd);
    return count > 0;
}

// Reads standard output once into the line buffer, waiting for it if there is nothing; the number
// of bytes, 0 when the wait was interrupted. Closes it at its end.
static size_t read_stdout(Process *process) {
    size_t room;
    char *space = line_buffer_space(&process->lines, &room);
    ssize_t count = read(process->out_fd, space, room);
    if (count > 0) {
        line_buffer_commit(&process->lines, (size_t)count);
        return (size_t)count;
    }
    // EINTR is the tick that ends a plain read (tick.h): not an end, but time to look at the
    // deadline.
    if (count == 0 || errno != EINTR)
        process_close_fd(&process->out_fd);
    return 0;
}

// Reads what there is on standard output; the number of bytes, 0 when there is none now.
static size_t read_ready_stdout(Process *process) {
    struct pollfd fd = {process->out_fd, POLLIN, 0};
    return poll(&fd, 1, 0) > 0 ? read_stdout(process) : 0;
}

// Waits in a plain read, one system call: for a child whose last answer was prompt, when the
// deadline is far. Ends with the next tick at the latest, and the child is not called prompt any
// more.
static void read_prompt_stdout(Process *process) {
    // A child that fills its pipe of standard error blocks, and its answer never comes: it must be
    // drained, but not with a system call a move for the many engines that are silent there.
    if (process->prompt_reads++ % (process->is_chatty ? 1 : STDERR_EVERY) == 0 &&
        process->err_fd >= 0)
        process->is_chatty = read_stderr(process);
    process->is_prompt = tick_start() && read_stdout(process) > 0;
}

static bool is_set(const atomic_bool *stop) {
    return stop && atomic_load_explicit(stop, memory_order_relaxed);
}

// Waits until one of the child's pipes has something (its input: room, when `wants_room`), at most
// until the deadline (0 = none) or the next look at *stop. Reads standard error. True when standard
// output or input is ready. When the child has ended its output counts as closed once it is empty,
// even if a child of its own still holds the other end.
static bool wait_for_pipes(Process *process, bool wants_room, int64_t deadline_ns,
                           const atomic_bool *stop) {
    // Descriptors that are closed are -1, which poll skips. The pidfd becomes readable when the
    // child ends: only that tells an end from a silence when a grandchild still holds the pipe.
    struct pollfd fds[] = {{process->out_fd, POLLIN, 0},
                           {process->err_fd, POLLIN, 0},
                           {wants_room ? process->in_fd : -1, POLLOUT, 0},
                           {process->pidfd, POLLIN, 0}};
    int64_t wait_ns = -1;
    if (deadline_ns > 0) {
        wait_ns = deadline_ns - now_ns();
        if (wait_ns < 0)
            wait_ns = 0;
    }
    if (stop && (wait_ns < 0 || wait_ns > STOP_POLL_NS))
        wait_ns = STOP_POLL_NS;
    struct timespec timeout = {wait_ns / 1000000000, wait_ns % 1000000000};
    // Ticks would end this wait early again and again; it has a timeout of its own.
    tick_stop();
    int ready = ppoll(fds, ARRAY_LEN(fds), wait_ns < 0 ? NULL : &timeout, NULL);
    if (ready <= 0)
        return false;
    if (fds[1].revents)
        process->is_chatty = read_stderr(process);
    // Ended, and all that it wrote is read: nothing will ever come. Only then, since its last words
    // may still be in the pipe.
    if (fds[3].revents && !fds[0].revents) {
        process_close_fd(&process->out_fd);
        process_close_fd(&process->in_fd);
    }
    return fds[0].revents || fds[2].revents;
}

// The pipe does not block (open_pipes): a child that reads nothing costs its deadline, not the run.
Status process_send(Process *process, const char *bytes, size_t count, int64_t deadline_ns,
                    const atomic_bool *stop) {
    while (count > 0) {
        if (process->in_fd < 0)
            return STATUS_CRASH;
        ssize_t written = write(process->in_fd, bytes, count);
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
            continue;
        }
        // EPIPE above all: SIGPIPE is ignored (process_spawn).
        if (written < 0 && errno != EAGAIN && errno != EINTR) {
            process_close_fd(&process->in_fd);
            return STATUS_CRASH;
        }
        if (is_set(stop))
            return STATUS_STOPPED;
        if (deadline_ns > 0 && now_ns() > deadline_ns)
            return STATUS_TIMEOUT;
        // A child that writes before it reads would wait for us as we for it: its output is taken
        // meanwhile, and dropped.
        ProcessLine line;
        if (wait_for_pipes(process, true, deadline_ns, stop))
            process_poll_line(process, true, &line);
    }
    return STATUS_OK;
}

Status process_read_line(Process *process, int64_t deadline_ns, const atomic_bool *stop,
                         ProcessLine *out) {
    bool has_waited = false;
    int64_t began_ns = now_ns();
    for (;;) {
        ProcessLine line;
        if (line_buffer_next(&process->lines, &line.text, &line.length)) {
            line.received_ns = now_ns();
            // Of an answer that lay in the buffer nothing can be said.
            if (has_waited)
                process->is_prompt = line.received_ns - began_ns < PROMPT_NS;
            // Late is late, even if it was only we who came late to read: the clock is the same for
            // both players, and the margin is there for that.
            if (deadline_ns > 0 && line.received_ns > deadline_ns)
                return STATUS_TIMEOUT;
            *out = line;
            return STATUS_OK;
        }
        // In this order: a game that is dropped is dropped whatever the child does, and an end
        // counts before a deadline that it cannot keep any more.
        int64_t left_ns = deadline_ns > 0 ? deadline_ns - now_ns() : INT64_MAX;
        if (is_set(stop))
            return STATUS_STOPPED;
        if (process->out_fd < 0)
            return STATUS_CRASH;
        if (left_ns < 0)
            return STATUS_TIMEOUT;
        has_waited = true;
        if (process->is_prompt && left_ns >= PROMPT_ROOM_NS)
            read_prompt_stdout(process);
        else if (wait_for_pipes(process, false, deadline_ns, stop) && process->out_fd >= 0)
            read_stdout(process);
    }
}

// Never waits: poll looks before every read, since the pipe of its output blocks (process_spawn.c).
bool process_poll_line(Process *process, bool reads, ProcessLine *out) {
    do {
        if (line_buffer_next(&process->lines, &out->text, &out->length)) {
            out->received_ns = now_ns();
            return true;
        }
    } while (reads && process->out_fd >= 0 && read_ready_stdout(process) > 0);
    return false;
}

// Once reaped the number may belong to another process, whose clock we would read.
int64_t process_cpu_ns(const Process *process) {
    struct timespec time;
    if (!process->has_cpu_clock || process->is_reaped ||
        clock_gettime(process->cpu_clock, &time) != 0)
        return -1;
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

pid_t process_pid(const Process *process) { return process->pid; }

// The group, as everywhere here: a wrapper script is not the one that computes.
void process_suspend(Process *process) {
    if (!process->is_reaped)
        kill(-process->pid, SIGSTOP);
}

void process_resume(Process *process) {
    if (!process->is_reaped)
        kill(-process->pid, SIGCONT);
}

// ---- stopping

static void keep_exit(Process *process, int exit_status) {
    process->has_exited = true;
    process->exit_status = exit_status;
}

// Has the leader ended? Looks without reaping, so that its number stays ours.
// Until it is reaped the kernel gives its number, and with it that of its group, to nobody else:
// kill_group relies on that.
static bool has_ended(Process *process) {
    siginfo_t info = {.si_pid = 0};
    return waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           info.si_pid != 0;
}

// Waits for the end of the leader, reading away whatever it still says, since a full pipe would
// hold it up.
static void wait_for_end(Process *process, int64_t deadline_ns) {
    while (!has_ended(process)) {
        int64_t left_ns = deadline_ns - now_ns();
        if (left_ns <= 0)
            return;
        // Without a pidfd the end is not reported: look every millisecond.
        if (process->pidfd < 0 && left_ns > 1000000)
            left_ns = 1000000;
        struct timespec timeout = {left_ns / 1000000000, left_ns % 1000000000};
        struct pollfd fds[] = {{process->pidfd, POLLIN, 0},
                               {process->out_fd, POLLIN, 0},
                               {process->err_fd, POLLIN, 0}};
        if (ppoll(fds, ARRAY_LEN(fds), &timeout, NULL) <= 0)
            continue;
        if (fds[1].revents) {
            read_stdout(process);
            line_buffer_clear(&process->lines);
        }
        if (fds[2].revents)
            read_stderr(process);
    }
}

// Kills the group and reaps all of it that is ours: members whose parent has died are, sooner or
// later.
// In this order: killed first, so that nobody forks any more; then off the list of the watchdog,
// while the number is still ours; then reaped. Children whose parent has died come to us one by one
// (process_orphans.h), hence the loop, which kills again what was being forked meanwhile.
static void kill_group(Process *process) {
    int64_t deadline_ns = now_ns() + KILL_WAIT_NS;
    kill(-process->pid, SIGKILL);
    process_guard_remove(process->pid);
    for (;;) {
        int exit_status;
        pid_t reaped = process_orphans_reap_group(process->pid, &exit_status);
        if (reaped == process->pid)
            keep_exit(process, exit_status);
        if (reaped > 0)
            continue;
        // Signal 0 asks whether the group has a member left. A process that the kernel holds does
        // not die in time; it is left behind rather than waited for.
        if ((process->has_exited && kill(-process->pid, 0) != 0) || now_ns() > deadline_ns)
            break;
        struct timespec pause = {0, 100000};
        nanosleep(&pause, NULL);
        kill(-process->pid, SIGKILL);
    }
    if (!process->has_exited)
        process_orphans_forget(process->pid);
    process->is_reaped = true;
}

bool process_await_end(Process *process, int64_t wait_us) {
    wait_for_end(process, now_ns() + wait_us * 1000);
    return has_ended(process);
}

bool process_is_listening(const Process *process) { return process->in_fd >= 0; }

void process_stop(Process *process, int64_t grace_us) {
    if (process->is_reaped)
        return;
    process_close_fd(&process->in_fd);
    bool had_ended = process_await_end(process, grace_us);
    kill_group(process);
    // One that was about to end keeps its own status: only the others died of our signal.
    process->is_cut_short = !had_ended && process->has_exited &&
                            WIFSIGNALED(process->exit_status) &&
                            WTERMSIG(process->exit_status) == SIGKILL;
    process_orphans_sweep(process->mark);
    // What it said last is often why it died.
    // Bounded: a process that left the group may still hold the pipe, and write for ever.
    for (int i = 0; i < 64 && process->err_fd >= 0; i++) {
        struct pollfd fd = {process->err_fd, POLLIN, 0};
        if (poll(&fd, 1, 0) <= 0)
            break;
        read_stderr(process);
    }
    process_close_fd(&process->out_fd);
    process_close_fd(&process->err_fd);
    process_close_fd(&process->pidfd);
}

void process_write_exit(const Process *process, Text *out) {
    if (!process->has_exited)
        text_append(out, process->is_reaped ? "killed, but not gone" : "running");
    else if (process->is_cut_short)
        text_append(out, "had to be killed");
    else if (WIFSIGNALED(process->exit_status))
        text_printf(out, "killed by signal %d (%s)", WTERMSIG(process->exit_status),
                    strsignal(WTERMSIG(process->exit_status)));
    else
        text_printf(out, "exit status %d", WEXITSTATUS(process->exit_status));
}

void process_write_stderr_tail(const Process *process, Text *out) {
    size_t count =
        process->tail_length < PROCESS_TAIL_CAP ? process->tail_length : PROCESS_TAIL_CAP;
    bool is_cut = process->tail_length > PROCESS_TAIL_CAP;
    for (size_t i = process->tail_length - count; i < process->tail_length; i++) {
        char c = process->tail[i % PROCESS_TAIL_CAP];
        if (is_cut) { // begin with a whole line, if there is one
            is_cut = c != '\n' && memchr(process->tail, '\n', PROCESS_TAIL_CAP) != NULL;
            if (is_cut || c == '\n')
                continue;
        }
        bool is_text = (c >= ' ' && c < 127) || c == '\n' || c == '\t';
        text_append_bytes(out, is_text ? &c : "?", 1);
    }
}

void process_free(Process *process) {
    if (!process)
        return;
    process_stop(process, 0);
    free(process);
}

void process_quote(char *out, size_t cap, const char *bytes, size_t length) {
    size_t count = length < cap - 1 ? length : cap - 1;
    for (size_t i = 0; i < count; i++)
        out[i] = bytes[i] >= ' ' && bytes[i] < 127 ? bytes[i] : '?';
    out[count] = '\0';
}
