// SPDX-License-Identifier: GPL-3.0-or-later
// The tuners as pure functions: what is proposed lies where it may, who wins is moved towards, and
// the same question has the same answer.
// sanitizers: asan
#include "engine/base/check.h"
#include "golden_tsv.h"
#include "harness/tune/params.h"
#include "harness/tune/spsa.h"
#include "harness/tune/synthetic.h"
#include "harness/tune/tune_defaults.h"
#include "harness/tune/tune_match.h"

enum { KNOBS = 4, PAIRS_MAX = 64 };

typedef struct Bench {
    TuneSpec spec;
    TunerSetup setup;
    double state[TUNE_STATE_MAX], before[TUNE_STATE_MAX];
    TuneTrial trial;
    TuneResult results[PAIRS_MAX];
} Bench;

static void bench_make(Bench *bench, const char *method, double games) {
    Synthetic surface;
    double start[KNOBS] = {0.5, 0.02, 0.97, 0.3}, steps[KNOBS] = {0.1, 0.1, 0.2, 0.3};
    *bench = (Bench){0};
    synthetic_init(&surface, SYNTHETIC_NULL, KNOBS, 0, 1);
    synthetic_spec(&surface, 5, &bench->spec);
    bench->spec.method = (char *)method;
    bench->spec.knobs[3].high = 1000;
    bench->spec.knobs[3].is_whole = true;
    tune_setup_main(&bench->spec, start, steps, games, &bench->setup);
    bench->setup.seed = 77;
    assert_true(bench->setup.pairs_each <= PAIRS_MAX);
    tuner_find(method)->begin(&bench->setup, bench->state);
}

// Gives every pair of an iteration these half points and lets the tuner take them.
static void take_all(Bench *bench, const TunerMethod *method, int64_t iteration, int black,
                     int white) {
    for (int i = 0; i < bench->setup.pairs_each; i++)
        bench->results[i] = (TuneResult){{(uint8_t)black, (uint8_t)white}};
    memcpy(bench->before, bench->state, sizeof bench->state);
    method->take(&bench->setup, bench->state, bench->before, iteration, bench->results);
}

static void test_tuner__methods_are_found_by_name(void **state) {
    (void)state;
    static const char *const NAMES[] = {"sense", "spsa", "random", "match"};
    for (size_t i = 0; i < ARRAY_LEN(NAMES); i++)
        assert_string_equal(tuner_find(NAMES[i])->name, NAMES[i]);
    assert_null(tuner_find("texel"));
    assert_null(tuner_find(""));
}

// No two pairs share a seed; TUNE_REPEAT pairs in a row share their trial.
static void test_tuner__seeds_are_counted(void **state) {
    (void)state;
    enum { ITERATIONS = 40, PAIRS = 10 };
    static uint64_t seen[ITERATIONS * PAIRS];
    int count = 0;
    TunerSetup setup = {.seed = 3, .pairs_each = PAIRS};
    for (int64_t k = 0; k < ITERATIONS; k++)
        for (int pair = 0; pair < PAIRS; pair++) {
            uint64_t seed = tuner_pair_seed(&setup, k, pair);
            for (int i = 0; i < count; i++)
                assert_true(seen[i] != seed);
            seen[count++] = seed;
            assert_int_equal(tuner_trial_seed(&setup, k, pair) ==
                                 tuner_trial_seed(&setup, k, pair / TUNE_REPEAT * TUNE_REPEAT),
                             true);
            if (pair >= TUNE_REPEAT)
                assert_true(tuner_trial_seed(&setup, k, pair) !=
                            tuner_trial_seed(&setup, k, pair - TUNE_REPEAT));
            assert_true(tuner_trial_seed(&setup, k, pair) != tuner_trial_seed(&setup, k + 1, pair));
        }
}

