// SPDX-License-Identifier: GPL-3.0-or-later
// Do the intervals hold what they promise? Matches and pools are simulated with a known truth; 95 %
// intervals must hold it in 93..97 % of 2000 trials. Slow: part of `make test-long` only.
#include "../unit/golden_pool.h"
#include "engine/base/rng.h"
#include "harness/stats/elo.h"

enum { TRIALS = 2000 };

static double logistic_elo(double elo) { return 1.0 / (1.0 + pow(10.0, -elo / 400.0)); }

// A match: A's chances moving first and second. `share` is what the first mover makes between
// equals.
typedef struct MatchTruth {
    double elo, first, second;
} MatchTruth;

// The difference for which A's mean score is `score` when the openings give the first mover `share`
// between equals.
static MatchTruth match_truth(double score, double share) {
    double bias = 400.0 * log10(share / (1.0 - share)), lo = -4000.0, hi = 4000.0;
    for (int i = 0; i < 200; i++) {
        double middle = (lo + hi) / 2.0;
        if ((logistic_elo(middle + bias) + logistic_elo(middle - bias)) / 2.0 < score)
            lo = middle;
        else
            hi = middle;
    }
    MatchTruth t = {.first = logistic_elo(lo + bias), .second = logistic_elo(lo - bias)};
    t.elo = elo_from_score(score);
    return t;
}

static PairCounts match_play(const MatchTruth *t, int pairs, Rng *rng) {
    PairCounts counts = {0};
    for (int i = 0; i < pairs; i++) {
        int first = rng_unit(rng) < t->first ? 2 : 0, second = rng_unit(rng) < t->second ? 2 : 0;
        counts.n[pair_class_from_half_points(first, second)]++;
    }
    return counts;
}

static bool interval_holds(EloInterval interval, double elo) {
    return (!stat_exists(interval.lo) || interval.lo.value <= elo) &&
           (!stat_exists(interval.hi) || interval.hi.value >= elo);
}

static void test_coverage__match_intervals_hold_the_truth(void **state) {
    (void)state;
    static const double SCORES[] = {0.5, 0.8, 0.97}, SHARES[] = {0.5, 0.9};
    static const int PAIRS[] = {200, 1000};
    Rng rng = rng_init(2026);
    for (int s = 0; s < 3; s++)
        for (int f = 0; f < 2; f++)
            for (int n = 0; n < 2; n++) {
                MatchTruth truth = match_truth(SCORES[s], SHARES[f]);
                int held = 0, held_games = 0;
                for (int trial = 0; trial < TRIALS; trial++) {
                    PairCounts counts = match_play(&truth, PAIRS[n], &rng);
                    held += interval_holds(match_stats_compute(&counts, NULL, BY_PAIRS).interval,
                                           truth.elo);
                    held_games += interval_holds(
                        match_stats_compute(&counts, NULL, BY_GAMES).interval, truth.elo);
                }
                double share = (double)held / TRIALS;
                print_message("score %.2f, first mover %.1f, %3d pairs: %.2f %% (games as "
                              "independent: %.2f %%)\n",
                              SCORES[s], SHARES[f], PAIRS[n], 100.0 * share,
                              100.0 * held_games / TRIALS);
                if (share < 0.93 || share > 0.97)
                    fail_msg("coverage %.4f outside 0.93..0.97", share);
            }
}

// Few pairs: too wide is allowed, too narrow is not.
static void test_coverage__few_pairs_are_not_overconfident(void **state) {
    (void)state;
    Rng rng = rng_init(7);
    static const int PAIRS[] = {1, 2, 3, 5, 10, 14};
    for (int n = 0; n < 6; n++)
        for (int f = 0; f < 2; f++) {
            MatchTruth truth = match_truth(0.6, f ? 0.9 : 0.5);
            int held = 0;
            for (int trial = 0; trial < TRIALS; trial++) {
                PairCounts counts = match_play(&truth, PAIRS[n], &rng);
                held += interval_holds(match_stats_compute(&counts, NULL, BY_PAIRS).interval,
                                       truth.elo);
            }
            print_message("%2d pairs, first mover %.1f: %.2f %%\n", PAIRS[n], f ? 0.9 : 0.5,
                          100.0 * held / TRIALS);
            assert_true(held > 0.91 * TRIALS);
        }
}

