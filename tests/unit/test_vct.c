// SPDX-License-Identifier: GPL-3.0-or-later
// Wins by continuous threats: known positions within so many nodes, every proof against every
// reply, and against boards solved to the end.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/proof.h"
#include "tests/unit/puzzles.h"

static Board board;

// The line must alternate legally and end with the attacker's five.
static void assert_line_wins(const Board *from, const ThreatsProof *proof, const char *id) {
    static Board replay;
    replay = *from;
    Colour attacker = replay.side;
    for (int i = 0; i < proof->line_length; i++) {
        if (!board_is_free(&replay, proof->line[i]))
            fail_msg("%s: move %d of the line is not free", id, i + 1);
        if (replay.wins[BLACK] + replay.wins[WHITE])
            fail_msg("%s: the line goes on after a five", id);
        board_place(&replay, proof->line[i]);
    }
    if (!replay.wins[attacker])
        fail_msg("%s: the line ends without a five", id);
    assert_int_equal(proof->moves, proof->line_length / 2);
}

static void prove(uint64_t nodes, ThreatsProof *proof) {
    static Board before;
    ErrorText err = {{0}};
    before = board;
    assert_int_equal(proof_vct(&board, nodes, proof, &err), STATUS_OK);
    assert_memory_equal(&before, &board, sizeof board);
}

static const char *answer_name(const ThreatsProof *proof) {
    static const char *const NAMES[] = {[PROOF_FIVE_NOW] = "FIVE_NOW",
                                        [PROOF_WIN] = "VCT",
                                        [PROOF_NONE] = "NO_VCT",
                                        [PROOF_UNKNOWN] = "unknown"};
    return proof->answer == PROOF_WIN && proof->by_fours ? "VCF" : NAMES[proof->answer];
}

static void test_vct__known_answers_within_their_nodes(void **state) {
    (void)state;
    static Row row;
    int rows = 0;
    FILE *file = open_table("vct.tsv", &row);
    for (; next_row(file, &row); rows++) {
        static ThreatsProof proof;
        set_up(&board, row.field[1], 5, row.field[2], row.field[3]);
        prove(strtoull(row.field[5], NULL, 10), &proof);
        if (strcmp(answer_name(&proof), row.field[4]) != 0)
            fail_msg("%s: %s, expected %s", row.field[0], answer_name(&proof), row.field[4]);
        if (proof.line_length)
            assert_line_wins(&board, &proof, row.field[0]);
    }
    fclose(file);
    assert_true(rows > 40);
}

static void test_vct__wins_by_fours_are_wins_by_threats(void **state) {
    (void)state;
    static Row row;
    FILE *file = open_table("vcf.tsv", &row);
    while (next_row(file, &row)) {
        static ThreatsProof proof;
        set_up(&board, row.field[1], 5, row.field[3], row.field[4]);
        prove(5000, &proof);
        bool by_fours = strcmp(row.field[5], "NO_VCF") != 0;
        if (by_fours ? strcmp(answer_name(&proof), row.field[5]) != 0
                     : proof.answer == PROOF_FIVE_NOW || proof.by_fours)
            fail_msg("%s: %s, expected %s", row.field[0], answer_name(&proof), row.field[5]);
        if (proof.line_length)
            assert_line_wins(&board, &proof, row.field[0]);
    }
    fclose(file);
}

// On small boards the solver to the end knows the truth.
static void test_vct__a_win_is_a_win_of_the_game(void **state) {
    (void)state;
    static Row row;
    int wins = 0;
    FILE *file = open_table("small_exact.tsv", &row);
    while (next_row(file, &row)) {
        static ThreatsProof proof;
        if (strtol(row.field[2], NULL, 10) != 5)
            continue;
        set_up(&board, row.field[3], 5, row.field[4], row.field[5]);
        prove(20000, &proof);
        bool won = proof.answer == PROOF_WIN || proof.answer == PROOF_FIVE_NOW;
        if (won && strcmp(row.field[6], "WIN") != 0)
            fail_msg("%s: %s, but it is a %s", row.field[0], answer_name(&proof), row.field[6]);
        if (won && proof.line_length < strtol(row.field[7], NULL, 10))
            fail_msg("%s: won in %d plies, but it takes %s", row.field[0], proof.line_length,
                     row.field[7]);
        wins += won;
    }
    fclose(file);
    assert_true(wins > 20);
}

