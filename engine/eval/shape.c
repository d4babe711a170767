// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes, weighed: a table of segment values made once a player, updated by four lines a stone.
//
// The table is the player's own, since the weights are: 256 KB for 15x15, 32 MB for 22x22.
#include "engine/eval/shape.h"

#include "engine/base/check.h"
#include "engine/base/large_memory.h"
#include "engine/board/pattern_table.h"
#include "engine/eval/point_memo.h"

#include <stdlib.h>
#include <string.h>

typedef struct ShapeState {
    size_t size; // of all of it
    int32_t weight[PATTERN_NB];
    PointMemo memo[BOARD_MAX_CELLS];
    int32_t value[]; // worth of a segment by pattern_index
} ShapeState;

// The knob that weighs each shape.
static const KnobId WEIGHT_KNOBS[PATTERN_NB] = {
    [PATTERN_FIVE] = KNOB_EVAL_FIVE,   [PATTERN_OPEN_FOUR] = KNOB_EVAL_OPEN_FOUR,
    [PATTERN_FOUR] = KNOB_EVAL_FOUR,   [PATTERN_OPEN_THREE] = KNOB_EVAL_OPEN_THREE,
    [PATTERN_THREE] = KNOB_EVAL_THREE, [PATTERN_OPEN_TWO] = KNOB_EVAL_OPEN_TWO,
    [PATTERN_TWO] = KNOB_EVAL_TWO,
};

static int32_t counts_value(const ShapeState *shape, PatternCounts counts) {
    int32_t value = 0;
    for (int pattern = 0; pattern < PATTERN_NB; pattern++)
        value += shape->weight[pattern] * pattern_count(counts, (Pattern)pattern);
    return value;
}

// The worth of every entry of a table of counts. Each is looked up in two halves of its seven
// digits: the table has millions of entries for large boards, and two loads are less than seven
// products.
static Status fill_values(ShapeState *shape, const PatternCounts *counts, size_t entries,
                          ErrorText *err) {
    enum { LOW_BITS = 16, LOW = 1 << LOW_BITS, HIGH = 1 << (4 * PATTERN_NB - LOW_BITS) };
    int32_t *low = malloc((LOW + HIGH) * sizeof *low), *high = low + LOW;
    if (!low)
        return error_set(err, STATUS_NO_MEMORY, "no memory for the table of shapes");
    for (uint32_t digits = 0; digits < LOW; digits++)
        low[digits] = counts_value(shape, digits);
    for (uint32_t digits = 0; digits < HIGH; digits++)
        high[digits] = counts_value(shape, digits << LOW_BITS);
    for (size_t i = 0; i < entries; i++)
        shape->value[i] = low[counts[i] & (LOW - 1)] + high[counts[i] >> LOW_BITS];
    free(low);
    return STATUS_OK;
}

static Status shape_open(Eval *eval, const KnobSet *knobs, const Board *board, ErrorText *err) {
    int longest = board->width > board->height ? board->width : board->height;
    // pattern_index puts lengths above one another: twice 2^longest entries for all of them.
    size_t entries = (size_t)2 << longest;
    size_t size = sizeof(ShapeState) + entries * sizeof(int32_t);
    ShapeState *shape = large_memory_new(size);
    const PatternCounts *counts = pattern_table(board->rule, longest);
    if (!shape || !counts) {
        large_memory_free(shape, size);
        return error_set(err, STATUS_NO_MEMORY, "no memory for the table of shapes");
    }
    for (int pattern = 0; pattern < PATTERN_NB; pattern++)
        shape->weight[pattern] = (int32_t)knob_int(knobs, WEIGHT_KNOBS[pattern]);
    shape->size = size;
    Status status = fill_values(shape, counts, entries, err);
    if (status) {
        large_memory_free(shape, size);
        return status;
    }
    memset(shape->memo, POINT_MEMO_NEVER, sizeof shape->memo);
    eval->state = shape;
    return STATUS_OK;
}

static void shape_close(Eval *eval) {
    ShapeState *shape = eval->state;
    if (shape)
        large_memory_free(shape, shape->size);
}

