// SPDX-License-Identifier: GPL-3.0-or-later
// Games as CSV, JSON lines and PGN: read by a plain parser, every field is the record's; whatever
// strings hold, rows stay rows and JSON stays JSON.
// sanitizers: asan
#include "engine/base/check.h"
#include "harness/record/game_csv.h"
#include "harness/record/game_json.h"
#include "harness/record/pgn.h"
#include "store_fixture.h"

#include <jansson.h>
#include <math.h>

enum { COLUMNS_MAX = 48, GAMES = 24 };

static const char HARD[] = "a \"quoted\", name\nof two lines \\ ; \t\x01";

// The game of a slot, some with what is hard to write, some without moves.
static GameSheet sheet_of(int64_t slot) {
    GameRecord *record = fixture_game(slot);
    record->width = 17;
    if (slot % 5 == 1) {
        for (int i = 0; i < record->move_count; i++)
            free(record->moves[i].pv);
        record->move_count = 0;
    } else {
        record->moves[record->move_count - 1].value = slot % 2 ? INFINITY : -INFINITY;
        MoveRecord *partly = &record->moves[record->move_count - 2];
        partly->known &= (unsigned)slot * 37u & KNOWN_ALL;
        if (!(partly->known & KNOWN_PV)) {
            free(partly->pv);
            partly->pv = NULL;
        }
    }
    if (slot % 7 == 2) {
        record->pair = record->opening = -1;
        free(record->note);
        record->note = strdup("late by 12 ms,\nso \"they\" say \xff");
    }
    return (GameSheet){.record = record,
                       .black = (char *)(slot % 3 ? "d4" : HARD),
                       .white = (char *)"五子棋",
                       .event = (char *)"cup \"2\" \\",
                       .date = (char *)"2026-11-03",
                       .rule = slot % 2 ? RULE_STANDARD : RULE_FREESTYLE,
                       .k = 5};
}

// --- CSV ------------------------------------------------------------------------------------

// Cuts the next row of RFC 4180 into fields, in place. Returns how many; 0 at the end.
static int row_next(char **at, char *fields[COLUMNS_MAX]) {
    int count = 0;
    char *in = *at;
    if (!*in)
        return 0;
    for (bool is_last = false; !is_last;) {
        char *out = in;
        assert_true(count < COLUMNS_MAX);
        fields[count++] = out;
        bool is_quoted = *in == '"';
        in += is_quoted;
        while (is_quoted ? !(in[0] == '"' && in[1] != '"') : !strchr(",\n", *in)) {
            assert_true(*in);
            in += is_quoted && *in == '"';
            *out++ = *in++;
        }
        in += is_quoted;
        is_last = *in == '\n';
        assert_true(is_last || *in == ',');
        in++;
        *out = '\0';
    }
    *at = in;
    return count;
}

static const char *cell(char **names, char **row, int columns, const char *name) {
    for (int i = 0; i < columns; i++)
        if (strcmp(names[i], name) == 0)
            return row[i];
    fail_msg("no column %s", name);
    return NULL;
}

static void cell_check(const char *name, const char *got, bool is_known, double want) {
    char *end;
    double number = strtod(got, &end);
    if (is_known ? !*got || *end || number != want : *got != '\0')
        fail_msg("%s is '%s', expected %s %.17g", name, got, is_known ? "the number" : "none of",
                 want);
}

#define CELL(name) cell(names, row, columns, name)
#define NUMBER(name, is_known, want) cell_check(name, CELL(name), is_known, (double)(want))

