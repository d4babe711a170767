// SPDX-License-Identifier: GPL-3.0-or-later
// The tree of the Monte Carlo search: what children prove, which one is played, how memory ends;
// and the games played on at random at its leaves.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/search/mcts_tree.h"
#include "engine/search/playout.h"
#include "tests/support/search_rig.h"

static SearchRig rig;

typedef struct Child {
    MctsProof proof;
    int plies;
    uint32_t visits;
    double value_sum;
    float prior;
} Child;

enum { MOST_CHILDREN = 4 };

static MctsTree *tree_with(const Child *child, int count) {
    MctsTree *tree = NULL;
    ErrorText err = {{0}};
    assert_int_equal(mcts_tree_new(1, &tree, &err), STATUS_OK);
    tree->nodes[0] = (MctsNode){.move = MOVE_NONE};
    tree->used = 1;
    MctsNode *nodes = mcts_add_children(tree, tree->nodes, count);
    for (int i = 0; i < count; i++)
        nodes[i] = (MctsNode){.move = (Move)i,
                              .proof = (uint8_t)child[i].proof,
                              .plies = (uint16_t)child[i].plies,
                              .visits = child[i].visits,
                              .value_sum = child[i].value_sum,
                              .prior = child[i].prior};
    return tree;
}

static void test_mcts_tree__what_children_prove(void **state) {
    (void)state;
    static const struct {
        Child child[MOST_CHILDREN];
        int count;
        MctsProof proof;
        int plies;
    } CASES[] = {
        {{{MCTS_OPEN, 0, 0, 0, 0}}, 1, MCTS_OPEN, 0},
        {{{MCTS_LOSS, 0, 0, 0, 0}}, 1, MCTS_WIN, 1}, // the enemy has lost already: a five
        {{{MCTS_LOSS, 6, 0, 0, 0}, {MCTS_OPEN, 0, 0, 0, 0}, {MCTS_LOSS, 4, 0, 0, 0}},
         3,
         MCTS_WIN,
         5},
        {{{MCTS_WIN, 3, 0, 0, 0}, {MCTS_LOSS, 8, 0, 0, 0}}, 2, MCTS_WIN, 9},
        {{{MCTS_WIN, 3, 0, 0, 0}, {MCTS_WIN, 7, 0, 0, 0}, {MCTS_WIN, 5, 0, 0, 0}}, 3, MCTS_LOSS, 8},
        {{{MCTS_WIN, 3, 0, 0, 0}, {MCTS_OPEN, 0, 0, 0, 0}}, 2, MCTS_OPEN, 0},
        {{{MCTS_WIN, 3, 0, 0, 0}, {MCTS_DRAW, 2, 0, 0, 0}}, 2, MCTS_DRAW, 4},
        {{{MCTS_DRAW, 2, 0, 0, 0}, {MCTS_OPEN, 0, 0, 0, 0}}, 2, MCTS_OPEN, 0},
        {{{MCTS_DRAW, 2, 0, 0, 0}, {MCTS_LOSS, 2, 0, 0, 0}}, 2, MCTS_WIN, 3},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        MctsTree *tree = tree_with(CASES[i].child, CASES[i].count);
        mcts_prove_by_children(tree, tree->nodes);
        assert_int_equal(tree->nodes[0].proof, CASES[i].proof);
        assert_int_equal(tree->nodes[0].plies, CASES[i].plies);
        double worth = CASES[i].proof == MCTS_WIN ? 1 : CASES[i].proof == MCTS_LOSS ? -1 : 0;
        assert_true(mcts_proof_worth(tree->nodes) == worth);
        mcts_tree_free(tree);
    }
}

