// SPDX-License-Identifier: GPL-3.0-or-later
// Counting shapes of whole segments, bit by bit in parallel.
#include "engine/board/pattern_table.h"

#include "engine/base/bits.h"
#include "engine/base/check.h"
#include "engine/base/large_memory.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { FIVE = 5, HALF = 11 }; // HALF: bits, of the longest segment, for mirror images

typedef struct Filler {
    Rule rule;
    int length;
    uint32_t windows;            // those that fit into the segment
    PatternCounts *entries;      // by stones, of this length
    uint16_t mirror[1u << HALF]; // HALF bits in reverse order
} Filler;

// The windows of a segment by the stones in them, if they may become a five.
typedef struct Windows {
    uint32_t with[FIVE + 1]; // 2..5
} Windows;

// Cells of a set of windows.
static inline uint32_t cells_of(uint32_t windows) {
    uint32_t two = windows | windows << 1;
    return two | two << 2 | windows << 4;
}

// Windows that hold one of the cells.
static inline uint32_t windows_at(uint32_t cells) {
    uint32_t two = cells | cells >> 1;
    return two | two >> 2 | cells >> 4;
}

// Bit-sliced addition: bit i of a..e says whether cell i..i+4 has a stone. Two full adders make of
// five such bits their ones, twos and fours, for all windows of the segment at once.
static inline Windows count_windows(const Filler *of, uint32_t stones) {
    uint32_t a = stones, b = stones >> 1, c = stones >> 2, d = stones >> 3, e = stones >> 4;
    uint32_t ab = a ^ b, abc = ab ^ c, carry1 = (a & b) | (c & ab);
    uint32_t abcd = abc ^ d, ones = abcd ^ e, carry2 = (abc & d) | (e & abcd);
    uint32_t twos = carry1 ^ carry2, fours = carry1 & carry2;
    uint32_t good = of->windows;
    // Under "exactly five" not beside an own stone, which would make it longer.
    if (of->rule != RULE_FREESTYLE)
        good &= ~(stones << 1) & ~(stones >> FIVE);
    return (Windows){{[2] = ~ones & twos & good,
                      [3] = ones & twos & good,
                      [4] = ~ones & fours & good,
                      [5] = ones & fours & good}};
}

// Takes the first group off *windows: those in which each shares a stone with the one before it.
// Neighbours always do.
static inline uint32_t take_group(uint32_t *windows, uint32_t stones) {
    uint32_t group = 0, rest = *windows, run;
    // Adding the lowest bit carries through the run that begins there: what it clears is that run.
    // The next window begins with its lowest cell, so it shares a stone with the run exactly when
    // the run has one at or above it.
    do {
        run = rest & ~(rest + (rest & -rest));
        group |= run;
        rest &= ~run;
    } while (rest && (cells_of(run) & stones & -(rest & -rest)));
    *windows = rest;
    return group;
}

// Does a stone on some cell make more of the pattern than there are now?
static inline bool can_make(const Filler *of, uint32_t stones, uint32_t cells, Pattern pattern,
                            int now) {
    for (uint32_t empty = cells & ~stones; empty; empty &= empty - 1)
        if (pattern_count(of->entries[stones | (empty & -empty)], pattern) > now)
            return true;
    return false;
}

// Counts the groups of these windows, as `open` when a stone makes more of `better`, else as
// `closed`.
static inline PatternCounts count_groups(const Filler *of, uint32_t stones, uint32_t windows,
                                         Pattern better, PatternCounts counts) {
    // The enum lists each pair, open and closed, right behind the pair that is one stone better.
    Pattern open = (Pattern)(better + 2), closed = (Pattern)(better + 3);
    int now = pattern_count(counts, better);
    while (windows) {
        uint32_t group = take_group(&windows, stones);
        Pattern found = can_make(of, stones, cells_of(group), better, now) ? open : closed;
        counts += (PatternCounts)1 << (4 * found);
    }
    return counts;
}

static inline PatternCounts count_fours(uint32_t stones, uint32_t windows, uint32_t all_fours) {
    PatternCounts counts = 0;
    while (windows) {
        uint32_t group = take_group(&windows, stones), cells = cells_of(group);
        // Windows of four inside the group, whoever's: each lacks one cell of a five.
        uint32_t inside = all_fours & ~windows_at(~cells) & windows_at(stones & cells);
        int points = bits_count(cells_of(inside) & ~stones);
        counts += (PatternCounts)1 << (4 * (points >= 2 ? PATTERN_OPEN_FOUR : PATTERN_FOUR));
    }
    return counts;
}

