// SPDX-License-Identifier: GPL-3.0-or-later
// CP1250 to UTF-8, as the Unicode Consortium's table CP1250.TXT maps it.
#include "harness/record/legacy_text.h"

#include <stdlib.h>
#include <string.h>

// Bytes that the code page leaves open are U+FFFD, the replacement character.
static const uint16_t HIGH_HALF[128] = {
    // clang-format off
    0x20ac, 0xfffd, 0x201a, 0xfffd, 0x201e, 0x2026, 0x2020, 0x2021,
    0xfffd, 0x2030, 0x0160, 0x2039, 0x015a, 0x0164, 0x017d, 0x0179,
    0xfffd, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
    0xfffd, 0x2122, 0x0161, 0x203a, 0x015b, 0x0165, 0x017e, 0x017a,
    0x00a0, 0x02c7, 0x02d8, 0x0141, 0x00a4, 0x0104, 0x00a6, 0x00a7,
    0x00a8, 0x00a9, 0x015e, 0x00ab, 0x00ac, 0x00ad, 0x00ae, 0x017b,
    0x00b0, 0x00b1, 0x02db, 0x0142, 0x00b4, 0x00b5, 0x00b6, 0x00b7,
    0x00b8, 0x0105, 0x015f, 0x00bb, 0x013d, 0x02dd, 0x013e, 0x017c,
    0x0154, 0x00c1, 0x00c2, 0x0102, 0x00c4, 0x0139, 0x0106, 0x00c7,
    0x010c, 0x00c9, 0x0118, 0x00cb, 0x011a, 0x00cd, 0x00ce, 0x010e,
    0x0110, 0x0143, 0x0147, 0x00d3, 0x00d4, 0x0150, 0x00d6, 0x00d7,
    0x0158, 0x016e, 0x00da, 0x0170, 0x00dc, 0x00dd, 0x0162, 0x00df,
    0x0155, 0x00e1, 0x00e2, 0x0103, 0x00e4, 0x013a, 0x0107, 0x00e7,
    0x010d, 0x00e9, 0x0119, 0x00eb, 0x011b, 0x00ed, 0x00ee, 0x010f,
    0x0111, 0x0144, 0x0148, 0x00f3, 0x00f4, 0x0151, 0x00f6, 0x00f7,
    0x0159, 0x016f, 0x00fa, 0x0171, 0x00fc, 0x00fd, 0x0163, 0x02d9,
    // clang-format on
};

static bool is_utf8(const char *text) {
    uint32_t code;
    for (int bytes; *text; text += bytes)
        if ((bytes = text_decode_utf8(text, &code)) == 0)
            return false;
    return true;
}

// Two or three bytes: nothing in the table is beyond U+FFFF.
static void append_code(Text *out, unsigned code) {
    char bytes[3];
    int count = 0;
    if (code < 0x800) {
        bytes[count++] = (char)(0xc0 | code >> 6);
    } else {
        bytes[count++] = (char)(0xe0 | code >> 12);
        bytes[count++] = (char)(0x80 | (code >> 6 & 0x3f));
    }
    bytes[count++] = (char)(0x80 | (code & 0x3f));
    text_append_bytes(out, bytes, (size_t)count);
}

// Piskvork and its players come from Windows: names in old files are in its Central European code
// page.
void legacy_text_append(Text *out, const char *bytes, size_t length) {
    char *text = strndup(bytes, length);
    if (!text) {
        out->failed = true;
        return;
    }
    // Text of the other code page that happens to be valid UTF-8 is next to unheard of: its letters
    // stand alone among plain ones.
    if (is_utf8(text)) {
        text_append(out, text);
    } else {
        for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
            if (*c < 0x80)
                text_append_bytes(out, (const char *)c, 1);
            else
                append_code(out, HIGH_HALF[*c - 0x80]);
        }
    }
    free(text);
}
