// SPDX-License-Identifier: GPL-3.0-or-later
// The audit finds what is planted into a game, where it is planted, and nothing else.
#include "engine/board/notation.h"
#include "harness/study/audit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static Board board;
static AuditPlayer players[2];

// Audits one game of player 0 (black) against player 1; `values` are those of black's moves, NULL:
// none.
static void audit(const char *moves, char result, GameReason reason, int opening_plies,
                  const double *values) {
    static Board scratch;
    ErrorText err = {{0}};
    GameRecord *game = game_record_new();
    assert_int_equal(board_init(&scratch, 15, 15, 5, RULE_FREESTYLE, 0, &err), STATUS_OK);
    if (notation_play_moves(&scratch, ROWS_BOTTOM, moves, &err))
        fail_msg("%s", err.text);
    *game = (GameRecord){.slot = 4,
                         .black = 0,
                         .white = 1,
                         .width = 15,
                         .height = 15,
                         .result = result,
                         .reason = reason,
                         .opening_plies = opening_plies};
    for (int i = 0; i < scratch.stone_count; i++) {
        MoveRecord move = {.move = scratch.moves[i]};
        if (values && i % 2 == 0) {
            move.known = KNOWN_VALUE;
            move.value = values[i / 2];
        }
        assert_true(game_record_add(game, &move, NULL));
    }
    memset(players, 0, sizeof players);
    assert_int_equal(board_init(&board, 15, 15, 5, RULE_FREESTYLE, 0, &err), STATUS_OK);
    audit_game(game, 1000, &board, players);
    game_record_free(game);
}

static void expect(int player, AuditFinding finding, int64_t count, int64_t chances,
                   int first_ply) {
    const AuditCount *found = &players[player].finding[finding];
    if (found->count != count || found->chances != chances ||
        (count && found->first_ply != first_ply))
        fail_msg("player %d %s: %d of %d at ply %d, want %d of %d at %d", player,
                 audit_finding_name(finding), (int)found->count, (int)found->chances,
                 found->first_ply, (int)count, (int)chances, first_ply);
}

static void test_audit__missed_win_and_unblocked_five(void **state) {
    (void)state;
    // black: a closed four (g8 is white), white looks away, black looks away too, then makes five
    audit("h8 g8 i8 a1 j8 c1 k8 e1 h1 a3 l8", 'B', REASON_FIVE, 0, NULL);
    expect(0, AUDIT_MISSED_WIN, 1, 2, 9);
    expect(1, AUDIT_UNBLOCKED_FIVE, 2, 2, 8);
    expect(0, AUDIT_IMPOSSIBLE, 0, 1, 0);
    assert_int_equal(players[0].moves, 6);
    assert_int_equal(players[1].moves, 5);
}

static void test_audit__a_blocked_five_is_none(void **state) {
    (void)state;
    audit("h8 g8 i8 a1 j8 c1 k8 l8 h1", 'B', REASON_RESIGN, 0, NULL);
    expect(1, AUDIT_UNBLOCKED_FIVE, 0, 1, 0);
    expect(0, AUDIT_MISSED_WIN, 0, 0, 0);
}

static void test_audit__two_fives_cannot_be_stopped(void **state) {
    (void)state;
    audit("h8 a15 i8 a1 j8 c1 k8 e1 l8", 'B', REASON_FIVE, 0,
          NULL); // an open four: nothing to be done
    expect(1, AUDIT_UNBLOCKED_FIVE, 0, 0, 0);
    expect(1, AUDIT_OPEN_FOUR_ALLOWED, 1, 1, 6); // but it need not have come to that
}

static void test_audit__an_open_three_answered_is_no_blunder(void **state) {
    (void)state;
    audit("h8 a15 i8 a1 j8 k8 h1", 'B', REASON_RESIGN, 0, NULL);
    expect(1, AUDIT_OPEN_FOUR_ALLOWED, 0, 1, 0);
}

static void test_audit__a_four_of_ones_own_answers_an_open_three(void **state) {
    (void)state;
    // white has a closed three a1 a2 a3 and makes it four instead of stopping h8 i8 j8
    audit("h8 a1 i8 a2 o15 a3 j8 a4 a5", 'D', REASON_ADJUDICATED, 0, NULL);
    expect(1, AUDIT_OPEN_FOUR_ALLOWED, 0, 1, 0);
    expect(0, AUDIT_UNBLOCKED_FIVE, 0, 1, 0);
}

static void test_audit__stones_of_the_opening_are_nobodys(void **state) {
    (void)state;
    audit("h8 g8 i8 a1 j8 c1 k8 e1 h1", 'D', REASON_ADJUDICATED, 9, NULL);
    expect(0, AUDIT_MISSED_WIN, 0, 0, 0);
    assert_int_equal(players[0].moves + players[1].moves, 0);
}

static void test_audit__sign_flips(void **state) {
    (void)state;
    static const double VALUES[] = {2000, -2000, 10, -3000, 5000};
    audit("h8 a1 j10 c1 l3 e1 n14 g1 c12", 'D', REASON_ADJUDICATED, 0, VALUES);
    expect(0, AUDIT_SIGN_FLIP, 2, 2, 3); // the small value in between breaks the third
    expect(1, AUDIT_SIGN_FLIP, 0, 0, 0);
}

static void test_audit__impossible_records(void **state) {
    (void)state;
    audit("h8 a1 i8 c1", 'B', REASON_FIVE, 0, NULL); // a five that is none
    expect(0, AUDIT_IMPOSSIBLE, 1, 1, 0);
    audit("h8 a1 i8 c1 j8 e1 k8 g1 l8 i1", 'B', REASON_FIVE, 0, NULL); // a stone after the end
    expect(1, AUDIT_IMPOSSIBLE, 1, 1, 10);
    audit("h8 a1 i8 c1 j8 e1 k8 g1 l8", 'W', REASON_FIVE, 0, NULL); // the wrong winner
    expect(0, AUDIT_IMPOSSIBLE, 1, 1, 0);
    audit("h8 a1", 'D', REASON_BOARD_FULL, 0, NULL);
    expect(0, AUDIT_IMPOSSIBLE, 1, 1, 0);
    audit("h8 a1 i8 c1 j8 e1 k8 g1 l8", 'B', REASON_FIVE, 0, NULL);
    expect(0, AUDIT_IMPOSSIBLE, 0, 1, 0);
}

static void test_audit__illegal_moves_belong_to_the_loser(void **state) {
    (void)state;
    audit("h8 a1", 'W', REASON_ILLEGAL, 0, NULL);
    expect(0, AUDIT_ILLEGAL, 1, 1, 3);
    expect(1, AUDIT_ILLEGAL, 0, 1, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_audit__missed_win_and_unblocked_five),
        cmocka_unit_test(test_audit__a_blocked_five_is_none),
        cmocka_unit_test(test_audit__two_fives_cannot_be_stopped),
        cmocka_unit_test(test_audit__an_open_three_answered_is_no_blunder),
        cmocka_unit_test(test_audit__a_four_of_ones_own_answers_an_open_three),
        cmocka_unit_test(test_audit__stones_of_the_opening_are_nobodys),
        cmocka_unit_test(test_audit__sign_flips),
        cmocka_unit_test(test_audit__impossible_records),
        cmocka_unit_test(test_audit__illegal_moves_belong_to_the_loser),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
