// SPDX-License-Identifier: GPL-3.0-or-later
// The test of a run taken again from its games: the same verdict as pair by pair, holes and
// halves aside.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/base/rng.h"
#include "golden_tsv.h"
#include "harness/report/sequential.h"
#include "harness/report/verdict.h"
#include "harness/stats/elo.h"
#include "harness/stats/sprt_estimate.h"

static const char IDENTITY[] = "{\"sprt\": {\"elo0\": 0, \"elo1\": 30, \"alpha\": 0.05, "
                               "\"beta\": 0.1, \"model\": \"logistic\"}}";

static void test_sequential__only_a_test_that_makes_sense_is_asked_for(void **state) {
    (void)state;
    static const char *const NONE[] = {
        NULL,
        "",
        "no json",
        "{}",
        "{\"sprt\": null}",
        "{\"sprt\": []}",
        "{\"sprt\": {\"elo0\": 5, \"elo1\": 5, \"alpha\": 0.05, \"beta\": 0.05}}",
        "{\"sprt\": {\"elo0\": 0, \"elo1\": 5, \"alpha\": 0.6, \"beta\": 0.5}}",
        "{\"sprt\": {\"elo0\": 0, \"elo1\": 5}}",
    };
    for (size_t i = 0; i < ARRAY_LEN(NONE); i++)
        assert_false(sequential_init(NONE[i]).is_asked);
    SequentialTest test = sequential_init(IDENTITY);
    assert_true(test.is_asked);
    golden_near("elo1", test.test.params.elo1, 30, 0);
    golden_near("alpha", test.test.params.alpha, 0.05, 0);
    golden_near("beta", test.test.params.beta, 0.1, 0);
    assert_int_equal(test.test.params.model, SPRT_LOGISTIC);
    test = sequential_init("{\"sprt\": {\"elo0\": -1, \"elo1\": 5, \"alpha\": 0.05, "
                           "\"beta\": 0.05, \"model\": \"normalized\"}}");
    assert_int_equal(test.test.params.model, SPRT_NORMALIZED);
}

// A game of pair `slot / 2`: the candidate, player 0, is black in even slots and makes `points`
// half points.
static StoreGame game_at(int64_t slot, int points) {
    bool is_black = slot % 2 == 0;
    return (StoreGame){.slot = slot,
                       .pair = slot / 2,
                       .black = is_black ? 0 : 1,
                       .white = is_black ? 1 : 0,
                       .result = points == 1                 ? 'D'
                                 : (points == 2) == is_black ? 'B'
                                                             : 'W'};
}

static void test_sequential__games_give_the_verdict_of_their_pairs(void **state) {
    (void)state;
    int verdicts[4] = {0};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        SequentialTest test = sequential_init(IDENTITY);
        SprtTest direct = sprt_test_init(&test.test.params);
        Rng rng = rng_init(seed);
        for (int64_t pair = 0; pair < 1000; pair++) {
            int points[2];
            for (int i = 0; i < 2; i++) {
                points[i] = (int)rng_below(&rng, seed % 2 ? 3 : 5) % 3;
                StoreGame game = game_at(2 * pair + i, points[i]);
                sequential_add_game(&test, &game);
            }
            sprt_test_add_pair(&direct, pair_class_from_half_points(points[0], points[1]));
        }
        assert_int_equal(test.waiting, 0);
        assert_int_equal(test.next_pair, 1000);
        assert_memory_equal(&test.test.tested, &direct.tested, sizeof direct.tested);
        assert_memory_equal(&test.test.later, &direct.later, sizeof direct.later);
        assert_int_equal(test.test.result.state, direct.result.state);
        golden_near("llr", test.test.result.llr.value, direct.result.llr.value, 0);
        verdicts[direct.result.state]++;
    }
    assert_true(verdicts[SPRT_H0] > 0);
}

static void add_range(SequentialTest *test, int64_t from, int64_t to) {
    for (int64_t slot = from; slot < to; slot++) {
        StoreGame game = game_at(slot, 2);
        sequential_add_game(test, &game);
    }
}

// Pairs behind a hole are not of the test, half a pair is none, imported games are passed over.
static void test_sequential__pairs_wait_for_those_before_them(void **state) {
    (void)state;
    SequentialTest test = sequential_init(IDENTITY);
    add_range(&test, 0, 4);
    add_range(&test, 5, 8); // slot 4 is missing: pair 2 is half, pair 3 waits
    assert_int_equal(test.next_pair, 2);
    assert_int_equal(test.waiting, 1);
    assert_int_equal(pair_counts_total(&test.test.tested), 2);
    assert_int_equal(test.test.tested.n[PAIR_WW], 2);
    StoreGame imported = game_at(8, 2);
    imported.pair = -1;
    sequential_add_game(&test, &imported);
    sequential_add_game(&test, &imported);
    assert_int_equal(test.waiting, 1);
    SequentialTest none = sequential_init("{}");
    add_range(&none, 0, 4);
    assert_int_equal(none.next_pair, 0);
}

