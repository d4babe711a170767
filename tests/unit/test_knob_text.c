// SPDX-License-Identifier: GPL-3.0-or-later
// Knobs to text and back: every value at its ends, orderings and what is wrong with them, choices
// with numbers, JSON; and combinations that are refused, word for word.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/base/knob.h"
#include "engine/base/large_memory.h"
#include "engine/base/rng.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void set(KnobSet *knobs, const char *key, const char *text) {
    ErrorText err = {{0}};
    if (knob_set_text(knobs, key, text, &err))
        fail_msg("%s", err.text);
}

static void assert_text(const KnobSet *knobs, KnobId id, const char *expected) {
    Text text = {0};
    knob_write_text(knobs, id, &text);
    assert_string_equal(text_cstr(&text), expected);
    text_release(&text);
}

static void test_knob_text__ends_read_back(void **state) {
    (void)state;
    Rng rng = rng_init(1);
    for (int id = 0; id < KNOB_NB; id++) {
        const KnobInfo *info = knob_info((KnobId)id);
        if (info->type != KNOB_TYPE_INT && info->type != KNOB_TYPE_REAL)
            continue;
        double span = info->high - info->low;
        for (int i = 0; i < 6; i++) {
            KnobSet knobs = knob_defaults(), back = knobs;
            double at = i == 0   ? info->low
                        : i == 1 ? info->high
                                 : info->low + span * rng_unit(&rng);
            knobs.number[id] = info->type == KNOB_TYPE_INT ? (double)(int64_t)at : at;
            Text text = {0};
            knob_write_text(&knobs, (KnobId)id, &text);
            set(&back, info->key, text_cstr(&text));
            assert_true(back.number[id] == knobs.number[id]);
            text_release(&text);
        }
    }
}

static void test_knob_text__beyond_the_ends_is_refused(void **state) {
    (void)state;
    for (int id = 0; id < KNOB_NB; id++) {
        const KnobInfo *info = knob_info((KnobId)id);
        if (info->type != KNOB_TYPE_INT && info->type != KNOB_TYPE_REAL)
            continue;
        for (int end = 0; end < 2; end++) {
            KnobSet knobs = knob_defaults(), before = knobs;
            ErrorText err = {{0}};
            Text text = {0};
            text_printf(&text, "%.0f", end ? info->high + 1 : info->low - 1);
            assert_int_equal(knob_set_text(&knobs, info->key, text_cstr(&text), &err),
                             STATUS_INVALID);
            assert_memory_equal(&knobs, &before, sizeof knobs);
            assert_memory_equal(err.text, info->key, strlen(info->key)); // names the key
            assert_non_null(strstr(err.text, text_cstr(&text)));         // and what was read
            text_release(&text);
        }
    }
}

static void test_knob_text__orderings(void **state) {
    (void)state;
    static const struct {
        const char *text, *written;
    } CASES[] = {
        {"[]", "[]"},
        {"", "[]"},
        {"score", "[score]"},
        {"[score, history]", "[score, history]"},
        {"score history", "[score, history]"},
        {"SCORE:Own,Centre", "[score:own, center]"},
        {"[history+center]", "[history+center]"},
        {"[history + center , killer]", "[history+center, killer]"},
        {"history +center", "[history+center]"},
        {"score:both+history:mover+counter+killer", "[score:both+history:mover+counter+killer]"},
        {"score,center,distance,history,killer,counter",
         "[score, center, distance, history, killer, counter]"},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        KnobSet knobs = knob_defaults();
        set(&knobs, "search.order", CASES[i].text);
        assert_text(&knobs, KNOB_SEARCH_ORDER, CASES[i].written);
        set(&knobs, "search.order", CASES[i].written); // and again
        assert_text(&knobs, KNOB_SEARCH_ORDER, CASES[i].written);
    }
}

static void test_knob_text__wrong_orderings_are_named_and_change_nothing(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } CASES[] = {
        {"[score, histroy]",
         "search.order: 'histroy' is no ordering term, expected score, center, distance, history, "
         "killer or counter, nearest is 'history'"},
        {"score:mine",
         "search.order: 'score:mine': expected score or history with :own, :mover or :both"},
        {"score:", "search.order: 'score:': expected score or history with :own, :mover or :both"},
        {"center:own",
         "search.order: 'center:own': expected score or history with :own, :mover or :both"},
        {"killer:both",
         "search.order: 'killer:both': expected score or history with :own, :mover or :both"},
        {"score+history+killer+counter+center",
         "search.order: more than 4 parts in one ordering term"},
        {"score,score,score,score,score,score,score", "search.order: more than 6 ordering terms"},
        {":own", "search.order: '' is no ordering term, expected score, center, distance, history, "
                 "killer or counter"},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        KnobSet knobs = knob_defaults();
        ErrorText err = {{0}};
        set(&knobs, "search.order", "[distance]");
        Status status = knob_set_text(&knobs, "search.order", CASES[i].text, &err);
        assert_int_equal(status, STATUS_INVALID);
        assert_string_equal(err.text, CASES[i].message);
        assert_text(&knobs, KNOB_SEARCH_ORDER, "[distance]");
    }
}

