// SPDX-License-Identifier: GPL-3.0-or-later
// Sequential tests against the reference ratios, at lopsided counts, and the stickiness of the
// verdict.
// sanitizers: asan
#include "engine/base/rng.h"
#include "golden_tsv.h"
#include "harness/stats/elo.h"
#include "harness/stats/sprt_estimate.h"

static void llr_check(const char *what, SprtResult got, const char *want) {
    if (strcmp(want, "undefined") == 0) {
        assert_false(stat_exists(got.llr));
        assert_int_equal(got.state, SPRT_UNDEFINED);
        return;
    }
    if (!stat_exists(got.llr))
        fail_msg("%s: missing, want %s", what, want);
    golden_near(what, got.llr.value, golden_number(want), 1e-6);
}

static void test_sprt__matches_the_pair_table(void **state) {
    (void)state;
    FILE *file = golden_open("sprt_pairs.tsv");
    GoldenRow row;
    int rows = 0;
    golden_next(file, &row);
    for (; golden_next(file, &row); rows++) {
        PairCounts pairs;
        for (int i = 0; i < PAIR_CLASS_NB; i++)
            pairs.n[i] = atoll(row.field[1 + i]);
        WdlCounts games = wdl_from_pairs(&pairs);
        SprtParams params = {.elo0 = golden_number(row.field[7]),
                             .elo1 = golden_number(row.field[8]),
                             .alpha = golden_number(row.field[9]),
                             .beta = golden_number(row.field[10]),
                             .model = strcmp(row.field[12], "logistic") == 0 ? SPRT_LOGISTIC
                                                                             : SPRT_NORMALIZED};
        ErrorText err;
        assert_int_equal(sprt_params_check(&params, &err), STATUS_OK);
        ScoreCells cells = strcmp(row.field[11], "penta") == 0 ? score_cells_from_pairs(&pairs)
                                                               : score_cells_from_wdl(&games);
        SprtResult r = sprt_evaluate(&params, &cells);
        llr_check(row.field[0], r, row.field[13]);
        golden_near("lower", r.lower, golden_number(row.field[14]), 1e-6);
        golden_near("upper", r.upper, golden_number(row.field[15]), 1e-6);
        const char *want = strcmp(row.field[16], "error") == 0 ? "undefined" : row.field[16];
        assert_string_equal(sprt_state_name(r.state), want);
    }
    fclose(file);
    assert_int_equal(rows, 40);
}

static void test_sprt__matches_the_vector_table(void **state) {
    (void)state;
    FILE *file = golden_open("sprt_golden.tsv");
    GoldenRow row;
    int rows = 0;
    golden_next(file, &row);
    for (; golden_next(file, &row); rows++) {
        double n[5] = {0};
        int cells = strcmp(row.field[0], "penta") == 0 ? 5 : 3;
        sscanf(row.field[1], "%lf,%lf,%lf,%lf,%lf", &n[0], &n[1], &n[2], &n[3], &n[4]);
        ScoreCells c = {.cells = cells};
        for (int i = 0; i < cells; i++) {
            c.score[i] = (double)i / (cells - 1);
            c.count[i] = n[i];
        }
        SprtParams params = {.elo0 = golden_number(row.field[2]),
                             .elo1 = golden_number(row.field[3]),
                             .alpha = 0.05,
                             .beta = 0.05};
        llr_check(row.field[1], sprt_evaluate(&params, &c), row.field[4]);
        params.model = SPRT_NORMALIZED;
        llr_check(row.field[1], sprt_evaluate(&params, &c), row.field[5]);
    }
    fclose(file);
    assert_int_equal(rows, 84);
}

// Without draws a trinomial test is Wald's: W ln(s1/s0) + L ln((1-s1)/(1-s0)).
static void test_sprt__drawless_games_follow_wald(void **state) {
    (void)state;
    WdlCounts games = {.wins = 231, .losses = 207};
    ScoreCells cells = score_cells_from_wdl(&games);
    SprtParams params = {
        .elo0 = 0, .elo1 = 20, .alpha = 0.05, .beta = 0.05, .model = SPRT_LOGISTIC};
    double s1 = score_from_elo(20), wald = 231 * log(s1 / 0.5) + 207 * log((1 - s1) / 0.5);
    golden_near("llr", sprt_evaluate(&params, &cells).llr.value, wald,
                1e-4); // the empty cell moves it by a little
}

