// SPDX-License-Identifier: GPL-3.0-or-later
// Alpha-beta and principal variation search, in the negamax form, fail-soft.
// After Knuth & Moore, "An analysis of alpha-beta pruning" (Artificial Intelligence, 1975); the
// null windows after Marsland, "A review of game-tree pruning" (ICCA Journal, 1986).
//
// With exact knobs the value is that of plain minimax. The move is too: at the root a move that
// stands earlier on the board than the best so far is searched with a window just below the best
// value, so that an equal value is seen exactly; a later one with a window at it, since an equal
// value could not replace the best.
#include "engine/search/movepick.h"
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
    if (depth_plies == 1 && search->params.leaf_by_move && !search->fault &&
        !child_may_end(search, move))
        return leaf_value(search, ply, move);
    eval_place(search->eval, search->board, move);
    double value = -alphabeta_node(search, depth_plies - 1, ply + 1, -beta, -alpha);
    if (search->fault == FAULT_STONE_LEFT && search->cost.nodes == 40)
        return value;
    eval_undo(search->eval, search->board);
    return value;
}

// One move of a node: with pvs all but the first are asked by a null window whether they beat
// alpha, and searched again only if they do.
static double move_value(Search *search, int depth_plies, int ply, Move move, int index,
                         double alpha, double beta) {
    if (!search->params.pvs || index == 0 || alpha == -INFINITY)
        return child_value(search, depth_plies, ply, move, alpha, beta);
    double just_above = value_just_above(alpha);
    int reduction = search->params.lmr ? selective_reduction(search, depth_plies, move, index) : 0;
    if (reduction) { // only a late move that beats alpha all the same deserves the full depth
        double value = child_value(search, depth_plies - reduction, ply, move, alpha, just_above);
        if (value <= alpha || search->stopped)
            return value;
    }
    if (just_above >= beta)
        return child_value(search, depth_plies, ply, move, alpha, beta);
    double value = child_value(search, depth_plies, ply, move, alpha, just_above);
    if (value > alpha && value < beta && !search->stopped)
        value = child_value(search, depth_plies, ply, move, alpha, beta);
    return value;
}

// Can the table answer for this node? An entry counts only if it was searched to the very same
// depth: a deeper one would be another search. Sets *first to its move, to be tried first.
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

// What ends a node before its moves are looked at, beyond what is exact: threats that decide, a win
// by fours at a leaf, futility, a null move. Each by its knob.
static bool selective_cut(Search *search, int depth_plies, int ply, double beta, double *value) {
    const SearchParams *params = &search->params;
    if (selective_decided(search, ply, value))
        return true;
    if (depth_plies <= 0)
        return selective_leaf_wins(search, ply, value);
    if ((params->futility <= 0 && !params->null_move) || !selective_is_calm(search, beta))
        return false;
    double now = search_static(search);
    if (params->futility > 0 && depth_plies <= 4 && now - params->futility * depth_plies >= beta) {
        *value = now;
        return true;
    }
    if (!params->null_move || depth_plies <= params->null_move || now < beta ||
        search->passed_at == ply - 1)
        return false;
    int passed_before = search->passed_at;
    search->passed_at = ply;
    board_set_side(search->board, colour_other(search->board->side));
    *value = -alphabeta_node(search, depth_plies - 1 - params->null_move, ply + 1, -beta,
                             -value_just_below(beta));
    board_set_side(search->board, colour_other(search->board->side));
    search->passed_at = passed_before;
    return *value >= beta && fabs(*value) < VALUE_WIN_BOUND && !search->stopped;
}

static double alphabeta_node(Search *search, int depth_plies, int ply, double alpha, double beta) {
    double value;

    // 1. Count, and end the line: limits, a finished game, depth 0.
    search->pv[ply].length = 0;
    search_count_node(search, ply);
    if (search->stopped)
        return 0;
    bool unfinished = search->board->wins[BLACK] + search->board->wins[WHITE] == 0;
    if (search->params.is_selective && unfinished) {
        depth_plies += selective_extension(search);
        if (selective_cut(search, depth_plies, ply, beta, &value))
            return value;
    }
    if (search_line_ends(search, depth_plies, ply, &value))
        return value;

    // 2. The transposition table may know the answer, or at least a move to begin with.
    TtHit hit = {.move = MOVE_NONE};
    if (table_answers(search, depth_plies, ply, alpha, beta, &hit))
        return hit.value;

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
            return search_win_value(search, depth_plies, ply);
        }
        if (search->params.late_moves && selective_skips(search, depth_plies, move, i, best))
            continue;
        value = move_value(search, depth_plies, ply, move, i, raised, beta);
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
            movepick_learn(search, depth_plies, ply, move, i);
            break;
        }
    }
    table_learns(search, depth_plies, ply, alpha, beta, (TtHit){.value = best, .move = best_move});
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
    bool could_tie = search->params.tie_by_board && best->move != MOVE_NONE && move < best->move;
    return could_tie ? value_just_below(best->value) : best->value;
}

void alphabeta_root(Search *search, int depth_plies, Move first, SearchResult *result) {
    const MoveList *list = search_root_moves(search, depth_plies, first, result);
    for (int i = 0; list && i < list->count; i++) {
        Move move = list->move[i];
        if (search_wins_before_entry(search, move)) {
            search_root_wins(search, depth_plies, list, i, result);
            return;
        }
        double value =
            move_value(search, depth_plies, 0, move, i, root_alpha(search, move, result), INFINITY);
        if (search->stopped)
            return;
        search_root_offer(search, move, value, result);
    }
}
