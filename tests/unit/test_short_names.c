// SPDX-License-Identifier: GPL-3.0-or-later
// Names cut to a width: what fits is kept, and no two names look alike.
#include "engine/base/check.h"
#include "harness/report/short_names.h"
#include "harness/report/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 300 };

static void make(const char *const *names, int count, char **out) {
    ErrorText err = {0};
    assert_int_equal(short_names_make(names, count, out, &err), STATUS_OK);
    for (int i = 0; i < count; i++) {
        assert_true(table_text_width(out[i]) <= SHORT_NAME_COLUMNS);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(out[i], out[j]);
    }
}

static void check(const char *const *names, const char *const *expected, int count) {
    char *out[8] = {0};
    make(names, count, out);
    for (int i = 0; i < count; i++) {
        assert_string_equal(out[i], expected[i]);
        free(out[i]);
    }
}

static void test_short_names__cuts_only_what_does_not_fit(void **state) {
    (void)state;
    const char *names[] = {"classic", "五子棋引擎", "a name that goes on and on without an end"};
    const char *expected[] = {"classic", "五子棋引擎", "a name that goes on and on with…"};
    check(names, expected, 3);
}

static void test_short_names__drops_the_groups_of_keys(void **state) {
    (void)state;
    const char *names[] = {"c eval.defense=0.5 search.depth=1", "c eval.defense=0.5 search.depth=2",
                           "c eval.defense=2 search.depth=2"};
    const char *expected[] = {"c defense=0.5 depth=1", "c defense=0.5 depth=2",
                              "c defense=2 depth=2"};
    check(names, expected, 3);
}

static void test_short_names__cuts_in_the_middle_what_ends_differently(void **state) {
    (void)state;
    const char *names[] = {"my engine compiled with everything, first version",
                           "my engine compiled with everything, second version", "other"};
    const char *expected[] = {"my engine compi…g, first version",
                              "my engine compi…, second version", "other"};
    check(names, expected, 3);
}

static void test_short_names__tells_many_apart(void **state) {
    (void)state;
    static char texts[MANY][160];
    const char *names[MANY];
    char *out[MANY] = {0};
    for (int i = 0; i < MANY; i++) { // they differ in the middle, where all are cut
        snprintf(texts[i], sizeof texts[i], "%s 第%d号 %s",
                 "the same beginning for every one of them", i,
                 "and the same end for every one of them");
        names[i] = texts[i];
    }
    make(names, MANY, out);
    for (int i = 0; i < MANY; i++)
        free(out[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_names__cuts_only_what_does_not_fit),
        cmocka_unit_test(test_short_names__drops_the_groups_of_keys),
        cmocka_unit_test(test_short_names__cuts_in_the_middle_what_ends_differently),
        cmocka_unit_test(test_short_names__tells_many_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
