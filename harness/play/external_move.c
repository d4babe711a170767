// SPDX-License-Identifier: GPL-3.0-or-later
// A move of an external player: the position told, the answer waited for and judged.
#include "engine/base/check.h"
#include "engine/board/notation.h"
#include "engine/proto/gomocup.h"
#include "harness/play/external_state.h"

#include <string.h>

enum {
    SILENCE_S = 600, // without a deadline: so long without any line, and the program counts as hung
    // An opponent that fast leaves no idle time worth looking at, but for one move in so many.
    SHORT_IDLE_NS = 100000,
    SHORT_IDLE_SAMPLES = 32,
};
static const int64_t SILENCE_NS = SILENCE_S * INT64_C(1000000000);

// What the program must hear to move: usually the opponent's stone, at the start of a game the
// whole board.
static void write_position(ExternalSeat *self) {
    const Board *board = &self->board;
    int count = board->stone_count;
    if (count == 0)
        text_append(&self->out, "BEGIN\n");
    // One stone more than it knows: its own were counted when it played them. Anything else, an
    // opening or a process that was started anew, takes the whole board.
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
    // Against a fast opponent one in so many is still looked at, so that a program that ponders
    // without being asked does not escape by having one.
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
    external_resume(self);
    // Its first move of this game: what came before is what it said at the start, which nobody
    // measures.
    if (self->idle_since_ns == 0) {
        external_drop_lines(self, true);
        return;
    }
    int64_t idle_ns = external_now_ns() - self->idle_since_ns;
    self->is_idle_short = idle_ns < SHORT_IDLE_NS;
    // Time and CPU time are added for the same pauses only, so that their ratio means something.
    if (self->idle_cpu_mark_ns >= 0) {
        int64_t cpu_ns = process_cpu_ns(self->process);
        self->idle_cpu_ns += cpu_ns < 0 ? 0 : cpu_ns - self->idle_cpu_mark_ns;
        self->idle_ns += idle_ns;
    }
    external_wait_gap(self);
    // Asking the pipe is a system call. After a short pause it is spared: a line that comes so late
    // would be taken for the answer, and a program that says two moves in a row has earned that.
    external_drop_lines(self, !self->is_idle_short);
}

// What the program said last before its move is what it thinks of it. What it did not say stays
// unknown: nothing is filled in for it, except the time, which is ours.
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
        int64_t silence_ns = external_now_ns() + SILENCE_NS;
        Status status = process_read_line(self->process, deadline_ns > 0 ? deadline_ns : silence_ns,
                                          self->game.stop, line);
        if (status)
            return status;
        *reply = gomocup_read_reply(line->text, line->length);
        // Some print raw bytes into a MESSAGE, and one of them is a line end: the rest of such a
        // line is no answer.
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
            external_keep_refusal(self, line);
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

// The words a user reads beside a lost game: what happened, and what the program had complained of.
static Status think_failed(ExternalSeat *self, Status status, const SeatTurn *turn,
                           ErrorText *err) {
    char refusal[EXTERNAL_QUOTE_CAP + 16];
    external_refusal_text(self, refusal);
    switch (status) {
    case STATUS_STOPPED:
        return external_fail_stopped(self, err);
    case STATUS_CRASH:
        return external_fail(self, error_set(err, STATUS_CRASH, "%s while its move was due%s",
                                             external_leave_text(self), refusal));
    default:
        if (turn->allowed_us > 0)
            error_set(err, STATUS_TIMEOUT, "no move within the %.1f ms allowed%s",
                      (double)turn->allowed_us / 1000, refusal);
        else
            error_set(err, STATUS_TIMEOUT, "silent for %d s%s", SILENCE_S, refusal);
        return external_fail(self, STATUS_TIMEOUT);
    }
}

Status external_think(Seat *seat, const SeatTurn *turn, SeatAnswer *answer, ErrorText *err) {
    ExternalSeat *self = (ExternalSeat *)seat;
    answer->move = MOVE_NONE;
    answer->known = 0;
    answer->elapsed_us = 0;
    self->talk.known = 0;
    text_clear(&self->out);
    // With every move, as the protocol asks: a program that was restarted knows nothing else about
    // the match.
    if (self->game.move_ms > 0 || self->game.match_ms > 0)
        gomocup_write_info(&self->out, "time_left",
                           turn->left_ms >= 0 ? turn->left_ms : EXTERNAL_NO_LIMIT_MS);
    write_position(self);
    end_idle(self);
    int64_t asked_ns = external_now_ns();
    int64_t allowed_ns = turn->allowed_us * 1000;
    Status status = process_send(self->process, text_cstr(&self->out), self->out.length,
                                 allowed_ns > 0 ? asked_ns + allowed_ns : asked_ns + SILENCE_NS,
                                 self->game.stop);
    ProcessLine line = {0};
    GomocupReply reply = {0};
    // Again: the clock runs from the last byte written. That the pipe was full is not the program's
    // thinking.
    asked_ns = external_now_ns();
    if (!status)
        status = wait_for_move(self, allowed_ns > 0 ? asked_ns + allowed_ns : 0, &line, &reply);
    int64_t end_ns = status ? external_now_ns() : line.received_ns;
    answer->elapsed_us = (end_ns - asked_ns) / 1000;
    if (status)
        return think_failed(self, status, turn, err);
    // From here on it is not on move, even if its answer turns out to be no move: failing below
    // keeps the watch right.
    begin_idle(self, end_ns);
    // Before the answer is judged: whatever it was, the program believes that it has played.
    self->told++; // its own stone
    char text[EXTERNAL_QUOTE_CAP];
    // Its own words, not what was read from them: a number too big for us is another one by now.
    process_quote(text, EXTERNAL_QUOTE_CAP, reply.text, reply.length);
    if (reply.kind != REPLY_MOVE)
        return external_fail(self, error_set(err, STATUS_INVALID, "'%s' is no move", text));
    if (reply.x < 0 || reply.y < 0 || reply.x >= self->board.width || reply.y >= self->board.height)
        return external_fail(self, error_set(err, STATUS_INVALID, "%s is outside the board", text));
    answer->move = (Move)(reply.y * self->board.width + reply.x);
    if (self->board.cells[answer->move] != EMPTY)
        return external_fail(self,
                             error_set(err, STATUS_INVALID, "%d,%d is occupied", reply.x, reply.y));
    fill_answer(self, answer);
    return STATUS_OK;
}
