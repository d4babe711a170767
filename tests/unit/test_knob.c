// SPDX-License-Identifier: GPL-3.0-or-later
// The table of knobs: every row is sane, every enum of knob.h follows the choices of its row, and
// texts read back.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/base/knob.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct ChoiceCase {
    KnobId id;
    const char *text;
    int index;
} ChoiceCase;

// Written out by hand from the enums of knob.h: a row whose choices are reordered fails here.
static const ChoiceCase CHOICES[] = {
    {KNOB_SEARCH_ALGORITHM, "random", ALGORITHM_RANDOM},
    {KNOB_SEARCH_ALGORITHM, "greedy", ALGORITHM_GREEDY},
    {KNOB_SEARCH_ALGORITHM, "minimax", ALGORITHM_MINIMAX},
    {KNOB_SEARCH_ALGORITHM, "alphabeta", ALGORITHM_ALPHABETA},
    {KNOB_SEARCH_ALGORITHM, "pvs", ALGORITHM_PVS},
    {KNOB_SEARCH_ALGORITHM, "mcts", ALGORITHM_MCTS},
    {KNOB_MCTS_LEAF, "eval", MCTS_LEAF_EVAL},
    {KNOB_MCTS_LEAF, "playout", MCTS_LEAF_PLAYOUT},
    {KNOB_SEARCH_TIE, "board", TIE_BOARD},
    {KNOB_SEARCH_TIE, "order", TIE_ORDER},
    {KNOB_SEARCH_ROOT, "exact", ROOT_EXACT},
    {KNOB_SEARCH_ROOT, "full", ROOT_FULL},
    {KNOB_SEARCH_ROOT, "shared", ROOT_SHARED},
    {KNOB_SEARCH_TERMINAL, "rule", TERMINAL_RULE},
    {KNOB_SEARCH_TERMINAL, "before_entry", TERMINAL_BEFORE_ENTRY},
    {KNOB_SEARCH_TERMINAL, "threshold:100000", TERMINAL_THRESHOLD},
    {KNOB_SEARCH_TERMINAL, "none", TERMINAL_NONE},
    {KNOB_SEARCH_WIN_VALUE, "win_minus_ply", WIN_MINUS_PLY},
    {KNOB_SEARCH_WIN_VALUE, "times_depth:100000", WIN_TIMES_DEPTH},
    {KNOB_SEARCH_WIN_VALUE, "static", WIN_STATIC},
    {KNOB_SEARCH_NO_MOVES, "static", NO_MOVES_STATIC},
    {KNOB_SEARCH_NO_MOVES, "zero", NO_MOVES_ZERO},
    {KNOB_SEARCH_NO_MOVES, "infinite", NO_MOVES_INFINITE},
    {KNOB_SEARCH_NO_MOVES, "value:7", NO_MOVES_VALUE},
    {KNOB_SEARCH_RULE, "game", SEARCH_RULE_GAME},
    {KNOB_SEARCH_RULE, "freestyle", SEARCH_RULE_FREESTYLE},
    {KNOB_SEARCH_RULE, "standard", SEARCH_RULE_STANDARD},
    {KNOB_SEARCH_CENTER, "distance", CENTER_DISTANCE},
    {KNOB_SEARCH_CENTER, "product", CENTER_PRODUCT},
    {KNOB_HISTORY_BONUS, "square", HISTORY_SQUARE},
    {KNOB_HISTORY_BONUS, "flat:1", HISTORY_FLAT},
    {KNOB_HISTORY_BONUS, "halving:64", HISTORY_HALVING},
    {KNOB_HISTORY_NODES, "both", HISTORY_BOTH},
    {KNOB_HISTORY_NODES, "max", HISTORY_MAX},
    {KNOB_HISTORY_TABLE, "colour", HISTORY_BY_COLOUR},
    {KNOB_HISTORY_TABLE, "shared", HISTORY_SHARED},
    {KNOB_MOVES_SELECT, "both", SELECT_BOTH},
    {KNOB_MOVES_SELECT, "own", SELECT_OWN},
    {KNOB_MOVES_SELECT, "mover", SELECT_MOVER},
    {KNOB_MOVES_SELECT, "board", SELECT_BOARD},
    {KNOB_MOVES_EMPTY, "centre", MOVES_EMPTY_CENTRE},
    {KNOB_MOVES_EMPTY, "none", MOVES_EMPTY_NONE},
    {KNOB_EVAL_ARITHMETIC, "whole", ARITHMETIC_WHOLE},
    {KNOB_EVAL_ARITHMETIC, "double", ARITHMETIC_DOUBLE},
    {KNOB_EVAL_ARITHMETIC, "tenths", ARITHMETIC_TENTHS},
    {KNOB_EVAL_WINDOWS, "lit", WINDOWS_LIT},
    {KNOB_EVAL_WINDOWS, "full", WINDOWS_FULL},
    {KNOB_SEARCH_VCF, "none", VCF_NONE},
    {KNOB_SEARCH_VCF, "root", VCF_ROOT},
    {KNOB_SEARCH_VCF, "leaves", VCF_LEAVES},
    {KNOB_SEARCH_VCF, "both", VCF_BOTH},
    {KNOB_SEARCH_VCT, "none", VCT_NONE},
    {KNOB_SEARCH_VCT, "root", VCT_ROOT},
    {KNOB_PLAY_PRECHECK, "none", PRECHECK_NONE},
    {KNOB_PLAY_PRECHECK, "win", PRECHECK_WIN},
    {KNOB_PLAY_PRECHECK, "win_block", PRECHECK_WIN_BLOCK},
    {KNOB_PLAY_OPENING, "search", OPENING_BY_SEARCH},
    {KNOB_PLAY_OPENING, "centre", OPENING_CENTRE},
    {KNOB_PLAY_OPENING, "near_centre", OPENING_NEAR_CENTRE},
};