static void move_check(char **names, char **row, int columns, const GameRecord *record, int ply) {
    const MoveRecord *m = &record->moves[ply - 1];
    const SearchCost *c = &m->cost;
    bool counters = m->known & KNOWN_COUNTERS;
    Text square = {0};
    NUMBER("ply", true, ply);
    NUMBER("x", true, m->move % record->width);
    NUMBER("y", true, m->move / record->width);
    game_record_write_square(record, m->move, &square);
    assert_string_equal(CELL("square"), text_cstr(&square));
    text_release(&square);
    NUMBER("value", m->known & KNOWN_VALUE, m->value);
    NUMBER("depth", m->known & KNOWN_DEPTH, c->depth);
    NUMBER("seldepth", m->known & KNOWN_SELDEPTH, c->seldepth);
    NUMBER("nodes", m->known & KNOWN_NODES, c->nodes);
    NUMBER("interior", counters, c->interior);
    NUMBER("leaves", counters, c->leaves);
    NUMBER("cutoffs", counters, c->cutoffs);
    NUMBER("first_cutoffs", counters, c->first_cutoffs);
    NUMBER("branches", counters, c->branches);
    NUMBER("tt_probes", counters, c->tt_probes);
    NUMBER("tt_hits", counters, c->tt_hits);
    NUMBER("time_us", m->known & KNOWN_TIME, c->time_us);
    assert_string_equal(CELL("pv"), m->known & KNOWN_PV ? m->pv : "");
}

static void row_check(char **names, char **row, int columns, const GameSheet *sheet) {
    const GameRecord *record = sheet->record;
    NUMBER("slot", true, record->slot);
    NUMBER("pair", record->pair >= 0, record->pair);
    NUMBER("opening", record->opening >= 0, record->opening);
    NUMBER("opening_plies", true, record->opening_plies);
    assert_string_equal(CELL("black"), sheet->black);
    assert_string_equal(CELL("white"), sheet->white);
    assert_string_equal(CELL("rule"), rule_name(sheet->rule));
    NUMBER("width", true, 17);
    NUMBER("height", true, 15);
    assert_int_equal(CELL("result")[0], record->result);
    assert_string_equal(CELL("reason"), game_reason_name(record->reason));
    NUMBER("plies", record->move_count > 0, record->move_count);
    char seed[32];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)record->seed);
    assert_string_equal(CELL("seed"), seed);
    NUMBER("wall_us", true, record->wall_us);
    assert_string_equal(CELL("note"), record->note ? record->note : "");
    for (int colour = BLACK; colour <= WHITE; colour++) {
        const SeatWatch *watch = &record->watch[colour];
        bool is_black = colour == BLACK;
        NUMBER(is_black ? "black_dropped_lines" : "white_dropped_lines", watch->is_watched,
               watch->dropped_lines);
        NUMBER(is_black ? "black_idle_us" : "white_idle_us", watch->is_watched, watch->idle_us);
        NUMBER(is_black ? "black_idle_cpu_us" : "white_idle_cpu_us", watch->is_watched,
               watch->idle_cpu_us);
    }
}

static void test_game_csv__every_cell_is_the_records(void **state) {
    (void)state;
    char *names[COLUMNS_MAX], *row[COLUMNS_MAX];
    Text header = {0};
    game_csv_write_header(&header);
    char *at = header.data;
    int columns = row_next(&at, names);
    assert_int_equal(columns, 38);
    for (int64_t slot = 0; slot < GAMES; slot++) {
        GameSheet sheet = sheet_of(slot);
        Text text = {0};
        int rows = 0;
        game_csv_write(&sheet, &text);
        for (at = text.data; row_next(&at, row); rows++) {
            row_check(names, row, columns, &sheet);
            if (sheet.record->move_count > 0)
                move_check(names, row, columns, sheet.record, rows + 1);
            else
                assert_string_equal(cell(names, row, columns, "ply"), "");
        }
        assert_int_equal(rows, sheet.record->move_count ? sheet.record->move_count : 1);
        text_release(&text);
        game_record_free(sheet.record);
    }
    text_release(&header);
}

// --- JSON -----------------------------------------------------------------------------------

// A number of the object, or its absence.
static void member_check(json_t *object, const char *key, bool is_known, double want) {
    json_t *value = json_object_get(object, key);
    if (is_known ? !json_is_number(value) || json_number_value(value) != want : value != NULL)
        fail_msg("%s is wrong, expected %s%.17g", key, is_known ? "" : "nothing instead of ", want);
}

