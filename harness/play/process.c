// SPDX-License-Identifier: GPL-3.0-or-later
// Starting, talking to and stopping a child process.
#define _GNU_SOURCE // pipe2, ppoll, environ, addclosefrom, pidfd
#include "harness/play/process.h"

#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "engine/proto/line_buffer.h"
#include "harness/play/process_guard.h"
#include "harness/play/process_orphans.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    TAIL_CAP = 2048,           // bytes of standard error that are kept
    CHUNK = 65536,             // of one read of standard error
    STOP_POLL_NS = 50000000,   // how often a waiting call looks at *stop
    KILL_WAIT_NS = 2000000000, // how long a killed group may take to disappear
    OOM_SCORE = 500,           // when memory runs out the kernel should take an engine, not the run
};

struct Process {
    pid_t pid;
    int pidfd;                 // -1 where the kernel has none
    int in_fd, out_fd, err_fd; // the child's standard input, output, error; -1 = closed
    clockid_t cpu_clock;
    bool has_cpu_clock;
    bool is_reaped, has_exited; // exit_status is known
    int exit_status;            // as waitpid gives it
    char mark[48];              // in the environment of the child and its children
    size_t tail_length;         // bytes ever written to the tail
    char tail[TAIL_CAP];        // ring
    LineBuffer lines;
};

static int64_t now_ns(void) { return clock_now_ns(clock_monotonic()); }

// ---- starting

// The three pipes of a child that is to be: ours and its ends.
typedef struct Pipes {
    int in[2], out[2], err[2];
} Pipes;

static void close_fd(int *fd) {
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void close_pipes(Pipes *pipes) {
    int *fds[] = {&pipes->in[0],  &pipes->in[1],  &pipes->out[0],
                  &pipes->out[1], &pipes->err[0], &pipes->err[1]};
    for (size_t i = 0; i < ARRAY_LEN(fds); i++)
        close_fd(fds[i]);
}

static Status open_pipes(Pipes *pipes, ErrorText *err) {
    *pipes = (Pipes){{-1, -1}, {-1, -1}, {-1, -1}};
    if (pipe2(pipes->in, O_CLOEXEC) != 0 || pipe2(pipes->out, O_CLOEXEC) != 0 ||
        pipe2(pipes->err, O_CLOEXEC) != 0) {
        int error = errno;
        close_pipes(pipes);
        return error_set(err, STATUS_IO, "cannot make a pipe: %s", strerror(error));
    }
    // Only our ends: the other side shares its own with nobody, and programs expect them to block.
    fcntl(pipes->in[1], F_SETFL, O_NONBLOCK);
    fcntl(pipes->out[0], F_SETFL, O_NONBLOCK);
    fcntl(pipes->err[0], F_SETFL, O_NONBLOCK);
    return STATUS_OK;
}

// Does one of `count` strings of `env` set the same name as `entry`?
static bool is_overridden(const char *entry, char *const *env, int count) {
    size_t name = strcspn(entry, "=");
    for (int i = 0; i < count; i++)
        if (strncmp(entry, env[i], name + 1) == 0)
            return true;
    return false;
}

// The environment of the child: ours, what the spec adds, the mark. The array is the caller's, the
// strings are borrowed.
static char **make_environment(const ProcessSpec *spec, char *mark) {
    size_t count = 0;
    while (environ && environ[count])
        count++;
    char **list = malloc((count + (size_t)spec->env_count + 2) * sizeof *list);
    if (!list)
        return NULL;
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (!is_overridden(environ[i], spec->env, spec->env_count) &&
            !is_overridden(environ[i], &mark, 1))
            list[used++] = environ[i];
    for (int i = 0; i < spec->env_count; i++)
        list[used++] = spec->env[i];
    list[used++] = mark;
    list[used] = NULL;
    return list;
}

// posix_spawn with everything set; an errno, 0 = started.
static int spawn_child(const ProcessSpec *spec, const char *path, Pipes *pipes, char *mark,
                       pid_t *pid) {
    char **argv = malloc(((size_t)spec->arg_count + 2) * sizeof *argv);
    char **env = make_environment(spec, mark);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    int error = argv && env ? 0 : ENOMEM;
    if (!error) {
        argv[0] = (char *)path;
        for (int i = 0; i < spec->arg_count; i++)
            argv[i + 1] = spec->args[i];
        argv[spec->arg_count + 1] = NULL;
        if (spec->dir)
            error = posix_spawn_file_actions_addchdir_np(&actions, spec->dir);
        posix_spawn_file_actions_adddup2(&actions, pipes->in[0], STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, pipes->out[1], STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, pipes->err[1], STDERR_FILENO);
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
        sigset_t none, all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                                  POSIX_SPAWN_SETSIGDEF);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &all);
    }
    if (!error)
        error = posix_spawn(pid, path, &actions, &attributes, argv, env);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    free(argv);
    free(env);
    return error;
}

