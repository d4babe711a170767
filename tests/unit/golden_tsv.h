// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the reference tables of tests/data: one row a line, fields split at tabs, `#` lines
// skipped. For tests only.
#pragma once

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GOLDEN_FIELD_MAX = 32, GOLDEN_LINE_MAX = 1024 };

typedef struct GoldenRow {
    char line[GOLDEN_LINE_MAX];
    char *field[GOLDEN_FIELD_MAX];
    int fields;
} GoldenRow;

static inline void golden_split(GoldenRow *row, char separator) {
    row->line[strcspn(row->line, "\r\n")] = '\0';
    row->fields = 0;
    for (char *c = row->line; c && row->fields < GOLDEN_FIELD_MAX;) {
        row->field[row->fields++] = c;
        c = strchr(c, separator);
        if (c)
            *c++ = '\0';
    }
}

// The next row, comments and the header skipped; 0 at the end.
static inline int golden_next(FILE *file, GoldenRow *row) {
    while (fgets(row->line, sizeof row->line, file)) {
        if (row->line[0] == '#')
            continue;
        golden_split(row, '\t');
        return 1;
    }
    return 0;
}

static inline FILE *golden_open(const char *name) {
    char path[512];
    const char *root = getenv("GOMOLAB_SOURCE");
    snprintf(path, sizeof path, "%s/tests/data/stats/%s", root ? root : ".", name);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("cannot open %s", path);
    return file;
}

static inline double golden_number(const char *text) { return strtod(text, NULL); }

// Fails unless |got - want| <= tolerance; says which value it was.
static inline void golden_near(const char *what, double got, double want, double tolerance) {
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%s: got %.9f, want %.9f (tolerance %g)", what, got, want, tolerance);
}
