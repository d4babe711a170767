// SPDX-License-Identifier: GPL-3.0-or-later
// Runs, by stone, by line or by the best empty cell.
#include "engine/eval/runs.h"

#include "engine/base/check.h"
#include "engine/eval/run_points.h"

#include <stdlib.h>
#include <string.h>

enum { FIVE = 5, ENDS = 2 };

typedef struct RunState {
    // By length and open ends: a stone's run, and what a maximal run adds to its colour's sum.
    int32_t score[RUN_MAX + 1][ENDS + 1], worth[RUN_MAX + 1][ENDS + 1];
    // What a maximal run loses with an end, by whether its other end is open. Length 0 is no run:
    // it adds and loses nothing, so callers need not ask whether there is one.
    int32_t closed[RUN_MAX + 1][ENDS];
    int steps;     // cells a stone sees on each side; RUN_MAX = all
    bool by_stone; // a run counts once for each of its stones
    RunPoints points;
} RunState;

static int min_int(int a, int b) { return a < b ? a : b; }

static void fill_scores(RunState *runs, const KnobSet *knobs, Rule rule) {
    static const KnobId OPEN[FIVE] = {
        [2] = KNOB_EVAL_OPEN_TWO, [3] = KNOB_EVAL_OPEN_THREE, [4] = KNOB_EVAL_OPEN_FOUR};
    static const KnobId CLOSED[FIVE] = {
        [2] = KNOB_EVAL_TWO, [3] = KNOB_EVAL_THREE, [4] = KNOB_EVAL_FOUR};
    // A five needs no open end, and a lone stone is asked for none: all else without one is worth
    // 0.
    for (int open = 0; open <= ENDS; open++) {
        runs->score[1][open] = (int32_t)knob_int(knobs, KNOB_EVAL_ONE);
        for (int length = 2; length < FIVE && open > 0; length++)
            runs->score[length][open] =
                (int32_t)knob_int(knobs, open == ENDS ? OPEN[length] : CLOSED[length]);
        for (int length = FIVE; length <= RUN_MAX; length++)
            if (rule_run_wins(rule, length, FIVE))
                runs->score[length][open] = (int32_t)knob_int(knobs, KNOB_EVAL_FIVE);
    }
}

// Worth of a run for a stone with so many stones of its colour below and above it.
static int32_t score_through(const RunState *runs, int below, int above, bool open_below,
                             bool open_above) {
    // An end that lies beyond the last step is not seen, and counts as open (runs.h).
    int steps = runs->steps;
    int length = min_int(below, steps) + 1 + min_int(above, steps);
    int open = (below >= steps || open_below) + (above >= steps || open_above);
    return runs->score[min_int(length, RUN_MAX)][open];
}

// Everything that a stone can ask, once: placing one costs look-ups only.
static void fill_tables(RunState *runs) {
    for (int below = 0; below <= RUN_MAX; below++)
        for (int above = 0; above <= RUN_MAX; above++)
            for (int ends = 0; ends < 4; ends++)
                runs->points.through[below][above][ends & 1][ends >> 1] =
                    score_through(runs, below, above, ends & 1, ends >> 1);
    for (int length = 1; length <= RUN_MAX; length++)
        for (int open = 0; open <= ENDS; open++) {
            runs->worth[length][open] =
                runs->by_stone || length == 1 ? 0 : runs->score[length][open];
            // The stones of one run see it from different places, which matters when steps are few.
            for (int below = 0; runs->by_stone && below < length; below++)
                runs->worth[length][open] +=
                    runs->points.through[below][length - 1 - below][open > 0][open > 1];
        }
    for (int length = 1; length <= RUN_MAX; length++)
        for (int other = 0; other < ENDS; other++)
            runs->closed[length][other] =
                runs->worth[length][other + 1] - runs->worth[length][other];
}

static Status runs_open(Eval *eval, const KnobSet *knobs, const Board *board, ErrorText *err) {
    RunState *runs = calloc(1, sizeof *runs);
    if (!runs)
        return error_set(err, STATUS_NO_MEMORY, "no memory for the table of runs");
    // The model is the real one here: its slow twin takes its place after it is opened.
    int steps = (int)knob_int(knobs, KNOB_EVAL_STEPS);
    runs->by_stone = eval->model != &LINE_RUNS_MODEL;
    runs->steps = steps == 0 || !runs->by_stone ? RUN_MAX : steps;
    fill_scores(runs, knobs, board->rule);
    fill_tables(runs);
    eval->state = runs;
    return STATUS_OK;
}

static void runs_close(Eval *eval) { free(eval->state); }

// --- stone by stone

// What a stone at the bit adds to its colour: one run in place of the two that it joins. Those had
// an open end where the stone now stands: hence the + 1.
static inline int32_t own_gain(const RunState *runs, uint32_t own, uint32_t empty, int bit) {
    int below = line_run_down(own, bit), above = line_run_up(own, bit);
    int open_below = (int)(empty >> (bit - below - 1) & 1u);
    int open_above = (int)(empty >> bit >> (above + 1) & 1u);
    return runs->worth[below + above + 1][open_below + open_above] -
           runs->worth[below][open_below + 1] - runs->worth[above][open_above + 1];
}

