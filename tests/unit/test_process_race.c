// SPDX-License-Identifier: GPL-3.0-or-later
// Children that end at once, started and stopped by several threads: each keeps its own end.
#include "engine/base/check.h"
#include "harness/play/process.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { THREADS = 4, EACH = 150 };

typedef struct Result {
    int wrong;       // children whose end was told wrongly
    char first[120]; // what was said of the first of them
} Result;

// A sweep of one thread must not reap what another has started or stopped just now.
static void *start_and_stop(void *ctx) {
    Result *result = ctx;
    char *args[] = {(char *)"-c", (char *)"exit 7"};
    ProcessSpec spec = {.path = "/bin/sh", .args = args, .arg_count = 2};
    for (int i = 0; i < EACH; i++) {
        Process *process = NULL;
        ErrorText err = {""};
        Text text = {0};
        if (process_spawn(&spec, &process, &err) == STATUS_OK) {
            process_stop(process, 60000000);
            process_write_exit(process, &text);
        }
        if (strcmp(text_cstr(&text), "exit status 7") != 0 && result->wrong++ == 0)
            snprintf(result->first, sizeof result->first, "'%.50s' %.50s", text_cstr(&text),
                     err.text);
        process_free(process);
        text_release(&text);
    }
    return NULL;
}

static void test_process_race__every_child_keeps_its_exit_status(void **state) {
    (void)state;
    pthread_t threads[THREADS];
    static Result results[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, start_and_stop, &results[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        if (results[i].wrong > 0)
            fail_msg("%d of %d, the first: %s", results[i].wrong, EACH, results[i].first);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_process_race__every_child_keeps_its_exit_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
