// SPDX-License-Identifier: GPL-3.0-or-later
// Fills the tables of line classes and combined threats.
//
// Classes follow from the definition in the header by trying every next stone, which is why there
// is no list of shapes here that could be incomplete. A memo over all states of a window, 2 bits a
// cell, makes that a few milliseconds a rule; it is given back once the table is full.
#include "engine/board/cell_pattern.h"

#include "engine/base/check.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// A five through the cell lies within 4 cells of it; whether it is an overline, the 5th cell tells.
enum { FIVE = 5, MAX_REACH = 5, MEMO_UNKNOWN = 0xff };

// Windows seen from one colour: own stones, blocked cells (enemy or wall), the rest empty; the
// centre is own.
typedef struct Classifier {
    Rule rule;
    int reach;
    uint8_t
        *memo; // by own | blocked << (2 * reach + 1); NULL: recurse, up to stones_limit own stones
    int stones_limit; // four more than there are: a five is at most so far away
} Classifier;

static LineClass classify(const Classifier *of, uint32_t own, uint32_t blocked);

// The centre is own: only runs through it count, a five elsewhere in the window is another cell's.
static bool is_five(const Classifier *of, uint32_t own) {
    int up = line_run_up(own, of->reach), down = 0;
    while (down < of->reach && (own >> (of->reach - down - 1) & 1))
        down++;
    return rule_run_wins(of->rule, up + down + 1, FIVE);
}

// What the best next stone would make decides, and how many stones would. The recursion ends: each
// step fills one more cell of the window.
static LineClass classify_fresh(const Classifier *of, uint32_t own, uint32_t blocked) {
    int cells = 2 * of->reach + 1, made[LINE_CLASS_NB] = {0};
    if (is_five(of, own))
        return LINE_FIVE;
    for (int cell = 0; cell < cells; cell++)
        if (!((own | blocked) >> cell & 1))
            made[classify(of, own | (uint32_t)1 << cell, blocked)]++;
    if (made[LINE_FIVE])
        return made[LINE_FIVE] >= 2 ? LINE_OPEN_FOUR : LINE_FOUR;
    if (made[LINE_OPEN_FOUR])
        return made[LINE_OPEN_FOUR] >= 2 ? LINE_OPEN_THREE_STRONG : LINE_OPEN_THREE;
    if (made[LINE_FOUR])
        return LINE_THREE;
    int open_threes = made[LINE_OPEN_THREE] + made[LINE_OPEN_THREE_STRONG];
    if (open_threes)
        return open_threes >= 4   ? LINE_OPEN_TWO_WIDEST
               : open_threes >= 2 ? LINE_OPEN_TWO_WIDE
                                  : LINE_OPEN_TWO;
    if (made[LINE_THREE])
        return LINE_TWO;
    if (made[LINE_OPEN_TWO] + made[LINE_OPEN_TWO_WIDE] + made[LINE_OPEN_TWO_WIDEST])
        return LINE_OPEN_ONE;
    return made[LINE_TWO] ? LINE_ONE : LINE_DEAD;
}

static LineClass classify(const Classifier *of, uint32_t own, uint32_t blocked) {
    if (!of->memo) // a five is at most four stones away, and classes come from the shortest way
        return bits_count(own) > of->stones_limit ? LINE_DEAD : classify_fresh(of, own, blocked);
    uint8_t *memo = &of->memo[own | blocked << (2 * of->reach + 1)];
    if (*memo == MEMO_UNKNOWN)
        *memo = (uint8_t)classify_fresh(of, own, blocked);
    return (LineClass)*memo;
}

static int rule_reach(Rule rule) { return rule == RULE_FREESTYLE ? 4 : 5; }

LineClass cell_pattern_slow(Rule rule, uint32_t own, uint32_t blocked) {
    Classifier of = {rule, rule_reach(rule), NULL, 0};
    own |= (uint32_t)1 << of.reach;
    of.stones_limit = bits_count(own) + FIVE - 1;
    return classify(&of, own, blocked);
}

