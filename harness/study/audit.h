// SPDX-License-Identifier: GPL-3.0-or-later
// Sanity of stored games: what a player should have seen with its eyes open, and what a game cannot
// be.
//
// Every chosen move (no stones of openings) is looked at on the board before it, without any
// search:
//
//   missed_win          a move would have made five in a row, another one was played
//   unblocked_five      no five of one's own, one cell where the enemy makes five, and it was left
//                       open. Two such cells cannot both be stopped and do not count
//   open_four_allowed   nobody could make five; the enemy could make a straight four on the next
//                       move and still can, the move makes no four of one's own, and another move
//                       would have prevented it
//   sign_flip           one's own value went from +V or more to -V or less from one move to the
//                       next, or back
//   illegal             the game was lost by a move that may not be played
//   impossible          the record contradicts itself: an occupied cell, a stone after the end,
//                       five in a row that is none
//   identical           the same moves as an earlier game, from the first stone to the last
//
// `chances` counts when it could have happened.
#pragma once

#include "harness/store/store_read.h"

typedef enum AuditFinding {
    AUDIT_MISSED_WIN,
    AUDIT_UNBLOCKED_FIVE,
    AUDIT_OPEN_FOUR_ALLOWED,
    AUDIT_SIGN_FLIP,
    AUDIT_ILLEGAL,
    AUDIT_IMPOSSIBLE,
    AUDIT_IDENTICAL,
    AUDIT_NB
} AuditFinding;

// The name as above. Thread: any.
const char *audit_finding_name(AuditFinding finding);

typedef struct AuditCount {
    int64_t count, chances;
    int64_t first_slot; // of the first one; -1: there is none
    int first_ply;      // 0: of the whole game
} AuditCount;

typedef struct AuditPlayer {
    int64_t games, moves; // moves that it chose
    AuditCount finding[AUDIT_NB];
} AuditPlayer;

typedef struct Audit {
    AuditPlayer *players; // owned; by player
    int player_count;
    int64_t games;
    int64_t games_without_moves; // the moves were not kept: nothing could be looked at
    bool rows_are_judged;        // false: not five in a row, so only records are checked
} Audit;

// Looks at every game. `flip_value` is the V of sign_flip. `progress` as in store_costs. *out is
// the caller's: audit_release. Thread: owner of the store.
Status audit_run(Store *store, double flip_value, StoreProgress *progress, void *ctx, Audit *out,
                 ErrorText *err) MUST_CHECK;

// Frees what the audit owns. Thread: owner.
void audit_release(Audit *audit);

// Looks at one game on a board of its size and rule (cleared here) and adds to the players' counts;
// `players` is indexed as the record's. Identical games are not its business. Thread: owner.
void audit_game(const GameRecord *game, double flip_value, Board *board, AuditPlayer *players);
