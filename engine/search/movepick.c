// SPDX-License-Identifier: GPL-3.0-or-later
// Selects and orders the candidates of a node.
//
// Three ways, by what the knobs allow. Any list of terms: all candidates are keyed and sorted. A
// list that begins with the ranking of moves.limit: the first move is found, the rest ranked only
// if it did not cut. One sum over the threat map, in whole numbers: the next best is picked when it
// is asked for; for selective searches only. Of equal moves the first on the board goes first in
// all three.
#include "engine/search/movepick.h"

#include "engine/board/board_slow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double point_key(const Search *search, Move move, OrderColour colour) {
    const Board *board = search->board;
    Colour mover = board->side;
    switch (colour) {
    case ORDER_OWN:
        return eval_point(search->eval, board, move, search->own);
    case ORDER_MOVER:
        return eval_point(search->eval, board, move, mover);
    default:
        return eval_point_both(search->eval, board, move);
    }
}

static int chebyshev(const Board *board, Move a, Move b) {
    int dx = abs(a % board->width - b % board->width),
        dy = abs(a / board->width - b / board->width);
    return dx > dy ? dx : dy;
}

// Keys are doubles, as the scores of some models are; larger is better, so distances are negative.
static double part_key(const Search *search, int ply, Move move, OrderPart part) {
    Colour mover = search->board->side;
    Move last = board_last_played(search->board);
    switch (part.key) {
    case ORDER_SCORE:
        return point_key(search, move, part.colour);
    case ORDER_CENTER:
        return search->center_key[move];
    case ORDER_DISTANCE:
        return -chebyshev(search->board, move,
                          last == MOVE_NONE ? board_centre(search->board) : last);
    case ORDER_HISTORY:
        if (search->params.history_shared)
            return search->history[BLACK][move];
        if (part.colour == ORDER_BOTH)
            return search->history[BLACK][move] + search->history[WHITE][move];
        return search->history[part.colour == ORDER_OWN ? search->own : mover][move];
    case ORDER_KILLER:
        return search->killer[ply][0] == move ? 2 : search->killer[ply][1] == move;
    case ORDER_COUNTER:
        return last != MOVE_NONE && search->counter[mover][last] == move;
    case ORDER_KEY_NB:
        break;
    }
    return 0;
}

// Keeps the best `limit` by `key`, best first; equal keys keep board order. Candidates come in
// board order.
static void keep_best(MoveList *list) {
    int kept = 0, limit = list->count;
    for (int i = 0; i < list->pool_count; i++) {
        double key = list->pool_key[i];
        if (kept == limit && key <= list->key[kept - 1])
            continue;
        int at = kept < limit ? kept++ : kept - 1;
        for (; at > 0 && list->key[at - 1] < key; at--) {
            list->key[at] = list->key[at - 1];
            list->move[at] = list->move[at - 1];
        }
        list->key[at] = key;
        list->move[at] = list->pool[i];
    }
}

static void move_to_front(MoveList *list, Move first) {
    // The others keep their order. From 1: the first is where it should be.
    for (int i = 1; i < list->count; i++)
        if (list->move[i] == first) {
            memmove(&list->move[1], &list->move[0], (size_t)i * sizeof list->move[0]);
            list->move[0] = first;
            return;
        }
}

// Board order.
static int compare_moves(const void *a, const void *b) {
    return *(const Move *)a - *(const Move *)b;
}

// Stable insertion sort of list->move[from..to-1] by descending key: short, and nearly sorted after
// the first term.
static void sort_by_key(MoveList *list, int from, int to) {
    for (int i = from + 1; i < to; i++) {
        Move move = list->move[i];
        double key = list->key[i];
        int at = i;
        for (; at > from && list->key[at - 1] < key; at--) {
            list->key[at] = list->key[at - 1];
            list->move[at] = list->move[at - 1];
        }
        list->key[at] = key;
        list->move[at] = move;
    }
}

static double term_key(const Search *search, int ply, Move move, const OrderTerm *term) {
    double key = 0;
    for (int p = 0; p < term->part_count; p++)
        key += part_key(search, ply, move, term->part[p]);
    return key;
}

// Orders list->move[from..to-1] by the terms first_term.. of the ordering. The last term goes
// first: stable sorts leave the first in charge.
static void sort_by_terms(Search *search, int ply, int first_term, int from, int to) {
    const OrderList *order = &search->params.order;
    MoveList *list = &search->list[ply];
    for (int t = order->term_count - 1; t >= first_term; t--) {
        for (int i = from; i < to; i++)
            list->key[i] = term_key(search, ply, list->move[i], &order->term[t]);
        sort_by_key(list, from, to);
    }
}

