// SPDX-License-Identifier: GPL-3.0-or-later
// Selective search by the threat map.
#include "engine/search/selective.h"

#include "engine/search/value.h"

#include <stdlib.h>

// What the knobs leave open; found by matches of 15 000 nodes a move.
enum {
    LEAF_FOURS_NODES = 24,   // attacker positions of one leaf
    LOUD = THREAT_FOUR_PLUS, // a move that makes less for either side may be reduced or left out
    FUTILITY_DEPTH = 8,
    RAZOR_DEPTH = 3,
};
static const double REDUCTION_BASE = 0.3,
                    REDUCTION_DIVISOR = 1.4; // plies less: base + ln d ln n / divisor
static const double LATE_GROWTH = 1.4;       // moves that are kept grow with depth to this power
static const double SINGULAR_MARGIN = 4;     // a ply of depth

// Cells where `colour` makes any four or more.
static int fours_of(const ThreatMap *map, Colour colour) {
    int count = 0;
    for (int threat = THREAT_FOUR; threat <= THREAT_FIVE; threat++)
        count += threat_map_count(map, colour, (CellThreat)threat);
    return count;
}

// Five plies to a five if the enemy has no four in between: a four with an open three, whose answer
// cannot stop both, or two open threes, of which one stone stops one.
static bool wins_by_double(const ThreatMap *map, Colour mover, Colour enemy) {
    return (threat_map_count(map, mover, THREAT_FOUR_THREE) ||
            threat_map_count(map, mover, THREAT_DOUBLE_THREE)) &&
           !fours_of(map, enemy);
}

// The counts of the threat map are all that is read: what they decide costs no search. In order of
// speed, since the quickest five wins. One five of the enemy's can be stopped, two cannot; before
// the mover's slower threats count, the enemy may have none that is quicker.
bool selective_decided(const Search *search, int ply, double *value) {
    const ThreatMap *map = search->eval->threats;
    Colour mover = search->board->side, enemy = colour_other(mover);
    if (!search->params.threats)
        return false;
    int enemy_fives = threat_map_count(map, enemy, THREAT_FIVE);
    if (threat_map_count(map, mover, THREAT_FIVE))
        *value = VALUE_WIN - (ply + 1);
    else if (enemy_fives >= 2)
        *value = -(VALUE_WIN - (ply + 2));
    else if (enemy_fives == 0 && threat_map_count(map, mover, THREAT_OPEN_FOUR))
        *value = VALUE_WIN - (ply + 3);
    else if (enemy_fives == 0 && wins_by_double(map, mover, enemy))
        *value = VALUE_WIN - (ply + 5);
    else
        return false;
    return true;
}

// --- fours at the leaves

typedef struct FoursSearch {
    Search *search;
    int nodes;     // left
    bool is_whole; // nothing was cut off for want of nodes or fours
} FoursSearch;

static int attack(FoursSearch *fours, int left, Move last);

// Could a stone on `last` have to do with a four on `cell`: within two cells, or four on a line?
static bool is_near(const Board *board, Move cell, Move last) {
    int dx = abs(cell % board->width - last % board->width);
    int dy = abs(cell / board->width - last / board->width);
    return (dx <= 2 && dy <= 2) || ((dx == 0 || dy == 0 || dx == dy) && dx <= 4 && dy <= 4);
}

// Plies to the five if `four` is played and answered, 0 if it does not win.
static int try_four(FoursSearch *fours, Move four, int left) {
    Search *search = fours->search;
    ThreatMap *map = search->eval->threats;
    Board *board = search->board;
    Colour attacker = board->side, defender = colour_other(attacker);
    int plies = 0;
    // Board and map only: the evaluation's own state is not read before they are back as they were.
    board_place(board, four);
    threat_map_place(map, board, four, attacker);
    int fives = threat_map_count(map, attacker, THREAT_FIVE);
    if (fives > 0 && !threat_map_count(map, defender, THREAT_FIVE)) {
        if (fives >= 2) {
            plies = 3;
        } else {
            Move answer = threat_map_five(map, attacker);
            board_place(board, answer);
            threat_map_place(map, board, answer, defender);
            plies = attack(fours, left - 1, four);
            plies += plies ? 2 : 0;
            threat_map_undo(map);
            board_undo(board);
        }
    }
    threat_map_undo(map);
    board_undo(board);
    return plies;
}

// Plies to a five by `left` continuous fours at most, 0 if there is none. What was searched to the
// end in vain is remembered by key.
static int attack(FoursSearch *fours, int left, Move last) {
    Search *search = fours->search;
    const ThreatMap *map = search->eval->threats;
    Colour attacker = search->board->side, defender = colour_other(attacker);
    if (threat_map_count(map, attacker, THREAT_FIVE))
        return 1;
    if (!fours_of(map, attacker) || threat_map_count(map, defender, THREAT_FIVE) > 1)
        return 0;
    bool threatened = threat_map_count(map, defender, THREAT_FIVE) > 0;
    if (!threatened && threat_map_count(map, attacker, THREAT_OPEN_FOUR))
        return 3;
    // Which fours may follow depends on the last one (is_near), so it belongs to the key. The memo
    // knows neither how many fours were left nor how many nodes: only searches that lacked neither
    // go in.
    uint64_t key = search->board->key ^ (uint64_t)(last + 1) * 0x9E3779B97F4A7C15u,
             *memo = &search->no_fours[key % SEARCH_FOURS_MEMO];
    if (*memo == key)
        return 0;
    if (left == 0 || fours->nodes == 0) {
        fours->is_whole = false;
        return 0;
    }
    fours->nodes--;
    search->cost.nodes++;
    Move cells[BOARD_MAX_CELLS];
    // Was everything below this position looked at? Asked afresh, and joined to what was cut before
    // it.
    bool whole_before = fours->is_whole;
    int count = threat_map_cells(map, attacker, THREAT_FOUR, cells), plies = 0;
    fours->is_whole = true;
    Move block = threatened ? threat_map_five(map, defender) : (Move)MOVE_NONE;
    // The most forcing first. Each further four must have to do with the last one: without that a
    // leaf would try all fours of the board in every order.
    for (int least = THREAT_OPEN_FOUR; least >= THREAT_FOUR && !plies; least--)
        for (int i = 0; i < count && !plies; i++)
            if (map->threat[attacker][cells[i]] == least && (!threatened || cells[i] == block) &&
                (last == MOVE_NONE || is_near(search->board, cells[i], last)))
                plies = try_four(fours, cells[i], left);
    if (!plies && fours->is_whole)
        *memo = key;
    fours->is_whole = fours->is_whole && whole_before;
    return plies;
}

