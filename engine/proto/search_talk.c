// SPDX-License-Identifier: GPL-3.0-or-later
// The table of words that engines use for what their search found, and its reader.
//
// Nothing here is specified anywhere: the rows are what engines have been seen to print. A new
// engine is a new row.
#include "engine/proto/search_talk.h"

#include "engine/base/check.h"

#include <math.h>
#include <string.h>
#include <strings.h>

typedef enum Field {
    FIELD_DEPTH,
    FIELD_SELDEPTH,
    FIELD_NODES,
    FIELD_VALUE,
    FIELD_SPEED,
    FIELD_PV
} Field;

// A word, then any of " :=", then a number (for a variation: squares). `scale` turns the number
// into the field's unit.
static const struct {
    const char *word;
    Field field;
    double scale;
    const char *families; // who says so
} WORDS[] = {
    {"depth", FIELD_DEPTH, 1,
     "gomolab, rapfi, carbon, pela"}, // rapfi: 12-18, the second is the deepest ply
    {"dep", FIELD_DEPTH, 1, "pentazen"},
    {"level", FIELD_DEPTH, 1, "ego"},
    {"seldepth", FIELD_SELDEPTH, 1, "gomolab, rapfi"},
    {"nodes", FIELD_NODES, 1, "gomolab, carbon, pela, slowrenju, rapfi"},
    {"totalnodes", FIELD_NODES, 1, "rapfi"}, // printed after the nodes of one line, so it stands
    {"node", FIELD_NODES, 1, "rapfi, rapfi2018, ego"},
    {"nd", FIELD_NODES, 1, "pentazen"},
    {"n", FIELD_NODES, 1, "rapfi, uci-like"},
    {"value", FIELD_VALUE, 1, "gomolab, ego"},
    {"eval", FIELD_VALUE, 1, "rapfi, carbon"},
    {"ev", FIELD_VALUE, 1, "pentazen; rapfi, uci-like"},
    {"val", FIELD_VALUE, 1, "rapfi2018"},
    {"evaluation", FIELD_VALUE, 1, "rapfi2018"},
    {"speed", FIELD_SPEED, 1, "gomolab, rapfi, carbon, ego"},
    {"nps", FIELD_SPEED, 1, "uci-like"},
    {"sp", FIELD_SPEED, 1000, "pentazen"}, // nodes a millisecond
    {"n/ms", FIELD_SPEED, 1000, "rapfi, uci-like"},
    {"pv", FIELD_PV, 1, "gomolab, rapfi, uci-like"},
    {"bestline", FIELD_PV, 1, "rapfi"},
};

// Whole lines without words: d, v, n stand for a number of that field, # for one that is skipped, a
// blank for any blanks.
static const struct {
    const char *shape;
    const char *family;
} SHAPES[] = {
    {"MESSAGE d;(#,#) v -", "slowrenju"},
};

typedef struct Reader {
    const char *at, *end;
    int width, height;
    unsigned seen; // fields that this line has given
} Reader;

// Bytes of UTF-8 count as letters, or a word could begin inside one.
static bool is_word_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (c & 0x80);
}

static bool is_digit(const char *at, const char *end) {
    return at < end && *at >= '0' && *at <= '9';
}

// Skips bytes of a set. NUL is in no set, though strchr would find one.
static const char *skip(const char *at, const char *end, const char *set) {
    while (at < end && *at && strchr(set, *at))
        at++;
    return at;
}

// Reads [+-]digits[.digits] and a unit of counting (K, M, G, T; "300 k" too), or a win: +M5, -v3.
// NULL when there is none.
static const char *read_number(const char *at, const char *end, double *out) {
    double sign = 1;
    if (at < end && (*at == '+' || *at == '-'))
        sign = *at++ == '-' ? -1 : 1;
    if (at + 1 < end && (*at == 'M' || *at == 'v') && is_digit(at + 1, end)) {
        double plies = 0;
        // Sums are bounded as they grow: a line of a thousand digits is no number, and no reason to
        // fail.
        for (at++; is_digit(at, end); at++)
            plies = fmin(plies * 10 + (*at - '0'), 1e6);
        *out = sign * (ENGINE_WIN - plies);
        return at;
    }
    if (!is_digit(at, end))
        return NULL;
    double value = 0, unit = 1;
    for (; is_digit(at, end); at++)
        value = fmin(value * 10 + (*at - '0'), 1e18);
    if (at < end && *at == '.' && is_digit(at + 1, end))
        for (at++; is_digit(at, end); at++)
            value += (*at - '0') * (unit /= 10);
    const char *suffix = skip(at, end, " ");
    static const char UNITS[] = "KMGT";
    // 0x20 is what small letters have and large ones do not. A unit stands alone: "5 knights" has
    // none.
    const char *known = suffix < end && *suffix ? strchr(UNITS, *suffix & ~0x20) : NULL;
    if (known && *known && (suffix + 1 == end || !is_word_byte(suffix[1]))) {
        value *= pow(1000, (double)(known - UNITS + 1));
        at = suffix + 1;
    }
    *out = sign * fmin(value, 1e18);
    return at;
}

