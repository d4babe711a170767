// SPDX-License-Identifier: GPL-3.0-or-later
// Cells of a table, and the five ways to write them.
#include "harness/report/table.h"

#include "engine/base/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// One of the three by the type of the column; all 0 when the cell is missing.
typedef struct Cell {
    bool is_set;
    char *text;    // owned; of a text column
    double real;   // of a real column
    int64_t whole; // of an int or bool column
} Cell;

// Columns are borrowed and mostly constant; cells of one row lie side by side.
struct Table {
    const TableColumn *columns;
    Cell *cells; // row by row
    int column_count, row_count, row_cap;
    bool failed; // a row or text was lost: out of memory
};

Table *table_new(const TableColumn *columns, int column_count) {
    CHECK(column_count > 0);
    Table *table = calloc(1, sizeof *table);
    if (table) {
        table->columns = columns;
        table->column_count = column_count;
    }
    return table;
}

void table_free(Table *table) {
    if (!table)
        return;
    for (int i = 0; i < table->row_count * table->column_count; i++)
        free(table->cells[i].text);
    free(table->cells);
    free(table);
}

// A lost row is noted, not returned: fillers stay free of checks, and table_write fails in the end.
void table_row(Table *table) {
    if (table->failed)
        return;
    if (table->row_count == table->row_cap) {
        int cap = table->row_cap ? table->row_cap * 2 : 16;
        Cell *cells =
            realloc(table->cells, (size_t)cap * (size_t)table->column_count * sizeof *cells);
        if (!cells) {
            table->failed = true;
            return;
        }
        table->cells = cells;
        table->row_cap = cap;
    }
    Cell *row = table->cells + (ptrdiff_t)table->row_count * table->column_count;
    // Zeroed is missing: fillers set only what they know.
    memset(row, 0, (size_t)table->column_count * sizeof *row);
    table->row_count++;
}

// The cell of the last row, emptied; NULL when the row was lost.
static Cell *cell_at(Table *table, int column) {
    CHECK(column >= 0 && column < table->column_count);
    if (table->failed)
        return NULL;
    CHECK(table->row_count > 0);
    Cell *cell = table->cells + (ptrdiff_t)(table->row_count - 1) * table->column_count + column;
    // A cell may be set twice; the last value counts.
    free(cell->text);
    *cell = (Cell){0};
    return cell;
}

static bool column_is_text(const TableColumn *column) {
    return column->type == COLUMN_TEXT || column->type == COLUMN_RIGHT;
}

void table_set_text(Table *table, int column, const char *text) {
    CHECK(column_is_text(&table->columns[column]));
    Cell *cell = cell_at(table, column);
    if (!cell || !text)
        return;
    cell->text = strdup(text);
    cell->is_set = cell->text != NULL;
    table->failed |= !cell->text;
}

void table_set_int(Table *table, int column, int64_t value) {
    // Counts may stand in a column of reals.
    if (table->columns[column].type == COLUMN_REAL) {
        table_set_real(table, column, (double)value);
        return;
    }
    CHECK(table->columns[column].type == COLUMN_INT);
    Cell *cell = cell_at(table, column);
    if (cell)
        *cell = (Cell){.is_set = true, .whole = value};
}

void table_set_real(Table *table, int column, double value) {
    CHECK(table->columns[column].type == COLUMN_REAL);
    Cell *cell = cell_at(table, column);
    if (cell)
        // NaN is how callers say that there is no number.
        *cell = (Cell){.is_set = !isnan(value), .real = value};
}

void table_set_bool(Table *table, int column, bool value) {
    CHECK(table->columns[column].type == COLUMN_BOOL);
    Cell *cell = cell_at(table, column);
    if (cell)
        *cell = (Cell){.is_set = true, .whole = value};
}

int table_row_count(const Table *table) { return table->row_count; }

// --- width -----------------------------------------------------------------------------

typedef struct CodeRange {
    uint32_t first, last;
    int width;
} CodeRange;

// East Asian wide ranges and combining marks, as Unicode's EastAsianWidth.txt has the common ones:
// not the locale's wcwidth, which knows nothing in the C locale.
static const CodeRange CODE_RANGES[] = {
    {0x0300, 0x036f, 0},   {0x200b, 0x200f, 0},   {0x20d0, 0x20ff, 0},   {0xfe00, 0xfe0f, 0},
    {0xfe20, 0xfe2f, 0},   {0x1100, 0x115f, 2},   {0x2e80, 0x303e, 2},   {0x3041, 0x33ff, 2},
    {0x3400, 0x4dbf, 2},   {0x4e00, 0x9fff, 2},   {0xa000, 0xa4cf, 2},   {0xac00, 0xd7a3, 2},
    {0xf900, 0xfaff, 2},   {0xfe30, 0xfe6f, 2},   {0xff00, 0xff60, 2},   {0xffe0, 0xffe6, 2},
    {0x1f300, 0x1f64f, 2}, {0x1f900, 0x1f9ff, 2}, {0x20000, 0x3fffd, 2},
};

