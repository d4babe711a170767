// SPDX-License-Identifier: GPL-3.0-or-later
// The referee: is a move legal, is the game over, who has won and why. It keeps a board of its own
// and trusts nobody.
//
// Adjudication (off by default) ends games early: `resign` when the values of both sides have
// agreed for N plies on who is winning by how much, a draw after a number of plies, a win for the
// side to move that has a proven win by continuous fours.
#pragma once

#include "engine/board/board.h"
#include "engine/proof.h"
#include "harness/record/experiment.h"
#include "harness/record/game_record.h"

// Used for one game after another; about 60 KB with its board, so it lives on the heap.
typedef struct Referee {
    Board board;
    AdjudicateSpec adjudicate;
    Colour favoured;    // whom the latest values call the winner; EMPTY = nobody
    FoursProof fours;   // scratch
    int favoured_plies; // for how many plies in a row
} Referee;

typedef struct Verdict {
    bool is_over;
    char result; // 'B', 'W' or 'D' when over
    GameReason reason;
} Verdict;

// A referee for games of the experiment. STATUS_UNSUPPORTED for an adjudication that this build
// cannot do. Thread: owner.
Status referee_init(Referee *referee, const Experiment *experiment, ErrorText *err) MUST_CHECK;

// A new game: the empty board, then the stones of the opening. Thread: owner.
void referee_start(Referee *referee, const Move *opening, int count);

// The side to move plays `move`. An illegal one is not placed and loses; a legal one is placed and
// judged. `value` is what the mover thinks of the position before the move, from its side; NULL =
// unknown. Thread: owner.
Verdict referee_move(Referee *referee, int move, const double *value);

// The verdict when `loser` forfeits. Thread: any.
Verdict verdict_forfeit(Colour loser, GameReason reason);
