// SPDX-License-Identifier: GPL-3.0-or-later
// The solver of continuous fours: against a search without table, map or cleverness; its limits,
// its memory from one position to the next, and replays of its lines.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/board/board_slow.h"
#include "engine/board/notation.h"
#include "engine/proof.h"
#include "engine/search/vcf.h"
#include "tests/support/random_board.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Board board;
static ThreatMap map;
static VcfSolver solver;

static void open_solver(void) {
    ErrorText err = {{0}};
    assert_int_equal(threat_map_init(&map, &board, NULL, &err), STATUS_OK);
    assert_int_equal(vcf_init(&solver, &board, &map, 12, &err), STATUS_OK);
}

static void set_up(const char *moves, Rule rule, Colour side) {
    ErrorText err = {{0}};
    fresh_board(&board, 15, 15, 5, rule, 2);
    if (notation_play_moves(&board, ROWS_BOTTOM, moves, &err))
        fail_msg("%s", err.text);
    board_set_side(&board, side);
    open_solver();
}

static VcfResult solve(int max_fours, uint64_t nodes) {
    VcfResult result;
    uint64_t key = board.key;
    vcf_solve(&solver, max_fours, nodes, &result);
    assert_int_equal(board.key, key); // left as they were
    assert_int_equal(map.depth, 0);
    assert_true(threat_map_slow_agrees(&map, &board));
    return result;
}

// --- the oracle: tries every cell, asks the board whether there is a five to stop ---

static int five_cells(Colour colour, Move *first) {
    int count = 0;
    for (Move cell = 0; cell < board_cell_count(&board); cell++)
        if (board_is_free(&board, cell) && board_slow_wins_at(&board, cell, colour) && count++ == 0)
            *first = cell;
    return count;
}

// Fours that the side to move needs for its win, at most `most`: 0 = five now, -1 = no win.
static int slow_fours(int most) {
    Colour attacker = board.side, defender = colour_other(attacker);
    Move five = MOVE_NONE, danger = MOVE_NONE, answer = MOVE_NONE;
    if (five_cells(attacker, &five))
        return 0;
    int dangers = five_cells(defender, &danger), best = -1;
    for (Move cell = 0; cell < board_cell_count(&board) && most > 0 && dangers < 2; cell++) {
        if (!board_is_free(&board, cell) || (dangers && cell != danger))
            continue;
        board_place(&board, cell);
        int fives = five_cells(attacker, &answer), against = five_cells(defender, &danger);
        if (fives && !against) {
            board_place(&board, answer);
            int more = fives > 1 ? 0 : slow_fours(most - 1);
            if (more >= 0 && (best < 0 || more + 1 < best))
                best = more + 1;
            board_undo(&board);
        }
        board_undo(&board);
        if (dangers)
            five_cells(defender, &danger);
    }
    return best;
}

// Attackers whose stones come in rows, so that there are fours to play.
static void crowd(Rng *rng, int side, Rule rule) {
    fresh_board(&board, side, side, 5, rule, 1);
    for (int i = 0; i < side * side / 3; i++) {
        Move cell = random_free_cell(&board, rng, true);
        Colour colour = rng_below(rng, 5) < 3 ? BLACK : WHITE;
        if (!board_wins_at(&board, cell, colour))
            board_put(&board, cell, colour, BLACK);
    }
    open_solver();
}

static void test_vcf__equals_a_search_without_a_table(void **state) {
    (void)state;
    enum { MOST = 3 };
    Rng rng = rng_init(31);
    int wins = 0, fives = 0, none = 0;
    for (int round = 0; round < 400; round++) {
        crowd(&rng, 7 + round % 2, (Rule)(round % RULE_NB));
        if (board.wins[BLACK] + board.wins[WHITE] == 0) {
            int expected = slow_fours(MOST);
            VcfResult found = solve(MOST, 0);
            if (expected < 0)
                assert_true(found.answer == VCF_NO || found.answer == VCF_UNKNOWN);
            else
                assert_int_equal(found.answer, expected ? VCF_WIN : VCF_FIVE_NOW);
            if (expected >= 0)
                assert_int_equal(found.fours, expected); // the fewest
            wins += expected > 0;
            fives += expected == 0;
            none += expected < 0;
        }
        vcf_release(&solver);
    }
    assert_true(wins > 60 && fives > 60 && none > 60);
}

