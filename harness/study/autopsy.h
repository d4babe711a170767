// SPDX-License-Identifier: GPL-3.0-or-later
// Where losses began: from which ply on a stored game was lost beyond doubt, what the loser could
// still have done, and what it looked like.
//
// From the end backwards, every position with the winner to move is given to the solvers of
// continuous fours (VCF) and threats (VCT). As long as they prove a win, the game was lost; the
// loser's move before the first of these positions is the losing move. Then every candidate of the
// loser in its place is tried: one after which no win is proved is an escape. "Not proved" means
// within the solver's limit of nodes, and a quiet win is none that it knows.
#pragma once

#include "harness/store/store_read.h"
#include "harness/study/collapse.h"

// The simplest way of winning that was proved, the simplest first.
typedef enum AutopsyProof { PROVED_NOT, PROVED_FIVE, PROVED_VCF, PROVED_VCT } AutopsyProof;

// One lost game. Plies count from 1, stones of the opening included.
typedef struct AutopsyGame {
    int64_t slot;
    int loser, winner; // players
    Colour colour;     // of the loser
    GameReason reason;
    int plies;          // of the game
    int survived;       // of these, after the opening
    int proved_ply;     // the loser's ply after which the loss is proved; 0: it never is
    AutopsyProof proof; // of the position after it
    int resisted;       // plies from there to the end
    Move losing_move;   // played at proved_ply; MOVE_NONE: a stone of the opening, or none
    int escape_ply;     // last ply at which the loser had a move without a proved loss; 0: none
    Move escape;        // such a move: instead of the losing move, or the one played before it
    int escapes;        // how many there were instead of the losing move
    Collapse collapse;
    int width, height;
    int moves_kept; // up to proved_ply, for a picture; 0 when nothing is proved
    Move moves[BOARD_MAX_CELLS];
} AutopsyGame;

// More nodes find earlier losing moves and take longer; more threads change nothing but the time.
typedef struct AutopsyLimits {
    uint64_t nodes; // of the solver for one position
    int jobs;       // threads
} AutopsyLimits;

// All lost games of a database, and how many others there are.
typedef struct Autopsy {
    AutopsyGame *games; // owned; lost games in the order of slots
    int64_t count, cap;
    int64_t drawn, without_moves; // games that were left out
} Autopsy;

// "five", "vcf", "vct", or NULL for none. Thread: any.
const char *autopsy_proof_name(AutopsyProof proof);

// Looks at every decided game. The result depends on nothing but the games and limits->nodes.
// `progress` as in store_costs. *out is the caller's: autopsy_release. STATUS_UNSUPPORTED unless
// five in a row is played. Thread: owner of the store.
Status autopsy_run(Store *store, const AutopsyLimits *limits, StoreProgress *progress, void *ctx,
                   Autopsy *out, ErrorText *err) MUST_CHECK;

// Frees what it owns and zeroes it. Thread: owner.
void autopsy_release(Autopsy *autopsy);

// Looks at one decided game of the rule, five in a row. STATUS_INVALID for a record whose moves
// cannot be played. Thread: any.
// STATUS_NO_MEMORY. *out is half-filled after a failure.
Status autopsy_game(const GameRecord *game, Rule rule, uint64_t nodes, AutopsyGame *out,
                    ErrorText *err) MUST_CHECK;