static void test_knob_text__choices_with_numbers(void **state) {
    (void)state;
    static const struct {
        const char *key, *text, *written; // NULL: refused
        KnobId id;
    } CASES[] = {
        {"search.terminal", "threshold:100000", "threshold:100000", KNOB_SEARCH_TERMINAL},
        {"search.terminal", "THRESHOLD:2.5", "threshold:2.5", KNOB_SEARCH_TERMINAL},
        {"search.terminal", "Before_Entry", "before_entry", KNOB_SEARCH_TERMINAL},
        {"search.terminal", "threshold", NULL, KNOB_SEARCH_TERMINAL},
        {"search.terminal", "threshold:", NULL, KNOB_SEARCH_TERMINAL},
        {"search.terminal", "threshold:N", NULL, KNOB_SEARCH_TERMINAL},
        {"search.terminal", "threshold:1e16", NULL, KNOB_SEARCH_TERMINAL},
        {"search.terminal", "rule:3", NULL, KNOB_SEARCH_TERMINAL},
        {"search.terminal", "rul", NULL, KNOB_SEARCH_TERMINAL},
        {"search.terminal", "", NULL, KNOB_SEARCH_TERMINAL},
        {"search.win_value", "times_depth:-4", "times_depth:-4", KNOB_SEARCH_WIN_VALUE},
        {"search.no_moves", "value:1e15", "value:1e+15", KNOB_SEARCH_NO_MOVES},
        {"history.bonus", "halving:64", "halving:64", KNOB_HISTORY_BONUS},
        {"eval.model", "shapes", NULL, KNOB_EVAL_MODEL},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        KnobSet knobs = knob_defaults(), before = knobs;
        ErrorText err = {{0}};
        Status status = knob_set_text(&knobs, CASES[i].key, CASES[i].text, &err);
        if (CASES[i].written) {
            assert_int_equal(status, STATUS_OK);
            assert_text(&knobs, CASES[i].id, CASES[i].written);
            set(&knobs, CASES[i].key, CASES[i].written);
            assert_text(&knobs, CASES[i].id, CASES[i].written);
        } else {
            assert_int_equal(status, STATUS_INVALID);
            assert_memory_equal(&knobs, &before, sizeof knobs);
            assert_non_null(strstr(err.text, "expected one of "));
            assert_non_null(strstr(err.text, knob_info(CASES[i].id)->choices));
        }
    }
}

// A choice that had a number forgets it when it becomes one without.
static void test_knob_text__numbers_go_with_their_choice(void **state) {
    (void)state;
    KnobSet knobs = knob_defaults();
    set(&knobs, "search.terminal", "threshold:7");
    assert_true(knobs.param[KNOB_SEARCH_TERMINAL] == 7);
    set(&knobs, "search.terminal", "none");
    assert_true(knobs.param[KNOB_SEARCH_TERMINAL] == 0);
    KnobSet fresh = knob_defaults();
    set(&fresh, "search.terminal", "none");
    assert_memory_equal(&knobs, &fresh, sizeof knobs);
}

// The whole set as JSON holds every knob once, and setting all of it gives the set again.
static void test_knob_text__json_is_the_set(void **state) {
    (void)state;
    KnobSet knobs = knob_defaults();
    set(&knobs, "search.terminal", "threshold:2.5");
    set(&knobs, "search.order", "[score:own+killer, center]");
    set(&knobs, "search.nodes", "1000000000000000");
    set(&knobs, "eval.defense", "0.1");
    set(&knobs, "search.deepening", "yes");
    Text text = {0};
    knob_write_json(&knobs, &text);
    json_error_t error;
    json_t *object = json_loads(text_cstr(&text), JSON_REJECT_DUPLICATES, &error);
    assert_non_null(object);
    assert_int_equal(json_object_size(object), KNOB_NB);
    KnobSet back = knob_defaults();
    for (int id = 0; id < KNOB_NB; id++) {
        const KnobInfo *info = knob_info((KnobId)id);
        const json_t *value = json_object_get(object, info->key);
        Text written = {0};
        assert_non_null(value);
        if (info->type == KNOB_TYPE_BOOL)
            text_append(&written, json_is_true(value) ? "yes" : "no");
        else if (info->type == KNOB_TYPE_INT)
            text_printf(&written, "%lld", (long long)json_integer_value(value));
        else if (info->type == KNOB_TYPE_REAL)
            text_append_double(&written, json_number_value(value));
        else
            text_append(&written, json_string_value(value));
        set(&back, info->key, text_cstr(&written));
        text_release(&written);
    }
    assert_memory_equal(&back, &knobs, sizeof knobs);
    json_decref(object);
    text_release(&text);
}

