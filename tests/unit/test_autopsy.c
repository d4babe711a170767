// SPDX-License-Identifier: GPL-3.0-or-later
// Autopsies of constructed games whose end, losing move and escapes are known.
#include "engine/base/check.h"
#include "engine/board/notation.h"
#include "harness/study/autopsy.h"
#include "tests/support/random_board.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// A game from its moves; `opening` of them were an opening.
static GameRecord *make_game(const char *moves, int side, Rule rule, char result, GameReason reason,
                             int opening) {
    static Board board;
    ErrorText err = {{0}};
    GameRecord *game = game_record_new();
    assert_non_null(game);
    fresh_board(&board, side, side, 5, rule, 2);
    if (notation_play_moves(&board, ROWS_BOTTOM, moves, &err))
        fail_msg("%s", err.text);
    *game = (GameRecord){.slot = 7,
                         .black = 0,
                         .white = 1,
                         .width = side,
                         .height = side,
                         .opening_plies = opening,
                         .result = result,
                         .reason = reason};
    for (int i = 0; i < board.stone_count; i++)
        assert_true(game_record_add(game, &(MoveRecord){.move = board.moves[i]}, NULL));
    return game;
}

static AutopsyGame examine(GameRecord *game, Rule rule) {
    AutopsyGame found;
    ErrorText err = {{0}};
    if (autopsy_game(game, rule, 2000, &found, &err))
        fail_msg("%s", err.text);
    game_record_free(game);
    return found;
}

static const char *square(Move move) {
    static char text[8];
    if (move == MOVE_NONE)
        return "-";
    snprintf(text, sizeof text, "%c%d", 'a' + move % 15, 15 - move / 15);
    return text;
}

static const char OPEN_THREE_LEFT[] = "h8 a1 i8 a3 j8 a5 k8 a7 l8";
static const char FOUR_LEFT[] = "h8 g8 i8 a1 j8 a3 k8 a5 l8";

static void test_autopsy__shapes_are_named(void **state) {
    (void)state;
    static const struct {
        const char *moves;
        Collapse collapse;
    } GAMES[] = {
        {OPEN_THREE_LEFT, COLLAPSE_MISSED_OPEN_THREE},
        {FOUR_LEFT, COLLAPSE_MISSED_FOUR},
        {"h8 g8 i8 k12 j8 a1 k9 a3 k10 a5 k11 a7 k8 l8 k7", COLLAPSE_DOUBLE_FOUR},
        {"h8 g8 i8 a1 j8 a3 k9 a5 k10 a7 k8 l8 k11 k12 k7", COLLAPSE_FOUR_THREE},
        {"i8 a1 j8 a3 k9 a5 k10 a7 k8 l8 k11 k12 k7", COLLAPSE_DOUBLE_THREE},
        {"h8 a1 i8 b1 j8 c1 o15 d1 k8 a15 l8", COLLAPSE_MISSED_FIVE},
        // The same ends by white, and a four that was left open until a second one stood.
        {"a1 h8 a3 i8 a5 j8 a7 k8 a9 l8", COLLAPSE_MISSED_OPEN_THREE},
        {"h8 g8 i8 a1 j8 a3 k8 a5 k9 a7 l8", COLLAPSE_MISSED_FOUR},
    };
    for (size_t i = 0; i < ARRAY_LEN(GAMES); i++)
        for (int rule = 0; rule < RULE_NB; rule++) {
            static Board board;
            ErrorText err = {{0}};
            fresh_board(&board, 15, 15, 5, (Rule)rule, 2);
            assert_int_equal(notation_play_moves(&board, ROWS_BOTTOM, GAMES[i].moves, &err),
                             STATUS_OK);
            Collapse found = collapse_of(&board);
            if (found != GAMES[i].collapse)
                fail_msg("%s: %s, expected %s", GAMES[i].moves, collapse_name(found),
                         collapse_name(GAMES[i].collapse));
        }
    static Board empty;
    fresh_board(&empty, 15, 15, 5, RULE_FREESTYLE, 2);
    assert_int_equal(collapse_of(&empty), COLLAPSE_NONE);
}

// White left the one cell l8 open at ply 8: before that nothing was lost.
static void test_autopsy__a_missed_four(void **state) {
    (void)state;
    for (int rule = 0; rule < RULE_NB; rule++) {
        AutopsyGame found =
            examine(make_game(FOUR_LEFT, 15, (Rule)rule, 'B', REASON_FIVE, 0), (Rule)rule);
        assert_int_equal(found.slot, 7);
        assert_int_equal(found.loser, 1);
        assert_int_equal(found.winner, 0);
        assert_int_equal(found.colour, WHITE);
        assert_int_equal(found.plies, 9);
        assert_int_equal(found.survived, 9);
        assert_int_equal(found.proved_ply, 8);
        assert_int_equal(found.proof, PROVED_FIVE);
        assert_int_equal(found.resisted, 1);
        assert_string_equal(square(found.losing_move), "a5");
        assert_int_equal(found.escapes, 1);
        assert_int_equal(found.escape_ply, 8);
        assert_string_equal(square(found.escape), "l8");
        assert_int_equal(found.collapse, COLLAPSE_MISSED_FOUR);
        assert_int_equal(found.moves_kept, 8);
    }
}

