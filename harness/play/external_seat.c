// SPDX-License-Identifier: GPL-3.0-or-later
// The manager's side of the protocol, for one program.
#include "harness/play/external_seat.h"

#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "engine/base/knob.h"
#include "engine/board/board.h"
#include "engine/board/notation.h"
#include "engine/proto/gomocup.h"
#include "engine/proto/search_talk.h"
#include "harness/play/affinity.h"
#include "harness/play/process.h"
#include "harness/record/game_record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    WIN_LENGTH = 5,
    KEPT_LINE = 200,               // bytes of a line that are quoted
    MAX_DROPPED = 10000,           // lines that are read away at a time
    NO_MATCH_LIMIT_MS = 100000000, // as INFO: every engine that was tried takes it for "no limit",
                                   // which 0 is not for all
    REFUSAL_WAIT_MS =
        1000, // after ERROR to START an OK may still come: some complain of a missing file first
    START_DEFAULT_US =
        60000000, // a run without deadlines still ends when a program hangs: this for starting,
    SILENCE_NS_PER_S = 1000000000,
    SILENCE_S = 600,           // and this without any line while a move is due
    CRASH_WAIT_US = 200000,    // closed pipes come a little before the exit status
    NOTED_IDLE_PERMILLE = 100, // CPU used while not on move, of that time, that is worth a note
    NOTED_IDLE_MS = 50,
    SHORT_IDLE_NS =
        100000, // an opponent that fast leaves no time worth looking at, but for one move
    SHORT_IDLE_SAMPLES = 32, // in so many
};

typedef struct ExternalSeat {
    Seat seat;
    const Experiment *experiment; // borrowed, as is `spec`
    const PlayerSpec *spec;
    Process *process;   // owned; NULL = none
    bool has_started;   // START was answered by this process
    bool has_spawned;   // there has been a process
    bool knows_restart; // false once RESTART was not answered with OK
    SeatGame game;
    Board board;             // the position
    int told;                // of its stones, those that the program knows
    Status failure;          // of this game; STATUS_OK = none
    char refusal[KEPT_LINE]; // the last ERROR or UNKNOWN of this game; "" = none
    SearchTalk talk;
    Text out;    // the next write
    int dropped; // lines dropped in this game
    bool is_suspended;
    int64_t last_move_ns;         // when its last move was read, in whatever game
    int moves;                    // of this process
    bool is_idle_short;           // the last time it was not on move
    int64_t idle_since_ns;        // when its last move was read; 0 = not yet in this game
    int64_t idle_cpu_mark_ns;     // its CPU time then
    int64_t idle_ns, idle_cpu_ns; // in this game, while not on move, as far as measured
    int games;                    // that this process has ended well
} ExternalSeat;

static int64_t now_ns(void) { return clock_now_ns(clock_monotonic()); }

// Copies bytes of a line for messages, what is no ASCII as '?'.
static void quote(char out[KEPT_LINE], const char *bytes, size_t length) {
    size_t count = length < KEPT_LINE - 1 ? length : KEPT_LINE - 1;
    for (size_t i = 0; i < count; i++)
        out[i] = bytes[i] >= ' ' && bytes[i] < 127 ? bytes[i] : '?';
    out[count] = '\0';
}

static void keep_refusal(ExternalSeat *self, const ProcessLine *line) {
    quote(self->refusal, line->text, line->length);
}

// ", after: ERROR ..." for messages, when the program has complained in this game.
static const char *refusal_text(const ExternalSeat *self, char out[KEPT_LINE + 16]) {
    out[0] = '\0';
    if (self->refusal[0])
        snprintf(out, KEPT_LINE + 16, "; it had said: %s", self->refusal);
    return out;
}

static Status fail(ExternalSeat *self, Status status) {
    self->failure = status;
    return status;
}

static Status fail_stopped(ExternalSeat *self, ErrorText *err) {
    return fail(self, error_set(err, STATUS_STOPPED, "the game was dropped"));
}

