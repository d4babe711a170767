// SPDX-License-Identifier: GPL-3.0-or-later
// Openings files of every format, good and bad.
#include "engine/base/check.h"
#include "harness/play/opening_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct ReadCase {
    const char *what, *text;
    OpeningFormat format;
    RowOrder rows;
    const char *squares; // of the first opening, rows from the bottom
    int64_t count;
} ReadCase;

static const ReadCase GOOD[] = {
    {"pos, rows from the bottom", "h8i9j10\n", OPENING_AUTO, ROWS_BOTTOM, "h8 i9 j10", 1},
    {"pos, rows from the top", "h8i9j10\n", OPENING_AUTO, ROWS_TOP, "h8 i7 j6", 1},
    {"pos with commas", "f7,f6,h6,h7,h4\n", OPENING_AUTO, ROWS_BOTTOM, "f7 f6 h6 h7 h4", 1},
    {"pos with blanks, upper case", "  H8 I9  \n\n", OPENING_AUTO, ROWS_BOTTOM, "h8 i9", 1},
    {"the empty board", "-\nh8\n", OPENING_AUTO, ROWS_BOTTOM, "-", 2},
    {"no end of line", "h8i9", OPENING_AUTO, ROWS_BOTTOM, "h8 i9", 1},
    {"CRLF", "h8i9\r\nh8j9\r\n", OPENING_AUTO, ROWS_BOTTOM, "h8 i9", 2},
    {"CR", "h8i9\rh8j9\r", OPENING_AUTO, ROWS_BOTTOM, "h8 i9", 2},
    {"byte order mark", "\xEF\xBB\xBFh8i9\n", OPENING_AUTO, ROWS_BOTTOM, "h8 i9", 1},
    {"comments", "# a\n; b\n// c\nh8i9 # d\n", OPENING_AUTO, ROWS_BOTTOM, "h8 i9", 1},
    {"offsets", "0,0, 1,-1, -7,7\n", OPENING_AUTO, ROWS_BOTTOM, "h8 i9 a1", 1},
    {"offsets, rows do not matter", "0,0,1,-1\n", OPENING_AUTO, ROWS_TOP, "h8 i9", 1},
    {"offsets with a trailing comma", "0,0, 1,-1,\r\n,\n2,2", OPENING_AUTO, ROWS_BOTTOM, "h8 i9",
     3},
    {"PSQ", "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,120\nA\nB\n-1\n", OPENING_AUTO, ROWS_BOTTOM,
     "h8 i9", 1},
    {"two PSQ",
     "Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\nA\r\nB\r\n-1\r\nPiskvorky 15x15, 1:1, 0\r\n1,1,0",
     OPENING_AUTO, ROWS_BOTTOM, "h8", 2},
    {"JSON, absolute", "{\"id\": \"a-1\", \"coordinates\": [[7, 7], [8, 6]]}\n", OPENING_AUTO,
     ROWS_BOTTOM, "h8 i9", 1},
    {"JSON, from the centre", "{\"id\": 1, \"coordinates\": [[0, 0], [1, -1]]}\n", OPENING_AUTO,
     ROWS_BOTTOM, "h8 i9", 1},
    {"JSON with colours", "{\"stones\": [[7, 7, 1], [8, 7, 1], [7, 6, 2]]}\n", OPENING_AUTO,
     ROWS_BOTTOM, "h8 h9 i8", 1},
    {"JSON squares", "{\"moves\": \"h8 i9\"}\n", OPENING_AUTO, ROWS_BOTTOM, "h8 i9", 1},
    {"lists of Python", "[(7, 7), (8, 6)]\n[(7, 7)]\n", OPENING_AUTO, ROWS_BOTTOM, "h8 i9", 2},
    {"a table with tabs", "id\tmoves\tname\na\th8 i9\tx\nb\t-\ty\n", OPENING_AUTO, ROWS_BOTTOM,
     "h8 i9", 2},
    {"a table without a header", "D1\tKansei\th8 h9 h10\nD3\tSosei\th8 h9 j10\n", OPENING_AUTO,
     ROWS_BOTTOM, "h8 h9 h10", 2},
    {"a table with commas", "id,moves\na,h8 i9\nb,\"h8,j9\"\n", OPENING_AUTO, ROWS_BOTTOM, "h8 i9",
     2},
};

typedef struct FaultCase {
    const char *what, *text;
    OpeningFormat format;
    const char *message; // must stand in the error
} FaultCase;

