// SPDX-License-Identifier: GPL-3.0-or-later
// Talking to an engine that may do anything.
#include "harness/play/engine_probe.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

// INFO that engines take for "no limit".
enum { NO_LIMIT_MS = 100000000 };

int64_t engine_probe_now_ns(void) { return clock_now_ns(clock_monotonic()); }

int64_t engine_probe_in_ms(int64_t ms) { return engine_probe_now_ns() + ms * 1000000; }

void engine_probe_sleep_ms(int64_t ms) {
    struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
    while (nanosleep(&pause, &pause) != 0 && errno == EINTR)
        continue;
}

// UTF-8 without control characters, but for tabs.
static bool is_clean_text(const char *bytes, size_t length) {
    for (size_t i = 0; i < length;) {
        uint32_t code;
        int count = bytes[i] ? text_decode_utf8(bytes + i, &code) : 0;
        if (count == 0 || (code < ' ' && code != '\t') || code == 127)
            return false;
        i += (size_t)count;
    }
    return true;
}

void engine_probe_stop(EngineProbe *probe, int64_t grace_us) {
    if (probe->process)
        process_stop(probe->process, grace_us);
    process_free(probe->process);
    probe->process = NULL;
}

// Checks that want a fresh process do not care what the last one did: it gets no grace.
Status engine_probe_spawn(EngineProbe *probe, ErrorText *err) {
    const ExternalSpec *engine = probe->setup->engine;
    ProcessSpec spec = {engine->command, engine->args, engine->arg_count,
                        engine->dir,     engine->env,  engine->env_count};
    engine_probe_stop(probe, 0);
    return process_spawn(&spec, &probe->process, err);
}

bool engine_probe_send(EngineProbe *probe) {
    bool is_sent =
        probe->process && process_send(probe->process, text_cstr(&probe->out), probe->out.length,
                                       engine_probe_in_ms(ENGINE_PROBE_WAIT_MS), NULL) == STATUS_OK;
    text_clear(&probe->out);
    return is_sent;
}

bool engine_probe_send_text(EngineProbe *probe, const char *text) {
    text_append(&probe->out, text);
    return engine_probe_send(probe);
}

Status engine_probe_hear(EngineProbe *probe, int64_t deadline_ns, GomocupReply *reply,
                         ProcessLine *line) {
    for (bool is_talk = false;;) {
        Status status = process_read_line(probe->process, deadline_ns, NULL, line);
        if (status)
            return status;
        *reply = gomocup_read_reply(line->text, line->length);
        if (reply->kind == REPLY_BLANK)
            continue;
        if (is_talk && reply->kind == REPLY_TEXT && search_talk_is_torn(line->text, line->length)) {
            probe->torn++;
            reply->kind = REPLY_MESSAGE;
        }
        // Remembered for the next line: only a line behind talk can be the rest of it.
        is_talk =
            reply->kind == REPLY_MESSAGE || reply->kind == REPLY_DEBUG || reply->kind == REPLY_INFO;
        probe->lines++;
        if (!is_clean_text(line->text, line->length) && probe->strange++ == 0)
            process_quote(probe->strange_line, ENGINE_PROBE_QUOTED, line->text, line->length);
        if (is_talk)
            continue;
        process_quote(probe->heard, ENGINE_PROBE_QUOTED, line->text, line->length);
        return STATUS_OK;
    }
}

int engine_probe_listen(EngineProbe *probe, int64_t ms) {
    int64_t deadline_ns = engine_probe_in_ms(ms);
    GomocupReply reply;
    ProcessLine line;
    int count = 0;
    while (engine_probe_hear(probe, deadline_ns, &reply, &line) == STATUS_OK)
        count++;
    return count;
}

Status engine_probe_hear_ok(EngineProbe *probe, int64_t ms) {
    GomocupReply reply = {0};
    ProcessLine line;
    Status status;
    int64_t deadline_ns = engine_probe_in_ms(ms);
    probe->heard[0] = '\0';
    while ((status = engine_probe_hear(probe, deadline_ns, &reply, &line)) == STATUS_OK)
        if (reply.kind != REPLY_TEXT && reply.kind != REPLY_MOVE) // banners
            return reply.kind == REPLY_OK ? STATUS_OK : STATUS_INVALID;
    return status;
}