// Both sides lie in the range, as far from the middle between them; away from the ends that is
// theta itself.
static void test_spsa__both_sides_are_symmetric_and_in_range(void **state) {
    (void)state;
    Bench bench;
    bench_make(&bench, "spsa", 16000);
    for (int64_t k = 0; k < bench.setup.iterations; k += 13)
        for (int pair = 0; pair < bench.setup.pairs_each; pair++) {
            TUNER_SPSA.propose(&bench.setup, bench.state, k, pair, &bench.trial);
            for (int i = 0; i < KNOBS; i++) {
                double high = bench.spec.knobs[i].high;
                assert_true(bench.trial.plus[i] >= 0 && bench.trial.plus[i] <= high);
                assert_true(bench.trial.minus[i] >= 0 && bench.trial.minus[i] <= high);
                assert_true(bench.trial.plus[i] != bench.trial.minus[i]);
            }
            golden_near("middle", bench.trial.plus[0] + bench.trial.minus[0], 1.0, 1e-12);
            assert_true(bench.trial.plus[3] == floor(bench.trial.plus[3]));
        }
    // The step is c at the end, wider before.
    TUNER_SPSA.propose(&bench.setup, bench.state, 0, 0, &bench.trial);
    double first = fabs(bench.trial.plus[0] - bench.trial.minus[0]);
    TUNER_SPSA.propose(&bench.setup, bench.state, bench.setup.iterations - 1, 0, &bench.trial);
    double last = fabs(bench.trial.plus[0] - bench.trial.minus[0]);
    golden_near("step", last / 2, 0.1, 1e-3);
    assert_true(first > last);
}

static void test_spsa__moves_towards_the_side_that_won(void **state) {
    (void)state;
    for (int64_t k = 0; k < 20; k++) {
        Bench bench;
        bench_make(&bench, "spsa", 160);
        bench.setup.pairs_each = TUNE_REPEAT; // one trial
        TUNER_SPSA.propose(&bench.setup, bench.state, k, 0, &bench.trial);
        take_all(&bench, &TUNER_SPSA, k, 2, 2);
        for (int i = 0; i < KNOBS - 1; i++) {
            double moved = bench.state[i] - bench.before[i];
            assert_true(moved * (bench.trial.plus[i] - bench.trial.minus[i]) > 0);
        }
        double won = bench.state[0] - bench.before[0];
        memcpy(bench.state, bench.before, sizeof bench.state);
        take_all(&bench, &TUNER_SPSA, k, 0, 0);
        golden_near("lost", bench.state[0] - bench.before[0], -won, 1e-15);
        memcpy(bench.state, bench.before, sizeof bench.state);
        take_all(&bench, &TUNER_SPSA, k, 2, 1); // half as much
        golden_near("half", bench.state[0] - bench.before[0], won / 2, 1e-15);
        memcpy(bench.state, bench.before, sizeof bench.state);
        take_all(&bench, &TUNER_SPSA, k, 1, 1); // drawn
        golden_near("drawn", bench.state[0], bench.before[0], 0);
        take_all(&bench, &TUNER_SPSA, k, 2, 0); // decided by the opening
        golden_near("split", bench.state[0], bench.before[0], 0);
    }
}

// The mean of theta over the last half, and theta itself before there is one.
static void test_spsa__the_answer_is_the_mean_of_the_last_half(void **state) {
    (void)state;
    Bench bench;
    bench_make(&bench, "spsa", 16 * 21);
    assert_int_equal(bench.setup.iterations, 21);
    double sum[KNOBS] = {0}, u[KNOBS];
    for (int64_t k = 0; k < 21; k++) {
        take_all(&bench, &TUNER_SPSA, k, k % 3 == 0, (int)(1 + k % 2));
        TUNER_SPSA.answer(&bench.setup, bench.state, u);
        int later = (int)k - 9; // 10..20 are the last half of 0..20
        for (int i = 0; i < KNOBS; i++) {
            sum[i] += later > 0 ? bench.state[i] : 0;
            double want = later > 0 ? sum[i] / later : bench.state[i];
            golden_near("answer", u[i], fmin(fmax(want, 0), 1), 1e-12);
        }
    }
    assert_int_equal(TUNER_SPSA.state_size(&bench.setup), 3 * KNOBS + 2);
}

static void test_spsa__a_forecast_of_biased_openings_takes_longer(void **state) {
    (void)state;
    Bench bench;
    bench_make(&bench, "spsa", 16000);
    SpsaForecast fair = spsa_forecast(&bench.setup, 16000, 0),
                 biased = spsa_forecast(&bench.setup, 16000, 0.3),
                 longer = spsa_forecast(&bench.setup, 160000, 0);
    assert_true(biased.time_games > fair.time_games);
    assert_true(biased.left > fair.left && fair.left > longer.left);
    assert_true(longer.answer_elo < fair.answer_elo && fair.answer_elo <= fair.floor_elo);
    golden_near("time", biased.time_games * (1 - 4 * 0.09), fair.time_games, 1e-6);
}

