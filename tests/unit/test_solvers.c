// SPDX-License-Identifier: GPL-3.0-or-later
// Positions with known answers (tests/data/puzzles): wins by continuous fours, small boards solved
// to the end, numbers of move sequences, which stones win.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/proof.h"
#include "tests/unit/puzzles.h"

static Board board;

// The line must alternate legally and end with the attacker's five, every defence but the last
// being forced.
static void assert_line_wins(const FoursProof *proof, const char *id) {
    static Board replay;
    replay = board;
    Colour attacker = replay.side;
    for (int i = 0; i < proof->line_length; i++) {
        if (!board_is_free(&replay, proof->line[i]))
            fail_msg("%s: move %d of the line is not free", id, i + 1);
        board_place(&replay, proof->line[i]);
        if (replay.wins[colour_other(attacker)])
            fail_msg("%s: the defender wins", id);
    }
    if (!replay.wins[attacker])
        fail_msg("%s: the line ends without a five", id);
}

static void test_vcf__known_answers_with_the_least_fours(void **state) {
    (void)state;
    static const char *const NAMES[] = {"FIVE_NOW", "VCF", "NO_VCF", "unknown"};
    static Row row;
    int rows = 0;
    FILE *file = open_table("vcf.tsv", &row);
    for (; next_row(file, &row); rows++) {
        FoursProof proof;
        ErrorText err = {{0}};
        set_up(&board, row.field[1], 5, row.field[3], row.field[4]);
        assert_int_equal(proof_fours(&board, 0, &proof, &err), STATUS_OK);
        if (strcmp(NAMES[proof.answer], row.field[5]) != 0)
            fail_msg("%s: %s, expected %s", row.field[0], NAMES[proof.answer], row.field[5]);
        if (row.field[6][0] != '-' && proof.fours != strtol(row.field[6], NULL, 10))
            fail_msg("%s: %d fours, expected %s", row.field[0], proof.fours, row.field[6]);
        if (proof.line_length)
            assert_line_wins(&proof, row.field[0]);
    }
    fclose(file);
    assert_true(rows > 300);
}

static void test_vcf__a_node_limit_is_unknown_not_no(void **state) {
    (void)state;
    static Row row;
    FILE *file = open_table("vcf.tsv", &row);
    int unknown = 0;
    while (next_row(file, &row)) {
        FoursProof proof;
        ErrorText err = {{0}};
        set_up(&board, row.field[1], 5, row.field[3], row.field[4]);
        assert_int_equal(proof_fours(&board, 1, &proof, &err), STATUS_OK);
        if (strcmp(row.field[5], "VCF") == 0)
            assert_int_not_equal(proof.answer, PROOF_NONE);
        if (strcmp(row.field[5], "NO_VCF") == 0)
            assert_int_not_equal(proof.answer, PROOF_WIN);
        unknown += proof.answer == PROOF_UNKNOWN;
    }
    fclose(file);
    assert_true(unknown > 0);
}

// "3,1 2,0" as the cells of the list, in any order.
static bool same_cells(const char *text, const Move *moves, int count) {
    int found = 0;
    for (const char *c = text; *c; found++) {
        char *end;
        long x = strtol(c, &end, 10), y = strtol(end + 1, &end, 10);
        bool there = false;
        for (int i = 0; i < count; i++)
            there |= moves[i] == y * board.width + x;
        if (!there)
            return false;
        for (c = end; *c == ' ';)
            c++;
    }
    return found == count;
}

static void check_end(const Row *row, const char *value, const char *plies, const char *by_value,
                      const char *by_distance) {
    static EndProof proof;
    ErrorText err = {{0}};
    static const char *const VALUES[] = {"LOSS", "DRAW", "WIN"};
    assert_int_equal(proof_end(&board, 16, 0, &proof, &err), STATUS_OK);
    if (!proof.solved || strcmp(VALUES[proof.outcome + 1], value) != 0)
        fail_msg("%s: %s, expected %s", row->field[0], VALUES[proof.outcome + 1], value);
    if (plies[0] != '-' && proof.plies != strtol(plies, NULL, 10))
        fail_msg("%s: %d plies, expected %s", row->field[0], proof.plies, plies);
    if (by_value && !same_cells(by_value, proof.value_move, proof.by_value))
        fail_msg("%s: other moves keep the value than %s", row->field[0], by_value);
    if (by_distance && !same_cells(by_distance, proof.distance_move, proof.by_distance))
        fail_msg("%s: other moves keep the distance than %s", row->field[0], by_distance);
    assert_int_equal(proof.line_length, proof.plies);
}

