// SPDX-License-Identifier: GPL-3.0-or-later
// A conversation with an engine that is being checked: what is said to it, and what is heard,
// counted and judged.
//
// Unlike a seat, which turns whatever goes wrong into the result of a game, a probe wants to know
// what it was, and goes on. It keeps the position that the engine was told, so that answers can be
// judged. Thread of everything here: owner.
#pragma once

#include "engine/base/clock.h"
#include "engine/board/board.h"
#include "engine/proto/gomocup.h"
#include "engine/proto/search_talk.h"
#include "harness/play/engine_check_setup.h"
#include "harness/play/process.h"

enum {
    ENGINE_PROBE_QUOTED = 80,    // bytes of a line that are quoted, with the NUL
    ENGINE_PROBE_WAIT_MS = 1000, // for answers that may never come
    ENGINE_PROBE_GAP_MS =
        20, // between its move and our next command, where that is not the question
};

typedef struct EngineProbe {
    const EngineCheckSetup *setup;          // borrowed
    Process *process;                       // owned; NULL = none
    Board board;                            // the position it has been told, and its answers
    Text out;                               // owned; what the next engine_probe_send sends
    int lines;                              // heard in all, blank ones aside
    int torn;                               // of them, rests of a MESSAGE that holds a line end
    int strange;                            // of them, not UTF-8
    char strange_line[ENGINE_PROBE_QUOTED]; // the first of those
    int64_t elapsed_us;                     // of the last move: from our command to its whole line
    char heard[ENGINE_PROBE_QUOTED];        // the last line that was neither blank nor talk
} EngineProbe;

// Now, and so many milliseconds from now, on the clock of the deadlines of process.h.
int64_t engine_probe_now_ns(void);
int64_t engine_probe_in_ms(int64_t ms); // as above

// Sleeps so long, whatever signals come.
void engine_probe_sleep_ms(int64_t ms);

// Starts a process of the engine, after the last one was stopped. Fails as process_spawn does.
Status engine_probe_spawn(EngineProbe *probe, ErrorText *err) MUST_CHECK;

// Ends the process, with `grace_us` to do so by itself; nothing without one.
void engine_probe_stop(EngineProbe *probe, int64_t grace_us);

// Sends probe->out and clears it. False when it did not get through.
bool engine_probe_send(EngineProbe *probe);

// Appends to probe->out and sends that.
bool engine_probe_send_text(EngineProbe *probe, const char *text);

// Waits for a line that is neither blank nor talk (MESSAGE, DEBUG, INFO and the rests of a torn
// MESSAGE, which are counted). Fails as process_read_line does.
Status engine_probe_hear(EngineProbe *probe, int64_t deadline_ns, GomocupReply *reply,
                         ProcessLine *line) MUST_CHECK;

// Listens for lines that nobody asked for; how many came that were no talk.
int engine_probe_listen(EngineProbe *probe, int64_t ms);

// Waits for OK; lines that are no answer to anything (banners) may come before. STATUS_INVALID when
// something else was answered; else as process_read_line.
Status engine_probe_hear_ok(EngineProbe *probe, int64_t ms) MUST_CHECK;

// A new process with an empty board of that size and rule, ready to play, with the clock of the
// setup. False when it does not get there.
bool engine_probe_begin(EngineProbe *probe, int size, Rule rule);

// Waits for a move, at most `limit_ms`, and places it on probe->board. NULL, or what is wrong with
// the answer, written to `problem`.
const char *engine_probe_hear_move(EngineProbe *probe, int64_t limit_ms, char *problem, size_t cap);

// Places a stone of ours on some free cell and asks for the answer to it, not so soon after the
// last move that the command could be missed. Result as engine_probe_hear_move.
const char *engine_probe_turn(EngineProbe *probe, int64_t limit_ms, char *problem, size_t cap);

// How long a move is waited for where its time is not the question: well over its limit.
int64_t engine_probe_patience_ms(const EngineProbe *probe);
