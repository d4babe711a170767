// SPDX-License-Identifier: GPL-3.0-or-later
// Operating characteristics of the sequential test: error rates and mean lengths against an
// independent simulator, and whether the estimate after stopping is right in the median. Slow: part
// of `make test-long` only.
#include "../unit/golden_tsv.h"
#include "engine/base/rng.h"
#include "harness/stats/elo.h"
#include "harness/stats/sprt_estimate.h"

enum { TESTS = 1000 };
static const double draw_ratio = 0.02;

static double logistic_elo(double elo) { return 1.0 / (1.0 + pow(10.0, -elo / 400.0)); }

// Chances of win and draw for a lead of `x` Elo, Rao-Kupper, with the draw width that gives
// `draw_ratio` at even strength without bias.
static void game_chances(double x, double *win, double *draw) {
    double width = 400.0 * log10((1.0 + draw_ratio) / (1.0 - draw_ratio));
    *win = logistic_elo(x - width);
    *draw = 1.0 - *win - logistic_elo(-x - width);
}

typedef struct PairTruth {
    double win[2], draw[2]; // first and second game
} PairTruth;

// Latent strength such that the mean score over both games of an opening of bias `bias` is that of
// `elo`.
static PairTruth pair_truth(double elo, double bias) {
    double lo = -1000, hi = 1000, target = score_from_elo(elo);
    PairTruth t;
    for (int i = 0; i < 100; i++) {
        double middle = (lo + hi) / 2, score = 0;
        for (int game = 0; game < 2; game++) {
            game_chances(middle + (game ? -bias : bias), &t.win[game], &t.draw[game]);
            score += (t.win[game] + t.draw[game] / 2) / 2;
        }
        if (score < target)
            lo = middle;
        else
            hi = middle;
    }
    return t;
}

static int game_play(double win, double draw, Rng *rng) {
    double u = rng_unit(rng);
    return u < win ? 2 : u < win + draw ? 1 : 0;
}

static SprtTest test_play(const SprtParams *params, const PairTruth *t, Rng *rng) {
    SprtTest test = sprt_test_init(params);
    while (test.result.state == SPRT_CONTINUE)
        sprt_test_add_pair(&test,
                           pair_class_from_half_points(game_play(t->win[0], t->draw[0], rng),
                                                       game_play(t->win[1], t->draw[1], rng)));
    return test;
}

static void test_sprt_oc__error_rates_and_lengths_match_the_simulator(void **state) {
    (void)state;
    FILE *file = golden_open("sprt_oc.tsv");
    GoldenRow row;
    golden_next(file, &row);
    Rng rng = rng_init(31);
    SprtParams params = {
        .elo0 = 0, .elo1 = 10, .alpha = 0.05, .beta = 0.05, .model = SPRT_LOGISTIC};
    int rows = 0;
    for (; golden_next(file, &row); rows++) {
        double bias = golden_number(row.field[0]), elo = golden_number(row.field[1]);
        double want_pass = golden_number(row.field[3]), want_games = golden_number(row.field[6]);
        PairTruth truth = pair_truth(elo, bias);
        double passed = 0, games = 0, squares = 0;
        for (int i = 0; i < TESTS; i++) {
            SprtTest test = test_play(&params, &truth, &rng);
            double length = 2.0 * (double)pair_counts_total(&test.tested);
            passed += test.result.state == SPRT_H1;
            games += length / TESTS;
            squares += length * length / TESTS;
        }
        double pass = passed / TESTS, se = sqrt(want_pass * (1 - want_pass) / TESTS);
        double games_se = sqrt((squares - games * games) / TESTS);
        print_message(
            "bias %3.0f, elo %2.0f: passes %.4f (simulator %.4f), games %.0f +- %.0f (%.0f)\n",
            bias, elo, pass, want_pass, games, games_se, want_games);
        golden_near("pass rate", pass, want_pass, 4 * se + 0.005);
        golden_near("mean length", games, want_games, 4 * games_se + 0.02 * want_games);
    }
    fclose(file);
    assert_int_equal(rows, 9);
}

static void test_sprt_oc__normalized_bounds_keep_their_promise(void **state) {
    (void)state;
    Rng rng = rng_init(32);
    SprtParams params = {
        .elo0 = 0, .elo1 = 20, .alpha = 0.05, .beta = 0.05, .model = SPRT_NORMALIZED};
    for (int bias = 0; bias <= 300; bias += 300) {
        PairTruth even = pair_truth(0, bias);
        int passed = 0;
        for (int i = 0; i < TESTS; i++)
            passed += test_play(&params, &even, &rng).result.state == SPRT_H1;
        print_message("normalized, bias %d: passes at 0: %.4f\n", bias, (double)passed / TESTS);
        golden_near("false passes", (double)passed / TESTS, 0.05, 0.025);
    }
}

static void test_sprt_oc__estimate_after_stopping_is_right_in_the_median(void **state) {
    (void)state;
    Rng rng = rng_init(33);
    SprtParams params = {
        .elo0 = 0, .elo1 = 20, .alpha = 0.05, .beta = 0.05, .model = SPRT_LOGISTIC};
    static const double ELOS[] = {0, 10, 20};
    for (int k = 0; k < 3; k++) {
        PairTruth truth = pair_truth(ELOS[k], 150);
        int above = 0, held = 0, plain_held = 0, tests = 0;
        double mean = 0, plain_mean = 0;
        for (int i = 0; i < TESTS; i++) {
            SprtTest test = test_play(&params, &truth, &rng);
            ScoreCells cells = score_cells_from_pairs(&test.tested);
            SprtEstimate e = sprt_estimate(&params, &test.result, &cells);
            MatchStats plain = match_stats_compute(&test.tested, NULL, BY_PAIRS);
            if (!stat_exists(e.elo) || !stat_exists(e.lo) || !stat_exists(e.hi))
                continue;
            tests++;
            above += e.elo.value > ELOS[k];
            held += e.lo.value <= ELOS[k] && ELOS[k] <= e.hi.value;
            plain_held += plain.interval.lo.value <= ELOS[k] && ELOS[k] <= plain.interval.hi.value;
            mean += e.elo.value;
            plain_mean += plain.elo.value;
        }
        print_message("elo %2.0f: estimate above the truth in %.1f %%, interval holds %.1f %%, "
                      "mean %.1f; plain: holds %.1f %%, "
                      "mean %.1f; of %d tests\n",
                      ELOS[k], 100.0 * above / tests, 100.0 * held / tests, mean / tests,
                      100.0 * plain_held / tests, plain_mean / tests, tests);
        assert_true(tests > 0.99 * TESTS);
        golden_near("above the truth", (double)above / tests, 0.5, 0.05);
        golden_near("interval holds", (double)held / tests, 0.95, 0.02);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sprt_oc__error_rates_and_lengths_match_the_simulator),
        cmocka_unit_test(test_sprt_oc__normalized_bounds_keep_their_promise),
        cmocka_unit_test(test_sprt_oc__estimate_after_stopping_is_right_in_the_median),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
