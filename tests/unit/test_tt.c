// SPDX-License-Identifier: GPL-3.0-or-later
// The transposition table: what comes back, what is replaced, and won values at another ply.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/base/rng.h"
#include "engine/search/tt.h"
#include "engine/search/value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static TransTable tt;

static int open_table(void **state) {
    ErrorText err = {{0}};
    (void)state;
    return tt_init(&tt, 1, &err);
}

static int close_table(void **state) {
    (void)state;
    tt_release(&tt);
    return 0;
}

// Keys of one bucket: the high bits choose it, the low ones tell them apart.
static uint64_t key_in_bucket(uint64_t bucket, uint64_t which) {
    return (uint64_t)(((__uint128_t)bucket << 64) / tt.bucket_count) + 1 + which;
}

static void store(uint64_t key, int depth, double value) {
    tt_store(&tt, key, 0, &(TtHit){value, 7, depth, BOUND_EXACT});
}

// The value stored under the key; NaN when it is gone.
static double value_of(uint64_t key) {
    TtHit hit;
    return tt_probe(&tt, key, 0, &hit) ? hit.value : (double)NAN;
}

static bool is_gone(uint64_t key) { return isnan(value_of(key)); }

static void test_tt__gives_back_what_was_stored(void **state) {
    (void)state;
    static const TtHit CASES[] = {
        {0, 0, 1, BOUND_EXACT},           {-123.5, 483, 64, BOUND_LOWER},
        {1e8, MOVE_NONE, 0, BOUND_UPPER}, {INFINITY, 1, 2, BOUND_LOWER},
        {-INFINITY, 1, 2, BOUND_UPPER},   {3, 2, 127, BOUND_EXACT},
        {-1e8, 2, -3, BOUND_EXACT},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        TtHit hit;
        uint64_t key = rng_mix(5, i);
        tt_store(&tt, key, (int)i, &CASES[i]);
        assert_true(tt_probe(&tt, key, (int)i + 3, &hit)); // no win: the same at any ply
        assert_true(hit.value == CASES[i].value);
        assert_int_equal(hit.move, CASES[i].move);
        assert_int_equal(hit.depth, CASES[i].depth);
        assert_int_equal(hit.bound, CASES[i].bound);
    }
}

static void test_tt__a_miss_leaves_the_answer_alone(void **state) {
    (void)state;
    TtHit hit = {42, 3, 5, BOUND_LOWER}, before = hit;
    store(key_in_bucket(9, 0), 4, 1);
    assert_false(tt_probe(&tt, key_in_bucket(9, 1), 0, &hit)); // same bucket, other position
    assert_false(tt_probe(&tt, 0, 0, &hit));                   // an empty entry has key 0
    assert_memory_equal(&hit, &before, sizeof hit);
}

// A five that is n plies from the node is n plies from it wherever the node stands.
static void test_tt__wins_count_from_the_node(void **state) {
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2)
        for (int ply = 0; ply < 60; ply += 7)
            for (int other = 0; other < 60; other += 5) {
                TtHit hit, found = {sign * (VALUE_WIN - (ply + 3)), 1, 3, BOUND_EXACT};
                tt_store(&tt, 77, ply, &found);
                assert_true(tt_probe(&tt, 77, other, &hit));
                assert_true(hit.value == sign * (VALUE_WIN - (other + 3)));
            }
}

static void test_tt__deeper_entries_stay_within_a_search(void **state) {
    (void)state;
    uint64_t deep = key_in_bucket(3, 0), shallow = key_in_bucket(3, 1), last = key_in_bucket(3, 2);
    tt_new_search(&tt);
    store(deep, 9, 1);
    store(shallow, 2, 2);
    assert_true(value_of(deep) == 1 && value_of(shallow) == 2);
    store(last, 3, 3); // takes the place of the shallow one
    assert_true(value_of(deep) == 1 && value_of(last) == 3);
    assert_true(is_gone(shallow));
}

