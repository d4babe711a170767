// SPDX-License-Identifier: GPL-3.0-or-later
// Running gnuplot: programs of that name that hang, talk too much, die or are not there.
#include "engine/base/clock.h"
#include "harness/report/gnuplot_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/gomolab-gnuplot-XXXXXX";
static char target[64], program[64];

static int setup(void **state) {
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(target, sizeof target, "%s/picture.png", folder);
    snprintf(program, sizeof program, "%s/gnuplot", folder);
    char path[300];
    snprintf(path, sizeof path, "%s:/bin:/usr/bin", folder);
    return setenv("PATH", path, 1);
}

static int teardown(void **state) {
    (void)state;
    remove(target);
    remove(program);
    return rmdir(folder);
}

// Makes `gnuplot` a shell script; settings are in $2.
static void gnuplot_be(const char *script) {
    FILE *file = fopen(program, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\neval \"$(printf %%s \"$2\" | tr ';' '\\n' | sed 's/^ *//')\"\n%s\n",
            script);
    fclose(file);
    assert_int_equal(chmod(program, 0755), 0);
}

static Status draw(int timeout_ms, ErrorText *err) {
    GnuplotJob job = {"script.gp", "it's.dat", "png", target, timeout_ms};
    err->text[0] = '\0';
    return gnuplot_draw(&job, err);
}

static void test_gnuplot_run__settings_arrive_and_the_picture_is_renamed(void **state) {
    (void)state;
    ErrorText err;
    // The variables are gnuplot's, which happen to be a shell's as well but for the doubled quote.
    gnuplot_be("[ \"$format\" = png ] && [ \"$3\" = script.gp ] && [ \"$LC_ALL\" = C ] && echo "
               "drawn > \"$target\"");
    if (draw(20000, &err))
        fail_msg("%s", err.text);
    assert_int_equal(access(target, F_OK), 0);
    remove(target);
}

static void test_gnuplot_run__a_hanging_program_is_killed_at_its_limit(void **state) {
    (void)state;
    ErrorText err;
    gnuplot_be("sleep 100");
    int64_t start = clock_now_ns(clock_monotonic());
    assert_int_equal(draw(200, &err), STATUS_TIMEOUT);
    assert_true(clock_now_ns(clock_monotonic()) - start < INT64_C(20000000000));
    assert_int_not_equal(access(target, F_OK), 0);
}

static void test_gnuplot_run__a_flood_of_words_blocks_nobody(void **state) {
    (void)state;
    ErrorText err;
    gnuplot_be("head -c 3000000 /dev/zero | tr '\\0' 'x' >&2; exit 1");
    assert_int_equal(draw(60000, &err), STATUS_IO);
    assert_non_null(strstr(err.text, "xxxx"));
}

static void test_gnuplot_run__the_reason_is_quoted_without_warnings(void **state) {
    (void)state;
    ErrorText err;
    gnuplot_be("echo 'line 5: warning: iconv failed' >&2; echo '         ^' >&2; echo 'line 9: "
               "undefined variable: x' >&2; exit 1");
    assert_int_equal(draw(20000, &err), STATUS_IO);
    assert_non_null(strstr(err.text, "gnuplot failed: line 9: undefined variable: x"));
    gnuplot_be("kill -9 $$");
    assert_int_equal(draw(20000, &err), STATUS_IO);
    assert_non_null(strstr(err.text, "it said nothing"));
}

static void test_gnuplot_run__not_there_is_told_from_failed(void **state) {
    (void)state;
    ErrorText err;
    remove(program);
    assert_int_equal(setenv("PATH", folder, 1), 0);
    assert_int_equal(draw(20000, &err), STATUS_UNSUPPORTED);
    assert_non_null(strstr(err.text, "gnuplot was not found"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gnuplot_run__settings_arrive_and_the_picture_is_renamed),
        cmocka_unit_test(test_gnuplot_run__a_hanging_program_is_killed_at_its_limit),
        cmocka_unit_test(test_gnuplot_run__a_flood_of_words_blocks_nobody),
        cmocka_unit_test(test_gnuplot_run__the_reason_is_quoted_without_warnings),
        cmocka_unit_test(test_gnuplot_run__not_there_is_told_from_failed),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
