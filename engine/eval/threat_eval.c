// SPDX-License-Identifier: GPL-3.0-or-later
// Weighs the cells of the threat map.
#include "engine/eval/threat_eval.h"

#include <pthread.h>
#include <stdlib.h>

// Weights by logistic regression of the outcomes of self-play games on these features: 200 units
// are one logit, so +200 wins 73 % between equal players. Positions in which a five or an open four
// could be made at once were left out; their rows and columns are set by hand.

// By LineClass, and by CellThreat what their combination is worth beyond the sum of its lines.
static const int16_t LINE_WORTH[LINE_CLASS_NB] = {0, -1, -1, 1, 0, 12, 13, 17, 17, 17, 16, 79, 100};

static const int16_t THREAT_PREMIUM[THREAT_NB] = {0,  -12, -17, -15, 1,  11,
                                                  90, 10,  50,  199, 42, 200};

// What it is worth to be on the move, by the strongest threat that the mover (row) and the waiter
// (column) could make next. A five of the mover's decides, whatever the waiter has; against one of
// the waiter's (last column) the move is spent on stopping it.
static const int16_t MOVE_WORTH[THREAT_NB][THREAT_NB] = {
    {0, 1, 56, 8, 47, 126, 240, 62, 157, 194, 151, -200},
    {-2, -1, 81, 14, 114, 162, 271, 100, 183, 219, 186, -200},
    {-9, -18, 51, 62, 89, 108, 224, 142, 100, 231, 205, -200},
    {-7, -8, 54, 23, 85, 124, 181, 131, 211, 249, 210, -200},
    {-32, -19, 55, 17, 54, 90, 223, 123, 180, 241, 250, -200},
    {-1, 0, 108, 45, 66, 118, 261, 137, 185, 199, 169, -200},
    {10, 11, 88, 45, 87, 238, 322, 240, 245, 114, 5, -200},
    {-50, -50, 59, -51, 19, 110, 229, 93, 161, 230, 178, -200},
    {-23, -22, 58, -30, 17, 118, 293, 94, 160, 213, 137, -200},
    {384, 385, 462, 415, 466, 633, 721, 473, 554, 598, 555, -200},
    {900, 900, 900, 900, 900, 900, 900, 900, 900, 900, 900, -100},
    {2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000, 2000},
};

// --- worth of codes: filled once under the lock, then never changed

// All boards and both rules share them: a code says what it is worth by itself.
static pthread_mutex_t worth_lock =
    PTHREAD_MUTEX_INITIALIZER; // guards the two below until they are filled
static int16_t code_worth[UINT16_MAX + 1];
static bool worth_filled;

static void fill_worth(void) {
    const uint8_t *threats = cell_threat_table();
    pthread_mutex_lock(&worth_lock);
    for (uint32_t code = 0; code <= UINT16_MAX && !worth_filled; code++) {
        int worth = THREAT_PREMIUM[threats[code]];
        for (int d = 0; d < LINE_DIRECTIONS; d++) {
            // Four bits have room for classes that are none: such codes never occur.
            uint32_t line_class = code >> 4 * d & 15u;
            worth += line_class < LINE_CLASS_NB ? LINE_WORTH[line_class] : 0;
        }
        code_worth[code] = (int16_t)worth;
    }
    worth_filled = true;
    pthread_mutex_unlock(&worth_lock);
}

// No state of its own: the map has it all. Only the worth of codes has to be there first.
static Status threat_open(Eval *eval, const KnobSet *knobs, const Board *board, ErrorText *err) {
    (void)eval, (void)knobs, (void)board, (void)err;
    fill_worth();
    return STATUS_OK;
}

static void threat_close(Eval *eval) { (void)eval; }

static void threat_reset(Eval *eval, const Board *board) { (void)eval, (void)board; }

static void threat_stone(Eval *eval, const Board *board, Move move, Colour colour) {
    (void)eval, (void)board, (void)move, (void)colour; // the map follows by itself
}

static CellThreat strongest(const ThreatTally *tally, Colour colour) {
    int threat = THREAT_FIVE;
    while (threat > THREAT_NONE && !tally->count[colour][threat])
        threat--;
    return (CellThreat)threat;
}

static double weigh(const Eval *eval, const ThreatTally *tally, const Board *board, Colour own) {
    int64_t sum[COLOUR_NB] = {tally->value[BLACK], tally->value[WHITE]};
    Colour mover = board->side, waiter = colour_other(mover);
    int worth = MOVE_WORTH[strongest(tally, mover)][strongest(tally, waiter)];
    // A bonus counts for somebody, so that eval.defense weighs it like everything of that side's.
    sum[worth > 0 ? mover : waiter] += worth > 0 ? worth : -worth;
    return eval_combine(eval, sum[own], sum[colour_other(own)]);
}

static double threat_value(const Eval *eval, const Board *board, Colour own) {
    return weigh(eval, &eval->threats->tally, board, own);
}

static double threat_point(const Eval *eval, const Board *board, Move move, Colour colour) {
    (void)board;
    return eval->threats->worth[colour][move];
}

// A map of the board made anew: what the slow twins read. NaN when memory is out, which no fast
// value equals.
static double with_fresh_map(const Eval *eval, const Board *board, Move move, Colour colour) {
    // Made and thrown away for each question: this is the oracle, and need not be quick.
    ThreatMap *map = malloc(sizeof *map);
    double value = NAN;
    if (map && threat_map_init(map, board, code_worth, NULL) == STATUS_OK)
        value =
            move == MOVE_NONE ? weigh(eval, &map->tally, board, colour) : map->worth[colour][move];
    free(map);
    return value;
}

static double threat_slow_value(const Eval *eval, const Board *board, Colour own) {
    return with_fresh_map(eval, board, MOVE_NONE, own);
}

static double threat_slow_point(const Eval *eval, const Board *board, Move move, Colour colour) {
    return with_fresh_map(eval, board, move, colour);
}

const EvalModel THREAT_MODEL = {
    .name = "threat",
    .meaning = "what each empty cell would be worth to either side, and the threats that could be "
               "made next",
    .min_side = 5,
    .max_side = BOARD_MAX_SIDE,
    .any_k = false,
    .needs_threats = true,
    .threat_values = code_worth,
    .open = threat_open,
    .close = threat_close,
    .reset = threat_reset,
    .place = threat_stone,
    .undo = threat_stone,
    .value = threat_value,
    .point = threat_point,
    .slow_value = threat_slow_value,
    .slow_point = threat_slow_point,
};