static void test_knob__enums_follow_the_choices(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(CHOICES); i++) {
        KnobSet set = knob_defaults();
        ErrorText err = {0};
        const ChoiceCase *c = &CHOICES[i];
        assert_int_equal(knob_set_text(&set, knob_info(c->id)->key, c->text, &err), STATUS_OK);
        assert_int_equal(knob_int(&set, c->id), c->index);
    }
}

// Every choice of every row is either in the table above or belongs to a knob that has no enum in
// knob.h.
static void test_knob__no_choice_is_forgotten(void **state) {
    (void)state;
    for (int id = 0; id < KNOB_NB; id++) {
        const KnobInfo *info = knob_info((KnobId)id);
        int listed = 0, rows = 0;
        for (size_t i = 0; i < ARRAY_LEN(CHOICES); i++)
            listed += CHOICES[i].id == (KnobId)id;
        if (info->type != KNOB_TYPE_CHOICE || id == KNOB_EVAL_MODEL)
            continue;
        for (const char *c = info->choices; c; c = strchr(c, '|'), c = c ? c + 1 : NULL)
            rows++;
        if (listed != rows)
            fail_msg("%s has %d choices, the test knows %d", info->key, rows, listed);
    }
}

static void test_knob__rows_are_sane(void **state) {
    (void)state;
    KnobSet defaults = knob_defaults();
    for (int id = 0; id < KNOB_NB; id++) {
        const KnobInfo *info = knob_info((KnobId)id);
        assert_int_equal(knob_find(info->key), id); // no key twice
        assert_non_null(strchr(info->key, '.'));
        assert_true(strlen(info->meaning) > 0);
        assert_true(info->step >= 0);
        if (info->type == KNOB_TYPE_INT || info->type == KNOB_TYPE_REAL) {
            assert_true(info->low < info->high);
            assert_true(defaults.number[id] >= info->low && defaults.number[id] <= info->high);
        }
    }
}

static void test_knob__defaults_read_back(void **state) {
    (void)state;
    KnobSet defaults = knob_defaults();
    for (int id = 0; id < KNOB_NB; id++) {
        Text text = {0}, again = {0};
        ErrorText err = {0};
        KnobSet set = knob_defaults();
        knob_write_text(&defaults, (KnobId)id, &text);
        assert_int_equal(knob_set_text(&set, knob_info((KnobId)id)->key, text_cstr(&text), &err),
                         STATUS_OK);
        knob_write_text(&set, (KnobId)id, &again);
        assert_string_equal(text_cstr(&text), text_cstr(&again));
        text_release(&text);
        text_release(&again);
    }
    ErrorText err = {0};
    assert_int_equal(knob_check(&defaults, &err), STATUS_OK);
}

