// SPDX-License-Identifier: GPL-3.0-or-later
// Plays a game on at random.
#include "engine/search/playout.h"

// Judged early and moved with little care: many cheap games say more than a few good ones.
enum {
    PLAYOUT_PLIES = 60, // then the evaluation decides
    TASTED = 3,         // random candidates of which the best is played
};

// The first candidate where a stone of `colour` wins: for boards without a threat map.
static Move winning_candidate(const Board *board, const Move *moves, int count, Colour colour) {
    for (int i = 0; i < count; i++)
        if (board_wins_at(board, moves[i], colour))
            return moves[i];
    return MOVE_NONE;
}

// A move that has to be played: a five, the enemy's five, an open four. MOVE_NONE: there is none.
static Move urgent_move(const Search *search, const Move *moves, int count) {
    const Board *board = search->board;
    const ThreatMap *map = search->eval->threats;
    Colour mover = board->side, enemy = colour_other(mover);
    if (!map) {
        Move five = winning_candidate(board, moves, count, mover);
        return five != MOVE_NONE ? five : winning_candidate(board, moves, count, enemy);
    }
    if (threat_map_count(map, mover, THREAT_FIVE))
        return threat_map_five(map, mover);
    if (threat_map_count(map, enemy, THREAT_FIVE))
        return threat_map_five(map, enemy);
    if (!threat_map_count(map, mover, THREAT_OPEN_FOUR))
        return MOVE_NONE;
    // Nobody can make a five here, so every cell of the list makes an open four.
    Move fours[BOARD_MAX_CELLS];
    threat_map_cells(map, mover, THREAT_OPEN_FOUR, fours);
    return fours[0];
}

static Move random_move(Search *search, const Move *moves, int count) {
    Move best = MOVE_NONE;
    double best_score = -INFINITY;
    // The same candidate may come twice: no reason to remember which were drawn.
    for (int i = 0; i < TASTED; i++) {
        Move move = moves[rng_below(&search->rng, (uint64_t)count)];
        double score = eval_point_both(search->eval, search->board, move);
        if (score > best_score) {
            best_score = score;
            best = move;
        }
    }
    return best;
}

double playout_worth(Search *search, double scale) {
    Board *board = search->board;
    Colour mover = board->side;
    Move moves[BOARD_MAX_CELLS];
    int plies = 0;
    for (; plies < PLAYOUT_PLIES && !board->wins[BLACK] && !board->wins[WHITE]; plies++) {
        int count = board_candidates(board, moves);
        if (count == 0)
            break;
        Move move = urgent_move(search, moves, count);
        if (move == MOVE_NONE)
            move = random_move(search, moves, count);
        eval_place(search->eval, board, move);
    }
    // For the side to move where the playout began, not where it ended.
    double worth = 0;
    if (board->wins[BLACK] || board->wins[WHITE])
        worth = board->wins[mover] ? 1 : -1;
    else if (!board_is_full(board))
        worth = playout_squash(eval_value(search->eval, board, mover), scale);
    for (; plies > 0; plies--)
        eval_undo(search->eval, board);
    return worth;
}
