// SPDX-License-Identifier: GPL-3.0-or-later
// Binding threads to cores (Linux).
#define _GNU_SOURCE // cpu_set_t, sched_getcpu
#include "harness/play/affinity.h"

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- text

Status affinity_parse(const char *text, AffinitySpec *out, ErrorText *err) {
    AffinitySpec spec = {.mode = AFFINITY_CORES};
    if (strcmp(text, "auto") == 0 || strcmp(text, "none") == 0) {
        spec.mode = text[0] == 'a' ? AFFINITY_AUTO : AFFINITY_NONE;
        *out = spec;
        return STATUS_OK;
    }
    // strtol would take blanks and signs as well; so a digit is asked for first.
    for (const char *at = text; *at;) {
        char *end;
        long first = strtol(at, &end, 10), last = first;
        bool is_number = end != at && *at >= '0' && *at <= '9';
        if (is_number && *end == '-') {
            at = end + 1;
            last = strtol(at, &end, 10);
            is_number = end != at && *at >= '0' && *at <= '9';
        }
        // The last test refuses a comma with nothing behind it, "0,".
        if (!is_number || last < first || last >= CPU_SETSIZE || (*end && *end != ',') ||
            (*end && !end[1]))
            return error_set(err, STATUS_INVALID,
                             "'%.60s', expected auto, none or cores such as 0,2,4-7", text);
        for (long core = first; core <= last; core++) {
            if (spec.core_count == AFFINITY_MAX_CORES)
                return error_set(err, STATUS_INVALID, "more than %d cores", AFFINITY_MAX_CORES);
            spec.cores[spec.core_count++] = (int)core;
        }
        at = *end ? end + 1 : end;
    }
    if (spec.core_count == 0)
        return error_set(err, STATUS_INVALID, "'', expected auto, none or cores such as 0,2,4-7");
    *out = spec;
    return STATUS_OK;
}

void affinity_write(const AffinitySpec *spec, Text *out) {
    if (spec->mode != AFFINITY_CORES)
        text_append(out, spec->mode == AFFINITY_AUTO ? "auto" : "none");
    for (int i = 0; spec->mode == AFFINITY_CORES && i < spec->core_count; i++)
        text_printf(out, "%s%d", i ? "," : "", spec->cores[i]);
}

// ---- cores

// The cores that this process had when it was asked first, before any worker was bound.
static pthread_once_t once = PTHREAD_ONCE_INIT;
static cpu_set_t process_cores;
static int first_core; // index among them where the process ran: two runs on one machine seldom
                       // begin at the same one

// Run once a process, by pthread_once: afterwards both values are read-only and need no lock. Asked
// later they would be those of a worker that is bound already.
static void read_cores(void) {
    if (sched_getaffinity(0, sizeof process_cores, &process_cores) != 0)
        CPU_ZERO(&process_cores);
    int here = sched_getcpu();
    for (int core = 0; core < here && core < CPU_SETSIZE; core++)
        first_core += CPU_ISSET(core, &process_cores) ? 1 : 0;
}

Status affinity_check(const Experiment *experiment, ErrorText *err) {
    const AffinitySpec *spec = &experiment->affinity;
    pthread_once(&once, read_cores);
    for (int i = 0; spec->mode == AFFINITY_CORES && i < spec->core_count; i++)
        if (!CPU_ISSET(spec->cores[i], &process_cores))
            return error_set(err, STATUS_INVALID,
                             "affinity: core %d is not available to this process", spec->cores[i]);
    return STATUS_OK;
}

// With auto: are there programs, and is each content with one core?
static bool wants_one_core(const Experiment *experiment) {
    // Without programs there is nothing to gain: our own engine talks to nobody, and the scheduler
    // knows better than we do which core is idle.
    bool has_programs = false;
    for (int i = 0; i < experiment->player_count; i++) {
        const ExternalSpec *external = &experiment->players[i].external;
        has_programs |= external->command != NULL;
        if (external->command && external->threads > 1)
            return false;
    }
    return has_programs;
}

void affinity_bind_worker(const Experiment *experiment, int worker) {
    const AffinitySpec *spec = &experiment->affinity;
    pthread_once(&once, read_cores);
    int core = -1, count = CPU_COUNT(&process_cores);
    if (spec->mode == AFFINITY_CORES) {
        core = spec->cores[worker % spec->core_count];
    } else if (spec->mode == AFFINITY_AUTO && count > 0 && wants_one_core(experiment)) {
        // The cores of a container or of taskset need not begin at 0 nor follow each other: count
        // those that are in the set.
        int index = (first_core + worker) % count;
        for (core = 0; core < CPU_SETSIZE; core++)
            if (CPU_ISSET(core, &process_cores) && index-- == 0)
                break;
    }
    if (core < 0 || core >= CPU_SETSIZE)
        return;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

// The threads of a process, at most `cap`.
// A thread may end between the listing and its use: callers ignore that a call for one of them
// fails.
static int list_threads(pid_t process, pid_t *out, int cap) {
    char path[64];
    int count = 0;
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *tasks = opendir(path);
    if (!tasks)
        return 0;
    struct dirent *entry;
    while ((entry = readdir(tasks)) != NULL && count < cap)
        if (entry->d_name[0] != '.')
            out[count++] = (pid_t)strtol(entry->d_name, NULL, 10);
    closedir(tasks);
    return count;
}

// The mask is a property of each thread and is inherited when one is made, so that threads which
// the program has started already have to be released one by one.
void affinity_release(pid_t child) {
    pid_t threads[AFFINITY_MAX_CORES];
    int count = list_threads(child, threads, AFFINITY_MAX_CORES);
    pthread_once(&once, read_cores);
    for (int i = 0; i < count; i++)
        sched_setaffinity(threads[i], sizeof process_cores, &process_cores);
}

void affinity_settle(pid_t child) {
    // Two are enough to tell one thread from several.
    pid_t threads[2];
    cpu_set_t own;
    int count = list_threads(child, threads, 2);
    pthread_once(&once, read_cores);
    if (count > 1)
        pthread_setaffinity_np(pthread_self(), sizeof process_cores, &process_cores);
    else if (count == 1 && sched_getaffinity(0, sizeof own, &own) == 0)
        sched_setaffinity(child, sizeof own, &own);
}
