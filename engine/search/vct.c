// SPDX-License-Identifier: GPL-3.0-or-later
// The VCT solver: its table, the search by proof numbers, and the line of a proof.
#include "engine/search/vct.h"

#include "engine/base/check.h"
#include "engine/search/vct_moves.h"

#include <stdlib.h>
#include <string.h>

Status vct_init(VctSolver *solver, VcfSolver *vcf, int table_bits, ErrorText *err) {
    *solver = (VctSolver){.vcf = vcf, .children = malloc(VCT_MAX_CHILDREN * sizeof(VctChild))};
    Status status = solver->children
                        ? vct_table_init(&solver->table, table_bits, err)
                        : error_set(err, STATUS_NO_MEMORY, "no memory for the VCT solver");
    if (status)
        vct_release(solver);
    return status;
}

void vct_release(VctSolver *solver) {
    vct_table_release(&solver->table);
    free(solver->children);
    solver->children = NULL;
}

void vct_clear(VctSolver *solver) { vct_table_clear(&solver->table); }

// --- the search

static const VctNumbers NO_LIMIT = {.pn = VCT_INFINITE, .dn = VCT_INFINITE};

// Sums stop below infinity, which means proved or disproved: large is not the same as done.
static uint32_t add(uint32_t a, uint32_t b) {
    if (a >= VCT_INFINITE || b >= VCT_INFINITE)
        return VCT_INFINITE;
    return a + b < VCT_INFINITE ? a + b : VCT_INFINITE - 1;
}

// The plies of a proved position: the attacker takes the quickest win, the defender the slowest.
static int proved_plies(const VctChild *child, int count, bool attacking) {
    int plies = 0;
    for (int i = 0; i < count; i++)
        if (child[i].pn == 0 &&
            (plies == 0 || (attacking ? child[i].plies < plies : child[i].plies > plies)))
            plies = child[i].plies;
    return plies + 1;
}

// A position's numbers from its children's: the attacker needs one proof, the defender one
// disproof. `best` is the child to look into, `second` the number of the next best. A sum counts a
// position twice that is reached in two ways: an overestimate, which costs effort and no truth.
static VctNumbers combine(const VctChild *child, int count, bool attacking, int *best,
                          uint32_t *second) {
    uint32_t least = VCT_INFINITE, sum = 0;
    *second = VCT_INFINITE;
    *best = 0;
    for (int i = 0; i < count; i++) {
        uint32_t own = attacking ? child[i].pn : child[i].dn;
        sum = add(sum, attacking ? child[i].dn : child[i].pn);
        if (own < least) {
            *second = least;
            least = own;
            *best = i;
        } else if (own < *second) {
            *second = own;
        }
    }
    VctNumbers all =
        attacking ? (VctNumbers){.pn = least, .dn = sum} : (VctNumbers){.pn = sum, .dn = least};
    if (all.pn == 0)
        return vct_proved(proved_plies(child, count, attacking));
    return all.dn == 0 ? vct_disproved() : all;
}

// How far to work on the best child: a quarter past the second best, so that attention moves seldom
// (after Pawlewicz & Lew, "Improving depth-first pn-search: 1+epsilon trick", 2007).
static VctNumbers child_limit(VctNumbers limit, VctNumbers now, const VctChild *child,
                              uint32_t second, bool attacking) {
    uint32_t ahead = add(second, second / 4 + 1);
    if (attacking)
        return (VctNumbers){.pn = ahead < limit.pn ? ahead : limit.pn,
                            .dn = add(limit.dn - now.dn, child->dn)};
    return (VctNumbers){.pn = add(limit.pn - now.pn, child->pn),
                        .dn = ahead < limit.dn ? ahead : limit.dn};
}

static VctNumbers search(VctSolver *solver, int ply, VctNumbers limit);

// Works on the children until a number of the position reaches its limit.
static VctNumbers work(VctSolver *solver, VctChild *child, int count, int ply, VctNumbers limit) {
    bool attacking = vct_attacking(solver);
    for (;;) {
        int best;
        uint32_t second;
        VctNumbers now = combine(child, count, attacking, &best, &second);
        if (now.pn >= limit.pn || now.dn >= limit.dn || now.pn == 0 || now.dn == 0 ||
            solver->stopped)
            return now;
        vct_place(solver, child[best].move);
        VctNumbers found =
            search(solver, ply + 1, child_limit(limit, now, &child[best], second, attacking));
        vct_undo(solver);
        child[best].pn = found.pn;
        child[best].dn = found.dn;
        child[best].plies = (int16_t)found.plies;
    }
}

