// SPDX-License-Identifier: GPL-3.0-or-later
// The checks of a Gomocup engine, one function each.
#include "harness/play/engine_check.h"

#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "engine/board/board.h"
#include "engine/proto/gomocup.h"
#include "engine/proto/search_talk.h"
#include "harness/play/process.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    QUOTED = 80,           // bytes of a line that are quoted
    ANSWER_WAIT_MS = 1000, // for answers that may never come
    QUIET_MS = 150,        // how long it is listened for answers that should not come
    IDLE_MS = 300,         // how long the CPU time of an idle engine is watched
    IDLE_NOTED_PERCENT = 10,
    CLOCK_MOVES = 4,
    GAP_MS = 20,
};

typedef struct Probe {
    const EngineCheckSetup *setup;
    Process *process; // owned; NULL = none
    Board board;      // the position it has been told, and its answers
    Text out;
    int lines;   // heard in all
    int torn;    // of them, rests of a MESSAGE that holds a line end
    int strange; // of them, not UTF-8
    char strange_line[QUOTED];
    int64_t elapsed_us; // of the last move
    char heard[QUOTED]; // the last line that was neither blank nor talk
} Probe;

static int64_t now_ns(void) { return clock_now_ns(clock_monotonic()); }

static int64_t in_ms(int64_t ms) { return now_ns() + ms * 1000000; }

static void sleep_ms(int64_t ms) {
    struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
    while (nanosleep(&pause, &pause) != 0 && errno == EINTR)
        continue;
}

// ---- findings

static Finding found(FindingKind kind, const char *fmt, ...) PRINTF_LIKE(2, 3);
static Finding found(FindingKind kind, const char *fmt, ...) {
    Finding finding = {.kind = kind};
    va_list args;
    va_start(args, fmt);
    vsnprintf(finding.text, sizeof finding.text, fmt, args);
    va_end(args);
    return finding;
}

static void quote(char out[QUOTED], const char *bytes, size_t length) {
    size_t count = length < QUOTED - 1 ? length : QUOTED - 1;
    for (size_t i = 0; i < count; i++)
        out[i] = bytes[i] >= ' ' && bytes[i] < 127 ? bytes[i] : '?';
    out[count] = '\0';
}

// Is it UTF-8 without control characters? (Unicode 15, table 3-6; overlong forms of two bytes only
// are found.)
static bool is_clean_text(const char *bytes, size_t length) {
    for (size_t i = 0; i < length;) {
        unsigned char c = (unsigned char)bytes[i++];
        int more = c < 0x80                ? 0
                   : c >= 0xc2 && c < 0xe0 ? 1
                   : c >= 0xe0 && c < 0xf0 ? 2
                   : c >= 0xf0 && c < 0xf5 ? 3
                                           : -1;
        if (more < 0 || (c < ' ' && c != '\t') || c == 127)
            return false;
        for (; more > 0; more--, i++)
            if (i >= length || ((unsigned char)bytes[i] & 0xc0) != 0x80)
                return false;
    }
    return true;
}

// ---- talking

static void stop(Probe *probe, int64_t grace_us) {
    if (probe->process)
        process_stop(probe->process, grace_us);
    process_free(probe->process);
    probe->process = NULL;
}

static Status spawn(Probe *probe, ErrorText *err) {
    const ExternalSpec *engine = probe->setup->engine;
    ProcessSpec spec = {engine->command, engine->args, engine->arg_count,
                        engine->dir,     engine->env,  engine->env_count};
    stop(probe, 0);
    return process_spawn(&spec, &probe->process, err);
}

// Sends what is in probe->out. False when it did not get through.
static bool send(Probe *probe) {
    bool is_sent =
        probe->process && process_send(probe->process, text_cstr(&probe->out), probe->out.length,
                                       in_ms(ANSWER_WAIT_MS), NULL) == STATUS_OK;
    text_clear(&probe->out);
    return is_sent;
}

static bool send_text(Probe *probe, const char *text) {
    text_append(&probe->out, text);
    return send(probe);
}

