// SPDX-License-Identifier: GPL-3.0-or-later
// Putting sections together.
#include "harness/report/report.h"

#include "engine/base/check.h"

#include <string.h>

static bool is_for_people(TableFormat format) { return format == TABLE_TEXT || format == TABLE_MD; }

// The table of a section, filled; NULL when memory is out.
static Table *section_table(const ReportInput *input, const SectionTable *kind) {
    Table *table = table_new(kind->columns, kind->column_count);
    if (table)
        kind->fill(input, table);
    return table;
}

static void heading_write(const char *title, TableFormat format, Text *out) {
    if (format == TABLE_MD) {
        text_printf(out, "## %s\n\n", title);
        return;
    }
    text_printf(out, "%s\n", title);
    // As wide as the title looks, not as many as it has bytes.
    for (int i = table_text_width(title); i > 0; i--)
        text_append(out, "─");
    text_append(out, "\n");
}

enum { LINE_COLUMNS = 100 }; // text is broken there

// One line of text, broken between words; what follows a break is indented by two more than the
// start.
static void line_write_wrapped(const char *line, size_t length, Text *out) {
    size_t indent = strspn(line, " ");
    int column = 0;
    Text word = {0};
    for (const char *c = line, *end = line + length; c < end;) {
        size_t blanks = strspn(c, " "), bytes = strcspn(c + blanks, " \n");
        text_clear(&word);
        text_append_bytes(&word, c + blanks, bytes);
        int width = table_text_width(text_cstr(&word));
        if (column > 0 && column + (int)blanks + width > LINE_COLUMNS) {
            text_printf(out, "\n%*s", (int)indent + 2, "");
            column = (int)indent + 2;
        } else {
            text_printf(out, "%*s", (int)blanks, "");
            column += (int)blanks;
        }
        text_append(out, text_cstr(&word));
        column += width;
        c += blanks + bytes;
    }
    text_append(out, "\n");
    out->failed |= word.failed;
    text_release(&word);
}

static void words_append(const ReportInput *input, const ReportSection *section, TableFormat format,
                         Text *out) {
    for (int i = 0; i < section->word_count; i++)
        if (!section->shows || section->shows(input, section->words[i].word))
            text_printf(out, format == TABLE_MD ? "- *%s*: %s.\n" : "  %s: %s.\n",
                        section->words[i].word, section->words[i].meaning);
}

// What stands below a table. In Markdown a note ends with a break, to stay a line of its own.
// Notes speak of this report's numbers, words explain what any such number is; the latter only
// where there are rows to explain.
static void notes_write(const ReportInput *input, const ReportSection *section,
                        const ReportLayout *layout, int rows, Text *out) {
    Text notes = {0}, words = {0};
    if (section->notes)
        section->notes(input, &notes);
    if (layout->explain && rows > 0)
        words_append(input, section, layout->format, &words);
    const Text *const parts[] = {&notes, &words};
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        for (const char *line = text_cstr(parts[i]); *line;) {
            size_t length = strcspn(line, "\n");
            if (layout->format == TABLE_TEXT) {
                line_write_wrapped(line, length, out);
            } else {
                text_append_bytes(out, line, length);
                text_append(out, parts[i] == &notes ? "  \n" : "\n");
            }
            line += length + (line[length] == '\n');
        }
    out->failed |= notes.failed || words.failed;
    text_release(&notes);
    text_release(&words);
}

// A section without rows and notes is left out of a whole report, and says so when it was asked for
// by name.
static Status section_write_people(const ReportInput *input, const ReportSection *section,
                                   const ReportLayout *layout, Text *out, ErrorText *err) {
    Table *table = section_table(input, &section->people);
    if (!table)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    Status status = STATUS_OK;
    Text below = {0};
    int rows = table_row_count(table);
    notes_write(input, section, layout, rows, &below);
    if (rows > 0 || below.length > 0 || !layout->skip_empty) {
        text_append(out, out->length > 0 ? "\n" : "");
        heading_write(section->title, layout->format, out);
        if (rows > 0)
            status = table_write(table, layout->format, out, err);
        if (layout->format == TABLE_MD)
            text_append(out, "\n");
        text_append(out, rows == 0 && below.length == 0 ? "Nothing to show.\n" : text_cstr(&below));
    }
    out->failed |= below.failed;
    text_release(&below);
    table_free(table);
    return status;
}

// Programs get every section that they asked for, empty or not: a missing key would be another
// thing to test for.
static Status section_write_programs(const ReportInput *input, const ReportSection *section,
                                     const ReportLayout *layout, Text *out, ErrorText *err) {
    Table *table = section_table(input, &section->programs);
    if (!table)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    if (layout->format == TABLE_JSON) {
        text_append_json(out, section->name);
        text_append(out, ": ");
    } else if (layout->section_count > 1) {
        text_printf(out, "# %s\n", section->name);
    }
    Status status = table_write(table, layout->format, out, err);
    table_free(table);
    return status;
}

// JSON is one object with a key a section; for people and in CSV the sections stand one below the
// other.
Status report_write(const ReportInput *input, const ReportLayout *layout, Text *out,
                    ErrorText *err) {
    bool is_json = layout->format == TABLE_JSON, people = is_for_people(layout->format);
    Status status = STATUS_OK;
    if (is_json)
        text_append(out, "{");
    for (int i = 0; i < layout->section_count && status == STATUS_OK; i++) {
        if (i > 0 && !people)
            text_append(out, is_json ? ",\n" : "\n");
        status = people ? section_write_people(input, layout->sections[i], layout, out, err)
                        : section_write_programs(input, layout->sections[i], layout, out, err);
    }
    if (is_json)
        text_append(out, "}\n");
    if (status == STATUS_OK && out->failed)
        status = error_set(err, STATUS_NO_MEMORY, "out of memory");
    return status;
}