// Index of the part of `own` on the segment.
static inline uint32_t segment_index(uint32_t own, LineSegment segment) {
    return pattern_index(segment.length, own >> segment.low & bits_below(segment.length));
}

// What a stone of `own` at `bit` adds to its colour on one line.
static inline int32_t own_gain(const ShapeState *shape, uint32_t own, uint32_t stoppers, int bit) {
    // The cell is empty, so its bit is clear in the index.
    LineSegment segment = line_segment(stoppers, bit);
    uint32_t index = segment_index(own, segment);
    return shape->value[index | (uint32_t)1 << (bit - segment.low)] - shape->value[index];
}

// What the same stone takes from the enemy, whose segment it cuts in two.
static inline int32_t enemy_loss(const ShapeState *shape, uint32_t enemy, uint32_t stoppers,
                                 int bit) {
    // Either part may be empty: a segment of no cells is worth 0, like every one below five.
    LineSegment whole = line_segment(stoppers, bit);
    LineSegment below = {whole.low, bit - whole.low};
    LineSegment above = {bit + 1, whole.length - below.length - 1};
    return shape->value[segment_index(enemy, whole)] - shape->value[segment_index(enemy, below)] -
           shape->value[segment_index(enemy, above)];
}

// What a stone of `colour` on `move` does to the sums of both colours.
static inline void stone_effect(const ShapeState *shape, const Board *board, Move move,
                                Colour colour, int32_t change[COLOUR_NB]) {
    const CellLines *at = &board->geometry.cell[move];
    int32_t gain = 0, loss = 0;
    // No short cut for a stone without neighbours, as runs have: shapes reach across gaps.
    for (int d = 0; d < LINE_DIRECTIONS; d++) {
        const LineStones *line = &board->line[at->line[d]];
        uint32_t wall = board->geometry.wall[at->line[d]];
        uint32_t own = line->stones[colour], enemy = line->stones[colour_other(colour)];
        gain += own_gain(shape, own, enemy | wall, at->bit[d]);
        loss += enemy_loss(shape, enemy, own | wall, at->bit[d]);
    }
    change[colour] = gain;
    change[colour_other(colour)] = -loss;
}

static void shape_place(Eval *eval, const Board *board, Move move, Colour colour) {
    int32_t change[COLOUR_NB];
    eval_push(eval);
    stone_effect(eval->state, board, move, colour, change);
    eval->sum[BLACK] += change[BLACK];
    eval->sum[WHITE] += change[WHITE];
}

// The sums come back from where place has saved them.
static void shape_undo(Eval *eval, const Board *board, Move move, Colour colour) {
    (void)board, (void)move, (void)colour;
    eval_pop(eval);
}

static double shape_value(const Eval *eval, const Board *board, Colour own) {
    (void)board;
    return eval_combine(eval, eval->sum[own], eval->sum[colour_other(own)]);
}

// Brings the memo of a cell up to date with the stones on its lines. Behind a const Eval: a memo
// changes no answer.
static const PointMemo *point_memo(const Eval *eval, const Board *board, Move move) {
    ShapeState *shape = eval->state;
    PointMemo *memo = &shape->memo[move];
    const CellLines *at = &board->geometry.cell[move];
    for (int d = 0; d < LINE_DIRECTIONS; d++) {
        const LineStones line = board->line[at->line[d]];
        if (point_memo_holds(memo, d, line))
            continue;
        uint32_t wall = board->geometry.wall[at->line[d]];
        // Both colours: an ordering asks for both as a rule, and the segments are in the cache now.
        memo->seen[d] = line;
        memo->gain[BLACK][d] =
            own_gain(shape, line.stones[BLACK], line.stones[WHITE] | wall, at->bit[d]);
        memo->gain[WHITE][d] =
            own_gain(shape, line.stones[WHITE], line.stones[BLACK] | wall, at->bit[d]);
    }
    return memo;
}

static double shape_value_after(const Eval *eval, const Board *board, Move move, Colour own) {
    int32_t change[COLOUR_NB];
    stone_effect(eval->state, board, move, board->side, change);
    Colour enemy = colour_other(own);
    return eval_combine(eval, eval->sum[own] + change[own], eval->sum[enemy] + change[enemy]);
}

