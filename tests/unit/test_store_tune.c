// SPDX-License-Identifier: GPL-3.0-or-later
// The database of a tune: what is written reads back to the same bits, and other files are refused.
#include "harness/store/connection.h"
#include "harness/store/store_tune.h"
#include "store_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static StoreTune tune_of(const char *identity) {
    StoreTune tune = {.name = (char *)"t",
                      .method = (char *)"spsa",
                      .config = (char *)"name: t\n",
                      .identity = (char *)identity,
                      .seed = UINT64_MAX,
                      .knob_count = 2};
    tune.knobs[0] = (StoreTuneKnob){"eval.defense", 0.5, 2.0, 1.2, false, false};
    tune.knobs[1] = (StoreTuneKnob){"eval.four", 10, 10000, 1000, true, true};
    return tune;
}

static Store *open_tune(const char *path, const char *identity, StoreResume *resume) {
    ErrorText err = {""};
    Store *store = NULL;
    StoreTune tune = tune_of(identity);
    StoreTuneRun run = {.path = path, .tune = &tune, .version = "test"};
    OK(store_tune_open_run(&run, &store, resume, &err));
    return store;
}

static void add_iteration(Store *store, int64_t stage, int64_t iteration, double number) {
    ErrorText err = {""};
    double values[] = {number, -1.0 / 3.0};
    StoreTuneIteration row = {.stage = stage,
                              .iteration = iteration,
                              .pairs = 2,
                              .results = (char *)"WLDW",
                              .seconds = 0.5,
                              .theta = {values, 2},
                              .state = {values, 1},
                              .drift = 0.1};
    OK(store_tune_add_iteration(store, &row, &err));
}

static Status check_row(void *ctx, const StoreTuneIteration *row, ErrorText *err) {
    int *seen = ctx;
    (void)err;
    assert_string_equal(row->results, "WLDW");
    assert_int_equal(row->theta.count, 2);
    assert_true(row->theta.at[1] == -1.0 / 3.0);
    assert_true(row->state.at[0] == (row->iteration == 0 ? 0.1 : nextafter(1e300, 0)));
    assert_int_equal(row->iteration, (*seen)++);
    return STATUS_OK;
}

static void test_store_tune__reads_back_what_was_written(void **state) {
    (void)state;
    ErrorText err = {""};
    StoreResume resume;
    const char *path = fixture_path("tune.db");
    Store *store = open_tune(path, "{\"a\": 1}", &resume);
    assert_false(resume.resumed);
    double u[] = {0.25, 0.75};
    StoreTuneStage stage = {.kind = (char *)"spsa",
                            .title = (char *)"words",
                            .iterations = 7,
                            .pairs_each = 2,
                            .rate = 0.01,
                            .start = {u, 2},
                            .steps = {u, 2}};
    StoreTuneMatch match = {.player = (char *)"new",
                            .opponent = (char *)"start",
                            .openings = (char *)"held-out",
                            .pairs = 10};
    OK(store_tune_begin_stage(store, &stage, &match, &err));
    assert_int_equal(stage.id, 0);
    add_iteration(store, 0, 0, 0.1);
    add_iteration(store, 0, 1, nextafter(1e300, 0));
    store_close(store);
    store = open_tune(path, "{\"a\": 1}", &resume);
    assert_true(resume.resumed);
    assert_int_equal(resume.games, 8);
    StoreTuneEffect effect = {.knob = 1, .h = 0.25, .slope = 12.5, .is_flat = true};
    StoreVector answer = {u, 2};
    match.classes[5] = 4;
    match.elo = NAN;
    match.verdict = (char *)"accepted";
    StoreTuneEnd end = {&answer, &effect, 1, &match};
    OK(store_tune_end_stage(store, 0, &end, &err));
    OK(store_tune_finish(store, &err));
    store_close(store);
    assert_true(store_tune_is(path));
    OK(store_tune_open(path, &store, &err));
    assert_int_equal(store_tune(store)->seed, UINT64_MAX);
    assert_true(store_tune(store)->knobs[1].is_log);
    StoreTuneStage *stages;
    StoreTuneEffect *effects;
    StoreTuneMatch *matches;
    int count, seen = 0;
    OK(store_tune_stages(store, &stages, &count, &err));
    assert_int_equal(count, 1);
    assert_int_equal(stages[0].done, 2);
    assert_true(stages[0].answer.at[1] == 0.75);
    store_tune_stages_free(stages, count);
    OK(store_tune_iterations(store, 0, 0, check_row, &seen, &err));
    assert_int_equal(seen, 2);
    OK(store_tune_effects(store, 0, &effects, &count, &err));
    assert_int_equal(count, 1);
    assert_true(effects[0].is_flat && effects[0].slope == 12.5);
    free(effects);
    OK(store_tune_matches(store, &matches, &count, &err));
    assert_int_equal(matches[0].classes[5], 4);
    assert_true(isnan(matches[0].elo));
    assert_string_equal(matches[0].verdict, "accepted");
    store_tune_matches_free(matches, count);
    store_close(store);
}

static void test_store_tune__refuses_other_files(void **state) {
    (void)state;
    ErrorText err = {""};
    StoreResume resume;
    Store *store = NULL;
    const char *path = fixture_path("tune2.db");
    store_close(open_tune(path, "{\"seed\": 1}", &resume));
    StoreTune other = tune_of("{\"seed\": 2}");
    StoreTuneRun run = {.path = path, .tune = &other, .version = "test"};
    REFUSED(store_tune_open_run(&run, &store, &resume, &err), STATUS_CONFLICT,
            "belongs to another tune file: seed is 1 there, 2 here");
    REFUSED(store_tune_preview_run(&run, &resume, &err), STATUS_CONFLICT,
            "belongs to another tune file: seed is 1 there, 2 here");
    REFUSED(store_open(path, &store, &err), STATUS_CONFLICT, "holds a tune");
    StoreRun experiment = fixture_run(path);
    REFUSED(store_open_run(&experiment, &store, &resume, &err), STATUS_CONFLICT, "holds a tune");
    run.path = fixture_path("experiment.db");
    store_close(fixture_open(run.path));
    REFUSED(store_tune_open_run(&run, &store, &resume, &err), STATUS_CONFLICT,
            "holds an experiment");
    REFUSED(store_tune_preview_run(&run, &resume, &err), STATUS_CONFLICT, "holds an experiment");
    REFUSED(store_tune_open(run.path, &store, &err), STATUS_CONFLICT, "holds an experiment");
    assert_false(store_tune_is(run.path));
    run.path = path;
    run.fresh = true;
    OK(store_tune_open_run(&run, &store, &resume, &err));
    assert_non_null(resume.renamed);
    store_resume_release(&resume);
    store_close(store);
}

static void test_store_tune__vectors_are_read_strictly(void **state) {
    (void)state;
    StoreVector v;
    assert_true(store_vector_read("[]", &v));
    assert_int_equal(v.count, 0);
    store_vector_release(&v);
    const char *bad[] = {"", "[", "[1", "[1,]x", "1", "[1 2]", "[a]"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(store_vector_read(bad[i], &v));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_store_tune__reads_back_what_was_written),
        cmocka_unit_test(test_store_tune__refuses_other_files),
        cmocka_unit_test(test_store_tune__vectors_are_read_strictly),
    };
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
