// SPDX-License-Identifier: GPL-3.0-or-later
// What a brain carries from command to command: seeds, limits, rules and memory told in the middle
// of a game, stones taken back in any order, the clocks, and the lists of stones behind BOARD.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/board/notation.h"
#include "engine/proto/brain.h"
#include "engine/proto/brain_time.h"
#include "engine/proto/line_buffer.h"
#include "engine/proto/stone_list.h"
#include "tests/support/player_file.h"
#include "tests/support/random_board.h"

typedef struct Talk {
    Brain *brain;
    Text said;
    int64_t now_ns, step_ns;
} Talk;

static Talk talk;

static int64_t read_clock(void *ctx) {
    Talk *self = ctx;
    return self->now_ns += self->step_ns;
}

static void hear(void *ctx, const char *bytes, size_t count) {
    text_append_bytes(&((Talk *)ctx)->said, bytes, count);
}

static void open_brain(const char *settings) {
    KnobSet knobs = knob_defaults();
    ErrorText err = {{0}};
    player_set_all(&knobs, settings);
    talk = (Talk){.brain = NULL};
    BrainSetup setup = {.knobs = &knobs,
                        .name = "x",
                        .version = "1",
                        .clock = {read_clock, &talk},
                        .margin_ms = -1,
                        .write = hear,
                        .ctx = &talk};
    assert_int_equal(brain_new(&setup, &talk.brain, &err), STATUS_OK);
}

static void close_brain(void) {
    brain_free(talk.brain);
    text_release(&talk.said);
    brain_free(NULL);
}

// Sends lines separated by '\n'; what was said is valid until the next call.
static const char *send(const char *lines) {
    text_clear(&talk.said);
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        brain_line(talk.brain, lines, length, talk.now_ns);
        lines += length + (lines[length] == '\n');
    }
    return text_cstr(&talk.said);
}

// The last line said, without its end.
static const char *last_line(void) {
    static char line[64];
    const char *said = text_cstr(&talk.said), *start = said;
    for (const char *c = said; *c; c++)
        if (*c == '\n' && c[1])
            start = c + 1;
    snprintf(line, sizeof line, "%.*s", (int)strcspn(start, "\n"), start);
    return line;
}

static long number_after(const char *word) {
    const char *at = strstr(text_cstr(&talk.said), word);
    return at ? strtol(at + strlen(word), NULL, 10) : -1;
}

// --- chance and limits

static void test_brain__a_seed_decides_what_chance_plays(void **state) {
    (void)state;
    static char games[3][10][64];
    for (int game = 0; game < 3; game++) {
        open_brain("search.algorithm=random");
        send("START 15");
        send(game < 2 ? "INFO seed 7" : "INFO seed 8");
        for (int i = 0; i < 10; i++) {
            send("YXBOARD\n7,7,1\n8,8,2\nDONE");
            send(i % 2 ? "TURN 0,0" : "TURN 14,14");
            snprintf(games[game][i], sizeof games[game][i], "%s", last_line());
        }
        close_brain();
    }
    assert_memory_equal(games[0], games[1], sizeof games[0]);
    assert_memory_not_equal(games[0], games[2], sizeof games[0]);
}

static void test_brain__bad_seeds_are_ignored(void **state) {
    (void)state;
    static const char *const BAD[] = {"INFO seed", "INFO seed x", "INFO seed 7x", "INFO seed "};
    char expected[64];
    open_brain("search.algorithm=random");
    send("START 15\nINFO seed 7\nYXBOARD\n7,7,1\nDONE\nTURN 8,8");
    snprintf(expected, sizeof expected, "%s", last_line());
    close_brain();
    for (size_t i = 0; i < ARRAY_LEN(BAD); i++) {
        open_brain("search.algorithm=random");
        assert_string_equal(send("START 15\nINFO seed 7"), "OK\n");
        assert_string_equal(send(BAD[i]), "");
        send("YXBOARD\n7,7,1\nDONE\nTURN 8,8");
        assert_string_equal(last_line(), expected);
        close_brain();
    }
}

static void test_brain__limits_of_a_manager(void **state) {
    (void)state;
    open_brain("search.depth=5");
    send("START 15\nYXBOARD\n7,7,2\n8,8,1\n6,7,2\n9,9,1\nDONE");
    send("INFO max_node 300\nTURN 6,6");
    assert_int_equal(number_after(" nodes "), 300);
    send("INFO max_node 0\nINFO max_depth 2\nTURN 5,9"); // 0 takes it away
    assert_int_equal(number_after(" depth "), 2);
    send("INFO max_depth 0\nINFO max_node -5\nTURN 10,4");
    assert_int_equal(number_after(" depth "), 5);
    close_brain();
}