// ---- the process

// Drops what has come while nothing was asked: from our buffer, and with `reads` from the pipe.
// Talk, and ERROR or UNKNOWN about an INFO, are expected then; anything else is counted.
static void drop_lines(ExternalSeat *self, bool reads) {
    ProcessLine line;
    // An engine may write faster than we read: the rest is judged as its answer.
    for (int i = 0; i < MAX_DROPPED && process_poll_line(self->process, reads, &line); i++) {
        GomocupReply reply = gomocup_read_reply(line.text, line.length);
        self->dropped += reply.kind == REPLY_MOVE || reply.kind == REPLY_TEXT ||
                         reply.kind == REPLY_SUGGEST || reply.kind == REPLY_OK;
        if (reply.kind == REPLY_ERROR || reply.kind == REPLY_UNKNOWN)
            keep_refusal(self, &line);
    }
}

static void resume(ExternalSeat *self) {
    if (self->is_suspended)
        process_resume(self->process);
    self->is_suspended = false;
}

// Some engines lose commands that come right after their move: they say it before they are ready to
// listen.
static void wait_gap(ExternalSeat *self) {
    int64_t gap_ns = self->spec->external.gap_ms * INT64_C(1000000);
    int64_t left_ns = gap_ns > 0 ? self->last_move_ns + gap_ns - now_ns() : 0;
    if (left_ns <= 0)
        return;
    struct timespec pause = {left_ns / 1000000000, left_ns % 1000000000};
    while (nanosleep(&pause, &pause) != 0 && errno == EINTR)
        continue;
    self->is_idle_short = false;
}

static int64_t grace_us(const ExternalSeat *self) {
    return self->game.end_us > 0 ? self->game.end_us : self->experiment->clock.end_ms * 1000;
}

// Says END and lets the program go, within the grace.
static void part(ExternalSeat *self) {
    if (!self->process)
        return;
    resume(self);
    wait_gap(self);
    // What it does not take at once it will not obey either; closing its input says the same.
    Status status = process_send(self->process, "END\n", 4, now_ns() + 1000000, NULL);
    (void)status;
    process_stop(self->process, grace_us(self));
    process_free(self->process);
    self->process = NULL;
    self->has_started = false;
}

static void discard(ExternalSeat *self) {
    process_free(self->process);
    self->process = NULL;
    self->has_started = self->is_suspended = false;
}

static Status spawn_player(const PlayerSpec *player, Process **out, ErrorText *err) {
    const ExternalSpec *external = &player->external;
    ProcessSpec spec = {.path = external->command,
                        .args = external->args,
                        .arg_count = external->arg_count,
                        .dir = external->dir,
                        .env = external->env,
                        .env_count = external->env_count};
    Status status = process_spawn(&spec, out, err);
    return status ? error_wrap(err, status, "player %s", player->name) : STATUS_OK;
}

// Must it be found out whether the program is content with one core?
static bool is_affinity_open(const ExternalSeat *self) {
    return self->experiment->affinity.mode == AFFINITY_AUTO && self->spec->external.threads == 0;
}

static Status spawn(ExternalSeat *self, ErrorText *err) {
    self->has_started = self->is_suspended = false;
    self->has_spawned = true;
    self->games = 0;
    Status status = spawn_player(self->spec, &self->process, err);
    if (!status && is_affinity_open(self))
        affinity_release(process_pid(self->process));
    return status;
}

Status external_seat_probe(const PlayerSpec *player, ErrorText *err) {
    Process *process = NULL;
    Status status = spawn_player(player, &process, err);
    process_free(process);
    return status;
}

// ---- starting a game