static void test_knob__combinations_are_refused_word_for_word(void **state) {
    (void)state;
    static const struct {
        const char *set[3][2], *message;
    } CASES[] = {
        {{{"search.algorithm", "minimax"}, {"search.tt_mb", "1"}},
         "search.tt_mb: plain minimax uses no transposition table; set it to 0"},
        {{{"search.algorithm", "minimax"}, {"search.lmr", "yes"}},
         "search.lmr: plain minimax leaves nothing out and looks at nothing harder; use "
         "search.algorithm alphabeta or pvs, or switch it off"},
        {{{"search.singular", "4"}},
         "search.lmr and search.singular ask moves by null windows first: use search.algorithm "
         "pvs, or switch them off"},
        {{{"search.threats", "yes"}, {"search.win_value", "times_depth:9"}},
         "search.threats: proves wins in so many plies; search.win_value must be win_minus_ply and "
         "search.terminal rule or before_entry"},
        {{{"search.extend", "yes"}, {"search.terminal", "threshold:9"}},
         "search.extend: proves wins in so many plies; search.win_value must be win_minus_ply and "
         "search.terminal rule or before_entry"},
        {{{"search.algorithm", "mcts"}},
         "search.algorithm: mcts is not limited by search.depth; set mcts.playouts, search.nodes "
         "or "
         "search.time_ms"},
        {{{"search.algorithm", "mcts"}, {"search.nodes", "9"}, {"search.tt_mb", "1"}},
         "search.tt_mb: mcts uses no transposition table; set it to 0"},
        {{{"search.algorithm", "mcts"}, {"search.time_ms", "9"}, {"search.terminal", "none"}},
         "search.terminal: mcts ends a line by the rule only; set it to rule"},
        {{{"search.algorithm", "mcts"}, {"mcts.playouts", "9"}, {"search.win_value", "static"}},
         "search.win_value: mcts proves wins in so many plies; set it to win_minus_ply"},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        KnobSet knobs = knob_defaults();
        ErrorText err = {{0}};
        for (int j = 0; j < 3 && CASES[i].set[j][0]; j++)
            set(&knobs, CASES[i].set[j][0], CASES[i].set[j][1]);
        assert_int_equal(knob_check(&knobs, &err), STATUS_INVALID);
        assert_string_equal(err.text, CASES[i].message);
    }
}

static void test_knob__memory_of_a_player(void **state) {
    (void)state;
    KnobSet knobs = knob_defaults();
    assert_int_equal(knob_memory_mb(&knobs), 0);
    set(&knobs, "search.tt_mb", "7");
    set(&knobs, "mcts.memory_mb", "9"); // of another algorithm
    assert_int_equal(knob_memory_mb(&knobs), 7);
    set(&knobs, "search.tt_mb", "0");
    set(&knobs, "search.algorithm", "mcts");
    assert_int_equal(knob_memory_mb(&knobs), 9);

    ErrorText err = {{0}};
    Text expected = {0};
    KnobSet greedy = knob_defaults();
    int64_t machine = large_memory_machine_mb();
    greedy.number[KNOB_SEARCH_TT_MB] = (double)(machine + 1);
    assert_int_equal(knob_check(&greedy, &err), STATUS_INVALID);
    text_printf(&expected, "search.tt_mb: %lld, but this machine has %lld MiB of memory",
                (long long)machine + 1, (long long)machine);
    assert_string_equal(err.text, text_cstr(&expected));
    greedy.number[KNOB_SEARCH_TT_MB] = (double)machine;
    assert_int_equal(knob_check(&greedy, &err), STATUS_OK);
    text_release(&expected);
}

static void test_knob__nearest_keys(void **state) {
    (void)state;
    assert_string_equal(knob_nearest_hint("search.nods", "").text, ", nearest is 'search.nodes'");
    assert_string_equal(knob_nearest_hint("playouts", "").text, ", nearest is 'mcts.playouts'");
    assert_string_equal(knob_nearest_hint("zzzzzzzz", "?").text, "?");
    assert_int_equal(knob_find("search.Depth"), KNOB_NB); // keys are written as they are
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_knob_text__ends_read_back),
        cmocka_unit_test(test_knob_text__beyond_the_ends_is_refused),
        cmocka_unit_test(test_knob_text__orderings),
        cmocka_unit_test(test_knob_text__wrong_orderings_are_named_and_change_nothing),
        cmocka_unit_test(test_knob_text__choices_with_numbers),
        cmocka_unit_test(test_knob_text__numbers_go_with_their_choice),
        cmocka_unit_test(test_knob_text__json_is_the_set),
        cmocka_unit_test(test_knob__combinations_are_refused_word_for_word),
        cmocka_unit_test(test_knob__memory_of_a_player),
        cmocka_unit_test(test_knob__nearest_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