// Attacker to move, `move` is said to make two fives at once: are there two, and none for the
// defender?
static bool makes_two_fives(Move move) {
    Colour attacker = board.side;
    int fives = 0, against = 0;
    board_place(&board, move);
    for (int cell = 0; cell < board_cell_count(&board); cell++) {
        if (!board_is_free(&board, cell))
            continue;
        fives += board_wins_at(&board, (Move)cell, attacker);
        against += board_wins_at(&board, (Move)cell, board.side);
    }
    board_undo(&board);
    return fives >= 2 && against == 0;
}

// Attacker to move: plays the proof's first move and demands a proof against every reply on the
// board.
static void check_every_reply(const char *id, int depth) {
    ThreatsProof *proof = malloc(sizeof *proof);
    CHECK(proof);
    prove(4000, proof); // few nodes: the table grows with them
    Move move = proof->line[0];
    int length = proof->line_length;
    if (proof->answer != PROOF_WIN && proof->answer != PROOF_FIVE_NOW)
        fail_msg("%s: no proof after a reply, %d moves deep", id, depth);
    free(proof);
    if (length == 1) {
        assert_true(board_wins_at(&board, move, board.side));
        return;
    }
    if (length == 3 && makes_two_fives(move))
        return;
    board_place(&board, move);
    for (int cell = 0; cell < board_cell_count(&board); cell++) {
        if (!board_is_free(&board, cell))
            continue;
        if (board_wins_at(&board, (Move)cell, board.side))
            fail_msg("%s: the defender wins, %d moves deep", id, depth);
        board_place(&board, (Move)cell);
        check_every_reply(id, depth + 1);
        board_undo(&board);
    }
    board_undo(&board);
}

static void test_vct__proofs_hold_against_every_reply(void **state) {
    (void)state;
    static Row row;
    int rows = 0;
    FILE *file = open_table("vct.tsv", &row);
    while (next_row(file, &row)) {
        if (row.field[6][0] != 'y') // short ones
            continue;
        set_up(&board, row.field[1], 5, row.field[2], row.field[3]);
        check_every_reply(row.field[0], 0);
        rows++;
    }
    fclose(file);
    assert_true(rows >= 3);
}

static void test_vct__other_boards_are_refused(void **state) {
    (void)state;
    static ThreatsProof proof;
    ErrorText err = {{0}};
    assert_int_equal(board_init(&board, 6, 6, 4, RULE_FREESTYLE, 0, &err), STATUS_OK);
    assert_int_equal(proof_vct(&board, 0, &proof, &err), STATUS_UNSUPPORTED);
    assert_non_null(strstr(err.text, "five in a row only, not 4"));
}

static void test_vct__nothing_to_win_on_empty_and_full_boards(void **state) {
    (void)state;
    static ThreatsProof proof;
    ErrorText err = {{0}};
    for (int side = 5; side <= 20; side += 15) {
        assert_int_equal(board_init(&board, side, side, 5, RULE_STANDARD, 0, &err), STATUS_OK);
        prove(0, &proof);
        assert_int_equal(proof.answer, PROOF_NONE);
    }
    set_up(&board, "freestyle", 5, "XXOOX/OOXXO/XXOOX/OOXXO/XXOOX", "O");
    prove(0, &proof);
    assert_int_equal(proof.answer, PROOF_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vct__known_answers_within_their_nodes),
        cmocka_unit_test(test_vct__wins_by_fours_are_wins_by_threats),
        cmocka_unit_test(test_vct__a_win_is_a_win_of_the_game),
        cmocka_unit_test(test_vct__proofs_hold_against_every_reply),
        cmocka_unit_test(test_vct__other_boards_are_refused),
        cmocka_unit_test(test_vct__nothing_to_win_on_empty_and_full_boards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
