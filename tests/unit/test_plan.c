// SPDX-License-Identifier: GPL-3.0-or-later
// The plan: balance of every prefix, purity, shards, repetition.
#include "engine/board/symmetry.h"
#include "harness/play/plan.h"
#include "tests/unit/experiment_fixture.h"

static Plan plan_of(const Experiment *experiment, PlanLimits limits) {
    Plan plan;
    ErrorText err = {0};
    if (plan_init(&plan, experiment, &limits, &err))
        fail_msg("%s", err.text);
    return plan;
}

static void test_plan__every_prefix_is_balanced(void **state) {
    (void)state;
    Experiment experiment = experiment_fixture(4, 3);
    Plan plan = plan_of(&experiment, (PlanLimits){0});
    assert_int_equal(plan.pairing_count, 6);
    assert_int_equal(plan.slot_count, 2 * 3 * 6);
    int black[4] = {0}, white[4] = {0}, met[4][4] = {{0}};
    for (int64_t i = 0; i < plan.slot_count; i++) {
        PlanSlot slot = plan_slot(&plan, i);
        assert_int_equal(slot.slot, i);
        assert_int_equal(slot.pair, i / 2);
        assert_int_equal(slot.round, i / 12);
        black[slot.black]++;
        white[slot.white]++;
        met[slot.black][slot.white]++;
        if (i & 1) { // after whole pairs everybody had both colours equally often
            PlanSlot partner = plan_slot(&plan, i - 1);
            assert_int_equal(slot.opening, partner.opening);
            assert_int_equal(slot.black, partner.white);
            assert_int_equal(slot.white, partner.black);
            for (int player = 0; player < 4; player++)
                assert_int_equal(black[player], white[player]);
        }
        for (int a = 0; a < 4; a++) // nobody is more than a round ahead
            for (int b = 0; b < 4; b++)
                if (a != b)
                    assert_in_range(met[a][b], slot.round, slot.round + 1);
    }
    plan_release(&plan);
    experiment_release(&experiment);
}

static void test_plan__a_gauntlet_spares_the_anchors(void **state) {
    (void)state;
    Experiment experiment = experiment_fixture(5, 1);
    experiment.schedule = SCHEDULE_GAUNTLET;
    experiment.gauntlet_heads = 2;
    Plan plan = plan_of(&experiment, (PlanLimits){0});
    assert_int_equal(plan.pairing_count, 2 * 3);
    for (int64_t i = 0; i < plan.pairing_count; i++) {
        assert_true(plan.pairings[i].first < 2);
        assert_true(plan.pairings[i].second >= 2);
    }
    plan_release(&plan);
    ErrorText err;
    experiment.gauntlet_heads = 5;
    assert_int_equal(plan_init(&plan, &experiment, &(PlanLimits){0}, &err), STATUS_INVALID);
    experiment_release(&experiment);
}

static void assert_slot_equal(PlanSlot a, PlanSlot b) {
    assert_int_equal(a.slot, b.slot);
    assert_int_equal(a.opening, b.opening);
    assert_int_equal(a.symmetry, b.symmetry);
    assert_int_equal(a.black, b.black);
    assert_int_equal(a.white, b.white);
    assert_true(a.seed == b.seed);
}

