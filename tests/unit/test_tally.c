// SPDX-License-Identifier: GPL-3.0-or-later
// The score while games come in, against games counted one by one; games in any order, in shards,
// and a test that hears its pairs in the order of the plan.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/base/rng.h"
#include "experiment_fixture.h"
#include "harness/play/key_set.h"
#include "harness/play/tally.h"

enum { PLAYERS = 4, PAIRS = 30, SLOTS_MAX = 2 * PAIRS * PLAYERS * (PLAYERS - 1) / 2 };

typedef struct Bench {
    Experiment experiment;
    Plan plan;
    Tally tally;
    char result[SLOTS_MAX];
} Bench;

static void bench_make(Bench *bench, int players, int shard, int shards) {
    ErrorText err = {""};
    PlanLimits limits = {.shard = shard, .shard_count = shards};
    *bench = (Bench){.experiment = experiment_fixture(players, PAIRS)};
    if (plan_init(&bench->plan, &bench->experiment, &limits, &err) ||
        tally_init(&bench->tally, &bench->plan, &err))
        fail_msg("%s", err.text);
    Rng rng = rng_init(41);
    for (int i = 0; i < SLOTS_MAX; i++)
        bench->result[i] = "BBWD"[rng_below(&rng, 4)];
}

static void bench_release(Bench *bench) {
    tally_release(&bench->tally);
    plan_release(&bench->plan);
    experiment_release(&bench->experiment);
}

static void add(Bench *bench, int64_t slot) {
    ErrorText err = {""};
    TallyGame game = {slot, bench->result[slot], 0};
    assert_int_equal(tally_add(&bench->tally, &game, &err), STATUS_OK);
}

// Half points of a player in a game of his, -1: it is none of his.
static int points_of(const Bench *bench, int64_t slot, int player) {
    PlanSlot at = plan_slot(&bench->plan, slot);
    if (at.black != player && at.white != player)
        return -1;
    char won = at.black == player ? 'B' : 'W';
    return bench->result[slot] == 'D' ? 1 : bench->result[slot] == won ? 2 : 0;
}

static void players_check(const Bench *bench, int players, int shard, int shards) {
    for (int player = 0; player < players; player++) {
        WdlCounts games, want = {0};
        PairCounts pairs, whole = {0};
        for (int64_t slot = 0; slot < SLOTS_MAX; slot++) {
            int points = points_of(bench, slot, player);
            if (points < 0 || slot / 2 % shards != shard)
                continue;
            want.wins += points == 2;
            want.draws += points == 1;
            want.losses += points == 0;
            if (slot % 2)
                whole.n[pair_class_from_half_points(points_of(bench, slot - 1, player), points)]++;
        }
        tally_player(&bench->tally, player, &games, &pairs);
        assert_memory_equal(&games, &want, sizeof want);
        assert_memory_equal(&pairs, &whole, sizeof whole);
    }
}

static void test_tally__counts_every_game_and_pair_in_any_order(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        static Bench bench;
        int shards = 1 + (int)seed % 3, shard = (int)seed % shards;
        int64_t order[SLOTS_MAX];
        int count = 0;
        Rng rng = rng_init(seed);
        bench_make(&bench, PLAYERS, shard, shards);
        for (int64_t slot = 0; slot < SLOTS_MAX; slot++)
            if (slot / 2 % shards == shard)
                order[count++] = slot;
        for (int i = count - 1; seed > 2 && i > 0; i--) { // shuffled
            int j = (int)rng_below(&rng, (uint64_t)i + 1);
            int64_t swapped = order[i];
            order[i] = order[j];
            order[j] = swapped;
        }
        for (int i = 0; i < count; i++)
            add(&bench, order[i]);
        assert_int_equal(bench.tally.game_count, count);
        players_check(&bench, PLAYERS, shard, shards);
        bench_release(&bench);
    }
}

