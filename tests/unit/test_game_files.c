// SPDX-License-Identifier: GPL-3.0-or-later
// Games out to files and in again, and files that are none.
#include "harness/record/game_format.h"
#include "harness/record/psq.h"
#include "harness/record/sgf.h"
#include "store_fixture.h"

enum { MAX_FOUND = 200 };

typedef struct Found {
    GameSheet *sheet[MAX_FOUND];
    int count, complaints, line;
    char what[200]; // of the last complaint
} Found;

static Status take(void *ctx, GameSheet *sheet, ErrorText *err) {
    Found *found = ctx;
    (void)err;
    if (found->count < MAX_FOUND)
        found->sheet[found->count++] = sheet;
    else
        game_sheet_free(sheet);
    return STATUS_OK;
}

static void complain(void *ctx, int line, const char *what) {
    Found *found = ctx;
    found->complaints++;
    found->line = line;
    snprintf(found->what, sizeof found->what, "%s", what);
}

static void found_release(Found *found) {
    for (int i = 0; i < found->count; i++)
        game_sheet_free(found->sheet[i]);
    *found = (Found){0};
}

static void read_text(GameFormat format, const char *text, size_t length, Found *found) {
    ErrorText err = {""};
    SheetTaker taker = {take, complain, found};
    *found = (Found){0};
    OK(game_format(format)->read(text, length, &taker, &err));
}

// A game of the fixture without a five by chance and with everything that is hard to write.
static GameSheet sheet_of(GameRecord *record) {
    record->width = 17;
    record->reason = record->result == 'D' ? REASON_ADJUDICATED : REASON_TIMEOUT;
    for (int i = 0; i < record->move_count; i++) // far apart: no five
        record->moves[i].move = (Move)((i * 7 + (int)record->slot) % (17 * 15));
    if (!record->note)
        record->note = strdup("a ] \\ % = \"x\"\nline two\t\x01 \xff");
    record->moves[record->move_count - 1].value = -1.0 / 0.0;
    record->moves[record->move_count - 2].known &= ~(unsigned)(KNOWN_PV | KNOWN_COUNTERS);
    free(record->moves[record->move_count - 2].pv);
    record->moves[record->move_count - 2].pv = NULL;
    record->moves[record->move_count - 2].cost =
        (SearchCost){.nodes = 7, .time_us = 1234567, .depth = 3, .seldepth = 9};
    return (GameSheet){.record = record,
                       .black = (char *)"a]\\[b;(",
                       .white = (char *)"ěščř, \"w\"",
                       .event = (char *)"cup [2]",
                       .date = (char *)"2026-11-03",
                       .rule = RULE_STANDARD,
                       .k = 5};
}

static void check_round_trip(GameFormat format) {
    enum { GAMES = 40 };
    Text text = {0};
    Found found;
    ErrorText err = {""};
    for (int64_t slot = 0; slot < GAMES; slot++) {
        GameSheet sheet = sheet_of(fixture_game(slot));
        game_format(format)->write(&sheet, &text);
        game_record_free(sheet.record);
    }
    read_text(format, text_cstr(&text), text.length, &found);
    assert_string_equal(found.what, "");
    assert_int_equal(found.count, GAMES);
    for (int64_t slot = 0; slot < GAMES; slot++) {
        GameSheet want = sheet_of(fixture_game(slot)), *got = found.sheet[slot];
        OK(game_sheet_settle(got, got->rule, &err));
        want.record->black = want.record->white = got->record->black; // names stand for them
        assert_same_game(got->record, want.record);
        assert_string_equal(got->black, want.black);
        assert_string_equal(got->white, want.white);
        assert_int_equal(got->rule, want.rule);
        game_record_free(want.record);
    }
    found_release(&found);
    // Cut off anywhere: never a crash, never more games.
    for (size_t length = 0; length < text.length; length += 1201) {
        read_text(format, text_cstr(&text), length, &found);
        assert_true(found.count <= GAMES);
        found_release(&found);
    }
    text_release(&text);
}

static void test_game_files__psq_round_trip_loses_nothing(void **state) {
    (void)state;
    check_round_trip(GAME_FORMAT_PSQ);
}

static void test_game_files__sgf_round_trip_loses_nothing(void **state) {
    (void)state;
    check_round_trip(GAME_FORMAT_SGF);
}