static const char *words(const SprtTest *test, Text *text) {
    text_clear(text);
    verdict_write(test, text);
    return text_cstr(text);
}

static void test_verdict__says_what_was_decided_and_what_came_later(void **state) {
    (void)state;
    SprtParams params = {0, 30, 0.05, 0.1, SPRT_LOGISTIC};
    SprtTest test = sprt_test_init(&params);
    Text text = {0};
    const char *said = words(&test, &text);
    assert_non_null(strstr(said, "undecided: Elo n/a"));
    assert_non_null(strstr(said, " after 0 pairs, LLR 0.00 [-2.25, 2.89] for elo0 0, elo1 30, "
                                 "logistic model, alpha 0.05, beta 0.1\n"));
    sprt_test_add_pair(&test, PAIR_WD);
    assert_non_null(strstr(words(&test, &text), " after 1 pair, "));
    for (int i = 0; i < 400 && test.result.state == SPRT_CONTINUE; i++)
        sprt_test_add_pair(&test, i % 3 ? PAIR_WW : PAIR_LD);
    assert_int_equal(test.result.state, SPRT_H1);
    said = words(&test, &text);
    assert_ptr_equal(strstr(said, "H1 accepted: "), said);
    assert_null(strstr(said, "came after"));
    sprt_test_add_pair(&test, PAIR_LL);
    assert_non_null(strstr(words(&test, &text), "  1 pair came after the verdict and does not "));
    sprt_test_add_pair(&test, PAIR_LL);
    sprt_test_add_pair(&test, PAIR_WL);
    assert_non_null(strstr(words(&test, &text),
                           "  3 pairs came after the verdict and do not change it: WW 0 WD 0 WL 1 "
                           "DD 0 LD 0 LL 2\n"));
    text_release(&text);
}

// The Elo in front allows for the stop; the plain one stands below. Both are those of stats.
static void test_verdict__the_first_elo_allows_for_the_stop(void **state) {
    (void)state;
    SprtParams params = {0, 30, 0.05, 0.05, SPRT_NORMALIZED};
    Rng rng = rng_init(9);
    SprtTest test = sprt_test_init(&params);
    while (test.result.state == SPRT_CONTINUE) {
        static const PairClass DRAW[] = {PAIR_LL, PAIR_LD, PAIR_DD, PAIR_WL,
                                         PAIR_WD, PAIR_WD, PAIR_WW, PAIR_WW};
        sprt_test_add_pair(&test, DRAW[rng_below(&rng, ARRAY_LEN(DRAW))]);
    }
    ScoreCells cells = score_cells_from_pairs(&test.tested);
    SprtEstimate stopped = sprt_estimate(&params, &test.result, &cells);
    MatchStats fixed = match_stats_compute(&test.tested, NULL, BY_PAIRS);
    assert_true(stat_exists(stopped.elo) && stopped.elo.value < fixed.elo.value);
    Text text = {0}, want = {0};
    text_printf(&want, "H1 accepted: %+.1f Elo [%.1f, %.1f] after ", stopped.elo.value,
                stopped.lo.value, stopped.hi.value);
    const char *said = words(&test, &text);
    assert_ptr_equal(strstr(said, text_cstr(&want)), said);
    text_clear(&want);
    text_printf(&want, "as for a fixed length: %+.1f Elo [%.1f, %.1f]\n", fixed.elo.value,
                fixed.interval.lo.value, fixed.interval.hi.value);
    assert_non_null(strstr(said, text_cstr(&want)));
    text_release(&text);
    text_release(&want);
}

static void test_verdict__a_ratio_without_a_value_says_why(void **state) {
    (void)state;
    SprtParams params = {-1500, -500, 0.05, 0.05, SPRT_NORMALIZED};
    SprtTest test = sprt_test_init(&params);
    for (int i = 0; i < 144; i++)
        sprt_test_add_pair(&test, PAIR_LL);
    assert_int_equal(test.result.state, SPRT_UNDEFINED);
    Text text = {0};
    const char *said = words(&test, &text);
    assert_ptr_equal(strstr(said, "undefined: "), said);
    assert_non_null(strstr(said, "LLR n/a ("));
    assert_null(strstr(said, "nan"));
    assert_null(strstr(said, "inf"));
    text_release(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sequential__only_a_test_that_makes_sense_is_asked_for),
        cmocka_unit_test(test_sequential__games_give_the_verdict_of_their_pairs),
        cmocka_unit_test(test_sequential__pairs_wait_for_those_before_them),
        cmocka_unit_test(test_verdict__says_what_was_decided_and_what_came_later),
        cmocka_unit_test(test_verdict__the_first_elo_allows_for_the_stop),
        cmocka_unit_test(test_verdict__a_ratio_without_a_value_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
