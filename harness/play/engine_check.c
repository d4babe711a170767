// SPDX-License-Identifier: GPL-3.0-or-later
// The checks of a Gomocup engine, one function each.
#include "harness/play/engine_check.h"

#include "engine/base/check.h"
#include "harness/play/engine_probe.h"

#include <stdio.h>
#include <string.h>

enum {
    QUIET_MS = 150, // how long it is listened for answers that should not come
    IDLE_MS = 300,  // how long the CPU time of an idle engine is watched
    IDLE_NOTED_PERCENT = 10,
    CLOCK_MOVES = 4,
};

static Finding found(FindingKind kind, const char *fmt, ...) PRINTF_LIKE(2, 3);
static Finding found(FindingKind kind, const char *fmt, ...) {
    Finding finding = {.kind = kind};
    va_list args;
    va_start(args, fmt);
    vsnprintf(finding.text, sizeof finding.text, fmt, args);
    va_end(args);
    return finding;
}

static Finding problem_or_ok(const char *problem, const char *ok) {
    return problem ? found(FINDING_PROBLEM, "%s", problem) : found(FINDING_OK, "%s", ok);
}

// ---- the checks

// How it ended, with the last line that it wrote to standard error.
static Finding ended_at_start(EngineProbe *probe) {
    Text how = {0}, words = {0};
    // Ended already, mostly; a moment for the exit status and the last of its standard error.
    process_stop(probe->process, ENGINE_PROBE_WAIT_MS * INT64_C(1000));
    process_write_exit(probe->process, &how);
    process_write_stderr_tail(probe->process, &words);
    char last[ENGINE_PROBE_QUOTED] = "";
    const char *line = text_cstr(&words);
    for (size_t length; *line; line += length + (line[length] != '\0')) {
        length = strcspn(line, "\n");
        if (length > 0)
            process_quote(last, ENGINE_PROBE_QUOTED, line, length);
    }
    Finding finding = found(FINDING_PROBLEM, "it ended at START: %s%s%s", text_cstr(&how),
                            last[0] ? "; standard error: " : "", last);
    text_release(&how);
    text_release(&words);
    return finding;
}

static Finding check_start(EngineProbe *probe) {
    ErrorText err;
    if (engine_probe_spawn(probe, &err)) // it could be, a moment ago
        return found(FINDING_PROBLEM, "%s", err.text);
    // Banners are common, and a seat hears and forgets them: no more than a note.
    int early = engine_probe_listen(probe, QUIET_MS);
    int talk = probe->lines - early;
    gomocup_write_start(&probe->out, probe->setup->size, probe->setup->size);
    int64_t asked_ns = engine_probe_now_ns();
    Status status = engine_probe_send(probe) ? engine_probe_hear_ok(probe, probe->setup->start_ms)
                                             : STATUS_CRASH;
    if (status == STATUS_CRASH)
        return ended_at_start(probe);
    if (status)
        return found(FINDING_PROBLEM, "no OK to START %d within %lld ms%s%s", probe->setup->size,
                     (long long)probe->setup->start_ms, probe->heard[0] ? "; it said: " : "",
                     probe->heard);
    long long ms = (engine_probe_now_ns() - asked_ns) / 1000000;
    if (early > 0 || talk > 0)
        return found(FINDING_NOTE,
                     "OK after %lld ms; %d lines before START, %d of them not MESSAGE or DEBUG", ms,
                     early + talk, early);
    return found(FINDING_OK, "OK after %lld ms", ms);
}

static Finding check_about(EngineProbe *probe) {
    GomocupReply reply;
    ProcessLine line;
    if (!probe->process || !engine_probe_send_text(probe, "ABOUT\n"))
        return found(FINDING_PROBLEM, "it takes no commands");
    if (engine_probe_hear(probe, engine_probe_in_ms(ENGINE_PROBE_WAIT_MS), &reply, &line))
        return found(FINDING_NOTE, "no answer to ABOUT");
    return found(FINDING_OK, "%s", probe->heard);
}

// Two keys that exist and one that does not: an engine that answers or dies of an unknown key
// cannot be told anything new.
static Finding check_info(EngineProbe *probe) {
    if (!engine_probe_send_text(probe,
                                "INFO timeout_turn 1000\nINFO game_type 1\nINFO no_such_key 1\n"))
        return found(FINDING_PROBLEM, "it takes no commands");
    int answers = engine_probe_listen(probe, QUIET_MS);
    return answers ? found(FINDING_NOTE, "%d answers to INFO, which has none: %s", answers,
                           probe->heard)
                   : found(FINDING_OK, "accepted in silence");
}

