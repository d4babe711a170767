// SPDX-License-Identifier: GPL-3.0-or-later
// Match statistics against the reference table, and at the edges where formulas break.
// sanitizers: asan
#include "engine/base/rng.h"
#include "golden_tsv.h"
#include "harness/stats/elo.h"

// The counts of a row, "3,1,4" or five of them, as pairs or games.
static void counts_parse(const char *text, PairCounts *pairs, WdlCounts *games) {
    long long n[5] = {0};
    sscanf(text, "%lld,%lld,%lld,%lld,%lld", &n[0], &n[1], &n[2], &n[3], &n[4]);
    *games = (WdlCounts){.losses = n[0], .draws = n[1], .wins = n[2]};
    *pairs = (PairCounts){.n = {n[0], n[1], 0, n[2], n[3], n[4]}};
}

static void end_check(const char *what, StatValue got, const char *want) {
    double value = golden_number(want);
    if (!isfinite(value) ||
        fabs(value) > 3000) { // beyond 3000: rounding of a perfect score in the reference
        if (stat_exists(got))
            fail_msg("%s: got %f, want none", what, got.value);
        return;
    }
    if (!stat_exists(got))
        fail_msg("%s: missing (%s), want %s", what, got.reason, want);
    golden_near(what, got.value, value, 1e-4);
}

static void test_elo__matches_the_reference_table(void **state) {
    (void)state;
    FILE *file = golden_open("match_stats_golden.tsv");
    GoldenRow row;
    int rows = 0;
    golden_next(file, &row);
    while (golden_next(file, &row)) {
        PairCounts pairs;
        WdlCounts games;
        int is_pairs = strcmp(row.field[0], "penta") == 0;
        counts_parse(row.field[1], &pairs, &games);
        MatchStats s = is_pairs ? match_stats_compute(&pairs, NULL, BY_PAIRS)
                                : match_stats_compute(NULL, &games, BY_GAMES);
        assert_int_equal(s.games, atoll(row.field[2]));
        golden_near("score", s.score.value, golden_number(row.field[3]), 1e-8);
        double n = is_pairs ? (double)s.pairs : (double)s.games;
        golden_near("variance", s.se.value * s.se.value * n, golden_number(row.field[4]), 1e-7);
        end_check("elo", s.elo, row.field[5]);
        end_check("normal lo", s.normal.lo, row.field[6]);
        end_check("normal hi", s.normal.hi, row.field[7]);
        end_check("nelo", s.nelo, row.field[9]);
        if (stat_exists(s.nelo_err))
            end_check("nelo error", s.nelo_err, row.field[10]);
        end_check("los", s.los, row.field[11]);
        end_check("t lo", s.student.lo, row.field[12]);
        end_check("t hi", s.student.hi, row.field[13]);
        end_check("wilson lo", s.wilson.lo, row.field[14]);
        end_check("wilson hi", s.wilson.hi, row.field[15]);
        rows++;
    }
    fclose(file);
    assert_int_equal(rows, 21);
}

// Elo columns of the sequential table: half width, normalized Elo, likelihood of superiority.
static void test_elo__matches_the_sequential_table(void **state) {
    (void)state;
    FILE *file = golden_open("sprt_pairs.tsv");
    GoldenRow row;
    int rows = 0;
    golden_next(file, &row);
    for (; golden_next(file, &row); rows++) {
        PairCounts pairs;
        for (int i = 0; i < PAIR_CLASS_NB; i++)
            pairs.n[i] = atoll(row.field[1 + i]);
        StatBy by = strcmp(row.field[11], "penta") == 0 ? BY_PAIRS : BY_GAMES;
        MatchStats s = match_stats_compute(&pairs, NULL, by);
        end_check(row.field[0], s.elo, row.field[17]);
        end_check("nelo", s.nelo, row.field[19]);
        if (strcmp(row.field[20], "nan") != 0)
            golden_near("nelo error", s.nelo_err.value, golden_number(row.field[20]), 1e-4);
        if (stat_exists(s.los))
            golden_near("los", s.los.value, golden_number(row.field[21]), 1e-6);
        if (s.method == INTERVAL_NORMAL)
            golden_near("elo error", (s.interval.hi.value - s.interval.lo.value) / 2,
                        golden_number(row.field[18]), 1e-4);
    }
    fclose(file);
    assert_int_equal(rows, 40);
}

