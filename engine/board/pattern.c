// SPDX-License-Identifier: GPL-3.0-or-later
// Classifies segments: windows of five, grouped by the stones they share, strongest shape first.
//
// This is the definition in code, as close to the header's words as can be: slow, recursive, and
// what the quick table (pattern_table.c) is held against entry by entry.
#include "engine/board/pattern.h"

#include "engine/base/bits.h"

enum { FIVE = 5 };

typedef struct Classifier {
    Rule rule;
    int length;
} Classifier;

static PatternCounts classify(const Classifier *of, uint32_t stones);

// May the window at `low` become a five? Under "exactly five" not beside an own stone, which would
// make it longer.
static bool window_can_win(const Classifier *of, uint32_t stones, int low) {
    if (of->rule == RULE_FREESTYLE)
        return true;
    bool before = low > 0 && (stones >> (low - 1) & 1);
    return !before && !(stones >> (low + FIVE) & 1);
}

// A group: stones that share windows holding exactly `own` of them, and the cells of those windows.
typedef struct Group {
    uint32_t stones, cells;
} Group;

// Finds the groups of windows with exactly `own` stones, none of them in `used`; returns how many.
static int find_groups(const Classifier *of, uint32_t stones, uint32_t used, int own,
                       Group *groups) {
    int count = 0;
    for (int low = 0; low + FIVE <= of->length; low++) {
        uint32_t cells = bits_below(FIVE) << low, inside = stones & cells;
        if (bits_count(inside) != own || (inside & used) || !window_can_win(of, stones, low))
            continue;
        // Windows come in order, so a shared stone is shared with the latest group.
        if (count && (groups[count - 1].stones & inside)) {
            groups[count - 1].stones |= inside;
            groups[count - 1].cells |= cells;
        } else {
            groups[count++] = (Group){inside, cells};
        }
    }
    return count;
}

// Does a stone on some empty cell of the group make one more of `pattern` than there are now?
static bool group_can_make(const Classifier *of, uint32_t stones, const Group *group,
                           Pattern pattern, int now) {
    // One stone more each time, so the recursion ends; it asks for a stronger shape only, never for
    // the one that is being counted.
    for (uint32_t empty = group->cells & ~stones; empty; empty &= empty - 1)
        if (pattern_count(classify(of, stones | (empty & -empty)), pattern) > now)
            return true;
    return false;
}

// Empty cells of the group that complete a five.
static int five_points(const Classifier *of, uint32_t stones, const Group *group) {
    int points = 0;
    // Windows come in order, and so do the cells they lack: equal points are neighbours.
    for (int low = 0, last = -1; low + FIVE <= of->length; low++) {
        uint32_t cells = bits_below(FIVE) << low, empty = cells & ~stones;
        if ((cells & ~group->cells) || bits_count(empty) != 1 || !window_can_win(of, stones, low))
            continue;
        if (!(stones & cells & group->stones))
            continue;
        int point = bits_lowest(empty);
        points += point != last;
        last = point;
    }
    return points;
}

// Shapes share no stones, so 22 cells hold at most 11 of a kind: four bits are enough.
static void add(PatternCounts *counts, Pattern pattern, int count) {
    *counts += (PatternCounts)count << (4 * pattern);
}

static PatternCounts classify(const Classifier *of, uint32_t stones) {
    PatternCounts counts = 0;
    Group groups[BOARD_MAX_SIDE];
    uint32_t used = 0;
    // A lone stone is no shape: there is nothing to count below two.
    if (of->length < FIVE || bits_count(stones) < 2)
        return 0;
    int fives = find_groups(of, stones, 0, 5, groups);
    add(&counts, PATTERN_FIVE, fives);
    for (int i = 0; i < fives; i++)
        used |= groups[i].stones;

    int fours = find_groups(of, stones, used, 4, groups);
    for (int i = 0; i < fours; i++) {
        add(&counts, five_points(of, stones, &groups[i]) >= 2 ? PATTERN_OPEN_FOUR : PATTERN_FOUR,
            1);
        used |= groups[i].stones;
    }
    int open_fours = pattern_count(counts, PATTERN_OPEN_FOUR);
    int threes = find_groups(of, stones, used, 3, groups);
    for (int i = 0; i < threes; i++) {
        bool open = group_can_make(of, stones, &groups[i], PATTERN_OPEN_FOUR, open_fours);
        add(&counts, open ? PATTERN_OPEN_THREE : PATTERN_THREE, 1);
        used |= groups[i].stones;
    }
    int open_threes = pattern_count(counts, PATTERN_OPEN_THREE);
    int twos = find_groups(of, stones, used, 2, groups);
    for (int i = 0; i < twos; i++) {
        bool open = group_can_make(of, stones, &groups[i], PATTERN_OPEN_THREE, open_threes);
        add(&counts, open ? PATTERN_OPEN_TWO : PATTERN_TWO, 1);
    }
    return counts;
}

PatternCounts pattern_slow_counts(Rule rule, int length, uint32_t stones) {
    return classify(&(Classifier){rule, length}, stones);
}