// Waits for OK. STATUS_INVALID: the answer was ERROR or UNKNOWN and no OK followed. Other lines are
// heard and forgotten: banners before START, messages about files, bytes of any kind.
static Status wait_for_ok(ExternalSeat *self, int64_t deadline_ns) {
    bool is_refused = false;
    for (;;) {
        ProcessLine line;
        Status status = process_read_line(self->process, deadline_ns, self->game.stop, &line);
        if (status)
            return status == STATUS_TIMEOUT && is_refused ? STATUS_INVALID : status;
        GomocupReply reply = gomocup_read_reply(line.text, line.length);
        if (reply.kind == REPLY_OK)
            return STATUS_OK;
        if (reply.kind == REPLY_ERROR || reply.kind == REPLY_UNKNOWN) {
            keep_refusal(self, &line);
            int64_t soon_ns = now_ns() + REFUSAL_WAIT_MS * INT64_C(1000000);
            if (!is_refused && soon_ns < deadline_ns)
                deadline_ns = soon_ns;
            is_refused = true;
        }
    }
}

static Status send_and_wait_for_ok(ExternalSeat *self) {
    int64_t allowed_us = self->game.start_us > 0 ? self->game.start_us : START_DEFAULT_US;
    int64_t deadline_ns = now_ns() + allowed_us * 1000;
    Status status = process_send(self->process, text_cstr(&self->out), self->out.length,
                                 deadline_ns, self->game.stop);
    return status ? status : wait_for_ok(self, deadline_ns);
}

// INFO about everything but the time left, once a process: RESTART keeps it.
static void write_infos(ExternalSeat *self) {
    Text *out = &self->out;
    const SeatGame *game = &self->game;
    const KnobSet *knobs = &self->spec->knobs;
    gomocup_write_info(out, "rule", rule_gomocup_code(game->rule));
    gomocup_write_info(out, "game_type", 2);
    if (game->move_ms > 0 || game->match_ms > 0) {
        // timeout_turn 0 would mean "at once", so a clock for the match alone is told as both.
        gomocup_write_info(out, "timeout_turn", game->move_ms > 0 ? game->move_ms : game->match_ms);
        gomocup_write_info(out, "timeout_match",
                           game->match_ms > 0 ? game->match_ms : NO_MATCH_LIMIT_MS);
    }
    if (self->experiment->clock.increment_ms > 0)
        gomocup_write_info(out, "time_increment", self->experiment->clock.increment_ms);
    gomocup_write_info(out, "max_memory", self->spec->external.memory_mb * 1024 * 1024);
    if (self->spec->external.dir)
        text_printf(out, "INFO folder %s\n", self->spec->external.dir);
    int64_t depth = knob_int(knobs, KNOB_SEARCH_DEPTH), nodes = knob_int(knobs, KNOB_SEARCH_NODES);
    if (depth > 0) // 0: nobody asked for a depth
        gomocup_write_info(out, "max_depth", depth);
    if (nodes > 0)
        gomocup_write_info(out, "max_node", nodes);
}

static void write_seed(ExternalSeat *self) {
    text_printf(&self->out, "INFO seed %llu\n", (unsigned long long)self->game.seed);
}

// What a program that is gone has done: a clause without subject.
static const char *leave_text(ExternalSeat *self) {
    if (process_await_end(self->process, CRASH_WAIT_US))
        return "ended";
    return process_is_listening(self->process) ? "closed its output" : "closed its input";
}

// Turns the status of waiting for the answer to `command` into that of the game.
static Status start_failed(ExternalSeat *self, Status status, const char *command, ErrorText *err) {
    char refusal[KEPT_LINE + 16];
    switch (status) {
    case STATUS_STOPPED:
        return fail_stopped(self, err);
    case STATUS_CRASH:
        return fail(self, error_set(err, STATUS_CRASH, "%s at %s%s", leave_text(self), command,
                                    refusal_text(self, refusal)));
    case STATUS_INVALID: // nothing else was answered in time
        return fail(self, error_set(err, STATUS_TIMEOUT, "no OK to %s; it said: %s", command,
                                    self->refusal));
    default:
        return fail(self, error_set(err, STATUS_TIMEOUT, "no OK to %s in time", command));
    }
}

