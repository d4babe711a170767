// SPDX-License-Identifier: GPL-3.0-or-later
// Counts of games and pairs: every sum against single observations written out.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/base/rng.h"
#include "golden_tsv.h"
#include "harness/stats/counts.h"

static void test_counts__every_pair_of_results_has_its_class(void **state) {
    (void)state;
    static const char *const CLASS[3][3] = {
        {"LL", "LD", "WL"}, {"LD", "DD", "WD"}, {"WL", "WD", "WW"}};
    for (int one = 0; one < 3; one++)
        for (int two = 0; two < 3; two++)
            assert_string_equal(pair_class_name(pair_class_from_half_points(one, two)),
                                CLASS[one][two]);
}

// Counts single games beside whole pairs, one by one.
static void test_counts__pairs_are_the_games_in_them(void **state) {
    (void)state;
    Rng rng = rng_init(11);
    for (int round = 0; round < 50; round++) {
        PairCounts pairs = {0};
        int64_t game[3] = {0}, points[5] = {0}, games = rng_below(&rng, 40);
        for (int64_t i = 0; i < games; i++) {
            int one = (int)rng_below(&rng, 3), two = (int)rng_below(&rng, 3);
            pairs.n[pair_class_from_half_points(one, two)]++;
            game[one]++;
            game[two]++;
            points[one + two]++;
        }
        WdlCounts wdl = wdl_from_pairs(&pairs);
        assert_int_equal(wdl.losses, game[0]);
        assert_int_equal(wdl.draws, game[1]);
        assert_int_equal(wdl.wins, game[2]);
        assert_int_equal(pair_counts_total(&pairs), games);
        assert_int_equal(wdl_counts_total(&wdl), 2 * games);
        ScoreCells cells = score_cells_from_pairs(&pairs);
        assert_int_equal(cells.cells, 5);
        for (int i = 0; i < 5; i++) {
            golden_near("count", cells.count[i], (double)points[i], 0);
            golden_near("score", cells.score[i], i / 4.0, 0);
        }
    }
}

static void test_counts__swapped_is_the_other_side(void **state) {
    (void)state;
    PairCounts pairs = {.n = {1, 2, 4, 8, 16, 32}}, swapped = pair_counts_swapped(&pairs),
               back = pair_counts_swapped(&swapped);
    assert_memory_equal(&back, &pairs, sizeof pairs);
    WdlCounts one = wdl_from_pairs(&pairs), other = wdl_from_pairs(&swapped);
    assert_int_equal(one.wins, other.losses);
    assert_int_equal(one.draws, other.draws);
    assert_int_equal(one.losses, other.wins);
    assert_int_equal(swapped.n[PAIR_WW], 1);
    assert_int_equal(swapped.n[PAIR_DD], 4);
    assert_int_equal(swapped.n[PAIR_WL], 8);
}

static void test_counts__moments_are_those_of_the_observations(void **state) {
    (void)state;
    Rng rng = rng_init(12);
    for (int round = 0; round < 100; round++) {
        WdlCounts wdl = {(int64_t)rng_below(&rng, 6), (int64_t)rng_below(&rng, 6),
                         (int64_t)rng_below(&rng, 6)};
        double one[16], sum = 0, squares = 0;
        int n = 0;
        for (int64_t i = 0; i < wdl.wins; i++)
            one[n++] = 1;
        for (int64_t i = 0; i < wdl.draws; i++)
            one[n++] = 0.5;
        for (int64_t i = 0; i < wdl.losses; i++)
            one[n++] = 0;
        for (int i = 0; i < n; i++)
            sum += one[i];
        for (int i = 0; i < n; i++)
            squares += (one[i] - sum / n) * (one[i] - sum / n);
        ScoreCells cells = score_cells_from_wdl(&wdl);
        ScoreMoments m = score_moments(&cells);
        golden_near("n", m.n, n, 0);
        golden_near("mean", m.mean, n ? sum / n : 0, 1e-15);
        golden_near("complement", m.complement, n ? 1 - sum / n : 0, 1e-15);
        golden_near("variance", m.variance, n ? squares / n : 0, 1e-15);
    }
}

// At the largest counts sums stay whole, and what is missing to a perfect score is not rounded off.
static void test_counts__the_largest_counts_are_exact(void **state) {
    (void)state;
    PairCounts pairs;
    for (int i = 0; i < PAIR_CLASS_NB; i++)
        pairs.n[i] = COUNT_MAX;
    assert_int_equal(pair_counts_total(&pairs), 6 * COUNT_MAX);
    WdlCounts wdl = wdl_from_pairs(&pairs);
    assert_int_equal(wdl.wins, 4 * COUNT_MAX);
    assert_int_equal(wdl.draws, 4 * COUNT_MAX);
    assert_int_equal(wdl.losses, 4 * COUNT_MAX);
    wdl = (WdlCounts){COUNT_MAX, 0, 1};
    ScoreCells cells = score_cells_from_wdl(&wdl);
    ScoreMoments m = score_moments(&cells);
    golden_near("complement", m.complement * 1e15, 1.0, 1e-9);
    assert_true(m.variance > 0.9e-15 && m.variance < 1.1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts__every_pair_of_results_has_its_class),
        cmocka_unit_test(test_counts__pairs_are_the_games_in_them),
        cmocka_unit_test(test_counts__swapped_is_the_other_side),
        cmocka_unit_test(test_counts__moments_are_those_of_the_observations),
        cmocka_unit_test(test_counts__the_largest_counts_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