// "<path>: cannot be executed: why", where the why of the system can mislead.
static Status exec_failure(const char *path, const char *dir, int error, ErrorText *err) {
    struct stat info;
    const char *why = strerror(error);
    if (dir && (stat(dir, &info) != 0 || !S_ISDIR(info.st_mode)))
        return error_set(err, STATUS_IO, "%s: working directory %s does not exist", path, dir);
    if (stat(path, &info) != 0)
        return error_set(err, STATUS_IO, "%s: cannot be executed: %s", path, why);
    if (S_ISDIR(info.st_mode))
        why = "it is a directory";
    else if (error == EACCES)
        why = "not executable (permission denied)";
    else if (error == ENOENT)
        why = "its interpreter does not exist";
    else if (error == ENOEXEC)
        why = "neither a program nor a script with #!";
    return error_set(err, STATUS_IO, "%s: cannot be executed: %s", path, why);
}

static void write_oom_score(pid_t pid) {
    char path[64], text[16];
    snprintf(path, sizeof path, "/proc/%d/oom_score_adj", (int)pid);
    int length = snprintf(text, sizeof text, "%d", OOM_SCORE);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    ssize_t written = write(fd, text, (size_t)length);
    (void)written; // a wish; without it the kernel chooses by size
    close(fd);
}

static void adopt_child(Process *process, pid_t pid, Pipes *pipes) {
    process->pid = pid;
    process_orphans_expect(pid);
    process_guard_add(pid);
    process->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    process->has_cpu_clock = clock_getcpuclockid(pid, &process->cpu_clock) == 0;
    process->in_fd = pipes->in[1];
    process->out_fd = pipes->out[0];
    process->err_fd = pipes->err[0];
    pipes->in[1] = pipes->out[0] = pipes->err[0] = -1;
    write_oom_score(pid);
}

Status process_spawn(const ProcessSpec *spec, Process **out, ErrorText *err) {
    static atomic_uint next_mark;
    Status status = STATUS_OK;
    Pipes pipes = {{-1, -1}, {-1, -1}, {-1, -1}};
    Text path = {0};
    pid_t pid = -1;
    Process *process = calloc(1, sizeof *process);
    if (!process)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    process->pidfd = process->in_fd = process->out_fd = process->err_fd = -1;
    process_orphans_adopt();
    signal(SIGPIPE, SIG_IGN); // a child that dies while it is written to is an error of that write
    // The child changes its directory before it executes: what is relative is so to ours.
    if (spec->dir && spec->path[0] != '/') {
        char cwd[4096];
        if (getcwd(cwd, sizeof cwd))
            text_printf(&path, "%s/", cwd);
    }
    text_append(&path, spec->path);
    snprintf(process->mark, sizeof process->mark, "GOMOLAB_SEAT=%d.%u", (int)getpid(),
             atomic_fetch_add_explicit(
                 &next_mark, 1, memory_order_relaxed)); // only has to be another number each time
    status =
        path.failed ? error_set(err, STATUS_NO_MEMORY, "out of memory") : open_pipes(&pipes, err);
    if (status)
        goto done;
    int error = spawn_child(spec, text_cstr(&path), &pipes, process->mark, &pid);
    if (error == EAGAIN || error == ENOMEM)
        status = error_set(err, STATUS_IO, "%s: cannot start a process: %s", text_cstr(&path),
                           strerror(error));
    else if (error)
        status = exec_failure(text_cstr(&path), spec->dir, error, err);
    if (status)
        goto done;
    adopt_child(process, pid, &pipes);
    *out = process;
    process = NULL;
done:
    close_pipes(&pipes);
    text_release(&path);
    free(process);
    return status;
}

// ---- talking

static void keep_tail(Process *process, const char *bytes, size_t count) {
    if (count > TAIL_CAP) {
        process->tail_length += count - TAIL_CAP;
        bytes += count - TAIL_CAP;
        count = TAIL_CAP;
    }
    for (size_t i = 0; i < count; i++)
        process->tail[process->tail_length++ % TAIL_CAP] = bytes[i];
}

// Reads standard error once; closes it at its end.
static void read_stderr(Process *process) {
    char chunk[CHUNK];
    ssize_t count = read(process->err_fd, chunk, sizeof chunk);
    if (count > 0)
        keep_tail(process, chunk, (size_t)count);
    else if (count == 0 || (errno != EAGAIN && errno != EINTR))
        close_fd(&process->err_fd);
}