static Status start_process(ExternalSeat *self, ErrorText *err) {
    text_clear(&self->out);
    gomocup_write_start(&self->out, self->game.width, self->game.height);
    Status status = send_and_wait_for_ok(self);
    if (status)
        return start_failed(self, status, "START", err);
    self->has_started = true;
    text_clear(&self->out);
    write_infos(self);
    write_seed(self);
    // Goes out with what it knows it may do; the answer to the first move is charged from its own
    // write.
    status = process_send(self->process, text_cstr(&self->out), self->out.length,
                          now_ns() + START_DEFAULT_US * INT64_C(1000), self->game.stop);
    return status ? start_failed(self, status, "INFO", err) : STATUS_OK;
}

// Asks a process that has played before for an empty board. STATUS_INVALID when it cannot, or is
// gone: another one may.
static Status restart_process(ExternalSeat *self, ErrorText *err) {
    bool may_replace = self->spec->external.restart != RESTART_NEVER;
    const char *command = self->knows_restart ? "RESTART" : "START";
    resume(self);
    wait_gap(self);
    drop_lines(self, true);
    text_clear(&self->out);
    if (!self->knows_restart && may_replace)
        return STATUS_INVALID;
    write_seed(self);
    if (self->knows_restart)
        text_append(&self->out, "RESTART\n");
    else
        gomocup_write_start(&self->out, self->game.width, self->game.height);
    Status status = send_and_wait_for_ok(self);
    if (status == STATUS_STOPPED)
        return fail_stopped(self, err);
    if (status == STATUS_INVALID || status == STATUS_TIMEOUT)
        self->knows_restart = false;
    if (!status || may_replace)
        return status ? STATUS_INVALID : STATUS_OK;
    if (status == STATUS_INVALID && strcmp(command, "RESTART") == 0) // once more, with START
        return restart_process(self, err);
    return start_failed(self, status, command, err);
}

static Status external_start(Seat *seat, const SeatGame *game, ErrorText *err) {
    ExternalSeat *self = (ExternalSeat *)seat;
    self->game = *game;
    self->told = self->dropped = 0;
    self->failure = STATUS_OK;
    self->refusal[0] = '\0';
    self->idle_since_ns = self->idle_ns = self->idle_cpu_ns = 0;
    board_clear(&self->board);
    if (self->process && self->has_started && self->spec->external.restart == RESTART_GAME)
        part(self);
    if (self->process && self->has_started) {
        Status status = restart_process(self, err);
        if (status != STATUS_INVALID)
            return status;
        self->refusal[0] = '\0';
        part(self);
    }
    if (!self->process) {
        if (self->has_spawned && self->spec->external.restart == RESTART_NEVER)
            return fail(self,
                        error_set(err, STATUS_CRASH, "has ended before, and restart is never"));
        Status status = spawn(self, err);
        if (status)
            return fail(self, status);
    }
    return start_process(self, err);
}

// ---- a move

static Status external_place(Seat *seat, Move move, ErrorText *err) {
    (void)err;
    board_place(&((ExternalSeat *)seat)->board, move);
    return STATUS_OK;
}

// What the program must hear to move: usually the opponent's stone, at the start of a game the
// whole board.
static void write_position(ExternalSeat *self) {
    const Board *board = &self->board;
    int count = board->stone_count;
    if (count == 0)
        text_append(&self->out, "BEGIN\n");
    else if (self->told == count - 1)
        gomocup_write_turn(&self->out, board, board_last_move(board));
    else
        gomocup_write_board(&self->out, board, self->game.colour);
    self->told = count;
}

