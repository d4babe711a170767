// SPDX-License-Identifier: GPL-3.0-or-later
// The memory of the tree, and what follows from proven children.
#include "engine/search/mcts_tree.h"

#include <stdlib.h>

Status mcts_tree_new(int64_t megabytes, MctsTree **out, ErrorText *err) {
    MctsTree *tree = calloc(1, sizeof *tree);
    uint64_t cap = (uint64_t)megabytes * 1024 * 1024 / sizeof(MctsNode);
    // Indices instead of pointers keep a node at 32 bytes; four thousand million nodes are 128 GiB.
    if (cap > UINT32_MAX)
        cap = UINT32_MAX;
    if (tree)
        tree->nodes = malloc(cap * sizeof(MctsNode));
    if (!tree || !tree->nodes) {
        mcts_tree_free(tree);
        return error_set(err, STATUS_NO_MEMORY, "mcts.memory_mb: no memory for a tree of %lld MiB",
                         (long long)megabytes);
    }
    tree->cap = (uint32_t)cap;
    *out = tree;
    return STATUS_OK;
}

void mcts_tree_free(MctsTree *tree) {
    if (tree)
        free(tree->nodes);
    free(tree);
}

MctsNode *mcts_add_children(MctsTree *tree, MctsNode *node, int count) {
    // All children or none: a node with some of its moves would judge a position it does not have.
    if (count == 0 || (uint32_t)count > tree->cap - tree->used)
        return NULL;
    node->first_child = tree->used;
    node->child_count = (uint16_t)count;
    tree->used += (uint32_t)count;
    return mcts_children(tree, node);
}

void mcts_prove(MctsNode *node, MctsProof proof, int plies) {
    node->proof = (uint8_t)proof;
    node->plies = (uint16_t)plies;
}

void mcts_prove_by_children(const MctsTree *tree, MctsNode *node) {
    // Children are worth what they are to the enemy: his loss is a win here. One is enough for it;
    // for anything else all of them must be known.
    const MctsNode *child = mcts_children(tree, node);
    int quickest = UINT16_MAX, longest = 0, open = 0, drawn = 0;
    for (int i = 0; i < node->child_count; i++) {
        open += child[i].proof == MCTS_OPEN;
        drawn += child[i].proof == MCTS_DRAW;
        if (child[i].proof == MCTS_LOSS && child[i].plies < quickest)
            quickest = child[i].plies;
        if (child[i].proof != MCTS_OPEN && child[i].plies > longest)
            longest = child[i].plies;
    }
    if (quickest < UINT16_MAX)
        mcts_prove(node, MCTS_WIN, quickest + 1);
    else if (!open && node->child_count)
        mcts_prove(node, drawn ? MCTS_DRAW : MCTS_LOSS, longest + 1);
}

// How a child is ranked for being played: proven wins by speed, then what is open or drawn, then
// losses by resistance.
static double rank(const MctsNode *child) {
    switch ((MctsProof)child->proof) {
    // Far above every number of visits, which 32 bits bound.
    case MCTS_LOSS:
        return 2e10 - child->plies;
    case MCTS_WIN:
        return -2e10 + child->plies;
    case MCTS_OPEN:
    case MCTS_DRAW:
        break;
    }
    return child->visits;
}

const MctsNode *mcts_best_child(const MctsTree *tree, const MctsNode *node) {
    // Visits, not values: a child with few visits may look good by luck.
    const MctsNode *child = mcts_children(tree, node), *best = child, *drawn = NULL;
    for (int i = 0; i < node->child_count; i++, child++) {
        if (child->proof == MCTS_DRAW && !drawn)
            drawn = child;
        double better = rank(child) - rank(best);
        if (better > 0 || (better == 0 && child->prior > best->prior))
            best = child;
    }
    bool looks_lost = best->proof == MCTS_WIN || (best->proof == MCTS_OPEN && best->value_sum > 0);
    return drawn && looks_lost ? drawn : best;
}