static Finding check_unknown(EngineProbe *probe) {
    GomocupReply reply;
    ProcessLine line;
    if (!engine_probe_send_text(probe, "NOSUCHCOMMAND\n"))
        return found(FINDING_PROBLEM, "it takes no commands");
    Status status =
        engine_probe_hear(probe, engine_probe_in_ms(ENGINE_PROBE_WAIT_MS), &reply, &line);
    if (status == STATUS_CRASH)
        return found(FINDING_PROBLEM, "an unknown command ended it");
    return !status && reply.kind == REPLY_UNKNOWN
               ? found(FINDING_OK, "answered with UNKNOWN")
               : found(FINDING_NOTE, "not answered with UNKNOWN");
}

// A process each: an engine that refuses one size need not take another afterwards.
static Finding check_sizes(EngineProbe *probe) {
    static const int SIZES[] = {10, 15, 19, 20};
    char good[64] = "", bad[64] = "";
    for (size_t i = 0; i < ARRAY_LEN(SIZES); i++) {
        ErrorText err;
        if (engine_probe_spawn(probe, &err))
            return found(FINDING_PROBLEM, "%s", err.text);
        gomocup_write_start(&probe->out, SIZES[i], SIZES[i]);
        bool is_ok =
            engine_probe_send(probe) && !engine_probe_hear_ok(probe, probe->setup->start_ms);
        char *list = is_ok ? good : bad;
        size_t length = strlen(list);
        snprintf(list + length, sizeof good - length, "%s%d", length ? ", " : "", SIZES[i]);
    }
    return bad[0] ? found(FINDING_NOTE, "plays %s, not %s", good[0] ? good : "none", bad)
                  : found(FINDING_OK, "plays %s", good);
}

// A row of four whose fifth cell would, with another stone behind it, make six: a win under
// freestyle only.
static const char *ask_for_five(EngineProbe *probe, Rule rule, bool *takes_six, char *problem,
                                size_t cap) {
    int size = probe->setup->size, y = size / 2;
    if (!engine_probe_begin(probe, size, rule))
        return "it does not start";
    // x: 1 2 3 4 _ 6: the gap at 5 makes six. The other side's stones are far apart, and one closes
    // the row at 0.
    const int own[] = {1, 2, 3, 4, 6};
    for (size_t i = 0; i < ARRAY_LEN(own); i++) {
        // As many stones for the other side as for the engine, on both edges and never two
        // neighbours in a row.
        int other = i == 0 ? y * size : (i % 2 ? 0 : size - 1) * size + (int)i * 2;
        board_place(&probe->board, (Move)(y * size + own[i]));
        board_place(&probe->board, (Move)other);
    }
    // The engine has black: it has as many stones as the other side, and is to move.
    gomocup_write_board(&probe->out, &probe->board, BLACK);
    if (!engine_probe_send(probe))
        return "it takes no commands";
    const char *wrong =
        engine_probe_hear_move(probe, engine_probe_patience_ms(probe), problem, cap);
    *takes_six = !wrong && board_last_move(&probe->board) == y * size + 5;
    return wrong;
}

