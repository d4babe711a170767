// SPDX-License-Identifier: GPL-3.0-or-later
// Rounding for people.
#include "harness/report/number_text.h"

#include "harness/report/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static NumberText literal(const char *text) {
    NumberText out;
    snprintf(out.text, sizeof out.text, "%s", text);
    return out;
}

NumberText number_count(int64_t value) {
    char digits[24];
    // Through unsigned, since the least int64_t has no positive twin.
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)magnitude);
    NumberText out;
    int at = 0;
    if (value < 0)
        out.text[at++] = '-';
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            out.text[at++] = ' ';
        out.text[at++] = digits[i];
    }
    out.text[at] = '\0';
    return out;
}

// Three significant digits of a value below 1000, then the suffix.
static NumberText three_digits(double value, const char *suffix) {
    NumberText out;
    double magnitude = fabs(value);
    // By what the number rounds to: 9.996 is "10.0", not "10.00".
    int decimals = magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : 2;
    snprintf(out.text, sizeof out.text, "%.*f%s", decimals, value, suffix);
    return out;
}

NumberText number_short(double value) {
    static const char *const SUFFIXES[] = {"", " k", " M", " G", " T", " P"};
    if (!isfinite(value))
        return literal("n/a");
    int step = 0;
    // 999.7 k would be rounded to 1000 k: it is 1.00 M.
    while (fabs(value) >= 999.5 && step < 5) {
        value /= 1000.0;
        step++;
    }
    if (step == 0 && value == floor(value)) {
        NumberText out;
        // + 0.0 makes -0 a 0.
        snprintf(out.text, sizeof out.text, "%.0f", value + 0.0);
        return out;
    }
    if (fabs(value) >= 999.5) { // no suffix is left
        NumberText out;
        snprintf(out.text, sizeof out.text, "%.2e", value * 1e15);
        return out;
    }
    return three_digits(value, SUFFIXES[step]);
}

NumberText number_time_us(double time_us) {
    if (!isfinite(time_us))
        return literal("n/a");
    if (time_us < 999.5) {
        NumberText out;
        snprintf(out.text, sizeof out.text, "%.*f µs",
                 time_us < 9.95 && time_us != floor(time_us) ? 1 : 0, time_us);
        return out;
    }
    if (time_us < 999.5e3)
        return three_digits(time_us / 1e3, " ms");
    // Seconds up to two minutes, minutes up to two hours: people compare what has the same unit.
    if (time_us < 119.5e6)
        return three_digits(time_us / 1e6, " s");
    if (time_us < 119.5 * 60e6)
        return three_digits(time_us / 60e6, " min");
    return three_digits(time_us / 3600e6, " h");
}

NumberText number_fixed(double value, int decimals, bool is_signed) {
    NumberText out;
    if (!isfinite(value))
        return literal("n/a");
    snprintf(out.text, sizeof out.text, is_signed ? "%+.*f" : "%.*f", decimals, value);
    if (strpbrk(out.text, "123456789") == NULL && out.text[0] == '-')
        snprintf(out.text, sizeof out.text, is_signed ? "%+.*f" : "%.*f", decimals, 0.0);
    return out;
}

NumberText number_percent(double share) {
    NumberText out;
    if (!isfinite(share))
        return literal("n/a");
    // "-0.0 %" is what rounding makes of a small negative number.
    // To ten digits first: 100 times a share of 0.575 is a little less than 57.5.
    double percent = nearbyint(share * 1e12) / 1e10;
    snprintf(out.text, sizeof out.text, "%.1f %%", fabs(percent) < 0.05 ? 0.0 : percent);
    return out;
}

NumberText number_elo(StatValue elo) {
    if (!stat_exists(elo))
        return literal("n/a");
    NumberText out;
    double value = round(elo.value);
    snprintf(out.text, sizeof out.text, value == 0.0 ? "%.0f" : "%+.0f", value + 0.0);
    return out;
}

NumberText number_interval(StatValue lo, StatValue hi) {
    NumberText out;
    if (stat_exists(lo) && stat_exists(hi))
        snprintf(out.text, sizeof out.text, "[%.0f, %.0f]", round(lo.value) + 0.0,
                 round(hi.value) + 0.0);
    else if (stat_exists(lo))
        snprintf(out.text, sizeof out.text, "> %.0f", round(lo.value) + 0.0);
    else if (stat_exists(hi))
        snprintf(out.text, sizeof out.text, "< %.0f", round(hi.value) + 0.0);
    else
        return literal("n/a");
    return out;
}

NumberText number_los(StatValue los) {
    if (!stat_exists(los))
        return literal("n/a");
    // Never 100 %: see number_append of the view of a match.
    if (los.value >= 0.9995)
        return literal("> 99.9 %");
    if (los.value < 0.0005)
        return literal("< 0.1 %");
    return number_percent(los.value);
}

NumberText number_share(double share) {
    if (share > 0.9999)
        return literal("> 0.9999");
    if (share < 0.0001)
        return literal("< 0.0001");
    return number_fixed(share, 4, false);
}

NumberText number_wdl(WdlCounts counts) {
    NumberText out;
    snprintf(out.text, sizeof out.text, "%lld-%lld-%lld", (long long)counts.wins,
             (long long)counts.draws, (long long)counts.losses);
    return out;
}

void number_text_clean(Text *out, const char *text) {
    for (const char *c = text; *c;) {
        int bytes = table_char_bytes(c);
        // A name with an escape sequence would otherwise paint the terminal of whoever reads the
        // report.
        if ((unsigned char)*c < 0x20 || *c == 0x7f) {
            text_append(out, " ");
            c++;
        } else if (bytes == 0) {
            text_append(out, "\xef\xbf\xbd");
            c++;
        } else {
            text_append_bytes(out, c, (size_t)bytes);
            c += bytes;
        }
    }
}

void number_text_cut(Text *out, const char *text, int columns) {
    if (table_text_width(text) <= columns) {
        text_append(out, text);
        return;
    }
    int width = 0;
    for (const char *c = text; *c;) {
        int bytes = table_char_bytes(c);
        Text one = {0};
        text_append_bytes(&one, c, bytes ? (size_t)bytes : 1);
        width += table_text_width(text_cstr(&one));
        // One column is kept for the ellipsis.
        if (width <= columns - 1)
            text_append_bytes(out, c, bytes ? (size_t)bytes : 1);
        out->failed |= one.failed;
        text_release(&one);
        if (width > columns - 1)
            break;
        c += bytes ? bytes : 1;
    }
    text_append(out, "…");
}
