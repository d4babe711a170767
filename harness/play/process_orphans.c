// SPDX-License-Identifier: GPL-3.0-or-later
// Finding orphans through /proc.
#define _GNU_SOURCE // memmem, the rwlock that prefers writers
#include "harness/play/process_orphans.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    // Children at once that are listed; those that find the list full are told from orphans by
    // their mark alone.
    MAX_EXPECTED = 4096,
    MAX_ORPHANS = 64,
    MAX_ROUNDS = 16,
    KILLED_REAP_MS = 2000,
    DYING_REAP_MS = 50,
};

// The list is of numbers, searched from the front: as long as there are engines at once, tens.
// Guards the list below.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t expected[MAX_EXPECTED];
static int expected_count;
// Held for reading where a child is there and not yet listed, for writing by those that must not
// see that. Writers first: starts overlap without end in a run that is wide enough.
static pthread_rwlock_t births = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

// Else orphans would become children of init, where we could not find them, let alone reap them.
void process_orphans_adopt(void) { prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L); }

void process_orphans_begin_start(void) { pthread_rwlock_rdlock(&births); }

void process_orphans_end_start(pid_t child) {
    pthread_mutex_lock(&lock);
    if (child >= 0 && expected_count < MAX_EXPECTED)
        expected[expected_count++] = child;
    pthread_mutex_unlock(&lock);
    pthread_rwlock_unlock(&births);
}

pid_t process_orphans_reap_group(pid_t leader, int *exit_status) {
    // While nobody looks or starts a child: a dead one that is not listed would be reaped by a
    // sweep, a number that is free but listed could be that of a new child.
    pthread_rwlock_wrlock(&births);
    pid_t reaped = waitpid(-leader, exit_status, WNOHANG);
    if (reaped == leader)
        process_orphans_forget(leader);
    pthread_rwlock_unlock(&births);
    return reaped;
}

void process_orphans_forget(pid_t child) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < expected_count; i++)
        if (expected[i] == child)
            expected[i--] = expected[--expected_count];
    pthread_mutex_unlock(&lock);
}

static bool is_expected(pid_t child) {
    bool found = false;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < expected_count && !found; i++)
        found = expected[i] == child;
    pthread_mutex_unlock(&lock);
    return found;
}

// Reads a file of /proc into the buffer; the number of bytes, 0 when it cannot be read.
// Files of /proc have no size that stat knows: read until nothing comes.
static size_t read_file(const char *path, char *buffer, size_t cap) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    size_t length = 0;
    ssize_t count;
    while (length < cap && (count = read(fd, buffer + length, cap - length)) > 0)
        length += (size_t)count;
    close(fd);
    return length;
}

// Children of this process that nobody expects.
static int list_unexpected(pid_t *out, int cap) {
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks)
        return 0;
    struct dirent *entry;
    while ((entry = readdir(tasks)) != NULL) {
        char path[300], text[8192];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "/proc/self/task/%s/children", entry->d_name);
        size_t length = read_file(path, text, sizeof text - 1);
        text[length] = '\0';
        char *at = text;
        for (char *end; count < cap; at = end) {
            pid_t child = (pid_t)strtol(at, &end, 10);
            if (end == at)
                break;
            if (!is_expected(child))
                out[count++] = child;
        }
    }
    closedir(tasks);
    return count;
}

typedef enum ChildMark { MARK_OURS, MARK_OTHER, MARK_NONE } ChildMark;

// Does the child's environment hold the mark? A dying child has no environment any more.
static ChildMark read_mark(pid_t child, const char *mark) {
    enum { CAP = 256 * 1024 };
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/environ", (int)child);
    char *text = malloc(CAP);
    if (!text)
        return MARK_OTHER;
    size_t length = read_file(path, text, CAP);
    bool found = memmem(text, length, mark, strlen(mark) + 1) != NULL; // with its NUL
    free(text);
    return found ? MARK_OURS : length > 0 ? MARK_OTHER : MARK_NONE;
}

// Reaps a child that should be dead very soon; gives up after `limit_ms`.
// Polled rather than waited for: SIGKILL does not end a process that the kernel holds (a dead
// network disk), and a run must not hang on that.
static void reap(pid_t child, int limit_ms) {
    enum { STEP_US = 100 };
    for (int waited_us = 0; waited_us <= limit_ms * 1000; waited_us += STEP_US) {
        int status;
        if (waitpid(child, &status, WNOHANG) != 0)
            return;
        struct timespec pause = {0, STEP_US * 1000};
        nanosleep(&pause, NULL);
    }
}

void process_orphans_sweep(const char *mark) {
    // Each round may turn up the children of those that the last one killed.
    for (int round = 0, killed = 1; round < MAX_ROUNDS && killed > 0; round++) {
        pid_t orphan[MAX_ORPHANS];
        pthread_rwlock_wrlock(&births);
        int count = list_unexpected(orphan, MAX_ORPHANS);
        pthread_rwlock_unlock(&births);
        killed = 0;
        for (int i = 0; i < count; i++) {
            ChildMark found = read_mark(orphan[i], mark);
            if (found == MARK_OURS) {
                kill(orphan[i], SIGKILL);
                reap(orphan[i], KILLED_REAP_MS);
                killed++;
                // Without an environment it is a zombie or dying. In our own group it is somebody
                // else's (a child of a library, of a test), whose exit status is not ours to take.
            } else if (found == MARK_NONE && getpgid(orphan[i]) != getpgrp()) {
                reap(orphan[i], DYING_REAP_MS); // of some engine's, and as good as dead
            }
        }
    }
}
