// SPDX-License-Identifier: GPL-3.0-or-later
// The watchdog: a list of process groups in another process.
#define _GNU_SOURCE // pipe2, POSIX_SPAWN_SETSID
#include "harness/play/process_guard.h"

#include "harness/play/process_orphans.h"

#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <unistd.h>

// Shell, not our own code in a forked child: after a fork of a program with threads only
// async-signal-safe calls are allowed, and the child would hold copies of all our tables. The loop
// ends when the pipe closes, so that the list is exactly what had not been taken off it.
//
// dash takes no `--` after -KILL; `kill -s KILL -- -N` means a group in every sh.
static char SCRIPT[] = "trap '' INT TERM HUP QUIT\n"
                       "groups=' '\n"
                       "while read -r what group; do\n"
                       "    case $what in\n"
                       "    +) groups=\"$groups$group \" ;;\n"
                       "    -) groups=\"${groups%% $group *} ${groups#* $group }\" ;;\n"
                       "    esac\n"
                       "done\n"
                       "for group in $groups; do kill -s KILL -- -$group; done\n";

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int list_fd = -1; // written once, by `once`

static void start_watchdog(void) {
    int ends[2];
    // Close-on-exec, so that no engine inherits the writing end: the watchdog waits for its last
    // copy to close.
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    // A session of its own: what a terminal sends to our group (Ctrl-C, hang-up) does not reach it,
    // and it must outlive us.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    char *argv[] = {(char *)"gomolab-watchdog", (char *)"-c", SCRIPT, NULL};
    char *environment[] = {NULL};
    pid_t pid;
    process_orphans_begin_start();
    int error = posix_spawn(&pid, "/bin/sh", &actions, &attributes, argv, environment);
    process_orphans_end_start(error ? -1 : pid); // no engine's: nobody should wait for its end
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(ends[0]);
    if (error) {
        close(ends[1]);
        return;
    }
    list_fd = ends[1];
}

// Workers call this at the same time; the watchdog reads whole lines in some order, and a group is
// added before it is removed by the same thread.
static void tell(char what, pid_t group) {
    pthread_once(&once, start_watchdog);
    char line[32];
    int length = snprintf(line, sizeof line, "%c %d\n", what, (int)group);
    // Shorter than PIPE_BUF, so that lines of several threads stay whole. A watchdog that someone
    // has killed is missed, but no reason to stop.
    if (list_fd >= 0 && write(list_fd, line, (size_t)length) != length)
        return;
}

void process_guard_add(pid_t group) { tell('+', group); }

void process_guard_remove(pid_t group) { tell('-', group); }
