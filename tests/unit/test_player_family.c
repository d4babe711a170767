// SPDX-License-Identifier: GPL-3.0-or-later
// Families of players: which knobs keep two players comparable, knob by knob.
// sanitizers: asan
#include "engine/base/check.h"
#include "harness/record/experiment.h"
#include "harness/report/player_family.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void family_of(const KnobSet *knobs, PlayerFamily *out) {
    PlayerSpec player = {.name = (char *)"p", .knobs = *knobs};
    Text json = {0};
    player_spec_write_json(&player, &json);
    player_family_read(text_cstr(&json), out);
    text_release(&json);
}

// Another value of a knob, or the same set when it is an order.
static KnobSet changed(KnobSet knobs, KnobId id) {
    const KnobInfo *info = knob_info(id);
    double value = knobs.number[id];
    bool is_index = info->type == KNOB_TYPE_BOOL || info->type == KNOB_TYPE_CHOICE;
    knobs.number[id] = is_index ? (value > 0 ? 0 : 1) : value < info->high ? value + 1 : value - 1;
    if (info->type == KNOB_TYPE_REAL && knobs.number[id] > info->high)
        knobs.number[id] = info->low;
    if (info->type == KNOB_TYPE_ORDER)
        knobs.order.term_count = 0;
    return knobs;
}

// Only the depth leaves the ladder equal; only knobs that are exact leave the minimax value equal.
static void test_player_family__each_knob_splits_what_it_should(void **state) {
    (void)state;
    PlayerFamily base;
    KnobSet defaults = knob_defaults();
    family_of(&defaults, &base);
    assert_true(base.ladder.length > 0 && base.minimax.length > 0);
    assert_false(base.is_minimax);
    for (int id = 0; id < KNOB_NB; id++) {
        PlayerFamily family;
        KnobSet other = changed(defaults, (KnobId)id);
        family_of(&other, &family);
        bool same_ladder = strcmp(text_cstr(&family.ladder), text_cstr(&base.ladder)) == 0;
        bool same_minimax = strcmp(text_cstr(&family.minimax), text_cstr(&base.minimax)) == 0;
        if (same_ladder != (id == KNOB_SEARCH_DEPTH))
            fail_msg("%s: ladder %s", knob_info((KnobId)id)->key, same_ladder ? "same" : "other");
        if (same_minimax != (knob_info((KnobId)id)->exact == EXACT))
            fail_msg("%s: minimax %s", knob_info((KnobId)id)->key, same_minimax ? "same" : "other");
        player_family_release(&family);
    }
    player_family_release(&base);
}

static void test_player_family__minimax_is_told_by_its_algorithm(void **state) {
    (void)state;
    PlayerFamily family;
    KnobSet knobs = knob_defaults();
    knobs.number[KNOB_SEARCH_ALGORITHM] = ALGORITHM_MINIMAX;
    family_of(&knobs, &family);
    assert_true(family.is_minimax);
    player_family_release(&family);
}

static void test_player_family__what_is_no_engine_of_ours_has_none(void **state) {
    (void)state;
    static const char *const TEXTS[] = {
        NULL,
        "",
        "{",
        "[]",
        "{}",
        "null",
        "{\"knobs\": 5}",
        "{\"name\": \"x\", \"knobs\": {\"search.depth\": 4}, \"engine\": {\"command\": \"x\"}}",
        "{\"knobs\": {\"no.such.knob\": 4}}",
        "{\"knobs\": {\"search.algorithm\": 7, \"\": 1}}",
    };
    for (size_t i = 0; i < ARRAY_LEN(TEXTS); i++) {
        PlayerFamily family;
        player_family_read(TEXTS[i], &family);
        assert_false(family.is_minimax);
        if (i + 1 < ARRAY_LEN(TEXTS))
            assert_int_equal(family.ladder.length + family.minimax.length, 0);
        player_family_release(&family);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_player_family__each_knob_splits_what_it_should),
        cmocka_unit_test(test_player_family__minimax_is_told_by_its_algorithm),
        cmocka_unit_test(test_player_family__what_is_no_engine_of_ours_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
