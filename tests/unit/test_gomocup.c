// SPDX-License-Identifier: GPL-3.0-or-later
// The text of the protocol: replies as engines really write them, commands there and back.
#include "engine/base/check.h"
#include "engine/proto/gomocup.h"
#include "engine/proto/search_talk.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_gomocup__replies_are_told_apart(void **state) {
    (void)state;
    static const struct {
        const char *line;
        GomocupReplyKind kind;
        int x, y;
    } CASES[] = {
        {"", REPLY_BLANK, 0, 0},
        {" \t ", REPLY_BLANK, 0, 0},
        {"OK", REPLY_OK, 0, 0},
        {"ok", REPLY_OK, 0, 0},
        {"OK - everything is good", REPLY_OK, 0, 0},
        {"  OK  ", REPLY_OK, 0, 0},
        {"ERROR unsupported size", REPLY_ERROR, 0, 0},
        {"unknown command", REPLY_UNKNOWN, 0, 0},
        {"MESSAGE 7,7", REPLY_MESSAGE, 0, 0},
        {"Debug x", REPLY_DEBUG, 0, 0},
        {"INFO DEPTH 3", REPLY_INFO, 0, 0},
        {"SUGGEST 3,4", REPLY_SUGGEST, 3, 4},
        {"suggest  3 , 4 ", REPLY_SUGGEST, 3, 4},
        {"SUGGEST nothing", REPLY_MESSAGE, 0, 0},
        {"7,8", REPLY_MOVE, 7, 8},
        {"  7,8\t ", REPLY_MOVE, 7, 8},
        {"7 , 8", REPLY_MOVE, 7, 8},
        {"0,0", REPLY_MOVE, 0, 0},
        {"-4,-4", REPLY_MOVE, -4, -4},
        {"007,+8", REPLY_MOVE, 7, 8},
        {"7,8 9,9", REPLY_TEXT, 0, 0},
        {"7,8,1", REPLY_TEXT, 0, 0},
        {"7,8;", REPLY_TEXT, 0, 0},
        {"7,", REPLY_TEXT, 0, 0},
        {",8", REPLY_TEXT, 0, 0},
        {"7 8", REPLY_TEXT, 0, 0},
        {"7.8", REPLY_TEXT, 0, 0},
        {"h8", REPLY_TEXT, 0, 0},
        {"\xbd\xda\xff", REPLY_TEXT, 0, 0},
        {"I resign", REPLY_TEXT, 0, 0},
        {"--7,8", REPLY_TEXT, 0, 0},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        GomocupReply reply = gomocup_read_reply(CASES[i].line, strlen(CASES[i].line));
        if (reply.kind != CASES[i].kind)
            fail_msg("'%s': kind %d, want %d", CASES[i].line, reply.kind, CASES[i].kind);
        if (reply.kind == REPLY_MOVE || reply.kind == REPLY_SUGGEST) {
            assert_int_equal(reply.x, CASES[i].x);
            assert_int_equal(reply.y, CASES[i].y);
        }
    }
    GomocupReply reply = gomocup_read_reply("MESSAGE  hello you ", 19);
    assert_int_equal(reply.length, 9);
    assert_memory_equal(reply.text, "hello you", 9);
    // Numbers beyond every board stay beyond it.
    reply = gomocup_read_reply("99999999999999999999,-99999999999999999999", 42);
    assert_int_equal(reply.kind, REPLY_MOVE);
    assert_true(reply.x > 1000000 && reply.y < -1000000);
    // A line is as long as it says, not as its NUL.
    reply = gomocup_read_reply("7,8\0junk", 8);
    assert_int_equal(reply.kind, REPLY_TEXT);
}

static void test_gomocup__commands_are_built(void **state) {
    (void)state;
    Text out = {0};
    ErrorText err;
    static Board board;
    assert_int_equal(board_init(&board, 20, 15, 5, RULE_FREESTYLE, 2, &err), STATUS_OK);
    board_place(&board, 19);          // 19,0
    board_place(&board, 14 * 20 + 3); // 3,14
    gomocup_write_start(&out, 15, 15);
    gomocup_write_start(&out, 20, 15);
    gomocup_write_info(&out, "time_left", -3);
    gomocup_write_turn(&out, &board, 14 * 20 + 3);
    gomocup_write_play(&out, 0, 10);
    gomocup_write_board(&out, &board, WHITE);
    assert_string_equal(text_cstr(&out),
                        "START 15\nRECTSTART 20,15\nINFO time_left -3\nTURN 3,14\nPLAY 0,10\n"
                        "BOARD\n19,0,2\n3,14,1\nDONE\n");
    text_release(&out);
}