// Linear: names are short.
static int code_width(uint32_t code) {
    for (size_t i = 0; i < ARRAY_LEN(CODE_RANGES); i++)
        if (code >= CODE_RANGES[i].first && code <= CODE_RANGES[i].last)
            return CODE_RANGES[i].width;
    return 1;
}

// What is no UTF-8 counts a column a byte, as terminals show it.
int table_text_width(const char *text) {
    int width = 0;
    for (const char *c = text; *c;) {
        uint32_t code;
        int bytes = text_decode_utf8(c, &code);
        width += bytes ? code_width(code) : 1;
        c += bytes ? bytes : 1;
    }
    return width;
}

int table_char_bytes(const char *text) {
    uint32_t code;
    return text_decode_utf8(text, &code);
}

// --- cells as text ---------------------------------------------------------------------

static const Cell *cell_get(const Table *table, int row, int column) {
    return table->cells + (ptrdiff_t)row * table->column_count + column;
}

// The value without any quoting; nothing for a missing one.
static void cell_write(const TableColumn *column, const Cell *cell, bool round, Text *out) {
    if (!cell->is_set)
        return;
    switch (column->type) {
    case COLUMN_TEXT:
    case COLUMN_RIGHT:
        text_append(out, cell->text);
        break;
    case COLUMN_INT:
        text_printf(out, "%lld", (long long)cell->whole);
        break;
    case COLUMN_BOOL:
        text_append(out, cell->whole ? "yes" : "no");
        break;
    case COLUMN_REAL:
        // Rounded for people only: programs get all digits.
        if (round && column->decimals >= 0 && isfinite(cell->real)) {
            double scale = pow(10, column->decimals);
            bool is_zero = fabs(cell->real) * scale < 0.5; // no "-0.0"
            text_printf(out, "%.*f", column->decimals, is_zero ? 0.0 : cell->real);
        } else {
            text_append_double(out, cell->real);
        }
        break;
    }
}

static const char *column_title(const TableColumn *column) {
    return column->title ? column->title : column->name;
}

// --- text and Markdown -----------------------------------------------------------------

// The text of a cell where people read it: one line, `-` when missing, `|` escaped in Markdown. Row
// -1 is the header.
static void cell_write_plain(const Table *table, int row, int column, TableFormat format,
                             Text *out) {
    Text raw = {0};
    if (row < 0)
        text_append(&raw, column_title(&table->columns[column]));
    else
        cell_write(&table->columns[column], cell_get(table, row, column), true, &raw);
    // An empty cell at the end of a line could not be seen.
    if (raw.length == 0)
        text_append(&raw, "-");
    for (const char *c = text_cstr(&raw); *c; c++) {
        // A cell is one line, or the columns behind it would not line up.
        if (*c == '\n' || *c == '\r' || *c == '\t')
            text_append(out, " ");
        else if (*c == '|' && format == TABLE_MD)
            text_append(out, "\\|");
        else
            text_append_bytes(out, c, 1);
    }
    out->failed |= raw.failed;
    text_release(&raw);
}

static bool column_is_right(const TableColumn *column) {
    return column->type == COLUMN_INT || column->type == COLUMN_REAL ||
           column->type == COLUMN_RIGHT;
}

static void spaces(Text *out, int count) {
    for (int i = 0; i < count; i++)
        text_append(out, " ");
}

static void plain_write_row(const Table *table, int row, TableFormat format, const int *widths,
                            Text *out) {
    Text cell = {0};
    for (int column = 0; column < table->column_count; column++) {
        bool is_last = column == table->column_count - 1;
        text_clear(&cell);
        cell_write_plain(table, row, column, format, &cell);
        // In columns of the screen, not in bytes: printf cannot pad names that are not ASCII.
        int pad = widths[column] - table_text_width(text_cstr(&cell));
        bool right = column_is_right(&table->columns[column]);
        text_append(out, format == TABLE_MD ? "| " : "");
        spaces(out, right ? pad : 0);
        text_append(out, text_cstr(&cell));
        // No blanks after the last column of a text table.
        spaces(out, right || (is_last && format == TABLE_TEXT) ? 0 : pad);
        text_append(out, format == TABLE_MD ? " " : is_last ? "" : "  ");
    }
    text_append(out, format == TABLE_MD ? "|\n" : "\n");
    out->failed |= cell.failed;
    text_release(&cell);
}