// What the same stone takes from the enemy: an open end of the runs beside it.
static inline int32_t enemy_loss(const RunState *runs, uint32_t enemy, uint32_t empty, int bit) {
    int below = line_run_down(enemy, bit), above = line_run_up(enemy, bit);
    return runs->closed[below][empty >> (bit - below - 1) & 1u] +
           runs->closed[above][empty >> bit >> (above + 1) & 1u];
}

// What a stone of `colour` on `move` does to the sums of both colours.
static inline void stone_effect(const RunState *runs, const Board *board, Move move, Colour colour,
                                int32_t change[COLOUR_NB]) {
    const CellLines *at = &board->geometry.cell[move];
    int32_t gain = 0, loss = 0;
    for (int d = 0; d < LINE_DIRECTIONS; d++) {
        const LineStones *line = &board->line[at->line[d]];
        uint32_t own = line->stones[colour], enemy = line->stones[colour_other(colour)];
        if (line_is_lonely(own | enemy | board->geometry.wall[at->line[d]], at->bit[d])) {
            // Nothing beside it on this line, not even the border: a lone stone, and no end closed.
            gain += runs->worth[1][ENDS];
            continue;
        }
        uint32_t empty = ~(own | enemy | board->geometry.wall[at->line[d]]);
        gain += own_gain(runs, own, empty, at->bit[d]);
        loss += enemy_loss(runs, enemy, empty, at->bit[d]);
    }
    change[colour] = gain;
    change[colour_other(colour)] = -loss;
}

static void runs_place(Eval *eval, const Board *board, Move move, Colour colour) {
    int32_t change[COLOUR_NB];
    eval_push(eval);
    stone_effect(eval->state, board, move, colour, change);
    eval->sum[BLACK] += change[BLACK];
    eval->sum[WHITE] += change[WHITE];
}

// The sums come back from where place saved them: exact, and cheaper than to subtract.
static void runs_undo(Eval *eval, const Board *board, Move move, Colour colour) {
    (void)board, (void)move, (void)colour;
    eval_pop(eval);
}

static double runs_value(const Eval *eval, const Board *board, Colour own) {
    (void)board;
    return eval_combine(eval, eval->sum[own], eval->sum[colour_other(own)]);
}

static double runs_value_after(const Eval *eval, const Board *board, Move move, Colour own) {
    int32_t change[COLOUR_NB];
    stone_effect(eval->state, board, move, board->side, change);
    Colour enemy = colour_other(own);
    return eval_combine(eval, eval->sum[own] + change[own], eval->sum[enemy] + change[enemy]);
}

// The scores behind a const Eval: bringing them up to date changes no answer.
static double runs_point(const Eval *eval, const Board *board, Move move, Colour colour) {
    RunState *runs = eval->state;
    run_points_follow(&runs->points, board);
    return runs->points.score[colour][move];
}

static double runs_point_both(const Eval *eval, const Board *board, Move move) {
    RunState *runs = eval->state;
    run_points_follow(&runs->points, board);
    return runs->points.score[BLACK][move] + runs->points.score[WHITE][move];
}

static void runs_points(const Eval *eval, const Board *board, const Move *moves, int count,
                        Colour colour, double *scores) {
    RunState *runs = eval->state;
    run_points_follow(&runs->points, board);
    const int32_t *black = runs->points.score[BLACK], *white = runs->points.score[WHITE];
    const int32_t *one = colour == BLACK ? black : white;
    for (int i = 0; i < count; i++)
        scores[i] = colour == COLOUR_NB ? black[moves[i]] + white[moves[i]] : one[moves[i]];
}

// --- slow twins: cell by cell

static const int STEP_X[LINE_DIRECTIONS] = {1, 0, 1, -1}, STEP_Y[LINE_DIRECTIONS] = {0, 1, 1, 1};

// What stands at (x, y): a Colour, EMPTY, or -1 outside.
static int stone_at(const Board *board, int x, int y) {
    return x < 0 || y < 0 || x >= board->width || y >= board->height
               ? -1
               : board->cells[y * board->width + x];
}

// The score of the run in direction `d` through a stone of `colour` on the cell, whether or not it
// stands there.
static int32_t slow_direction(const RunState *runs, const Board *board, Move cell, int d,
                              Colour colour) {
    int count = 1, blocked = 0;
    for (int sign = -1; sign <= 1; sign += 2) {
        int x = cell % board->width, y = cell / board->width;
        for (int step = 1; step <= runs->steps; step++) {
            int stone = stone_at(board, x + sign * step * STEP_X[d], y + sign * step * STEP_Y[d]);
            if (stone == (int)colour) {
                count++;
                continue;
            }
            blocked += stone != EMPTY;
            break;
        }
    }
    return runs->score[min_int(count, RUN_MAX)][ENDS - blocked];
}