static void test_tt__a_deeper_newcomer_moves_the_old_one_down(void **state) {
    (void)state;
    uint64_t first = key_in_bucket(4, 0), second = key_in_bucket(4, 1), third = key_in_bucket(4, 2);
    tt_new_search(&tt);
    store(first, 3, 1);
    store(second, 5, 2);
    assert_true(value_of(first) == 1 && value_of(second) == 2);
    store(third, 4, 3); // not as deep as the second, which stays
    assert_true(is_gone(first));
    assert_true(value_of(second) == 2 && value_of(third) == 3);
}

static void test_tt__a_new_search_makes_old_entries_give_way(void **state) {
    (void)state;
    uint64_t old = key_in_bucket(5, 0), fresh = key_in_bucket(5, 1), next = key_in_bucket(5, 2);
    tt_new_search(&tt);
    store(old, 30, 1);
    tt_new_search(&tt);
    assert_true(value_of(old) == 1); // still good for an answer
    store(fresh, 1, 2);
    store(next, 1, 3);
    assert_true(is_gone(old));
    assert_true(value_of(fresh) == 2 && value_of(next) == 3);
}

static void test_tt__one_entry_a_position(void **state) {
    (void)state;
    uint64_t key = key_in_bucket(6, 0), other = key_in_bucket(6, 1);
    tt_new_search(&tt);
    store(other, 9, 1);
    store(key, 2, 2);  // behind the deeper one
    store(key, 12, 3); // and now before it
    assert_true(value_of(key) == 3);
    store(key, 1, 4); // the newest is kept though it is not as deep
    assert_true(value_of(key) == 4);
}

static void test_tt__clearing_forgets_and_a_second_game_starts_alike(void **state) {
    (void)state;
    tt_new_search(&tt);
    for (uint64_t i = 0; i < 1000; i++)
        store(rng_mix(1, i), (int)(i % 60), (double)i);
    assert_true(tt.is_used);
    tt_clear(&tt);
    assert_false(tt.is_used);
    for (uint64_t i = 0; i < 1000; i++)
        assert_true(is_gone(rng_mix(1, i)));
    assert_int_equal(tt.generation, 0);
}

// The size is an upper limit, and every key has a bucket inside it.
static void test_tt__keys_at_the_ends_fit(void **state) {
    (void)state;
    assert_true(tt.bucket_count * TT_BUCKET * sizeof(TtEntry) <= 1024 * 1024);
    assert_true((tt.bucket_count + 1) * TT_BUCKET * sizeof(TtEntry) > 1024 * 1024);
    static const uint64_t KEYS[] = {1, UINT64_MAX, UINT64_MAX - 1, (uint64_t)1 << 63};
    for (size_t i = 0; i < ARRAY_LEN(KEYS); i++) {
        store(KEYS[i], 5, (double)i);
        tt_prefetch(&tt, KEYS[i]);
        assert_true(value_of(KEYS[i]) == (double)i);
    }
}

// Against an unlimited list: what the table gives back is always what was stored last.
static void test_tt__never_gives_back_anything_else(void **state) {
    (void)state;
    enum { KEYS = 400 };
    double last[KEYS];
    bool is_stored[KEYS] = {false};
    int hits = 0;
    Rng rng = rng_init(8);
    for (int i = 0; i < 20000; i++) {
        int which = (int)rng_below(&rng, KEYS);
        uint64_t key = key_in_bucket((uint64_t)which % 90, (uint64_t)which / 90);
        double found = value_of(key);
        if (!isnan(found))
            assert_true(is_stored[which] && found == last[which]);
        hits += !isnan(found);
        if (rng_below(&rng, 100) == 0)
            tt_new_search(&tt);
        last[which] = (double)i;
        is_stored[which] = true;
        store(key, (int)rng_below(&rng, 20), last[which]);
        assert_true(value_of(key) == last[which]);
    }
    assert_in_range(hits, 5000, 15000); // it remembers, and it forgets
}

