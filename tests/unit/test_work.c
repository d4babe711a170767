// SPDX-License-Identifier: GPL-3.0-or-later
// The parallel loop: every piece once, the first failure reported, an end on request.
#include "harness/study/work.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { PIECES_MAX = 500 };

typedef struct Counts {
    atomic_int done[PIECES_MAX];
    int64_t fails_at; // -1: none does
    int calls;        // of the progress
    int64_t last_done, stop_after;
} Counts;

static Status piece(void *ctx, int64_t index, ErrorText *err) {
    Counts *counts = ctx;
    atomic_fetch_add(&counts->done[index], 1);
    if (index == counts->fails_at)
        return error_set(err, STATUS_CRASH, "piece %lld broke", (long long)index);
    return STATUS_OK;
}

static bool progress(void *ctx, int64_t done, int64_t count) {
    Counts *counts = ctx;
    assert_true(done >= counts->last_done && done <= count);
    counts->last_done = done;
    counts->calls++;
    return counts->stop_after < 0 || done < counts->stop_after;
}

static Status run(Counts *counts, int64_t pieces, int jobs, int64_t fails_at, ErrorText *err) {
    memset(counts, 0, sizeof *counts);
    counts->fails_at = fails_at;
    counts->stop_after = -1;
    Work work = {.count = pieces,
                 .jobs = jobs,
                 .piece = piece,
                 .ctx = counts,
                 .progress = progress,
                 .progress_ctx = counts};
    return work_run(&work, err);
}

static void test_work__every_piece_is_done_once(void **state) {
    (void)state;
    static Counts counts;
    static const int JOBS[] = {1, 2, 7, 64};
    static const int64_t PIECES[] = {0, 1, 5, PIECES_MAX};
    for (int j = 0; j < 4; j++)
        for (int p = 0; p < 4; p++) {
            ErrorText err = {""};
            assert_int_equal(run(&counts, PIECES[p], JOBS[j], -1, &err), STATUS_OK);
            for (int64_t i = 0; i < PIECES_MAX; i++)
                assert_int_equal(atomic_load(&counts.done[i]), i < PIECES[p]);
            assert_int_equal(counts.last_done, PIECES[p]);
            assert_true(counts.calls >= 1); // at the end at the least
        }
}

static void test_work__a_failure_ends_the_loop_and_is_reported(void **state) {
    (void)state;
    static Counts counts;
    ErrorText err = {""};
    assert_int_equal(run(&counts, PIECES_MAX, 1, 10, &err), STATUS_CRASH);
    assert_string_equal(err.text, "piece 10 broke");
    assert_int_equal(counts.last_done, 10);
    assert_int_equal(atomic_load(&counts.done[11]), 0);
    assert_int_equal(run(&counts, PIECES_MAX, 4, 0, &err), STATUS_CRASH);
    assert_string_equal(err.text, "piece 0 broke");
    for (int64_t i = 0; i < PIECES_MAX; i++)
        assert_true(atomic_load(&counts.done[i]) <= 1);
}

// Pieces without number: only a request ends them.
static Status slow_piece(void *ctx, int64_t index, ErrorText *err) {
    Counts *counts = ctx;
    (void)err;
    atomic_fetch_add(&counts->done[index % PIECES_MAX], 1);
    return STATUS_OK;
}

static void test_work__progress_can_end_it(void **state) {
    (void)state;
    static Counts counts;
    ErrorText err = {""};
    memset(&counts, 0, sizeof counts);
    counts.stop_after = 1;
    Work work = {.count = INT64_C(1) << 60, // more than anybody could do
                 .jobs = 2,
                 .piece = slow_piece,
                 .ctx = &counts,
                 .progress = progress,
                 .progress_ctx = &counts};
    assert_int_equal(work_run(&work, &err), STATUS_STOPPED);
    assert_string_equal(err.text, "interrupted");
    assert_true(counts.last_done > 0);
    assert_true(work_cores() >= 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_work__every_piece_is_done_once),
        cmocka_unit_test(test_work__a_failure_ends_the_loop_and_is_reported),
        cmocka_unit_test(test_work__progress_can_end_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
