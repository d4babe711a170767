// SPDX-License-Identifier: GPL-3.0-or-later
// Legality, the end of the game, adjudication.
#include "harness/play/referee.h"

#include <math.h>

// Positions that a proof may look at: it is tried at every ply.
static const uint64_t VCF_NODES = 20000;

static const Verdict GOES_ON = {.is_over = false};
static const Verdict FULL = {true, 'D', REASON_BOARD_FULL};
static const Verdict ADJUDICATED_DRAW = {true, 'D', REASON_ADJUDICATED};

static Verdict verdict_win(Colour winner, GameReason reason) {
    return (Verdict){.is_over = true, .result = winner == BLACK ? 'B' : 'W', .reason = reason};
}

Verdict verdict_forfeit(Colour loser, GameReason reason) {
    return verdict_win(colour_other(loser), reason);
}

Status referee_init(Referee *referee, const Experiment *experiment, ErrorText *err) {
    referee->adjudicate = experiment->adjudicate;
    referee->favoured = EMPTY;
    referee->favoured_plies = 0;
    Status status = board_init(&referee->board, experiment->width, experiment->height,
                               experiment->k, experiment->rule, 1, err);
    // A proof of one node: that the solver refuses a board or a rule is to be known before the
    // first game, not in the middle of one.
    if (!status && experiment->adjudicate.vcf) {
        status = proof_fours(&referee->board, 1, &referee->fours, err); // does it know this board?
        if (status)
            status = error_wrap(err, status, "adjudicate.vcf");
    }
    return status;
}

void referee_start(Referee *referee, const Move *opening, int count) {
    board_clear(&referee->board);
    referee->favoured = EMPTY;
    referee->favoured_plies = 0;
    for (int i = 0; i < count; i++)
        board_place(&referee->board, opening[i]);
}

// Counts for how many plies in a row both sides have called the same side the winner.
static void referee_hear(Referee *referee, Colour mover, const double *value) {
    // A move without a value (random, from a book, a program that says none) breaks the agreement:
    // silence is no consent.
    bool is_clear = value && fabs(*value) >= referee->adjudicate.resign_value && *value != 0;
    Colour favoured = !is_clear ? EMPTY : *value > 0 ? mover : colour_other(mover);
    referee->favoured_plies = favoured != EMPTY && favoured == referee->favoured
                                  ? referee->favoured_plies + 1
                                  : favoured != EMPTY;
    referee->favoured = favoured;
}

// Has the side to move a proven win by continuous fours? Memory that is out only means: no proof.
static bool referee_proves_win(Referee *referee) {
    Status status = proof_fours(&referee->board, VCF_NODES, &referee->fours, NULL);
    return !status &&
           (referee->fours.answer == PROOF_FIVE_NOW || referee->fours.answer == PROOF_WIN);
}

// In the order of certainty: what both players say, what can be proven, and only then the length of
// the game, so that the last move before a limit can still win.
static Verdict referee_adjudicate(Referee *referee) {
    const AdjudicateSpec *adjudicate = &referee->adjudicate;
    int plies = referee->board.stone_count;
    // One ply is the opinion of one side only.
    int resign_plies = adjudicate->resign_plies == 1 ? 2 : adjudicate->resign_plies;
    if (resign_plies > 0 && referee->favoured_plies >= resign_plies)
        return verdict_win(referee->favoured, REASON_RESIGN);
    if (adjudicate->vcf && referee_proves_win(referee))
        return verdict_win(referee->board.side, REASON_ADJUDICATED);
    if ((adjudicate->draw_plies > 0 && plies >= adjudicate->draw_plies) ||
        (adjudicate->max_moves > 0 && plies >= adjudicate->max_moves))
        return ADJUDICATED_DRAW;
    return GOES_ON;
}

Verdict referee_move(Referee *referee, int move, const double *value) {
    Board *board = &referee->board;
    Colour mover = board->side;
    if (!board_is_free(board, move))
        return verdict_forfeit(mover, REASON_ILLEGAL);
    bool wins = board_wins_at(board, (Move)move, mover);
    board_place(board, (Move)move);
    if (wins)
        return verdict_win(mover, REASON_FIVE);
    if (board_is_full(board))
        return FULL;
    referee_hear(referee, mover, value);
    return referee_adjudicate(referee);
}
