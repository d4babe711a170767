// SPDX-License-Identifier: GPL-3.0-or-later
// The nearest name, and the half sentence that offers it.
#include "engine/base/check.h"
#include "engine/base/nearest.h"
#include "engine/base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_nearest__the_name_with_the_fewest_slips(void **state) {
    (void)state;
    static const char *const NAMES[] = {"search.depth", "search.deepening", "eval.model",
                                        "moves.limit",  "mcts.playouts",    "--help"};
    static const struct {
        const char *word, *nearest;
    } CASES[] = {
        {"search.depht", "search.depth"},
        {"SEARCH.DEPTH", "search.depth"},
        {"search.deep", "search.deepening"}, // begins with it
        {"depth", "search.depth"},           // the part after the dot
        {"playout", "mcts.playouts"},
        {"eval.modell", "eval.model"},
        {"search.xyzzy", NULL}, // the part in common is no merit
        {"--hlep", "--help"},
        {"search.dpeht", "search.depth"}, // two swaps
        {"--zzzz", NULL},
        {"", NULL},
        {"q", NULL},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        const char *found = nearest_name(CASES[i].word, NAMES, ARRAY_LEN(NAMES));
        if (!found || !CASES[i].nearest ? found != CASES[i].nearest
                                        : strcmp(found, CASES[i].nearest) != 0)
            fail_msg("'%s' is near to %s", CASES[i].word, found ? found : "nothing");
    }
    assert_null(nearest_name("depth", NAMES, 0));
    char word[400];
    memset(word, 'a', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    assert_null(nearest_name(word, NAMES, ARRAY_LEN(NAMES)));
}

// Swapped letters are one slip, so that words of three letters are found again.
static void test_nearest__swapped_letters_are_one_slip(void **state) {
    (void)state;
    static const char *const NAMES[] = {"--vct", "--vcf", "psq", "sgf"};
    assert_string_equal(nearest_name("--vfc", NAMES, 4), "--vcf");
    assert_string_equal(nearest_name("--vtc", NAMES, 4), "--vct");
    assert_string_equal(nearest_name("pqs", NAMES, 4), "psq");
    assert_null(nearest_name("fgs", NAMES, 4)); // three letters out of place are no slip
}

static void test_nearest__hints(void **state) {
    (void)state;
    static const char *const NAMES[] = {"alpha", "beta"};
    assert_string_equal(nearest_hint("alhpa", NAMES, 2, "").text, ", nearest is 'alpha'");
    assert_string_equal(nearest_hint("gamma", NAMES, 2, "; see there").text, "; see there");
    assert_string_equal(nearest_hint("gamma", NAMES, 0, "").text, "");
    char name[300];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    const char *const one[] = {name};
    NearestHint hint = nearest_hint("nnnn", one, 1, ""); // cut, and closed
    assert_string_equal(hint.text + strlen(hint.text) - 2, "n'");
    assert_true(strlen(hint.text) < sizeof hint.text);
}

static void test_nearest__choices(void **state) {
    (void)state;
    static const struct {
        const char *word, *choices, *hint;
    } CASES[] = {
        {"alphbeta", "random|minimax|alphabeta|pvs", ", nearest is 'alphabeta'"},
        {"PVS", "random|minimax|alphabeta|pvs", ", nearest is 'pvs'"},
        {"treshold:5", "rule|threshold:N|none", ", nearest is 'threshold:N'"},
        {"magic", "rule|threshold:N|none", ""},
        {"", "a|b", ""},
        {"word", "", ""},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++)
        assert_string_equal(nearest_choice_hint(CASES[i].word, CASES[i].choices).text,
                            CASES[i].hint);
    // More choices than are looked at are no overrun.
    Text many = {0};
    for (int i = 0; i < 100; i++)
        text_append(&many, "zz|");
    text_append(&many, "last");
    assert_string_equal(nearest_choice_hint("lats", text_cstr(&many)).text, "");
    text_release(&many);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest__the_name_with_the_fewest_slips),
        cmocka_unit_test(test_nearest__swapped_letters_are_one_slip),
        cmocka_unit_test(test_nearest__hints),
        cmocka_unit_test(test_nearest__choices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