static void test_sprt__verdict_is_sticky(void **state) {
    (void)state;
    SprtParams params = {
        .elo0 = 0, .elo1 = 50, .alpha = 0.05, .beta = 0.05, .model = SPRT_LOGISTIC};
    SprtTest test = sprt_test_init(&params);
    assert_int_equal(test.result.state, SPRT_CONTINUE);
    int pairs = 0;
    for (; test.result.state == SPRT_CONTINUE && pairs < 10000; pairs++)
        sprt_test_add_pair(&test, pairs % 3 ? PAIR_WL : PAIR_WW);
    assert_int_equal(test.result.state, SPRT_H1);
    double llr = test.result.llr.value;
    for (int i = 0; i < 1000; i++)
        assert_int_equal(sprt_test_add_pair(&test, PAIR_LL), SPRT_H1);
    golden_near("ratio stays", test.result.llr.value, llr, 0);
    assert_int_equal(pair_counts_total(&test.tested), pairs);
    assert_int_equal(pair_counts_total(&test.later), 1000);
    assert_int_equal(test.later.n[PAIR_LL], 1000);
}

static void test_sprt__bad_parameters_are_refused(void **state) {
    (void)state;
    const SprtParams bad[] = {
        {5, 5, 0.05, 0.05, 0},    {5, 0, 0.05, 0.05, 0}, {0, 5, 0, 0.05, 0},
        {0, 5, 0.05, 1, 0},       {0, 5, 0.5, 0.5, 0},   {0, NAN, 0.05, 0.05, 0},
        {-1e9, 5, 0.05, 0.05, 0}, {0, 5, NAN, 0.05, 0},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ErrorText err = {0};
        assert_int_equal(sprt_params_check(&bad[i], &err), STATUS_INVALID);
        assert_true(err.text[0]);
    }
}

static void test_sprt__fuzzed_counts_stay_finite(void **state) {
    (void)state;
    Rng rng = rng_init(11);
    int undefined = 0, moderate_undefined = 0, rounds = 20000;
    for (int round = 0; round < rounds; round++) {
        PairCounts pairs;
        for (int i = 0; i < PAIR_CLASS_NB; i++) {
            uint64_t size = rng_below(&rng, 41);
            pairs.n[i] =
                rng_below(&rng, 3) == 0 ? 0 : (int64_t)(rng_next(&rng) >> 24 >> (40 - size));
        }
        int is_moderate = round % 2;
        double span = is_moderate ? 100 : 4000, lo = (rng_unit(&rng) - 0.5) * 2 * span;
        SprtParams params = {.elo0 = lo,
                             .elo1 = lo + rng_unit(&rng) * (span - lo),
                             .alpha = 0.05,
                             .beta = 0.05,
                             .model = rng_below(&rng, 2) ? SPRT_LOGISTIC : SPRT_NORMALIZED};
        if (params.elo1 <= params.elo0)
            continue;
        WdlCounts games = wdl_from_pairs(&pairs);
        ScoreCells cells =
            rng_below(&rng, 2) ? score_cells_from_pairs(&pairs) : score_cells_from_wdl(&games);
        SprtResult r = sprt_evaluate(&params, &cells);
        assert_true(isfinite(r.llr.value));
        assert_true(stat_exists(r.llr) == (r.state != SPRT_UNDEFINED));
        double limit = sprt_elo_limit(params.model, cells.cells);
        if (fabs(params.elo0) < limit && fabs(params.elo1) < limit)
            assert_int_not_equal(r.state, SPRT_UNDEFINED);
        undefined += r.state == SPRT_UNDEFINED;
        moderate_undefined += is_moderate && r.state == SPRT_UNDEFINED;
        if (params.model == SPRT_LOGISTIC)
            assert_int_not_equal(r.state, SPRT_UNDEFINED);
        SprtEstimate e = sprt_estimate(&params, &r, &cells);
        assert_true(isfinite(e.elo.value) && isfinite(e.lo.value) && isfinite(e.hi.value));
    }
    assert_int_equal(moderate_undefined, 0);
    assert_true(undefined > 0); // normalized bounds in the thousands: no solution, and it is said
}

// The mirror image of a test has the mirrored ratio.
static void test_sprt__mirrored_counts_mirror_the_ratio(void **state) {
    (void)state;
    PairCounts pairs = {.n = {20, 7, 3, 180, 9, 31}}, other = pair_counts_swapped(&pairs);
    ScoreCells a = score_cells_from_pairs(&pairs), b = score_cells_from_pairs(&other);
    for (int model = 0; model < 2; model++) {
        SprtParams up = {.elo0 = 0,
                         .elo1 = 12,
                         .alpha = 0.05,
                         .beta = 0.05,
                         .model = model ? SPRT_NORMALIZED : SPRT_LOGISTIC};
        SprtParams down = up;
        down.elo0 = -12;
        down.elo1 = 0;
        golden_near("mirror", sprt_evaluate(&up, &a).llr.value, -sprt_evaluate(&down, &b).llr.value,
                    1e-9);
    }
}