static const FaultCase BAD[] = {
    {"nothing", "", OPENING_AUTO, "set: no openings in it"},
    {"comments only", "# a\n\n", OPENING_AUTO, "set: no openings in it"},
    {"occupied", "h8i9\nh8i9h8\n", OPENING_AUTO, "set:2: stone 3: h8 is occupied"},
    {"outside", "h8\n\np8\n", OPENING_AUTO, "set:3: stone 1: p8 is outside the 15x15 board"},
    {"row 0", "h0\n", OPENING_AUTO, "set:1: stone 1: h0 is outside"},
    {"a long number", "h99999999999999999999\n", OPENING_AUTO, "set:1: stone 1: h9999"},
    {"malformed square", "h8ii9\n", OPENING_AUTO, "set:1: stone 2: 'ii9' is no square"},
    {"won", "h8a1i8a2j8a3k8a4l8\n", OPENING_AUTO,
     "set:1: the opening is already won: stone 9, l8, makes a row of 5"},
    {"won before its end", "h8a1i8a2j8a3k8a4l8a5\n", OPENING_AUTO, "already won: stone 9"},
    {"offset outside", "0,0\n0,8\n", OPENING_AUTO, "set:2: stone 1 is outside the 15x15 board"},
    {"offset without y", "0,0, 1\n", OPENING_AUTO, "set:1: stone 2 has x 1 and no y"},
    {"offset with a letter", "0,0, 1,b\n", OPENING_AUTO, "set:1: stone 2: 'b' is no number"},
    {"huge offset", "99999999999999999999,0\n", OPENING_AUTO, "set:1: stone 1 is outside"},
    {"no format", "?\n", OPENING_AUTO, "set:1: '?' begins no known format"},
    {"mixed", "h8i9\n0,0\n", OPENING_AUTO, "set:2: stone 1: '0,0' is no square"},
    {"PSQ of another size", "Piskvorky 20x20, 1:1, 0\n8,8,0\n", OPENING_AUTO,
     "set:1: a game on 20x20, expected 15x15"},
    {"PSQ outside", "Piskvorky 15x15, 1:1, 0\n8,8,0\n16,8,0\n", OPENING_AUTO,
     "set:3: stone 2 is outside"},
    {"PSQ zero", "Piskvorky 15x15, 1:1, 0\n0,8,0\n", OPENING_AUTO, "set:2: stone 1 is outside"},
    {"PSQ twice on a cell", "Piskvorky 15x15, 1:1, 0\n8,8,0\n8,8,0\n", OPENING_AUTO,
     "set:1: stone 2: h8 is occupied"},
    {"PSQ without a time", "Piskvorky 15x15, 1:1, 0\n8,820\n", OPENING_AUTO,
     "set:2: '8,820' is no move, expected x,y,ms"},
    {"no PSQ", "8,8,0\n", OPENING_PSQ, "set:1: expected a line that begins with 'Piskvorky'"},
    {"broken JSON", "{\"coordinates\": [[7, 7], [8\n", OPENING_AUTO, "set:1: column"},
    {"JSON without stones", "{\"id\": 1}\n", OPENING_AUTO, "set:1: expected a list of stones"},
    {"JSON stone", "{\"coordinates\": [[7]]}\n", OPENING_AUTO, "set:1: stone 1: expected [x, y]"},
    {"JSON outside", "{\"coordinates\": [[7, 15]]}\n", OPENING_AUTO, "set:1: stone 1 is outside"},
    {"JSON colours", "{\"stones\": [[7, 7, 1], [8, 7, 1], [9, 7, 1]]}\n", OPENING_AUTO,
     "set:1: black and white"},
    {"no such column", "id\tmove\n", OPENING_TSV, "set:1: the header names no column 'moves'"},
    {"short row", "id\tmoves\na\n", OPENING_AUTO, "set:2: no field 2"},
};

static Status read_text(OpeningSet *set, const char *text, OpeningFormat format, RowOrder rows,
                        ErrorText *err) {
    assert_int_equal(opening_set_init(set, 15, 15, 5, RULE_FREESTYLE, err), STATUS_OK);
    OpeningText input = {"set", text, strlen(text), format, rows};
    return opening_read_text(set, &input, err);
}

static void test_opening_reader__reads_every_format(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(GOOD); i++) {
        OpeningSet set;
        ErrorText err = {0};
        Status status = read_text(&set, GOOD[i].text, GOOD[i].format, GOOD[i].rows, &err);
        if (status || set.count != GOOD[i].count)
            fail_msg("%s: %d openings, %s", GOOD[i].what, (int)set.count, err.text);
        int count;
        const Move *moves = opening_set_get(&set, 0, &count);
        board_clear(set.board);
        opening_play(set.board, moves, count);
        Text text = {0};
        notation_write_moves(set.board, &text);
        if (strcmp(text_cstr(&text), GOOD[i].squares) != 0)
            fail_msg("%s: %s", GOOD[i].what, text_cstr(&text));
        text_release(&text);
        opening_set_release(&set);
    }
}

static void test_opening_reader__names_the_line_of_a_fault(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(BAD); i++) {
        OpeningSet set;
        ErrorText err = {0};
        Status status = read_text(&set, BAD[i].text, BAD[i].format, ROWS_BOTTOM, &err);
        if (status != STATUS_INVALID || !strstr(err.text, BAD[i].message))
            fail_msg("%s: %s '%s'", BAD[i].what, status_name(status), err.text);
        opening_set_release(&set);
    }
}