// Waits for a line that is neither blank nor talk.
static Status hear(Probe *probe, int64_t deadline_ns, GomocupReply *reply, ProcessLine *line) {
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
        is_talk =
            reply->kind == REPLY_MESSAGE || reply->kind == REPLY_DEBUG || reply->kind == REPLY_INFO;
        probe->lines++;
        if (!is_clean_text(line->text, line->length) && probe->strange++ == 0)
            quote(probe->strange_line, line->text, line->length);
        if (is_talk)
            continue;
        quote(probe->heard, line->text, line->length);
        return STATUS_OK;
    }
}

// Listens for lines that nobody asked for; how many came that were no talk.
static int listen(Probe *probe, int64_t ms) {
    int64_t deadline_ns = in_ms(ms);
    GomocupReply reply;
    ProcessLine line;
    int count = 0;
    while (hear(probe, deadline_ns, &reply, &line) == STATUS_OK)
        count++;
    return count;
}

// Waits for OK. STATUS_INVALID when something else was answered.
static Status hear_ok(Probe *probe, int64_t ms) {
    GomocupReply reply = {0};
    ProcessLine line;
    Status status;
    int64_t deadline_ns = in_ms(ms);
    probe->heard[0] = '\0';
    while ((status = hear(probe, deadline_ns, &reply, &line)) == STATUS_OK)
        if (reply.kind != REPLY_TEXT && reply.kind != REPLY_MOVE) // banners
            return reply.kind == REPLY_OK ? STATUS_OK : STATUS_INVALID;
    return status;
}

static void write_clock(Probe *probe, int64_t move_ms) {
    gomocup_write_info(&probe->out, "timeout_turn", move_ms);
    gomocup_write_info(&probe->out, "timeout_match", 100000000);
    gomocup_write_info(&probe->out, "time_left", 100000000);
}

// A new process with an empty board, ready to play. False when it does not get there.
static bool begin(Probe *probe, int size, Rule rule) {
    ErrorText err;
    if (spawn(probe, &err) || board_init(&probe->board, size, size, 5, rule, 0, &err))
        return false;
    gomocup_write_start(&probe->out, size, size);
    if (!send(probe) || hear_ok(probe, probe->setup->start_ms))
        return false;
    gomocup_write_info(&probe->out, "rule", rule_gomocup_code(rule));
    gomocup_write_info(&probe->out, "game_type", 2);
    gomocup_write_info(&probe->out, "max_memory", 0);
    write_clock(probe, probe->setup->move_ms);
    return send(probe);
}