static void test_endgame__small_boards_solved_to_the_end(void **state) {
    (void)state;
    static Row row;
    int rows = 0;
    FILE *file = open_table("small_exact.tsv", &row);
    for (; next_row(file, &row); rows++) {
        set_up(&board, row.field[3], (int)strtol(row.field[2], NULL, 10), row.field[4],
               row.field[5]);
        if (board_cell_count(&board) - board.stone_count <= 11) // larger ones in the long run
            check_end(&row, row.field[6], row.field[7], row.field[8], row.field[9]);
    }
    fclose(file);
    assert_true(rows > 200);
}

static void test_endgame__empty_boards_of_mnk_games(void **state) {
    (void)state;
    static Row row;
    FILE *file = open_table("mnk.tsv", &row);
    int solved = 0;
    while (next_row(file, &row)) {
        int height = (int)strtol(row.field[1], NULL, 10),
            width = (int)strtol(row.field[2], NULL, 10);
        Rule rule;
        ErrorText err = {{0}};
        if (width * height > 12)
            continue;
        assert_true(rule_parse(row.field[4], &rule));
        assert_int_equal(
            board_init(&board, width, height, (int)strtol(row.field[3], NULL, 10), rule, 0, &err),
            STATUS_OK);
        check_end(&row, strcmp(row.field[5], "FIRST_WIN") == 0 ? "WIN" : row.field[5], row.field[6],
                  row.field[7][0] == '-' ? NULL : row.field[7], NULL);
        solved++;
    }
    fclose(file);
    assert_true(solved >= 6);
}

// Sequences of exactly `depth` moves; a move that wins ends the game and is counted, not extended.
static uint64_t perft(int depth) {
    uint64_t count = 0;
    for (int cell = 0; cell < board_cell_count(&board); cell++) {
        if (!board_is_free(&board, cell))
            continue;
        if (depth == 1) {
            count++;
            continue;
        }
        Colour mover = board.side;
        board_place(&board, (Move)cell);
        if (!board.wins[mover])
            count += perft(depth - 1);
        board_undo(&board);
    }
    return count;
}

static void test_board__numbers_of_move_sequences(void **state) {
    (void)state;
    static Row row;
    FILE *file = open_table("perft.tsv", &row);
    while (next_row(file, &row)) {
        set_up(&board, row.field[1], (int)strtol(row.field[2], NULL, 10), row.field[4],
               row.field[5]);
        char *counts = row.field[6];
        for (int depth = 1; *counts; depth++) {
            uint64_t expected = strtoull(counts, &counts, 10);
            if (expected > 1000000)
                break; // enough: deeper counts take too long here
            if (perft(depth) != expected)
                fail_msg("%s: other than %llu sequences of %d moves", row.field[0],
                         (unsigned long long)expected, depth);
        }
    }
    fclose(file);
}

static void test_rule__which_stones_win(void **state) {
    (void)state;
    static Row row;
    FILE *file = open_table("win_detection.tsv", &row);
    int rows = 0;
    for (; next_row(file, &row); rows++) {
        char *end;
        set_up(&board, row.field[1], 5, row.field[3], row.field[4]);
        long x = strtol(row.field[5], &end, 10), y = strtol(end + 1, NULL, 10);
        int cell = (int)(y * board.width + x);
        bool occupied = strcmp(row.field[6], "OCCUPIED") == 0;
        assert_int_equal(!board_is_free(&board, cell), occupied);
        if (occupied)
            continue;
        Colour colour = row.field[4][0] == 'X' ? BLACK : WHITE;
        int before = board.wins[colour];
        bool expected = strcmp(row.field[6], "WIN") == 0;
        if (board_wins_at(&board, (Move)cell, colour) != expected)
            fail_msg("%s: expected %s", row.field[0], row.field[6]);
        board_put(&board, (Move)cell, colour, colour_other(colour));
        assert_true((board.wins[colour] > before) == expected || before > 0);
    }
    fclose(file);
    assert_true(rows > 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vcf__known_answers_with_the_least_fours),
        cmocka_unit_test(test_vcf__a_node_limit_is_unknown_not_no),
        cmocka_unit_test(test_endgame__small_boards_solved_to_the_end),
        cmocka_unit_test(test_endgame__empty_boards_of_mnk_games),
        cmocka_unit_test(test_board__numbers_of_move_sequences),
        cmocka_unit_test(test_rule__which_stones_win),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
