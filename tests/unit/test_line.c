// SPDX-License-Identifier: GPL-3.0-or-later
// Lines as words, and the bits and symmetries they rest on: against walks over cells.
// sanitizers: asan
#include "engine/base/check.h"
#include "engine/base/rng.h"
#include "engine/board/line.h"
#include "engine/board/symmetry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const int SIZES[][2] = {{2, 2},  {5, 5},  {15, 15}, {22, 22},
                               {2, 22}, {22, 2}, {7, 12},  {20, 15}};

static const int STEP_X[LINE_DIRECTIONS] = {1, 0, 1, 1}, STEP_Y[LINE_DIRECTIONS] = {0, 1, 1, -1};

static LineGeometry geometry;

static void test_line__cells_and_bits_are_inverses(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(SIZES); i++) {
        int width = SIZES[i][0], height = SIZES[i][1];
        line_geometry_init(&geometry, width, height);
        assert_int_equal(geometry.line_count, width + height + 2 * (width + height - 1));
        for (int cell = 0; cell < width * height; cell++)
            for (int d = 0; d < LINE_DIRECTIONS; d++) {
                int line = geometry.cell[cell].line[d], bit = geometry.cell[cell].bit[d];
                assert_int_equal(geometry.direction[line], d);
                assert_int_equal(line_cell(&geometry, line, bit), cell);
                assert_false(geometry.wall[line] >> bit & 1);
            }
    }
}

// The next bit of a line is the next cell of its direction, as long as there is one; then wall.
static void test_line__neighbours_follow_the_direction(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(SIZES); i++) {
        int width = SIZES[i][0], height = SIZES[i][1];
        line_geometry_init(&geometry, width, height);
        for (int cell = 0; cell < width * height; cell++)
            for (int d = 0; d < LINE_DIRECTIONS; d++) {
                int line = geometry.cell[cell].line[d], bit = geometry.cell[cell].bit[d];
                int x = cell % width + STEP_X[d], y = cell / width + STEP_Y[d];
                bool is_wall = geometry.wall[line] >> (bit + 1) & 1;
                assert_int_equal(is_wall, x < 0 || y < 0 || x >= width || y >= height);
                if (!is_wall)
                    assert_int_equal(line_cell(&geometry, line, bit + 1), y * width + x);
            }
    }
}

static void test_line__lengths_walls_and_rows(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(SIZES); i++) {
        int width = SIZES[i][0], height = SIZES[i][1], cells = 0;
        line_geometry_init(&geometry, width, height);
        for (int line = 0; line < geometry.line_count; line++) {
            uint32_t open = ~geometry.wall[line];
            assert_int_equal(bits_count(open), geometry.length[line]);
            assert_int_equal(open & bits_below(LINE_PAD), 0); // windows never leave the word
            assert_int_equal(open >> (32 - LINE_PAD), 0);
            assert_int_equal(bits_highest(open) - bits_lowest(open) + 1, geometry.length[line]);
            cells += geometry.length[line];
        }
        assert_int_equal(cells, LINE_DIRECTIONS * width * height);
        for (int y = 0; y < height; y++) // the first lines are the rows, bit x + pad
            assert_int_equal(line_cell(&geometry, y, LINE_PAD + width - 1), (y + 1) * width - 1);
    }
}

static int walk(uint32_t word, int bit, int step) {
    int run = 0;
    for (int at = bit + step; at >= 0 && at < 32 && (word >> at & 1); at += step)
        run++;
    return run;
}

static void test_line__runs_and_segments_equal_a_walk(void **state) {
    (void)state;
    Rng rng = rng_init(2);
    for (int round = 0; round < 4000; round++) {
        uint32_t word = (uint32_t)rng_next(&rng);
        word |= round & 1 ? (uint32_t)rng_next(&rng) : 0;
        word &= ~(1u | (uint32_t)1 << 31); // never own: wall
        uint32_t stoppers = ~word;
        for (int bit = 1; bit <= 30; bit++) {
            assert_int_equal(line_run_up(word, bit), walk(word, bit, 1));
            assert_int_equal(line_run_down(word, bit), walk(word, bit, -1));
            assert_int_equal(line_is_lonely(word, bit),
                             !(word >> (bit - 1) & 1) && !(word >> (bit + 1) & 1));
            LineSegment segment = line_segment(stoppers, bit);
            assert_int_equal(segment.low, bit - walk(word, bit, -1));
            assert_int_equal(segment.length, walk(word, bit, -1) + 1 + walk(word, bit, 1));
        }
    }
}