static void test_opening_reader__refuses_a_nul_byte(void **state) {
    (void)state;
    OpeningSet set;
    ErrorText err = {0};
    assert_int_equal(opening_set_init(&set, 15, 15, 5, RULE_FREESTYLE, &err), STATUS_OK);
    OpeningText input = {"set", "h8\nh8\0i9\n", 9, OPENING_AUTO, ROWS_BOTTOM};
    assert_int_equal(opening_read_text(&set, &input, &err), STATUS_INVALID);
    assert_string_equal(err.text, "set:2: a NUL byte, expected text");
    opening_set_release(&set);
}

static void test_opening_reader__an_overline_is_no_win_in_standard(void **state) {
    (void)state;
    static const char SIX[] = "h8a1i8a2j8a3l8a4m8b1k8\n"; // k8 joins three and two: six in a row
    OpeningSet set;
    ErrorText err = {0};
    assert_int_equal(opening_set_init(&set, 15, 15, 5, RULE_STANDARD, &err), STATUS_OK);
    OpeningText input = {"set", SIX, strlen(SIX), OPENING_AUTO, ROWS_BOTTOM};
    assert_int_equal(opening_read_text(&set, &input, &err), STATUS_OK);
    opening_set_release(&set);
    assert_int_equal(read_text(&set, SIX, OPENING_AUTO, ROWS_BOTTOM, &err), STATUS_INVALID);
    opening_set_release(&set);
}

static void test_opening_reader__a_missing_file_is_named(void **state) {
    (void)state;
    OpeningSet set;
    ErrorText err = {0};
    assert_int_equal(opening_set_init(&set, 15, 15, 5, RULE_FREESTYLE, &err), STATUS_OK);
    Status status = opening_read_file(&set, "/nowhere/set.txt", OPENING_AUTO, ROWS_BOTTOM, &err);
    assert_int_equal(status, STATUS_NOT_FOUND);
    assert_string_equal(err.text, "openings /nowhere/set.txt: No such file or directory");
    assert_int_not_equal(opening_read_file(&set, "/", OPENING_AUTO, ROWS_BOTTOM, &err), STATUS_OK);
    opening_set_release(&set);
}

static void test_opening_reader__a_refused_opening_leaves_the_set(void **state) {
    (void)state;
    OpeningSet set;
    ErrorText err = {0};
    assert_int_equal(read_text(&set, "h8i9\n", OPENING_AUTO, ROWS_BOTTOM, &err), STATUS_OK);
    assert_int_equal(opening_set_add(&set, (int[]){0, 0}, 2, 2, &err), STATUS_INVALID);
    assert_int_equal(opening_set_add(&set, (int[]){-1}, 1, 2, &err), STATUS_INVALID);
    assert_int_equal(opening_set_add(&set, (int[]){225}, 1, 2, &err), STATUS_INVALID);
    assert_int_equal(set.count, 1);
    for (int cell = 0; cell < 225; cell++)
        assert_int_equal(opening_set_add(&set, &cell, 1, cell, &err), STATUS_OK);
    int count;
    assert_int_equal(*opening_set_get(&set, 225, &count), 224);
    assert_int_equal(count, 1);
    opening_set_release(&set);
}

// The stones of openings other programs wrote, against what an independent reader made of them.
static void test_opening_reader__agrees_on_the_files_of_other_programs(void **state) {
    (void)state;
    FILE *file = fopen("tests/data/openings/expected.tsv", "r");
    char line[2048], name[64] = "", now[64];
    int size, used, openings = 0;
    int64_t index = 0;
    OpeningSet set = {0};
    ErrorText err = {0};
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file)); // the header
    while (fgets(line, sizeof line, file)) {
        assert_int_equal(sscanf(line, "%63s %d%n", now, &size, &used), 2);
        if (strcmp(now, name) != 0) { // the next file: the last one has been read to its end
            char path[128];
            assert_int_equal(index, set.count);
            opening_set_release(&set);
            index = 0;
            memcpy(name, now, sizeof name);
            snprintf(path, sizeof path, "tests/data/openings/%s", name);
            assert_int_equal(opening_set_init(&set, size, size, 5, RULE_FREESTYLE, &err),
                             STATUS_OK);
            if (opening_read_file(&set, path, OPENING_AUTO, ROWS_TOP, &err))
                fail_msg("%s", err.text);
        }
        int count, x, y;
        const Move *moves = opening_set_get(&set, index++, &count);
        const char *rest = line + used;
        for (int i = 0; i < count; i++, rest += used) {
            assert_int_equal(sscanf(rest, " %d,%d%n", &x, &y, &used), 2);
            assert_int_equal(moves[i], y * size + x);
        }
        assert_int_equal(strspn(rest, " \n"), strlen(rest));
        openings++;
    }
    assert_int_equal(openings, 40);
    opening_set_release(&set);
    fclose(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_opening_reader__reads_every_format),
        cmocka_unit_test(test_opening_reader__names_the_line_of_a_fault),
        cmocka_unit_test(test_opening_reader__agrees_on_the_files_of_other_programs),
        cmocka_unit_test(test_opening_reader__refuses_a_nul_byte),
        cmocka_unit_test(test_opening_reader__an_overline_is_no_win_in_standard),
        cmocka_unit_test(test_opening_reader__a_missing_file_is_named),
        cmocka_unit_test(test_opening_reader__a_refused_opening_leaves_the_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