static const char OPEN_THREE[] = "h8 a1 i8 a3 j8 a5";
static const char TWO_STEPS[] = "d4 d3 e4 o1 f4 o3 g8 o5 g9 o7 g10 g11"; // g4: a four, then g7
static const char NOTHING[] = "h8 i9 g7 j10";

static void test_vcf__limits_of_fours_and_nodes(void **state) {
    (void)state;
    set_up(OPEN_THREE, RULE_FREESTYLE, BLACK);
    VcfResult one = solve(1, 0);
    assert_int_equal(one.answer, VCF_WIN);
    assert_int_equal(one.fours, 1);
    assert_int_equal(one.line_length, 3);
    vcf_release(&solver);

    set_up(NOTHING, RULE_FREESTYLE, BLACK);
    VcfResult none = solve(VCF_MAX_FOURS, 0);
    assert_int_equal(none.answer, VCF_NO);
    assert_int_equal(none.nodes, 0); // no four to try
    assert_int_equal(none.line_length, 0);
    vcf_release(&solver);
}

// One node less than it takes leaves the question open; as many answer it.
static void test_vcf__what_a_limit_of_nodes_leaves_is_unknown(void **state) {
    (void)state;
    Rng rng = rng_init(33);
    int cut = 0;
    for (int round = 0; round < 200; round++) {
        crowd(&rng, 9, (Rule)(round % RULE_NB));
        if (board.wins[BLACK] + board.wins[WHITE] == 0) {
            VcfResult whole = solve(VCF_MAX_FOURS, 0);
            for (uint64_t limit = 1; limit < whole.nodes && limit < 6; limit++) {
                vcf_clear(&solver);
                VcfResult part = solve(VCF_MAX_FOURS, limit);
                assert_int_equal(part.answer, VCF_UNKNOWN);
                assert_true(part.nodes > limit && part.line_length == 0);
                cut++;
            }
            vcf_clear(&solver);
            assert_int_equal(solve(VCF_MAX_FOURS, whole.nodes).answer, whole.answer);
        }
        vcf_release(&solver);
    }
    assert_true(cut >= 20);
}

// What was remembered of one position is no answer for another side, and none for a larger depth.
static void test_vcf__its_memory_does_not_change_answers(void **state) {
    (void)state;
    Rng rng = rng_init(34);
    for (int round = 0; round < 150; round++) {
        crowd(&rng, 9, (Rule)(round % RULE_NB));
        if (board.wins[BLACK] + board.wins[WHITE] == 0) {
            VcfResult first[2], again[2];
            for (int side = 0; side < 2; side++) {
                board_set_side(&board, (Colour)side);
                vcf_clear(&solver);
                first[side] = solve(VCF_MAX_FOURS, 0);
            }
            for (int fours = 1; fours < 4; fours++)
                for (int side = 0; side < 2; side++) { // shallow questions first, none forgotten
                    board_set_side(&board, (Colour)side);
                    VcfResult shallow = solve(fours, 0);
                    if (shallow.answer == VCF_WIN)
                        assert_int_equal(shallow.fours, first[side].fours);
                    else if (first[side].answer == VCF_WIN)
                        assert_true(first[side].fours > fours && shallow.answer == VCF_UNKNOWN);
                }
            for (int side = 0; side < 2; side++) {
                board_set_side(&board, (Colour)side);
                again[side] = solve(VCF_MAX_FOURS, 0);
                assert_int_equal(again[side].answer, first[side].answer);
                assert_int_equal(again[side].fours, first[side].fours);
            }
        }
        vcf_release(&solver);
    }
}