// Random search: the leader takes its place, whoever draws does not; a candidate that met somebody
// who is no longer the best does not count.
static void test_random_search__only_a_clear_lead_counts(void **state) {
    (void)state;
    Bench bench;
    double first[KNOBS], u[KNOBS];
    bench_make(&bench, "random", 64000);
    bench.spec.random.pairs = bench.setup.pairs_each = 32;
    TUNER_RANDOM.answer(&bench.setup, bench.state, first);
    take_all(&bench, &TUNER_RANDOM, 0, 1, 1);
    TUNER_RANDOM.answer(&bench.setup, bench.state, u);
    assert_memory_equal(u, first, sizeof u);
    take_all(&bench, &TUNER_RANDOM, 1, 0, 0);
    TUNER_RANDOM.answer(&bench.setup, bench.state, u);
    assert_memory_equal(u, first, sizeof u);
    TUNER_RANDOM.propose(&bench.setup, bench.state, 2, 0, &bench.trial);
    take_all(&bench, &TUNER_RANDOM, 2, 2, 2);
    TUNER_RANDOM.answer(&bench.setup, bench.state, u);
    for (int i = 0; i < KNOBS - 1; i++)
        golden_near("taken", u[i], bench.trial.plus[i], 1e-12);
    golden_near("tried", bench.state[KNOBS + 1], 3, 0);
    double stale[TUNE_STATE_MAX]; // proposed from the state before
    memcpy(stale, bench.before, sizeof stale);
    TUNER_RANDOM.take(&bench.setup, bench.state, stale, 3, bench.results);
    double v[KNOBS];
    TUNER_RANDOM.answer(&bench.setup, bench.state, v);
    assert_memory_equal(u, v, sizeof u);
}

// A match counts all pairs; its test rests on those before the verdict.
static void test_tune_match__the_test_decides_and_all_pairs_count(void **state) {
    (void)state;
    Bench bench;
    double plus[KNOBS] = {0.1}, minus[KNOBS] = {0.2};
    bench_make(&bench, "match", 16000);
    TuneProofSpec proof = bench.spec.proof;
    proof.elo1 = 200;
    bench.setup.test = &proof;
    bench.setup.plus = plus;
    bench.setup.minus = minus;
    bench.setup.pairs_each = 8;
    TUNER_MATCH.propose(&bench.setup, bench.state, 0, 0, &bench.trial);
    assert_true(bench.trial.plus[0] == 0.1 && bench.trial.minus[0] == 0.2);
    MatchOutcome outcome = match_outcome(&bench.setup, bench.state);
    assert_string_equal(match_verdict(&outcome), "undecided");
    for (int64_t k = 0; k < 12; k++)
        take_all(&bench, &TUNER_MATCH, k, 2, k % 4 ? 2 : 1);
    outcome = match_outcome(&bench.setup, bench.state);
    assert_string_equal(match_verdict(&outcome), "accepted");
    assert_int_equal(pair_counts_total(&outcome.pairs), 96);
    assert_int_equal(outcome.pairs.n[PAIR_WD], 24);
    assert_int_equal(outcome.pairs.n[PAIR_WW], 72);
    assert_true(pair_counts_total(&outcome.test.later) > 0);
    assert_int_equal(outcome.stats.pairs, 96);
    bench_make(&bench, "match", 16000);
    bench.setup.test = &proof;
    bench.setup.pairs_each = 8;
    for (int64_t k = 0; k < 12; k++)
        take_all(&bench, &TUNER_MATCH, k, 0, k % 4 ? 0 : 1);
    outcome = match_outcome(&bench.setup, bench.state);
    assert_string_equal(match_verdict(&outcome), "rejected");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tuner__methods_are_found_by_name),
        cmocka_unit_test(test_tuner__seeds_are_counted),
        cmocka_unit_test(test_spsa__both_sides_are_symmetric_and_in_range),
        cmocka_unit_test(test_spsa__moves_towards_the_side_that_won),
        cmocka_unit_test(test_spsa__the_answer_is_the_mean_of_the_last_half),
        cmocka_unit_test(test_spsa__a_forecast_of_biased_openings_takes_longer),
        cmocka_unit_test(test_random_search__only_a_clear_lead_counts),
        cmocka_unit_test(test_tune_match__the_test_decides_and_all_pairs_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
