// SPDX-License-Identifier: GPL-3.0-or-later
// The interactive replay: plain ANSI sequences, no library.
#include "harness/report/replay_screen.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

// The other screen leaves what was on the terminal before untouched.
#define SCREEN_ENTER "\033[?1049h\033[?25l" // another screen, no cursor
#define SCREEN_LEAVE "\033[?25h\033[?1049l"
#define SCREEN_TOP "\033[H"
#define SCREEN_CLEAR_LINE "\033[K"
#define SCREEN_CLEAR_REST "\033[J"

// The rest of an arrow key comes at once, even over a network; a pause means that Esc itself was
// pressed.
enum { ESCAPE_WAIT_MS = 50 };

typedef enum Key {
    KEY_NONE,
    KEY_NEXT,
    KEY_BACK,
    KEY_NEXT_TEN,
    KEY_BACK_TEN,
    KEY_FIRST,
    KEY_LAST,
    KEY_QUIT
} Key;

// The one kind of variable that a handler may write (C17 7.14.1.1): a flag, looked at between keys.
static volatile sig_atomic_t stop_signal; // written by the handler only

static void on_signal(int number) {
    // A new size only has to end the waiting for a key: the page is drawn anew then.
    if (number != SIGWINCH)
        stop_signal = number;
}

bool replay_screen_is_possible(void) {
    const char *term = getenv("TERM");
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0;
}

int replay_screen_columns(void) {
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// --- keys
// -----------------------------------------------------------------------------------------------------------

// One byte; -1: none came in time, the input ended or a signal did.
static int byte_read(int timeout_ms) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    unsigned char byte;
    if (poll(&input, 1, timeout_ms) <= 0)
        return -1;
    return read(STDIN_FILENO, &byte, 1) == 1 ? byte : -2;
}

// What follows an escape: `[C`, `OC`, `[5~`, `[1;5C`.
static Key escape_read(void) {
    int byte = byte_read(ESCAPE_WAIT_MS);
    if (byte < 0)
        return KEY_QUIT; // the key Esc itself
    if (byte != '[' && byte != 'O')
        return KEY_NONE;
    // With Ctrl held there are two numbers, "1;5C"; the letter tells such keys, so it does no harm
    // that the digits run together.
    int number = 0;
    for (byte = byte_read(ESCAPE_WAIT_MS); byte >= '0' && byte <= ';';
         byte = byte_read(ESCAPE_WAIT_MS))
        number = byte == ';' ? number : (number * 10 + byte - '0') % 100;
    switch (byte) {
    case 'C':
        return KEY_NEXT;
    case 'D':
        return KEY_BACK;
    case 'A':
        return KEY_BACK_TEN;
    case 'B':
        return KEY_NEXT_TEN;
    case 'H':
        return KEY_FIRST;
    case 'F':
        return KEY_LAST;
    case '~':
        return number == 1 || number == 7   ? KEY_FIRST
               : number == 4 || number == 8 ? KEY_LAST
               : number == 5                ? KEY_BACK_TEN
               : number == 6                ? KEY_NEXT_TEN
                                            : KEY_NONE;
    default:
        return KEY_NONE;
    }
}

// Arrows, the letters of vi and those of pagers: whichever hand the reader has.
static Key key_read(void) {
    int byte = byte_read(-1);
    switch (byte) {
    case -2:
        return KEY_QUIT; // the input has ended
    case 27:
        return escape_read();
    case 'n':
    case 'l':
    case ' ':
    case '\r':
    case '\n':
        return KEY_NEXT;
    case 'p':
    case 'h':
    case 8:
    case 127:
        return KEY_BACK;
    case 'j':
        return KEY_NEXT_TEN;
    case 'k':
        return KEY_BACK_TEN;
    case 'g':
    case '0':
        return KEY_FIRST;
    case 'G':
    case '$':
        return KEY_LAST;
    case 'q':
    case 3:
    case 4:
        return KEY_QUIT; // Ctrl-C and Ctrl-D come as bytes
    default:
        return KEY_NONE;
    }
}

