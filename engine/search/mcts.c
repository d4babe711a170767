// SPDX-License-Identifier: GPL-3.0-or-later
// Monte Carlo tree search: PUCT with priors from the point scores, leaves judged by the evaluation
// or by playouts, and proven results backed up like any other knowledge.
//
// A simulation goes down by prior and value, judges one new position and carries its worth back up;
// a position gets children when it is reached a second time, so most of the tree needs none. A line
// that the rule, the threats on the board (search.threats) or continuous fours (search.vcf) decide
// is proven, and so is every position above that it decides; a proven root ends the search.
//
// What it costs, in the words of cost.h: a node is a simulation (the root and solvers' positions
// come on top), an interior node one that got children, a leaf one judged position; depth is the
// length of the principal variation, seldepth that of the longest line. A value that is not proven
// is that of an evaluation which judges the position the same.
//
// After Coulom, "Efficient selectivity and backup operators in Monte-Carlo tree search" (2006), and
// Rosin, "Multi-armed bandits with episode context" (2011) for the priors.
#include "engine/base/check.h"
#include "engine/search/mcts_tree.h"
#include "engine/search/movepick.h"
#include "engine/search/playout.h"
#include "engine/search/search.h"
#include "engine/search/selective.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_DEPTH = SEARCH_MAX_PLY - 4, // positions deeper in the tree get no children
    LIMITS_EVERY = 16,              // simulations between looks at the clock and the stop flag
};

// A move that nobody has tried is taken to be this much worse than the position as it is known.
static const double UNTRIED_LOSS = 0.25;

typedef struct Mcts {
    Search *search;
    MctsTree *tree;
    double exploration, scale;
    int prior_sixteenths;
    bool by_playout;
    MctsNode *path[SEARCH_MAX_PLY]; // of the current simulation, from the root
} Mcts;

// --- values and proofs

static double unsquash(const Mcts *mcts, double worth) { // inverse of playout_squash, but finite
    const double SURE = 0.999999;
    worth = worth > SURE ? SURE : worth < -SURE ? -SURE : worth;
    return mcts->scale * worth / (1 - fabs(worth));
}

// x to the power of n / 16, x >= 1: by roots and products, which are the same bits on every
// machine, as pow() is not.
static double power_of_sixteenths(double x, int n) {
    double root = sqrt(sqrt(sqrt(sqrt(x)))), power = 1;
    for (; n > 0; n >>= 1, root *= root)
        if (n & 1)
            power *= root;
    return power;
}

// --- one simulation

// Gives the node children from a list of moves, with priors by their point scores. False when the
// tree is full.
static bool expand(Mcts *mcts, MctsNode *node, const MoveList *list) {
    Search *search = mcts->search;
    double score[BOARD_MAX_CELLS], sum = 0;
    MctsNode *child = mcts_add_children(mcts->tree, node, list->count);
    if (!child)
        return false;
    eval_points(search->eval, search->board, list->move, list->count, COLOUR_NB, score);
    for (int i = 0; i < list->count; i++) {
        score[i] = power_of_sixteenths((score[i] > 0 ? score[i] : 0) + 1, mcts->prior_sixteenths);
        sum += score[i];
    }
    for (int i = 0; i < list->count; i++)
        child[i] = (MctsNode){.move = list->move[i], .prior = (float)(score[i] / sum)};
    search_count_interior(search, list);
    return true;
}

// The child with the best sum of what it is worth to the mover and what is still to be learned of
// it; nothing is to be learned of a proven one. NULL when all are proven.
static MctsNode *select_child(const Mcts *mcts, const MctsNode *node) {
    MctsNode *child = mcts_children(mcts->tree, node), *best = NULL;
    double urge = mcts->exploration * sqrt((double)node->visits + 1), best_score = -INFINITY;
    double untried = (node->visits ? node->value_sum / node->visits : 0) - UNTRIED_LOSS;
    for (int i = 0; i < node->child_count; i++, child++) {
        if (child->proof)
            continue;
        double worth = child->visits ? -child->value_sum / child->visits : untried;
        double score = worth + urge * child->prior / (1.0 + child->visits);
        if (score > best_score) {
            best_score = score;
            best = child;
        }
    }
    return best;
}

// Is the position decided by the rule, by the threats on it, or by continuous fours?
static void prove_position(Search *search, MctsNode *node) {
    const Board *board = search->board;
    double value;
    if (board->wins[colour_other(board->side)])
        mcts_prove(node, MCTS_LOSS, 0);
    else if (board->wins[board->side])
        mcts_prove(node, MCTS_WIN, 0);
    else if (board_is_full(board))
        mcts_prove(node, MCTS_DRAW, 0);
    else if (selective_decided(search, 0, &value) || selective_leaf_wins(search, 0, &value))
        mcts_prove(node, value > 0 ? MCTS_WIN : MCTS_LOSS, (int)(VALUE_WIN - fabs(value)));
}

