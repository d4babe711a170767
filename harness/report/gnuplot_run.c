// SPDX-License-Identifier: GPL-3.0-or-later
// gnuplot as a child process.
//
// A file and not a pipe is fed to it, since gnuplot goes on after an error on standard input. It
// may end with status 0 and an empty file, so the size counts as well as the status.
#include "harness/report/gnuplot_run.h"

#include "engine/base/clock.h"
#include "engine/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// Its first complaint is what counts.
enum { WORDS_MAX = 400, WAIT_STEP_MS = 20 };

// name='value' in gnuplot's single quotes.
static void append_assignment(Text *out, const char *name, const char *value) {
    text_printf(out, "%s='", name);
    for (const char *c = value; *c; c++)
        text_append_bytes(out, *c == '\'' ? "''" : c, *c == '\'' ? 2 : 1);
    text_append(out, "'; ");
}

// The environment with LC_ALL=C; free() the array only. NULL when memory is out.
// Decimal points and the language of messages follow the locale.
static char **environment_c_locale(void) {
    size_t count = 0, kept = 0;
    while (environ[count])
        count++;
    char **out = calloc(count + 2, sizeof *out);
    if (!out)
        return NULL;
    static char locale[] = "LC_ALL=C";
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], "LC_ALL=", 7) != 0)
            out[kept++] = environ[i];
    out[kept] = locale;
    return out;
}

// Starts the child in a process group of its own; its standard error goes to error_fd. Returns an
// errno.
static int spawn_gnuplot(const char *settings, const char *script, int error_fd, pid_t *pid) {
    static char program[] = "gnuplot", execute[] = "-e";
    char *argv[] = {program, execute, (char *)settings, (char *)script, NULL}; // never written to
    char **env = environment_c_locale();
    if (!env)
        return ENOMEM;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, error_fd, STDERR_FILENO);
    // A mask and an ignored SIGPIPE would be inherited from the run that drew the picture.
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
    // A group of its own: at the deadline whatever gnuplot has started ends with it.
    int rc = posix_spawnp(pid, "gnuplot", &actions, &attributes, argv, env);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    free(env);
    return rc;
}

// Reads what is there into words (the first WORDS_MAX bytes are kept). False at the end of the
// stream.
static bool words_read(int fd, Text *words) {
    char buffer[512];
    ssize_t got = read(fd, buffer, sizeof buffer);
    if (got > 0 && words->length < WORDS_MAX)
        text_append_bytes(words, buffer, (size_t)got);
    return got > 0 || (got < 0 && errno == EINTR);
}

// Waits for the end, reading its words; kills the group at the deadline. Returns false for a
// timeout.
// Reading and waiting by turns: a child that fills the pipe would never end otherwise.
static bool child_wait(pid_t pid, int fd, int timeout_ms, Text *words, int *wait_status) {
    int64_t deadline = clock_now_ns(clock_monotonic()) + (int64_t)timeout_ms * 1000000;
    bool open = true, in_time = true;
    for (;;) {
        if (waitpid(pid, wait_status, WNOHANG) == pid)
            break;
        if (in_time && clock_now_ns(clock_monotonic()) > deadline) {
            in_time = false;
            kill(-pid, SIGKILL);
        }
        struct pollfd poll_fd = {.fd = open ? fd : -1, .events = POLLIN};
        if (poll(&poll_fd, 1, WAIT_STEP_MS) > 0 && open)
            open = words_read(fd, words);
    }
    while (
        open &&
        words->length <
            WORDS_MAX) { // what is left in the pipe; a grandchild may hold it open, so no blocking
        struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
        if (poll(&poll_fd, 1, 0) <= 0 || !words_read(fd, words))
            break;
    }
    return in_time;
}

// Its first line that is not a mere warning (in the C locale it warns of a degree sign),
// NUL-terminated in place.
static const char *words_pick(Text *words) {
    char *line = words->data;
    while (line && *line) {
        char *end = line + strcspn(line, "\n");
        bool is_last = *end == '\0';
        *end = '\0';
        if (line[strspn(line, " ^\t")] && !strstr(line, "warning:"))
            return line;
        line = is_last ? NULL : end + 1;
    }
    return "it said nothing";
}

// Written beside its place and renamed: a picture that failed half way does not replace one that
// was whole.
static Status picture_put(const char *temporary, const GnuplotJob *job, ErrorText *err) {
    struct stat info;
    if (stat(temporary, &info) != 0 || info.st_size == 0)
        return error_set(err, STATUS_IO, "%s: gnuplot wrote nothing", job->target);
    if (rename(temporary, job->target) != 0)
        return error_set(err, STATUS_IO, "%s: %s", job->target, strerror(errno));
    return STATUS_OK;
}

// Runs the child to its end.
static Status run(const char *settings, const GnuplotJob *job, ErrorText *err) {
    int fds[2];
    if (pipe(fds) != 0)
        return error_set(err, STATUS_IO, "gnuplot: %s", strerror(errno));
    fcntl(fds[0], F_SETFD, FD_CLOEXEC);
    fcntl(fds[1], F_SETFD, FD_CLOEXEC);
    Text words = {0};
    pid_t pid = 0;
    int wait_status = 0;
    int rc = spawn_gnuplot(settings, job->script, fds[1], &pid);
    close(fds[1]);
    Status status = STATUS_OK;
    // Missing is told apart from failing: the scripts and data are of use without it.
    if (rc == ENOENT || rc == EACCES)
        status = error_set(err, STATUS_UNSUPPORTED, "gnuplot was not found");
    else if (rc != 0)
        status = error_set(err, rc == ENOMEM ? STATUS_NO_MEMORY : STATUS_IO, "gnuplot: %s",
                           strerror(rc));
    else if (!child_wait(pid, fds[0], job->timeout_ms, &words, &wait_status))
        status = error_set(err, STATUS_TIMEOUT, "%s: gnuplot took more than %d s", job->target,
                           job->timeout_ms / 1000);
    else if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 127)
        status = error_set(err, STATUS_UNSUPPORTED, "gnuplot was not found");
    else if (!WIFEXITED(wait_status) || WEXITSTATUS(wait_status) != 0)
        status =
            error_set(err, STATUS_IO, "%s: gnuplot failed: %s", job->target, words_pick(&words));
    close(fds[0]);
    text_release(&words);
    return status;
}

Status gnuplot_draw(const GnuplotJob *job, ErrorText *err) {
    Text settings = {0}, temporary = {0};
    // The process id keeps two runs that draw into one folder apart.
    text_printf(&temporary, "%s.%ld.tmp", job->target, (long)getpid());
    append_assignment(&settings, "format", job->format);
    append_assignment(&settings, "data", job->data);
    append_assignment(&settings, "target", text_cstr(&temporary));
    Status status = settings.failed || temporary.failed
                        ? error_set(err, STATUS_NO_MEMORY, "out of memory")
                        : run(text_cstr(&settings), job, err);
    if (status == STATUS_OK)
        status = picture_put(text_cstr(&temporary), job, err);
    if (status && !temporary.failed)
        unlink(text_cstr(&temporary));
    text_release(&settings);
    text_release(&temporary);
    return status;
}