static void select_candidates(Search *search, MoveList *list) {
    const SearchParams *params = &search->params;
    int count = params->from_scratch ? board_slow_candidates(search->board, list->pool)
                                     : board_candidates(search->board, list->pool);
    int limit = search->fault == FAULT_ORDER_CHANGES_CANDIDATES ? 0 : params->limit;
    bool cut = limit && count > limit;
    // Nothing is cut off and nothing has to be ranked: no score is asked for.
    if (!cut && !params->rank_leads) {
        memcpy(list->move, list->pool, (size_t)count * sizeof list->move[0]);
        list->count = count;
        return;
    }
    // By whose score: COLOUR_NB is both together.
    const Colour ranked[] = {[SELECT_BOTH] = COLOUR_NB,
                             [SELECT_OWN] = search->own,
                             [SELECT_MOVER] = search->board->side};
    if (params->select == SELECT_BOARD)
        memset(list->pool_key, 0, (size_t)count * sizeof list->pool_key[0]);
    else
        eval_points(search->eval, search->board, list->pool, count, ranked[params->select],
                    list->pool_key);
    list->pool_count = count;
    list->count = cut ? limit : count;
    if (params->rank_leads)
        return;
    keep_best(list);
    list->pool_count = 0;
    // Kept by rank, but handed on in board order: ties of the ordering must not tell how moves were
    // selected.
    if (params->select != SELECT_BOARD)
        qsort(list->move, (size_t)list->count, sizeof list->move[0], compare_moves);
}

// What a faulty ordering does to the list (engine/base/fault.h); the first move is left in any
// case.
static void spoil(const Search *search, MoveList *list) {
    int limit = search->params.limit ? search->params.limit : 8, kept = 1;
    if (search->fault == FAULT_ORDER_CHANGES_CANDIDATES && list->count > limit)
        list->count = limit;
    if (search->fault != FAULT_HISTORY_OVERFLOW)
        return;
    const double *history =
        search->history[search->params.history_shared ? BLACK : search->board->side];
    for (int i = 1; i < list->count; i++)
        if (history[list->move[i]] <= 127)
            list->move[kept++] = list->move[i];
    list->count = list->count ? kept : 0;
}

// Do terms come after the ranking that could break its ties?
static bool has_tie_breakers(const Search *search) { return search->params.order.term_count > 1; }

// Is a (of equal rank, later on the board) to be searched before b by the terms after the ranking?
static bool breaks_tie(const Search *search, int ply, Move a, Move b) {
    const OrderList *order = &search->params.order;
    for (int t = 1; t < order->term_count; t++) {
        double key_a = term_key(search, ply, a, &order->term[t]);
        double key_b = term_key(search, ply, b, &order->term[t]);
        if (key_a != key_b)
            return key_a > key_b;
    }
    return false;
}

// The move that ranking the pool would put first. Of equals only the first `count` on the board are
// kept, so only they are asked.
static Move best_of_pool(const Search *search, int ply) {
    const MoveList *list = &search->list[ply];
    int best = 0;
    for (int i = 1; i < list->pool_count; i++)
        best = list->pool_key[i] > list->pool_key[best] ? i : best;
    int leader = best, equals = 1;
    for (int i = best + 1; i < list->pool_count && has_tie_breakers(search); i++)
        if (list->pool_key[i] == list->pool_key[best] && equals++ < list->count &&
            breaks_tie(search, ply, list->pool[i], list->pool[leader]))
            leader = i;
    return list->pool[leader];
}

// Orders moves of equal rank by the terms after it.
static void sort_ties(Search *search, int ply) {
    const MoveList *list = &search->list[ply];
    for (int from = 0, to; from < list->count; from = to) {
        double rank = list->key[from];
        for (to = from + 1; to < list->count && list->key[to] == rank;)
            to++;
        if (to - from > 1)
            sort_by_terms(search, ply, 1, from, to);
    }
}

void movepick_rank_pool(Search *search, int ply) {
    MoveList *list = &search->list[ply];
    keep_best(list);
    list->pool_count = 0;
    if (has_tie_breakers(search))
        sort_ties(search, ply);
    if (list->front != MOVE_NONE)
        move_to_front(list, list->front);
}

