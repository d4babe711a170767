// SPDX-License-Identifier: GPL-3.0-or-later
// A Gomocup engine that answers at once with a move that depends on the position only - and does
// one thing wrong, if told.
//
//   stub_engine [--mode MODE] [--game N] [--move N] [--delay MS] [--once FILE]
//
// The fault happens in the N-th game of this process (default 1, 0 = every game), at its N-th move
// in it (default 2). With
// --once only the first process that gets there does it (it creates FILE). Shares no code with what
// it tests.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { MAX_SIDE = 32, MAX_CELLS = MAX_SIDE * MAX_SIDE };

static const char *mode = "honest", *once;
static int fault_game = 1, fault_move = 2, delay_ms = 300;
static int width, height, game, move_number, stones;
static unsigned char cells[MAX_CELLS]; // 0 empty, 1 own, 2 opponent
static uint64_t max_memory, seed;
static bool in_board, is_honest = true; // nothing but moves: as fast as it can
static uint64_t position;               // sum over the stones: the same whatever order they came in

static bool is_mode(const char *name) { return strcmp(mode, name) == 0; }

static void sleep_ms(int64_t ms) {
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    while (nanosleep(&time, &time) != 0 && errno == EINTR) {
    }
}

static void hang(void) {
    for (;;)
        pause();
}

// Is it the game for the fault? With --once only for the first process that asks.
static bool is_time(int move) {
    if (fault_game != 0 && game != fault_game)
        return false;
    if (move != 0 && move != fault_move)
        return false;
    if (!once)
        return true;
    int fd = open(once, O_CREAT | O_EXCL | O_WRONLY, 0600);
    if (fd < 0)
        return false;
    close(fd);
    once = NULL;
    return true;
}

static bool fault(const char *name, int move) { return is_mode(name) && is_time(move); }

// All of it, in pieces if need be: a stop and a continuation end a write early.
static void put_to(int fd, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(fd, bytes, count);
        if (written < 0) {
            if (errno == EINTR)
                continue;
            exit(1);
        }
        bytes += written;
        count -= (size_t)written;
    }
}

static void put(const char *bytes, size_t count) { put_to(STDOUT_FILENO, bytes, count); }

// One line, with the end of the mode.
static void say(const char *line) {
    char text[600];
    const char *end = is_mode("crlf")     ? "\r\n"
                      : is_mode("cr")     ? "\r"
                      : is_mode("blanks") ? " \t \n\n \n"
                                          : "\n";
    int length = snprintf(text, sizeof text, "%s%s", line, end);
    if (!is_mode("split")) {
        put(text, (size_t)length);
        return;
    }
    for (int i = 0; i < length; i++) { // a byte at a time
        put(text + i, 1);
        sleep_ms(1);
    }
}

