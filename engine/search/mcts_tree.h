// SPDX-License-Identifier: GPL-3.0-or-later
// The tree of a Monte Carlo tree search (mcts.c): its nodes, what is proven of them, and the memory
// that they live in.
//
// A node is a position, with what its visits were worth to the side to move there. All children of
// a node stand side by side. Memory is allocated once; when it is full, the tree grows no more. A
// node is proven by what is proven of its children, after Winands, Bjornsson & Saito, "Monte-Carlo
// tree search solver" (2008); as in the other searches, a loss is proven among the candidates that
// the knobs keep.
#pragma once

#include "engine/base/status.h"
#include "engine/board/move.h"

#include <stdbool.h>
#include <stdint.h>

// What is proven of a position, for the side to move there.
typedef enum MctsProof { MCTS_OPEN, MCTS_WIN, MCTS_DRAW, MCTS_LOSS } MctsProof;

// 32 bytes, two a cache line.
typedef struct MctsNode {
    double value_sum; // of the visits, each -1..1, for the side to move at the node
    float prior;      // share among its siblings, 0..1
    uint32_t visits;
    uint32_t first_child; // index in the tree; 0: has none (yet)
    uint16_t child_count;
    Move move;      // that leads here
    uint16_t plies; // to the end of the game, when proven
    uint8_t proof;  // MctsProof, for the side to move at the node
} MctsNode;

// Nodes are handed out from the front and never given back: a search begins with an empty tree.
typedef struct MctsTree {
    MctsNode *nodes;    // owned; nodes[0] is the root
    uint32_t cap, used; // nodes allocated, and in use
} MctsTree;

// Allocates a tree of at most `megabytes` MiB, to be given back by mcts_tree_free.
// STATUS_NO_MEMORY. Thread: owner.
Status mcts_tree_new(int64_t megabytes, MctsTree **out, ErrorText *err) MUST_CHECK;
// Frees the tree; NULL is fine. Thread: owner.
void mcts_tree_free(MctsTree *tree);

// The first child of a node that has some. Thread: owner.
static inline MctsNode *mcts_children(const MctsTree *tree, const MctsNode *node) {
    return &tree->nodes[node->first_child];
}

// Room for `count` children of the node, side by side and not filled; NULL (and nothing changed)
// when there are 0 or the tree is full. Thread: owner.
MctsNode *mcts_add_children(MctsTree *tree, MctsNode *node, int count);

// Notes a result, `plies` before the end of the game. Thread: owner.
void mcts_prove(MctsNode *node, MctsProof proof, int plies);

// What the proven value is worth to the side to move: 1, 0 or -1. Thread: any.
static inline double mcts_proof_worth(const MctsNode *node) {
    return node->proof == MCTS_WIN ? 1 : node->proof == MCTS_LOSS ? -1 : 0;
}

// Notes what the children prove of their parent, if anything: a win by the quickest move that loses
// for the enemy, a loss after the longest resistance when every move is refuted, a draw. Thread:
// owner.
void mcts_prove_by_children(const MctsTree *tree, MctsNode *node);

// The child to play: a proven win by the quickest, else the most visited, else the longest
// resistance; by prior and order of search among equals. A drawn game is better than a line that
// looks worse. The node has children. Thread: owner.
const MctsNode *mcts_best_child(const MctsTree *tree, const MctsNode *node);