static void test_tt__no_table_always_misses(void **state) {
    (void)state;
    TransTable none;
    TtHit hit = {1, 1, 1, BOUND_EXACT};
    ErrorText err = {{0}};
    assert_int_equal(tt_init(&none, 0, &err), STATUS_OK);
    tt_claim_memory(&none);
    tt_new_search(&none);
    tt_prefetch(&none, 5);
    tt_store(&none, 5, 0, &hit);
    assert_false(tt_probe(&none, 5, 0, &hit));
    tt_clear(&none);
    tt_release(&none);
    assert_null(none.entries);
}

static void test_tt__too_much_memory_is_said(void **state) {
    (void)state;
    TransTable huge;
    ErrorText err = {{0}};
    assert_int_equal(tt_init(&huge, (int64_t)1 << 43, &err), STATUS_NO_MEMORY);
    assert_string_equal(err.text, "search.tt_mb: no memory for a table of 8796093022208 MiB");
}

static void test_tt__claiming_memory_changes_nothing(void **state) {
    (void)state;
    tt_claim_memory(&tt);
    assert_true(is_gone(12));
    store(12, 3, 5);
    tt_claim_memory(&tt); // in use: left alone
    assert_true(value_of(12) == 5);
}

static void test_value__node_and_root_frames_are_inverses(void **state) {
    (void)state;
    static const double VALUES[] = {0,
                                    1,
                                    -17.25,
                                    1e8,
                                    -1e8,
                                    INFINITY,
                                    -INFINITY,
                                    VALUE_WIN_BOUND - 1,
                                    2e9,
                                    -3e10,
                                    1e15,
                                    VALUE_WIN - 40,
                                    -(VALUE_WIN - 40)};
    for (size_t i = 0; i < ARRAY_LEN(VALUES); i++)
        for (int ply = 0; ply <= 40; ply++)
            assert_true(value_from_node(value_to_node(VALUES[i], ply), ply) == VALUES[i]);
    assert_true(value_to_node(VALUE_WIN - 9, 4) == VALUE_WIN - 5);
    assert_true(value_to_node(-(VALUE_WIN - 9), 4) == -(VALUE_WIN - 5));
}

static void test_value__wins_losses_and_neighbours(void **state) {
    (void)state;
    assert_true(value_is_win(VALUE_WIN) && value_is_win(VALUE_WIN_BOUND));
    assert_false(value_is_win(value_just_below(VALUE_WIN_BOUND)));
    assert_false(value_is_win(INFINITY)); // a marker, no win
    assert_false(value_is_win(NAN) || value_is_loss(NAN));
    assert_true(value_is_loss(-VALUE_WIN) && !value_is_loss(VALUE_WIN) && !value_is_loss(0));
    assert_true(value_just_below(7) < 7 && value_just_above(7) > 7);
    assert_true(value_just_above(value_just_below(7)) == 7);
}

int main(void) {
#define TABLE_TEST(test) cmocka_unit_test_setup_teardown(test, open_table, close_table)
    const struct CMUnitTest tests[] = {
        TABLE_TEST(test_tt__gives_back_what_was_stored),
        TABLE_TEST(test_tt__a_miss_leaves_the_answer_alone),
        TABLE_TEST(test_tt__wins_count_from_the_node),
        TABLE_TEST(test_tt__deeper_entries_stay_within_a_search),
        TABLE_TEST(test_tt__a_deeper_newcomer_moves_the_old_one_down),
        TABLE_TEST(test_tt__a_new_search_makes_old_entries_give_way),
        TABLE_TEST(test_tt__one_entry_a_position),
        TABLE_TEST(test_tt__clearing_forgets_and_a_second_game_starts_alike),
        TABLE_TEST(test_tt__keys_at_the_ends_fit),
        TABLE_TEST(test_tt__never_gives_back_anything_else),
        TABLE_TEST(test_tt__claiming_memory_changes_nothing),
        cmocka_unit_test(test_tt__no_table_always_misses),
        cmocka_unit_test(test_tt__too_much_memory_is_said),
        cmocka_unit_test(test_value__node_and_root_frames_are_inverses),
        cmocka_unit_test(test_value__wins_losses_and_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
