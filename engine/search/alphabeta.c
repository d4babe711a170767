// SPDX-License-Identifier: GPL-3.0-or-later
// Alpha-beta and principal variation search, in the negamax form, fail-soft.
// After Knuth & Moore, "An analysis of alpha-beta pruning" (Artificial Intelligence, 1975); the
// null windows after Marsland, "A review of game-tree pruning" (ICCA Journal, 1986).
//
// With exact knobs the value is that of plain minimax. The move is too: at the root a move that
// stands earlier on the board than the best so far is searched with a window just below the best
// value, so that an equal value is seen exactly; a later one with a window at it, since an equal
// value could not replace the best.
#include "engine/board/zobrist.h"
#include "engine/search/movepick.h"
#include "engine/search/root_threats.h"
#include "engine/search/search.h"
#include "engine/search/selective.h"

static double alphabeta_node(Search *search, int depth_plies, int ply, double alpha, double beta);

// Does the child end the game, or could it (an old row, a full board)? Then it must be looked at on
// the board.
static bool child_may_end(const Search *search, Move move) {
    const Board *board = search->board;
    return search->params.terminal == TERMINAL_RULE &&
           (board->wins[BLACK] + board->wins[WHITE] > 0 ||
            board->stone_count + 1 == board_cell_count(board) ||
            board_wins_at(board, move, board->side));
}

// Value, for the mover, of a move to a leaf: counted like any node, but its stone is never placed.
static double leaf_value(Search *search, int ply, Move move) {
    search->pv[ply + 1].length = 0;
    search_count_node(search, ply + 1);
    if (search->stopped)
        return 0;
    search->cost.leaves++;
    double value = search->eval->model->value_after(search->eval, search->board, move, search->own);
    return search->board->side == search->own ? value : -value;
}

static double child_value(Search *search, int depth_plies, int ply, Move move, double alpha,
                          double beta) {
    const Board *board = search->board;
    if (depth_plies == 1 && search->params.leaf_by_move && !search->fault &&
        !child_may_end(search, move))
        return leaf_value(search, ply, move);
    // The child's key is known before the child: its bucket comes from memory while the stone is
    // placed. Not for leaves: they ask no table, and to fetch costs a walk through the page tables.
    if (depth_plies > 1)
        tt_prefetch(&search->tt,
                    board->key ^ zobrist_stone(move, board->side) ^ ZOBRIST_WHITE_TO_MOVE);
    eval_place(search->eval, search->board, move);
    double value = -alphabeta_node(search, depth_plies - 1, ply + 1, -beta, -alpha);
    if (search->fault == FAULT_STONE_LEFT && search->cost.nodes == 40)
        return value;
    eval_undo(search->eval, search->board);
    return value;
}

// One move of a node: with pvs all but the first are asked by a null window whether they beat
// alpha, and searched again only if they do. `alpha` is the node's as it has risen.
static double move_value(Search *search, const SearchNode *node, Move move, int index,
                         double alpha) {
    int depth = node->depth_plies, ply = node->ply;
    double beta = node->beta;
    if (move == node->singular)
        depth++;
    if (!search->params.pvs || index == 0 || alpha == -INFINITY)
        return child_value(search, depth, ply, move, alpha, beta);
    // The narrowest window: the question is only whether the value is above alpha.
    double just_above = value_just_above(alpha);
    int reduction = search->params.lmr ? selective_reduction(search, node, move, index) : 0;
    if (reduction) { // only a late move that beats alpha all the same deserves the full depth
        double value = child_value(search, depth - reduction, ply, move, alpha, just_above);
        if (value <= alpha || search->stopped)
            return value;
    }
    // The window is a null window already: nothing could be asked twice.
    if (just_above >= beta)
        return child_value(search, depth, ply, move, alpha, beta);
    double value = child_value(search, depth, ply, move, alpha, just_above);
    if (value > alpha && value < beta && !search->stopped)
        value = child_value(search, depth, ply, move, alpha, beta);
    return value;
}

// Can the table answer for this node? An entry counts only if it was searched to the very same
// depth, unless search.tt_deeper says otherwise: a deeper one would be another search. *hit is the
// entry even when it does not answer: its move is to be tried first.
static bool table_answers(Search *search, int depth_plies, int ply, double alpha, double beta,
                          TtHit *hit) {
    if (!search->tt.entries)
        return false;
    search->cost.tt_probes++;
    if (!tt_probe(&search->tt, search->board->key, ply, hit))
        return false;
    search->cost.tt_hits++;
    if (search->fault == FAULT_TABLE_WITHOUT_BOUNDS)
        return hit->depth >= depth_plies;
    bool deep_enough =
        search->params.tt_deeper ? hit->depth >= depth_plies : hit->depth == depth_plies;
    return deep_enough &&
           (hit->bound == BOUND_EXACT || (hit->bound == BOUND_LOWER && hit->value >= beta) ||
            (hit->bound == BOUND_UPPER && hit->value <= alpha));
}

