// SPDX-License-Identifier: GPL-3.0-or-later
// The solver of endgames.
//
// No evaluation, no candidates, no depth: every empty cell is tried unless the rule forces one, so
// the answer is exact and the time grows with the factorial of the empty cells. Rows about to be
// completed are seen a ply or two before they stand, which cuts the deepest and widest plies off.
#include "engine/search/endgame.h"

#include "engine/search/value.h"

typedef struct Endgame {
    Board *board;
    TransTable *tt;
    uint64_t nodes, node_limit;
    bool stopped;
} Endgame;

// Every entry is as deep as the game: one depth for all. The table then keeps the newest two of a
// bucket, which near the end of a game are as good as any.
enum { ENDGAME_DEPTH = 100 };

static int empty_cells(const Board *board, Move *out) {
    int count = 0;
    for (int cell = 0; cell < board_cell_count(board); cell++)
        if (board->cells[cell] == EMPTY)
            out[count++] = (Move)cell;
    return count;
}

// Wins at once, or must be played: returns the number of cells where `colour` completes a row, the
// first in *out.
static int winning_cells(const Board *board, const Move *moves, int count, Colour colour,
                         Move *out) {
    int wins = 0;
    for (int i = 0; i < count; i++)
        if (board_wins_at(board, moves[i], colour) && wins++ == 0)
            *out = moves[i];
    return wins;
}

// Moves that lengthen rows of either side come first.
static void order_moves(const Board *board, Move *moves, int count) {
    int key[BOARD_MAX_CELLS];
    for (int i = 0; i < count; i++) {
        Move move = moves[i];
        // Own rows weigh a little more: they are completed first.
        int value = 4 * board_longest_run(board, move, board->side) +
                    3 * board_longest_run(board, move, colour_other(board->side)),
            at = i;
        for (; at > 0 && key[at - 1] < value; at--) {
            key[at] = key[at - 1];
            moves[at] = moves[at - 1];
        }
        key[at] = value;
        moves[at] = move;
    }
}

static bool table_answers(const Endgame *end, int ply, double alpha, double beta, TtHit *hit) {
    if (!tt_probe(end->tt, end->board->key, ply, hit))
        return false;
    return hit->bound == BOUND_EXACT || (hit->bound == BOUND_LOWER && hit->value >= beta) ||
           (hit->bound == BOUND_UPPER && hit->value <= alpha);
}

static double endgame_node(Endgame *end, int ply, double alpha, double beta) {
    Board *board = end->board;
    Move moves[BOARD_MAX_CELLS], forced = MOVE_NONE;
    end->nodes++;
    end->stopped = end->stopped || (end->node_limit && end->nodes > end->node_limit);
    if (end->stopped)
        return 0;
    int count = empty_cells(board, moves);
    if (count == 0)
        return 0;
    if (winning_cells(board, moves, count, board->side, &forced))
        return VALUE_WIN - (ply + 1);
    int threats = winning_cells(board, moves, count, colour_other(board->side), &forced);
    if (threats >= 2)
        return -(VALUE_WIN -
                 (ply + 2)); // only one can be stopped, and a stone elsewhere does not win sooner
    TtHit hit = {.move = MOVE_NONE};
    if (table_answers(end, ply, alpha, beta, &hit))
        return hit.value;
    // Any other move loses in two plies, and the answer can lose no sooner: it alone decides.
    if (threats == 1) {
        moves[0] = forced;
        count = 1;
    } else {
        order_moves(board, moves, count);
    }
    double best = -INFINITY, raised = alpha;
    Move best_move = moves[0];
    for (int i = 0; i < count && raised < beta; i++) {
        board_place(board, moves[i]);
        double value = -endgame_node(end, ply + 1, -beta, -raised);
        board_undo(board);
        // Values mean nothing from here on; who called throws them away.
        if (end->stopped)
            return 0;
        if (value > best) {
            best = value;
            best_move = moves[i];
        }
        raised = best > raised ? best : raised;
    }
    Bound bound = best <= alpha ? BOUND_UPPER : best >= beta ? BOUND_LOWER : BOUND_EXACT;
    tt_store(end->tt, board->key, ply, &(TtHit){best, best_move, ENDGAME_DEPTH, bound});
    return best;
}

// Exact value of playing `move`, for the mover. In the full window: how many moves keep the
// outcome, and how many the distance, is a question to each of them.
static double move_value(Endgame *end, Move move, int ply) {
    if (board_wins_at(end->board, move, end->board->side))
        return VALUE_WIN - (ply + 1);
    board_place(end->board, move);
    double value = -endgame_node(end, ply + 1, -INFINITY, INFINITY);
    board_undo(end->board);
    return value;
}

static int outcome_of(double value) { return (value > 0) - (value < 0); }

// Follows best moves from here; the board is left as it was.
static void fill_line(Endgame *end, EndgameResult *result) {
    Board *board = end->board;
    int start = board->stone_count;
    bool over = false;
    // Each step asks all moves again, for values as exact as at the root; the table knows most of
    // them.
    while (!over && !board_is_full(board)) {
        Move moves[BOARD_MAX_CELLS], best = MOVE_NONE;
        double best_value = -INFINITY;
        int count = empty_cells(board, moves);
        for (int i = 0; i < count && !end->stopped; i++) {
            double value = move_value(end, moves[i], 0);
            if (best == MOVE_NONE || value > best_value) {
                best = moves[i];
                best_value = value;
            }
        }
        if (end->stopped)
            break;
        over = board_wins_at(board, best, board->side);
        result->line[result->line_length++] = best;
        board_place(board, best);
    }
    while (board->stone_count > start)
        board_undo(board);
}

static void collect_best(EndgameResult *result, const Move *moves, const double *values,
                         int count) {
    double best = -INFINITY;
    for (int i = 0; i < count; i++)
        best = values[i] > best ? values[i] : best;
    result->outcome = outcome_of(best);
    for (int i = 0; i < count; i++) {
        if (outcome_of(values[i]) == result->outcome)
            result->value_move[result->by_value++] = moves[i];
        if (values[i] == best)
            result->distance_move[result->by_distance++] = moves[i];
    }
    result->plies = result->outcome ? (int)(VALUE_WIN - fabs(best)) : count;
}

void endgame_solve(Board *board, TransTable *tt, uint64_t node_limit, EndgameResult *result) {
    Endgame end = {.board = board, .tt = tt, .node_limit = node_limit};
    Move moves[BOARD_MAX_CELLS];
    double values[BOARD_MAX_CELLS];
    *result = (EndgameResult){.solved = true};
    bool lost = board->wins[colour_other(board->side)] > 0, won = board->wins[board->side] > 0;
    int count = lost || won ? 0 : empty_cells(board, moves);
    result->outcome = lost ? -1 : won;
    for (int i = 0; i < count && !end.stopped; i++)
        values[i] = move_value(&end, moves[i], 0);
    if (!end.stopped && count > 0)
        collect_best(result, moves, values, count);
    if (!end.stopped && count > 0)
        fill_line(&end, result);
    result->solved = !end.stopped;
    result->nodes = end.nodes;
}