// Waits for a move and places it. NULL, or what is wrong with the answer.
static const char *hear_move(Probe *probe, int64_t limit_ms, char *problem, size_t cap) {
    GomocupReply reply;
    ProcessLine line;
    int64_t asked_ns = now_ns(), deadline_ns = asked_ns + limit_ms * 1000000;
    char complaint[QUOTED] = "";
    for (;;) {
        Status status = hear(probe, deadline_ns, &reply, &line);
        probe->elapsed_us = ((status ? now_ns() : line.received_ns) - asked_ns) / 1000;
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
            send(probe);
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

static int64_t patience_ms(const Probe *probe) { return probe->setup->move_ms * 5 + 10000; }

// Places some free cell for us and asks for an answer to it, not so soon after its last move that
// it could be missed: check_prompt_command looks at that.
static const char *turn(Probe *probe, int64_t limit_ms, char *problem, size_t cap) {
    sleep_ms(GAP_MS);
    int cells = board_cell_count(&probe->board);
    for (int i = 0; i < cells; i++) { // far from the other stones, so that the game goes on
        Move cell = (Move)((i * 37 + 5) % cells);
        if (!board_is_free(&probe->board, cell))
            continue;
        board_place(&probe->board, cell);
        gomocup_write_turn(&probe->out, &probe->board, cell);
        break;
    }
    return send(probe) ? hear_move(probe, limit_ms, problem, cap) : "it takes no commands";
}

static Finding problem_or_ok(const char *problem, const char *ok) {
    return problem ? found(FINDING_PROBLEM, "%s", problem) : found(FINDING_OK, "%s", ok);
}

// ---- the checks

// How it ended, with the last line that it wrote to standard error.
static Finding ended_at_start(Probe *probe) {
    Text how = {0}, words = {0};
    process_stop(probe->process, ANSWER_WAIT_MS * INT64_C(1000));
    process_write_exit(probe->process, &how);
    process_write_stderr_tail(probe->process, &words);
    char last[QUOTED] = "";
    const char *line = text_cstr(&words);
    for (size_t length; *line; line += length + (line[length] != '\0')) {
        length = strcspn(line, "\n");
        if (length > 0)
            quote(last, line, length);
    }
    Finding finding = found(FINDING_PROBLEM, "it ended at START: %s%s%s", text_cstr(&how),
                            last[0] ? "; standard error: " : "", last);
    text_release(&how);
    text_release(&words);
    return finding;
}

static Finding check_start(Probe *probe) {
    ErrorText err;
    if (spawn(probe, &err)) // it could be, a moment ago
        return found(FINDING_PROBLEM, "%s", err.text);
    int early = listen(probe, QUIET_MS);
    int talk = probe->lines - early;
    gomocup_write_start(&probe->out, probe->setup->size, probe->setup->size);
    int64_t asked_ns = now_ns();
    Status status = send(probe) ? hear_ok(probe, probe->setup->start_ms) : STATUS_CRASH;
    if (status == STATUS_CRASH)
        return ended_at_start(probe);
    if (status)
        return found(FINDING_PROBLEM, "no OK to START %d within %lld ms%s%s", probe->setup->size,
                     (long long)probe->setup->start_ms, probe->heard[0] ? "; it said: " : "",
                     probe->heard);
    long long ms = (now_ns() - asked_ns) / 1000000;
    if (early > 0 || talk > 0)
        return found(FINDING_NOTE,
                     "OK after %lld ms; %d lines before START, %d of them not MESSAGE or DEBUG", ms,
                     early + talk, early);
    return found(FINDING_OK, "OK after %lld ms", ms);
}

static Finding check_about(Probe *probe) {
    GomocupReply reply;
    ProcessLine line;
    if (!probe->process || !send_text(probe, "ABOUT\n"))
        return found(FINDING_PROBLEM, "it takes no commands");
    if (hear(probe, in_ms(ANSWER_WAIT_MS), &reply, &line))
        return found(FINDING_NOTE, "no answer to ABOUT");
    return found(FINDING_OK, "%s", probe->heard);
}

static Finding check_info(Probe *probe) {
    if (!send_text(probe, "INFO timeout_turn 1000\nINFO game_type 1\nINFO no_such_key 1\n"))
        return found(FINDING_PROBLEM, "it takes no commands");
    int answers = listen(probe, QUIET_MS);
    return answers ? found(FINDING_NOTE, "%d answers to INFO, which has none: %s", answers,
                           probe->heard)
                   : found(FINDING_OK, "accepted in silence");
}

static Finding check_unknown(Probe *probe) {
    GomocupReply reply;
    ProcessLine line;
    if (!send_text(probe, "NOSUCHCOMMAND\n"))
        return found(FINDING_PROBLEM, "it takes no commands");
    Status status = hear(probe, in_ms(ANSWER_WAIT_MS), &reply, &line);
    if (status == STATUS_CRASH)
        return found(FINDING_PROBLEM, "an unknown command ended it");
    return !status && reply.kind == REPLY_UNKNOWN
               ? found(FINDING_OK, "answered with UNKNOWN")
               : found(FINDING_NOTE, "not answered with UNKNOWN");
}

static Finding check_sizes(Probe *probe) {
    static const int SIZES[] = {10, 15, 19, 20};
    char good[64] = "", bad[64] = "";
    for (size_t i = 0; i < ARRAY_LEN(SIZES); i++) {
        ErrorText err;
        if (spawn(probe, &err))
            return found(FINDING_PROBLEM, "%s", err.text);
        gomocup_write_start(&probe->out, SIZES[i], SIZES[i]);
        bool is_ok = send(probe) && !hear_ok(probe, probe->setup->start_ms);
        char *list = is_ok ? good : bad;
        size_t length = strlen(list);
        snprintf(list + length, sizeof good - length, "%s%d", length ? ", " : "", SIZES[i]);
    }
    return bad[0] ? found(FINDING_NOTE, "plays %s, not %s", good[0] ? good : "none", bad)
                  : found(FINDING_OK, "plays %s", good);
}

// A row of four whose fifth cell would, with another stone behind it, make six: a win under
// freestyle only.
static const char *ask_for_five(Probe *probe, Rule rule, bool *takes_six, char *problem,
                                size_t cap) {
    int size = probe->setup->size, y = size / 2;
    if (!begin(probe, size, rule))
        return "it does not start";
    // x: 1 2 3 4 _ 6: the gap at 5 makes six. The other side's stones are far apart, and one closes
    // the row at 0.
    const int own[] = {1, 2, 3, 4, 6};
    for (size_t i = 0; i < ARRAY_LEN(own); i++) {
        int other = i == 0 ? y * size : (i % 2 ? 0 : size - 1) * size + (int)i * 2;
        board_place(&probe->board, (Move)(y * size + own[i]));
        board_place(&probe->board, (Move)other);
    }
    gomocup_write_board(&probe->out, &probe->board, BLACK);
    if (!send(probe))
        return "it takes no commands";
    const char *wrong = hear_move(probe, patience_ms(probe), problem, cap);
    *takes_six = !wrong && board_last_move(&probe->board) == y * size + 5;
    return wrong;
}

static Finding check_rule(Probe *probe, Rule rule) {
    char problem[200];
    bool takes_six = false;
    const char *wrong = ask_for_five(probe, rule, &takes_six, problem, sizeof problem);
    if (wrong)
        return found(FINDING_PROBLEM, "%s", wrong);
    if (takes_six == (rule == RULE_FREESTYLE))
        return found(FINDING_OK,
                     takes_six ? "takes the win by a row of six" : "does not take six for a win");
    return found(FINDING_NOTE, takes_six ? "plays six in a row, no win under this rule"
                                         : "misses the win by a row of six");
}

static Finding check_freestyle(Probe *probe) { return check_rule(probe, RULE_FREESTYLE); }
static Finding check_standard(Probe *probe) { return check_rule(probe, RULE_STANDARD); }

static Finding check_begin(Probe *probe) {
    char problem[200];
    if (!begin(probe, probe->setup->size, RULE_FREESTYLE))
        return found(FINDING_PROBLEM, "it does not start");
    if (!send_text(probe, "BEGIN\n"))
        return found(FINDING_PROBLEM, "it takes no commands");
    return problem_or_ok(hear_move(probe, patience_ms(probe), problem, sizeof problem),
                         "a legal move");
}

// The clock for a move, over several moves.
static Finding check_move_clock(Probe *probe) {
    const EngineCheckSetup *setup = probe->setup;
    char problem[200];
    int64_t longest_us = 0;
    for (int i = 0; i < CLOCK_MOVES; i++) {
        const char *wrong = turn(probe, patience_ms(probe), problem, sizeof problem);
        if (wrong)
            return found(FINDING_PROBLEM, "%s", wrong);
        if (probe->elapsed_us > longest_us)
            longest_us = probe->elapsed_us;
    }
    bool is_late = longest_us > (setup->move_ms + setup->margin_ms) * 1000;
    return found(is_late ? FINDING_PROBLEM : FINDING_OK,
                 "longest of %d moves %lld ms, limit %lld ms", CLOCK_MOVES,
                 (long long)(longest_us / 1000), (long long)setup->move_ms);
}

// Little time left for the match: the limit a move no longer counts.
static Finding check_match_clock(Probe *probe) {
    const EngineCheckSetup *setup = probe->setup;
    int64_t left_ms = setup->move_ms / 2;
    char problem[200];
    gomocup_write_info(&probe->out, "timeout_match", setup->move_ms * 10);
    gomocup_write_info(&probe->out, "time_left", left_ms);
    const char *wrong = turn(probe, patience_ms(probe), problem, sizeof problem);
    if (wrong)
        return found(FINDING_PROBLEM, "%s", wrong);
    bool is_late = probe->elapsed_us > (left_ms + setup->margin_ms) * 1000;
    return found(is_late ? FINDING_PROBLEM : FINDING_OK, "%lld ms with %lld ms left of the match",
                 (long long)(probe->elapsed_us / 1000), (long long)left_ms);
}

static Finding check_idle(Probe *probe) {
    if (!probe->process || process_cpu_ns(probe->process) < 0)
        return found(FINDING_NOTE, "cannot be measured");
    sleep_ms(QUIET_MS);
    int64_t before_ns = process_cpu_ns(probe->process);
    sleep_ms(IDLE_MS);
    int percent = (int)((process_cpu_ns(probe->process) - before_ns) / (IDLE_MS * 10000));
    if (percent >= IDLE_NOTED_PERCENT)
        return found(FINDING_NOTE,
                     "uses %d %% of a core while not on move: suspend: true stops that", percent);
    return found(FINDING_OK, "%d %% of a core while not on move", percent);
}

// A command right behind its move: some engines lose it.
static Finding check_prompt_command(Probe *probe) {
    char problem[200];
    if (!begin(probe, probe->setup->size, RULE_FREESTYLE) || !send_text(probe, "BEGIN\n"))
        return found(FINDING_PROBLEM, "it does not start");
    const char *wrong = hear_move(probe, patience_ms(probe), problem, sizeof problem);
    for (int i = 0; i < 3 && !wrong; i++) {
        int cell = board_is_free(&probe->board, i) ? i : board_cell_count(&probe->board) - 1 - i;
        board_place(&probe->board, (Move)cell);
        gomocup_write_board(&probe->out, &probe->board, probe->board.side);
        wrong = send(probe) ? hear_move(probe, patience_ms(probe), problem, sizeof problem)
                            : "it takes no commands";
    }
    return wrong
               ? found(FINDING_PROBLEM, "BOARD right after its move: %.150s; try gap_ms: 10", wrong)
               : found(FINDING_OK, "BOARD right after its move is heard");
}

typedef struct ListedStone {
    int x, y, field;
} ListedStone;

// Sends a list of stones as it is and waits for a legal move.
static const char *ask_for_board(Probe *probe, const ListedStone *stones, size_t count,
                                 char *problem, size_t cap) {
    if (!begin(probe, probe->setup->size, RULE_FREESTYLE))
        return "it does not start";
    text_append(&probe->out, "BOARD\n");
    for (size_t i = 0; i < count; i++) {
        const ListedStone *stone = &stones[i];
        Move cell = (Move)(stone->y * probe->board.width + stone->x);
        text_printf(&probe->out, "%d,%d,%d\n", stone->x, stone->y, stone->field);
        board_put(&probe->board, cell, stone->field == 1 ? WHITE : BLACK, WHITE);
    }
    text_append(&probe->out, "DONE\n");
    return send(probe) ? hear_move(probe, patience_ms(probe), problem, cap)
                       : "it takes no commands";
}

static Finding check_board(Probe *probe) {
    static const ListedStone STONES[] = {{2, 2, 2}, {3, 3, 1}, {4, 2, 2}, {2, 4, 1}, {3, 2, 2}};
    char problem[200];
    return problem_or_ok(ask_for_board(probe, STONES, ARRAY_LEN(STONES), problem, sizeof problem),
                         "stones in the order of play are understood");
}

static Finding check_board_order(Probe *probe) {
    static const ListedStone STONES[] = {{3, 3, 1}, {2, 4, 1}, {3, 2, 2}, {2, 2, 2}, {4, 2, 2}};
    static const ListedStone OWN_LAST[] = {{4, 2, 2}, {3, 2, 2}, {2, 2, 2}, {2, 4, 1}, {3, 3, 1}};
    char problem[200];
    const char *wrong = ask_for_board(probe, STONES, ARRAY_LEN(STONES), problem, sizeof problem);
    if (!wrong)
        wrong = ask_for_board(probe, OWN_LAST, ARRAY_LEN(OWN_LAST), problem, sizeof problem);
    return wrong ? found(FINDING_NOTE, "only stones in the order of play: %.200s", wrong)
                 : found(FINDING_OK, "stones in any order are understood");
}

static Finding check_restart(Probe *probe) {
    char problem[200];
    if (!begin(probe, probe->setup->size, RULE_FREESTYLE) || !send_text(probe, "BEGIN\n"))
        return found(FINDING_PROBLEM, "it does not start");
    const char *wrong = hear_move(probe, patience_ms(probe), problem, sizeof problem);
    if (wrong)
        return found(FINDING_PROBLEM, "%s", wrong);
    if (!send_text(probe, "RESTART\n") || hear_ok(probe, probe->setup->start_ms))
        return found(FINDING_NOTE,
                     "no OK to RESTART: a new process will be started for every game");
    board_clear(&probe->board);
    if (!send_text(probe, "BEGIN\n"))
        return found(FINDING_PROBLEM, "it takes no commands after RESTART");
    return problem_or_ok(hear_move(probe, patience_ms(probe), problem, sizeof problem),
                         "a new game on the same process");
}

static Finding check_takeback(Probe *probe) {
    if (!probe->process || probe->board.stone_count == 0)
        return found(FINDING_NOTE, "not tried");
    Move last = board_last_move(&probe->board);
    text_printf(&probe->out, "TAKEBACK %d,%d\n", last % probe->board.width,
                last / probe->board.width);
    return send(probe) && !hear_ok(probe, ANSWER_WAIT_MS)
               ? found(FINDING_OK, "answered with OK")
               : found(FINDING_NOTE, "not supported (not needed for matches)");
}

static Finding check_end(Probe *probe) {
    char problem[200];
    if (!begin(probe, probe->setup->size, RULE_FREESTYLE) || !send_text(probe, "BEGIN\n") ||
        hear_move(probe, patience_ms(probe), problem, sizeof problem))
        return found(FINDING_PROBLEM, "it does not play");
    sleep_ms(GAP_MS);
    send_text(probe, "END\n");
    int64_t asked_ns = now_ns(), grace_us = probe->setup->end_ms * 1000;
    process_stop(probe->process, grace_us);
    bool is_late = (now_ns() - asked_ns) / 1000 >= grace_us;
    Text how = {0};
    process_write_exit(probe->process, &how);
    Finding finding = is_late ? found(FINDING_PROBLEM, "still there %lld ms after END",
                                      (long long)probe->setup->end_ms)
                              : found(FINDING_OK, "%s after END", text_cstr(&how));
    text_release(&how);
    return finding;
}

static Finding check_bytes(Probe *probe) {
    if (probe->torn > 0)
        return found(FINDING_NOTE, "%d of %d lines are rests of a MESSAGE with a line end in it",
                     probe->torn, probe->lines);
    if (probe->strange == 0)
        return found(FINDING_OK, "%d lines heard, all of them text", probe->lines);
    return found(FINDING_NOTE, "%d of %d lines are not UTF-8 text: %s", probe->strange,
                 probe->lines, probe->strange_line);
}

static const struct {
    const char *name;
    Finding (*check)(Probe *probe); // in this order; some go on where the one before left off
} CHECKS[] = {
    {"start", check_start},
    {"about", check_about},
    {"info", check_info},
    {"unknown command", check_unknown},
    {"sizes", check_sizes},
    {"rule freestyle", check_freestyle},
    {"rule standard", check_standard},
    {"begin", check_begin},
    {"clock of a move", check_move_clock},
    {"clock of the match", check_match_clock},
    {"idle", check_idle},
    {"prompt command", check_prompt_command},
    {"board", check_board},
    {"board in any order", check_board_order},
    {"restart", check_restart},
    {"takeback", check_takeback},
    {"end", check_end},
    {"output", check_bytes},
};
_Static_assert(ARRAY_LEN(CHECKS) <= ENGINE_CHECK_MAX, "more findings than there is room for");

Status engine_check(const EngineCheckSetup *setup, Finding *findings, int *count, ErrorText *err) {
    Probe probe = {.setup = setup};
    Status status = spawn(&probe, err);
    if (status)
        return status;
    *count = 0;
    for (size_t i = 0; i < ARRAY_LEN(CHECKS); i++) {
        Finding finding = CHECKS[i].check(&probe);
        finding.check = CHECKS[i].name;
        findings[(*count)++] = finding;
        // Without a board nothing else says anything about the engine.
        if (CHECKS[i].check == check_start && finding.kind == FINDING_PROBLEM)
            break;
    }
    stop(&probe, 0);
    text_release(&probe.out);
    return STATUS_OK;
}

const char *finding_kind_name(FindingKind kind) {
    static const char *const NAMES[] = {"ok", "note", "problem"};
    CHECK((unsigned)kind < ARRAY_LEN(NAMES));
    return NAMES[kind];
}