static void test_plan__more_pairs_and_limits_change_no_slot(void **state) {
    (void)state;
    Experiment few = experiment_fixture(3, 10), many = experiment_fixture(3, 1000000);
    fixture_openings(&few, "h8\nh8i9\nh8j9\nh8k9\n");
    few.openings.order = many.openings.order = OPENING_SHUFFLED;
    few.openings.transform = many.openings.transform = true;
    many.openings.random_plies = 0;
    many.openings.file = strdup(few.openings.file);
    Plan a = plan_of(&few, (PlanLimits){0}), b = plan_of(&many, (PlanLimits){0}),
         c = plan_of(&many, (PlanLimits){.games = 31, .shard = 1, .shard_count = 3});
    assert_int_equal(c.slot_count, 32);
    Board *board = malloc(sizeof *board);
    ErrorText err;
    assert_int_equal(board_init(board, 15, 15, 5, RULE_FREESTYLE, 1, &err), STATUS_OK);
    for (int64_t i = a.slot_count - 1; i >= 0; i--) {
        Move left[BOARD_MAX_CELLS], right[BOARD_MAX_CELLS];
        PlanSlot slot = plan_slot(&a, i), other = plan_slot(&b, i);
        assert_slot_equal(slot, other);
        int count = plan_opening(&a, &slot, board, left);
        assert_int_equal(count, plan_opening(&b, &other, board, right));
        assert_memory_equal(left, right, (size_t)count * sizeof *left);
        if (i < c.slot_count)
            assert_slot_equal(slot, plan_slot(&c, i));
    }
    fixture_drop_openings(&few);
    free(board);
    plan_release(&a);
    plan_release(&b);
    plan_release(&c);
    experiment_release(&few);
    experiment_release(&many);
}

static void test_plan__shards_are_a_partition_in_whole_pairs(void **state) {
    (void)state;
    Experiment experiment = experiment_fixture(3, 7); // 21 pairs
    for (int64_t shards = 1; shards <= 23; shards++) {
        int taken[42] = {0};
        int64_t total = 0;
        for (int64_t shard = 0; shard < shards; shard++) {
            Plan plan = plan_of(&experiment, (PlanLimits){.shard = shard, .shard_count = shards});
            int64_t count = 0;
            for (int64_t slot = plan_next(&plan, 0); slot < plan.slot_count;
                 slot = plan_next(&plan, slot + 1), count++) {
                assert_int_equal(slot / 2 % shards, shard);
                taken[slot]++;
            }
            assert_int_equal(count, plan_game_count(&plan));
            total += count;
            plan_release(&plan);
        }
        assert_int_equal(total, 42);
        for (int slot = 0; slot < 42; slot++)
            assert_int_equal(taken[slot], 1);
    }
    experiment_release(&experiment);
}

static void test_plan__seeds_differ_and_depend_on_the_run(void **state) {
    (void)state;
    Experiment experiment = experiment_fixture(2, 500);
    Plan plan = plan_of(&experiment, (PlanLimits){0});
    uint64_t first = plan_slot(&plan, 0).seed;
    for (int64_t i = 1; i < plan.slot_count; i++)
        assert_true(plan_slot(&plan, i).seed != plan_slot(&plan, i - 1).seed);
    experiment.seed = 2;
    assert_true(plan_slot(&plan, 0).seed != first);
    plan_release(&plan);
    experiment_release(&experiment);
}

static void test_plan__ten_million_slots_cost_no_more_than_ten(void **state) {
    (void)state;
    Experiment experiment = experiment_fixture(2, INT64_C(5000000));
    fixture_openings(&experiment, "h8\ni9\n");
    experiment.openings.order = OPENING_SHUFFLED;
    experiment.symmetries = true;
    Plan plan = plan_of(&experiment, (PlanLimits){0});
    assert_int_equal(plan.slot_count, 10000000);
    assert_true(plan.round_count <= 16);
    assert_true(plan_duplicates(&plan) > 0);
    experiment.pairs = INT64_MAX;
    Plan endless = plan_of(&experiment, (PlanLimits){0});
    assert_true(endless.slot_count > 0);
    fixture_drop_openings(&experiment);
    plan_release(&plan);
    plan_release(&endless);
    experiment_release(&experiment);
}