// A fail-soft value is a bound beyond the window, and stored as such.
static void table_learns(Search *search, int depth_plies, int ply, double alpha, double beta,
                         TtHit found) {
    if (!search->tt.entries || search->stopped)
        return;
    found.depth = depth_plies;
    found.bound = found.value <= alpha  ? BOUND_UPPER
                  : found.value >= beta ? BOUND_LOWER
                                        : BOUND_EXACT;
    tt_store(&search->tt, search->board->key, ply, &found);
}

// Does the mover stand above beta although he passes (search.null_move)?
static bool null_move_cuts(Search *search, const SearchNode *node, double *value) {
    int less = search->params.null_move, ply = node->ply;
    // Not where the static value is below beta, nor twice in a row, nor while a move is excluded: a
    // pass would answer another question.
    if (!less || node->depth_plies <= less || search->now[ply] < node->beta ||
        search->passed_at == ply - 1 || search->excluded[ply] != MOVE_NONE)
        return false;
    int passed_before = search->passed_at;
    search->passed_at = ply;
    board_set_side(search->board, colour_other(search->board->side));
    *value = -alphabeta_node(search, node->depth_plies - 1 - less, ply + 1, -node->beta,
                             -value_just_below(node->beta));
    board_set_side(search->board, colour_other(search->board->side));
    search->passed_at = passed_before;
    // A win proved after a pass is none: its line holds a move that nobody may make.
    return *value >= node->beta && fabs(*value) < VALUE_WIN_BOUND && !search->stopped;
}

// What ends a node before its moves are looked at, beyond what is exact: razoring, futility, a null
// move. Each by its knob.
static bool selective_cut(Search *search, SearchNode *node, double *value) {
    int ply = node->ply;
    search->now[ply] = search_static(search);
    node->is_improving = ply < 2 || search->now[ply] >= search->now[ply - 2];
    return selective_stands(search, node, value) || null_move_cuts(search, node, value);
}

// Where the table knows no move, a search of two plies less finds one to begin with (search.iid).
static Move iid_move(Search *search, const SearchNode *node) {
    TtHit hit;
    if (!search->params.iid || node->depth_plies < search->params.iid || node->depth_plies < 3 ||
        !search->tt.entries)
        return MOVE_NONE;
    alphabeta_node(search, node->depth_plies - 2, node->ply, node->alpha, node->beta);
    bool found = !search->stopped && tt_probe(&search->tt, search->board->key, node->ply, &hit);
    return found ? hit.move : (Move)MOVE_NONE;
}

// Is the table's move far above all others? They are asked at half the depth whether one comes near
// its value (search.singular). After Anantharaman, Campbell & Hsu, "Singular extensions: adding
// selectivity to brute-force searching" (Artificial Intelligence, 1990).
static void look_for_singular(Search *search, SearchNode *node, const TtHit *hit) {
    int least = search->params.singular, ply = node->ply;
    // The table's value must be a lower bound from a search nearly as deep, or it is no yardstick.
    // And lines end: beyond twice the depth of the root no move is singular.
    if (!least || node->depth_plies < least || hit->move == MOVE_NONE ||
        hit->bound == BOUND_UPPER || hit->depth < node->depth_plies - 3 ||
        fabs(hit->value) >= VALUE_WIN_BOUND || search->excluded[ply] != MOVE_NONE ||
        ply >= 2 * search->root_depth)
        return;
    double near = hit->value - selective_singular_margin(node->depth_plies);
    // The same node, asked without that move; its list is filled again afterwards.
    search->excluded[ply] = hit->move;
    double others =
        alphabeta_node(search, (node->depth_plies - 1) / 2, ply, value_just_below(near), near);
    search->excluded[ply] = MOVE_NONE;
    if (others < near && !search->stopped)
        node->singular = hit->move;
}

// A line that ends at once, the selective way: by the threats on the board, or at a leaf by fours.
static bool selective_ends(Search *search, SearchNode *node, double *value) {
    node->depth_plies += selective_extension(search);
    if (node->alpha >= VALUE_WIN - (node->ply + 1)) { // no win from here is quick enough
        *value = node->alpha;
        return true;
    }
    return selective_decided(search, node->ply, value) ||
           (node->depth_plies <= 0 && selective_leaf_wins(search, node->ply, value));
}

