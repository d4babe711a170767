// SPDX-License-Identifier: GPL-3.0-or-later
// The seat of an external program: made, ended, and what is kept beside its games.
#include "harness/play/external_seat.h"

#include "harness/play/affinity.h"
#include "harness/play/external_state.h"

#include <stdlib.h>

enum {
    WIN_LENGTH = 5, // the protocol knows no other
    // CPU time used while not on move that is worth a note: this share of that time, and at least
    // so much (a process always uses a little).
    NOTED_IDLE_PERMILLE = 100,
    NOTED_IDLE_MS = 50,
};

// Nothing is sent: the program hears of all stones at once when it is to move, in one write that
// its clock starts with.
static Status external_place(Seat *seat, Move move, ErrorText *err) {
    (void)err;
    board_place(&((ExternalSeat *)seat)->board, move);
    return STATUS_OK;
}

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

// To be called when the process is stopped: before, its exit status and the end of its standard
// error are not known.
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
    // The flag belongs to the run; ending the program later must not look at it.
    self->game.stop = NULL;
    if (self->process && !self->failure) {
        // After a whole game it has started the threads that it will start.
        if (self->games == 0 && external_is_affinity_open(self))
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
    external_resume(self);
    if (self->failure == STATUS_INVALID) { // it may be well, apart from its idea of the position
        Status status = process_send(self->process, "END\n", 4, external_now_ns() + 1000000, NULL);
        (void)status; // stopped next, whether it listens or not
    }
    // What is gone has been waited for when it went.
    // One that was late or hangs has had its time: no grace.
    process_stop(self->process, self->failure == STATUS_INVALID ? external_grace_us(self) : 0);
    if (self->failure != STATUS_STOPPED)
        write_last_words(self, note);
    external_discard(self);
}

static void external_free(Seat *seat) {
    ExternalSeat *self = (ExternalSeat *)seat;
    external_part(self);
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
    // The program is executed here and not at the first game: what cannot be executed is an error
    // of the run, later it would be a lost game.
    if (!status)
        status = external_spawn(self, err);
    if (status) {
        free(self);
        return status;
    }
    *out = &self->seat;
    return STATUS_OK;
}