// What the position is worth to the side to move, -1..1.
static double judge(Mcts *mcts, MctsNode *node) {
    Search *search = mcts->search;
    if (!node->visits)
        prove_position(search, node);
    if (node->proof)
        return mcts_proof_worth(node);
    search->cost.leaves++;
    if (mcts->by_playout)
        return playout_worth(search, mcts->scale);
    return playout_squash(search_static(search), mcts->scale);
}

// Goes down from the root to a position that is proven, new, or cannot have children. Returns its
// ply.
static int descend(Mcts *mcts) {
    Search *search = mcts->search;
    MctsNode *node = mcts->path[0] = mcts->tree->nodes;
    int ply = 0;
    while (!node->proof && ply < MAX_DEPTH) {
        if (!node->first_child && (!node->visits || mcts->tree->used == mcts->tree->cap ||
                                   !expand(mcts, node, movepick_fill(search, ply, MOVE_NONE))))
            break;
        MctsNode *child = select_child(mcts, node);
        CHECK(child != NULL); // else the node would be proven
        eval_place(search->eval, search->board, child->move);
        mcts->path[++ply] = node = child;
    }
    return ply;
}

static void simulate(Mcts *mcts) {
    Search *search = mcts->search;
    int ply = descend(mcts);
    search_count_node(search, ply);
    double worth = judge(mcts, mcts->path[ply]);
    for (int i = 0; i < ply; i++)
        eval_undo(search->eval, search->board);
    // Back up the path. A worth changes its sign at each ply; what is proven on the way replaces
    // it.
    for (bool proven = mcts->path[ply]->proof; ply >= 0; ply--, worth = -worth) {
        MctsNode *node = mcts->path[ply];
        if (proven && !node->proof)
            mcts_prove_by_children(mcts->tree, node);
        proven = node->proof != MCTS_OPEN;
        if (proven)
            worth = mcts_proof_worth(node);
        node->visits++;
        node->value_sum += worth;
    }
}

// --- the answer

static double answer_value(const Mcts *mcts, const MctsNode *best) {
    switch ((MctsProof)best->proof) {
    case MCTS_LOSS:
        return VALUE_WIN - (best->plies + 1);
    case MCTS_WIN:
        return -(VALUE_WIN - (best->plies + 1));
    case MCTS_DRAW:
        return 0;
    case MCTS_OPEN:
        break;
    }
    if (!best->visits)
        return search_static(mcts->search);
    return unsquash(mcts, -best->value_sum / best->visits);
}

static void answer(Mcts *mcts, SearchResult *result) {
    const MctsNode *node = mcts->tree->nodes, *best = mcts_best_child(mcts->tree, node);
    *result = (SearchResult){.move = best->move, .value = answer_value(mcts, best)};
    for (; node->first_child && result->pv.length < SEARCH_MAX_PLY; node = best) {
        best = mcts_best_child(mcts->tree, node);
        if (!best->visits && result->pv.length > 0)
            break; // nobody has looked at it
        result->pv.move[result->pv.length++] = best->move;
    }
    mcts->search->cost.depth = result->pv.length;
}

void mcts_root(Search *search, SearchResult *result) {
    const KnobSet *knobs = &search->knobs;
    Mcts mcts = {.search = search,
                 .tree = search->mcts,
                 .exploration = knob_real(knobs, KNOB_MCTS_EXPLORATION),
                 .prior_sixteenths = (int)lrint(16 * knob_real(knobs, KNOB_MCTS_PRIOR)),
                 .scale = knob_real(knobs, KNOB_MCTS_SCALE),
                 .by_playout = knob_int(knobs, KNOB_MCTS_LEAF) == MCTS_LEAF_PLAYOUT};
    int64_t playouts = knob_int(knobs, KNOB_MCTS_PLAYOUTS);
    const MoveList *list = search_root_moves(search, 1, MOVE_NONE, result);
    if (!list)
        return;
    MctsNode *root = mcts.tree->nodes;
    *root = (MctsNode){.move = MOVE_NONE};
    mcts.tree->used = 1;
    search->cost.interior = search->cost.branches = 0; // counted by expand
    bool fits = expand(&mcts, root, list);
    CHECK(fits); // the smallest tree holds more than a board
    for (int64_t done = 0; !root->proof && !search->stopped; done++) {
        if (playouts && done == playouts)
            break;
        // Before each simulation: one may cost many nodes (solvers), but none begins beyond the
        // limit.
        if (search->node_limit && search->cost.nodes >= search->node_limit)
            search->stopped = true;
        else
            simulate(&mcts);
        if (done % LIMITS_EVERY == LIMITS_EVERY - 1)
            search_check_limits(search);
    }
    answer(&mcts, result);
}