// Numbers of the position, worked on until one reaches its limit; they go to the table.
static VctNumbers search(VctSolver *solver, int ply, VctNumbers limit) {
    VctChild *child = &solver->children[solver->children_used];
    int cells = board_cell_count(solver->vcf->board), count = 0;
    vct_count(solver, 1);
    // What the threats on the board decide is not searched; of the attacker's positions that was
    // asked before they became a child.
    VctNumbers now = NO_LIMIT;
    if (!vct_attacking(solver))
        now = vct_judge_defence(solver);
    if (now.pn && now.dn) {
        // Given up, and remembered, so that the answer at the root is "unknown" and not "no".
        if (ply >= VCT_MAX_PLY - 4 || solver->children_used + cells > VCT_MAX_CHILDREN) {
            solver->cut_by_size = true;
            now = vct_disproved();
        } else {
            count = vct_children(solver, child);
        }
    }
    if (count < 0)
        now = vct_disproved();
    else if (count == 0 && now.pn &&
             now.dn) // for the defender: anything, open four, anything, five
        now = vct_attacking(solver) ? vct_disproved() : vct_proved(4);
    if (count > 0) {
        // Children lie on a stack: those of this position stay while the search is below it.
        solver->children_used += count;
        now = work(solver, child, count, ply, limit);
        solver->children_used -= count;
    }
    vct_table_store(&solver->table, vct_key(solver), now);
    return now;
}

// --- the line

// Appends a win by fours, if there is one within small limits.
static bool add_fours(VctSolver *solver, VctResult *result) {
    VcfResult fours;
    if (!vct_fours(solver, &fours) || result->line_length + fours.line_length > VCT_MAX_PLY)
        return false;
    memcpy(result->line + result->line_length, fours.line,
           (size_t)fours.line_length * sizeof fours.line[0]);
    result->line_length += fours.line_length;
    return true;
}

// The move of a proved position to follow: the attacker's quickest, the defender's longest.
// MOVE_NONE: the table has lost the proof.
static Move proved_move(VctSolver *solver) {
    // The children are written over the stack: nothing is being searched while a line is followed.
    bool attacking = vct_attacking(solver);
    VctChild *child = solver->children;
    int count = vct_children(solver, child), chosen = -1;
    if (count == 0 && !attacking)
        return vct_open_four(solver);
    for (int i = 0; i < count; i++)
        if (child[i].pn == 0 && (chosen < 0 || (attacking ? child[i].plies < child[chosen].plies
                                                          : child[i].plies > child[chosen].plies)))
            chosen = i;
    return chosen < 0 ? (Move)MOVE_NONE : child[chosen].move;
}

// Follows the proof from the board's position on; proves anew what the table has lost. False when
// the node limit came before that.
static bool add_line(VctSolver *solver, VctResult *result) {
    int placed = 0;
    bool done = false;
    for (;;) {
        done = vct_attacking(solver) && add_fours(solver, result);
        if (done || solver->stopped || result->line_length >= VCT_MAX_PLY)
            break;
        Move move = proved_move(solver);
        if (move == MOVE_NONE && search(solver, 0, NO_LIMIT).pn == 0)
            move = proved_move(solver);
        if (move == MOVE_NONE)
            break;
        result->line[result->line_length++] = move;
        vct_place(solver, move);
        placed++;
    }
    while (placed-- > 0)
        vct_undo(solver);
    return done;
}

void vct_solve(VctSolver *solver, uint64_t node_limit, VctResult *result) {
    // Any number does. The table outlives a question, and numbers for one attacker are not those
    // for the other in the same position.
    enum { SALT_BITS = 0x2B3E6C1F };
    const Board *board = solver->vcf->board;
    *result = (VctResult){.answer = VCF_NO};
    solver->nodes = 0;
    solver->node_limit = node_limit;
    solver->stopped = solver->cut_by_size = false;
    solver->children_used = 0;
    solver->attacker = board->side;
    solver->salt = solver->attacker == BLACK ? 0 : SALT_BITS;
    // Fours first. After that a search, unless the defender has two fives, for which no threat
    // comes in time.
    if (add_fours(solver, result)) {
        result->answer = result->line_length == 1 ? VCF_FIVE_NOW : VCF_WIN;
    } else if (threat_map_count(solver->vcf->map, colour_other(board->side), THREAT_FIVE) < 2) {
        VctNumbers root = search(solver, 0, NO_LIMIT);
        if (root.pn == 0 && add_line(solver, result))
            result->answer = VCF_WIN;
        else if (root.dn != 0 || solver->cut_by_size)
            result->answer = VCF_UNKNOWN;
    }
    if (result->answer != VCF_WIN && result->answer != VCF_FIVE_NOW)
        result->line_length = 0;
    result->nodes = solver->nodes;
}
