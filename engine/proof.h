// SPDX-License-Identifier: GPL-3.0-or-later
// Proofs of single positions, apart from any player: wins by continuous fours or threats, and games
// solved to their end.
//
// For `gomolab solve`, studies and tests: a player has solvers of its own inside its search, with
// small limits. Each call sets everything up for one position and gives it back, so calls on
// different threads share nothing. Results are filled in on STATUS_OK only.
#pragma once

#include "engine/board/board.h"

// What is known. "None" is as much of a proof as "win".
typedef enum ProofAnswer {
    PROOF_FIVE_NOW, // a five can be made at once
    PROOF_WIN,      // proved, with a line
    PROOF_NONE,     // proved that there is none
    PROOF_UNKNOWN,  // the node limit came first
} ProofAnswer;

// The moves of a line alternate, the attacker's first; it replays from the position to the five.
typedef struct FoursProof {
    ProofAnswer answer;
    int fours; // attacker's fours up to the one that cannot be answered; 0 = five now
    int line_length;
    Move line[BOARD_MAX_CELLS]; // attacker, defender, ..., to the five
    uint64_t nodes;
} FoursProof;

// Does the side to move win by continuous fours (VCF)? The least number of fours is found. Boards
// with k = 5; STATUS_UNSUPPORTED otherwise, STATUS_NO_MEMORY. With a five on the board the game is
// over: PROOF_NONE. `node_limit` 0 = none. The position is not changed. Thread: any.
Status proof_fours(const Board *position, uint64_t node_limit, FoursProof *out,
                   ErrorText *err) MUST_CHECK;

// As above. Threats are found in no particular order, so the line need not be the shortest.
typedef struct ThreatsProof {
    ProofAnswer answer;
    bool by_fours;              // the win needs fours only
    int moves;                  // attacker's moves in the line before the five
    int line_length;            // 0 without a win
    Move line[BOARD_MAX_CELLS]; // attacker, defender, ..., to the five
    uint64_t nodes;
} ThreatsProof;

// Does the side to move win by continuous threats (VCT), fours and open threes? A win is a proof
// against every defence; PROOF_NONE says that no sequence of such threats wins. Boards with k = 5;
// STATUS_UNSUPPORTED otherwise, STATUS_NO_MEMORY. With a five on the board the game is over:
// PROOF_NONE. `node_limit` 0 = none; the memory grows with it, to 256 MiB. The position is not
// changed. Thread: any.
Status proof_vct(const Board *position, uint64_t node_limit, ThreatsProof *out,
                 ErrorText *err) MUST_CHECK;

// Everything is about the side to move. With several best moves the line follows the first of them
// in board order at every turn.
typedef struct EndProof {
    bool solved; // false: the node limit came first
    int outcome; // 1 won, 0 drawn, -1 lost, for the side to move
    int plies;   // to the end with best play
    int by_value,
        by_distance; // how many moves keep the outcome, and how many keep the distance too
    Move value_move[BOARD_MAX_CELLS], distance_move[BOARD_MAX_CELLS]; // in board order
    int line_length;
    Move line[BOARD_MAX_CELLS]; // one line of best play
    uint64_t nodes;
} EndProof;

// Solves the position to the end of the game, with a table of `megabytes` MiB. Any size, rule and
// k; the time grows with the factorial of the empty cells. `node_limit` 0 = none. Thread: any.
Status proof_end(const Board *position, int megabytes, uint64_t node_limit, EndProof *out,
                 ErrorText *err) MUST_CHECK;
