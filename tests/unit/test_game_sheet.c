// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of games and moves: what is written is read back, what is no value is refused; names that
// formats have no room for.
// sanitizers: asan
#include "engine/base/check.h"
#include "harness/record/game_format.h"
#include "harness/record/legacy_text.h"
#include "store_fixture.h"

static bool game_read(const char *fields, GameSheet **sheet) {
    *sheet = game_sheet_new();
    assert_non_null(*sheet);
    return game_fields_read(*sheet, fields, strlen(fields));
}

static void test_game_sheet__fields_of_games_are_read_strictly(void **state) {
    (void)state;
    static const struct {
        const char *fields;
        bool is_good;
    } CASES[] = {
        {"", true},
        {"slot=0 pair=-1 opening=-1", true},
        {"slot=9223372036854775807", true},
        {"slot=9223372036854775808", false},
        {"slot=-2", false},
        {"slot=", false},
        {"slot= 1", false},
        {"slot=1x", false},
        {"slot=1.0", false},
        {"pair=000000000000000000000000000000000000000000001", false},
        {"wall_us=-2", false},
        {"opening_plies=-1", false},
        {"opening_plies=484", true},
        {"opening_plies=485", false},
        {"result=B", true},
        {"result=b", false},
        {"result=", false},
        {"result=BW", false},
        {"reason=board-full", true},
        {"reason=five ", true},
        {"reason=fives", false},
        {"reason=", false},
        {"seed=18446744073709551615", true},
        {"seed=18446744073709551616", false},
        {"seed=99999999999999999999", false},
        {"seed=-1", false},
        {"seed=", false},
        {"seed=0x10", false},
        {"black_idle_us=-1", false},
        {"white_dropped_lines=x", false},
        {"black_nothing=x", true},
        {"unknown=anything words = a=b=c", true},
        {"a_key_that_is_much_longer_than_any=1", true},
        {"note=%zz%4 event= date=%", true},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        GameSheet *sheet;
        if (game_read(CASES[i].fields, &sheet) != CASES[i].is_good)
            fail_msg("'%s'", CASES[i].fields);
        game_sheet_free(sheet);
    }
}

static void test_game_sheet__fields_mean_what_they_say(void **state) {
    (void)state;
    GameSheet *sheet;
    assert_true(game_read("\tslot=7\r\npair=3 opening=12 opening_plies=2 result=W reason=resign "
                          "seed=18446744073709551615 wall_us=55 white_dropped_lines=4 "
                          "white_idle_us=5 white_idle_cpu_us=6 note=a%20%25%0ab%c3%a9 "
                          "event=cup%202 date=2026-11-03 round=4.1 black_name=4 white_name=a%20",
                          &sheet));
    const GameRecord *record = sheet->record;
    assert_int_equal(record->slot, 7);
    assert_int_equal(record->pair, 3);
    assert_int_equal(record->opening, 12);
    assert_int_equal(record->opening_plies, 2);
    assert_int_equal(record->result, 'W');
    assert_int_equal(record->reason, REASON_RESIGN);
    assert_true(sheet->has_reason);
    assert_true(record->seed == UINT64_MAX);
    assert_int_equal(record->wall_us, 55);
    assert_false(record->watch[BLACK].is_watched);
    assert_true(record->watch[WHITE].is_watched);
    assert_int_equal(record->watch[WHITE].dropped_lines, 4);
    assert_int_equal(record->watch[WHITE].idle_us, 5);
    assert_int_equal(record->watch[WHITE].idle_cpu_us, 6);
    assert_string_equal(record->note, "a %\nbé");
    assert_string_equal(record->source.event, "cup 2");
    assert_string_equal(record->source.date, "2026-11-03");
    assert_string_equal(record->source.round, "4.1");
    assert_string_equal(sheet->black, "4");
    assert_string_equal(sheet->white, "a ");
    game_sheet_free(sheet);
}

