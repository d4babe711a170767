// SPDX-License-Identifier: GPL-3.0-or-later
// Weighs the cells of the threat map.
#include "engine/eval/threat_eval.h"

#include <pthread.h>
#include <stdlib.h>

static const int16_t LINE_WORTH[LINE_CLASS_NB] = {
    [LINE_DEAD] = 0,
    [LINE_ONE] = 1,
    [LINE_OPEN_ONE] = 2,
    [LINE_TWO] = 3,
    [LINE_OPEN_TWO] = 7,
    [LINE_OPEN_TWO_WIDE] = 10,
    [LINE_OPEN_TWO_WIDEST] = 12,
    [LINE_THREE] = 9,
    [LINE_OPEN_THREE] = 22,
    [LINE_OPEN_THREE_STRONG] = 28,
    [LINE_FOUR] = 26,
    [LINE_OPEN_FOUR] = 60,
    [LINE_FIVE] = 100,
};

static const int16_t THREAT_PREMIUM[THREAT_NB] = {
    [THREAT_TWO_OPEN_TWOS] = 6, [THREAT_OPEN_THREE_PLUS] = 10, [THREAT_DOUBLE_THREE] = 50,
    [THREAT_FOUR_PLUS] = 12,    [THREAT_FOUR_THREE] = 90,      [THREAT_OPEN_FOUR] = 120,
    [THREAT_FIVE] = 300,
};

// Bonus by the strongest threat that a side could make next: for the side to move, and for the
// other.
static const int16_t MOVER_BONUS[THREAT_NB] = {
    [THREAT_OPEN_TWO] = 4,    [THREAT_TWO_OPEN_TWOS] = 12,   [THREAT_THREE] = 6,
    [THREAT_OPEN_THREE] = 20, [THREAT_OPEN_THREE_PLUS] = 35, [THREAT_DOUBLE_THREE] = 120,
    [THREAT_FOUR] = 18,       [THREAT_FOUR_PLUS] = 40,       [THREAT_FOUR_THREE] = 300,
    [THREAT_OPEN_FOUR] = 600, [THREAT_FIVE] = 1000,
};
static const int16_t WAITER_BONUS[THREAT_NB] = {
    [THREAT_OPEN_THREE] = 4,  [THREAT_OPEN_THREE_PLUS] = 8, [THREAT_DOUBLE_THREE] = 40,
    [THREAT_FOUR] = 6,        [THREAT_FOUR_PLUS] = 12,      [THREAT_FOUR_THREE] = 80,
    [THREAT_OPEN_FOUR] = 100, [THREAT_FIVE] = 400,
};

// --- worth of codes: filled once under the lock, then never changed ---

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
            uint32_t line_class = code >> 4 * d & 15u;
            worth += line_class < LINE_CLASS_NB ? LINE_WORTH[line_class] : 0;
        }
        code_worth[code] = (int16_t)worth;
    }
    worth_filled = true;
    pthread_mutex_unlock(&worth_lock);
}

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
    sum[mover] += MOVER_BONUS[strongest(tally, mover)];
    sum[waiter] += WAITER_BONUS[strongest(tally, waiter)];
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
