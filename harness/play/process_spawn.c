// SPDX-License-Identifier: GPL-3.0-or-later
// Starting a child process.
#define _GNU_SOURCE // pipe2, environ, addclosefrom, pidfd
#include "engine/base/check.h"
#include "harness/play/process.h"
#include "harness/play/process_guard.h"
#include "harness/play/process_orphans.h"
#include "harness/play/process_state.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { OOM_SCORE = 500 }; // when memory runs out the kernel should take an engine, not the run

// The three pipes of a child that is to be: ours and its ends.
typedef struct Pipes {
    int in[2], out[2], err[2];
} Pipes;

void process_close_fd(int *fd) {
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void close_pipes(Pipes *pipes) {
    int *fds[] = {&pipes->in[0],  &pipes->in[1],  &pipes->out[0],
                  &pipes->out[1], &pipes->err[0], &pipes->err[1]};
    for (size_t i = 0; i < ARRAY_LEN(fds); i++)
        process_close_fd(fds[i]);
}

static Status open_pipes(Pipes *pipes, ErrorText *err) {
    *pipes = (Pipes){{-1, -1}, {-1, -1}, {-1, -1}};
    // Close-on-exec from the first moment: another worker may be starting its engine right now, and
    // an engine that holds the pipe of another one keeps that from seeing its end.
    if (pipe2(pipes->in, O_CLOEXEC) != 0 || pipe2(pipes->out, O_CLOEXEC) != 0 ||
        pipe2(pipes->err, O_CLOEXEC) != 0) {
        int error = errno;
        close_pipes(pipes);
        return error_set(err, STATUS_IO, "cannot make a pipe: %s", strerror(error));
    }
    // Only our ends: the other side shares its own with nobody, and programs expect them to block.
    // That of its output is read when there is something, or in a plain read (process.c).
    fcntl(pipes->in[1], F_SETFL, O_NONBLOCK);
    fcntl(pipes->err[0], F_SETFL, O_NONBLOCK);
    return STATUS_OK;
}

// Does one of `count` strings of `env` set the same name as `entry`?
// Names twice in an environment mean different things to different programs: the entry that is
// replaced is left out.
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
// posix_spawn instead of fork: nothing of ours runs in the child, and starting one costs the same
// however large our tables are.
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
        // dup2 clears close-on-exec: these three are all that the child inherits. What others
        // opened without the flag is closed by closefrom.
        posix_spawn_file_actions_adddup2(&actions, pipes->in[0], STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, pipes->out[1], STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, pipes->err[1], STDERR_FILENO);
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
        // Ignored and blocked signals are inherited: an engine would ignore SIGPIPE as we do, and
        // never notice that nobody reads it. It gets what a shell would give it.
        sigset_t none, all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                                  POSIX_SPAWN_SETSIGDEF);
        // A group of its own, whose number is its process id: Ctrl-C reaches only us, and all that
        // it starts can be stopped together.
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
    // The child changes its directory first, and posix_spawn has one errno for both: look which it
    // was.
    if (dir && (stat(dir, &info) != 0 || !S_ISDIR(info.st_mode)))
        return error_set(err, STATUS_IO, "%s: working directory %s does not exist", path, dir);
    if (!strchr(path, '/')) // looked up before, and not found
        why = "no such program in the folders of PATH";
    else if (stat(path, &info) != 0)
        return error_set(err, STATUS_IO, "%s: cannot be executed: %s", path, why);
    else if (S_ISDIR(info.st_mode))
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

// Known to the watchdog before anything else can fail.
static void adopt_child(Process *process, pid_t pid, Pipes *pipes) {
    process->pid = pid;
    process_guard_add(pid);
    // Linux 5.3; -1 on older kernels, which is allowed for wherever it is used.
    process->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    process->has_cpu_clock = clock_getcpuclockid(pid, &process->cpu_clock) == 0;
    process->in_fd = pipes->in[1];
    process->out_fd = pipes->out[0];
    process->err_fd = pipes->err[0];
    // Ours now: close_pipes would close them with the child's ends.
    pipes->in[1] = pipes->out[0] = pipes->err[0] = -1;
    write_oom_score(pid);
}

Status process_spawn(const ProcessSpec *spec, Process **out, ErrorText *err) {
    // The one thing that all threads share here; marks tell the children of one seat from those of
    // another.
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
    process_orphans_begin_start();
    int error = spawn_child(spec, text_cstr(&path), &pipes, process->mark, &pid);
    process_orphans_end_start(error ? -1 : pid);
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