static void test_mcts_tree__the_child_to_play(void **state) {
    (void)state;
    static const struct {
        Child child[MOST_CHILDREN];
        int count, best;
    } CASES[] = {
        {{{MCTS_OPEN, 0, 5, 0, 0}, {MCTS_OPEN, 0, 9, 0, 0}, {MCTS_OPEN, 0, 9, 0, 0}}, 3, 1},
        {{{MCTS_OPEN, 0, 9, 0, 0.1f}, {MCTS_OPEN, 0, 9, 0, 0.3f}}, 2, 1}, // by prior
        {{{MCTS_OPEN, 0, 900, 0, 0}, {MCTS_LOSS, 6, 1, 0, 0}, {MCTS_LOSS, 2, 1, 0, 0}}, 3, 2},
        {{{MCTS_WIN, 3, 900, 0, 0}, {MCTS_OPEN, 0, 0, 0, 0}}, 2, 1}, // any but a lost one
        {{{MCTS_WIN, 3, 90, 0, 0}, {MCTS_WIN, 7, 1, 0, 0}, {MCTS_WIN, 5, 50, 0, 0}}, 3, 1},
        {{{MCTS_OPEN, 0, 90, 9, 0}, {MCTS_DRAW, 4, 1, 0, 0}}, 2, 1},  // looks bad: the draw
        {{{MCTS_OPEN, 0, 90, -9, 0}, {MCTS_DRAW, 4, 1, 0, 0}}, 2, 0}, // looks good
        {{{MCTS_WIN, 9, 90, 9, 0}, {MCTS_DRAW, 4, 1, 0, 0}}, 2, 1},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        MctsTree *tree = tree_with(CASES[i].child, CASES[i].count);
        const MctsNode *best = mcts_best_child(tree, tree->nodes);
        if (best->move != CASES[i].best)
            fail_msg("case %zu: child %d, expected %d", i, best->move, CASES[i].best);
        mcts_tree_free(tree);
    }
}

// Children stand side by side, do not overlap, and a full tree refuses without a change.
static void test_mcts_tree__memory_ends_cleanly(void **state) {
    (void)state;
    MctsTree *tree = NULL;
    ErrorText err = {{0}};
    assert_int_equal(mcts_tree_new(1, &tree, &err), STATUS_OK);
    assert_true((size_t)tree->cap * sizeof(MctsNode) <= 1024 * 1024);
    tree->nodes[0] = (MctsNode){.move = MOVE_NONE};
    tree->used = 1;
    assert_null(mcts_add_children(tree, tree->nodes, 0));
    uint32_t last = 0, parent = 0;
    while (tree->cap - tree->used >= 200) {
        MctsNode *child = mcts_add_children(tree, &tree->nodes[parent], 200);
        assert_ptr_equal(child, mcts_children(tree, &tree->nodes[parent]));
        assert_int_equal(tree->nodes[parent].first_child, last + 1);
        memset(child, 0, 200 * sizeof *child); // all of it is ours
        last += 200;
        parent = last;
    }
    MctsNode before = tree->nodes[parent];
    uint32_t used = tree->used, left = tree->cap - used;
    assert_null(mcts_add_children(tree, &tree->nodes[parent], (int)left + 1));
    assert_int_equal(tree->used, used);
    assert_memory_equal(&tree->nodes[parent], &before, sizeof before);
    if (left)
        assert_non_null(mcts_add_children(tree, &tree->nodes[parent], (int)left)); // to the last
    mcts_tree_free(tree);
    mcts_tree_free(NULL);
}

static void test_mcts_tree__too_much_memory_is_said(void **state) {
    (void)state;
#ifndef __SANITIZE_ADDRESS__
    MctsTree *tree = NULL;
    ErrorText err = {{0}};
    Status status =
        mcts_tree_new((int64_t)1 << 36, &tree, &err); // clipped to what an index reaches
    if (status) {
        assert_int_equal(status, STATUS_NO_MEMORY);
        assert_string_equal(err.text, "mcts.memory_mb: no memory for a tree of 68719476736 MiB");
        assert_null(tree);
    } else {
        assert_int_equal(tree->cap, UINT32_MAX);
    }
    mcts_tree_free(tree);
#endif
}

static void test_playout__squash_is_odd_and_rising(void **state) {
    (void)state;
    assert_true(playout_squash(0, 100) == 0);
    assert_true(playout_squash(100, 100) == 0.5);
    assert_true(playout_squash(-300, 100) == -0.75);
    assert_true(playout_squash(INFINITY, 100) == 1);
    assert_true(playout_squash(-INFINITY, 100) == -1);
    for (double value = -1e9; value < 1e9; value += 1e7)
        assert_true(playout_squash(value, 2000) < playout_squash(value + 1e7, 2000));
}

