// SPDX-License-Identifier: GPL-3.0-or-later
// Wins and defences by threats at the root.
#include "engine/search/root_threats.h"

#include "engine/search/value.h"
#include "engine/search/vct.h"

#include <string.h>

// Bounds for a move without limits; where it has some, a solver gets a share of them.
enum {
    VCF_NODES = 200000,   // at the root, at most
    DEFENCE_NODES = 5000, // for each move that may hold, and for all together:
    DEFENCE_NODES_ALL = 100000,
    NODE_SHARE = 4, // of the limits of the move, a solver may use one part in so many
};

// Nodes that a solver may use, within its share of the search's limits.
static uint64_t share_of_nodes(const Search *search, uint64_t most) {
    uint64_t share = search->node_limit / NODE_SHARE + 1;
    return search->node_limit && share < most ? share : most;
}

typedef struct StopAt {
    const Search *search;
    int64_t time_ns; // 0 = never
} StopAt;

// A quarter of what is left, so that questions that follow each other leave time for the search.
static StopAt share_of_time(const Search *search) {
    StopAt stop = {.search = search};
    if (search->deadline_ns) {
        int64_t now = clock_now_ns(search->clock);
        stop.time_ns = now + (search->deadline_ns - now) / NODE_SHARE;
    }
    return stop;
}

static bool is_time_to_stop(void *context) {
    const StopAt *stop = context;
    atomic_bool *flag = stop->search->stop_flag;
    return (flag && atomic_load_explicit(flag, memory_order_relaxed)) ||
           (stop->time_ns && clock_now_ns(stop->search->clock) >= stop->time_ns);
}

static void take_line(Search *search, const Move *line, int length, SearchResult *result) {
    *result = (SearchResult){.move = line[0], .value = VALUE_WIN - length};
    for (; result->pv.length < length && result->pv.length < SEARCH_MAX_PLY; result->pv.length++)
        result->pv.move[result->pv.length] = line[result->pv.length];
    // No iteration was made; the proof says how far it sees.
    search->cost.depth = 1;
    search->cost.seldepth = length;
}

static bool is_win(VcfAnswer answer) { return answer == VCF_WIN || answer == VCF_FIVE_NOW; }

// Wins by continuous threats for the side to move, with so many nodes?
static bool wins_by_threats(Search *search, uint64_t nodes, VctResult *found) {
    // The solver lives on, what it asks here does not: it is taken out again.
    StopAt stop = share_of_time(search);
    search->vct->stop = (SolverStop){is_time_to_stop, &stop};
    vct_solve(search->vct, nodes, found);
    search->vct->stop = (SolverStop){.ask = NULL};
    search->cost.nodes += found->nodes;
    return is_win(found->answer);
}

// Wins by fours for the side to move, with so many nodes and until it is time to stop?
static bool wins_by_fours(Search *search, uint64_t nodes, StopAt *stop, VcfResult *found) {
    search->vcf->stop = (SolverStop){is_time_to_stop, stop};
    vcf_solve(search->vcf, VCF_MAX_FOURS, nodes, found);
    search->vcf->stop = (SolverStop){.ask = NULL};
    search->cost.nodes += found->nodes;
    return is_win(found->answer);
}

bool root_threats_win(Search *search, SearchResult *result) {
    if (search->board->wins[BLACK] + search->board->wins[WHITE] > 0)
        return false;
    // Fours first: there are far fewer moves to try, and a win by them needs no threes.
    if (search->params.vcf_root) {
        VcfResult found;
        StopAt stop = share_of_time(search);
        if (wins_by_fours(search, share_of_nodes(search, VCF_NODES), &stop, &found)) {
            take_line(search, found.line, found.line_length, result);
            return true;
        }
    }
    if (search->vct) {
        VctResult found;
        uint64_t nodes = share_of_nodes(search, (uint64_t)search->params.vct_nodes);
        if (wins_by_threats(search, nodes, &found)) {
            take_line(search, found.line, found.line_length, result);
            return true;
        }
    }
    return false;
}