// A pool of six, openings of random bias around `advantage`: whole pairs, sandwich errors.
typedef struct PoolTruth {
    double rating[6], advantage, spread;
} PoolTruth;

static double normal_draw(Rng *rng) {
    double u = 1.0 - rng_unit(rng), v = rng_unit(rng);
    return sqrt(-2.0 * log(u)) * cos(2.0 * M_PI * v);
}

// Plays `pairs` pairs a pairing into `pool`.
static void pool_play(const PoolTruth *t, int pairs, Rng *rng, GoldenPool *pool) {
    pool->count_nb = pool->pair_nb = 0;
    for (int a = 0; a < 6; a++)
        for (int b = a + 1; b < 6; b++) {
            RatingPairs *p = &pool->pairs[pool->pair_nb++];
            RatingCount ab = {.first = a, .second = b}, ba = {.first = b, .second = a};
            *p = (RatingPairs){.a = a, .b = b};
            for (int i = 0; i < pairs; i++) {
                double bias = t->advantage + t->spread * normal_draw(rng),
                       d = t->rating[a] - t->rating[b];
                bool first = rng_unit(rng) < logistic_elo(d + bias),
                     second = rng_unit(rng) < logistic_elo(d - bias);
                ab.first_wins += first;
                ab.second_wins += !first;
                ba.second_wins += second;
                ba.first_wins += !second;
                p->n[first ? 2 : 0][second ? 2 : 0]++;
            }
            pool->counts[pool->count_nb++] = ab;
            pool->counts[pool->count_nb++] = ba;
        }
}

static void test_coverage__pool_ratings_hold_the_truth(void **state) {
    (void)state;
    PoolTruth truth = {.rating = {120, 60, 20, -20, -60, -120}, .advantage = 150};
    for (int spread = 0; spread <= 200; spread += 200) {
        truth.spread = spread;
        GoldenPool *pool = golden_pool_new();
        char name[16];
        for (int i = 0; i < 6; i++) {
            snprintf(name, sizeof name, "p%d", i);
            golden_player(pool, name);
        }
        Rng rng = rng_init(99);
        RatingOptions o = rating_options_default();
        // Random biases shrink the ladder; the truth of the model is what an endless pool is fitted
        // to.
        pool_play(&truth, 400000, &rng, pool);
        Rating endless = golden_rate(pool, &o);
        int held = 0, held_hessian = 0, held_advantage = 0, total = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            pool_play(&truth, 60, &rng, pool);
            o.errors = ERRORS_SANDWICH;
            Rating r = golden_rate(pool, &o);
            o.errors = ERRORS_HESSIAN;
            Rating h = golden_rate(pool, &o);
            for (int i = 0; i < 6; i++, total++) {
                double want = endless.player[i].elo.value;
                held += r.player[i].lo.value <= want && want <= r.player[i].hi.value;
                held_hessian += h.player[i].lo.value <= want && want <= h.player[i].hi.value;
            }
            double off = fabs(r.group[0].advantage.value - endless.group[0].advantage.value);
            held_advantage += off <= NORMAL_Z95 * r.group[0].advantage_se.value;
            rating_release(&r);
            rating_release(&h);
        }
        print_message("pool, openings +-%d: ratings %.2f %% (Hessian %.2f %%), advantage %.2f %%\n",
                      spread, 100.0 * held / total, 100.0 * held_hessian / total,
                      100.0 * held_advantage / TRIALS);
        assert_true(held > 0.93 * total && held < 0.97 * total);
        assert_true(held_advantage > 0.93 * TRIALS && held_advantage < 0.97 * TRIALS);
        rating_release(&endless);
        golden_pool_free(pool);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coverage__match_intervals_hold_the_truth),
        cmocka_unit_test(test_coverage__few_pairs_are_not_overconfident),
        cmocka_unit_test(test_coverage__pool_ratings_hold_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