static void json_move_check(json_t *object, const GameRecord *record, int ply) {
    const MoveRecord *m = &record->moves[ply - 1];
    const SearchCost *c = &m->cost;
    bool counters = m->known & KNOWN_COUNTERS;
    member_check(object, "ply", true, ply);
    member_check(object, "x", true, m->move % record->width);
    member_check(object, "y", true, m->move / record->width);
    if ((m->known & KNOWN_VALUE) && isinf(m->value))
        assert_string_equal(json_string_value(json_object_get(object, "value")),
                            m->value > 0 ? "inf" : "-inf");
    else
        member_check(object, "value", m->known & KNOWN_VALUE, m->value);
    member_check(object, "depth", m->known & KNOWN_DEPTH, c->depth);
    member_check(object, "seldepth", m->known & KNOWN_SELDEPTH, c->seldepth);
    member_check(object, "nodes", m->known & KNOWN_NODES, (double)c->nodes);
    member_check(object, "interior", counters, (double)c->interior);
    member_check(object, "leaves", counters, (double)c->leaves);
    member_check(object, "cutoffs", counters, (double)c->cutoffs);
    member_check(object, "first_cutoffs", counters, (double)c->first_cutoffs);
    member_check(object, "branches", counters, (double)c->branches);
    member_check(object, "tt_probes", counters, (double)c->tt_probes);
    member_check(object, "tt_hits", counters, (double)c->tt_hits);
    member_check(object, "time_us", m->known & KNOWN_TIME, (double)c->time_us);
    const char *pv = json_string_value(json_object_get(object, "pv"));
    assert_string_equal(pv ? pv : "", m->known & KNOWN_PV ? m->pv : "");
}

static void json_game_check(json_t *root, const GameSheet *sheet) {
    const GameRecord *record = sheet->record;
    char seed[32];
    member_check(root, "slot", true, (double)record->slot);
    member_check(root, "pair", record->pair >= 0, (double)record->pair);
    member_check(root, "opening", record->opening >= 0, (double)record->opening);
    member_check(root, "opening_plies", true, record->opening_plies);
    member_check(root, "plies", record->move_count > 0, record->move_count);
    member_check(root, "wall_us", true, (double)record->wall_us);
    assert_string_equal(json_string_value(json_object_get(root, "black")), sheet->black);
    assert_string_equal(json_string_value(json_object_get(root, "event")), "cup \"2\" \\");
    assert_string_equal(json_string_value(json_object_get(root, "date")), "2026-11-03");
    assert_null(json_object_get(root, "round"));
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)record->seed);
    assert_string_equal(json_string_value(json_object_get(root, "seed")), seed);
    const char *note = json_string_value(json_object_get(root, "note"));
    assert_int_equal(note != NULL, record->note != NULL);
    if (record->note && strchr(record->note, '\xff'))
        assert_non_null(strstr(note, "say \xef\xbf\xbd"));
    json_t *moves = json_object_get(root, "moves");
    assert_int_equal(json_array_size(moves), record->move_count);
    for (int ply = 1; ply <= record->move_count; ply++)
        json_move_check(json_array_get(moves, (size_t)ply - 1), record, ply);
}

static void test_game_json__every_member_is_the_records(void **state) {
    (void)state;
    for (int64_t slot = 0; slot < GAMES; slot++) {
        GameSheet sheet = sheet_of(slot);
        Text text = {0};
        json_error_t error;
        game_json_write(&sheet, &text);
        assert_ptr_equal(strchr(text_cstr(&text), '\n'), text_cstr(&text) + text.length - 1);
        json_t *root = json_loads(text_cstr(&text), JSON_REJECT_DUPLICATES, &error);
        if (!root)
            fail_msg("%s", error.text);
        json_game_check(root, &sheet);
        json_decref(root);
        text_release(&text);
        game_record_free(sheet.record);
    }
}

// --- PGN ------------------------------------------------------------------------------------