double root_threats_value(Search *search, Move move, double value) {
    enum {
        QUESTIONS = 4,   // that the nodes of the root must do for
        LEAST_DEPTH = 3, // sooner the best move changes too often
    };
    if (!search->vct || search->root_depth < LEAST_DEPTH || fabs(value) >= VALUE_WIN_BOUND)
        return value;
    // Asked of moves that would be the best so far only, a few in each iteration.
    if (search->root_loss[move] == 0 && search->root_nodes_left > 0) {
        VctResult found;
        uint64_t nodes = (uint64_t)search->params.vct_nodes / QUESTIONS + 1;
        eval_place(search->eval, search->board, move);
        bool loses = wins_by_threats(search, share_of_nodes(search, nodes), &found);
        eval_undo(search->eval, search->board);
        search->root_nodes_left -=
            found.nodes < search->root_nodes_left ? found.nodes : search->root_nodes_left;
        search->root_loss[move] = (int16_t)(loses ? found.line_length : -1);
    }
    // The line begins after the move: one ply more until its five.
    return search->root_loss[move] > 0 ? -(VALUE_WIN - 1 - search->root_loss[move]) : value;
}

// Does the enemy still win by the line, now that the mover has one stone more? The enemy is to
// move.
static bool line_still_wins(Search *search, const VcfResult *line) {
    return vcf_line_wins(search->vcf, line->line, line->line_length);
}

// What is left for asking moves whether they hold.
typedef struct Allowance {
    uint64_t nodes;
    StopAt stop;
} Allowance;

// Does the enemy win by fours after the move? What the limits leave open counts as no.
static bool loses_to_fours(Search *search, Move move, const VcfResult *line, Allowance *left) {
    VcfResult found = {.answer = VCF_NO};
    eval_place(search->eval, search->board, move);
    // Mostly the line that won before still does: a replay instead of a search.
    bool loses = line_still_wins(search, line);
    if (!loses && left->nodes > 0) {
        uint64_t limit = left->nodes < DEFENCE_NODES ? left->nodes : DEFENCE_NODES;
        loses = wins_by_fours(search, limit, &left->stop, &found);
        left->nodes -= found.nodes < left->nodes ? found.nodes : left->nodes;
        if (is_time_to_stop(&left->stop))
            left->nodes = 0;
    }
    eval_undo(search->eval, search->board);
    return loses;
}

void root_threats_restrict(Search *search) {
    Board *board = search->board;
    const ThreatMap *map = search->eval->threats;
    Colour mover = board->side, enemy = colour_other(mover);
    VcfResult line;
    search->root_count = 0;
    memset(search->root_loss, 0, sizeof search->root_loss);
    search->root_nodes_left = share_of_nodes(search, (uint64_t)search->params.vct_nodes);
    if (!search->params.vcf_root || board->wins[BLACK] + board->wins[WHITE] > 0 ||
        threat_map_count(map, enemy, THREAT_FIVE) || threat_map_count(map, mover, THREAT_FIVE))
        return;
    // The mover passes. Board and map are by cell, not by turn, so nothing else has to change.
    StopAt stop = share_of_time(search);
    board_set_side(board, enemy);
    bool loses = wins_by_fours(search, share_of_nodes(search, VCF_NODES), &stop, &line);
    board_set_side(board, mover);
    if (!loses)
        return;
    Allowance left = {share_of_nodes(search, DEFENCE_NODES_ALL), share_of_time(search)};
    int holding = 0;
    for (int cell = 0; cell < board_cell_count(board); cell++) {
        if (!board_is_free(board, cell))
            continue;
        // The enemy must answer a four first, and what comes of that is for the search to see.
        bool four = map->threat[mover][cell] >= THREAT_FOUR;
        if (!four && loses_to_fours(search, (Move)cell, &line, &left))
            continue;
        search->root_move[search->root_count++] = (Move)cell;
        holding += !four;
    }
    // All moves lose: which of them lasts longest, the search will say.
    if (holding == 0)
        search->root_count = 0;
}

void root_threats_apply(const Search *search, MoveList *list) {
    if (search->root_count == 0)
        return;
    bool keep[BOARD_MAX_CELLS] = {false};
    int count = 0;
    for (int i = 0; i < search->root_count; i++)
        keep[search->root_move[i]] = true;
    for (int i = 0; i < list->count; i++)
        if (keep[list->move[i]]) {
            keep[list->move[i]] = false;
            list->move[count++] = list->move[i];
        }
    for (int i = 0; i < search->root_count; i++)
        if (keep[search->root_move[i]])
            list->move[count++] = search->root_move[i];
    list->count = count;
}