// Twice over all cells: widths are known only when every cell has been written once.
static void plain_write(const Table *table, TableFormat format, Text *out) {
    int *widths = calloc((size_t)table->column_count, sizeof *widths);
    Text cell = {0};
    if (!widths) {
        out->failed = true;
        return;
    }
    for (int column = 0; column < table->column_count; column++)
        for (int row = -1; row < table->row_count; row++) {
            text_clear(&cell);
            cell_write_plain(table, row, column, format, &cell);
            int width = table_text_width(text_cstr(&cell));
            widths[column] = width > widths[column] ? width : widths[column];
        }
    plain_write_row(table, -1, format, widths, out);
    for (int column = 0; format == TABLE_MD && column < table->column_count; column++) {
        bool right = column_is_right(&table->columns[column]);
        text_append(out, right ? "|-" : "|:");
        for (int i = 0; i < widths[column]; i++)
            text_append(out, "-");
        text_append(out, right ? ":" : "-");
    }
    text_append(out, format == TABLE_MD ? "|\n" : "");
    for (int row = 0; row < table->row_count; row++)
        plain_write_row(table, row, format, widths, out);
    out->failed |= cell.failed;
    text_release(&cell);
    free(widths);
}

// --- CSV, TSV, JSON --------------------------------------------------------------------

// CSV quotes as RFC 4180 says; TSV has no quoting, so tabs and line ends inside a text become
// blanks.
static void field_write(const char *text, TableFormat format, Text *out) {
    if (format == TABLE_CSV && strpbrk(text, ",\"\r\n")) {
        text_append(out, "\"");
        for (const char *c = text; *c; c++)
            text_append_bytes(out, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
        text_append(out, "\"");
    } else {
        for (const char *c = text; *c; c++)
            text_append_bytes(out, *c == '\t' || *c == '\n' || *c == '\r' ? " " : c, 1);
    }
}

// A missing value is empty in CSV and `-` in TSV, where two tabs in a row are easily lost.
static void separated_write(const Table *table, TableFormat format, Text *out) {
    Text cell = {0};
    for (int row = -1; row < table->row_count; row++) {
        for (int column = 0; column < table->column_count; column++) {
            text_append(out, column == 0 ? "" : format == TABLE_CSV ? "," : "\t");
            text_clear(&cell);
            // Names, not titles: programs look for them, and they do not change.
            if (row < 0)
                text_append(&cell, table->columns[column].name);
            else if (cell_get(table, row, column)->is_set)
                cell_write(&table->columns[column], cell_get(table, row, column), false, &cell);
            else
                text_append(&cell, format == TABLE_TSV ? "-" : "");
            field_write(text_cstr(&cell), format, out);
        }
        text_append(out, "\n");
    }
    out->failed |= cell.failed;
    text_release(&cell);
}

// JSON has no infinities: as strings.
static void cell_write_json(const TableColumn *column, const Cell *cell, Text *out) {
    Text value = {0};
    cell_write(column, cell, false, &value);
    if (!cell->is_set)
        text_append(out, "null");
    else if (column->type == COLUMN_BOOL)
        text_append(out, cell->whole ? "true" : "false");
    else if (column_is_text(column) || (column->type == COLUMN_REAL && !isfinite(cell->real)))
        text_append_json(out, text_cstr(&value));
    else
        text_append(out, text_cstr(&value));
    out->failed |= value.failed;
    text_release(&value);
}

// A row a line, so that diffs and `grep` work on it.
static void json_write(const Table *table, Text *out) {
    text_append(out, "[");
    for (int row = 0; row < table->row_count; row++) {
        text_append(out, row ? ",\n  {" : "\n  {");
        for (int column = 0; column < table->column_count; column++) {
            text_append(out, column ? ", " : "");
            text_append_json(out, table->columns[column].name);
            text_append(out, ": ");
            cell_write_json(&table->columns[column], cell_get(table, row, column), out);
        }
        text_append(out, "}");
    }
    text_append(out, table->row_count ? "\n]" : "]");
}

Status table_write(const Table *table, TableFormat format, Text *out, ErrorText *err) {
    switch (format) {
    case TABLE_TEXT:
    case TABLE_MD:
        plain_write(table, format, out);
        break;
    case TABLE_CSV:
    case TABLE_TSV:
        separated_write(table, format, out);
        break;
    case TABLE_JSON:
        json_write(table, out);
        break;
    }
    if (table->failed || out->failed)
        return error_set(err, STATUS_NO_MEMORY, "out of memory while writing a table");
    return STATUS_OK;
}

Status table_print(const Table *table, TableFormat format, FILE *stream, ErrorText *err) {
    Text out = {0};
    Status status = table_write(table, format, &out, err);
    // Nothing is printed of a table that could not be written whole.
    if (status == STATUS_OK) {
        fputs(text_cstr(&out), stream);
        if (format == TABLE_JSON)
            fputs("\n", stream);
    }
    text_release(&out);
    return status;
}
