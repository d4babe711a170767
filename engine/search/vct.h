// SPDX-License-Identifier: GPL-3.0-or-later
// VCT: does the side to move win by continuous threats, fours and open threes?
//
// A proof-number search over an AND/OR tree. The attacker plays fours, and stones after which he
// would win by continuous fours if the defender passed: open threes above all. The defender gets
// every answer that could matter: all his own fours, and every cell that spoils the win he is
// threatened with; after any other cell that very line still wins, so it needs no search. Thus a
// win is a proof against all play. "No" is a proof that no sequence of fours and open threes wins;
// of other stones that threaten fours only those are seen whose threat takes few nodes to find.
// Works on the board and threat map of a VCF solver and leaves them as they were.
//
// After Allis, van den Herik & Huntjens, "Go-Moku solved by new search techniques" (Computational
// Intelligence, 1996), Thomsen, "Lambda-search in game trees" (ICGA Journal, 2000), and Nagai,
// "Df-pn algorithm for searching AND/OR trees and its applications" (PhD thesis, Tokyo, 2002).
#pragma once

#include "engine/search/vct_state.h"

typedef struct VctResult {
    VcfAnswer answer; // VCF_WIN: proved, with a line; VCF_NO: see above; VCF_FIVE_NOW
    int line_length;  // attacker, defender, ..., to the five; the defender holds out long
    Move line[VCT_MAX_PLY];
    uint64_t nodes; // positions looked into, those of the questions about fours included
} VctResult;

// Prepares a solver on the board and map of `vcf`, borrowed. `table_bits` (8..26) is the logarithm
// of the entries of its table, 16 bytes each. STATUS_NO_MEMORY. Pairs with vct_release. Thread:
// owner.
Status vct_init(VctSolver *solver, VcfSolver *vcf, int table_bits, ErrorText *err) MUST_CHECK;
void vct_release(VctSolver *solver); // frees the tables

// Forgets the table: due when rule or size change. Thread: owner.
void vct_clear(VctSolver *solver);

// Solves for the side to move, neither side having won, with at most `node_limit` nodes (0 = no
// limit). What was learned of other positions is used. Thread: owner.
void vct_solve(VctSolver *solver, uint64_t node_limit, VctResult *result);