static const char *const LEAVES[] = {
    "search.algorithm=mcts mcts.playouts=1 mcts.memory_mb=1",
    "search.algorithm=mcts mcts.playouts=1 mcts.memory_mb=1 eval.model=threat",
    "search.algorithm=mcts mcts.playouts=1 mcts.memory_mb=1 eval.model=none moves.radius=1",
};

// A five at hand is made, so it is won; the enemy's two fives cannot be stopped, so it is lost.
static void test_playout__fives_are_made_and_stopped(void **state) {
    (void)state;
    static const struct {
        const char *moves;
        double worth;
    } CASES[] = {
        {"h8 a1 i8 a3 j8 a5 k8 a7", 1},
        {"h8 a1 i8 a3 j8 a5 k8", -1},
        {"h8 g8 i8 a3 j8 a5 k8 a7", 1},
    };
    for (size_t leaf = 0; leaf < ARRAY_LEN(LEAVES); leaf++)
        for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
            rig_open(&rig, 15, RULE_FREESTYLE, CASES[i].moves, LEAVES[leaf]);
            uint64_t key = rig.board.key;
            for (int game = 0; game < 10; game++)
                assert_true(playout_worth(&rig.search, 2000) == CASES[i].worth);
            assert_int_equal(rig.board.key, key);
            rig_close(&rig);
        }
}

static void test_playout__takes_everything_back_and_follows_the_seed(void **state) {
    (void)state;
    Rng rng = rng_init(71);
    for (int round = 0; round < 30; round++) {
        int side = 5 + round % 12;
        fresh_board(&rig.board, side, side, 5, (Rule)(round % RULE_NB), 2);
        random_stones(&rig.board, &rng, 1 + (int)rng_below(&rng, (uint64_t)(side * side / 2)));
        rig_open_here(&rig, LEAVES[round % 2]);
        static Board before;
        before = rig.board;
        double value = eval_value(&rig.eval, &rig.board, BLACK), worth[2];
        if (rig.board.wins[BLACK] + rig.board.wins[WHITE] == 0) {
            for (int again = 0; again < 2; again++) {
                rig.search.rng = rng_init(5);
                worth[again] = playout_worth(&rig.search, 2000);
                assert_true(worth[again] >= -1 && worth[again] <= 1);
            }
            assert_true(worth[0] == worth[1]);
            assert_int_equal(rig.board.key, before.key);
            assert_memory_equal(rig.board.line, before.line, sizeof before.line);
            assert_memory_equal(rig.board.wins, before.wins, sizeof before.wins);
            assert_true(eval_value(&rig.eval, &rig.board, BLACK) == value);
        }
        rig_close(&rig);
    }
}

// Nobody can win on this board: every game on it is a draw.
static void test_playout__a_full_board_is_a_draw(void **state) {
    (void)state;
    ErrorText err = {{0}};
    for (int leaf = 0; leaf < 2; leaf++) {
        fresh_board(&rig.board, 5, 5, 5, RULE_FREESTYLE, 2);
        assert_int_equal(
            notation_set_board(&rig.board, "XOXOX/OXOXO/OXXO./XOO.O/OXO.O", BLACK, &err),
            STATUS_OK);
        rig_open_here(&rig, LEAVES[leaf]);
        for (int game = 0; game < 10; game++)
            assert_true(playout_worth(&rig.search, 2000) == 0);
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mcts_tree__what_children_prove),
        cmocka_unit_test(test_mcts_tree__the_child_to_play),
        cmocka_unit_test(test_mcts_tree__memory_ends_cleanly),
        cmocka_unit_test(test_mcts_tree__too_much_memory_is_said),
        cmocka_unit_test(test_playout__squash_is_odd_and_rising),
        cmocka_unit_test(test_playout__fives_are_made_and_stopped),
        cmocka_unit_test(test_playout__takes_everything_back_and_follows_the_seed),
        cmocka_unit_test(test_playout__a_full_board_is_a_draw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