bool selective_leaf_wins(Search *search, int ply, double *value) {
    if (!search->params.vcf_leaves)
        return false;
    // The first win found need not be the shortest, and its length is part of the value.
    FoursSearch fours = {search, LEAF_FOURS_NODES, true};
    int plies = attack(&fours, search->params.vcf_fours, MOVE_NONE);
    for (int left = 1, shorter = 0; !shorter && 2 * left + 1 < plies; left++) {
        fours.nodes = LEAF_FOURS_NODES; // a win: now the fewest fours that do
        shorter = attack(&fours, left, MOVE_NONE);
        plies = shorter ? shorter : plies;
    }
    *value = VALUE_WIN - (ply + plies);
    return plies > 0;
}

int selective_extension(const Search *search) {
    if (!search->params.extend)
        return 0;
    return threat_map_count(search->eval->threats, colour_other(search->board->side), THREAT_FIVE) >
           0;
}

// Where the static value may be trusted: no win in the window, and nothing that must be answered.
static bool is_calm(const Search *search, double beta) {
    const ThreatMap *map = search->eval->threats;
    Colour enemy = colour_other(search->board->side);
    return fabs(beta) < VALUE_WIN_BOUND && !threat_map_count(map, enemy, THREAT_FIVE) &&
           !threat_map_count(map, enemy, THREAT_OPEN_FOUR);
}

bool selective_stands(Search *search, const SearchNode *node, double *value) {
    const SearchParams *params = &search->params;
    int depth = node->depth_plies;
    double now = search->now[node->ply];
    if (search->excluded[node->ply] != MOVE_NONE || !is_calm(search, node->beta))
        return false;
    // Standing above beta by more than the moves left could cost: so it will be after them. A mover
    // who gets better is given one ply less to lose.
    *value = now;
    if (params->futility > 0 && depth <= FUTILITY_DEPTH &&
        now - params->futility * (depth - node->is_improving) >= node->beta)
        return true;
    // So far below alpha near the leaves, only fours could still help: they are asked, nothing
    // else.
    if (params->razor > 0 && depth <= RAZOR_DEPTH && now + params->razor * depth < node->alpha &&
        node->alpha > -VALUE_WIN_BOUND)
        return selective_leaf_wins(search, node->ply, value) || (*value = now, true);
    return false;
}

bool selective_is_quiet(const Search *search, Move move) {
    const ThreatMap *map = search->eval->threats;
    return map->threat[BLACK][move] < LOUD && map->threat[WHITE][move] < LOUD;
}

void selective_fill_reductions(Search *search) {
    for (int depth = 0; depth < SEARCH_MAX_PLY; depth++) {
        // Computed once: log and pow have no place in a node. Whole plies are stored, cut off
        // towards 0.
        search->late_more[depth] = (uint16_t)pow(depth, LATE_GROWTH);
        for (int move = 0; move < REDUCTION_MOVES; move++)
            search->reduction[depth][move] =
                (uint8_t)(depth < 2 || move < 2
                              ? 0
                              : REDUCTION_BASE + log(depth) * log(move) / REDUCTION_DIVISOR);
    }
}

// Extensions add up along a line, so a node may have more depth left than the deepest root: the
// last row of the tables serves it, too.
static int row_of(int depth_plies) {
    return depth_plies < SEARCH_MAX_PLY ? depth_plies : SEARCH_MAX_PLY - 1;
}

int selective_reduction(const Search *search, const SearchNode *node, Move move, int index) {
    int depth = node->depth_plies;
    if (depth <= 2 || index < 2)
        return 0;
    int reduction =
        search->reduction[row_of(depth)][index < REDUCTION_MOVES ? index : REDUCTION_MOVES - 1];
    reduction += !node->is_improving;
    if (!selective_is_quiet(search, move))
        reduction--;
    if (move == search->killer[node->ply][0] || move == search->killer[node->ply][1])
        reduction--;
    int most = depth - 1;
    return reduction < 0 ? 0 : reduction < most ? reduction : most;
}

bool selective_skips(const Search *search, const SearchNode *node, Move move, int index,
                     double best) {
    int keep = search->params.late_moves, depth = node->depth_plies;
    // While every move so far loses, none may be left out: it could be the one that does not.
    if (!keep || best <= -VALUE_WIN_BOUND)
        return false;
    int most = keep + search->late_more[row_of(depth)];
    return index >= (node->is_improving ? most : most / 2 + 1) && selective_is_quiet(search, move);
}

double selective_singular_margin(int depth_plies) { return SINGULAR_MARGIN * depth_plies; }