// From here on the program is not on move. Looking at its CPU clock costs as much as reading a
// line, so that it is done where there is something to see: when the opponent takes its time, and
// now and then.
static void begin_idle(ExternalSeat *self, int64_t since_ns) {
    bool is_measured = !self->is_idle_short || self->moves++ % SHORT_IDLE_SAMPLES == 0;
    self->idle_since_ns = self->last_move_ns = since_ns;
    self->idle_cpu_mark_ns = is_measured ? process_cpu_ns(self->process) : -1;
    if (self->spec->external.suspend) {
        process_suspend(self->process);
        self->is_suspended = true;
    }
}

// It is to be on move again: what came meanwhile is dropped. After a short while that is only what
// came with its move, which is in our buffer.
static void end_idle(ExternalSeat *self) {
    resume(self);
    if (self->idle_since_ns == 0) {
        drop_lines(self, true);
        return;
    }
    int64_t idle_ns = now_ns() - self->idle_since_ns;
    self->is_idle_short = idle_ns < SHORT_IDLE_NS;
    if (self->idle_cpu_mark_ns >= 0) {
        int64_t cpu_ns = process_cpu_ns(self->process);
        self->idle_cpu_ns += cpu_ns < 0 ? 0 : cpu_ns - self->idle_cpu_mark_ns;
        self->idle_ns += idle_ns;
    }
    wait_gap(self);
    drop_lines(self, !self->is_idle_short);
}

static void fill_answer(ExternalSeat *self, SeatAnswer *answer) {
    const SearchTalk *talk = &self->talk;
    static const struct {
        unsigned talk, known;
    } MAP[] = {{TALK_VALUE, KNOWN_VALUE},
               {TALK_DEPTH, KNOWN_DEPTH},
               {TALK_SELDEPTH, KNOWN_SELDEPTH},
               {TALK_NODES, KNOWN_NODES},
               {TALK_PV, KNOWN_PV}};
    memset(&answer->cost, 0, sizeof answer->cost);
    answer->known = KNOWN_TIME;
    for (size_t i = 0; i < ARRAY_LEN(MAP); i++)
        if (talk->known & MAP[i].talk)
            answer->known |= MAP[i].known;
    answer->value = talk->value;
    answer->cost.depth = talk->depth;
    answer->cost.seldepth = talk->seldepth;
    answer->cost.nodes = talk->nodes;
    answer->cost.time_us = answer->elapsed_us;
    size_t length = 0;
    answer->pv[0] = '\0';
    for (int i = 0; (answer->known & KNOWN_PV) && i < talk->pv_length; i++) {
        SquareText square = notation_square(&self->board, talk->pv[i]);
        size_t need = strlen(square.text) + 1;
        if (length + need + 1 > SEAT_PV_CAP)
            break;
        if (length)
            answer->pv[length++] = ' ';
        memcpy(answer->pv + length, square.text, need);
        length += need - 1;
    }
}

// Reads lines until one is the answer. Fills `line` and `reply` with it.
static Status wait_for_move(ExternalSeat *self, int64_t deadline_ns, ProcessLine *line,
                            GomocupReply *reply) {
    for (bool is_talk = false;;) {
        int64_t silence_ns = now_ns() + SILENCE_S * (int64_t)SILENCE_NS_PER_S;
        Status status = process_read_line(self->process, deadline_ns > 0 ? deadline_ns : silence_ns,
                                          self->game.stop, line);
        if (status)
            return status;
        *reply = gomocup_read_reply(line->text, line->length);
        if (is_talk && reply->kind == REPLY_TEXT && search_talk_is_torn(line->text, line->length))
            reply->kind = REPLY_MESSAGE;
        is_talk =
            reply->kind == REPLY_MESSAGE || reply->kind == REPLY_DEBUG || reply->kind == REPLY_INFO;
        switch (reply->kind) {
        case REPLY_MOVE:
        case REPLY_TEXT:
            return STATUS_OK;
        case REPLY_MESSAGE:
        case REPLY_DEBUG:
        case REPLY_INFO:
            search_talk_read(&self->talk, line->text, line->length, self->board.width,
                             self->board.height);
            break;
        case REPLY_ERROR:
        case REPLY_UNKNOWN:
            keep_refusal(self, line);
            break;
        case REPLY_SUGGEST: // a brain that lets the manager decide: we agree, and it says the move
            text_clear(&self->out);
            gomocup_write_play(&self->out, reply->x, reply->y);
            status = process_send(self->process, text_cstr(&self->out), self->out.length,
                                  deadline_ns, self->game.stop);
            if (status)
                return status;
            break;
        case REPLY_OK:
        case REPLY_BLANK:
            break;
        }
    }
}