static Finding check_rule(EngineProbe *probe, Rule rule) {
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

static Finding check_freestyle(EngineProbe *probe) { return check_rule(probe, RULE_FREESTYLE); }
static Finding check_standard(EngineProbe *probe) { return check_rule(probe, RULE_STANDARD); }

static Finding check_begin(EngineProbe *probe) {
    char problem[200];
    if (!engine_probe_begin(probe, probe->setup->size, RULE_FREESTYLE))
        return found(FINDING_PROBLEM, "it does not start");
    if (!engine_probe_send_text(probe, "BEGIN\n"))
        return found(FINDING_PROBLEM, "it takes no commands");
    return problem_or_ok(
        engine_probe_hear_move(probe, engine_probe_patience_ms(probe), problem, sizeof problem),
        "a legal move");
}

// The clock for a move, over several moves.
// Goes on with the game that check_begin has begun.
static Finding check_move_clock(EngineProbe *probe) {
    const EngineCheckSetup *setup = probe->setup;
    char problem[200];
    int64_t longest_us = 0;
    for (int i = 0; i < CLOCK_MOVES; i++) {
        const char *wrong =
            engine_probe_turn(probe, engine_probe_patience_ms(probe), problem, sizeof problem);
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
static Finding check_match_clock(EngineProbe *probe) {
    const EngineCheckSetup *setup = probe->setup;
    // Less than a move may take: an engine that looks at its limit a move only overruns it.
    int64_t left_ms = setup->move_ms / 2;
    char problem[200];
    gomocup_write_info(&probe->out, "timeout_match", setup->move_ms * 10);
    gomocup_write_info(&probe->out, "time_left", left_ms);
    const char *wrong =
        engine_probe_turn(probe, engine_probe_patience_ms(probe), problem, sizeof problem);
    if (wrong)
        return found(FINDING_PROBLEM, "%s", wrong);
    bool is_late = probe->elapsed_us > (left_ms + setup->margin_ms) * 1000;
    return found(is_late ? FINDING_PROBLEM : FINDING_OK, "%lld ms with %lld ms left of the match",
                 (long long)(probe->elapsed_us / 1000), (long long)left_ms);
}

static Finding check_idle(EngineProbe *probe) {
    if (!probe->process || process_cpu_ns(probe->process) < 0)
        return found(FINDING_NOTE, "cannot be measured");
    // What it still does right after its move is not counted.
    engine_probe_sleep_ms(QUIET_MS);
    int64_t before_ns = process_cpu_ns(probe->process);
    engine_probe_sleep_ms(IDLE_MS);
    // Nanoseconds of CPU / (ms of waiting * 10^6) * 100; more than 100 with several threads.
    int percent = (int)((process_cpu_ns(probe->process) - before_ns) / (IDLE_MS * 10000));
    if (percent >= IDLE_NOTED_PERCENT)
        return found(FINDING_NOTE,
                     "uses %d %% of a core while not on move: suspend: true stops that", percent);
    return found(FINDING_OK, "%d %% of a core while not on move", percent);
}

// A command right behind its move: some engines lose it.
// No gap here, unlike engine_probe_turn: three times, since it is a race that an engine may win now
// and then.
static Finding check_prompt_command(EngineProbe *probe) {
    char problem[200];
    if (!engine_probe_begin(probe, probe->setup->size, RULE_FREESTYLE) ||
        !engine_probe_send_text(probe, "BEGIN\n"))
        return found(FINDING_PROBLEM, "it does not start");
    const char *wrong =
        engine_probe_hear_move(probe, engine_probe_patience_ms(probe), problem, sizeof problem);
    for (int i = 0; i < 3 && !wrong; i++) {
        int cell = board_is_free(&probe->board, i) ? i : board_cell_count(&probe->board) - 1 - i;
        board_place(&probe->board, (Move)cell);
        gomocup_write_board(&probe->out, &probe->board, probe->board.side);
        wrong = engine_probe_send(probe)
                    ? engine_probe_hear_move(probe, engine_probe_patience_ms(probe), problem,
                                             sizeof problem)
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
static const char *ask_for_board(EngineProbe *probe, const ListedStone *stones, size_t count,
                                 char *problem, size_t cap) {
    if (!engine_probe_begin(probe, probe->setup->size, RULE_FREESTYLE))
        return "it does not start";
    text_append(&probe->out, "BOARD\n");
    for (size_t i = 0; i < count; i++) {
        const ListedStone *stone = &stones[i];
        Move cell = (Move)(stone->y * probe->board.width + stone->x);
        text_printf(&probe->out, "%d,%d,%d\n", stone->x, stone->y, stone->field);
        board_put(&probe->board, cell, stone->field == 1 ? WHITE : BLACK, WHITE);
    }
    text_append(&probe->out, "DONE\n");
    return engine_probe_send(probe)
               ? engine_probe_hear_move(probe, engine_probe_patience_ms(probe), problem, cap)
               : "it takes no commands";
}

static Finding check_board(EngineProbe *probe) {
    static const ListedStone STONES[] = {{2, 2, 2}, {3, 3, 1}, {4, 2, 2}, {2, 4, 1}, {3, 2, 2}};
    char problem[200];
    return problem_or_ok(ask_for_board(probe, STONES, ARRAY_LEN(STONES), problem, sizeof problem),
                         "stones in the order of play are understood");
}

static Finding check_board_order(EngineProbe *probe) {
    // The protocol lets a manager list stones in any order, but under renju. Both orders by colour
    // are tried: some engines take the last stone for the opponent's move.
    static const ListedStone STONES[] = {{3, 3, 1}, {2, 4, 1}, {3, 2, 2}, {2, 2, 2}, {4, 2, 2}};
    static const ListedStone OWN_LAST[] = {{4, 2, 2}, {3, 2, 2}, {2, 2, 2}, {2, 4, 1}, {3, 3, 1}};
    char problem[200];
    const char *wrong = ask_for_board(probe, STONES, ARRAY_LEN(STONES), problem, sizeof problem);
    if (!wrong)
        wrong = ask_for_board(probe, OWN_LAST, ARRAY_LEN(OWN_LAST), problem, sizeof problem);
    return wrong ? found(FINDING_NOTE, "only stones in the order of play: %.200s", wrong)
                 : found(FINDING_OK, "stones in any order are understood");
}

static Finding check_restart(EngineProbe *probe) {
    char problem[200];
    if (!engine_probe_begin(probe, probe->setup->size, RULE_FREESTYLE) ||
        !engine_probe_send_text(probe, "BEGIN\n"))
        return found(FINDING_PROBLEM, "it does not start");
    const char *wrong =
        engine_probe_hear_move(probe, engine_probe_patience_ms(probe), problem, sizeof problem);
    if (wrong)
        return found(FINDING_PROBLEM, "%s", wrong);
    if (!engine_probe_send_text(probe, "RESTART\n") ||
        engine_probe_hear_ok(probe, probe->setup->start_ms))
        return found(FINDING_NOTE,
                     "no OK to RESTART: a new process will be started for every game");
    board_clear(&probe->board);
    if (!engine_probe_send_text(probe, "BEGIN\n"))
        return found(FINDING_PROBLEM, "it takes no commands after RESTART");
    return problem_or_ok(
        engine_probe_hear_move(probe, engine_probe_patience_ms(probe), problem, sizeof problem),
        "a new game on the same process");
}

// Behind check_restart, whose board holds the engine's one stone.
static Finding check_takeback(EngineProbe *probe) {
    if (!probe->process || probe->board.stone_count == 0)
        return found(FINDING_NOTE, "not tried");
    Move last = board_last_move(&probe->board);
    text_printf(&probe->out, "TAKEBACK %d,%d\n", last % probe->board.width,
                last / probe->board.width);
    return engine_probe_send(probe) && !engine_probe_hear_ok(probe, ENGINE_PROBE_WAIT_MS)
               ? found(FINDING_OK, "answered with OK")
               : found(FINDING_NOTE, "not supported (not needed for matches)");
}

static Finding check_end(EngineProbe *probe) {
    char problem[200];
    if (!engine_probe_begin(probe, probe->setup->size, RULE_FREESTYLE) ||
        !engine_probe_send_text(probe, "BEGIN\n") ||
        engine_probe_hear_move(probe, engine_probe_patience_ms(probe), problem, sizeof problem))
        return found(FINDING_PROBLEM, "it does not play");
    engine_probe_sleep_ms(ENGINE_PROBE_GAP_MS);
    engine_probe_send_text(probe, "END\n");
    int64_t asked_ns = engine_probe_now_ns(), grace_us = probe->setup->end_ms * 1000;
    process_stop(probe->process, grace_us);
    // process_stop returns as soon as it has ended, else when the grace is over.
    bool is_late = (engine_probe_now_ns() - asked_ns) / 1000 >= grace_us;
    Text how = {0};
    process_write_exit(probe->process, &how);
    Finding finding = is_late ? found(FINDING_PROBLEM, "still there %lld ms after END",
                                      (long long)probe->setup->end_ms)
                              : found(FINDING_OK, "%s after END", text_cstr(&how));
    text_release(&how);
    return finding;
}

static Finding check_bytes(EngineProbe *probe) {
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
    Finding (*check)(EngineProbe *probe); // in this order; some go on where the one before left off
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
    EngineProbe probe = {.setup = setup};
    Status status = engine_probe_spawn(&probe, err);
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
    engine_probe_stop(&probe, 0);
    text_release(&probe.out);
    return STATUS_OK;
}

const char *finding_kind_name(FindingKind kind) {
    static const char *const NAMES[] = {"ok", "note", "problem"};
    CHECK((unsigned)kind < ARRAY_LEN(NAMES));
    return NAMES[kind];
}