// --- the screen
// -----------------------------------------------------------------------------------------------------

// All of it, also when a signal cuts a write short.
static bool text_put(const char *text, size_t length) {
    while (length > 0) {
        ssize_t wrote = write(STDOUT_FILENO, text, length);
        if (wrote < 0 && errno != EINTR)
            return false;
        text += wrote > 0 ? wrote : 0;
        length -= wrote > 0 ? (size_t)wrote : 0;
    }
    return true;
}

// Draws over what is there line by line, so that nothing flickers.
static bool page_draw(ReplayView *view, int ply) {
    Text page = {0}, screen = {0};
    view->columns = replay_screen_columns();
    replay_view_page(view, ply, &page);
    text_append(&page, "\n← → one ply   ↑ ↓ ten   g G first, last   q quit");
    text_append(&screen, SCREEN_TOP);
    for (const char *c = text_cstr(&page); *c; c++)
        if (*c == '\n')
            // The terminal is raw: a line feed alone would not go back to the left edge.
            text_append(&screen, SCREEN_CLEAR_LINE "\r\n");
        else
            text_append_bytes(&screen, c, 1);
    text_append(&screen, SCREEN_CLEAR_LINE SCREEN_CLEAR_REST);
    bool drawn = !screen.failed && !page.failed && text_put(text_cstr(&screen), screen.length);
    text_release(&page);
    text_release(&screen);
    return drawn;
}

static int ply_after(Key key, int ply, int last) {
    int wanted = key == KEY_NEXT       ? ply + 1
                 : key == KEY_BACK     ? ply - 1
                 : key == KEY_NEXT_TEN ? ply + 10
                 : key == KEY_BACK_TEN ? ply - 10
                 : key == KEY_FIRST    ? 0
                 : key == KEY_LAST     ? last
                                       : ply;
    return wanted < 0 ? 0 : wanted > last ? last : wanted;
}

static void signals_set(struct sigaction *old) {
    static const int SIGNALS[] = {SIGTERM, SIGHUP, SIGINT, SIGWINCH};
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < 4; i++)
        sigaction(SIGNALS[i], &action, &old[i]);
}

static void signals_restore(const struct sigaction *old) {
    static const int SIGNALS[] = {SIGTERM, SIGHUP, SIGINT, SIGWINCH};
    for (int i = 0; i < 4; i++)
        sigaction(SIGNALS[i], &old[i], NULL);
}

Status replay_screen_run(ReplayView *view, int ply, ErrorText *err) {
    struct termios before, raw;
    if (tcgetattr(STDIN_FILENO, &before) != 0)
        return error_set(err, STATUS_IO, "the terminal: %s", strerror(errno));
    raw = before;
    raw.c_lflag &= (tcflag_t) ~(ICANON | ECHO | ISIG | IEXTEN);
    raw.c_iflag &= (tcflag_t) ~(IXON | ICRNL);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    struct sigaction old[4];
    stop_signal = 0;
    signals_set(old);
    bool drawn =
        tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0 && text_put(SCREEN_ENTER, strlen(SCREEN_ENTER));
    for (Key key = KEY_NONE; drawn && key != KEY_QUIT && !stop_signal; key = key_read()) {
        ply = ply_after(key, ply, view->game->move_count);
        drawn = page_draw(view, ply);
        if (stop_signal)
            break;
    }
    text_put(SCREEN_LEAVE, strlen(SCREEN_LEAVE));
    tcsetattr(STDIN_FILENO, TCSANOW, &before);
    signals_restore(old);
    if (stop_signal)
        return error_set(err, STATUS_STOPPED, "stopped");
    return drawn ? STATUS_OK : error_set(err, STATUS_IO, "the terminal: %s", strerror(errno));
}