static Status think_failed(ExternalSeat *self, Status status, const SeatTurn *turn,
                           ErrorText *err) {
    char refusal[KEPT_LINE + 16];
    refusal_text(self, refusal);
    switch (status) {
    case STATUS_STOPPED:
        return fail_stopped(self, err);
    case STATUS_CRASH:
        return fail(self, error_set(err, STATUS_CRASH, "%s while its move was due%s",
                                    leave_text(self), refusal));
    default:
        if (turn->allowed_us > 0)
            error_set(err, STATUS_TIMEOUT, "no move within the %.1f ms allowed%s",
                      (double)turn->allowed_us / 1000, refusal);
        else
            error_set(err, STATUS_TIMEOUT, "silent for %d s%s", SILENCE_S, refusal);
        return fail(self, STATUS_TIMEOUT);
    }
}

static Status external_think(Seat *seat, const SeatTurn *turn, SeatAnswer *answer, ErrorText *err) {
    ExternalSeat *self = (ExternalSeat *)seat;
    answer->move = MOVE_NONE;
    answer->known = 0;
    answer->elapsed_us = 0;
    self->talk.known = 0;
    text_clear(&self->out);
    if (self->game.move_ms > 0 || self->game.match_ms > 0)
        gomocup_write_info(&self->out, "time_left",
                           turn->left_ms >= 0 ? turn->left_ms : NO_MATCH_LIMIT_MS);
    write_position(self);
    end_idle(self);
    int64_t asked_ns = now_ns();
    int64_t allowed_ns = turn->allowed_us * 1000;
    Status status = process_send(self->process, text_cstr(&self->out), self->out.length,
                                 allowed_ns > 0 ? asked_ns + allowed_ns
                                                : asked_ns + SILENCE_S * (int64_t)SILENCE_NS_PER_S,
                                 self->game.stop);
    ProcessLine line = {0};
    GomocupReply reply = {0};
    asked_ns = now_ns();
    if (!status)
        status = wait_for_move(self, allowed_ns > 0 ? asked_ns + allowed_ns : 0, &line, &reply);
    int64_t end_ns = status ? now_ns() : line.received_ns;
    answer->elapsed_us = (end_ns - asked_ns) / 1000;
    if (status)
        return think_failed(self, status, turn, err);
    begin_idle(self, end_ns);
    self->told++; // its own stone
    char text[KEPT_LINE];
    if (reply.kind != REPLY_MOVE) {
        quote(text, reply.text, reply.length);
        return fail(self, error_set(err, STATUS_INVALID, "'%s' is no move", text));
    }
    if (reply.x < 0 || reply.y < 0 || reply.x >= self->board.width || reply.y >= self->board.height)
        return fail(self,
                    error_set(err, STATUS_INVALID, "%d,%d is outside the board", reply.x, reply.y));
    answer->move = (Move)(reply.y * self->board.width + reply.x);
    if (self->board.cells[answer->move] != EMPTY)
        return fail(self, error_set(err, STATUS_INVALID, "%d,%d is occupied", reply.x, reply.y));
    fill_answer(self, answer);
    return STATUS_OK;
}

// ---- ending