static void set_field(SearchTalk *talk, Field field, double number) {
    // What does not fit its field is not believed, and the field counts as not mentioned.
    bool fits_count = number >= 0 && number <= 1e18;
    bool fits_depth = number >= 0 && number <= 1e6;
    switch (field) {
    case FIELD_DEPTH:
        if (fits_depth) {
            talk->depth = (int)number;
            talk->known |= TALK_DEPTH;
        }
        return;
    case FIELD_SELDEPTH:
        if (fits_depth) {
            talk->seldepth = (int)number;
            talk->known |= TALK_SELDEPTH;
        }
        return;
    case FIELD_NODES:
        if (fits_count) {
            talk->nodes = (uint64_t)number;
            talk->known |= TALK_NODES;
        }
        return;
    case FIELD_VALUE:
        talk->value = number;
        talk->known |= TALK_VALUE;
        return;
    case FIELD_SPEED:
        if (fits_count) {
            talk->speed = number;
            talk->known |= TALK_SPEED;
        }
        return;
    case FIELD_PV:
        return;
    }
}

// One square: "7,7", or letters as rapfi writes them, whose row 1 is the top. NULL when there is
// none on the board.
static const char *read_square(const Reader *reader, const char *at, Move *out) {
    int x = 0, y = 0;
    if (is_digit(at, reader->end)) {
        for (; is_digit(at, reader->end) && x < 1000; at++)
            x = x * 10 + (*at - '0');
        if (at == reader->end || *at++ != ',' || !is_digit(at, reader->end))
            return NULL;
        for (; is_digit(at, reader->end) && y < 1000; at++)
            y = y * 10 + (*at - '0');
    } else {
        if (at == reader->end || (*at | 0x20) < 'a' || (*at | 0x20) > 'z' ||
            !is_digit(at + 1, reader->end))
            return NULL;
        x = (*at++ | 0x20) - 'a';
        for (; is_digit(at, reader->end) && y < 1000; at++)
            y = y * 10 + (*at - '0');
        y--;
    }
    if (x >= reader->width || y < 0 || y >= reader->height ||
        (at < reader->end && is_word_byte(*at)))
        return NULL;
    *out = (Move)(y * reader->width + x);
    return at;
}

static void read_pv(Reader *reader, SearchTalk *talk) {
    // Its own array first: a word "pv" without squares must not wipe out an earlier variation.
    Move pv[SEARCH_TALK_MAX_PV];
    int count = 0;
    const char *at = reader->at;
    while (count < SEARCH_TALK_MAX_PV) {
        const char *next = read_square(reader, skip(at, reader->end, " []"), &pv[count]);
        if (!next)
            break;
        at = next;
        count++;
    }
    if (count == 0)
        return;
    reader->at = at;
    memcpy(talk->pv, pv, (size_t)count * sizeof pv[0]);
    talk->pv_length = count;
    talk->known |= TALK_PV;
}

// The row of the word that starts here (and ends here: "node" is not "nodes"), or -1.
static int find_word(const Reader *reader) {
    size_t left = (size_t)(reader->end - reader->at);
    for (size_t i = 0; i < ARRAY_LEN(WORDS); i++) {
        size_t length = strlen(WORDS[i].word);
        if (length > left || strncasecmp(reader->at, WORDS[i].word, length) != 0)
            continue;
        if (length < left && (is_word_byte(reader->at[length]) || reader->at[length] == '/'))
            continue;
        return (int)i;
    }
    return -1;
}