// A stone of the defender spoils a line that it stands on; of the others only one that takes the
// second five away does. The line is j8's three, made an open four.
static void test_vcf__a_line_wins_until_a_stone_spoils_it(void **state) {
    (void)state;
    static const char *const STONES[] = {"a8", "o15", "f8", "g8", "k8", "l8", "h9", "e8", "m8"};
    set_up(OPEN_THREE, RULE_FREESTYLE, BLACK);
    VcfResult found = solve(VCF_MAX_FOURS, 0);
    vcf_release(&solver);
    assert_int_equal(found.line_length, 3);
    for (size_t i = 0; i < ARRAY_LEN(STONES); i++) {
        set_up(OPEN_THREE, RULE_FREESTYLE, WHITE);
        Move cell, fives[BOARD_MAX_CELLS];
        notation_read_square(&board, ROWS_BOTTOM, STONES[i], &cell);
        board_place(&board, cell);
        threat_map_place(&map, &board, cell, WHITE);
        bool wins = vcf_line_wins(&solver, found.line, found.line_length), expected = false;
        assert_int_equal(map.depth, 1); // the question leaves nothing behind
        if (board_is_free(&board, found.line[0])) {
            board_place(&board, found.line[0]);
            threat_map_place(&map, &board, found.line[0], BLACK);
            int count = threat_map_cells(&map, BLACK, THREAT_FIVE, fives);
            for (int j = 0; j < count; j++) // the answer and the five, both still there
                expected |= count == 2 && fives[j] == found.line[2];
        }
        if (wins != expected)
            fail_msg("%s: %d, expected %d", STONES[i], wins, expected);
        vcf_release(&solver);
    }
}

static void test_vcf__every_line_found_replays(void **state) {
    (void)state;
    Rng rng = rng_init(36);
    int lines = 0;
    for (int round = 0; round < 200; round++) {
        crowd(&rng, 9, (Rule)(round % RULE_NB));
        if (board.wins[BLACK] + board.wins[WHITE] == 0) {
            VcfResult found = solve(VCF_MAX_FOURS, 0);
            if (found.line_length) {
                assert_true(vcf_line_wins(&solver, found.line, found.line_length));
                assert_int_equal(found.line_length, 2 * found.fours + 1);
                assert_false(vcf_line_wins(&solver, found.line, found.line_length - 1));
                lines++;
            }
        }
        vcf_release(&solver);
    }
    assert_true(lines > 30);
}

static bool ask_once(void *context) {
    ++*(int *)context;
    return true;
}

static void test_vcf__stops_when_told(void **state) {
    (void)state;
    static const char CROWDED[] =
        "l10 j12 j14 l11 n11 o8 n9 k9 k10 j10 i11 i9 j9 h8 g7 k8 i8 k7 l6 "
        "j7 l7 i6 h5 l8 m8 k6 k5 m7 n6 h7 n10 n8 g8 h10 h9 g11 j8 l12 "
        "k11 i12 h12 g6 j6 l5 k12 g10 f10 k14 g13 e6 h11 f13 f6 f5 f8 "
        "d7 f9 f7 f12 f11 c8 h4 f4 d10 e5 c7 d9 e9 e11 f14 j4 i3";
    int asked = 0;
    set_up(CROWDED, RULE_FREESTYLE, BLACK);
    assert_true(solve(VCF_MAX_FOURS, 2000).nodes > 600);
    vcf_clear(&solver);
    solver.stop = (SolverStop){ask_once, &asked};
    VcfResult found = solve(VCF_MAX_FOURS, 0);
    assert_int_equal(found.answer, VCF_UNKNOWN);
    assert_int_equal(asked, 1);
    assert_in_range(found.nodes, 256, 511); // the first time that anybody is asked
    vcf_release(&solver);
}

static void test_vcf__the_defenders_five_comes_first(void **state) {
    (void)state;
    // black has an open three, white a four: black must stop it, and that stone makes no four
    set_up("h8 a1 i8 b1 j8 c1 o15 d1", RULE_FREESTYLE, BLACK);
    assert_int_equal(solve(VCF_MAX_FOURS, 0).answer, VCF_NO);
    vcf_release(&solver);
    // two fives of white cannot both be stopped
    set_up("h8 b1 i8 c1 j8 d1 o15 e1", RULE_FREESTYLE, BLACK);
    assert_int_equal(solve(VCF_MAX_FOURS, 0).answer, VCF_NO);
    board_set_side(&board, WHITE);
    assert_int_equal(solve(VCF_MAX_FOURS, 0).answer, VCF_FIVE_NOW);
    vcf_release(&solver);
}

