// SPDX-License-Identifier: GPL-3.0-or-later
// The engine's side of the protocol, line by line, without pipes.
#include "engine/base/check.h"
#include "engine/base/text.h"
#include "engine/board/pattern_table.h"
#include "engine/proto/brain.h"
#include "engine/proto/brain_time.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct Talk {
    Brain *brain;
    Text said;
    int64_t now_ns;  // of a clock that stands still unless moved
    int64_t step_ns; // or goes on by this at every look
} Talk;

static int64_t read_clock(void *ctx) {
    Talk *talk = ctx;
    return talk->now_ns += talk->step_ns;
}

static void hear(void *ctx, const char *bytes, size_t count) {
    text_append_bytes(&((Talk *)ctx)->said, bytes, count);
}

static KnobSet small_player(const char *depth) {
    KnobSet knobs = knob_defaults();
    ErrorText err;
    assert_int_equal(knob_set_text(&knobs, "search.depth", depth, &err), STATUS_OK);
    return knobs;
}

static void talk_init_depth(Talk *talk, const char *depth) {
    ErrorText err;
    KnobSet knobs = small_player(depth);
    memset(talk, 0, sizeof *talk);
    BrainSetup setup = {.knobs = &knobs,
                        .name = "small",
                        .version = "1",
                        .clock = {read_clock, talk},
                        .margin_ms = -1,
                        .write = hear,
                        .ctx = talk};
    assert_int_equal(brain_new(&setup, &talk->brain, &err), STATUS_OK);
}

static void talk_init(Talk *talk) { talk_init_depth(talk, "2"); }

static void talk_release(Talk *talk) {
    brain_free(talk->brain);
    text_release(&talk->said);
}

// Sends lines separated by '\n' and returns all that was said, valid until the next call.
static const char *send(Talk *talk, const char *lines) {
    text_clear(&talk->said);
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        brain_line(talk->brain, lines, length, talk->now_ns);
        lines += length + (lines[length] == '\n');
    }
    return text_cstr(&talk->said);
}

// The last line said, as a move; fails when it is none.
static void expect_move(const char *said, int *x, int *y) {
    const char *line = strstr(said, "\n");
    if (strncmp(said, "MESSAGE depth ", 14) != 0 || !line || sscanf(line + 1, "%d,%d", x, y) != 2)
        fail_msg("no move: %s", said);
}

static void test_brain__answers_what_the_protocol_says(void **state) {
    (void)state;
    static const struct {
        const char *lines, *said;
    } CASES[] = {
        {"START 15", "OK\n"},
        {"START 5", "OK\n"},
        {"START 20", "OK\n"},
        {"start 15", "OK\n"},
        {"RECTSTART 20,10", "OK\n"},
        {"START 4", "ERROR unsupported size: sides of 5 to 22 are played\n"},
        {"START 99", "ERROR unsupported size: sides of 5 to 22 are played\n"},
        {"START", "ERROR expected START size\n"},
        {"START x", "ERROR expected START size\n"},
        {"BEGIN", "ERROR no board yet: START comes first\n"},
        {"RESTART", "ERROR no board yet: START comes first\n"},
        {"TURN 7,7", "ERROR no board yet: START comes first\n"},
        {"", ""},
        {"   ", ""},
        {"FOO", "UNKNOWN command\n"},
        {"SWAP2BOARD", "UNKNOWN command\n"},
        {"DONE", "UNKNOWN command\n"},
        {"7,7,1", "UNKNOWN command\n"},
        {"\xff\xfe\x01", "UNKNOWN command\n"},
        {"INFO rule 1\nINFO nonsense 5\nINFO\nINFO timeout_turn x", ""},
        {"INFO rule 4\nSTART 15",
         "ERROR unsupported rule: 0 (freestyle) and 1 (exactly five) are played\n"},
        {"START 15\nINFO rule 4\nBEGIN",
         "OK\nERROR unsupported rule: 0 (freestyle) and 1 (exactly five) are played\n"},
        {"INFO rule 2\nSTART 15", "MESSAGE rule: the bit of continuous games, 2, is ignored\nOK\n"},
        {"START 15\nINFO rule 3\nRESTART",
         "OK\nMESSAGE rule: the bit of continuous games, 2, is ignored\nOK\n"},
        {"INFO rule 6\nSTART 15",
         "MESSAGE rule: the bit of continuous games, 2, is ignored\n"
         "ERROR unsupported rule: 0 (freestyle) and 1 (exactly five) are played\n"},
        {"INFO rule -2\nSTART 15",
         "ERROR unsupported rule: 0 (freestyle) and 1 (exactly five) are played\n"},
        {"INFO max_memory 1000\nSTART 15\nSTART 15",
         "ERROR max_memory is too small: 16 MiB are needed\nOK\n"},
        {"INFO max_memory 0\nSTART 15", "OK\n"},
        {"START 15\nRESTART\nYXSTOP\nSTOP", "OK\nOK\n"},
        {"START 15\nTURN 15,0", "OK\nERROR outside the board\n"},
        {"START 15\nTURN -1,0", "OK\nERROR outside the board\n"},
        {"START 15\nTURN 7", "OK\nERROR expected x,y\n"},
        {"START 15\nTAKEBACK 7,7", "OK\nERROR no stone there\n"},
        {"START 15\nBOARD\n7,7,1\n7,7,2\nDONE", "OK\nERROR BOARD: 7,7 twice\n"},
        {"START 15\nBOARD\n7,7,3\nDONE",
         "OK\nERROR BOARD: field 3: expected 1 (own) or 2 (opponent)\n"},
        {"START 15\nBOARD\n7,77,1\nDONE", "OK\nERROR BOARD: 7,77 is outside the board\n"},
        {"START 15\nBOARD\nnonsense\nDONE", "OK\nERROR BOARD: expected x,y,field\n"},
        {"START 15\nYXBOARD\n7,7,1\nDONE\nTAKEBACK 7,7", "OK\nOK\n"},
        {"ABOUT", "name=\"small\", version=\"1\", author=\"gomolab\", country=\"-\", www=\"-\"\n"},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        Talk talk;
        talk_init(&talk);
        const char *said = send(&talk, CASES[i].lines);
        if (strcmp(said, CASES[i].said) != 0)
            fail_msg("'%s' was answered with '%s', want '%s'", CASES[i].lines, said, CASES[i].said);
        talk_release(&talk);
    }
}