static int32_t slow_cell(const RunState *runs, const Board *board, Move cell, Colour colour) {
    int32_t sum = 0;
    for (int d = 0; d < LINE_DIRECTIONS; d++)
        sum += slow_direction(runs, board, cell, d, colour);
    return sum;
}

// Does a run of two or more begin at the stone in direction `d`?
static bool run_begins(const Board *board, Move cell, int d) {
    int x = cell % board->width, y = cell / board->width, colour = board->cells[cell];
    return stone_at(board, x - STEP_X[d], y - STEP_Y[d]) != colour &&
           stone_at(board, x + STEP_X[d], y + STEP_Y[d]) == colour;
}

static void slow_sums(const RunState *runs, const Board *board, int64_t sum[COLOUR_NB]) {
    sum[BLACK] = sum[WHITE] = 0;
    for (Move cell = 0; cell < board_cell_count(board); cell++) {
        int colour = board->cells[cell];
        if (colour == EMPTY)
            continue;
        if (runs->by_stone)
            sum[colour] += slow_cell(runs, board, cell, (Colour)colour);
        for (int d = 0; d < LINE_DIRECTIONS && !runs->by_stone; d++)
            if (run_begins(board, cell, d))
                sum[colour] += slow_direction(runs, board, cell, d, (Colour)colour);
    }
}

static void runs_reset(Eval *eval, const Board *board) {
    RunState *runs = eval->state;
    slow_sums(runs, board, eval->sum);
    run_points_reset(&runs->points, board);
}

static double runs_slow_value(const Eval *eval, const Board *board, Colour own) {
    int64_t sum[COLOUR_NB];
    slow_sums(eval->state, board, sum);
    return eval_combine(eval, sum[own], sum[colour_other(own)]);
}

static double runs_slow_point(const Eval *eval, const Board *board, Move move, Colour colour) {
    return slow_cell(eval->state, board, move, colour);
}

// --- placement: the best empty cell

static void placement_reset(Eval *eval, const Board *board) {
    RunState *runs = eval->state;
    run_points_reset(&runs->points, board);
}

// Nothing is kept but the point scores, which follow the board by themselves when they are asked.
static void placement_stone(Eval *eval, const Board *board, Move move, Colour colour) {
    (void)eval, (void)board, (void)move, (void)colour;
}

// own_scale * own - enemy_weight * enemy, where a side's part is the best that one stone of it
// would be worth.
static double best_cells(const Eval *eval, const Board *board, Colour own,
                         double (*point)(const Eval *, const Board *, Move, Colour)) {
    // Every empty cell is asked, each time: this model is for players that look one ply ahead.
    double best[COLOUR_NB] = {0, 0};
    for (Move cell = 0; cell < board_cell_count(board); cell++)
        for (int colour = 0; colour < COLOUR_NB && board->cells[cell] == EMPTY; colour++)
            best[colour] = fmax(best[colour], point(eval, board, cell, (Colour)colour));
    return eval_combine(eval, (int64_t)best[own], (int64_t)best[colour_other(own)]);
}

static double placement_value(const Eval *eval, const Board *board, Colour own) {
    return best_cells(eval, board, own, runs_point);
}

static double placement_slow_value(const Eval *eval, const Board *board, Colour own) {
    return best_cells(eval, board, own, runs_slow_point);
}

const EvalModel STONE_RUNS_MODEL = {
    .name = "stone_runs",
    .meaning = "runs of stones by length and open ends, counted once for each of their stones",
    .min_side = BOARD_MIN_SIDE,
    .max_side = BOARD_MAX_SIDE,
    .open = runs_open,
    .close = runs_close,
    .reset = runs_reset,
    .place = runs_place,
    .undo = runs_undo,
    .value = runs_value,
    .value_after = runs_value_after,
    .point = runs_point,
    .point_both = runs_point_both,
    .points = runs_points,
    .slow_value = runs_slow_value,
    .slow_point = runs_slow_point,
};

const EvalModel LINE_RUNS_MODEL = {
    .name = "line_runs",
    .meaning = "runs of stones by length and open ends, each counted once",
    .min_side = BOARD_MIN_SIDE,
    .max_side = BOARD_MAX_SIDE,
    .open = runs_open,
    .close = runs_close,
    .reset = runs_reset,
    .place = runs_place,
    .undo = runs_undo,
    .value = runs_value,
    .value_after = runs_value_after,
    .point = runs_point,
    .point_both = runs_point_both,
    .points = runs_points,
    .slow_value = runs_slow_value,
    .slow_point = runs_slow_point,
};

const EvalModel PLACEMENT_MODEL = {
    .name = "placement",
    .meaning = "what one stone on the best empty cell would be worth, by the runs through it",
    .min_side = BOARD_MIN_SIDE,
    .max_side = BOARD_MAX_SIDE,
    .open = runs_open,
    .close = runs_close,
    .reset = placement_reset,
    .place = placement_stone,
    .undo = placement_stone,
    .value = placement_value,
    .point = runs_point,
    .point_both = runs_point_both,
    .points = runs_points,
    .slow_value = placement_slow_value,
    .slow_point = runs_slow_point,
};