// A clock for the move alone: the match has all the time there is.
static void write_clock(EngineProbe *probe, int64_t move_ms) {
    gomocup_write_info(&probe->out, "timeout_turn", move_ms);
    gomocup_write_info(&probe->out, "timeout_match", NO_LIMIT_MS);
    gomocup_write_info(&probe->out, "time_left", NO_LIMIT_MS);
}

bool engine_probe_begin(EngineProbe *probe, int size, Rule rule) {
    ErrorText err;
    if (engine_probe_spawn(probe, &err) || board_init(&probe->board, size, size, 5, rule, 0, &err))
        return false;
    gomocup_write_start(&probe->out, size, size);
    if (!engine_probe_send(probe) || engine_probe_hear_ok(probe, probe->setup->start_ms))
        return false;
    gomocup_write_info(&probe->out, "rule", rule_gomocup_code(rule));
    gomocup_write_info(&probe->out, "game_type", 2);
    // 0: as much as it likes. Limits are no part of what is checked.
    gomocup_write_info(&probe->out, "max_memory", 0);
    write_clock(probe, probe->setup->move_ms);
    return engine_probe_send(probe);
}

const char *engine_probe_hear_move(EngineProbe *probe, int64_t limit_ms, char *problem,
                                   size_t cap) {
    GomocupReply reply;
    ProcessLine line;
    int64_t asked_ns = engine_probe_now_ns(), deadline_ns = asked_ns + limit_ms * 1000000;
    char complaint[ENGINE_PROBE_QUOTED] = "";
    for (;;) {
        Status status = engine_probe_hear(probe, deadline_ns, &reply, &line);
        // From the moment of asking, which here is after the write, to its last byte: how long we
        // took to read is not its time.
        probe->elapsed_us = ((status ? engine_probe_now_ns() : line.received_ns) - asked_ns) / 1000;
        if (status) {
            const char *what = status == STATUS_CRASH ? "it ended" : "no move";
            snprintf(problem, cap,
                     complaint[0] ? "%s within %lld ms; it said: %s" : "%s within %lld ms", what,
                     (long long)limit_ms, complaint);
            return problem;
        }
        if (reply.kind == REPLY_ERROR || reply.kind == REPLY_UNKNOWN)
            snprintf(complaint, sizeof complaint, "%s", probe->heard);
        if (reply.kind == REPLY_MOVE || reply.kind == REPLY_TEXT)
            break;
        if (reply.kind == REPLY_SUGGEST) {
            gomocup_write_play(&probe->out, reply.x, reply.y);
            engine_probe_send(probe);
        }
    }
    bool is_on_board = reply.kind == REPLY_MOVE && reply.x >= 0 && reply.y >= 0 &&
                       reply.x < probe->board.width && reply.y < probe->board.height;
    int cell = is_on_board ? reply.y * probe->board.width + reply.x : -1;
    if (is_on_board && board_is_free(&probe->board, cell)) {
        board_place(&probe->board, (Move)cell);
        return NULL;
    }
    snprintf(problem, cap, "it answered %s, which is %s", probe->heard,
             reply.kind != REPLY_MOVE ? "no move"
             : is_on_board            ? "occupied"
                                      : "outside the board");
    return problem;
}

int64_t engine_probe_patience_ms(const EngineProbe *probe) {
    return probe->setup->move_ms * 5 + 10000;
}

const char *engine_probe_turn(EngineProbe *probe, int64_t limit_ms, char *problem, size_t cap) {
    engine_probe_sleep_ms(ENGINE_PROBE_GAP_MS);
    int cells = board_cell_count(&probe->board);
    // 37 shares no factor with the usual numbers of cells (15 * 15, 19 * 19, 20 * 20), so that the
    // walk visits all of them; a cell that it misses on another board is no loss.
    for (int i = 0; i < cells; i++) { // far from the other stones, so that the game goes on
        Move cell = (Move)((i * 37 + 5) % cells);
        if (!board_is_free(&probe->board, cell))
            continue;
        board_place(&probe->board, cell);
        gomocup_write_turn(&probe->out, &probe->board, cell);
        break;
    }
    return engine_probe_send(probe) ? engine_probe_hear_move(probe, limit_ms, problem, cap)
                                    : "it takes no commands";
}
