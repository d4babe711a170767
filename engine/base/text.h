// SPDX-License-Identifier: GPL-3.0-or-later
// Text: a growing buffer, strict number parsing, shortest round-trip numbers, words of a choice.
#pragma once

#include "engine/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A growing, always NUL-terminated string. Zero-initialised is empty; free with text_release.
// Running out of memory sets `failed` and makes further appends do nothing, so that one check at
// the end is enough.
typedef struct Text {
    char *data;    // owned; NULL while empty: read through text_cstr
    size_t length; // bytes without the NUL
    size_t cap;    // bytes allocated
    bool failed;   // an append ran out of memory
} Text;

// The contents, "" while empty; valid until the next append. Thread: owner.
const char *text_cstr(const Text *text);
// Appends bytes, a string, or formatted text. Thread: owner.
void text_append_bytes(Text *text, const char *bytes, size_t count);
void text_append(Text *text, const char *string); // as above, a NUL-terminated string
void text_printf(Text *text, const char *fmt, ...) PRINTF_LIKE(2, 3); // as above, printf's formats
// Appends `string` as a JSON string with its quotes, which is a YAML scalar as well: control
// characters,
// `"` and `\` escaped, bytes that are no UTF-8 replaced by U+FFFD, others kept. Thread: owner.
void text_append_json(Text *text, const char *string);
// Appends the shortest decimal that reads back as the same double: integers without a point, `inf`,
// `-inf`, `nan`. Thread: owner.
void text_append_double(Text *text, double value);
// Appends `string` as one word of a POSIX shell, quoted when it needs to be. Thread: owner.
void text_append_word(Text *text, const char *string);
// Forgets the contents but keeps the memory (clear), or gives the memory back (release). Thread:
// owner.
void text_clear(Text *text);
void text_release(Text *text); // frees the memory; the buffer is empty and usable again

// Parses the whole of `string` as a decimal integer within lo..hi. False (and *out untouched) for
// anything else: empty, blanks, trailing characters, out of range. Thread: any.
bool text_parse_int(const char *string, int64_t lo, int64_t hi, int64_t *out);
// The same for a finite double; accepts what strtod accepts except hex, inf, nan and surrounding
// blanks. Thread: any.
bool text_parse_double(const char *string, double lo, double hi, double *out);

// What a counted word ends with: "" for one, "s" for others. Thread: any.
static inline const char *text_plural(int64_t count) { return count == 1 ? "" : "s"; }

// Parses yes, true, on, 1 and no, false, off, 0 (any case). False (and *out untouched) for anything
// else. Thread: any.
bool text_parse_bool(const char *string, bool *out);

// The index of `word` in "a|b|c" (case counts), -1 when it is none of them. Thread: any.
int text_choice_find(const char *choices, const char *word);

// The length and *start of choice `index` of "a|b|c"; 0 when there are not so many. Thread: any.
size_t text_choice_at(const char *choices, int index, const char **start);

// Appends `string` with every byte that is no UTF-8 replaced by U+FFFD: what other programs print
// may be anything. Thread: owner.
void text_append_clean(Text *text, const char *string);

// Decodes the UTF-8 character at `bytes` (not its end) into *code. Returns how many bytes it takes,
// 0 (and *code means nothing) when they are no UTF-8: cut short, overlong, surrogates, beyond
// U+10FFFF. Thread: any.
int text_decode_utf8(const char *bytes, uint32_t *code);