// From the two sides of a window to the window with a hole in the middle.
static uint32_t open_centre(uint32_t sides, int reach) {
    uint32_t low = bits_below(reach);
    return (sides & low) | (sides & low << reach) << 1;
}

// NULL when memory is out; half-made tables are never handed out.
static uint8_t *fill_lines(Rule rule) {
    int reach = rule_reach(rule), cells = 2 * reach + 1;
    size_t windows = (size_t)1 << 4 * reach, states = (size_t)1 << 2 * cells;
    uint8_t *lines = malloc(windows);
    Classifier of = {rule, reach, malloc(states), 0};
    if (lines && of.memo) {
        memset(of.memo, MEMO_UNKNOWN, states);
        uint32_t centre = (uint32_t)1 << reach;
        for (uint32_t window = 0; window < windows; window++) {
            uint32_t black = open_centre(window & bits_below(2 * reach), reach);
            uint32_t white =
                open_centre(window >> 2 * reach, reach); // wall: set in both, nobody's stone
            LineClass for_black = classify(&of, (black & ~white) | centre, white);
            LineClass for_white = classify(&of, (white & ~black) | centre, black);
            lines[window] = (uint8_t)(for_black | for_white << 4);
        }
    }
    free(of.memo);
    return lines;
}

// Four classes as one threat. Two fours are as good as an open one: they lie on different lines
// through the cell, so no single stone answers both. The order of the tests is that of the enum.
static CellThreat combined_threat(CellCode code) {
    // Sixteen counters, for all that four bits can say: codes that no cell can have are harmless
    // then.
    int count[LINE_CLASS_NB + 3] = {0};
    for (int d = 0; d < LINE_DIRECTIONS; d++)
        count[code >> 4 * d & 15]++;
    int open_threes = count[LINE_OPEN_THREE] + count[LINE_OPEN_THREE_STRONG];
    int open_twos = count[LINE_OPEN_TWO] + count[LINE_OPEN_TWO_WIDE] + count[LINE_OPEN_TWO_WIDEST];
    bool more = count[LINE_THREE] + open_twos > 0;
    if (count[LINE_FIVE])
        return THREAT_FIVE;
    if (count[LINE_OPEN_FOUR] || count[LINE_FOUR] >= 2)
        return THREAT_OPEN_FOUR;
    if (count[LINE_FOUR])
        return open_threes ? THREAT_FOUR_THREE : more ? THREAT_FOUR_PLUS : THREAT_FOUR;
    if (open_threes)
        return open_threes >= 2 ? THREAT_DOUBLE_THREE
               : more           ? THREAT_OPEN_THREE_PLUS
                                : THREAT_OPEN_THREE;
    if (count[LINE_THREE])
        return THREAT_THREE;
    return open_twos >= 2 ? THREAT_TWO_OPEN_TWOS : open_twos ? THREAT_OPEN_TWO : THREAT_NONE;
}

// --- shared tables: filled once under the lock, then never changed

// A lock and not pthread_once: whoever found no memory may try again. Never freed: the next engine
// of the process wants them.
static pthread_mutex_t shared_lock =
    PTHREAD_MUTEX_INITIALIZER; // guards the two below until they are filled
static uint8_t *shared_lines[RULE_NB];
static uint8_t shared_threats[UINT16_MAX + 1];
static bool threats_filled;

CellPatternTable cell_pattern_table(Rule rule) {
    CHECK((unsigned)rule < RULE_NB);
    pthread_mutex_lock(&shared_lock);
    if (!shared_lines[rule])
        shared_lines[rule] = fill_lines(rule);
    CellPatternTable table = {rule_reach(rule), shared_lines[rule]};
    pthread_mutex_unlock(&shared_lock);
    return table;
}

const uint8_t *cell_threat_table(void) {
    pthread_mutex_lock(&shared_lock);
    for (uint32_t code = 0; code <= UINT16_MAX && !threats_filled; code++)
        shared_threats[code] = (uint8_t)combined_threat((CellCode)code);
    threats_filled = true;
    pthread_mutex_unlock(&shared_lock);
    return shared_threats;
}
