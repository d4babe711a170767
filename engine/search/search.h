// SPDX-License-Identifier: GPL-3.0-or-later
// A search: its life, and what every node does alike, whatever the algorithm.
//
// Algorithms: one file each (greedy.c, minimax.c, alphabeta.c, mcts.c), chosen in search.c.
// Plain minimax is the oracle of the others and is kept free of windows. All work on the engine's
// own board and evaluation and leave them as they were. Nothing is allocated while searching.
#pragma once

#include "engine/board/board_slow.h"
#include "engine/search/search_state.h"
#include "engine/search/value.h"

// Prepares a search over the borrowed board and evaluation: unpacks the knobs, allocates the table.
// Pairs with search_release. Thread: owner.
Status search_init(Search *search, const KnobSet *knobs, Board *board, Eval *eval,
                   ErrorText *err) MUST_CHECK;
void search_release(Search *search); // frees the table

// Forgets everything learned: table, history, killers. Thread: owner.
void search_clear(Search *search);

// Runs the algorithm of the knobs on the current position. Limits (node_limit, deadline_ns,
// stop_flag) and rng are set by the caller. Costs are in search->cost afterwards, except time.
// Thread: owner.
void search_run(Search *search, int depth_plies, SearchResult *result);

// Raises `stopped` when a limit of nodes or time is reached or the stop flag is set, and says at
// how many nodes to look again. Thread: owner.
void search_check_limits(Search *search);

// Counts a node; the flag and the clock are read every 1024 nodes, those that solvers of threats
// have counted in leaps included, and more often while the nodes are slow. Thread: owner.
static inline void search_count_node(Search *search, int ply) {
    uint64_t nodes = ++search->cost.nodes;
    if (ply > search->cost.seldepth)
        search->cost.seldepth = ply;
    if (nodes >= search->next_check || (search->node_limit && nodes >= search->node_limit))
        search_check_limits(search);
}

// Does the line end at this node, before any move is looked at? If so returns true and the value
// from the mover's side: won or full board by search.terminal, static value at depth 0, threshold.
// Counts the leaf. Thread: owner.
bool search_line_ends(Search *search, int depth_plies, int ply, double *value);

// Value of a node without candidates (search.no_moves), from the mover's side. Thread: owner.
double search_no_moves_value(Search *search);

// Value for the mover of making a winning row with `depth_plies` remaining, found before the child
// is entered. Thread: owner.
double search_win_value(Search *search, int depth_plies, int ply);

// Static value from the mover's side. Thread: owner.
static inline double search_static(const Search *search) {
    double value = eval_value(search->eval, search->board, search->own);
    return search->board->side == search->own ? value : -value;
}

// Does playing `move` end the line before the child is entered (search.terminal before_entry)?
// Thread: owner.
static inline bool search_wins_before_entry(const Search *search, Move move) {
    const Board *board = search->board;
    if (search->params.terminal != TERMINAL_BEFORE_ENTRY)
        return false;
    return search->params.from_scratch ? board_slow_wins_at(board, move, board->side)
                                       : board_wins_at(board, move, board->side);
}

// Counts an interior node that has the moves of `list` to choose from. Thread: owner.
static inline void search_count_interior(Search *search, const MoveList *list) {
    search->cost.interior++;
    search->cost.branches += (uint64_t)list->count;
}

// Makes pv[ply] = move + pv[ply + 1]. Thread: owner.
static inline void search_pv_update(Search *search, int ply, Move move) {
    PvLine *line = &search->pv[ply];
    const PvLine *tail = &search->pv[ply + 1];
    line->move[0] = move;
    for (int i = 0; i < tail->length && i + 1 < SEARCH_MAX_PLY; i++)
        line->move[i + 1] = tail->move[i];
    line->length = tail->length + 1 < SEARCH_MAX_PLY ? tail->length + 1 : SEARCH_MAX_PLY;
}

// Makes pv[ply] = move: the line ends with it. Thread: owner.
static inline void search_pv_end(Search *search, int ply, Move move) {
    search->pv[ply].move[0] = move;
    search->pv[ply].length = 1;
}

// --- the root, as every algorithm treats it

// Opens the root: counts it if it is a node, and fills its moves with `first` in front. Returns
// NULL when the root has a value but no move (finished, or without candidates): *result then holds
// it. When a limit is reached with the root itself, no child may be counted. Thread: owner.
const MoveList *search_root_moves(Search *search, int depth_plies, Move first,
                                  SearchResult *result);

// Takes a root move's value: a better one replaces the result, an equal one only if it is earlier
// on the board and search.tie says so. The principal variation is read from pv[1]. Thread: owner.
void search_root_offer(Search *search, Move move, double value, SearchResult *result);

// The move at `index` wins before entry: it is the result, or an earlier one on the board that wins
// as well. Thread: owner.
void search_root_wins(Search *search, int depth_plies, const MoveList *list, int index,
                      SearchResult *result);

// --- the algorithms

// Plain minimax, no window, no table: the oracle. Thread: owner.
void minimax_root(Search *search, int depth_plies, SearchResult *result);

// Alpha-beta and principal variation search. `first` is searched first at the root (MOVE_NONE: by
// the ordering alone). Thread: owner.
void alphabeta_root(Search *search, int depth_plies, Move first, SearchResult *result);

// One ply: the candidate with the best point score, own part plus eval.defense times the enemy's.
// Thread: owner.
void greedy_root(Search *search, SearchResult *result);

// A candidate at random. Thread: owner.
void random_root(Search *search, SearchResult *result);

// Monte Carlo tree search from an empty tree, until the root is proven, mcts.playouts are done or a
// limit is reached. Thread: owner.
void mcts_root(Search *search, SearchResult *result);
