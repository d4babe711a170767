// SPDX-License-Identifier: GPL-3.0-or-later
// The process of an external player: started, made ready for a game, let go.
#include "engine/proto/gomocup.h"
#include "harness/play/affinity.h"
#include "harness/play/external_seat.h"
#include "harness/play/external_state.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    MAX_DROPPED = 10000,    // lines that are read away at a time
    REFUSAL_WAIT_MS = 1000, // an OK may still follow an ERROR: some miss a file, and play on
    START_DEFAULT_S = 60,   // where no deadline is set: a run still ends when a program hangs
    CRASH_WAIT_US = 200000, // closed pipes come a little before the exit status
};

// ---- what it said, what it did

void external_keep_refusal(ExternalSeat *self, const ProcessLine *line) {
    process_quote(self->refusal, sizeof self->refusal, line->text, line->length);
}

const char *external_refusal_text(const ExternalSeat *self, char out[EXTERNAL_QUOTE_CAP + 16]) {
    out[0] = '\0';
    if (self->refusal[0])
        snprintf(out, EXTERNAL_QUOTE_CAP + 16, "; it had said: %s", self->refusal);
    return out;
}

Status external_fail_stopped(ExternalSeat *self, ErrorText *err) {
    return external_fail(self, error_set(err, STATUS_STOPPED, "the game was dropped"));
}

const char *external_leave_text(ExternalSeat *self) {
    if (process_await_end(self->process, CRASH_WAIT_US))
        return "ended";
    return process_is_listening(self->process) ? "closed its output" : "closed its input";
}

// ---- the process

void external_drop_lines(ExternalSeat *self, bool reads) {
    ProcessLine line;
    // An engine may write faster than we read: the rest is judged as its answer.
    for (int i = 0; i < MAX_DROPPED && process_poll_line(self->process, reads, &line); i++) {
        GomocupReply reply = gomocup_read_reply(line.text, line.length);
        self->dropped += reply.kind == REPLY_MOVE || reply.kind == REPLY_TEXT ||
                         reply.kind == REPLY_SUGGEST || reply.kind == REPLY_OK;
        if (reply.kind == REPLY_ERROR || reply.kind == REPLY_UNKNOWN)
            external_keep_refusal(self, &line);
    }
}

void external_resume(ExternalSeat *self) {
    if (self->is_suspended)
        process_resume(self->process);
    self->is_suspended = false;
}

void external_wait_gap(ExternalSeat *self) {
    int64_t gap_ns = self->spec->external.gap_ms * INT64_C(1000000);
    int64_t left_ns = gap_ns > 0 ? self->last_move_ns + gap_ns - external_now_ns() : 0;
    if (left_ns <= 0)
        return;
    struct timespec pause = {left_ns / 1000000000, left_ns % 1000000000};
    while (nanosleep(&pause, &pause) != 0 && errno == EINTR)
        continue;
    // The pause was long enough for more lines to arrive: they are looked for in the pipe, too.
    self->is_idle_short = false;
}

int64_t external_grace_us(const ExternalSeat *self) {
    return self->game.end_us > 0 ? self->game.end_us : self->experiment->clock.end_ms * 1000;
}

void external_part(ExternalSeat *self) {
    if (!self->process)
        return;
    external_resume(self);
    external_wait_gap(self);
    // What it does not take at once it will not obey either; closing its input says the same.
    Status status = process_send(self->process, "END\n", 4, external_now_ns() + 1000000, NULL);
    (void)status;
    process_stop(self->process, external_grace_us(self));
    external_discard(self);
}

void external_discard(ExternalSeat *self) {
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

// threads 0: the player does not say how many it uses.
bool external_is_affinity_open(const ExternalSeat *self) {
    return self->experiment->affinity.mode == AFFINITY_AUTO && self->spec->external.threads == 0;
}

Status external_spawn(ExternalSeat *self, ErrorText *err) {
    self->has_started = self->is_suspended = false;
    self->has_spawned = true;
    self->games = 0;
    Status status = spawn_player(self->spec, &self->process, err);
    // It inherited the one core of its worker: until it has shown that one is enough
    // (affinity_settle after its first game) it may use them all.
    if (!status && external_is_affinity_open(self))
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
            // A refusal is an answer, and a better reason than "in time".
            return status == STATUS_TIMEOUT && is_refused ? STATUS_INVALID : status;
        GomocupReply reply = gomocup_read_reply(line.text, line.length);
        if (reply.kind == REPLY_OK)
            return STATUS_OK;
        if (reply.kind == REPLY_ERROR || reply.kind == REPLY_UNKNOWN) {
            external_keep_refusal(self, &line);
            int64_t soon_ns = external_now_ns() + REFUSAL_WAIT_MS * INT64_C(1000000);
            if (!is_refused && soon_ns < deadline_ns)
                deadline_ns = soon_ns;
            is_refused = true;
        }
    }
}

static Status send_and_wait_for_ok(ExternalSeat *self) {
    int64_t allowed_us =
        self->game.start_us > 0 ? self->game.start_us : START_DEFAULT_S * INT64_C(1000000);
    int64_t deadline_ns = external_now_ns() + allowed_us * 1000;
    Status status = process_send(self->process, text_cstr(&self->out), self->out.length,
                                 deadline_ns, self->game.stop);
    return status ? status : wait_for_ok(self, deadline_ns);
}

