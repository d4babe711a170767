// SPDX-License-Identifier: GPL-3.0-or-later
// The quick ordering: keys for all candidates in one sweep, the best picked when it is asked for.
#include "engine/search/movepick_quick.h"

#include <math.h>
#include <stdlib.h>

// Is the term the score of both sides and perhaps what cutoffs have taught: the sum that is weighed
// here?
static bool is_quick_term(const OrderTerm *term) {
    bool has_score = false;
    for (int p = 0; p < term->part_count; p++) {
        OrderPart part = term->part[p];
        if (part.key == ORDER_CENTER || part.key == ORDER_DISTANCE || part.colour == ORDER_OWN ||
            part.colour == (part.key == ORDER_SCORE ? ORDER_MOVER : ORDER_BOTH))
            return false;
        has_score |= part.key == ORDER_SCORE;
    }
    return has_score;
}

bool movepick_can_be_quick(const Search *search) {
    const SearchParams *params = &search->params;
    return params->is_selective && search->eval->model->threat_values && !params->from_scratch &&
           params->select == SELECT_BOTH && params->pvs && params->order.term_count == 1 &&
           is_quick_term(&params->order.term[0]);
}

// What a part of the sum weighs, in the unit of threat_order.h.
enum {
    QUICK_KILLER = 80,
    QUICK_COUNTER = 80,
    QUICK_HISTORY = 200,
    QUICK_MOST = 1 << 20, // a history without gravity grows on, a packed key has so much room
};

// Key and move in one word, to be compared at once; of equal keys the first in board order is the
// largest. 512 is the next power of two above all cells.
static inline int32_t packed_of(int key, Move move) {
    return key * 512 + (BOARD_MAX_CELLS - 1 - move);
}

static inline Move packed_move(int32_t packed) {
    return (Move)(BOARD_MAX_CELLS - 1 - (packed & 511));
}

// What the search has learned, on top of what the position says.
static int quick_extra(const Search *search, int ply, Move move, Move countered) {
    int extra = 0;
    if (search->params.uses_history) {
        Colour table = search->params.history_shared ? BLACK : search->board->side;
        double weight = search->history[table][move] * (QUICK_HISTORY / SEARCH_HISTORY_LIMIT);
        extra += (int)fmax(-QUICK_MOST, fmin(QUICK_MOST, weight));
    }
    extra += move == countered ? QUICK_COUNTER : 0;
    if (move == search->killer[ply][0] || move == search->killer[ply][1])
        extra += QUICK_KILLER;
    return extra;
}

// Where the enemy would make a four with an open three, or two open threes, while the mover has no
// four to answer with (moves.forced): a move elsewhere loses at once unless it makes a three, from
// which fours come, or stands on a line with the cell and so may spoil what it makes.
typedef struct Dangers {
    Move cell[BOARD_MAX_CELLS];
    int count;
} Dangers;

static void find_dangers(const Search *search, Dangers *dangers) {
    const ThreatMap *map = search->eval->threats;
    Colour mover = search->board->side, enemy = colour_other(mover);
    dangers->count = 0;
    if (!search->params.forced || (!threat_map_count(map, enemy, THREAT_FOUR_THREE) &&
                                   !threat_map_count(map, enemy, THREAT_DOUBLE_THREE)))
        return;
    // With a four of his own the mover can always go first: nothing may be left out then.
    for (int threat = THREAT_FOUR; threat < THREAT_NB; threat++)
        if (threat_map_count(map, mover, (CellThreat)threat))
            return;
    int count = threat_map_cells(map, enemy, THREAT_DOUBLE_THREE, dangers->cell);
    for (int i = 0; i < count; i++) {
        CellThreat threat = (CellThreat)map->threat[enemy][dangers->cell[i]];
        if (threat == THREAT_FOUR_THREE || threat == THREAT_DOUBLE_THREE)
            dangers->cell[dangers->count++] = dangers->cell[i];
    }
}

static bool meets_dangers(const Search *search, const Dangers *dangers, Move move) {
    const Board *board = search->board;
    if (search->eval->threats->threat[board->side][move] >= THREAT_THREE)
        return true;
    for (int i = 0; i < dangers->count; i++) {
        int dx = abs(move % board->width - dangers->cell[i] % board->width);
        int dy = abs(move / board->width - dangers->cell[i] / board->width);
        // It has to stand in the way of every one of them: what spoils one leaves the others.
        if ((dx != 0 && dy != 0 && dx != dy) || dx > LINE_PAD || dy > LINE_PAD)
            return false;
    }
    return true;
}

void movepick_pack(Search *search, int ply, Move first) {
    const Board *board = search->board;
    const ThreatMap *map = search->eval->threats;
    MoveList *list = &search->list[ply];
    Move last = board_last_played(board), centre = last == MOVE_NONE ? board_centre(board) : last;
    // Shifted, so that differences index the table without being negative.
    int last_x = centre % board->width - BOARD_MAX_SIDE;
    int last_y = centre / board->width - BOARD_MAX_SIDE;
    Move countered = search->params.uses_counters && last != MOVE_NONE
                         ? search->counter[board->side][last]
                         : (Move)MOVE_NONE;
    Dangers dangers;
    find_dangers(search, &dangers);
    int count = 0;
    for (int y = 0; y < board->height; y++) {
        const LineStones *row = &board->line[y];
        // board_candidates, key by key: a list in between would be read once and thrown away.
        uint32_t empty = board->near_rows[y] & ~(row->stones[BLACK] | row->stones[WHITE]);
        int base = y * board->width;
        const int16_t *near = search->order.near[y - last_y];
        for (; empty; empty &= empty - 1) {
            int x = bits_lowest(empty) - LINE_PAD;
            Move move = (Move)(base + x);
            if (move == first) {
                list->picked = 1;
                continue;
            }
            if (dangers.count && !meets_dangers(search, &dangers, move))
                continue;
            int key = threat_order_cell(&search->order, map, board->side, move) + near[x - last_x];
            list->packed[count++] =
                packed_of(key + quick_extra(search, ply, move, countered), move);
        }
    }
    if (count == 0 && list->picked != 1 &&
        dangers.count) // nothing meets them all: any move, to see it lose
        list->packed[count++] = packed_of(0, dangers.cell[0]);
    bool has_first = list->picked == 1;
    list->picked = has_first;
    list->move[0] = first;
    list->pool_count = count;
    list->count = count + has_first;
    if (search->params.limit && list->count > search->params.limit)
        list->count = search->params.limit;
}

void movepick_pick(Search *search, int ply, int index) {
    MoveList *list = &search->list[ply];
    // The largest first and where it stands after that: the first loop has no branch that depends
    // on the keys, and compilers make vectors of it.
    int32_t best = list->packed[0];
    int at = 0, left = list->pool_count;
    for (int i = 1; i < left; i++)
        best = list->packed[i] > best ? list->packed[i] : best;
    while (list->packed[at] != best)
        at++;
    list->move[index] = packed_move(best);
    // The last one fills the gap: order in here means nothing.
    list->packed[at] = list->packed[left - 1];
    list->pool_count = left - 1;
    list->picked = index + 1;
}