// What should be kept beside the game: after a failure how the process ended and its last words,
// else only oddities.
static void write_note(ExternalSeat *self, Text *note) {
    int colour = (int)self->game.colour;
    const char *name = self->spec->name;
    if (self->dropped > 0)
        text_printf(note, "%s (%s): %d line%s while not on move, dropped\n", name,
                    colour == BLACK ? "black" : "white", self->dropped,
                    self->dropped == 1 ? "" : "s");
    bool is_busy = self->idle_cpu_ns > NOTED_IDLE_MS * INT64_C(1000000) &&
                   self->idle_cpu_ns * 1000 > self->idle_ns * NOTED_IDLE_PERMILLE;
    if (is_busy)
        text_printf(note, "%s (%s): %lld ms of CPU in %lld ms while not on move\n", name,
                    colour == BLACK ? "black" : "white", (long long)(self->idle_cpu_ns / 1000000),
                    (long long)(self->idle_ns / 1000000));
}

static void write_last_words(const ExternalSeat *self, Text *note) {
    Text tail = {0};
    process_write_stderr_tail(self->process, &tail);
    text_printf(note, "%s: process: ", self->spec->name);
    process_write_exit(self->process, note);
    text_append(note, "\n");
    if (tail.length > 0)
        text_printf(note, "%s: standard error ended with:\n%s%s", self->spec->name,
                    text_cstr(&tail), text_cstr(&tail)[tail.length - 1] == '\n' ? "" : "\n");
    text_release(&tail);
}

static void external_end(Seat *seat, Text *note, SeatWatch *watch) {
    ExternalSeat *self = (ExternalSeat *)seat;
    *watch = (SeatWatch){.is_watched = self->has_started,
                         .dropped_lines = self->dropped,
                         .idle_us = self->idle_ns / 1000,
                         .idle_cpu_us = self->idle_cpu_ns / 1000};
    write_note(self, note);
    self->game.stop = NULL;
    if (self->process && !self->failure) {
        if (self->games == 0 && is_affinity_open(self))
            affinity_settle(process_pid(self->process));
        self->games++;
    }
    if (!self->failure || !self->process)
        return;
    bool is_gone = self->failure == STATUS_CRASH;
    // With restart: never the process stays if it lives, whatever it has done; a dead one is of no
    // use to anybody.
    if (self->spec->external.restart == RESTART_NEVER && !is_gone &&
        self->failure != STATUS_STOPPED)
        return;
    resume(self);
    if (self->failure == STATUS_INVALID) { // it may be well, apart from its idea of the position
        Status status = process_send(self->process, "END\n", 4, now_ns() + 1000000, NULL);
        (void)status; // stopped next, whether it listens or not
    }
    // What is gone has been waited for when it went.
    process_stop(self->process, self->failure == STATUS_INVALID ? grace_us(self) : 0);
    if (self->failure != STATUS_STOPPED)
        write_last_words(self, note);
    discard(self);
}

static void external_free(Seat *seat) {
    ExternalSeat *self = (ExternalSeat *)seat;
    part(self);
    text_release(&self->out);
    free(self);
}

static const SeatMethods EXTERNAL_SEAT = {external_start, external_place, external_think,
                                          external_end, external_free};

Status external_seat_new(const Experiment *experiment, int player, Seat **out, ErrorText *err) {
    const PlayerSpec *spec = &experiment->players[player];
    if (experiment->k != WIN_LENGTH)
        return error_set(err, STATUS_UNSUPPORTED, "player %s: programs play five in a row only",
                         spec->name);
    ExternalSeat *self = calloc(1, sizeof *self);
    if (!self)
        return error_set(err, STATUS_NO_MEMORY, "player %s: out of memory", spec->name);
    self->seat.methods = &EXTERNAL_SEAT;
    self->experiment = experiment;
    self->spec = spec;
    self->knows_restart = true;
    Status status = board_init(&self->board, experiment->width, experiment->height, experiment->k,
                               experiment->rule, 0, err);
    if (!status)
        status = spawn(self, err);
    if (status) {
        free(self);
        return status;
    }
    *out = &self->seat;
    return STATUS_OK;
}
