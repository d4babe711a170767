// SPDX-License-Identifier: GPL-3.0-or-later
// The solver of endgames against plain minimax to the end of the game: every rule, k and shape of
// board; limits, tables in use, and games that are over.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/board/board_slow.h"
#include "engine/board/notation.h"
#include "engine/proof.h"
#include "engine/search/endgame.h"
#include "engine/search/value.h"
#include "tests/support/random_board.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Board board;
static EndProof proof;

// Value for the side to move, wins by plies, by the definition.
static double slow_value(int ply) {
    double best = -INFINITY;
    if (board_is_full(&board))
        return 0;
    for (Move cell = 0; cell < board_cell_count(&board); cell++) {
        if (!board_is_free(&board, cell))
            continue;
        bool wins = board_slow_wins_at(&board, cell, board.side);
        board_place(&board, cell);
        double value = wins ? VALUE_WIN - (ply + 1) : -slow_value(ply + 1);
        board_undo(&board);
        best = fmax(best, value);
    }
    return best;
}

static int sign(double value) { return (value > 0) - (value < 0); }

static void compare_with_minimax(uint64_t seed) {
    double best = slow_value(0);
    int by_value = 0, by_distance = 0, empty = board_cell_count(&board) - board.stone_count;
    ErrorText err = {{0}};
    uint64_t key = board.key;
    assert_int_equal(proof_end(&board, seed & 1, 0, &proof, &err), STATUS_OK);
    assert_int_equal(board.key, key);
    assert_true(proof.solved);
    assert_int_equal(proof.outcome, sign(best));
    assert_int_equal(proof.plies, best == 0 ? empty : (int)(VALUE_WIN - fabs(best)));
    for (Move cell = 0; cell < board_cell_count(&board); cell++) {
        if (!board_is_free(&board, cell))
            continue;
        bool wins = board_slow_wins_at(&board, cell, board.side);
        board_place(&board, cell);
        double value = wins ? VALUE_WIN - 1 : -slow_value(1);
        board_undo(&board);
        if (sign(value) == sign(best))
            assert_int_equal(proof.value_move[by_value++], cell); // in board order
        if (value == best)
            assert_int_equal(proof.distance_move[by_distance++], cell);
    }
    assert_int_equal(proof.by_value, by_value);
    assert_int_equal(proof.by_distance, by_distance);
}

// The line is best play of both: as long as it says, and it ends as it says.
static void follow_line(void) {
    Colour mover = board.side;
    assert_int_equal(proof.line_length, proof.plies);
    for (int i = 0; i < proof.line_length; i++) {
        assert_int_equal(board.wins[BLACK] + board.wins[WHITE], 0);
        assert_true(board_is_free(&board, proof.line[i]));
        board_place(&board, proof.line[i]);
    }
    int outcome = board.wins[mover] ? 1 : board.wins[colour_other(mover)] ? -1 : 0;
    assert_int_equal(outcome, proof.outcome);
    assert_true(outcome || board_is_full(&board));
}

static void test_endgame__equals_minimax_to_the_end(void **state) {
    (void)state;
    static const int SHAPES[][3] = {{3, 3, 2}, {3, 3, 3}, {4, 3, 3}, {4, 4, 4}, {2, 7, 5},
                                    {5, 5, 4}, {5, 5, 5}, {6, 4, 3}, {7, 7, 6}, {5, 6, 2}};
    Rng rng = rng_init(61);
    int outcomes[3] = {0};
    for (uint64_t round = 0; round < 400; round++) {
        const int *shape = SHAPES[round % ARRAY_LEN(SHAPES)];
        int cells = shape[0] * shape[1], left = 1 + (int)rng_below(&rng, 6);
        fresh_board(&board, shape[0], shape[1], shape[2], (Rule)(round / 10 % RULE_NB), 0);
        for (int tries = 0; board.stone_count < cells - left && tries < 2000; tries++) {
            Move cell = random_free_cell(&board, &rng, false);
            Colour colour = (Colour)rng_below(&rng, 2);
            if (!board_wins_at(&board, cell, colour))
                board_put(&board, cell, colour, (Colour)rng_below(&rng, 2));
        }
        if (board.stone_count < cells - 7 || board.wins[BLACK] + board.wins[WHITE])
            continue;
        compare_with_minimax(round);
        outcomes[proof.outcome + 1]++;
        follow_line();
    }
    assert_true(outcomes[0] > 10 && outcomes[1] > 40 && outcomes[2] > 40);
}