#define PSQ_HEAD "Piskvorky 15x15, 11:11, 0\r\n"
#define PSQ_FIVE "1,1,5\r\n1,2,0\r\n2,1,5\r\n2,2,7\r\n3,1,5\r\n3,2,7\r\n4,1,5\r\n4,2,7\r\n5,1,5\r\n"

typedef struct FileCase {
    const char *text;
    int games, plies; // found; stones of the first
    int line;         // of the complaint, 0 = none
    const char *what; // it must say
} FileCase;

static void check_cases(GameFormat format, const FileCase *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        Found found;
        const FileCase *c = &cases[i];
        read_text(format, c->text, strlen(c->text), &found);
        if (found.count != c->games || found.line != c->line ||
            (c->what && !strstr(found.what, c->what)))
            fail_msg("case %zu: %d games, complaint of line %d: '%s'", i, found.count, found.line,
                     found.what);
        if (c->games)
            assert_int_equal(found.sheet[0]->record->move_count, c->plies);
        found_release(&found);
    }
}

static void test_game_files__psq_is_read_as_others_write_it(void **state) {
    (void)state;
    static const FileCase CASES[] = {
        {PSQ_HEAD PSQ_FIVE "A.zip\r\nB.zip\r\n-1\r\n", 1, 9, 0, NULL},
        {"\xef\xbb\xbf" PSQ_HEAD PSQ_FIVE "A.zip\r\nB.zip\r\n-1\r\n", 1, 9, 0, NULL},
        {"Piskvorky 15x15, 1:1, 0\n1, 1, 5\n2, 2, -7\nA\nB\n0\n1,Freestyle", 1, 2, 0, NULL},
        {"Piskvorky 15x15, 1:1, 0\r1,1,5\r2,2,7\rA\rB\r-1\r", 1, 2, 0, NULL},
        {PSQ_HEAD PSQ_FIVE "-1\n", 1, 9, 0, NULL},
        {PSQ_HEAD PSQ_FIVE, 1, 9, 0, NULL},
        {PSQ_HEAD PSQ_FIVE "A\nB\n-1\n" PSQ_HEAD PSQ_FIVE "C\nD\n-1\n", 2, 9, 0, NULL},
        {"", 0, 0, 1, "empty file"},
        {"\n\nhello\n", 0, 0, 3, "expected 'Piskvorky"},
        {"Piskvorky 15x99, 1:1, 0\n", 0, 0, 1, "sides of 2..22"},
        {"Piskvorky\n", 0, 0, 1, "expected 'Piskvorky"},
        {PSQ_HEAD "16,1,5\n", 0, 0, 2, "outside the 15x15 board"},
        {PSQ_HEAD "1,1,5\n0,1,5\n", 0, 0, 3, "outside"},
        {PSQ_HEAD "1,1,5\n1,1,5\n", 0, 0, 3, "on a stone"},
        {PSQ_HEAD "1,1,5\n1,\n", 0, 0, 3, "expected a move"},
        {PSQ_HEAD "1,1,5\n1,2\n", 0, 0, 3, "expected a move"},
        {PSQ_HEAD "1,1,5\n99999999999999999999,2,3\n", 0, 0, 3, "expected a move"},
        {PSQ_HEAD "1,1,5\nA\nB\n-1\n1,Renju\n", 0, 0, 6, "rule 'Renju', expected freestyle"},
        {PSQ_HEAD "1,1,5\nA\nB\n-1\n1,Freestyle\ngomolab game seed=x\n", 0, 0, 7, "damaged"},
        {PSQ_HEAD "1,1,5\n1,1,5\nA\nB\n-1\n" PSQ_HEAD PSQ_FIVE "C\nD\n-1\n", 1, 9, 3, "on a stone"},
    };
    check_cases(GAME_FORMAT_PSQ, CASES, sizeof CASES / sizeof *CASES);
    Found found;
    static const char NUL[] = PSQ_HEAD "1,1,5\n\0,2,3\n";
    read_text(GAME_FORMAT_PSQ, NUL, sizeof NUL - 1, &found);
    assert_string_equal(found.what, "a NUL byte");
    char *longest = malloc(70100);
    assert_non_null(longest);
    snprintf(longest, 100, "%s1,1,5\n", PSQ_HEAD);
    size_t head = strlen(longest);
    memset(longest + head, 'n', 70000);
    read_text(GAME_FORMAT_PSQ, longest, head + 70000, &found);
    assert_non_null(strstr(found.what, "70000 characters"));
    free(longest);
    static const char CZECH[] = PSQ_HEAD PSQ_FIVE "pi\xb9kvorka\nB\n-1\n";
    read_text(GAME_FORMAT_PSQ, CZECH, sizeof CZECH - 1, &found);
    assert_string_equal(found.sheet[0]->black, "piąkvorka");
    assert_string_equal(found.sheet[0]->white, "B");
    found_release(&found);
}