// Reads standard output once into the line buffer; the number of bytes, 0 when there is none now.
// Closes it at its end.
static size_t read_stdout(Process *process) {
    size_t room;
    char *space = line_buffer_space(&process->lines, &room);
    ssize_t count = read(process->out_fd, space, room);
    if (count > 0) {
        line_buffer_commit(&process->lines, (size_t)count);
        return (size_t)count;
    }
    if (count == 0 || (errno != EAGAIN && errno != EINTR))
        close_fd(&process->out_fd);
    return 0;
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
    int ready = ppoll(fds, ARRAY_LEN(fds), wait_ns < 0 ? NULL : &timeout, NULL);
    if (ready <= 0)
        return false;
    if (fds[1].revents)
        read_stderr(process);
    if (fds[3].revents && !fds[0].revents) {
        close_fd(&process->out_fd);
        close_fd(&process->in_fd);
    }
    return fds[0].revents || fds[2].revents;
}

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
        if (written < 0 && errno != EAGAIN && errno != EINTR) {
            close_fd(&process->in_fd);
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
    // On one core the child runs as soon as it is written to, so that its answer is often there
    // already.
    if (process->out_fd >= 0 && process->lines.start == process->lines.end)
        read_stdout(process);
    for (;;) {
        ProcessLine line;
        if (line_buffer_next(&process->lines, &line.text, &line.length)) {
            line.received_ns = now_ns();
            if (deadline_ns > 0 && line.received_ns > deadline_ns)
                return STATUS_TIMEOUT;
            *out = line;
            return STATUS_OK;
        }
        if (is_set(stop))
            return STATUS_STOPPED;
        if (process->out_fd < 0)
            return STATUS_CRASH;
        if (deadline_ns > 0 && now_ns() > deadline_ns)
            return STATUS_TIMEOUT;
        if (wait_for_pipes(process, false, deadline_ns, stop) && process->out_fd >= 0)
            read_stdout(process);
    }
}

bool process_poll_line(Process *process, bool reads, ProcessLine *out) {
    do {
        if (line_buffer_next(&process->lines, &out->text, &out->length)) {
            out->received_ns = now_ns();
            return true;
        }
    } while (reads && process->out_fd >= 0 && read_stdout(process) > 0);
    return false;
}

int64_t process_cpu_ns(const Process *process) {
    struct timespec time;
    if (!process->has_cpu_clock || process->is_reaped ||
        clock_gettime(process->cpu_clock, &time) != 0)
        return -1;
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

pid_t process_pid(const Process *process) { return process->pid; }

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
static void kill_group(Process *process) {
    int64_t deadline_ns = now_ns() + KILL_WAIT_NS;
    kill(-process->pid, SIGKILL);
    process_guard_remove(process->pid);
    process_orphans_forget(process->pid);
    for (;;) {
        int exit_status;
        pid_t reaped = waitpid(-process->pid, &exit_status, WNOHANG);
        if (reaped == process->pid)
            keep_exit(process, exit_status);
        if (reaped > 0)
            continue;
        if ((process->has_exited && kill(-process->pid, 0) != 0) || now_ns() > deadline_ns)
            break;
        struct timespec pause = {0, 100000};
        nanosleep(&pause, NULL);
        kill(-process->pid, SIGKILL);
    }
    process->is_reaped = true;
}

void process_stop(Process *process, int64_t grace_us) {
    if (process->is_reaped)
        return;
    close_fd(&process->in_fd);
    if (grace_us > 0)
        wait_for_end(process, now_ns() + grace_us * 1000);
    kill_group(process);
    process_orphans_sweep(process->mark);
    // What it said last is often why it died.
    for (int i = 0; i < 64 && process->err_fd >= 0; i++) {
        struct pollfd fd = {process->err_fd, POLLIN, 0};
        if (poll(&fd, 1, 0) <= 0)
            break;
        read_stderr(process);
    }
    close_fd(&process->out_fd);
    close_fd(&process->err_fd);
    close_fd(&process->pidfd);
}

void process_write_exit(const Process *process, Text *out) {
    if (!process->has_exited)
        text_append(out, process->is_reaped ? "killed, but not gone" : "running");
    else if (WIFSIGNALED(process->exit_status))
        text_printf(out, "killed by signal %d (%s)", WTERMSIG(process->exit_status),
                    strsignal(WTERMSIG(process->exit_status)));
    else
        text_printf(out, "exit status %d", WEXITSTATUS(process->exit_status));
}

void process_write_stderr_tail(const Process *process, Text *out) {
    size_t count = process->tail_length < TAIL_CAP ? process->tail_length : TAIL_CAP;
    bool is_cut = process->tail_length > TAIL_CAP;
    for (size_t i = process->tail_length - count; i < process->tail_length; i++) {
        char c = process->tail[i % TAIL_CAP];
        if (is_cut) { // begin with a whole line, if there is one
            is_cut = c != '\n' && memchr(process->tail, '\n', TAIL_CAP) != NULL;
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
