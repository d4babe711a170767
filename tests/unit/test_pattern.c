// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes of one line: known ones by name, the table against the definition, mirror images alike.
// sanitizers: asan
#include "engine/base/bits.h"
#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "engine/base/rng.h"
#include "engine/board/pattern_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static uint32_t stones_of(const char *line) {
    uint32_t stones = 0;
    for (int i = 0; line[i]; i++)
        stones |= (uint32_t)(line[i] == 'X') << i;
    return stones;
}

// "1 open two" is written as the digits of five, open four, four, open three, three, open two, two.
static void test_pattern__known_shapes(void **state) {
    (void)state;
    static const struct {
        const char *line, *freestyle, *standard;
    } CASES[] = {
        {"XXXXX", "1000000", "1000000"},          {"_XXXXX_", "1000000", "1000000"},
        {"XXXXXX", "1000000", "0000000"},         {"_XXXX_", "0100000", "0100000"},
        {"XXXX_", "0010000", "0010000"},          {"XX_XX", "0010000", "0010000"},
        {"_X_XXX_", "0010000", "0010000"},        {"X_XXX_X", "0100000", "0100000"},
        {"XX_XX_XX", "0100000", "0100000"},       {"_XXX__", "0001000", "0001000"},
        {"__XXX__", "0001000", "0001000"},        {"_XX_X_", "0001000", "0001000"},
        {"_XXX_", "0000100", "0000100"},          {"XXX__", "0000100", "0000100"},
        {"X_X_X", "0000100", "0000100"},          {"X__XX", "0000100", "0000100"},
        {"__XX__", "0000010", "0000010"},         {"__X_X__", "0000010", "0000010"},
        {"_X__X_", "0000010", "0000010"},         {"XX___", "0000001", "0000001"},
        {"X___X", "0000001", "0000001"},          {"__X__", "0000000", "0000000"},
        {"XXXX", "0000000", "0000000"},           {"__XX______XX__", "0000020", "0000020"},
        {"_XXX_____XXX__", "0002000", "0002000"}, {"XXXX_XX", "0010000", "0000000"},
        {"XXXXX__XXX", "1000100", "1000000"},
    };
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++)
        for (int rule = 0; rule < RULE_NB; rule++) {
            const char *expected = rule == RULE_FREESTYLE ? CASES[i].freestyle : CASES[i].standard;
            int length = (int)strlen(CASES[i].line);
            PatternCounts counts =
                pattern_slow_counts((Rule)rule, length, stones_of(CASES[i].line));
            char found[PATTERN_NB + 1] = {0};
            for (int pattern = 0; pattern < PATTERN_NB; pattern++)
                found[pattern] = (char)('0' + pattern_count(counts, (Pattern)pattern));
            if (strcmp(found, expected) != 0)
                fail_msg("%s under %s: %s, expected %s", CASES[i].line, rule_name((Rule)rule),
                         found, expected);
        }
}

static void test_pattern__table_equals_definition(void **state) {
    (void)state;
    for (int rule = 0; rule < RULE_NB; rule++) {
        const PatternCounts *table = pattern_table((Rule)rule, 15);
        for (int length = 0; length <= 12; length++)
            for (uint32_t stones = 0; stones < (uint32_t)1 << length; stones++)
                assert_int_equal(table[pattern_index(length, stones)],
                                 pattern_slow_counts((Rule)rule, length, stones));
    }
}

// An engine says OK to START when its tables are there. How long that takes is the machine's
// matter; that an entry takes a small part of what the definition takes is not.
static void test_pattern__longest_table_is_made_quickly(void **state) {
    (void)state;
#ifndef GOMOLAB_DEBUG // neither without optimisation nor under a sanitizer
    enum { LENGTH = 22, SAMPLE = 1 << 14 };
    assert_false(pattern_table_is_made(RULE_FREESTYLE, LENGTH));
    int64_t began_ns = clock_thread_cpu_ns();
    assert_non_null(pattern_table(RULE_FREESTYLE, LENGTH));
    double entry_ns = (double)(clock_thread_cpu_ns() - began_ns) / (2 << LENGTH);
    assert_true(pattern_table_is_made(RULE_FREESTYLE, LENGTH));
    began_ns = clock_thread_cpu_ns();
    for (uint32_t i = 0; i < SAMPLE; i++) {
        uint32_t stones = i * (((uint32_t)1 << LENGTH) / SAMPLE) + i % 251;
        assert_true(pattern_slow_counts(RULE_FREESTYLE, LENGTH, stones) < UINT32_MAX);
    }
    double slow_ns = (double)(clock_thread_cpu_ns() - began_ns) / SAMPLE;
    if (entry_ns > slow_ns / 4)
        fail_msg("%.1f ns an entry, %.1f ns by definition", entry_ns, slow_ns);
#endif
}

