// SPDX-License-Identifier: GPL-3.0-or-later
// Plain minimax: every candidate, every line, no window. Slow on purpose: it is what the other
// searches are held against, so whatever makes them quick must not come in here.
#include "engine/search/movepick.h"
#include "engine/search/search.h"

static double minimax_node(Search *search, int depth_plies, int ply);

// Value of one move for the mover, looked at by playing it.
static double minimax_move(Search *search, int depth_plies, int ply, Move move) {
    eval_place(search->eval, search->board, move);
    double value = -minimax_node(search, depth_plies - 1, ply + 1);
    eval_undo(search->eval, search->board);
    return value;
}

static double minimax_node(Search *search, int depth_plies, int ply) {
    double best = -INFINITY, value;
    search->pv[ply].length = 0;
    search_count_node(search, ply);
    if (search->stopped || search_line_ends(search, depth_plies, ply, &value))
        return search->stopped ? 0 : value;
    const MoveList *list = movepick_fill(search, ply, MOVE_NONE);
    if (list->count == 0)
        return search_no_moves_value(search);
    search_count_interior(search, list);
    for (int i = 0; i < list->count && !search->stopped; i++) {
        if (search_wins_before_entry(search, list->move[i])) {
            search_pv_end(search, ply, list->move[i]);
            return search_win_value(search, depth_plies, ply);
        }
        value = minimax_move(search, depth_plies, ply, list->move[i]);
        // The first move counts even if it is worth minus infinity: a node with moves has a line.
        if (value > best || i == 0) {
            best = value;
            search_pv_update(search, ply, list->move[i]);
        }
    }
    return best;
}

void minimax_root(Search *search, int depth_plies, SearchResult *result) {
    const MoveList *list = search_root_moves(search, depth_plies, MOVE_NONE, result);
    for (int i = 0; list && i < list->count && !search->stopped; i++) {
        Move move = list->move[i];
        if (search_wins_before_entry(search, move)) {
            search_root_wins(search, depth_plies, list, i, result);
            return;
        }
        double value = minimax_move(search, depth_plies, 0, move);
        if (search->stopped)
            return;
        search_root_offer(search, move, value, result);
    }
}