static void test_game_files__sgf_is_read_as_others_write_it(void **state) {
    (void)state;
    static const FileCase CASES[] = {
        {"(;FF[4]GM[4]SZ[15]RE[W+R];B[hh](;W[ih])(;W[aa]))", 1, 2, 0, NULL},
        {"junk (;GM[4];B[hh];W[ih]C[a (b) \\] c];B[ii];) junk (;GM[4];B[aa])", 2, 3, 0, NULL},
        {"(;GM[4]FF[4]PL[W]SZ[15]AB[hh][ig]AW[gi][gh];B[aa])", 1, 5, 0, NULL},
        {"(;GM[4]\nSZ[15:13]\nRU[1];B[om]C[opening move];W[aa]C[12ms])", 1, 2, 0, NULL},
        {"(;5A[gg]EV[none];B[hh])", 1, 1, 0, NULL},
        {"(;GM[4];B[hh]C[line \\\nbreak and a value=very good move];W[hi])", 1, 2, 0, NULL},
        {"(;GM[5]FF[4];B[hh])", 0, 0, 1, "GM[5]"},
        {"(;GM[4]\n;B[hh]\n;B[hi])", 0, 0, 3, "out of turn"},
        {"(;GM[4]\n;B[hh]\n;W[hh])", 0, 0, 3, "on a stone"},
        {"(;GM[4]\n;B[hh]\n;W[zz])", 0, 0, 3, "outside the 15x15 board"},
        {"(;GM[4]\n;B[hh]\n;W[])", 0, 0, 3, "outside"},
        {"(;GM[4]SZ[99];B[hh])", 0, 0, 1, "SZ[99]"},
        {"(;GM[4]AB[hh][ig][jh]AW[ii];W[aa])", 0, 0, 1, "3 black and 1 white"},
        {"(;GM[4]RU[Renju];B[hh])", 0, 0, 1, "RU[Renju], expected freestyle"},
        {"(;GM[4]RE[maybe];B[hh])", 0, 0, 1, "RE[maybe]"},
        {"(;GM[4];B[hh]\n;W[hi", 0, 0, 2, "no end"},
        {"(;GM[4];B[hh]\n;W[hi]", 0, 0, 2, "')' is missing"},
        {"(;GM[4][x];B[hh];[hi])", 0, 0, 1, NULL},
        {"no game", 0, 0, 1, "no game tree"},
        {"(;GM[4]\n;B[hh]SZ[13];W[hi])", 0, 0, 2, "SZ after the first stone"},
        {"(;GM[4]AB[hh]\nSZ[13];W[hi])", 0, 0, 2, "SZ after the first stone"},
        {"(;GM[4]\nGC[slot=x];B[hh])", 0, 0, 2, "is damaged"},
        {"(;GM[4]GC[a game of ours, slot 5];B[hh])", 1, 1, 0, NULL},
        {"(;GM[4]SZ[1:15];B[hh])", 0, 0, 1, "SZ[1:15]"},
        {"(;GM[4]SZ[];B[hh])", 0, 0, 1, "SZ[]"},
        {"(;GM[4]SZ[22:2];B[va];W[vb])", 1, 2, 0, NULL},
        {"(;GM[4]AB[hh][hh];W[aa])", 0, 0, 1, NULL},
    };
    check_cases(GAME_FORMAT_SGF, CASES, sizeof CASES / sizeof *CASES);
    Found found;
    static const char TIMES[] =
        "(;GM[4]SZ[15:13]RU[1]RE[B+Time];B[om]C[opening move];W[aa]C[12ms])";
    read_text(GAME_FORMAT_SGF, TIMES, sizeof TIMES - 1, &found);
    const GameSheet *sheet = found.sheet[0];
    assert_int_equal(sheet->record->height, 13);
    assert_int_equal(sheet->record->opening_plies, 1);
    assert_int_equal(sheet->record->moves[1].cost.time_us, 12000);
    assert_int_equal(sheet->record->result, 'B');
    assert_int_equal(sheet->record->reason, REASON_TIMEOUT);
    assert_int_equal(sheet->rule, RULE_STANDARD);
    found_release(&found);
}