static void test_game_sheet__fields_of_moves_are_read_strictly(void **state) {
    (void)state;
    static const struct {
        const char *fields;
        bool is_good;
        unsigned known;
    } CASES[] = {
        {"", true, 0},
        {"value=-inf", true, KNOWN_VALUE},
        {"value=1e300", true, KNOWN_VALUE},
        {"value=nan", false, 0},
        {"value=", false, 0},
        {"value=1,5", false, 0},
        {"depth=4 seldepth=9", true, KNOWN_DEPTH | KNOWN_SELDEPTH},
        {"depth=99999999999", false, 0},
        {"seldepth=-2147483649", false, 0},
        {"nodes=9223372036854775807", true, KNOWN_NODES},
        {"nodes=-1", false, 0},
        {"tt_hits=0", true, KNOWN_COUNTERS},
        {"time_us=3000000000", true, KNOWN_TIME},
        {"time_us=soon", false, 0},
        {"pv=h8,i9", true, KNOWN_PV},
        {"pv=", true, KNOWN_PV},
        {"opening move 123ms x=1", true, 0},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        MoveRecord move = {.move = 3};
        bool is_good = move_fields_read(&move, CASES[i].fields, strlen(CASES[i].fields));
        if (is_good != CASES[i].is_good || (is_good && move.known != CASES[i].known))
            fail_msg("'%s': known %x", CASES[i].fields, move.known);
        assert_int_equal(move.move, 3);
        free(move.pv);
    }
}

// Each number alone, then all but one: nothing unknown becomes known, nothing known is lost.
static void test_game_sheet__what_is_unknown_of_a_move_stays_unknown(void **state) {
    (void)state;
    for (unsigned known = 0; known <= KNOWN_ALL; known++) {
        MoveRecord move = {.known = known, .pv = (char *)"h8 i9 j10"}, back = {0};
        Text text = {0};
        if (known & KNOWN_VALUE)
            move.value = -0.1;
        SearchCost *c = &move.cost;
        c->depth = known & KNOWN_DEPTH ? 4 : 0;
        c->seldepth = known & KNOWN_SELDEPTH ? 9 : 0;
        c->nodes = known & KNOWN_NODES ? UINT64_C(1) << 62 : 0;
        if (known & KNOWN_COUNTERS) {
            c->interior = 1;
            c->leaves = 2;
            c->cutoffs = 3;
            c->first_cutoffs = 4;
            c->branches = 5;
            c->tt_probes = 6;
            c->tt_hits = 7;
        }
        c->time_us = known & KNOWN_TIME ? 8 : 0;
        move_fields_write(&move, &text);
        assert_true(move_fields_read(&back, text_cstr(&text), text.length));
        assert_int_equal(back.known, known);
        assert_true(back.value == move.value);
        assert_memory_equal(&back.cost, &move.cost, sizeof move.cost);
        assert_string_equal(back.pv ? back.pv : "-", known & KNOWN_PV ? move.pv : "-");
        assert_int_equal(text.length > 0, known != 0);
        free(back.pv);
        text_release(&text);
    }
}

typedef struct OneGame {
    GameSheet *sheet;
    int games;
    char complaint[160];
} OneGame;

static Status take_one(void *ctx, GameSheet *sheet, ErrorText *err) {
    (void)err;
    OneGame *one = ctx;
    game_sheet_free(one->sheet);
    one->sheet = sheet;
    one->games++;
    return STATUS_OK;
}

static void complain_one(void *ctx, int line, const char *what) {
    snprintf(((OneGame *)ctx)->complaint, 160, "%d: %s", line, what);
}