// The moves that answer the enemy's five or open four, and own fours (moves.forced): everything
// else loses at once. Such a move stands where the enemy would make at least a four. False when
// nothing is threatened.
static bool forced_moves(Search *search, MoveList *list) {
    // Two fives of the enemy: one is answered, and the other seen by the search. The order is that
    // of force: an own five wins before anything has to be stopped.
    const ThreatMap *map = search->eval->threats;
    Colour mover = search->board->side, enemy = colour_other(mover);
    Move five = threat_map_five(map, mover);
    if (five == MOVE_NONE)
        five = threat_map_five(map, enemy);
    if (five != MOVE_NONE) {
        list->move[list->count++] = five;
        return true;
    }
    if (!threat_map_count(map, enemy, THREAT_OPEN_FOUR))
        return false;
    list->count = threat_map_cells(map, enemy, THREAT_FOUR, list->move);
    int own = threat_map_cells(map, mover, THREAT_FOUR, list->pool);
    for (int i = 0; i < own; i++)
        if (map->threat[enemy][list->pool[i]] < THREAT_FOUR)
            list->move[list->count++] = list->pool[i];
    for (int i = 0; i < list->count; i++)
        list->key[i] = eval_point_both(search->eval, search->board, list->move[i]);
    sort_by_key(list, 0, list->count);
    return true;
}

MoveList *movepick_begin(Search *search, int ply, Move first) {
    MoveList *list = &search->list[ply];
    list->count = list->pool_count = 0;
    list->picked = -1;
    list->front = first;
    // Nothing is near a stone yet; with radius 0 every cell is a candidate all the same.
    if (search->board->stone_count == 0 && search->board->radius > 0) {
        if (knob_int(&search->knobs, KNOB_MOVES_EMPTY) == MOVES_EMPTY_CENTRE)
            list->move[list->count++] = board_centre(search->board);
        return list;
    }
    if (search->params.forced && forced_moves(search, list)) {
        move_to_front(list, first);
        return list;
    }
    if (search->params.quick_order) {
        movepick_pack(search, ply, first);
        return list;
    }
    select_candidates(search, list);
    if (search->params.rank_leads) {
        if (first == MOVE_NONE && list->pool_count)
            list->front = best_of_pool(search, ply);
        list->move[0] = list->front;
    } else {
        sort_by_terms(search, ply, 0, 0, list->count);
        if (search->fault)
            spoil(search, list);
        if (first != MOVE_NONE)
            move_to_front(list, first);
    }
    return list;
}

MoveList *movepick_fill(Search *search, int ply, Move first) {
    MoveList *list = movepick_begin(search, ply, first);
    for (int i = list->picked; i >= 0 && i < list->count; i++)
        movepick_pick(search, ply, i);
    list->picked = -1;
    if (list->pool_count && !search->params.quick_order)
        movepick_rank_pool(search, ply);
    return list;
}

// By remaining depth, since a cutoff far from the leaves saves more. Halving counts plies from the
// root instead: each is worth half of the one above it.
static double history_bonus(const Search *search, int depth_plies) {
    switch (search->params.history_bonus) {
    case HISTORY_FLAT:
        return search->params.history_unit;
    case HISTORY_HALVING:
        return floor(ldexp(search->params.history_unit, -(search->root_depth - depth_plies)));
    case HISTORY_SQUARE:
        break;
    }
    return (double)depth_plies * depth_plies;
}

// The bonus counts less the nearer the limit is, so a history stays within it.
static void add_history(Search *search, Colour mover, Move move, double bonus) {
    double *history = &search->history[search->params.history_shared ? BLACK : mover][move];
    if (search->params.history_gravity) {
        // Scaled for depths of 1 to 8: deeper ones add a quarter of the limit, and none more.
        bonus = fmax(-SEARCH_HISTORY_LIMIT / 4, fmin(SEARCH_HISTORY_LIMIT / 4, 32 * bonus));
        bonus -= *history * fabs(bonus) / SEARCH_HISTORY_LIMIT;
    }
    *history += bonus;
}

void movepick_learn(Search *search, int depth_plies, int ply, Move move, int index) {
    const SearchParams *params = &search->params;
    const MoveList *list = &search->list[ply];
    Colour mover = search->board->side;
    Move last = board_last_played(search->board);
    // Two different moves a ply: one that cuts again changes nothing.
    if (params->uses_killers && search->killer[ply][0] != move) {
        search->killer[ply][1] = search->killer[ply][0];
        search->killer[ply][0] = move;
    }
    if (params->uses_counters && last != MOVE_NONE)
        search->counter[mover][last] = move;
    bool kind = params->history_nodes == HISTORY_BOTH || mover == search->own;
    if (!params->uses_history || !kind || (params->history_skip_first && index == 0))
        return;
    double bonus = history_bonus(search, depth_plies);
    add_history(search, mover, move, bonus);
    // Tried before the one that cut, and in vain.
    for (int i = 0; i < index && params->history_gravity; i++)
        add_history(search, mover, list->move[i], -bonus);
}
