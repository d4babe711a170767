// SPDX-License-Identifier: GPL-3.0-or-later
// Openings as JSON lines, and as the lists of tuples that Python prints.
#include "harness/play/opening_line.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

// Asked of the whole file before the first line is read: one opening without a negative number must
// not be read by another rule than its neighbours. A cheap scan, no parser: a minus sign counts
// only where a coordinate can begin, so that dates and names do not.
bool opening_json_is_from_centre(const char *bytes, size_t length) {
    char before = '\0'; // the last character that is no blank
    for (size_t i = 0; i + 1 < length; i++) {
        bool opens = before == '[' || before == '(' || before == ',';
        if (bytes[i] == '-' && opens && isdigit((unsigned char)bytes[i + 1]))
            return true;
        if (!isspace((unsigned char)bytes[i]))
            before = bytes[i];
    }
    return false;
}

static Status json_stone(OpeningLine *line, const json_t *stone, ErrorText *err) {
    if (json_is_string(stone))
        return opening_line_pos(line, json_string_value(stone), err);
    const json_t *x = json_array_get(stone, 0), *y = json_array_get(stone, 1);
    if (!json_is_integer(x) || !json_is_integer(y))
        return error_set(err, STATUS_INVALID, "stone %d: expected [x, y] or a square",
                         line->count + 1);
    json_int_t column = json_integer_value(x), row = json_integer_value(y);
    // Before anything is added to them: JSON numbers may be as large as 64 bits, and sums must not
    // overflow.
    if (column < -BOARD_MAX_CELLS || column > BOARD_MAX_CELLS || row < -BOARD_MAX_CELLS ||
        row > BOARD_MAX_CELLS)
        return error_set(err, STATUS_INVALID, "stone %d is outside the %dx%d board",
                         line->count + 1, line->board->width, line->board->height);
    if (line->from_centre) {
        column += line->board->width / 2;
        row += line->board->height / 2;
    }
    return opening_line_push_xy(line, column, row, err);
}

static Status json_list(OpeningLine *line, const json_t *list, ErrorText *err) {
    Status status = STATUS_OK;
    for (size_t i = 0; i < json_array_size(list) && !status; i++)
        status = json_stone(line, json_array_get(list, i), err);
    return status;
}

// Stones that name their colour come in any order: black and white take turns, each in the order
// given.
static Status json_coloured(OpeningLine *line, const json_t *list, ErrorText *err) {
    // next[c]: where the search for the next stone of colour c goes on. Each runs through the list
    // once.
    size_t next[2] = {0, 0}, size = json_array_size(list);
    for (size_t placed = 0; placed < size; placed++) {
        size_t *at = &next[placed & 1];
        int wanted = (int)(placed & 1) + 1;
        while (*at < size) {
            const json_t *colour = json_array_get(json_array_get(list, *at), 2);
            if (!json_is_integer(colour) || json_integer_value(colour) < 1 ||
                json_integer_value(colour) > 2)
                return error_set(err, STATUS_INVALID,
                                 "stone %zu: expected [x, y, colour], colour 1 black or 2 white",
                                 *at + 1);
            if (json_integer_value(colour) == wanted)
                break;
            (*at)++;
        }
        if (*at == size)
            return error_set(err, STATUS_INVALID,
                             "black and white must have the same number of stones, or black one "
                             "more");
        Status status = json_stone(line, json_array_get(list, (*at)++), err);
        if (status)
            return status;
    }
    return STATUS_OK;
}

static Status json_opening(OpeningLine *line, const json_t *value, ErrorText *err) {
    static const char *const KEYS[] = {"coordinates", "moves", "opening"};
    const json_t *list = json_is_array(value) ? value : NULL;
    for (size_t i = 0; !list && i < sizeof KEYS / sizeof *KEYS; i++)
        list = json_object_get(value, KEYS[i]);
    const json_t *stones = list ? NULL : json_object_get(value, "stones");
    if (json_is_array(stones))
        return json_coloured(line, stones, err);
    if (json_is_string(list))
        return opening_line_pos(line, json_string_value(list), err);
    if (!json_is_array(list))
        return error_set(err, STATUS_INVALID,
                         "expected a list of stones under 'coordinates', 'moves' or 'stones'");
    return json_list(line, list, err);
}

Status opening_line_json(OpeningLine *line, const char *text, ErrorText *err) {
    char *copy = strdup(text);
    if (!copy)
        return error_set(err, STATUS_NO_MEMORY, "out of memory for a line");
    if (*copy == '[') // [(7, 7), (8, 7)]
        for (char *c = copy; *c; c++)
            *c = (char)(*c == '(' ? '[' : *c == ')' ? ']' : *c);
    size_t length = strlen(copy);
    while (length && (copy[length - 1] == ',' || isspace((unsigned char)copy[length - 1])))
        copy[--length] = '\0';
    json_error_t fault;
    json_t *value = json_loadb(copy, length, JSON_REJECT_DUPLICATES, &fault);
    Status status =
        value ? json_opening(line, value, err)
              : error_set(err, STATUS_INVALID, "column %d: no JSON: %s", fault.column, fault.text);
    json_decref(value);
    free(copy);
    return status;
}