static void test_gomocup__commands_are_read(void **state) {
    (void)state;
    static const struct {
        const char *line;
        GomocupVerb verb;
        int count, a, b, c;
        bool is_clean;
    } CASES[] = {
        {"START 15", VERB_START, 1, 15, 0, 0, true},
        {"start\t20 ", VERB_START, 1, 20, 0, 0, true},
        {"START", VERB_START, 0, 0, 0, 0, true},
        {"START 15 x", VERB_START, 1, 15, 0, 0, false},
        {"STARTS 15", VERB_UNKNOWN, 0, 0, 0, 0, false},
        {"RECTSTART 20,15", VERB_RECTSTART, 2, 20, 15, 0, true},
        {"Restart", VERB_RESTART, 0, 0, 0, 0, true},
        {"BEGIN", VERB_BEGIN, 0, 0, 0, 0, true},
        {"TURN 7, 8", VERB_TURN, 2, 7, 8, 0, true},
        {"TURN 7", VERB_TURN, 1, 7, 0, 0, true},
        {"TAKEBACK 1,2", VERB_TAKEBACK, 2, 1, 2, 0, true},
        {"BOARD", VERB_BOARD, 0, 0, 0, 0, true},
        {"7,8,2", VERB_STONE, 3, 7, 8, 2, true},
        {"7,8,2,9", VERB_STONE, 3, 7, 8, 2, false},
        {"DONE", VERB_DONE, 0, 0, 0, 0, true},
        {"YXBOARD", VERB_YXBOARD, 0, 0, 0, 0, true},
        {"yxstop", VERB_STOP, 0, 0, 0, 0, true},
        {"STOP", VERB_STOP, 0, 0, 0, 0, true},
        {"ABOUT", VERB_ABOUT, 0, 0, 0, 0, true},
        {"END\r", VERB_END, 0, 0, 0, 0, true},
        {"", VERB_BLANK, 0, 0, 0, 0, true},
        {"SWAP2BOARD", VERB_UNKNOWN, 0, 0, 0, 0, false},
        {"\xff\xfe", VERB_UNKNOWN, 0, 0, 0, 0, false},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        GomocupCommand command = gomocup_read_command(CASES[i].line, strlen(CASES[i].line));
        const int want[] = {CASES[i].a, CASES[i].b, CASES[i].c};
        if (command.verb != CASES[i].verb || command.count != CASES[i].count ||
            command.is_clean != CASES[i].is_clean)
            fail_msg("'%s': verb %d, %d numbers, clean %d", CASES[i].line, command.verb,
                     command.count, command.is_clean);
        for (int n = 0; n < command.count; n++)
            assert_int_equal(command.number[n], want[n]);
    }
    GomocupCommand command = gomocup_read_command("info  Time_Left   -12 ", 22);
    assert_int_equal(command.verb, VERB_INFO);
    assert_string_equal(command.key, "time_left");
    assert_string_equal(command.text, "-12");
    command = gomocup_read_command("INFO a_key_that_is_much_too_long_to_be_one_of_ours 1", 52);
    assert_string_equal(command.key, "");
}