static void test_elo__perfect_scores_have_one_sided_intervals(void **state) {
    (void)state;
    WdlCounts won = {.wins = 20}, lost = {.losses = 20};
    MatchStats up = match_stats_compute(NULL, &won, BY_GAMES),
               down = match_stats_compute(NULL, &lost, BY_GAMES);
    assert_false(stat_exists(up.elo));
    assert_int_equal(up.method, INTERVAL_WILSON);
    golden_near("lower end", up.interval.lo.value, 286.613525, 1e-4);
    assert_false(stat_exists(up.interval.hi));
    golden_near("mirrored", down.interval.hi.value, -286.613525, 1e-4);
    assert_false(stat_exists(up.los));
    assert_non_null(up.los.reason);
}

static void test_elo__one_pair_is_not_certain(void **state) {
    (void)state;
    PairCounts split = {.n = {[PAIR_WL] = 1}}, won = {.n = {[PAIR_WW] = 1}};
    MatchStats s = match_stats_compute(&split, NULL, BY_PAIRS);
    assert_true(stat_exists(s.interval.lo) && stat_exists(s.interval.hi));
    assert_true(s.interval.lo.value < -200 && s.interval.hi.value > 200);
    s = match_stats_compute(&won, NULL, BY_PAIRS);
    assert_true(stat_exists(s.interval.lo));
    assert_false(stat_exists(s.interval.hi));
}

static void test_elo__opening_free_ignores_split_pairs(void **state) {
    (void)state;
    PairCounts a = {.n = {[PAIR_LL] = 95, [PAIR_WL] = 10, [PAIR_WW] = 118}}, b = a;
    b.n[PAIR_WL] = 100000;
    MatchStats sa = match_stats_compute(&a, NULL, BY_PAIRS),
               sb = match_stats_compute(&b, NULL, BY_PAIRS);
    golden_near("same", sa.opening_free_elo.value, sb.opening_free_elo.value, 0);
    golden_near("200 log10(WW/LL)", sa.opening_free_elo.value, 200 * log10(118.0 / 95.0), 1e-9);
    golden_near("its error", sa.opening_free_se.value, 200 / log(10) * sqrt(1 / 118.0 + 1 / 95.0),
                1e-9);
    assert_true(sb.bias_elo.value > 400);
    PairCounts sided = {.n = {[PAIR_WW] = 20}};
    sa = match_stats_compute(&sided, NULL, BY_PAIRS);
    assert_true(sa.opening_free_corrected);
    golden_near("with half a pair", sa.opening_free_elo.value, 200 * log10(20.5 / 0.5), 1e-9);
}

// Openings that give the first mover probability 1/2 + b or 1/2 - b have an RMS bias of exactly b
// in expectation.
static void test_elo__bias_follows_the_variance_identity(void **state) {
    (void)state;
    // b = 0.3, equal players: P(WW) = P(LL) = 0.8 * 0.2, the rest split.
    PairCounts pairs = {.n = {[PAIR_LL] = 160000, [PAIR_WL] = 680000, [PAIR_WW] = 160000}};
    MatchStats s = match_stats_compute(&pairs, NULL, BY_PAIRS);
    golden_near("bias", s.bias_score.value, 0.3, 1e-9);
    golden_near("bias in elo", s.bias_elo.value, elo_from_score(0.8), 1e-6);
    golden_near("error ratio", s.error_ratio.value, sqrt(0.25 / 2 / 0.08), 1e-9);
}