// Reads the number or variation after the word of row `row`.
static void read_row(Reader *reader, int row, SearchTalk *talk) {
    Field field = WORDS[row].field;
    reader->at = skip(reader->at + strlen(WORDS[row].word), reader->end, " \t:=");
    // Later mentions in one line are about other things: a total, an average, the line before.
    if (reader->seen & 1u << field)
        return;
    if (field == FIELD_PV) {
        read_pv(reader, talk);
        reader->seen |= 1u << field;
        return;
    }
    double number;
    const char *after = read_number(reader->at, reader->end, &number);
    if (!after)
        return;
    reader->at = after;
    reader->seen |= 1u << field;
    // Wins are no units: "+M5" is not scaled.
    set_field(talk, field, number * (fabs(number) < ENGINE_WIN / 2 ? WORDS[row].scale : 1));
    if (field == FIELD_DEPTH && after < reader->end && *after == '-' &&
        is_digit(after + 1, reader->end)) {
        reader->at = read_number(after + 1, reader->end, &number);
        reader->seen |= 1u << FIELD_SELDEPTH;
        set_field(talk, FIELD_SELDEPTH, number);
    }
}

// Does the whole line begin with the shape? Fills `talk` if so.
static bool read_shape(const char *shape, const char *at, const char *end, SearchTalk *talk) {
    // Believed only when all of the line fits.
    SearchTalk said = *talk;
    for (; *shape; shape++) {
        double number = 0;
        if (*shape == ' ') {
            at = skip(at, end, " \t");
        } else if (strchr("dvn#", *shape)) {
            at = read_number(skip(at, end, " "), end, &number);
            if (!at)
                return false;
            if (*shape != '#')
                set_field(&said,
                          *shape == 'd'   ? FIELD_DEPTH
                          : *shape == 'v' ? FIELD_VALUE
                                          : FIELD_NODES,
                          number);
        } else if (at == end || *at++ != *shape) {
            return false;
        }
    }
    *talk = said;
    return true;
}

// Reads every word of the table in the line.
static unsigned read_words(Reader *reader, SearchTalk *talk) {
    const char *line = reader->at;
    while (reader->at < reader->end) {
        // At the start of words only, or "depth" would be found in "seldepth".
        bool is_start = reader->at == line || !is_word_byte(reader->at[-1]);
        int row = is_start && is_word_byte(*reader->at) ? find_word(reader) : -1;
        if (row >= 0)
            read_row(reader, row, talk);
        else
            reader->at++;
    }
    return reader->seen;
}

void search_talk_read(SearchTalk *talk, const char *line, size_t length, int width, int height) {
    Reader reader = {.at = line, .end = line + length, .width = width, .height = height};
    // Whole lines first: their numbers stand without words, which the table would miss or misread.
    for (size_t i = 0; i < ARRAY_LEN(SHAPES); i++)
        if (read_shape(SHAPES[i].shape, line, reader.end, talk))
            return;
    read_words(&reader, talk);
}

bool search_talk_is_torn(const char *line, size_t length) {
    SearchTalk talk = {0};
    Reader reader = {.at = line, .end = line + length, .width = 1, .height = 1};
    bool has_word = false;
    for (size_t i = 0; i < length && !has_word; i++)
        has_word = is_word_byte(line[i]);
    unsigned seen = read_words(&reader, &talk);
    return !has_word || (seen & (seen - 1)) != 0; // more than one bit
}

void search_talk_write(Text *out, const ThinkReport *report, int width) {
    const SearchCost *cost = &report->cost;
    int64_t us = cost->time_us > 1 ? cost->time_us : 1; // a move by chance takes no time at all
    bool is_searched = !isnan(report->value);           // and has no depth and no value
    text_append(out, "MESSAGE");
    if (is_searched)
        text_printf(out, " depth %d seldepth %d", cost->depth, cost->seldepth);
    text_printf(out, " nodes %llu", (unsigned long long)cost->nodes);
    if (is_searched) {
        text_append(out, " value ");
        // Means over playouts have digits without end; a manager shows them, hundredths say enough.
        text_append_double(out, round(report->value * 100) / 100);
    }
    text_printf(out, " speed %.0f", (double)cost->nodes * 1e6 / (double)us);
    for (int i = 0; i < report->pv_length; i++)
        text_printf(out, "%s%d,%d", i ? " " : " pv ", report->pv[i] % width, report->pv[i] / width);
    text_append(out, "\n");
}