// A test that stopped early overstates; the median-unbiased estimate lies nearer to the middle, and
// is mirrored too.
static void test_sprt__estimate_after_stopping_is_pulled_in(void **state) {
    (void)state;
    SprtParams params = {
        .elo0 = 0, .elo1 = 10, .alpha = 0.05, .beta = 0.05, .model = SPRT_LOGISTIC};
    SprtTest test = sprt_test_init(&params);
    Rng rng = rng_init(5);
    while (test.result.state == SPRT_CONTINUE)
        sprt_test_add_pair(&test, rng_unit(&rng) < 0.27   ? PAIR_WW
                                  : rng_unit(&rng) < 0.32 ? PAIR_LL
                                                          : PAIR_WL);
    assert_int_equal(test.result.state, SPRT_H1);
    ScoreCells cells = score_cells_from_pairs(&test.tested);
    MatchStats plain = match_stats_compute(&test.tested, NULL, BY_PAIRS);
    SprtEstimate e = sprt_estimate(&params, &test.result, &cells);
    assert_true(stat_exists(e.elo) && stat_exists(e.lo) && stat_exists(e.hi));
    assert_true(e.lo.value < e.elo.value && e.elo.value < e.hi.value);
    assert_true(e.elo.value < plain.elo.value);
    assert_true(e.elo.value > 0.3 * plain.elo.value);
}

// The estimate is about the moment of the stop; of counts that were collected long after it, it
// would say the wrong thing.
static void test_sprt__no_estimate_far_past_the_stop(void **state) {
    (void)state;
    SprtParams params = {
        .elo0 = 0, .elo1 = 10, .alpha = 0.05, .beta = 0.05, .model = SPRT_LOGISTIC};
    PairCounts even = {{[PAIR_LL] = 3000, [PAIR_WL] = 5000, [PAIR_WW] = 3000}};
    ScoreCells cells = score_cells_from_pairs(&even);
    SprtResult result = sprt_evaluate(&params, &cells);
    assert_int_equal(result.state, SPRT_H0);
    assert_true(result.llr.value < 2 * result.lower);
    assert_false(stat_exists(sprt_estimate(&params, &result, &cells).elo));
    // A batch too many is no harm.
    PairCounts batch = {{[PAIR_LL] = 300, [PAIR_WL] = 500, [PAIR_WW] = 400}};
    cells = score_cells_from_pairs(&batch);
    result = sprt_evaluate(&params, &cells);
    assert_int_equal(result.state, SPRT_H1);
    assert_true(stat_exists(sprt_estimate(&params, &result, &cells).elo));
}

static void test_sprt__plan_follows_wald(void **state) {
    (void)state;
    SprtParams params = {
        .elo0 = 0, .elo1 = 10, .alpha = 0.05, .beta = 0.05, .model = SPRT_LOGISTIC};
    double s1 = score_from_elo(10);
    SprtPlan at0 = sprt_plan(&params, BY_PAIRS, 0.5, 0.125),
             mid = sprt_plan(&params, BY_PAIRS, (0.5 + s1) / 2, 0.125),
             at1 = sprt_plan(&params, BY_PAIRS, s1, 0.125);
    golden_near("alpha", at0.pass_probability, 0.05, 1e-9);
    golden_near("middle", mid.pass_probability, 0.5, 1e-9);
    golden_near("power", at1.pass_probability, 0.95, 1e-9);
    golden_near("mean length at 0", 2 * at0.observations, 6400, 150);
    golden_near("mean length in the middle", 2 * mid.observations, 10470, 250);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sprt__matches_the_pair_table),
        cmocka_unit_test(test_sprt__matches_the_vector_table),
        cmocka_unit_test(test_sprt__drawless_games_follow_wald),
        cmocka_unit_test(test_sprt__verdict_is_sticky),
        cmocka_unit_test(test_sprt__bad_parameters_are_refused),
        cmocka_unit_test(test_sprt__fuzzed_counts_stay_finite),
        cmocka_unit_test(test_sprt__mirrored_counts_mirror_the_ratio),
        cmocka_unit_test(test_sprt__estimate_after_stopping_is_pulled_in),
        cmocka_unit_test(test_sprt__no_estimate_far_past_the_stop),
        cmocka_unit_test(test_sprt__plan_follows_wald),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
