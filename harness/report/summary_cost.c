// SPDX-License-Identifier: GPL-3.0-or-later
// What moves cost, by player: rows of the store, and what follows from comparing players of a
// family.
#include "harness/report/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    COMPARED_MOVES_MIN = 10
}; // moves at a depth before its mean nodes are compared with another depth's

Status summary_set_cost(ReportSummary *summary, const StoreCost *row, ErrorText *err) {
    PlayerSummary *player = &summary->players[row->player];
    if (row->stage >= 0 && row->stage < STAGE_NB) {
        player->stage[row->stage] = *row;
    } else if (row->depth >= 0) {
        if (!player->depth)
            player->depth = calloc(DEPTH_MAX + 1, sizeof *player->depth);
        if (!player->depth)
            return error_set(err, STATUS_NO_MEMORY, "out of memory");
        // Deeper ones are passed over: no picture has room for them.
        if (row->depth <= DEPTH_MAX)
            player->depth[row->depth] = *row;
    } else {
        player->cost = *row;
        summary->moves += row->moves;
    }
    return STATUS_OK;
}

static StatValue rate(uint64_t part, uint64_t whole) {
    return whole > 0 ? stat_value((double)part / (double)whole) : stat_missing("nothing counted");
}

// The three prune rates are quotients of sums over all moves, as a mean of quotients would let
// cheap moves count like dear ones.
StatValue cost_cutoffs_per_node(const StoreCost *cost) {
    return cost->counted_moves > 0 ? rate(cost->cutoffs, cost->counted_nodes)
                                   : stat_missing("no counters");
}

StatValue cost_cutoffs_per_interior_node(const StoreCost *cost) {
    return rate(cost->cutoffs, cost->interior);
}

StatValue cost_first_move_cutoff_rate(const StoreCost *cost) {
    return rate(cost->first_cutoffs, cost->cutoffs);
}

// Mean nodes of a move; 0 when there are too few moves to say.
static double mean_nodes(const StoreCost *cost) {
    return cost->node_spread.count >= COMPARED_MOVES_MIN
               ? (double)cost->nodes / (double)cost->node_spread.count
               : 0.0;
}

static double mean_nodes_at(const PlayerSummary *player, int depth) {
    return player->depth ? mean_nodes(&player->depth[depth]) : 0.0;
}

// The depth at which most moves of the player were searched; 0 when none is known, or when moves
// end at depths of their own: under limits in time or nodes the easy positions are searched deeper,
// and nodes by depth say nothing of what a ply costs.
static int fixed_depth(const PlayerSummary *player) {
    int64_t all = 0;
    int best = 0;
    for (int depth = 1; player->depth && depth <= DEPTH_MAX; depth++) {
        all += player->depth[depth].moves;
        if (player->depth[depth].moves > (best ? player->depth[best].moves : 0))
            best = depth;
    }
    return best && 2 * player->depth[best].moves > all ? best : 0;
}

// The next shallower player of the family, by its fixed depth; 0 when none has enough moves.
static int family_step_below(const ReportSummary *summary, const PlayerSummary *player, int depth,
                             double *nodes) {
    int below = 0;
    for (int i = 0; i < summary->player_count && player->family[0]; i++) {
        const PlayerSummary *other = &summary->players[i];
        int d = strcmp(other->family, player->family) == 0 ? fixed_depth(other) : 0;
        if (d > below && d < depth && mean_nodes_at(other, d) > 0.0) {
            below = d;
            *nodes = mean_nodes_at(other, d);
        }
    }
    return below;
}

StatValue summary_branching(const ReportSummary *summary, int index, int *from, int *to) {
    const PlayerSummary *player = &summary->players[index];
    int depth = fixed_depth(player);
    *from = *to = 0;
    if (depth == 0)
        return stat_missing("its moves have no depth in common");
    double deep = mean_nodes_at(player, depth), shallow = 0.0;
    if (deep <= 0.0)
        return stat_missing("too few moves");
    int below = family_step_below(summary, player, depth, &shallow);
    if (below == 0)
        return stat_missing("no shallower depth of the same settings");
    *from = below;
    *to = depth;
    // The root spreads the ratio evenly over the plies between the two depths.
    return stat_finite(pow(deep / shallow, 1.0 / (depth - below)), "no nodes");
}

StatValue summary_node_saving(const ReportSummary *summary, int index) {
    const PlayerSummary *player = &summary->players[index];
    double own = mean_nodes(&player->cost);
    for (int i = 0; i < summary->player_count && player->minimax_family[0] && own > 0.0; i++) {
        const PlayerSummary *other = &summary->players[i];
        double all = mean_nodes(&other->cost);
        // The same depth, values and moves, or the saving would be of something else.
        if (other->is_minimax && all > 0.0 &&
            strcmp(other->minimax_family, player->minimax_family) == 0)
            return stat_value(1.0 - own / all);
    }
    return stat_missing("no minimax player of the same depth and values");
}