// Whatever order games end in, the test has heard the pairs before the first hole, in order.
static void test_tally__the_test_hears_pairs_in_the_order_of_the_plan(void **state) {
    (void)state;
    static Bench bench;
    for (uint64_t seed = 0; seed < 10; seed++) {
        bench_make(&bench, 2, 0, 1);
        bench.experiment.sprt = (SprtSpec){true, 0, 60, 0.05, 0.05, false};
        tally_release(&bench.tally);
        ErrorText err = {""};
        assert_int_equal(tally_init(&bench.tally, &bench.plan, &err), STATUS_OK);
        bool is_over[2 * PAIRS] = {false};
        Rng rng = rng_init(seed);
        for (int left = 2 * PAIRS; left > 0; left--) {
            int64_t slot;
            do
                slot = (int64_t)rng_below(&rng, 2 * PAIRS);
            while (is_over[slot]);
            is_over[slot] = true;
            add(&bench, slot);
            SprtTest direct = sprt_test_init(&bench.tally.sprt.params);
            for (int64_t s = 0; s < 2 * PAIRS && is_over[s] && is_over[s + 1]; s += 2)
                sprt_test_add_pair(&direct,
                                   pair_class_from_half_points(points_of(&bench, s, 0),
                                                               points_of(&bench, s + 1, 0)));
            assert_memory_equal(&bench.tally.sprt.tested, &direct.tested, sizeof direct.tested);
            assert_memory_equal(&bench.tally.sprt.later, &direct.later, sizeof direct.later);
            assert_int_equal(tally_is_decided(&bench.tally),
                             direct.result.state == SPRT_H0 || direct.result.state == SPRT_H1);
        }
        bench_release(&bench);
    }
}

static void test_tally__the_leader_has_the_best_share(void **state) {
    (void)state;
    static Bench bench;
    bench_make(&bench, 3, 0, 1);
    assert_int_equal(tally_leader(&bench.tally), -1);
    memset(bench.result, 'D', sizeof bench.result);
    add(&bench, 0); // 0 against 1
    assert_int_equal(tally_leader(&bench.tally), 0);
    bench.result[1] = 'B';
    add(&bench, 1); // 1 has black
    assert_int_equal(tally_leader(&bench.tally), 1);
    bench.result[2] = 'W'; // 0 against 2
    add(&bench, 2);
    assert_int_equal(tally_leader(&bench.tally), 2); // one game, all won
    bench_release(&bench);
}

static void test_tally__a_test_that_makes_no_sense_is_refused(void **state) {
    (void)state;
    static Bench bench;
    ErrorText err = {""};
    bench_make(&bench, 3, 0, 1);
    tally_release(&bench.tally);
    bench.experiment.sprt = (SprtSpec){true, 0, 10, 0.05, 0.05, false};
    assert_int_equal(tally_init(&bench.tally, &bench.plan, &err), STATUS_INVALID);
    assert_string_equal(err.text, "sprt: 3 players, a sequential test needs two");
    bench_release(&bench);
    bench_make(&bench, 2, 0, 1);
    tally_release(&bench.tally);
    bench.experiment.sprt = (SprtSpec){true, 10, 10, 0.05, 0.05, false};
    assert_int_equal(tally_init(&bench.tally, &bench.plan, &err), STATUS_INVALID);
    assert_ptr_equal(strstr(err.text, "sprt: "), err.text);
    bench_release(&bench);
}

// A set of keys against a list of them: few different ones, zero and neighbours among them.
static void test_key_set__knows_what_it_has_seen(void **state) {
    (void)state;
    enum { KEYS = 3000, RANGE = 1200 };
    static bool seen[RANGE];
    KeySet set = {0};
    Rng rng = rng_init(8);
    for (int i = 0; i < KEYS; i++) {
        uint64_t key = rng_below(&rng, RANGE);
        // Neighbours, or keys that all want one slot.
        uint64_t spread = key % 2 ? key : key << 40;
        assert_int_equal(key_set_add(&set, spread), !seen[key]);
        seen[key] = true;
    }
    key_set_release(&set);
    assert_int_equal(key_set_add(&set, 0), 1); // empty again
    assert_int_equal(key_set_add(&set, 0), 0);
    key_set_release(&set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tally__counts_every_game_and_pair_in_any_order),
        cmocka_unit_test(test_tally__the_test_hears_pairs_in_the_order_of_the_plan),
        cmocka_unit_test(test_tally__the_leader_has_the_best_share),
        cmocka_unit_test(test_tally__a_test_that_makes_no_sense_is_refused),
        cmocka_unit_test(test_key_set__knows_what_it_has_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
