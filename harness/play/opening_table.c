// SPDX-License-Identifier: GPL-3.0-or-later
// Openings in a column of a table, separated by tabs or commas.
#include "harness/play/opening_line.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

typedef struct Field {
    const char *start;
    size_t length;
} Field;

// Takes the next field off the row; false after the last. Quotes around a field may hold the
// separator.
// *row becomes NULL behind the last field, which tells an empty last field from none. Quotes that
// never close are taken as text.
static bool next_field(const char **row, char separator, Field *out) {
    if (!*row)
        return false;
    const char *start = *row;
    bool quoted = *start == '"';
    const char *end = quoted ? strchr(start + 1, '"') : strchr(start, separator);
    if (quoted && end) {
        *out = (Field){start + 1, (size_t)(end - start - 1)};
        end = strchr(end, separator);
    } else {
        *out = (Field){start, end ? (size_t)(end - start) : strlen(start)};
        end = quoted ? NULL : end;
    }
    *row = end ? end + 1 : NULL;
    return true;
}

static char table_separator(const char *text) { return strchr(text, '\t') ? '\t' : ','; }

static int moves_field(const char *text) {
    char separator = table_separator(text);
    Field field;
    for (int i = 0; next_field(&text, separator, &field); i++)
        if (field.length == 5 && strncasecmp(field.start, "moves", 5) == 0)
            return i;
    return -1;
}

// Is the field nothing but squares, at least two of them?
// Two, because a name such as "a1" may stand in any column.
static bool is_moves(Field field) {
    int squares = 0;
    size_t i = 0;
    while (i < field.length) {
        while (i < field.length && (field.start[i] == ' ' || field.start[i] == ','))
            i++;
        size_t letter = i;
        if (i < field.length && !isalpha((unsigned char)field.start[i++]))
            return false;
        size_t digits = i;
        while (i < field.length && isdigit((unsigned char)field.start[i]))
            i++;
        if (letter < field.length && i == digits)
            return false;
        squares += letter < field.length;
    }
    return squares >= 2;
}

// A table without a header: the first field of a row that holds squares; -1 when there is none.
static int squares_field(const char *text) {
    Field field;
    if (!strchr(text, '\t'))
        return -1;
    for (int i = 0; next_field(&text, '\t', &field); i++)
        if (is_moves(field))
            return i;
    return -1;
}

bool opening_table_has_moves(const char *text) {
    return moves_field(text) >= 0 || squares_field(text) >= 0;
}

Status opening_line_table(OpeningLine *line, const char *text, bool *is_header, ErrorText *err) {
    *is_header = false;
    // The first line that is no comment decides for the file: header or data, and which column.
    if (line->moves_field < 0) {
        line->separator = table_separator(text);
        line->moves_field = moves_field(text);
        *is_header = line->moves_field >= 0;
        if (!*is_header)
            line->moves_field = squares_field(text);
        if (line->moves_field < 0)
            return error_set(err, STATUS_INVALID, "the header names no column 'moves'");
        if (*is_header)
            return STATUS_OK;
    }
    Field field;
    for (int i = 0; i <= line->moves_field; i++)
        if (!next_field(&text, line->separator, &field))
            return error_set(err, STATUS_INVALID, "no field %d, where the column 'moves' should be",
                             line->moves_field + 1);
    Text moves = {0};
    text_append_bytes(&moves, field.start, field.length);
    Status status = moves.failed ? error_set(err, STATUS_NO_MEMORY, "out of memory for a line")
                                 : opening_line_pos(line, text_cstr(&moves), err);
    text_release(&moves);
    return status;
}