static void test_brain__plays_a_game(void **state) {
    (void)state;
    Talk talk;
    int x, y;
    talk_init(&talk);
    assert_string_equal(send(&talk, "START 15"), "OK\n");
    expect_move(send(&talk, "BEGIN"), &x, &y);
    assert_int_equal(x, 7);
    assert_int_equal(y, 7);
    assert_string_equal(send(&talk, "BEGIN"), "ERROR BEGIN is for the empty board\n");
    assert_string_equal(send(&talk, "TURN 7,7"), "ERROR there is a stone already\n");
    expect_move(send(&talk, "TURN 8,8"), &x, &y);
    // Four in a row of ours: it must make five, wherever the stones are in the list.
    expect_move(send(&talk, "BOARD\n0,0,2\n3,7,1\n1,0,2\n4,7,1\n14,3,2\n5,7,1\n9,9,2\n6,7,1\nDONE"),
                &x, &y);
    assert_int_equal(y, 7);
    assert_true(x == 2 || x == 7);
    assert_string_equal(send(&talk, "TURN 0,1"), "ERROR no move: the game is over\n");
    assert_false(brain_line(talk.brain, "END", 3, 0));
    talk_release(&talk);
}

// The same position said in any order, with colours in any order, is the same position.
static void test_brain__board_in_any_order(void **state) {
    (void)state;
    static const char *const ORDERS[] = {
        "BOARD\n7,7,2\n8,8,1\n6,7,2\n5,7,1\n7,6,2\nDONE",
        "BOARD\n7,6,2\n6,7,2\n7,7,2\n5,7,1\n8,8,1\nDONE",
        "board\n8,8,1\n5,7,1\n 7 , 7 , 2 \n\n6,7,2\n7,6,2\ndone",
    };
    char first[512] = "";
    for (size_t i = 0; i < ARRAY_LEN(ORDERS); i++) {
        Talk talk;
        talk_init(&talk);
        send(&talk, "START 15");
        const char *said = send(&talk, ORDERS[i]);
        if (i == 0)
            snprintf(first, sizeof first, "%s", said);
        const char *move = strchr(said, '\n'), *want = strchr(first, '\n');
        assert_non_null(move);
        assert_string_equal(move, want);
        talk_release(&talk);
    }
    // Numbers of stones that no game leads to are played all the same.
    Talk talk;
    int x, y;
    talk_init(&talk);
    send(&talk, "START 15");
    expect_move(send(&talk, "BOARD\n7,7,2\n7,8,2\n7,9,2\nDONE"), &x, &y);
    expect_move(send(&talk, "BOARD\n7,7,1\nDONE"), &x, &y);
    expect_move(send(&talk, "BOARD\nDONE"), &x, &y);
    // A manager that gives up on BOARD is heard.
    assert_string_equal(send(&talk, "BOARD\n7,7,2\nRESTART"), "OK\n");
    talk_release(&talk);
}