static double shape_point(const Eval *eval, const Board *board, Move move, Colour colour) {
    return point_memo_sum(point_memo(eval, board, move), colour);
}

static double shape_point_both(const Eval *eval, const Board *board, Move move) {
    const PointMemo *memo = point_memo(eval, board, move);
    return point_memo_sum(memo, BLACK) + point_memo_sum(memo, WHITE);
}

// --- slow twins: walk every line cell by cell, classify every segment from the definition

// Worth of one colour on a line; `extra` is a cell to be taken as a stone of that colour
// (MOVE_NONE: none).
static int64_t slow_line(const Eval *eval, const Board *board, int line, Colour colour,
                         Move extra) {
    const ShapeState *shape = eval->state;
    int64_t value = 0;
    int length = 0;
    uint32_t stones = 0;
    int first = bits_lowest(~board->geometry.wall[line]), cells = board->geometry.length[line];
    // One step beyond the last cell: the border ends a segment as an enemy stone does.
    for (int i = 0; i <= cells; i++) {
        Move cell = i < cells ? line_cell(&board->geometry, line, first + i) : (Move)MOVE_NONE;
        int stone = cell == MOVE_NONE ? (int)colour_other(colour)
                    : cell == extra   ? (int)colour
                                      : board->cells[cell];
        if (stone == (int)colour_other(colour)) { // the segment ends here
            value += counts_value(shape, pattern_slow_counts(board->rule, length, stones));
            length = 0;
            stones = 0;
            continue;
        }
        stones |= (uint32_t)(stone == (int)colour) << length++;
    }
    return value;
}

static void slow_sums(const Eval *eval, const Board *board, int64_t sum[COLOUR_NB]) {
    sum[BLACK] = sum[WHITE] = 0;
    for (int line = 0; line < board->geometry.line_count; line++)
        for (int colour = 0; colour < COLOUR_NB; colour++)
            sum[colour] += slow_line(eval, board, line, (Colour)colour, MOVE_NONE);
}

static void shape_reset(Eval *eval, const Board *board) {
    for (int line = 0; line < board->geometry.line_count; line++)
        for (int colour = 0; colour < COLOUR_NB; colour++) {
            const ShapeState *shape = eval->state;
            uint32_t own = board->line[line].stones[colour];
            uint32_t stoppers = board->line[line].stones[colour ^ 1] | board->geometry.wall[line];
            for (uint32_t open = ~stoppers; open;) { // one segment after another
                LineSegment segment = line_segment(stoppers, bits_lowest(open));
                eval->sum[colour] += shape->value[segment_index(own, segment)];
                open &= ~(bits_below(segment.length) << segment.low);
            }
        }
}

static double shape_slow_value(const Eval *eval, const Board *board, Colour own) {
    int64_t sum[COLOUR_NB];
    slow_sums(eval, board, sum);
    return eval_combine(eval, sum[own], sum[colour_other(own)]);
}

static double shape_slow_point(const Eval *eval, const Board *board, Move move, Colour colour) {
    int64_t gain = 0;
    for (int d = 0; d < LINE_DIRECTIONS; d++) {
        int line = board->geometry.cell[move].line[d];
        gain += slow_line(eval, board, line, colour, move) -
                slow_line(eval, board, line, colour, MOVE_NONE);
    }
    return (double)gain;
}

const EvalModel SHAPE_MODEL = {
    .name = "shape",
    .meaning =
        "open and closed fives, fours, threes and twos along the four lines, each counted once",
    .min_side = 2,
    .max_side = BOARD_MAX_SIDE,
    .any_k = false,
    .open = shape_open,
    .close = shape_close,
    .reset = shape_reset,
    .place = shape_place,
    .undo = shape_undo,
    .value = shape_value,
    .value_after = shape_value_after,
    .point = shape_point,
    .point_both = shape_point_both,
    .slow_value = shape_slow_value,
    .slow_point = shape_slow_point,
};