// Steps 1 and 2 of a node. Is it answered before any of its moves is looked at? Then *value says
// what it is worth (anything, when the search has stopped); else hit->move is to be tried first.
static inline bool node_is_answered(Search *search, SearchNode *node, bool is_selective, TtHit *hit,
                                    double *value) {
    int ply = node->ply;

    // 1. Count, and end the line: limits, a finished game, depth 0.
    *value = 0;
    search->pv[ply].length = 0;
    search_count_node(search, ply);
    if (search->stopped || (is_selective && selective_ends(search, node, value)) ||
        search_line_ends(search, node->depth_plies, ply, value))
        return true;

    // 2. The transposition table may know the answer, or at least a move to begin with. Not while a
    // move is excluded: the entry is about all moves.
    bool is_whole = search->excluded[ply] == MOVE_NONE;
    if (is_whole && table_answers(search, node->depth_plies, ply, node->alpha, node->beta, hit)) {
        *value = hit->value;
        return true;
    }
    if (is_selective && (selective_cut(search, node, value) || search->stopped))
        return true;
    if (hit->move == MOVE_NONE && is_whole)
        hit->move = iid_move(search, node);
    else if (is_selective)
        look_for_singular(search, node, hit);
    search->pv[ply].length = 0; // those searches have left theirs
    return search->stopped;
}

static double alphabeta_node(Search *search, int depth_plies, int ply, double alpha, double beta) {
    SearchNode node = {depth_plies, ply, alpha, beta, MOVE_NONE, true};
    // A row on the board is for the rule to judge: threats would tell who makes the next one.
    bool is_selective =
        search->params.is_selective && search->board->wins[BLACK] + search->board->wins[WHITE] == 0;
    Move excluded = search->excluded[ply];
    TtHit hit = {.move = MOVE_NONE};
    double value;
    if (node_is_answered(search, &node, is_selective, &hit, &value))
        return value;

    // 3. The candidates.
    const MoveList *list = movepick_begin(search, ply, hit.move);
    if (list->count == 0)
        return search_no_moves_value(search);
    search_count_interior(search, list);

    // 4. The loop over moves. `raised` is alpha as it rises; alpha itself stays for the table.
    double best = -INFINITY, raised = alpha;
    Move best_move = list->move[0];
    for (int i = 0; i < list->count; i++) {
        Move move = movepick_move(search, ply, i);
        if (search_wins_before_entry(search, move)) {
            search_pv_end(search, ply, move);
            return search_win_value(search, node.depth_plies, ply);
        }
        if (move == excluded || (is_selective && selective_skips(search, &node, move, i, best)))
            continue;
        value = move_value(search, &node, move, i, raised);
        if (search->stopped)
            return 0;
        if (value > best) {
            best = value;
            best_move = move;
            search_pv_update(search, ply, move);
        }
        raised = best > raised ? best : raised;

        // 5. Cutoff: the opponent will not let it come to this.
        if (raised >= beta) {
            search->cost.cutoffs++;
            search->cost.first_cutoffs += i == 0;
            movepick_learn(search, node.depth_plies, ply, move, i);
            break;
        }
    }
    if (excluded == MOVE_NONE)
        table_learns(search, node.depth_plies, ply, alpha, beta,
                     (TtHit){.value = best, .move = best_move});
    return best;
}

// The lower end of a root move's window.
static double root_alpha(const Search *search, Move move, const SearchResult *best) {
    if (search->fault == FAULT_NARROW_ROOT_WINDOW && best->value < 0)
        return 0;
    switch (search->params.root) {
    case ROOT_FULL:
        return -INFINITY;
    case ROOT_SHARED:
        return best->value;
    case ROOT_EXACT:
        break;
    }
    // Just below: a value equal to the best must come out exact, since the earlier cell would win
    // it.
    bool could_tie = search->params.tie_by_board && best->move != MOVE_NONE && move < best->move;
    double alpha = could_tie ? value_just_below(best->value) : best->value;
    return alpha > search->window[0] ? alpha : search->window[0];
}

void alphabeta_root(Search *search, int depth_plies, Move first, SearchResult *result) {
    const MoveList *list = search_root_moves(search, depth_plies, first, result);
    SearchNode node = {depth_plies, 0, search->window[0], search->window[1], MOVE_NONE, true};
    search->now[0] = list ? search_static(search) : 0;
    for (int i = 0; list && i < list->count && !search->stopped; i++) {
        Move move = list->move[i];
        if (search_wins_before_entry(search, move)) {
            search_root_wins(search, depth_plies, list, i, result);
            return;
        }
        double value = move_value(search, &node, move, i, root_alpha(search, move, result));
        if (search->stopped)
            return;
        if (value >= result->value)
            value = root_threats_value(search, move, value);
        search_root_offer(search, move, value, result);
        if (value >= search->window[1])
            return; // above the window: the iteration begins again anyway
    }
}