// An open three is left alone at ply 10; all stones of black but those lie far apart, so that he
// had no threats before.
static void test_autopsy__a_missed_open_three(void **state) {
    (void)state;
    static const char MOVES[] = "h8 a1 o15 a3 i8 h12 o1 b15 j8 c13 k8 g8 l8";
    AutopsyGame found =
        examine(make_game(MOVES, 15, RULE_FREESTYLE, 'B', REASON_FIVE, 4), RULE_FREESTYLE);
    assert_int_equal(found.plies, 13);
    assert_int_equal(found.survived, 9);
    assert_int_equal(found.proved_ply, 10);
    assert_int_equal(found.proof, PROVED_VCF);
    assert_int_equal(found.resisted, 3);
    assert_string_equal(square(found.losing_move), "c13");
    assert_int_equal(found.escape_ply, 10);
    // The cells beside the three escape; whatever else does is one of those that touch it.
    assert_in_range(found.escapes, 2, 5);
    assert_non_null(strstr("f8 g8 k8 l8", square(found.escape)));
    assert_int_equal(found.collapse, COLLAPSE_MISSED_OPEN_THREE);
}

// After the double three at ply 9 every answer loses: the last escape is the move before.
static void test_autopsy__no_escape_goes_back_to_the_last_move_that_was_one(void **state) {
    (void)state;
    static const char MOVES[] = "i8 a1 j8 a15 k9 o1 k10 o15 k8 l8 k11 k12 k7";
    AutopsyGame found =
        examine(make_game(MOVES, 15, RULE_FREESTYLE, 'B', REASON_FIVE, 6), RULE_FREESTYLE);
    assert_int_equal(found.collapse, COLLAPSE_DOUBLE_THREE);
    assert_true(found.proved_ply >= 6 && found.proved_ply <= 8);
    assert_true(found.proof == PROVED_VCT);
    assert_int_equal(found.resisted, 13 - found.proved_ply);
    // Four free stones of black are won beyond doubt: the solver goes back to the opening.
    assert_true(found.proved_ply > 6 || found.losing_move == MOVE_NONE);
}

// The end of a game that was given up is the winner's proof.
static void test_autopsy__a_resigned_game_is_played_on(void **state) {
    (void)state;
    AutopsyGame found = examine(make_game("h8 a1 o15 a3 i8 h12 o1 b15 j8 c13 k8", 15,
                                          RULE_FREESTYLE, 'B', REASON_RESIGN, 0),
                                RULE_FREESTYLE);
    assert_int_equal(found.collapse, COLLAPSE_MISSED_OPEN_THREE);
    assert_int_equal(found.proved_ply, 10);
    assert_int_equal(found.resisted, 1);
}

static void test_autopsy__a_forfeit_proves_nothing(void **state) {
    (void)state;
    AutopsyGame found =
        examine(make_game("h8 i9 g10", 15, RULE_FREESTYLE, 'B', REASON_TIMEOUT, 0), RULE_FREESTYLE);
    assert_int_equal(found.proved_ply, 0);
    assert_int_equal(found.proof, PROVED_NOT);
    assert_null(autopsy_proof_name(found.proof));
    assert_int_equal(found.escape_ply, 0);
    assert_int_equal(found.collapse, COLLAPSE_NONE);
    assert_int_equal(found.moves_kept, 0);
    found = examine(make_game("h8", 15, RULE_FREESTYLE, 'W', REASON_CRASH, 0), RULE_FREESTYLE);
    assert_int_equal(found.proved_ply, 0);
}

static void test_autopsy__lost_from_the_opening(void **state) {
    (void)state;
    AutopsyGame found =
        examine(make_game(FOUR_LEFT, 15, RULE_FREESTYLE, 'B', REASON_FIVE, 8), RULE_FREESTYLE);
    assert_int_equal(found.proved_ply, 8);
    assert_int_equal(found.losing_move, MOVE_NONE);
    assert_int_equal(found.escape_ply, 0);
    assert_int_equal(found.survived, 1);
}

static void test_autopsy__impossible_moves_are_refused(void **state) {
    (void)state;
    GameRecord *game = make_game(FOUR_LEFT, 15, RULE_FREESTYLE, 'B', REASON_FIVE, 0);
    AutopsyGame found;
    ErrorText err = {{0}};
    game->moves[4].move = game->moves[0].move;
    assert_int_equal(autopsy_game(game, RULE_FREESTYLE, 100, &found, &err), STATUS_INVALID);
    assert_non_null(strstr(err.text, "ply 5"));
    game_record_free(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_autopsy__shapes_are_named),
        cmocka_unit_test(test_autopsy__a_missed_four),
        cmocka_unit_test(test_autopsy__a_missed_open_three),
        cmocka_unit_test(test_autopsy__no_escape_goes_back_to_the_last_move_that_was_one),
        cmocka_unit_test(test_autopsy__a_resigned_game_is_played_on),
        cmocka_unit_test(test_autopsy__a_forfeit_proves_nothing),
        cmocka_unit_test(test_autopsy__lost_from_the_opening),
        cmocka_unit_test(test_autopsy__impossible_moves_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
