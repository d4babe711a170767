// SPDX-License-Identifier: GPL-3.0-or-later
// A table of results, printed as aligned text, Markdown, CSV, TSV or JSON: the one printer behind
// every --format.
//
// Columns are declared once (name, type); rows are filled cell by cell, and a cell that is not set
// is missing: `-` in text, Markdown and TSV, empty in CSV, null in JSON. Text and Markdown round
// reals to the column's decimals; CSV, TSV and JSON keep the shortest decimal that reads back as
// the same number. Infinities are `inf` and `-inf`, strings in JSON; a NaN is a missing value. JSON
// is an array of objects, keys in the order of the columns.
//
//     static const TableColumn COLUMNS[] = {{"player", COLUMN_TEXT, 0, NULL}, {"elo", COLUMN_REAL,
//     1, "Elo"}}; Table *table = table_new(COLUMNS, ARRAY_LEN(COLUMNS)); table_row(table);
//     table_set_text(table, 0, "d4");
//     table_set_real(table, 1, 123.25);
//     Status status = table_print(table, TABLE_TEXT, stdout, err);
//     table_free(table);
#pragma once

#include "engine/base/status.h"
#include "engine/base/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum TableFormat { TABLE_TEXT, TABLE_MD, TABLE_CSV, TABLE_TSV, TABLE_JSON } TableFormat;
#define TABLE_FORMATS "text|md|csv|tsv|json" // the choices of --format, in the order of the enum

typedef enum ColumnType {
    COLUMN_TEXT,  // left-aligned; a JSON string
    COLUMN_INT,   // right-aligned; a JSON number
    COLUMN_REAL,  // right-aligned; a JSON number
    COLUMN_BOOL,  // yes or no; a JSON boolean
    COLUMN_RIGHT, // a text that says a number ("1.23 M"): right-aligned; a JSON string
} ColumnType;

typedef struct TableColumn {
    const char *name; // key in CSV, TSV and JSON: lower case, underscores
    ColumnType type;
    int decimals;      // of a real in text and Markdown; negative: as many as needed
    const char *title; // heading in text and Markdown; NULL = the name
} TableColumn;

typedef struct Table Table; // opaque

// An empty table; `columns` is borrowed and must outlive it. NULL when out of memory. Thread:
// owner.
Table *table_new(const TableColumn *columns, int column_count);

// Frees the table; NULL is fine. Thread: owner.
void table_free(Table *table);

// Starts a row in which every cell is missing. Out of memory is kept and reported when printing.
// Thread: owner.
void table_row(Table *table);

// Set a cell of the last row. The column must have the type that the name says (a real column takes
// an int as well); text is copied, NULL leaves the cell missing. Thread: owner.
void table_set_text(Table *table, int column, const char *text);
void table_set_int(Table *table, int column, int64_t value); // as above
void table_set_real(Table *table, int column, double value); // as above
void table_set_bool(Table *table, int column, bool value);   // as above

// Rows so far. Thread: owner.
int table_row_count(const Table *table);

// Appends the whole table: a header line and one line a row, or a JSON array (no newline at its
// end, so that it can stand inside an object). STATUS_NO_MEMORY if a row was lost on the way.
// Thread: owner.
Status table_write(const Table *table, TableFormat format, Text *out, ErrorText *err) MUST_CHECK;

// The same to a stream, ending with a newline; write errors are left to the stream (ferror).
// Thread: owner.
Status table_print(const Table *table, TableFormat format, FILE *stream, ErrorText *err) MUST_CHECK;

// Terminal columns that a UTF-8 string takes: 2 for East Asian wide characters, 0 for combining
// marks, 1 for every byte that is no UTF-8 (Unicode Standard Annex 11, the common ranges). Thread:
// any.
int table_text_width(const char *text);

// Bytes of the UTF-8 character that `text` (not empty) begins with, 0 when it is none. Thread: any.
int table_char_bytes(const char *text);
