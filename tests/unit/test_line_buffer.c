// SPDX-License-Identifier: GPL-3.0-or-later
// Lines out of bytes, whatever the pieces they come in.
#include "engine/base/check.h"
#include "engine/base/rng.h"
#include "engine/base/text.h"
#include "engine/proto/line_buffer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Feeds `count` bytes in pieces of at most `piece` and appends every line that is not blank as
// "[line]".
static void feed(LineBuffer *buffer, const char *bytes, size_t count, size_t piece, Text *out) {
    const char *line;
    size_t length;
    for (size_t at = 0; at < count;) {
        size_t room;
        char *space = line_buffer_space(buffer, &room);
        assert_true(room >= 1);
        size_t step = count - at < piece ? count - at : piece;
        step = step < room ? step : room;
        memcpy(space, bytes + at, step);
        line_buffer_commit(buffer, step);
        at += step;
        while (line_buffer_next(buffer, &line, &length)) {
            assert_int_equal(line[length], '\0');
            if (length > 0) {
                text_append(out, "[");
                text_append_bytes(out, line, length);
                text_append(out, "]");
            }
        }
    }
}

static void check_feed(const char *bytes, size_t count, const char *want) {
    for (size_t piece = 1; piece <= count; piece++) {
        Text out = {0};
        LineBuffer *buffer = calloc(1, sizeof *buffer);
        feed(buffer, bytes, count, piece, &out);
        assert_int_equal(out.length, strlen(want));
        assert_memory_equal(text_cstr(&out), want, out.length);
        text_release(&out);
        free(buffer);
    }
}

static void test_line_buffer__every_line_end(void **state) {
    (void)state;
    static const struct {
        const char *bytes, *want;
    } CASES[] = {{"a\nb\n", "[a][b]"},
                 {"a\r\nb\r\n", "[a][b]"},
                 {"a\rb\r", "[a][b]"},
                 {"\n\n\r\r\n", ""},
                 {"a", ""},
                 {"a\n\n\nb\r\n\r\nc", "[a][b]"},
                 {"7,7\r\n8,8\n9", "[7,7][8,8]"}};
    for (size_t i = 0; i < ARRAY_LEN(CASES); i++)
        check_feed(CASES[i].bytes, strlen(CASES[i].bytes), CASES[i].want);
}

static void test_line_buffer__the_end_of_the_stream_ends_a_line(void **state) {
    (void)state;
    LineBuffer *buffer = calloc(1, sizeof *buffer);
    Text out = {0};
    const char *line;
    size_t length;
    feed(buffer, "a\nEND", 5, 2, &out);
    assert_string_equal(text_cstr(&out), "[a]");
    assert_true(line_buffer_last(buffer, &line, &length));
    assert_string_equal(line, "END");
    assert_int_equal(length, 3);
    assert_false(line_buffer_last(buffer, &line, &length));
    text_release(&out);
    free(buffer);
}

// A line that is too long comes cut, once, and the next one whole.
static void test_line_buffer__long_lines_are_cut(void **state) {
    (void)state;
    enum { LONG = 3 * LINE_BUFFER_CAP };
    static char bytes[LONG + 8];
    memset(bytes, 'x', LONG);
    memcpy(bytes + LONG, "\nshort\n", 7);
    static const size_t PIECES[] = {1, 7, 4096, LINE_BUFFER_CAP - 1, LONG + 7};
    for (size_t i = 0; i < ARRAY_LEN(PIECES); i++) {
        Text out = {0};
        LineBuffer *buffer = calloc(1, sizeof *buffer);
        feed(buffer, bytes, LONG + 7, PIECES[i], &out);
        assert_int_equal(out.length, LINE_BUFFER_CAP - 1 + 2 + strlen("[short]"));
        assert_string_equal(text_cstr(&out) + out.length - 8, "][short]");
        text_release(&out);
        free(buffer);
    }
}

// Against a split of the whole text, for random bytes in random pieces.
static void test_line_buffer__pieces_do_not_matter(void **state) {
    (void)state;
    Rng rng = rng_init(5);
    for (int round = 0; round < 300; round++) {
        char bytes[400];
        Text want = {0}, got = {0};
        size_t count = rng_below(&rng, sizeof bytes), line = 0;
        for (size_t i = 0; i < count; i++)
            bytes[i] = "ab \n\r\0\xff"[rng_below(&rng, 7)];
        for (size_t i = 0; i < count; i++) {
            if (bytes[i] != '\n' && bytes[i] != '\r')
                continue;
            if (i > line) {
                text_append(&want, "[");
                text_append_bytes(&want, bytes + line, i - line);
                text_append(&want, "]");
            }
            line = i + 1;
        }
        LineBuffer *buffer = calloc(1, sizeof *buffer);
        feed(buffer, bytes, count, 1 + rng_below(&rng, 40), &got);
        assert_int_equal(got.length, want.length);
        assert_memory_equal(text_cstr(&got), text_cstr(&want), got.length);
        text_release(&want);
        text_release(&got);
        free(buffer);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line_buffer__every_line_end),
        cmocka_unit_test(test_line_buffer__the_end_of_the_stream_ends_a_line),
        cmocka_unit_test(test_line_buffer__long_lines_are_cut),
        cmocka_unit_test(test_line_buffer__pieces_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