// What makes no sense together is refused, and the message names the knob to change.
static void test_knob__combinations_without_sense_are_refused(void **state) {
    (void)state;
    static const char *const CASES[][4][2] = {
        {{"search.algorithm", "minimax"}, {"search.tt_mb", "1"}, {"search.tt_mb"}},
        {{"search.algorithm", "minimax"}, {"search.futility", "40"}, {"search.futility"}},
        {{"search.algorithm", "minimax"}, {"search.vcf", "leaves"}, {"search.vcf"}},
        {{"search.algorithm", "alphabeta"}, {"search.lmr", "yes"}, {"search.lmr"}},
        {{"search.algorithm", "alphabeta"}, {"search.singular", "6"}, {"search.singular"}},
        {{"search.win_value", "static"}, {"search.threats", "yes"}, {"search.threats"}},
        {{"search.terminal", "threshold:0"}, {"search.depth", "2"}, {"search.terminal"}},
        {{"search.terminal", "threshold:-5"}, {"search.depth", "2"}, {"search.terminal"}},
        {{"search.terminal", "none"}, {"search.null_move", "2"}, {"search.null_move"}},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        KnobSet set = knob_defaults();
        ErrorText err = {0};
        for (int j = 0; j < 2; j++)
            assert_int_equal(knob_set_text(&set, CASES[i][j][0], CASES[i][j][1], &err), STATUS_OK);
        assert_int_equal(knob_check(&set, &err), STATUS_INVALID);
        assert_non_null(strstr(err.text, CASES[i][2][0]));
    }
}

typedef struct BadCase {
    const char *key, *text, *message;
    Status status;
} BadCase;

static const BadCase BAD[] = {
    {"search.depht", "3", "unknown key 'search.depht', nearest is 'search.depth'",
     STATUS_NOT_FOUND},
    {"search.time", "3", "unknown key 'search.time', nearest is 'search.time_ms'",
     STATUS_NOT_FOUND},
    {"search.xyzzy", "3", "unknown key 'search.xyzzy'; `gomolab keys` lists them",
     STATUS_NOT_FOUND},
    {"search.depth", "four", "search.depth: 'four', expected a whole number 1..64", STATUS_INVALID},
    {"search.depth", "4.5", "search.depth: '4.5', expected a whole number 1..64", STATUS_INVALID},
    {"search.depth", "0", "search.depth: '0', expected a whole number 1..64", STATUS_INVALID},
    {"search.depth", " 4", "search.depth: ' 4', expected a whole number 1..64", STATUS_INVALID},
    {"eval.defense", "11", "eval.defense: '11', expected a number 0..10", STATUS_INVALID},
    {"eval.defense", "nan", "eval.defense: 'nan', expected a number 0..10", STATUS_INVALID},
    {"eval.defense", "0x1", "eval.defense: '0x1', expected a number 0..10", STATUS_INVALID},
    {"search.tie", "bored", "search.tie: 'bored', expected one of board|order, nearest is 'board'",
     STATUS_INVALID},
    {"search.order", "[history, score:]",
     "search.order: 'score:': expected score or history with :own, :mover or :both",
     STATUS_INVALID},
    {"search.deepening", "maybe", "search.deepening: 'maybe', expected yes or no", STATUS_INVALID},
};

static void test_knob__bad_values_say_what_was_expected(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(BAD); i++) {
        KnobSet set = knob_defaults(), before = set;
        ErrorText err = {0};
        assert_int_equal(knob_set_text(&set, BAD[i].key, BAD[i].text, &err), BAD[i].status);
        assert_string_equal(err.text, BAD[i].message);
        assert_memory_equal(set.number, before.number, sizeof set.number);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_knob__combinations_without_sense_are_refused),
        cmocka_unit_test(test_knob__enums_follow_the_choices),
        cmocka_unit_test(test_knob__no_choice_is_forgotten),
        cmocka_unit_test(test_knob__rows_are_sane),
        cmocka_unit_test(test_knob__defaults_read_back),
        cmocka_unit_test(test_knob__bad_values_say_what_was_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
