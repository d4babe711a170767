// SPDX-License-Identifier: GPL-3.0-or-later
// Selective search by the threat map.
#include "engine/search/selective.h"

#include "engine/search/value.h"
#include "engine/search/vcf.h"

bool selective_decided(const Search *search, int ply, double *value) {
    const ThreatMap *map = search->eval->threats;
    Colour mover = search->board->side, enemy = colour_other(mover);
    if (!search->params.threats)
        return false;
    if (threat_map_count(map, mover, THREAT_FIVE)) {
        *value = VALUE_WIN - (ply + 1);
        return true;
    }
    int enemy_fives = threat_map_count(map, enemy, THREAT_FIVE);
    if (enemy_fives >= 2) {
        *value = -(VALUE_WIN - (ply + 2));
        return true;
    }
    if (enemy_fives == 0 && threat_map_count(map, mover, THREAT_OPEN_FOUR)) {
        *value = VALUE_WIN - (ply + 3);
        return true;
    }
    return false;
}

// Is there a four to begin with?
static bool has_fours(const ThreatMap *map, Colour colour) {
    return threat_map_count(map, colour, THREAT_FOUR) +
               threat_map_count(map, colour, THREAT_FOUR_PLUS) +
               threat_map_count(map, colour, THREAT_FOUR_THREE) +
               threat_map_count(map, colour, THREAT_OPEN_FOUR) +
               threat_map_count(map, colour, THREAT_FIVE) >
           0;
}

enum { LEAF_VCF_NODES = 64 };

bool selective_leaf_wins(Search *search, int ply, double *value) {
    VcfResult result;
    if (!search->params.vcf_leaves || !has_fours(search->eval->threats, search->board->side))
        return false;
    vcf_solve(search->vcf, search->params.vcf_fours, LEAF_VCF_NODES, &result);
    search->cost.nodes += result.nodes;
    if (result.answer != VCF_WIN && result.answer != VCF_FIVE_NOW)
        return false;
    *value = VALUE_WIN - (ply + result.line_length);
    return true;
}

int selective_extension(const Search *search) {
    if (!search->params.extend)
        return 0;
    return threat_map_count(search->eval->threats, colour_other(search->board->side), THREAT_FIVE) >
           0;
}

bool selective_is_calm(const Search *search, double beta) {
    const ThreatMap *map = search->eval->threats;
    Colour enemy = colour_other(search->board->side);
    return fabs(beta) < VALUE_WIN_BOUND && !threat_map_count(map, enemy, THREAT_FIVE) &&
           !threat_map_count(map, enemy, THREAT_OPEN_FOUR);
}

bool selective_is_quiet(const Search *search, Move move) {
    const ThreatMap *map = search->eval->threats;
    return map->threat[BLACK][move] < THREAT_THREE && map->threat[WHITE][move] < THREAT_THREE;
}

int selective_reduction(const Search *search, int depth_plies, Move move, int index) {
    enum {
        FULL_MOVES = 3,
        FULL_DEPTH = 2
    }; // so many moves, and so near the leaves, are not reduced
    if (!search->params.lmr || index < FULL_MOVES || depth_plies <= FULL_DEPTH)
        return 0;
    int reduction = 1 + (index >= 10) + (depth_plies >= 8) + (index >= 20);
    if (!selective_is_quiet(search, move))
        reduction--;
    return reduction < depth_plies - 1 ? reduction : depth_plies - 1;
}

bool selective_skips(const Search *search, int depth_plies, Move move, int index, double best) {
    int keep = search->params.late_moves;
    return keep && index >= keep + depth_plies * depth_plies && best > -VALUE_WIN_BOUND &&
           selective_is_quiet(search, move);
}