static void test_endgame__what_is_over_needs_no_move(void **state) {
    (void)state;
    static const struct {
        const char *rows;
        Colour side;
        int outcome;
    } CASES[] = {
        {"XXX/OO./...", WHITE, -1},
        {"XXX/OO./...", BLACK, 1},
        {"OOO/XX./.X.", BLACK, -1},
        {"XOX/XOO/OXX", BLACK, 0},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++) {
        ErrorText err = {{0}};
        fresh_board(&board, 3, 3, 3, RULE_FREESTYLE, 0);
        assert_int_equal(notation_set_board(&board, CASES[i].rows, CASES[i].side, &err), STATUS_OK);
        assert_int_equal(proof_end(&board, 1, 0, &proof, &err), STATUS_OK);
        assert_true(proof.solved);
        assert_int_equal(proof.outcome, CASES[i].outcome);
        assert_int_equal(proof.plies + proof.by_value + proof.by_distance + proof.line_length, 0);
    }
}

static void test_endgame__a_limit_leaves_it_unsolved(void **state) {
    (void)state;
    ErrorText err = {{0}};
    fresh_board(&board, 4, 4, 4, RULE_FREESTYLE, 0);
    for (int stone = 0; stone < 6; stone++)
        board_place(&board, (Move)(stone * 5 % 16));
    assert_int_equal(proof_end(&board, 1, 0, &proof, &err), STATUS_OK);
    assert_true(proof.solved);
    uint64_t whole = proof.nodes;
    assert_true(whole > 50);
    for (uint64_t limit = 1; limit < whole; limit += 1 + limit / 3) {
        uint64_t key = board.key;
        assert_int_equal(proof_end(&board, 1, limit, &proof, &err), STATUS_OK);
        assert_false(proof.solved);
        assert_true(proof.nodes <= limit + 1);
        assert_int_equal(board.key, key);
    }
    assert_int_equal(proof_end(&board, 1, whole, &proof, &err), STATUS_OK);
    assert_true(proof.solved);
}

// A table that knows other positions, or this one, changes no answer.
static void test_endgame__a_table_in_use_changes_nothing(void **state) {
    (void)state;
    static EndgameResult with, without;
    TransTable tt, none;
    ErrorText err = {{0}};
    Rng rng = rng_init(62);
    assert_int_equal(tt_init(&tt, 1, &err), STATUS_OK);
    assert_int_equal(tt_init(&none, 0, &err), STATUS_OK);
    for (int round = 0; round < 60; round++) {
        fresh_board(&board, 4, 4, 3 + round % 2, RULE_FREESTYLE, 0);
        random_stones(&board, &rng, 7 + round % 5);
        if (board.wins[BLACK] + board.wins[WHITE])
            continue;
        if (board.k == 3)
            tt_clear(&tt); // another game: its entries are about other rows
        for (int again = 0; again < 2; again++) {
            endgame_solve(&board, &tt, 0, &with);
            endgame_solve(&board, &none, 0, &without);
            assert_int_equal(with.outcome, without.outcome);
            assert_int_equal(with.plies, without.plies);
            assert_int_equal(with.by_value, without.by_value);
            assert_int_equal(with.by_distance, without.by_distance);
            assert_memory_equal(with.distance_move, without.distance_move,
                                (size_t)with.by_distance * sizeof(Move));
        }
        assert_true(with.nodes <= without.nodes);
        if (board.k == 3)
            tt_clear(&tt);
    }
    tt_release(&tt);
    tt_release(&none);
}

// The colours swapped, and every symmetry: the same game.
static void test_endgame__colours_and_symmetries(void **state) {
    (void)state;
    Rng rng = rng_init(63);
    ErrorText err = {{0}};
    for (int round = 0; round < 20; round++) {
        static Board original;
        fresh_board(&board, 4, 4, 3 + round % 2, (Rule)(round / 2 % RULE_NB), 0);
        random_stones(&board, &rng, 8);
        if (board.wins[BLACK] + board.wins[WHITE])
            continue;
        original = board;
        assert_int_equal(proof_end(&board, 1, 0, &proof, &err), STATUS_OK);
        int outcome = proof.outcome, plies = proof.plies, by_value = proof.by_value;
        for (int image = 0; image < 16; image++) {
            board_clear(&board);
            for (int i = 0; i < original.stone_count; i++) {
                Colour colour = (Colour)(original.cells[original.moves[i]] ^ (image >> 3));
                board_put(&board, symmetric_cell(&board, original.moves[i], image & 7), colour,
                          (Colour)(original.side ^ (image >> 3)));
            }
            assert_int_equal(proof_end(&board, 1, 0, &proof, &err), STATUS_OK);
            assert_int_equal(proof.outcome, outcome);
            assert_int_equal(proof.plies, plies);
            assert_int_equal(proof.by_value, by_value);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_endgame__equals_minimax_to_the_end),
        cmocka_unit_test(test_endgame__what_is_over_needs_no_move),
        cmocka_unit_test(test_endgame__a_limit_leaves_it_unsolved),
        cmocka_unit_test(test_endgame__a_table_in_use_changes_nothing),
        cmocka_unit_test(test_endgame__colours_and_symmetries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