static uint64_t mix(uint64_t x) {
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

static void set_stone(int cell, int owner) {
    cells[cell] = (unsigned char)owner;
    stones++;
    position += mix((uint64_t)cell * 2 + (owner == 1));
}

// The move of this position.
static int choose(void) {
    int nth = (int)(mix(position) % (uint64_t)(width * height - stones));
    for (int i = 0;; i++)
        if (!cells[i] && nth-- == 0)
            return i;
}

static void flood(int fd, size_t total, const char *text) {
    char block[65536];
    size_t length = strlen(text), size = sizeof block / length * length;
    for (size_t i = 0; i < size; i++)
        block[i] = text[i % length];
    for (size_t done = 0; total == 0 || done < total; done += size)
        put_to(fd, block, size);
}

// Takes memory for good. Each block points at the one before, so that it is held, not leaked.
static void use_memory(uint64_t bytes) {
    enum { STEP = 1 << 20 };
    static char *held;
    for (uint64_t used = 0; used < bytes; used += STEP) {
        char *block = malloc(STEP);
        if (!block)
            abort();
        memset(block, 1, STEP);
        memcpy(block, &held, sizeof held);
        held = block;
    }
}

static void leave_child(bool escapes) {
    if (fork() != 0)
        return;
    if (escapes && fork() != 0)
        _exit(0);
    if (escapes)
        setsid();
    signal(SIGTERM, SIG_IGN);
    hang();
}

// What goes wrong before a move is said.
static void fail_before_move(void) {
    int n = move_number;
    if (fault("exit-move", n) || is_mode("infos"))
        exit(7);
    if (fault("crash-move", n)) {
        fprintf(stderr, "about to crash at move %d\n", n);
        abort();
    }
    if (fault("hang-move", n))
        hang();
    if (fault("spin-move", n))
        for (volatile int i = 0;; i = i + 1) {
        }
    if (fault("close-output", n)) {
        close(STDOUT_FILENO);
        hang();
    }
    if (fault("close-input", n))
        close(STDIN_FILENO);
    if (fault("self-stop", n))
        raise(SIGSTOP);
    if (fault("late", n))
        sleep_ms(delay_ms);
    if (fault("flood", n))
        flood(STDOUT_FILENO, 0, "x");
    if (fault("flood-lines", n))
        flood(STDOUT_FILENO, 0, "MESSAGE more\n");
    if (fault("stderr", n))
        flood(STDERR_FILENO, 100u << 20, "a complaint\n");
    if (fault("memory", n))
        use_memory(max_memory ? max_memory - (max_memory >> 3) : 64u << 20);
    if (fault("orphan", n) || fault("escaped-orphan", n)) {
        leave_child(is_mode("escaped-orphan"));
        exit(3);
    }
    if (is_mode("random-crash") && mix(seed) % 1000 < 50 &&
        n == (int)(mix(seed + 1) % 5) + 1) // 5 % of the games
        abort();
}

// What is said around the move. True when the move itself has been dealt with.
static bool fail_at_move(int x, int y) {
    char text[600];
    int n = move_number;
    if (fault("off-board", n))
        return say("-4,-4"), true;
    if (fault("occupied", n)) {
        for (int i = 0; i < width * height; i++)
            if (cells[i] == 2) {
                snprintf(text, sizeof text, "%d,%d", i % width, i / width);
                return say(text), true;
            }
    }
    if (fault("text", n))
        return say("I would rather not"), true;
    if (fault("two-moves", n)) {
        snprintf(text, sizeof text, "%d,%d %d,%d", x, y, (x + 1) % width, y);
        return say(text), true;
    }
    if (fault("two-lines", n)) {
        snprintf(text, sizeof text, "%d,%d\n%d,%d", x, y, (x + 1) % width, y);
        return say(text), true;
    }
    if (fault("error-only", n))
        return say("ERROR cannot move"), true;
    return false;
}

static void talk(int x, int y) {
    char text[600];
    if (is_mode("talk"))
        say("MESSAGE depth 4-9 nodes 1234 value -17 speed 5000 pv 7,7 8,8");
    if (is_mode("torn-talk")) // a depth of 10, and of 13, printed as bytes: PentaZen does that
        say("MESSAGE dep \n-\x0c ev 222 nd 87k tm 455 sp 192\nMESSAGE dep \r-\x10 ev -17 nd 1m tm "
            "500\nMESSAGE dep \n-\n ev 12 nd 4321 tm 5");
    if (is_mode("mutter")) // more than a pipe holds, in one game
        flood(STDERR_FILENO, 5000, "thinking aloud\n");
    if (is_mode("carbon"))
        say("MESSAGE eval 12, depth 6, nodes 4321, speed 99");
    if (is_mode("bytes"))
        say("MESSAGE \xbd\xda\xb5\xe3 depth \x80\xff 5");
    if (is_mode("any-case"))
        say("message Hello\ndebug x\ninfo DEPTH 7\nUnKnown what");
    if (is_mode("suggest")) {
        char line[256];
        snprintf(text, sizeof text, "SUGGEST %d,%d", x, y);
        say(text);
        while (fgets(line, sizeof line, stdin) && strncasecmp(line, "PLAY", 4) != 0) {
        }
    }
}

// "x,y\n"; the number of bytes.
static size_t write_move(char *text, int x, int y) {
    size_t length = 0;
    for (int i = 0; i < 2; i++) {
        int number = i ? y : x;
        if (number >= 10)
            text[length++] = (char)('0' + number / 10);
        text[length++] = (char)('0' + number % 10);
        text[length++] = i ? '\n' : ',';
    }
    return length;
}

static void make_move(void) {
    char text[64];
    int cell = choose(), x = cell % width, y = cell / width;
    move_number++;
    if (is_honest) {
        set_stone(cell, 1);
        put(text, write_move(text, x, y));
        return;
    }
    fail_before_move();
    talk(x, y);
    if (fail_at_move(x, y))
        return;
    set_stone(cell, 1);
    snprintf(text, sizeof text, "%d,%d", x, y);
    say(text);
    if (is_mode("deaf")) { // what comes at once is lost, as some engines lose it
        char lost[4096];
        sleep_ms(20);
        while (poll(&(struct pollfd){STDIN_FILENO, POLLIN, 0}, 1, 0) > 0 &&
               read(STDIN_FILENO, lost, sizeof lost) > 0) {
        }
    }
    if (fault("early", move_number)) {
        for (int i = 0; i < width * height; i++)
            if (!cells[i]) {
                snprintf(text, sizeof text, "%d,%d", i % width, i / width);
                say(text);
                break;
            }
        hang(); // it believes to have answered
    }
    if (fault("exit-between", move_number))
        exit(0);
    if (fault("hang-between", move_number))
        hang();
}

static void new_game(int w, int h) {
    width = w;
    height = h;
    memset(cells, 0, sizeof cells);
    stones = move_number = 0;
    position = 0;
    in_board = false;
    game++;
}

static void start(int w, int h) {
    if (w < 1 || h < 1 || w > MAX_SIDE || h > MAX_SIDE) {
        say("ERROR size");
        return;
    }
    new_game(w, h);
    if (fault("exit-start", 0))
        exit(9);
    if (fault("where", 0)) {
        char dir[4096], *mark = getenv("STUB_MARK");
        fprintf(stderr, "in %s, mark %s\n", getcwd(dir, sizeof dir), mark ? mark : "none");
        exit(5);
    }
    if (fault("hang-start", 0))
        hang();
    if (fault("refuse-start", 0)) {
        say("ERROR unsupported size");
        return;
    }
    say(is_mode("ok-text") ? "OK - everything is good" : is_mode("any-case") ? "ok" : "OK");
    if (fault("exit-ready", 0))
        exit(0);
}

static void put_stone(int x, int y, int field) {
    if (x < 0 || y < 0 || x >= width || y >= height || cells[y * width + x]) {
        say("ERROR stone");
        return;
    }
    set_stone(y * width + x, field == 1 ? 1 : 2);
}

static void info(const char *line) {
    if (is_mode("infos")) // tells them to whoever reads its last words
        fprintf(stderr, "%s\n", line);
    unsigned long long number;
    if (sscanf(line, "INFO max_memory %llu", &number) == 1)
        max_memory = number;
    if (sscanf(line, "INFO seed %llu", &number) == 1)
        seed = number;
}

static void obey(const char *line) {
    int a, b, c;
    if (is_honest && strncmp(line, "TURN ", 5) == 0) { // most of what there is
        char *end;
        a = (int)strtol(line + 5, &end, 10);
        b = (int)strtol(end + 1, NULL, 10);
        put_stone(a, b, 2);
        make_move();
    } else if (in_board && sscanf(line, "%d,%d,%d", &a, &b, &c) == 3) {
        put_stone(a, b, c);
    } else if (in_board && strncmp(line, "DONE", 4) == 0) {
        in_board = false;
        make_move();
    } else if (sscanf(line, "START %d", &a) == 1) {
        start(a, a);
    } else if (sscanf(line, "RECTSTART %d,%d", &a, &b) == 2) {
        start(a, b);
    } else if (strncmp(line, "RESTART", 7) == 0) {
        if (is_mode("no-restart"))
            say("UNKNOWN command");
        else
            start(width, height);
    } else if (strncmp(line, "INFO", 4) == 0) {
        info(line);
        if (is_mode("any-case"))
            say("UNKNOWN INFO");
    } else if (strncmp(line, "BEGIN", 5) == 0) {
        make_move();
    } else if (sscanf(line, "TURN %d,%d", &a, &b) == 2) {
        put_stone(a, b, 2);
        make_move();
    } else if (strncmp(line, "BOARD", 5) == 0) {
        in_board = true;
    } else if (strncmp(line, "ABOUT", 5) == 0) {
        say("name=\"stub\", version=\"1\"");
    } else if (strncmp(line, "END", 3) == 0) {
        if (is_mode("ignore-end") || is_mode("ignore-term"))
            hang();
        exit(0);
    } else {
        say("UNKNOWN command");
    }
}

static void read_options(int argc, char **argv) {
    for (int i = 1; i + 1 < argc; i += 2) {
        int number = (int)strtol(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--mode") == 0)
            mode = argv[i + 1];
        else if (strcmp(argv[i], "--once") == 0)
            once = argv[i + 1];
        else if (strcmp(argv[i], "--game") == 0)
            fault_game = number;
        else if (strcmp(argv[i], "--move") == 0)
            fault_move = number;
        else if (strcmp(argv[i], "--delay") == 0)
            delay_ms = number;
    }
}

int main(int argc, char **argv) {
    static char buffer[1 << 16];
    size_t length = 0;
    read_options(argc, argv);
    is_honest = is_mode("honest");
    if (is_mode("exit-now"))
        exit(1);
    if (is_mode("hang-now"))
        hang();
    if (is_mode("ignore-term"))
        signal(SIGTERM, SIG_IGN);
    if (is_mode("banner"))
        say("Welcome to the stub!\n\n7 stones and 9,9 dragons\nMESSAGE \xff\xfe ready");
    // SUGGEST reads its answer through stdio, so that mode reads everything through it.
    while (is_mode("suggest")) {
        char line[256];
        if (!fgets(line, sizeof line, stdin))
            return 0;
        obey(line);
    }
    for (;;) {
        while (is_mode("spin-idle") && poll(&(struct pollfd){STDIN_FILENO, POLLIN, 0}, 1, 0) == 0) {
        }
        ssize_t count = read(STDIN_FILENO, buffer + length, sizeof buffer - 1 - length);
        if (count <= 0)
            break;
        length += (size_t)count;
        buffer[length] = '\0';
        if (is_mode("one-write") && strstr(buffer, "TURN") && !strstr(buffer, "INFO time_left"))
            say("the time and the move came apart");
        size_t from = 0;
        for (char *end; (end = memchr(buffer + from, '\n', length - from)) != NULL;) {
            *end = '\0';
            char *line = buffer + from;
            from = (size_t)(end - buffer) + 1;
            obey(line);
        }
        memmove(buffer, buffer + from, length - from);
        length -= from;
    }
    if (is_mode("ignore-end") || is_mode("ignore-term") || is_mode("close-input"))
        hang();
    return 0;
}
