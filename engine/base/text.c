// SPDX-License-Identifier: GPL-3.0-or-later
// The text buffer, number parsing and choices.
#include "engine/base/text.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *text_cstr(const Text *text) { return text->data ? text->data : ""; }

// Room for `extra` bytes more and a NUL. Doubling makes a text built byte by byte cost linear time.
static bool text_reserve(Text *text, size_t extra) {
    if (text->failed)
        return false;
    size_t need = text->length + extra + 1;
    if (need <= text->cap)
        return true;
    size_t cap = text->cap ? text->cap : 64;
    while (cap < need)
        cap *= 2;
    char *data = realloc(text->data, cap);
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->cap = cap;
    return true;
}

void text_append_bytes(Text *text, const char *bytes, size_t count) {
    if (!text_reserve(text, count))
        return;
    if (count)
        memcpy(text->data + text->length, bytes, count);
    text->length += count;
    text->data[text->length] = '\0';
}

void text_append(Text *text, const char *string) {
    text_append_bytes(text, string, strlen(string));
}

void text_printf(Text *text, const char *fmt, ...) {
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    // Formatted twice, first to learn the length: the arguments can be read once only, hence the
    // copy.
    int need = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (need >= 0 && text_reserve(text, (size_t)need)) {
        vsnprintf(text->data + text->length, (size_t)need + 1, fmt, again);
        text->length += (size_t)need;
    }
    va_end(again);
}

// After RFC 3629. The least code of each length refuses overlong forms, by which a filter for a
// character could be passed in another spelling. A NUL is no continuation byte, so a text that is
// cut short ends the loop before its end is passed.
int text_decode_utf8(const char *bytes, uint32_t *code) {
    static const uint32_t LEAST[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *c = (const unsigned char *)bytes;
    if (c[0] < 0x80) {
        *code = c[0];
        return 1;
    }
    int count = (c[0] & 0xe0) == 0xc0   ? 2
                : (c[0] & 0xf0) == 0xe0 ? 3
                : (c[0] & 0xf8) == 0xf0 ? 4
                                        : 0;
    *code = c[0] & (0x7fu >> count);
    for (int i = 1; i < count; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (c[i] & 0x3fu);
    }
    bool is_surrogate = *code >= 0xd800 && *code <= 0xdfff;
    return count && *code >= LEAST[count] && *code <= 0x10ffff && !is_surrogate ? count : 0;
}

// Control characters, and what YAML, of which JSON is nearly a part, refuses to read unescaped.
static bool is_unprintable(uint32_t code) {
    return code < 32 || (code >= 0x7f && code < 0xa0) || code == 0xfeff || code == 0xfffe ||
           code == 0xffff;
}

void text_append_json(Text *text, const char *string) {
    text_append(text, "\"");
    for (const char *c = string; *c;) {
        uint32_t code;
        int bytes = text_decode_utf8(c, &code);
        if (bytes == 0)
            text_append(text, "\xef\xbf\xbd"); // U+FFFD, the replacement character
        else if (code == '"' || code == '\\')
            text_printf(text, "\\%c", *c);
        else if (is_unprintable(code))
            text_printf(text, "\\u%04x", (unsigned)code);
        else
            text_append_bytes(text, c, (size_t)bytes);
        c += bytes ? bytes : 1;
    }
    text_append(text, "\"");
}

// What is quoted is quoted as a whole; a quote inside closes, is escaped, and opens again.
void text_append_word(Text *text, const char *string) {
    static const char SAFE[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "_-+=./:,@%";
    if (*string && strspn(string, SAFE) == strlen(string)) {
        text_append(text, string);
        return;
    }
    text_append(text, "'");
    for (const char *c = string; *c; c++)
        text_append_bytes(text, *c == '\'' ? "'\\''" : c, *c == '\'' ? 4 : 1);
    text_append(text, "'");
}

void text_append_double(Text *text, double value) {
    if (isnan(value)) {
        text_append(text, "nan");
    } else if (isinf(value)) {
        text_append(text, value > 0 ? "inf" : "-inf");
        // Below 1e15 no whole number needs an exponent, and all of them are exact.
    } else if (value == floor(value) && fabs(value) < 1e15) {
        text_printf(text, "%.0f", value == 0 ? 0.0 : value); // no "-0"
    } else {
        // At most 17 digits tell every double apart, mostly far fewer are needed. Trying them in
        // turn takes no table and cannot err; nothing here is printed often enough to need more.
        char buffer[40];
        for (int digits = 1; digits <= 17; digits++) { // the first that reads back is the shortest
            snprintf(buffer, sizeof buffer, "%.*g", digits, value);
            if (strtod(buffer, NULL) == value)
                break;
        }
        text_append(text, buffer);
    }
}

void text_clear(Text *text) {
    text->length = 0;
    if (text->data)
        text->data[0] = '\0';
}

void text_release(Text *text) {
    free(text->data);
    *text = (Text){0};
}

bool text_parse_int(const char *string, int64_t lo, int64_t hi, int64_t *out) {
    // strtoll alone would take leading blanks, and an empty text for 0.
    const char *digits = string + (*string == '-' || *string == '+');
    if (!isdigit((unsigned char)*digits))
        return false;
    char *end;
    errno = 0;
    long long value = strtoll(string, &end, 10);
    if (errno || *end || value < lo || value > hi)
        return false;
    *out = value;
    return true;
}

bool text_parse_double(const char *string, double lo, double hi, double *out) {
    // strtod alone would take blanks, hexadecimals, "inf" and "nan".
    const char *first = string + (*string == '-' || *string == '+');
    if (!isdigit((unsigned char)*first) && *first != '.')
        return false;
    if (first[0] == '0' && (first[1] == 'x' || first[1] == 'X'))
        return false;
    char *end;
    double value = strtod(string, &end);
    if (end == string || *end || !isfinite(value) || value < lo || value > hi)
        return false;
    *out = value;
    return true;
}

bool text_parse_bool(const char *string, bool *out) {
    // No and yes in turn: the lowest bit of the index is the value.
    static const char *const WORDS[] = {"no", "yes", "false", "true", "off", "on", "0", "1"};
    for (int i = 0; i < 8; i++)
        if (strcasecmp(string, WORDS[i]) == 0) {
            *out = i & 1;
            return true;
        }
    return false;
}

size_t text_choice_at(const char *choices, int index, const char **start) {
    const char *c = choices;
    for (; index > 0 && c; index--) {
        c = strchr(c, '|');
        c = c ? c + 1 : NULL;
    }
    *start = c;
    return c ? strcspn(c, "|") : 0;
}

int text_choice_find(const char *choices, const char *word) {
    const char *start;
    size_t length;
    for (int i = 0; (length = text_choice_at(choices, i, &start)) > 0; i++)
        if (strlen(word) == length && strncmp(word, start, length) == 0)
            return i;
    return -1;
}

void text_append_clean(Text *text, const char *string) {
    for (const char *c = string; *c;) {
        uint32_t code;
        int bytes = text_decode_utf8(c, &code);
        text_append_bytes(text, bytes ? c : "\xef\xbf\xbd", bytes ? (size_t)bytes : 3);
        c += bytes ? bytes : 1;
    }
}
