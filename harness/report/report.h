// SPDX-License-Identifier: GPL-3.0-or-later
// A whole report, in any format.
//
// JSON is one object: a key for each section (section.h), an array of rows with the columns' names,
// in a stable order. CSV and TSV print one table; several are set apart by an empty line and a line
// "# name".
#pragma once

#include "harness/report/section.h"

typedef struct ReportLayout {
    TableFormat format;
    const ReportSection *const *sections; // in the order to print; borrowed
    int section_count;
    bool skip_empty; // people: leave out sections that have nothing to show
    bool explain;    // people: a sentence under each table for each of its words
} ReportLayout;

// Appends the report. STATUS_NO_MEMORY. Thread: owner of `out`.
Status report_write(const ReportInput *input, const ReportLayout *layout, Text *out,
                    ErrorText *err) MUST_CHECK;