// The table is filled by another way than the definition goes: all of it at 16 cells would take the
// definition a minute.
static void test_pattern__longest_table_equals_definition(void **state) {
    (void)state;
    for (int rule = 0; rule < RULE_NB; rule++) {
        const PatternCounts *table = pattern_table((Rule)rule, 22);
        Rng rng = rng_init(22 + (uint64_t)rule);
        for (int i = 0; i < 4000; i++) {
            int length = 13 + (int)rng_below(&rng, 10);
            // From sparse to dense: one, two or three of four cells.
            uint32_t a = (uint32_t)rng_next(&rng), b = (uint32_t)rng_next(&rng);
            uint32_t stones = i % 3 == 0 ? a & b : i % 3 == 1 ? a : a | b;
            stones &= bits_below(length);
            assert_int_equal(table[pattern_index(length, stones)],
                             pattern_slow_counts((Rule)rule, length, stones));
        }
        for (int length = 0; length <= 9; length++)
            for (uint32_t stones = 0; stones < (uint32_t)1 << length; stones++)
                assert_int_equal(table[pattern_index(length, stones)],
                                 pattern_slow_counts((Rule)rule, length, stones));
    }
}

static uint32_t mirrored(uint32_t stones, int length) {
    uint32_t mirror = 0;
    for (int i = 0; i < length; i++)
        mirror |= (stones >> i & 1u) << (length - 1 - i);
    return mirror;
}

static void test_pattern__mirror_images_are_equal(void **state) {
    (void)state;
    for (int rule = 0; rule < RULE_NB; rule++) {
        const PatternCounts *table = pattern_table((Rule)rule, 15);
        for (int length = 5; length <= 15; length++)
            for (uint32_t stones = 0; stones < (uint32_t)1 << length; stones++)
                assert_int_equal(table[pattern_index(length, stones)],
                                 table[pattern_index(length, mirrored(stones, length))]);
    }
}

// Five points counted without the classifier: cells that make a row that wins.
static int five_points(Rule rule, int length, uint32_t stones) {
    int points = 0;
    for (int cell = 0; cell < length; cell++) {
        uint32_t with = stones | (uint32_t)1 << cell;
        int low = cell, high = cell;
        while (low > 0 && (with >> (low - 1) & 1))
            low--;
        while (high + 1 < length && (with >> (high + 1) & 1))
            high++;
        points += !(stones >> cell & 1) && rule_run_wins(rule, high - low + 1, 5);
    }
    return points;
}

static void test_pattern__fours_are_what_one_stone_makes_five(void **state) {
    (void)state;
    for (int rule = 0; rule < RULE_NB; rule++) {
        const PatternCounts *table = pattern_table((Rule)rule, 15);
        for (int length = 5; length <= 13; length++)
            for (uint32_t stones = 0; stones < (uint32_t)1 << length; stones++) {
                PatternCounts counts = table[pattern_index(length, stones)];
                if (pattern_count(counts, PATTERN_FIVE))
                    continue; // stones of a five are in no other shape
                int points = five_points((Rule)rule, length, stones);
                int fours = pattern_count(counts, PATTERN_FOUR),
                    open = pattern_count(counts, PATTERN_OPEN_FOUR);
                assert_true((points > 0) == (fours + open > 0));
                assert_true(points >= fours + 2 * open);
                if (points == 1)
                    assert_int_equal(fours, 1);
            }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pattern__known_shapes),
        cmocka_unit_test(test_pattern__table_equals_definition),
        cmocka_unit_test(test_pattern__longest_table_is_made_quickly),
        cmocka_unit_test(test_pattern__longest_table_equals_definition),
        cmocka_unit_test(test_pattern__mirror_images_are_equal),
        cmocka_unit_test(test_pattern__fours_are_what_one_stone_makes_five),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