// --- a game goes on

static void test_brain__play_places_without_thinking(void **state) {
    (void)state;
    open_brain("search.depth=1");
    send("START 15");
    assert_string_equal(send("PLAY 3,4"), "3,4\n");
    assert_string_equal(send("PLAY 3,4"), "ERROR there is a stone already\n");
    assert_string_equal(send("PLAY 15,4"), "ERROR outside the board\n");
    assert_string_equal(send("PLAY 3"), "ERROR expected x,y\n");
    assert_string_equal(send("PLAY 3,4,1"), "ERROR expected x,y\n");
    assert_string_equal(send("TAKEBACK 3,4"), "OK\n");
    assert_string_equal(send("PLAY 3,4"), "3,4\n");
    close_brain();
}

// The same position, however it came about, has the same answer.
static void test_brain__rule_and_memory_told_late_keep_the_stones(void **state) {
    (void)state;
    static const char STONES[] = "YXBOARD\n7,7,2\n8,8,1\n6,7,2\n8,9,1\n5,7,2\n8,6,1\nDONE";
    static const char *const LATE[] = {"INFO rule 0", "INFO rule 1", "INFO max_memory 17000000",
                                       "INFO max_memory 0", "INFO time_increment 0"};
    char expected[RULE_NB][64];
    for (int rule = 0; rule < RULE_NB; rule++) {
        open_brain("search.depth=3 search.tt_mb=1");
        send(rule ? "INFO rule 1\nSTART 15" : "START 15");
        send(STONES);
        send("TURN 4,7");
        snprintf(expected[rule], sizeof expected[rule], "%s", last_line());
        close_brain();
    }
    for (size_t i = 0; i < ARRAY_LEN(LATE); i++) {
        open_brain("search.depth=3 search.tt_mb=1");
        send("START 15");
        send(STONES);
        assert_string_equal(send(LATE[i]), "");
        send("TURN 4,7");
        assert_string_equal(last_line(), expected[strcmp(LATE[i], "INFO rule 1") == 0]);
        assert_string_equal(send("TAKEBACK 7,7"), "OK\n"); // the stones are all there
        close_brain();
    }
}

static void test_brain__a_new_start_is_a_new_game(void **state) {
    (void)state;
    char first[512];
    open_brain("search.depth=3 search.tt_mb=1 search.order=[history]");
    send("INFO rule 0\nSTART 15");
    send("TURN 7,7");
    snprintf(first, sizeof first, "%s", last_line());
    long nodes = number_after(" nodes ");
    static const char *const AGAIN[] = {"RESTART", "START 15", "RECTSTART 15,15",
                                        "START 20\nSTART 15"};
    for (size_t i = 0; i < ARRAY_LEN(AGAIN); i++) {
        send("TURN 0,0");
        send(AGAIN[i]);
        send("TURN 7,7");
        assert_string_equal(last_line(), first);
        assert_int_equal(number_after(" nodes "), nodes); // nothing was remembered
    }
    close_brain();
}

static void test_brain__players_that_cannot_be_made_say_why(void **state) {
    (void)state;
    open_brain("search.algorithm=minimax search.tt_mb=1");
    assert_string_equal(
        send("START 15"),
        "ERROR search.tt_mb: plain minimax uses no transposition table; set it to 0\n");
    assert_string_equal(send("BEGIN"), "ERROR no board yet: START comes first\n");
    close_brain();
}

// Whether a game is over is the game's matter, not that of the player's rule.
static void test_brain__six_in_a_row_by_the_rule_of_the_game(void **state) {
    (void)state;
    static const char SIX[] = "YXBOARD\n2,7,1\n0,0,2\n3,7,1\n0,2,2\n4,7,1\n0,4,2\n6,7,1\n0,6,2\n"
                              "7,7,1\n0,8,2\nDONE\nTURN 5,7";
    static const struct {
        const char *settings, *rule;
        bool is_over;
    } CASES[] = {
        {"search.depth=1 search.rule=freestyle", "INFO rule 1", false},
        {"search.depth=1 search.rule=standard", "INFO rule 0", true},
        {"search.depth=1", "INFO rule 1", false},
        {"search.depth=1", "INFO rule 0", true},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        open_brain(CASES[i].settings);
        send(CASES[i].rule);
        send("START 15");
        send(SIX);
        bool says_over = strcmp(last_line(), "ERROR no move: the game is over") == 0;
        assert_int_equal(says_over, CASES[i].is_over);
        close_brain();
    }
}