// What each family writes, word for word.
static void test_search_talk__families(void **state) {
    (void)state;
    static const struct {
        const char *line;
        unsigned known;
        int depth, seldepth;
        uint64_t nodes;
        double value, speed;
    } CASES[] = {
        {"MESSAGE depth 4 seldepth 9 nodes 1234 value -17.5 speed 5000 pv 7,7 8,8",
         TALK_DEPTH | TALK_SELDEPTH | TALK_NODES | TALK_VALUE | TALK_SPEED | TALK_PV, 4, 9, 1234,
         -17.5, 5000},
        {"MESSAGE Depth 12-18 | Eval 35 | Time 123ms | H8 I9",
         TALK_DEPTH | TALK_SELDEPTH | TALK_VALUE, 12, 18, 0, 35, 0},
        {"MESSAGE Speed 812K | Depth 17-24 | Eval +M9 | Node 8129K | Time 10s",
         TALK_DEPTH | TALK_SELDEPTH | TALK_NODES | TALK_VALUE | TALK_SPEED, 17, 24, 8129000,
         1e9 - 9, 812000},
        {"MESSAGE depth 10-15 ev 34 n 141K n/ms 800 tm 176 pv H8 I9",
         TALK_DEPTH | TALK_SELDEPTH | TALK_NODES | TALK_VALUE | TALK_SPEED | TALK_PV, 10, 15,
         141000, 34, 800000},
        {"INFO TOTALNODES 45000", TALK_NODES, 0, 0, 45000, 0, 0},
        {"INFO SELDEPTH 21", TALK_SELDEPTH, 0, 21, 0, 0, 0},
        {"INFO EVAL -M4", TALK_VALUE, 0, 0, 0, -(1e9 - 4), 0},
        {"MESSAGE eval 12, depth 6, nodes 4321, speed 99",
         TALK_DEPTH | TALK_NODES | TALK_VALUE | TALK_SPEED, 6, 0, 4321, 12, 99},
        {"MESSAGE dep 18-21 ev -v3 nd 12m tm 900 sp 1230",
         TALK_DEPTH | TALK_SELDEPTH | TALK_NODES | TALK_VALUE | TALK_SPEED, 18, 21, 12000000,
         -(1e9 - 3), 1230000},
        {"MESSAGE :level 8(3) value 14 (7,8) speed 350 k (12345) ",
         TALK_DEPTH | TALK_VALUE | TALK_SPEED, 8, 0, 0, 14, 350000},
        {"MESSAGE  5;(07,08)     -30 ----------      120", TALK_DEPTH | TALK_VALUE, 5, 0, 0, -30,
         0},
        {"MESSAGE Nodes=120345, Time=99ms, ", TALK_NODES, 0, 0, 120345, 0, 0},
        {"MESSAGE Depth:9-14 Val:-8 Time:31ms Node:2M [7,7]",
         TALK_DEPTH | TALK_SELDEPTH | TALK_VALUE | TALK_NODES, 9, 14, 2000000, -8, 0},
        {"DEBUG depth 20, nodes 88", TALK_DEPTH | TALK_NODES, 20, 0, 88, 0, 0},
        {"MESSAGE nothing here: depths 4, nodesx 5, n/a", 0, 0, 0, 0, 0, 0},
        {"MESSAGE depth \xff 5", 0, 0, 0, 0, 0, 0},
        {"MESSAGE depth", 0, 0, 0, 0, 0, 0},
        {"MESSAGE depth 99999999999999999999", 0, 0, 0, 0, 0, 0},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        SearchTalk talk = {0};
        search_talk_read(&talk, CASES[i].line, strlen(CASES[i].line), 15, 15);
        if (talk.known != CASES[i].known || talk.depth != CASES[i].depth ||
            talk.seldepth != CASES[i].seldepth || talk.nodes != CASES[i].nodes ||
            fabs(talk.value - CASES[i].value) > 1e-9 || fabs(talk.speed - CASES[i].speed) > 1e-6)
            fail_msg("'%s': known %x, depth %d-%d, nodes %llu, value %f, speed %f", CASES[i].line,
                     talk.known, talk.depth, talk.seldepth, (unsigned long long)talk.nodes,
                     talk.value, talk.speed);
    }
}

static void test_search_talk__variations(void **state) {
    (void)state;
    static const struct {
        const char *line;
        int count, first, last;
    } CASES[] = {
        {"MESSAGE depth 3 pv 7,7 8,6 14,14", 3, 7 * 15 + 7, 14 * 15 + 14},
        {"INFO BESTLINE 0,0 1,0", 2, 0, 1},
        {"MESSAGE BestLine: [7,8] [8,9]", 2, 8 * 15 + 7, 9 * 15 + 8},
        {"MESSAGE pv A1 O15", 2, 0, 224},         // letters: row 1 at the top
        {"MESSAGE pv 7,7 15,0 3,3", 1, 112, 112}, // stops at what is outside
        {"MESSAGE pv (NONE)", 0, 0, 0},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        SearchTalk talk = {0};
        search_talk_read(&talk, CASES[i].line, strlen(CASES[i].line), 15, 15);
        assert_int_equal(talk.known & TALK_PV ? talk.pv_length : 0, CASES[i].count);
        if (CASES[i].count) {
            assert_int_equal(talk.pv[0], CASES[i].first);
            assert_int_equal(talk.pv[talk.pv_length - 1], CASES[i].last);
        }
    }
}