static void test_pgn__tags_and_squares_are_as_on_record(void **state) {
    (void)state;
    static const char OPENING[] = "h8 i9 j10";
    GameRecord *record = game_record_new();
    record->width = record->height = 15;
    record->slot = 7;
    record->opening = 3;
    record->opening_plies = 3;
    record->result = 'W';
    record->reason = REASON_TIMEOUT;
    for (int i = 0; i < 4; i++)
        assert_true(
            game_record_add(record, &(MoveRecord){.move = (Move)((7 - i) * 15 + 7 + i)}, NULL));
    GameSheet sheet = {.record = record,
                       .black = (char *)"b \"x\" \\",
                       .white = (char *)"line\nbreak",
                       .rule = RULE_STANDARD};
    Text text = {0}, opening = {0};
    pgn_write(&sheet, &text);
    assert_string_equal(text_cstr(&text), "[Event \"?\"]\n[Site \"gomolab\"]\n"
                                          "[Date \"????.??.??\"]\n[Round \"7\"]\n"
                                          "[White \"line break\"]\n[Black \"b \\\"x\\\" \\\\\"]\n"
                                          "[Result \"1-0\"]\n[Winner \"line break\"]\n"
                                          "[Termination \"timeout\"]\n[Rule \"standard\"]\n"
                                          "[Board \"15x15\"]\n[Opening \"3\"]\n"
                                          "[OpeningPlies \"3\"]\n[First \"White\"]\n"
                                          "[PlyCount \"4\"]\n\n1. h8 i9 2. j10 k11 1-0\n\n");
    game_record_write_opening(record, &opening);
    assert_string_equal(text_cstr(&opening), OPENING);
    text_release(&text);
    text_release(&opening);
    game_record_free(record);
}

static void test_pgn__lines_are_short_and_results_are_whites(void **state) {
    (void)state;
    static const struct {
        char result;
        const char *tag;
    } CASES[] = {
        {'B', "[Result \"0-1\"]"}, {'W', "[Result \"1-0\"]"}, {'D', "[Result \"1/2-1/2\"]"}};
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        GameSheet sheet = sheet_of(3);
        Text text = {0};
        sheet.record->result = CASES[i].result;
        pgn_write(&sheet, &text);
        assert_non_null(strstr(text_cstr(&text), CASES[i].tag));
        assert_non_null(strstr(text_cstr(&text), "[Date \"2026.11.03\"]"));
        assert_non_null(strstr(text_cstr(&text), CASES[i].result == 'D'   ? "[Winner \"draw\"]"
                                                 : CASES[i].result == 'W' ? "[Winner \"五子棋\"]"
                                                                          : "[Winner \"a "));
        for (const char *c = strstr(text_cstr(&text), "\n\n") + 2; *c; c += strcspn(c, "\n") + 1)
            assert_true(strcspn(c, "\n") <= 80);
        text_release(&text);
        game_record_free(sheet.record);
    }
}

static void test_game_record__reasons_have_one_word_each(void **state) {
    (void)state;
    for (int i = 0; i < REASON_NB; i++) {
        GameReason reason = REASON_NB;
        assert_true(game_reason_parse(game_reason_name((GameReason)i), &reason));
        assert_int_equal(reason, i);
    }
    GameReason reason = REASON_CRASH;
    assert_false(game_reason_parse("Five", &reason) || game_reason_parse("", &reason));
    assert_int_equal(reason, REASON_CRASH);
    Text opening = {0};
    GameRecord *record = game_record_new();
    game_record_write_opening(record, &opening);
    assert_string_equal(text_cstr(&opening), "-");
    text_release(&opening);
    game_record_free(record);
    game_record_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_game_csv__every_cell_is_the_records),
        cmocka_unit_test(test_game_json__every_member_is_the_records),
        cmocka_unit_test(test_pgn__tags_and_squares_are_as_on_record),
        cmocka_unit_test(test_pgn__lines_are_short_and_results_are_whites),
        cmocka_unit_test(test_game_record__reasons_have_one_word_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
