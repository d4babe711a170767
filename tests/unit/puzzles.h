// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the positions with known answers of tests/data/puzzles. For tests only.
#pragma once

#include "engine/board/notation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_FIELDS = 12, LINE_CAP = 4096 };

typedef struct Row {
    char line[LINE_CAP];
    char *field[MAX_FIELDS];
} Row;

// Opens a table and reads its header; the caller closes it.
static inline FILE *open_table(const char *name, Row *row) {
    char path[512];
    const char *root = getenv("GOMOLAB_SOURCE");
    snprintf(path, sizeof path, "%s/tests/data/puzzles/%s", root ? root : ".", name);
    FILE *file = fopen(path, "r");
    if (!file || !fgets(row->line, LINE_CAP, file)) // the header
        fail_msg("cannot read %s", path);
    return file;
}

// The next row, split at tabs; false at the end.
static inline bool next_row(FILE *file, Row *row) {
    if (!fgets(row->line, LINE_CAP, file))
        return false;
    row->line[strcspn(row->line, "\r\n")] = '\0';
    char *c = row->line;
    for (int i = 0; i < MAX_FIELDS; i++) {
        row->field[i] = c;
        c += strcspn(c, "\t");
        if (*c)
            *c++ = '\0';
    }
    return true;
}

// Sets a board up, rows from the top; `side` is X or O.
static inline void set_up(Board *board, const char *rule, int k, const char *text,
                          const char *side) {
    Rule parsed;
    ErrorText err = {{0}};
    int width = (int)strcspn(text, "/"), height = 1;
    for (const char *c = text; *c; c++)
        height += *c == '/';
    assert_true(rule_parse(rule, &parsed));
    assert_int_equal(board_init(board, width, height, k, parsed, 0, &err), STATUS_OK);
    if (notation_set_board(board, text, side[0] == 'X' ? BLACK : WHITE, &err))
        fail_msg("%s", err.text);
}