// Of several lines the last one counts, field by field.
static void test_search_talk__the_last_line_counts(void **state) {
    (void)state;
    SearchTalk talk = {0};
    search_talk_read(&talk, "MESSAGE depth 3 nodes 10", 24, 15, 15);
    search_talk_read(&talk, "MESSAGE depth 4", 15, 15, 15);
    assert_int_equal(talk.depth, 4);
    assert_int_equal(talk.nodes, 10);
}

// The rest of a line that an engine has broken itself is known by what it says; nothing else is.
// What a brain of ours says about a search is read back as it was meant, in any unit.
static void test_search_talk__what_is_written_is_read_back(void **state) {
    (void)state;
    ThinkReport report = {.move = 112,
                          .value = -1234.5,
                          .cost = {.nodes = 1234567, .depth = 10, .seldepth = 13, .time_us = 1000},
                          .pv = {112, 98, 0, 224},
                          .pv_length = 4};
    Text line = {0};
    SearchTalk talk = {0};
    search_talk_write(&line, &report, 15);
    search_talk_read(&talk, text_cstr(&line), line.length, 15, 15);
    assert_int_equal(talk.known,
                     TALK_DEPTH | TALK_SELDEPTH | TALK_NODES | TALK_VALUE | TALK_SPEED | TALK_PV);
    assert_int_equal(talk.depth, 10);
    assert_int_equal(talk.seldepth, 13);
    assert_int_equal(talk.nodes, 1234567);
    assert_true(talk.value == -1234.5 && talk.speed == 1234567e3);
    assert_int_equal(talk.pv_length, 4);
    assert_memory_equal(talk.pv, report.pv, 4 * sizeof talk.pv[0]);

    // A move without a search has neither depth nor value, and a won game its plies.
    report.value = NAN;
    text_clear(&line);
    search_talk_write(&line, &report, 15);
    talk = (SearchTalk){0};
    search_talk_read(&talk, text_cstr(&line), line.length, 15, 15);
    assert_int_equal(talk.known, TALK_NODES | TALK_SPEED | TALK_PV);
    report.value = ENGINE_WIN - 7;
    text_clear(&line);
    search_talk_write(&line, &report, 15);
    search_talk_read(&talk, text_cstr(&line), line.length, 15, 15);
    assert_true(talk.value == ENGINE_WIN - 7);
    text_release(&line);
}

static void test_search_talk__torn_lines(void **state) {
    (void)state;
    static const char *const TORN[] = {"-\x0c ev 222 nd 87k tm 455 sp 192", "-? ev -26 nd 94k",
                                       " | Depth 4 | Eval 3", "-", "-\x0c"};
    static const char *const WHOLE[] = {"7,7",     "I would rather not", "ev", "depth 5",
                                        "7,7 8,8", "nodes and value"};
    for (size_t i = 0; i < ARRAY_LEN(TORN); i++)
        assert_true(search_talk_is_torn(TORN[i], strlen(TORN[i])));
    for (size_t i = 0; i < ARRAY_LEN(WHOLE); i++)
        assert_false(search_talk_is_torn(WHOLE[i], strlen(WHOLE[i])));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gomocup__replies_are_told_apart),
        cmocka_unit_test(test_gomocup__commands_are_built),
        cmocka_unit_test(test_gomocup__commands_are_read),
        cmocka_unit_test(test_search_talk__families),
        cmocka_unit_test(test_search_talk__variations),
        cmocka_unit_test(test_search_talk__the_last_line_counts),
        cmocka_unit_test(test_search_talk__what_is_written_is_read_back),
        cmocka_unit_test(test_search_talk__torn_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
