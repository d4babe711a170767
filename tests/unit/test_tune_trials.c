// SPDX-License-Identifier: GPL-3.0-or-later
// Trials that are told again are the ones that were played.
#include "harness/tune/params.h"
#include "harness/tune/tune_defaults.h"
#include "harness/tune/tune_stage.h"
#include "harness/tune/tune_trials.h"
#include "store_fixture.h"

enum { ITERATIONS = 9, PAIRS_MAX = 64 };

typedef struct Played {
    TuneTrial trial[ITERATIONS * PAIRS_MAX];
    char letters[2 * ITERATIONS * PAIRS_MAX + 1];
    int count;
    int told;
    int pairs_each;
} Played;

static TuneSpec spec_of(void) {
    TuneSpec spec = {0};
    tune_spec_defaults(&spec);
    spec.seed = 77;
    spec.scan_pairs = 8;
    spec.knob_count = 2;
    spec.knobs[0] = (TuneKnob){.id = KNOB_EVAL_DEFENSE, .low = 0.5, .high = 2.5, .start = 1};
    spec.knobs[1] = (TuneKnob){.id = KNOB_EVAL_FOUR,
                               .low = 100,
                               .high = 10000,
                               .start = 1000,
                               .is_log = true,
                               .is_whole = true};
    return spec;
}

static Store *open_tune(const char *path) {
    ErrorText err = {""};
    Store *store = NULL;
    StoreResume resume;
    StoreTune tune = {.name = (char *)"t",
                      .method = (char *)"spsa",
                      .config = (char *)"",
                      .identity = (char *)"{}",
                      .knob_count = 2};
    tune.knobs[0] = (StoreTuneKnob){"eval.defense", 0.5, 2.5, 1, false, false};
    tune.knobs[1] = (StoreTuneKnob){"eval.four", 100, 10000, 1000, true, true};
    StoreTuneRun run = {.path = path, .tune = &tune, .version = "test"};
    OK(store_tune_open_run(&run, &store, &resume, &err));
    store_resume_release(&resume);
    return store;
}

// Plays a stage with results from a coin, every state kept: iteration k is made from the state
// after iteration k - TUNE_LAG, the first ones from the beginning.
static void stage_play(Store *store, const TunerMethod *method, TunerSetup *setup, Played *played) {
    static double states[ITERATIONS + 1][TUNE_STATE_MAX];
    ErrorText err = {""};
    StoreTuneStage stage = {.kind = (char *)method->name,
                            .title = (char *)"t",
                            .iterations = setup->iterations,
                            .pairs_each = setup->pairs_each,
                            .rate = setup->rate,
                            .start = {setup->start, 2},
                            .steps = {setup->steps, 2}};
    OK(store_tune_begin_stage(store, &stage, NULL, &err));
    setup->seed = tune_stage_seed(setup->spec, stage.id);
    int size = method->state_size(setup);
    Rng coin = rng_init((uint64_t)stage.id + 3);
    method->begin(setup, states[0]);
    for (int k = 0; k < setup->iterations; k++) {
        const double *from = states[k < TUNE_LAG ? 0 : k - TUNE_LAG + 1];
        TuneResult results[PAIRS_MAX];
        int first = played->count;
        for (int pair = 0; pair < setup->pairs_each; pair++) {
            method->propose(setup, from, k, pair, &played->trial[played->count]);
            for (int game = 0; game < 2; game++) {
                results[pair].half_points[game] = (uint8_t)rng_below(&coin, 3);
                played->letters[2 * played->count + game] = "LDW"[results[pair].half_points[game]];
            }
            played->count++;
        }
        memcpy(states[k + 1], states[k], (size_t)size * sizeof(double));
        method->take(setup, states[k + 1], from, k, results);
        char letters[2 * PAIRS_MAX + 1] = "";
        memcpy(letters, played->letters + 2 * first, 2 * (size_t)setup->pairs_each);
        double theta[2] = {1, 1000};
        StoreTuneIteration row = {.stage = stage.id,
                                  .iteration = k,
                                  .pairs = setup->pairs_each,
                                  .results = letters,
                                  .theta = {theta, 2},
                                  .state = {states[k + 1], size}};
        OK(store_tune_add_iteration(store, &row, &err));
    }
}

static Status trial_check(void *ctx, const TuneTrialRow *row, ErrorText *err) {
    Played *played = ctx;
    const TuneTrial *want = &played->trial[played->told];
    (void)err;
    assert_true(played->told < played->count);
    assert_true(row->trial->seed == want->seed);
    assert_memory_equal(row->trial->plus, want->plus, 2 * sizeof(double));
    assert_memory_equal(row->trial->minus, want->minus, 2 * sizeof(double));
    assert_int_equal(row->as_black, played->letters[2 * played->told]);
    assert_int_equal(row->as_white, played->letters[2 * played->told + 1]);
    played->told++;
    return STATUS_OK;
}

static void test_tune_trials__are_those_that_were_played(void **state) {
    (void)state;
    ErrorText err = {""};
    Played *played = calloc(1, sizeof *played);
    TuneSpec spec = spec_of();
    TunerSetup setup;
    Store *store = open_tune(fixture_path("trials.db"));
    double start[2], steps[2] = {0.05, 0.08};
    params_start(&spec, start);
    tune_setup_sense(&spec, &setup);
    assert_in_range(setup.pairs_each, 1, PAIRS_MAX);
    assert_in_range(setup.iterations, 1, ITERATIONS);
    stage_play(store, &TUNER_SENSE, &setup, played);
    int scan = played->count;
    tune_setup_main(&spec, start, steps, 8 * 2 * 8, &setup);
    assert_in_range(setup.iterations, TUNE_LAG + 2, ITERATIONS);
    stage_play(store, &TUNER_SPSA, &setup, played);
    assert_true(played->count > scan);
    OK(tune_trials_each(&spec, store, trial_check, played, &err));
    assert_int_equal(played->told, played->count);
    store_close(store);
    free(played);
}

static Status trial_stop(void *ctx, const TuneTrialRow *row, ErrorText *err) {
    (void)row;
    ++*(int *)ctx;
    return error_set(err, STATUS_IO, "enough");
}

static void test_tune_trials__end_with_the_failure_of_the_visitor(void **state) {
    (void)state;
    ErrorText err = {""};
    Played *played = calloc(1, sizeof *played);
    TuneSpec spec = spec_of();
    TunerSetup setup;
    int seen = 0;
    Store *store = open_tune(fixture_path("stop.db"));
    tune_setup_sense(&spec, &setup);
    stage_play(store, &TUNER_SENSE, &setup, played);
    REFUSED(tune_trials_each(&spec, store, trial_stop, &seen, &err), STATUS_IO, "enough");
    assert_int_equal(seen, 1);
    spec.knob_count = 1; // another tune: its states have another size
    REFUSED(tune_trials_each(&spec, store, trial_stop, &seen, &err), STATUS_INVALID,
            "not of this tune");
    store_close(store);
    free(played);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tune_trials__are_those_that_were_played),
        cmocka_unit_test(test_tune_trials__end_with_the_failure_of_the_visitor),
    };
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