// INFO about everything but the time left, once a process: RESTART keeps it.
// Before the first move, which the program may want to plan for; in one write with the seed, since
// each write may wake the program.
static void write_infos(ExternalSeat *self) {
    Text *out = &self->out;
    const SeatGame *game = &self->game;
    const KnobSet *knobs = &self->spec->knobs;
    gomocup_write_info(out, "rule", rule_gomocup_code(game->rule));
    // 2: a game of a tournament, so that it does not talk to a person.
    gomocup_write_info(out, "game_type", 2);
    if (game->move_ms > 0 || game->match_ms > 0) {
        // timeout_turn 0 would mean "at once", so a clock for the match alone is told as both.
        gomocup_write_info(out, "timeout_turn", game->move_ms > 0 ? game->move_ms : game->match_ms);
        gomocup_write_info(out, "timeout_match",
                           game->match_ms > 0 ? game->match_ms : EXTERNAL_NO_LIMIT_MS);
    }
    if (self->experiment->clock.increment_ms > 0)
        gomocup_write_info(out, "time_increment", self->experiment->clock.increment_ms);
    // Bytes; 0 = no limit.
    gomocup_write_info(out, "max_memory", self->spec->external.memory_mb * 1024 * 1024);
    if (self->spec->external.dir)
        text_printf(out, "INFO folder %s\n", self->spec->external.dir);
    int64_t depth = knob_int(knobs, KNOB_SEARCH_DEPTH), nodes = knob_int(knobs, KNOB_SEARCH_NODES);
    if (depth > 0) // 0: nobody asked for a depth
        gomocup_write_info(out, "max_depth", depth);
    if (nodes > 0)
        gomocup_write_info(out, "max_node", nodes);
}

// No key of the protocol; our own brain reads it, others ignore keys that they do not know.
static void write_seed(ExternalSeat *self) {
    text_printf(&self->out, "INFO seed %llu\n", (unsigned long long)self->game.seed);
}

// Turns the status of waiting for the answer to `command` into that of the game.
// A program that does not start loses its game: these are results, no failures of the run.
static Status start_failed(ExternalSeat *self, Status status, const char *command, ErrorText *err) {
    char refusal[EXTERNAL_QUOTE_CAP + 16];
    switch (status) {
    case STATUS_STOPPED:
        return external_fail_stopped(self, err);
    case STATUS_CRASH:
        return external_fail(self,
                             error_set(err, STATUS_CRASH, "%s at %s%s", external_leave_text(self),
                                       command, external_refusal_text(self, refusal)));
    case STATUS_INVALID: // nothing else was answered in time
        return external_fail(self, error_set(err, STATUS_TIMEOUT, "no OK to %s; it said: %s",
                                             command, self->refusal));
    default:
        return external_fail(self, error_set(err, STATUS_TIMEOUT, "no OK to %s in time", command));
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
    status =
        process_send(self->process, text_cstr(&self->out), self->out.length,
                     external_now_ns() + START_DEFAULT_S * INT64_C(1000000000), self->game.stop);
    return status ? start_failed(self, status, "INFO", err) : STATUS_OK;
}

// Asks a process that has played before for an empty board. STATUS_INVALID when it cannot, or is
// gone: another one may.
static Status restart_process(ExternalSeat *self, ErrorText *err) {
    bool may_replace = self->spec->external.restart != RESTART_NEVER;
    const char *command = self->knows_restart ? "RESTART" : "START";
    external_resume(self);
    external_wait_gap(self);
    external_drop_lines(self, true);
    text_clear(&self->out);
    // A new process is surer than START in the middle of a life, which not all expect.
    if (!self->knows_restart && may_replace)
        return STATUS_INVALID;
    write_seed(self);
    if (self->knows_restart)
        text_append(&self->out, "RESTART\n");
    else
        gomocup_write_start(&self->out, self->game.width, self->game.height);
    Status status = send_and_wait_for_ok(self);
    if (status == STATUS_STOPPED)
        return external_fail_stopped(self, err);
    if (status == STATUS_INVALID || status == STATUS_TIMEOUT)
        self->knows_restart = false;
    if (!status || may_replace)
        return status ? STATUS_INVALID : STATUS_OK;
    // knows_restart is false by now, so that this is not repeated for ever.
    if (status == STATUS_INVALID && strcmp(command, "RESTART") == 0) // once more, with START
        return restart_process(self, err);
    return start_failed(self, status, command, err);
}

Status external_start(Seat *seat, const SeatGame *game, ErrorText *err) {
    ExternalSeat *self = (ExternalSeat *)seat;
    self->game = *game;
    self->told = self->dropped = 0;
    self->failure = STATUS_OK;
    self->refusal[0] = '\0';
    self->idle_since_ns = self->idle_ns = self->idle_cpu_ns = 0;
    board_clear(&self->board);
    // A process that was executed but never started (external_seat_new made it) is as good as new.
    if (self->process && self->has_started && self->spec->external.restart == RESTART_GAME)
        external_part(self);
    if (self->process && self->has_started) {
        Status status = restart_process(self, err);
        // Ready, or the game is lost or dropped; STATUS_INVALID: try another process.
        if (status != STATUS_INVALID)
            return status;
        self->refusal[0] = '\0';
        external_part(self);
    }
    if (!self->process) {
        if (self->has_spawned && self->spec->external.restart == RESTART_NEVER)
            return external_fail(
                self, error_set(err, STATUS_CRASH, "has ended before, and restart is never"));
        Status status = external_spawn(self, err);
        if (status)
            return external_fail(self, status);
    }
    return start_process(self, err);
}