static void test_plan__a_shuffle_is_a_permutation_by_seed(void **state) {
    (void)state;
    Experiment experiment = experiment_fixture(2, 100);
    Text text = {0};
    for (int i = 0; i < 100; i++)
        text_printf(&text, "%c%d\n", 'a' + i % 10, i / 10 + 1);
    fixture_openings(&experiment, text_cstr(&text));
    text_release(&text);
    Plan plain = plan_of(&experiment, (PlanLimits){0});
    experiment.openings.order = OPENING_SHUFFLED;
    Plan shuffled = plan_of(&experiment, (PlanLimits){0});
    bool seen[100] = {0};
    int moved = 0;
    for (int64_t i = 0; i < 100; i++) {
        assert_int_equal(plan_slot(&plain, 2 * i).opening, i);
        int64_t opening = plan_slot(&shuffled, 2 * i).opening;
        assert_false(seen[opening]);
        seen[opening] = true;
        moved += opening != i;
    }
    assert_true(moved > 80);
    fixture_drop_openings(&experiment);
    plan_release(&plain);
    plan_release(&shuffled);
    experiment_release(&experiment);
}

typedef struct DuplicateCase {
    const char *openings;
    int64_t pairs;
    bool symmetries, allow;
    int64_t duplicates;
} DuplicateCase;

static void test_plan__repetition_is_refused(void **state) {
    (void)state;
    static const DuplicateCase CASES[] = {
        {"h8i9\nh8i10\n", 2, false, false, 0},
        {"h8i9\nh8i10\n", 3, false, false, 1},
        {"h8i9\nh8i10\n", 3, false, true, 1},
        {"h8i9\nh8i9\n", 2, false, false, 1},       // the same line twice
        {"h8i9j10\nj10i9h8\n", 2, false, false, 1}, // the same stones in another order
        {"h8i9\nh8g9\n", 2, false, false, 0},       // mirrored: board order tells them apart
        {"h8i9\n", 4, true, false, 0},              // a diagonal neighbour has four images
        {"h8i9\n", 5, true, false, 1},
        {"h8j9\n", 8, true, false, 0},
        {"h8j9\n", 9, true, false, 1},
        {"-\n", 1, true, false, 0}, // the empty board is its own image
        {"-\n", 2, true, false, 1},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Experiment experiment = experiment_fixture(2, CASES[i].pairs);
        fixture_openings(&experiment, CASES[i].openings);
        experiment.symmetries = CASES[i].symmetries;
        experiment.allow_duplicates = CASES[i].allow;
        Plan plan = plan_of(&experiment, (PlanLimits){0});
        ErrorText err = {0};
        assert_int_equal(plan_duplicates(&plan), CASES[i].duplicates);
        bool refused = CASES[i].duplicates > 0 && !CASES[i].allow;
        assert_int_equal(plan_check_duplicates(&plan, &err), refused ? STATUS_INVALID : STATUS_OK);
        plan_release(&plan);
        // A clock, chance or another process make repetition unlikely: nothing is refused.
        fixture_set(&experiment, 0, "play.randomness", "0.1");
        plan = plan_of(&experiment, (PlanLimits){0});
        assert_int_equal(plan_duplicates(&plan), 0);
        plan_release(&plan);
        fixture_drop_openings(&experiment);
        experiment_release(&experiment);
    }
}

static void test_plan__cut_rounds_count_what_is_played(void **state) {
    (void)state;
    Experiment experiment = experiment_fixture(3, 2);
    fixture_openings(&experiment, "h8\n");
    for (int64_t games = 2; games <= 12; games += 2) {
        Plan plan = plan_of(&experiment, (PlanLimits){.games = games});
        assert_int_equal(plan_duplicates(&plan), games <= 6 ? 0 : games / 2 - 3);
        plan_release(&plan);
    }
    fixture_drop_openings(&experiment);
    experiment_release(&experiment);
}