// TAKEBACK and TURN lead to the answer that the position alone leads to.
static void test_brain__takeback(void **state) {
    (void)state;
    Talk talk, fresh;
    int x, y, want_x, want_y;
    char line[64];
    talk_init(&talk);
    send(&talk, "START 15");
    expect_move(send(&talk, "TURN 7,7"), &x, &y);
    snprintf(line, sizeof line, "TAKEBACK %d,%d\nTAKEBACK 7,7", x, y);
    assert_string_equal(send(&talk, line), "OK\nOK\n");
    expect_move(send(&talk, "BEGIN"), &x, &y);
    assert_int_equal(x, 7);
    // Not the last stone.
    send(&talk, "RESTART");
    send(&talk, "YXBOARD\n7,7,2\n8,8,1\n3,3,2\nDONE");
    assert_string_equal(send(&talk, "TAKEBACK 7,7"), "OK\n");
    expect_move(send(&talk, "TURN 6,6"), &x, &y);
    talk_init(&fresh);
    send(&fresh, "START 15");
    expect_move(send(&fresh, "BOARD\n8,8,1\n3,3,2\n6,6,2\nDONE"), &want_x, &want_y);
    assert_int_equal(x, want_x);
    assert_int_equal(y, want_y);
    talk_release(&talk);
    talk_release(&fresh);
}

static void test_brain__rules_and_limits(void **state) {
    (void)state;
    Talk talk;
    int x, y;
    talk_init(&talk);
    // Under the standard rule six is no win: with stones at both ends of the four, the five at 5
    // would be six.
    send(&talk, "START 15\nINFO rule 1");
    expect_move(send(&talk, "BOARD\n0,7,1\n1,14,2\n1,7,1\n3,14,2\n2,7,1\n5,14,2\n3,7,1\n7,14,2\n5,"
                            "7,1\n9,14,2\nDONE"),
                &x, &y);
    assert_false(x == 4 && y == 7);
    send(&talk, "RESTART\nINFO rule 0");
    expect_move(send(&talk, "BOARD\n0,7,1\n1,14,2\n1,7,1\n3,14,2\n2,7,1\n5,14,2\n3,7,1\n7,14,2\n5,"
                            "7,1\n9,14,2\nDONE"),
                &x, &y);
    assert_true(x == 4 && y == 7);
    // Depth and nodes of the manager act below the player's own.
    send(&talk, "RESTART\nINFO max_depth 1");
    const char *said = send(&talk, "BOARD\n7,7,2\n8,8,1\n6,7,2\nDONE");
    assert_non_null(strstr(said, "MESSAGE depth 1 "));
    send(&talk, "RESTART\nINFO max_depth 40");
    said = send(&talk, "BOARD\n7,7,2\n8,8,1\n6,7,2\nDONE");
    assert_non_null(strstr(said, "MESSAGE depth 2 "));
    talk_release(&talk);
}

// The tables of a rule take up to a second: they are made at START, when no move is due, also for a
// rule that is told later. (Each size of board has its own, so no other test has made these.)
static void test_brain__a_rule_told_late_costs_no_move_time(void **state) {
    (void)state;
    Talk talk;
    talk_init_depth(&talk, "1");
    assert_false(pattern_table_is_made(RULE_FREESTYLE, 18));
    send(&talk, "START 18");
    assert_true(pattern_table_is_made(RULE_FREESTYLE, 18));
    assert_true(pattern_table_is_made(RULE_STANDARD, 18));
    talk_release(&talk);
    talk_init_depth(&talk, "1"); // told early: the other tables are not needed
    send(&talk, "INFO rule 1\nSTART 17");
    assert_true(pattern_table_is_made(RULE_STANDARD, 17));
    assert_false(pattern_table_is_made(RULE_FREESTYLE, 17));
    talk_release(&talk);
}