// Stones of a stronger shape are used up: a weaker one may not count a window that holds one.
// The entry of a segment, those with more stones being known.
static PatternCounts count_segment(const Filler *of, uint32_t stones) {
    Windows windows = count_windows(of, stones);
    uint32_t fives = windows.with[5];
    PatternCounts counts = (PatternCounts)bits_count(fives & ~(fives << 1)); // runs
    uint32_t used = cells_of(fives);
    uint32_t fours = windows.with[4] & ~windows_at(used);
    counts += count_fours(stones, fours, windows.with[4]);
    used |= cells_of(fours) & stones;
    uint32_t threes = windows.with[3] & ~windows_at(used);
    counts = count_groups(of, stones, threes, PATTERN_OPEN_FOUR, counts);
    used |= cells_of(threes) & stones;
    uint32_t twos = windows.with[2] & ~windows_at(used);
    return count_groups(of, stones, twos, PATTERN_OPEN_THREE, counts);
}

static uint32_t mirror_of(const Filler *of, uint32_t stones) {
    uint32_t low = of->mirror[stones & bits_below(HALF)], high = of->mirror[stones >> HALF];
    return (low << HALF | high) >> (2 * HALF - of->length);
}

static void fill(Rule rule, int max_length, PatternCounts *table) {
    // Indices below 2^5 are the segments shorter than a five: nothing can stand on them.
    Filler of = {.rule = rule};
    memset(table, 0, sizeof *table << FIVE);
    for (uint32_t bits = 1; bits < 1u << HALF; bits++)
        of.mirror[bits] = (uint16_t)(of.mirror[bits >> 1] >> 1 | (bits & 1) << (HALF - 1));
    for (of.length = FIVE; of.length <= max_length; of.length++) {
        of.windows = bits_below(of.length - FIVE + 1);
        of.entries = table + pattern_index(of.length, 0);
        // Those with more stones are larger, or the mirror images of larger ones: known.
        for (uint32_t stones = (uint32_t)1 << of.length; stones-- > 0;) {
            uint32_t mirror = mirror_of(&of, stones);
            if (mirror <= stones)
                of.entries[stones] = of.entries[mirror] = count_segment(&of, stones);
        }
    }
}

// --- the shared tables: filled once, then never changed

// Every cell more doubles a table: sizes up to the usual 15 share one of 256 KB, larger ones have
// their own, up to 32 MB for 22.
enum { SMALLEST = 15, SIZE_CLASSES = BOARD_MAX_SIDE - SMALLEST + 1 }; // boards below share one

static pthread_mutex_t shared_lock =
    PTHREAD_MUTEX_INITIALIZER; // guards shared_table until an entry is filled
static PatternCounts *shared_table[RULE_NB][SIZE_CLASSES];

static PatternCounts *make_table(Rule rule, int max_length) {
    PatternCounts *table = large_memory_new(((size_t)2 << max_length) * sizeof *table);
    if (table)
        fill(rule, max_length, table);
    return table;
}

static int size_class_of(int max_length) {
    return max_length > SMALLEST ? max_length - SMALLEST : 0;
}

const PatternCounts *pattern_table(Rule rule, int max_length) {
    CHECK((unsigned)rule < RULE_NB && max_length <= BOARD_MAX_SIDE);
    int size_class = size_class_of(max_length);
    pthread_mutex_lock(&shared_lock);
    PatternCounts **table = &shared_table[rule][size_class];
    if (!*table)
        *table = make_table(rule, SMALLEST + size_class);
    const PatternCounts *result = *table;
    pthread_mutex_unlock(&shared_lock);
    return result;
}

bool pattern_table_is_made(Rule rule, int max_length) {
    CHECK((unsigned)rule < RULE_NB && max_length <= BOARD_MAX_SIDE);
    pthread_mutex_lock(&shared_lock);
    bool is_made = shared_table[rule][size_class_of(max_length)];
    pthread_mutex_unlock(&shared_lock);
    return is_made;
}