static void test_plan__random_openings_are_playable(void **state) {
    (void)state;
    Experiment experiment = experiment_fixture(2, 200);
    Board *board = malloc(sizeof *board);
    ErrorText err;
    for (int plies = 0; plies <= 60; plies += 15) {
        experiment.openings.random_plies = plies;
        Plan plan = plan_of(&experiment, (PlanLimits){0});
        assert_int_equal(board_init(board, 15, 15, 5, RULE_FREESTYLE, 1, &err), STATUS_OK);
        for (int64_t i = 0; i < plan.slot_count; i++) {
            Move moves[BOARD_MAX_CELLS], again[BOARD_MAX_CELLS];
            PlanSlot slot = plan_slot(&plan, i);
            int count = plan_opening(&plan, &slot, board, moves);
            assert_int_equal(count, plies);
            assert_int_equal(plan_opening(&plan, &slot, board, again), plies);
            assert_memory_equal(moves, again, (size_t)count * sizeof *moves);
            board_clear(board);
            for (int j = 0; j < count; j++) {
                assert_true(board_is_free(board, moves[j]));
                board_place(board, moves[j]);
            }
            assert_int_equal(board->wins[BLACK] + board->wins[WHITE], 0);
        }
        plan_release(&plan);
    }
    free(board);
    experiment_release(&experiment);
}

static void test_plan__bad_limits_are_refused(void **state) {
    (void)state;
    Experiment experiment = experiment_fixture(2, 2);
    Plan plan;
    ErrorText err;
    PlanLimits limits = {.shard = 2, .shard_count = 2};
    assert_int_equal(plan_init(&plan, &experiment, &limits, &err), STATUS_INVALID);
    experiment.player_count = 1;
    assert_int_equal(plan_init(&plan, &experiment, &(PlanLimits){0}, &err), STATUS_INVALID);
    experiment.player_count = 2;
    experiment.openings.file = strdup("/nowhere");
    assert_int_equal(plan_init(&plan, &experiment, &(PlanLimits){0}, &err), STATUS_NOT_FOUND);
    experiment_release(&experiment);
}

static void test_symmetry__inverse_takes_back_and_keys_agree(void **state) {
    (void)state;
    static const int SIDES[][2] = {{15, 15}, {7, 7}, {9, 5}, {2, 22}};
    for (size_t i = 0; i < 4; i++) {
        int width = SIDES[i][0], height = SIDES[i][1], cells = width * height;
        Rng rng = rng_init(i);
        Move moves[5], image[5];
        for (int j = 0; j < 5; j++)
            moves[j] = (Move)((int)rng_below(&rng, (uint64_t)(cells / 5)) * 5 + j);
        for (int s = 0; s < symmetry_count(width, height); s++) {
            for (int cell = 0; cell < cells; cell++) {
                Move there = symmetry_apply(width, height, s, (Move)cell);
                assert_in_range(there, 0, cells - 1);
                assert_int_equal(symmetry_apply(width, height, symmetry_inverse(s), there), cell);
            }
            for (int j = 0; j < 5; j++)
                image[j] = symmetry_apply(width, height, s, moves[j]);
            assert_true(symmetry_position_key(width, height, moves, 5, s) ==
                        symmetry_position_key(width, height, image, 5, 0));
            assert_true(symmetry_canonical_key(width, height, moves, 5) ==
                        symmetry_canonical_key(width, height, image, 5));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plan__every_prefix_is_balanced),
        cmocka_unit_test(test_plan__a_gauntlet_spares_the_anchors),
        cmocka_unit_test(test_plan__more_pairs_and_limits_change_no_slot),
        cmocka_unit_test(test_plan__shards_are_a_partition_in_whole_pairs),
        cmocka_unit_test(test_plan__seeds_differ_and_depend_on_the_run),
        cmocka_unit_test(test_plan__ten_million_slots_cost_no_more_than_ten),
        cmocka_unit_test(test_plan__a_shuffle_is_a_permutation_by_seed),
        cmocka_unit_test(test_plan__repetition_is_refused),
        cmocka_unit_test(test_plan__cut_rounds_count_what_is_played),
        cmocka_unit_test(test_plan__random_openings_are_playable),
        cmocka_unit_test(test_plan__bad_limits_are_refused),
        cmocka_unit_test(test_symmetry__inverse_takes_back_and_keys_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