static void test_brain__a_full_board_is_over(void **state) {
    (void)state;
    static const char ROWS[] = "XOXOXOXOXOOXXOXXOOXOOXO.O";
    Text lines = {0};
    open_brain("search.depth=1");
    text_append(&lines, "START 5\nYXBOARD\n");
    for (int cell = 0; ROWS[cell]; cell++)
        if (ROWS[cell] != '.')
            text_printf(&lines, "%d,%d,%d\n", cell % 5, cell / 5, ROWS[cell] == 'X' ? 1 : 2);
    text_append(&lines, "DONE\nTURN 3,4");
    send(text_cstr(&lines));
    assert_string_equal(last_line(), "ERROR no move: the game is over");
    text_release(&lines);
    close_brain();
}

// --- clocks

static void test_brain_time__notes_its_keys_only(void **state) {
    (void)state;
    BrainTime time = brain_time_unknown();
    assert_true(brain_time_note(&time, "timeout_turn", 500) && time.turn_ms == 500);
    assert_true(brain_time_note(&time, "timeout_turn", -1) && time.turn_ms == 0);
    assert_true(brain_time_note(&time, "timeout_match", 9000) && time.match_ms == 9000);
    assert_true(brain_time_note(&time, "timeout_match", -3) && time.match_ms == 0);
    assert_true(brain_time_note(&time, "time_left", -40) && time.left_ms == -40);
    assert_true(brain_time_note(&time, "time_increment", -7) && time.increment_ms == 0);
    assert_true(brain_time_note(&time, "time_increment", INT64_MAX));
    assert_true(time.increment_ms > 0 && time.increment_ms < INT64_MAX / 4); // sums do not wrap
    BrainTime before = time;
    assert_false(brain_time_note(&time, "rule", 1));
    assert_false(brain_time_note(&time, "", 1));
    assert_memory_equal(&time, &before, sizeof time);
}

static void test_brain_time__limits_of_the_next_search(void **state) {
    (void)state;
    static const struct {
        int64_t turn_ms, match_ms, left_ms;
        int stones, used_ms;
        int64_t soft_ms, time_ms; // with a margin of 10 ms
    } CASES[] = {
        {-1, -1, INT64_MAX, 0, 0, 0, 0},
        {1000, 0, INT64_MAX, 0, 0, 0, 990},   // all of a turn
        {1000, 0, INT64_MAX, 0, 200, 0, 790}, // less what has passed
        {1000, 0, INT64_MAX, 0, 5000, 0, 1},  // too late: at once
        {0, 0, INT64_MAX, 0, 0, 0, 1},
        {-1, 30000, 30000, 0, 0, 1000, 3000}, // a thirtieth, three times that when it is hard
        {-1, 30000, 30000, 0, 100, 900, 2900},
        {1500, 30000, 30000, 0, 0, 1000, 1490}, // no more than the turn
        {-1, 30000, 2000, 60, 0, 200, 500},     // a quarter of what is left at most
        {-1, 30000, -50, 60, 0, 1, 1},
    };
    static Board board;
    Rng rng = rng_init(3);
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        BrainTime time = brain_time_unknown();
        ThinkLimits limits = {0};
        time.turn_ms = CASES[i].turn_ms;
        time.match_ms = CASES[i].match_ms;
        time.left_ms = CASES[i].left_ms;
        fresh_board(&board, 15, 15, 5, RULE_FREESTYLE, 2);
        random_stones(&board, &rng, CASES[i].stones);
        brain_time_limit(&time, &board, 10, CASES[i].used_ms, &limits);
        if (limits.soft_ms != CASES[i].soft_ms || limits.time_ms != CASES[i].time_ms)
            fail_msg("case %zu: %lld and %lld ms", i, (long long)limits.soft_ms,
                     (long long)limits.time_ms);
    }
}

static void test_brain_time__lateness_is_remembered_and_forgotten(void **state) {
    (void)state;
    BrainTime time = brain_time_unknown();
    brain_time_watch(&time, &(ThinkLimits){.time_ms = 100}, 180);
    assert_int_equal(time.late_ms, 80);
    brain_time_watch(&time, &(ThinkLimits){.time_ms = 100}, 110); // less late: the latest counts
    assert_int_equal(time.late_ms, 70);
    for (int i = 0; i < 60; i++)
        brain_time_watch(&time, &(ThinkLimits){.time_ms = 100}, 40);
    assert_int_equal(time.late_ms, 0);
    brain_time_watch(&time, &(ThinkLimits){.time_ms = 0}, 5000); // no limit to be late by
    assert_int_equal(time.late_ms, 0);
}

// --- lists of stones

static void read_line(StoneList *list, const char *line) {
    GomocupCommand command = gomocup_read_command(line, strlen(line));
    stone_list_read(list, &command, 20, 10);
}