// Games that all end alike say nothing of the openings: no bias of 0 for a match won 60-0.
static void test_elo__no_bias_without_variance(void **state) {
    (void)state;
    for (int c = 0; c < PAIR_CLASS_NB; c++) {
        PairCounts pairs = {0};
        pairs.n[c] = 30;
        MatchStats s = match_stats_compute(&pairs, NULL, BY_PAIRS);
        bool is_varied = c == PAIR_LD || c == PAIR_WL || c == PAIR_WD;
        assert_int_equal(stat_exists(s.bias_score), is_varied);
    }
}

static void stat_is_sane(StatValue v) {
    assert_true(isfinite(v.value));
    assert_true(v.reason == NULL || v.value == 0.0);
}

static void test_elo__fuzzed_counts_stay_finite(void **state) {
    (void)state;
    Rng rng = rng_init(7);
    for (int round = 0; round < 20000; round++) {
        PairCounts pairs;
        WdlCounts single = {0};
        for (int i = 0; i < PAIR_CLASS_NB; i++) {
            uint64_t size = rng_below(&rng, 41); // from nothing to 10^12, evenly in digits
            pairs.n[i] =
                rng_below(&rng, 3) == 0 ? 0 : (int64_t)(rng_next(&rng) >> 24 >> (40 - size));
        }
        single.wins = (int64_t)rng_below(&rng, 1000000000000u);
        for (int by = 0; by < 2; by++) {
            MatchStats s = match_stats_compute(&pairs, &single, by ? BY_GAMES : BY_PAIRS);
            const StatValue all[] = {s.score,
                                     s.elo,
                                     s.interval.lo,
                                     s.interval.hi,
                                     s.nelo,
                                     s.nelo_err,
                                     s.los,
                                     s.se,
                                     s.normal.lo,
                                     s.normal.hi,
                                     s.student.lo,
                                     s.student.hi,
                                     s.wilson.lo,
                                     s.wilson.hi,
                                     s.error_ratio,
                                     s.opening_free_elo,
                                     s.opening_free_se,
                                     s.bias_elo,
                                     s.bias_score};
            for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
                stat_is_sane(all[i]);
            if (stat_exists(s.elo) && stat_exists(s.interval.lo))
                assert_true(s.interval.lo.value <= s.elo.value + 1e-6);
            if (stat_exists(s.elo) && stat_exists(s.interval.hi))
                assert_true(s.interval.hi.value >= s.elo.value - 1e-6);
        }
    }
}

static void test_elo__seen_from_the_other_side_is_mirrored(void **state) {
    (void)state;
    PairCounts pairs = {.n = {3, 1, 1, 9, 2, 4}}, other = pair_counts_swapped(&pairs);
    MatchStats a = match_stats_compute(&pairs, NULL, BY_PAIRS),
               b = match_stats_compute(&other, NULL, BY_PAIRS);
    golden_near("elo", a.elo.value, -b.elo.value, 1e-9);
    golden_near("lo", a.interval.lo.value, -b.interval.hi.value, 1e-9);
    golden_near("los", a.los.value, 1 - b.los.value, 1e-12);
    assert_int_equal(pair_class_from_half_points(2, 0), PAIR_WL);
    assert_int_equal(pair_class_from_half_points(1, 1), PAIR_DD);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elo__matches_the_reference_table),
        cmocka_unit_test(test_elo__matches_the_sequential_table),
        cmocka_unit_test(test_elo__perfect_scores_have_one_sided_intervals),
        cmocka_unit_test(test_elo__one_pair_is_not_certain),
        cmocka_unit_test(test_elo__opening_free_ignores_split_pairs),
        cmocka_unit_test(test_elo__bias_follows_the_variance_identity),
        cmocka_unit_test(test_elo__no_bias_without_variance),
        cmocka_unit_test(test_elo__fuzzed_counts_stay_finite),
        cmocka_unit_test(test_elo__seen_from_the_other_side_is_mirrored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