// One text settled: its result or the complaint.
static void check_settled(const char *text, Rule rule, char result, GameReason reason,
                          const char *words) {
    Found found;
    ErrorText err = {""};
    read_text(GAME_FORMAT_SGF, text, strlen(text), &found);
    assert_int_equal(found.count, 1);
    if (words) {
        REFUSED(game_sheet_settle(found.sheet[0], rule, &err), STATUS_INVALID, words);
    } else {
        OK(game_sheet_settle(found.sheet[0], rule, &err));
        assert_int_equal(found.sheet[0]->record->result, result);
        assert_string_equal(game_reason_name(found.sheet[0]->record->reason),
                            game_reason_name(reason));
    }
    found_release(&found);
}

static void test_game_files__the_board_settles_a_game(void **state) {
    (void)state;
#define FOUR ";B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db]"
    check_settled("(;GM[4]" FOUR ";B[ea])", RULE_FREESTYLE, 'B', REASON_FIVE, NULL);
    check_settled("(;GM[4]RE[B+]" FOUR ";B[ea])", RULE_STANDARD, 'B', REASON_FIVE, NULL);
    check_settled("(;GM[4]RE[W+]" FOUR ")", RULE_FREESTYLE, 'W', REASON_ADJUDICATED, NULL);
    check_settled("(;GM[4]RE[W+R]" FOUR ")", RULE_FREESTYLE, 'W', REASON_RESIGN, NULL);
    check_settled("(;GM[4]RE[Draw]" FOUR ")", RULE_FREESTYLE, 'D', REASON_ADJUDICATED, NULL);
    check_settled("(;GM[4]SZ[2];B[aa];W[ab];B[ba];W[bb])", RULE_FREESTYLE, 'D', REASON_BOARD_FULL,
                  NULL);
    check_settled("(;GM[4]" FOUR ")", RULE_FREESTYLE, 0, REASON_NB, "no result");
    check_settled("(;GM[4]RE[Void])", RULE_FREESTYLE, 0, REASON_NB, "no moves");
    check_settled("(;GM[4]RE[W+]" FOUR ";B[ea])", RULE_FREESTYLE, 0, REASON_NB, "black has a five");
    check_settled("(;GM[4]" FOUR ";B[ea];W[eb])", RULE_FREESTYLE, 0, REASON_NB,
                  "move 10 comes after a five");
    // A row of six: a win in freestyle, nothing in standard.
    check_settled("(;GM[4]RE[W+R]" FOUR ";B[fa];W[oo];B[ea])", RULE_STANDARD, 'W', REASON_RESIGN,
                  NULL);
    check_settled("(;GM[4]RE[W+R]" FOUR ";B[fa];W[oo];B[ea])", RULE_FREESTYLE, 0, REASON_NB,
                  "black has a five");
}

static void test_game_files__formats_are_guessed(void **state) {
    (void)state;
    assert_int_equal(game_format_guess("\xef\xbb\xbfPiskvorky 15x15", 18), GAME_FORMAT_PSQ);
    assert_int_equal(game_format_guess(" \n(;GM[4])", 10), GAME_FORMAT_SGF);
    assert_int_equal(game_format_guess("[Event]", 7), GAME_FORMAT_NB);
    assert_int_equal(game_format_guess("", 0), GAME_FORMAT_NB);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_game_files__psq_round_trip_loses_nothing),
        cmocka_unit_test(test_game_files__sgf_round_trip_loses_nothing),
        cmocka_unit_test(test_game_files__psq_is_read_as_others_write_it),
        cmocka_unit_test(test_game_files__sgf_is_read_as_others_write_it),
        cmocka_unit_test(test_game_files__the_board_settles_a_game),
        cmocka_unit_test(test_game_files__formats_are_guessed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