static void test_bits__ends_of_words(void **state) {
    (void)state;
    assert_int_equal(bits_lowest(1), 0);
    assert_int_equal(bits_lowest((uint32_t)1 << 31), 31);
    assert_int_equal(bits_highest(1), 0);
    assert_int_equal(bits_highest(UINT32_MAX), 31);
    assert_int_equal(bits_count(0), 0);
    assert_int_equal(bits_count(UINT32_MAX), 32);
    assert_int_equal(bits_lowest64((uint64_t)1 << 63), 63);
    assert_int_equal(bits_below(0), 0);
    assert_int_equal(bits_below(1), 1);
    assert_int_equal(bits_below(31), INT32_MAX);
}

static void test_symmetry__each_is_a_permutation_with_its_inverse(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(SIZES); i++) {
        int width = SIZES[i][0], height = SIZES[i][1], count = symmetry_count(width, height);
        assert_int_equal(count, width == height ? 8 : 4);
        for (int symmetry = 0; symmetry < count; symmetry++) {
            bool seen[BOARD_MAX_CELLS] = {false};
            for (Move cell = 0; cell < width * height; cell++) {
                Move to = symmetry_apply(width, height, symmetry, cell);
                assert_in_range(to, 0, width * height - 1);
                assert_false(seen[to]);
                seen[to] = true;
                assert_int_equal(symmetry_apply(width, height, symmetry_inverse(symmetry), to),
                                 cell);
            }
        }
    }
}

// The corner beside the top left one goes to eight different cells: no symmetry is another.
static void test_symmetry__all_differ_and_keep_lines(void **state) {
    (void)state;
    static const Move IMAGES[SYMMETRY_NB] = {1, 13, 211, 223, 15, 29, 195, 209};
    line_geometry_init(&geometry, 15, 15);
    Rng rng = rng_init(4);
    for (int symmetry = 0; symmetry < SYMMETRY_NB; symmetry++) {
        Move image = symmetry_apply(15, 15, symmetry, 1);
        bool is_listed = false;
        for (int i = 0; i < SYMMETRY_NB; i++)
            is_listed |= IMAGES[i] == image;
        assert_true(is_listed);
        for (int other = 0; other < symmetry; other++)
            assert_int_not_equal(image, symmetry_apply(15, 15, other, 1));
        for (int i = 0; i < 200; i++) { // two cells share a line exactly when their images do
            Move a = (Move)rng_below(&rng, 225), b = (Move)rng_below(&rng, 225);
            Move to_a = symmetry_apply(15, 15, symmetry, a),
                 to_b = symmetry_apply(15, 15, symmetry, b);
            bool shared = false, image_shared = false;
            for (int d = 0; d < LINE_DIRECTIONS; d++) {
                shared |= geometry.cell[a].line[d] == geometry.cell[b].line[d];
                image_shared |= geometry.cell[to_a].line[d] == geometry.cell[to_b].line[d];
            }
            assert_int_equal(shared, image_shared);
        }
    }
}

// Random games: images of one position have one canonical key, and other positions another.
static void test_symmetry__canonical_keys_do_not_see_images(void **state) {
    (void)state;
    Rng rng = rng_init(5);
    for (int round = 0; round < 60; round++) {
        int width = 15, height = round & 1 ? 15 : 10, count = 1 + (int)rng_below(&rng, 20);
        Move moves[32], image[32];
        for (int i = 0; i < count; i++) {
            moves[i] = (Move)rng_below(&rng, (uint64_t)(width * height));
            for (int j = 0; j < i; j++)
                if (moves[j] == moves[i])
                    i--, j = i; // drawn before: once more
        }
        uint64_t key = symmetry_canonical_key(width, height, moves, count);
        for (int symmetry = 0; symmetry < symmetry_count(width, height); symmetry++) {
            for (int i = 0; i < count; i++)
                image[i] = symmetry_apply(width, height, symmetry, moves[i]);
            assert_int_equal(symmetry_canonical_key(width, height, image, count), key);
            assert_int_equal(symmetry_position_key(width, height, image, count, 0),
                             symmetry_position_key(width, height, moves, count, symmetry));
        }
        assert_int_not_equal(symmetry_canonical_key(width, height, moves, count - 1), key);
        for (int i = 0; i + 2 < count; i++) { // stones of one colour in another order
            Move swap = moves[i];
            moves[i] = moves[i + 2];
            moves[i + 2] = swap;
            assert_int_equal(symmetry_canonical_key(width, height, moves, count), key);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line__cells_and_bits_are_inverses),
        cmocka_unit_test(test_line__neighbours_follow_the_direction),
        cmocka_unit_test(test_line__lengths_walls_and_rows),
        cmocka_unit_test(test_line__runs_and_segments_equal_a_walk),
        cmocka_unit_test(test_bits__ends_of_words),
        cmocka_unit_test(test_symmetry__each_is_a_permutation_with_its_inverse),
        cmocka_unit_test(test_symmetry__all_differ_and_keep_lines),
        cmocka_unit_test(test_symmetry__canonical_keys_do_not_see_images),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