static void test_brain__time_budget(void **state) {
    (void)state;
    static const struct {
        BrainTime time;
        int stones;
        int64_t margin_ms, low, high;
    } CASES[] = {
        {{-1, -1, INT64_MAX, 0, 0}, 0, -1, 0, 0}, // never said: no limit
        {{100000000, 100000000, 100000000, 0, 0}, 0, -1, 0, 0},
        {{0, 0, INT32_MAX, 0, 0}, 0, -1, 1, 1}, // at once
        {{100, 0, INT32_MAX, 0, 0}, 0, -1, 60, 80},
        {{1000, 0, 0, 0, 0}, 0, -1, 900, 950}, // a match without limit, time_left means nothing
        {{10, -1, INT64_MAX, 0, 0}, 0, -1, 5, 9},
        {{1, -1, INT64_MAX, 0, 0}, 0, -1, 1, 1},
        {{100, 0, INT32_MAX, 0, 5}, 0, -1, 50, 60}, // a loaded machine
        {{1000, 0, INT32_MAX, 0, 900}, 0, -1, 500, 500},
        {{100, 0, INT32_MAX, 0, 5}, 0, 0, 100, 100}, // a margin of our choice
        {{100, 0, INT32_MAX, 0, 0}, 0, 500, 1, 1},
        {{30000, 180000, 180000, 0, 0}, 2, -1, 4000, 9000}, // Gomocup's usual clock
        {{30000, 180000, 3000, 0, 0}, 60, -1, 100, 400},
        {{30000, 180000, 30, 0, 0}, 60, -1, 1, 15},
        {{30000, 180000, -5, 0, 0}, 60, -1, 1, 1},
        {{-1, 180000, 180000, 1000, 0}, 100, -1, 5000, 20000},
        {{-1, 60000, 60000, 0, 0}, 224, -1, 1, 58000}, // the last cell
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        int64_t budget =
            brain_time_budget_ms(&CASES[i].time, CASES[i].stones, 225, CASES[i].margin_ms);
        if (budget < CASES[i].low || budget > CASES[i].high)
            fail_msg("case %zu: %lld ms", i, (long long)budget);
    }
    // A match never runs out, however long the game.
    BrainTime time = {30000, 180000, 180000, 0, 0};
    for (int stones = 0; stones < 225; stones += 2) {
        int64_t budget = brain_time_budget_ms(&time, stones, 225, -1);
        assert_true(budget <= 30000 && budget >= 1);
        time.left_ms -= budget;
        assert_true(time.left_ms > 0);
    }
}

// Whoever waits for its turn at the end of a search does so before and after it, too.
static void test_brain__late_searches_leave_more_time(void **state) {
    (void)state;
    Talk talk;
    talk_init_depth(&talk, "6");
    send(&talk, "INFO rule 0\nSTART 15\nINFO timeout_turn 200\nINFO timeout_match 0");
    static const char *const MOVES[] = {"TURN 7,7", "TURN 0,2", "TURN 2,5"};
    int64_t spent_ms[ARRAY_LEN(MOVES)];
    for (size_t move = 0; move < ARRAY_LEN(MOVES); move++) {
        talk.step_ns = 30000000; // 160 ms are aimed at: six looks at the clock
        int64_t began_ns = talk.now_ns;
        send(&talk, MOVES[move]);
        spent_ms[move] = (talk.now_ns - began_ns) / 1000000;
        talk.step_ns = 0;
    }
    assert_in_range(spent_ms[0], 160, 300);
    assert_true(spent_ms[1] < spent_ms[0]);
    assert_true(spent_ms[2] < spent_ms[0]);
    talk_release(&talk);
}

// Fresh memory or a busy machine can make a node take a hundred times as long as usual: the clock
// is then read more often than every so many nodes.
static void test_brain__slow_nodes_end_in_time(void **state) {
    (void)state;
    Talk talk;
    talk_init_depth(&talk, "8");
    send(&talk, "INFO rule 0\nSTART 15\nINFO timeout_turn 200\nINFO timeout_match 0");
    talk.step_ns = 3000000; // a look at the clock finds that 3 ms have passed
    send(&talk, "TURN 7,7");
    // Some fifty looks; with 1024 nodes between two of them there would be fifty thousand nodes.
    const char *nodes = strstr(text_cstr(&talk.said), " nodes ");
    assert_non_null(nodes);
    assert_true(strtol(nodes + strlen(" nodes "), NULL, 10) < 2000);
    talk_release(&talk);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_brain__answers_what_the_protocol_says),
        cmocka_unit_test(test_brain__plays_a_game),
        cmocka_unit_test(test_brain__board_in_any_order),
        cmocka_unit_test(test_brain__takeback),
        cmocka_unit_test(test_brain__rules_and_limits),
        cmocka_unit_test(test_brain__a_rule_told_late_costs_no_move_time),
        cmocka_unit_test(test_brain__time_budget),
        cmocka_unit_test(test_brain__slow_nodes_end_in_time),
        cmocka_unit_test(test_brain__late_searches_leave_more_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