static void test_vcf__overlines_are_no_fives_under_standard(void **state) {
    (void)state;
    // c d e _ g h: f makes six
    static const char SIX[] = "c8 a1 d8 a3 e8 a5 g8 a7 h8 a9";
    set_up(SIX, RULE_FREESTYLE, BLACK);
    assert_int_equal(solve(VCF_MAX_FOURS, 0).answer, VCF_FIVE_NOW);
    vcf_release(&solver);
    set_up(SIX, RULE_STANDARD, BLACK);
    assert_int_not_equal(solve(VCF_MAX_FOURS, 0).answer, VCF_FIVE_NOW);
    vcf_release(&solver);
}

static void test_proof__refusals_and_games_that_are_over(void **state) {
    (void)state;
    static FoursProof fours;
    static ThreatsProof threats;
    ErrorText err = {{0}};
    fresh_board(&board, 9, 9, 6, RULE_FREESTYLE, 2);
    assert_int_equal(proof_fours(&board, 0, &fours, &err), STATUS_UNSUPPORTED);
    assert_string_equal(err.text, "fours are known for five in a row only, not 6");
    assert_int_equal(proof_vct(&board, 0, &threats, &err), STATUS_UNSUPPORTED);
    assert_string_equal(err.text, "threats are known for five in a row only, not 6");
    for (int side = 0; side < 2; side++) {
        fresh_board(&board, 15, 15, 5, RULE_FREESTYLE, 2);
        assert_int_equal(
            notation_play_moves(&board, ROWS_BOTTOM, "h8 a1 i8 b1 j8 c1 k8 d1 l8 o15", &err),
            STATUS_OK);
        board_set_side(&board, (Colour)side);
        memset(&fours, 0xa5, sizeof fours);
        memset(&threats, 0xa5, sizeof threats);
        assert_int_equal(proof_fours(&board, 0, &fours, &err), STATUS_OK);
        assert_int_equal(proof_vct(&board, 0, &threats, &err), STATUS_OK);
        assert_int_equal(fours.answer, PROOF_NONE);
        assert_int_equal(threats.answer, PROOF_NONE);
        assert_int_equal(fours.line_length + threats.line_length, 0);
        assert_int_equal(fours.nodes + threats.nodes, 0);
    }
}

static void test_proof__a_win_in_two_steps(void **state) {
    (void)state;
    static FoursProof fours;
    static ThreatsProof threats;
    ErrorText err = {{0}};
    fresh_board(&board, 15, 15, 5, RULE_FREESTYLE, 2);
    assert_int_equal(notation_play_moves(&board, ROWS_BOTTOM, TWO_STEPS, &err), STATUS_OK);
    assert_int_equal(proof_fours(&board, 0, &fours, &err), STATUS_OK);
    assert_int_equal(proof_vct(&board, 0, &threats, &err), STATUS_OK);
    assert_int_equal(fours.answer, PROOF_WIN);
    assert_int_equal(threats.answer, PROOF_WIN);
    assert_true(threats.by_fours);
    assert_int_equal(threats.line_length, fours.line_length);
    assert_int_equal(threats.moves, fours.fours);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vcf__equals_a_search_without_a_table),
        cmocka_unit_test(test_vcf__limits_of_fours_and_nodes),
        cmocka_unit_test(test_vcf__what_a_limit_of_nodes_leaves_is_unknown),
        cmocka_unit_test(test_vcf__its_memory_does_not_change_answers),
        cmocka_unit_test(test_vcf__a_line_wins_until_a_stone_spoils_it),
        cmocka_unit_test(test_vcf__every_line_found_replays),
        cmocka_unit_test(test_vcf__stops_when_told),
        cmocka_unit_test(test_vcf__the_defenders_five_comes_first),
        cmocka_unit_test(test_vcf__overlines_are_no_fives_under_standard),
        cmocka_unit_test(test_proof__refusals_and_games_that_are_over),
        cmocka_unit_test(test_proof__a_win_in_two_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
