// SPDX-License-Identifier: GPL-3.0-or-later
// What a move through pipes costs at least, and what a command really cost.
//
//   pipe_floor                  round trips of one line between two processes: "same_core_us A",
//                               "two_cores_us B"; and between one and two others in turn, as in
//                               a game: "game_us C", "game_cpu_us D", the CPU time of the one
//   pipe_floor COMMAND ARGS...  runs it and prints "wall_s", "own_cpu_s" (without its children),
//                               "children_cpu_s"
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 5, TRIPS = 20000 };

static double now_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// CPU time of this process so far.
static double own_cpu_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void bind_to(int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    sched_setaffinity(0, sizeof set, &set);
}

// The nth core that this process may use, or the last of them.
static int core_at(const cpu_set_t *all, int nth) {
    int found = -1;
    for (int core = 0; core < CPU_SETSIZE && nth >= 0; core++)
        if (CPU_ISSET(core, all)) {
            found = core;
            nth--;
        }
    return found;
}

typedef struct Trip {
    double wall_us, own_cpu_us; // of the side that asks
} Trip;

static double smaller(double a, double b) { return a < b ? a : b; }

// A process that answers every line, and the pipes to it.
typedef struct Echo {
    pid_t pid;
    int to, from;
} Echo;

static Echo echo_start(int core) {
    int to[2], from[2];
    char line[32];
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
        exit(1);
    pid_t pid = fork();
    if (pid == 0) {
        bind_to(core);
        close(to[1]);
        close(from[0]);
        ssize_t count;
        while ((count = read(to[0], line, sizeof line)) > 0)
            if (write(from[1], line, (size_t)count) != count)
                break;
        _exit(0);
    }
    close(to[0]);
    close(from[1]);
    return (Echo){pid, to[1], from[0]};
}

// A round trip: a line sent to the one, then to the other of `count` processes, and its answer
// read. Two are what a game is: each must be switched to.
static Trip round_trip(int core, int other_core, int count) {
    char line[32] = "TURN 7,7\n";
    Echo echoes[2];
    for (int i = 0; i < count; i++)
        echoes[i] = echo_start(other_core);
    bind_to(core);
    Trip best = {1e9, 1e9};
    for (int round = 0; round < ROUNDS; round++) {
        double start = now_s(), cpu = own_cpu_s();
        for (int i = 0; i < TRIPS; i++) {
            const Echo *echo = &echoes[i % count];
            if (write(echo->to, line, 9) != 9 || read(echo->from, line, sizeof line) != 9)
                exit(1);
        }
        best.wall_us = smaller(best.wall_us, (now_s() - start) * 1e6 / TRIPS);
        best.own_cpu_us = smaller(best.own_cpu_us, (own_cpu_s() - cpu) * 1e6 / TRIPS);
    }
    for (int i = 0; i < count; i++) {
        close(echoes[i].to);
        close(echoes[i].from);
        kill(echoes[i].pid, SIGKILL); // a later one holds the pipe of an earlier one
        waitpid(echoes[i].pid, NULL, 0);
    }
    return best;
}

static int measure_command(char **argv) {
    double start = now_s();
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[0], argv);
        perror(argv[0]);
        _exit(127);
    }
    siginfo_t info;
    waitid(P_PID, (id_t)child, &info,
           WEXITED | WNOWAIT); // it stays a zombie, whose times can be read
    double wall = now_s() - start;
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)child);
    int fd = open(path, O_RDONLY);
    ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (length <= 0)
        return 1;
    text[length] = '\0';
    unsigned long own_user, own_system;
    long user, system;
    char *after_name = strrchr(text, ')'); // fields 14 to 17 of proc(5)
    if (!after_name ||
        sscanf(after_name + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld",
               &own_user, &own_system, &user, &system) != 4)
        return 1;
    double tick = (double)sysconf(_SC_CLK_TCK);
    printf("wall_s %.4f\nown_cpu_s %.4f\nchildren_cpu_s %.4f\n", wall,
           (double)(own_user + own_system) / tick, (double)(user + system) / tick);
    waitpid(child, NULL, 0);
    return info.si_status;
}

int main(int argc, char **argv) {
    if (argc > 1)
        return measure_command(argv + 1);
    cpu_set_t all;
    sched_getaffinity(0, sizeof all, &all);
    int first = core_at(&all, 0);
    Trip same = round_trip(first, first, 1), two = round_trip(first, core_at(&all, 1), 1);
    Trip game = round_trip(first, first, 2);
    printf("same_core_us %.2f\ntwo_cores_us %.2f\ngame_us %.2f\ngame_cpu_us %.2f\n", same.wall_us,
           two.wall_us, game.wall_us, game.own_cpu_us);
    return 0;
}