static void test_stone_list__lines_and_their_faults(void **state) {
    (void)state;
    static const struct {
        const char *line, *error;
    } CASES[] = {
        {"0,0,1", ""},
        {"19,9,2", ""},
        {" 3 , 4 , 1 ", ""},
        {"20,0,1", "BOARD: 20,0 is outside the board"},
        {"0,10,1", "BOARD: 0,10 is outside the board"},
        {"-1,0,1", "BOARD: -1,0 is outside the board"},
        {"0,0,0", "BOARD: field 0: expected 1 (own) or 2 (opponent)"},
        {"0,0,-1", "BOARD: field -1: expected 1 (own) or 2 (opponent)"},
        {"0,0", "BOARD: expected x,y,field"},
        {"0,0,1,1", "BOARD: expected x,y,field"},
        {"0,0,1x", "BOARD: expected x,y,field"},
        {"hello", "BOARD: expected x,y,field"},
    };
    static StoneList list;
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        stone_list_clear(&list);
        read_line(&list, CASES[i].line);
        assert_string_equal(list.error.text, CASES[i].error);
        assert_int_equal(list.count, CASES[i].error[0] == '\0');
        read_line(&list, "7,7,1"); // after a fault nothing is added
        assert_int_equal(list.count, CASES[i].error[0] ? 0 : 2);
        read_line(&list, "7,7,2");
        assert_string_equal(list.error.text,
                            CASES[i].error[0] ? CASES[i].error : "BOARD: 7,7 twice");
    }
}

static void test_stone_list__take_remove_and_put_are_the_board(void **state) {
    (void)state;
    static StoneList list;
    static Board board, again;
    Rng rng = rng_init(4);
    for (int round = 0; round < 40; round++) {
        Colour own = (Colour)(round & 1);
        fresh_board(&board, 20, 10, 5, RULE_FREESTYLE, 2);
        fresh_board(&again, 20, 10, 5, RULE_FREESTYLE, 2);
        random_stones(&board, &rng, 1 + (int)rng_below(&rng, 60));
        stone_list_take(&list, &board, own);
        stone_list_put(&list, &again, own);
        assert_memory_equal(again.cells, board.cells, sizeof board.cells);
        assert_memory_equal(again.moves, board.moves, board.stone_count * sizeof board.moves[0]);
        assert_int_equal(again.side, own);
        int gone = (int)rng_below(&rng, board.stone_count);
        stone_list_remove(&list, board.moves[gone]);
        stone_list_remove(&list, random_free_cell(&board, &rng, false)); // is not there: nothing
        board_clear(&again);
        stone_list_put(&list, &again, own);
        assert_int_equal(again.stone_count, board.stone_count - 1);
        for (int i = 0, j = 0; i < board.stone_count; i++)
            if (i != gone)
                assert_int_equal(again.moves[j++], board.moves[i]); // the others in their order
        assert_true(board_is_free(&again, board.moves[gone]));
    }
}

static void test_line_buffer__clearing_forgets_half_a_line(void **state) {
    (void)state;
    static LineBuffer buffer;
    const char *line;
    size_t room, length;
    memcpy(line_buffer_space(&buffer, &room), "START 1", 7);
    line_buffer_commit(&buffer, 7);
    assert_false(line_buffer_next(&buffer, &line, &length));
    line_buffer_clear(&buffer);
    memcpy(line_buffer_space(&buffer, &room), "OK\n", 3);
    line_buffer_commit(&buffer, 3);
    assert_true(line_buffer_next(&buffer, &line, &length));
    assert_string_equal(line, "OK");
    assert_false(line_buffer_last(&buffer, &line, &length));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_brain__a_seed_decides_what_chance_plays),
        cmocka_unit_test(test_brain__bad_seeds_are_ignored),
        cmocka_unit_test(test_brain__limits_of_a_manager),
        cmocka_unit_test(test_brain__play_places_without_thinking),
        cmocka_unit_test(test_brain__rule_and_memory_told_late_keep_the_stones),
        cmocka_unit_test(test_brain__a_new_start_is_a_new_game),
        cmocka_unit_test(test_brain__players_that_cannot_be_made_say_why),
        cmocka_unit_test(test_brain__six_in_a_row_by_the_rule_of_the_game),
        cmocka_unit_test(test_brain__a_full_board_is_over),
        cmocka_unit_test(test_brain_time__notes_its_keys_only),
        cmocka_unit_test(test_brain_time__limits_of_the_next_search),
        cmocka_unit_test(test_brain_time__lateness_is_remembered_and_forgotten),
        cmocka_unit_test(test_stone_list__lines_and_their_faults),
        cmocka_unit_test(test_stone_list__take_remove_and_put_are_the_board),
        cmocka_unit_test(test_line_buffer__clearing_forgets_half_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