// Whatever a player is called, a game comes back with both names.
static void test_game_sheet__names_come_back_whatever_they_are(void **state) {
    (void)state;
    char longest[600];
    memset(longest, 'n', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    const char *const NAMES[] = {"d4",          "4",
                                 "1,2,3",       "-1",
                                 "1,Freestyle", "Piskvorky 15x15, 1:1, 0",
                                 "piskvorky",   "gomolab game slot=5",
                                 "gomolab",     "a ",
                                 " a",          "%41",
                                 "]",           "\\]",
                                 "(;B[aa])",    "ěščř",
                                 "五子棋",      "it's \"x\"",
                                 "0",           "12-3-5",
                                 ", ,",         "a=b c=d",
                                 longest,       "black_name=x"};
    for (size_t i = 0; i < ARRAY_LEN(NAMES); i++)
        for (GameFormat format = GAME_FORMAT_PSQ; format <= GAME_FORMAT_SGF; format++) {
            ErrorText err = {""};
            Text text = {0};
            OneGame one = {0};
            GameSheet sheet = {.record = fixture_game((int64_t)i),
                               .black = (char *)NAMES[i],
                               .white = (char *)NAMES[ARRAY_LEN(NAMES) - 1 - i]};
            game_format(format)->write(&sheet, &text);
            OK(game_format(format)->read(text_cstr(&text), text.length,
                                         &(SheetTaker){take_one, complain_one, &one}, &err));
            if (one.games != 1)
                fail_msg("%s, '%.40s': %d games, %s", game_format(format)->name, NAMES[i],
                         one.games, one.complaint);
            assert_string_equal(one.sheet->black, sheet.black);
            assert_string_equal(one.sheet->white, sheet.white);
            assert_same_game((one.sheet->record->black = sheet.record->black,
                              one.sheet->record->white = sheet.record->white, one.sheet->record),
                             sheet.record);
            game_sheet_free(one.sheet);
            game_record_free(sheet.record);
            text_release(&text);
        }
}

// The high half of code page 1250, as Python's codec has it; its five holes are U+FFFD.
static void test_legacy_text__old_bytes_become_utf8(void **state) {
    (void)state;
    static const char HIGH[] = "€\xef\xbf\xbd"
                               "‚\xef\xbf\xbd"
                               "„…†‡\xef\xbf\xbd"
                               "‰Š‹ŚŤŽŹ\xef\xbf\xbd"
                               "‘’“”•–—\xef\xbf\xbd"
                               "™š›śťžź"
                               "\xc2\xa0"
                               "ˇ˘Ł¤Ą¦§¨©Ş«¬\xc2\xad"
                               "®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľż"
                               "ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß"
                               "ŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙";
    char bytes[128];
    for (int i = 0; i < 128; i++)
        bytes[i] = (char)(0x80 + i);
    Text out = {0};
    legacy_text_append(&out, bytes, sizeof bytes);
    assert_string_equal(text_cstr(&out), HIGH);
    static const struct {
        const char *bytes;
        size_t length;
        const char *text;
    } CASES[] = {
        {"plain", 5, "plain"},
        {"plain", 3, "pla"},
        {"a\0b", 3, "a"},
        {"\xc4\x9b\x20", 3, "ě "},  // UTF-8 stays
        {"\xc4\x9b\xec", 3, "Ä›ě"}, // one byte that is none makes all of it old
        {"\xc4\x9b", 1, "Ä"},       // as does a character that was cut
        {"", 0, ""},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        text_clear(&out);
        legacy_text_append(&out, CASES[i].bytes, CASES[i].length);
        assert_string_equal(text_cstr(&out), CASES[i].text);
    }
    text_release(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_game_sheet__fields_of_games_are_read_strictly),
        cmocka_unit_test(test_game_sheet__fields_mean_what_they_say),
        cmocka_unit_test(test_game_sheet__fields_of_moves_are_read_strictly),
        cmocka_unit_test(test_game_sheet__what_is_unknown_of_a_move_stays_unknown),
        cmocka_unit_test(test_game_sheet__names_come_back_whatever_they_are),
        cmocka_unit_test(test_legacy_text__old_bytes_become_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
