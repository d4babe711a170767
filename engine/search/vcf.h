// SPDX-License-Identifier: GPL-3.0-or-later
// VCF: does the side to move win by continuous fours?
//
// The attacker plays fours only; each leaves the defender one answer, the cell that would make the
// five. The search is exhaustive, so "no" is a proof; it deepens by the number of fours, so the
// first win found has the fewest. Positions in which n more fours do not win are remembered in a
// table. Works on the caller's board and threat map, which follow each other and are left as they
// were. The defender's five always comes first: if he threatens one, the attacker's next four must
// stand on it. After Allis, van den Herik & Huntjens, "Go-Moku solved by new search techniques"
// (Computational Intelligence, 1996).
#pragma once

#include "engine/board/board.h"
#include "engine/eval/threat_map.h"

// Attacker's moves in one line, at most; a board of 225 cells holds no more in practice.
enum { VCF_MAX_FOURS = 60 };

// What a solver of threats knows, VCT as well.
typedef enum VcfAnswer {
    VCF_NO,       // proved: no win by continuous fours
    VCF_WIN,      // proved, with a line that replays to a five
    VCF_FIVE_NOW, // a five is there already: the line is that one move
    VCF_UNKNOWN,  // a limit was reached first
} VcfAnswer;

// A position and how many fours were too few in it; VCF_MAX_FOURS: any number is.
typedef struct VcfMemo {
    uint64_t key;
    int32_t fours; // this many do not win
} VcfMemo;

// Asked now and then whether to give up; `ask` NULL = never. It must be quick, and may read a
// clock.
typedef struct SolverStop {
    bool (*ask)(void *context);
    void *context;
} SolverStop;

// A solver and its memo, which outlives the questions: answers about positions stay true.
typedef struct VcfSolver {
    Board *board;   // borrowed
    ThreatMap *map; // borrowed
    VcfMemo *memo;  // owned
    uint64_t memo_mask;
    // Of the question in progress, as in the result.
    uint64_t nodes, node_limit; // attacker positions looked at; 0 = no limit
    SolverStop stop;            // NULL where a caller of its own counts, as VCT does
    bool stopped;
    bool cut_by_depth; // a line ended for want of depth: deeper may win
    int line_length;
    Move line[2 * VCF_MAX_FOURS + 1];
} VcfSolver;

typedef struct VcfResult {
    VcfAnswer answer;
    int fours;       // attacker's fours up to the one that cannot be answered (the five itself not
                     // counted); 0 = five now
    int line_length; // attacker, defender, attacker, ..., ending with the five
    Move line[2 * VCF_MAX_FOURS + 1];
    uint64_t nodes; // positions looked at, and those that the limit cut off
} VcfResult;

// Prepares a solver; `memo_bits` (8..24) is the logarithm of the entries of its table, 16 bytes
// each. STATUS_NO_MEMORY. Pairs with vcf_release. Thread: owner.
Status vcf_init(VcfSolver *solver, Board *board, ThreatMap *map, int memo_bits,
                ErrorText *err) MUST_CHECK;
void vcf_release(VcfSolver *solver); // frees the table

// Forgets the table: due when the rule or the attacker's colour changes without the key showing it.
// Thread: owner.
void vcf_clear(VcfSolver *solver);

// Does `line`, a win by fours found before, still win move by move for the side to move, though
// stones were added since? False too when only another order of it would. Thread: owner.
bool vcf_line_wins(VcfSolver *solver, const Move *line, int length);

// Solves for the side to move with at most `max_fours` fours (1..VCF_MAX_FOURS) and `node_limit`
// attacker positions (0 = no limit). Thread: owner.
void vcf_solve(VcfSolver *solver, int max_fours, uint64_t node_limit, VcfResult *result);
