// SPDX-License-Identifier: GPL-3.0-or-later
// Cores as text, and threads where they were told to be.
#define _GNU_SOURCE
#include "engine/base/check.h"
#include "harness/play/affinity.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_affinity__text_there_and_back(void **state) {
    (void)state;
    static const struct {
        const char *text, *written; // NULL: refused
    } CASES[] = {{"auto", "auto"},     {"none", "none"}, {"0", "0"},     {"2,0,1", "2,0,1"},
                 {"1-3,8", "1,2,3,8"}, {"", NULL},       {"x", NULL},    {"1,", NULL},
                 {",1", NULL},         {"3-1", NULL},    {"-1", NULL},   {"1--2", NULL},
                 {"1;2", NULL},        {"99999", NULL},  {"Auto", NULL}, {"0-300", NULL}};
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        AffinitySpec spec = {.core_count = -7};
        ErrorText err = {""};
        Text written = {0};
        Status status = affinity_parse(CASES[i].text, &spec, &err);
        if ((status == STATUS_OK) != (CASES[i].written != NULL))
            fail_msg("'%s': %s", CASES[i].text, status_name(status));
        if (status) {
            assert_int_equal(spec.core_count, -7);
            assert_true(err.text[0]);
            continue;
        }
        affinity_write(&spec, &written);
        assert_string_equal(text_cstr(&written), CASES[i].written);
        text_release(&written);
    }
}

static int bound_cores(const Experiment *experiment, int worker) {
    cpu_set_t before, after;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    affinity_bind_worker(experiment, worker);
    assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    return CPU_COUNT(&after);
}

static void test_affinity__auto_binds_for_single_threaded_programs_only(void **state) {
    (void)state;
    cpu_set_t all;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    int count = CPU_COUNT(&all);
    char name[] = "x";
    PlayerSpec players[2] = {{.external = {.command = NULL}}, {.external = {.command = NULL}}};
    Experiment experiment = {.players = players, .player_count = 2};
    assert_int_equal(bound_cores(&experiment, 0), count); // nobody behind a pipe
    players[1].external.command = name;
    assert_int_equal(bound_cores(&experiment, 0), 1);
    assert_int_equal(bound_cores(&experiment, 100), 1);
    players[1].external.threads = 4;
    assert_int_equal(bound_cores(&experiment, 0), count);
    players[1].external.threads = 1;
    experiment.affinity.mode = AFFINITY_NONE;
    assert_int_equal(bound_cores(&experiment, 0), count);
    int core = 0;
    while (!CPU_ISSET(core, &all))
        core++;
    experiment.affinity = (AffinitySpec){.mode = AFFINITY_CORES, .cores = {core}, .core_count = 1};
    ErrorText err;
    assert_int_equal(affinity_check(&experiment, &err), STATUS_OK);
    assert_int_equal(bound_cores(&experiment, 3), 1);
    experiment.affinity.cores[0] = 255;
    assert_int_equal(affinity_check(&experiment, &err), STATUS_INVALID);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_affinity__text_there_and_back),
        cmocka_unit_test(test_affinity__auto_binds_for_single_threaded_programs_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
