// SPDX-License-Identifier: GPL-3.0-or-later
// The sections of a report: each is one table for programs, one for people, notes below it, and
// what its words mean.
//
// For programs (CSV, TSV, JSON) the columns are those of the database's view of the same name, in
// its order, followed by what SQL cannot say; README and docs describe them. For people (text,
// Markdown) numbers are rounded and put into words.
#pragma once

#include "engine/base/nearest.h"
#include "harness/report/number_text.h"
#include "harness/report/report_input.h"
#include "harness/report/table.h"

// A word of a table explained for whoever meets it first.
typedef struct SectionWord {
    const char *word;    // as in a heading
    const char *meaning; // one sentence: what it means, and what it does not
} SectionWord;

// One of the two tables of a section.
// `fill` appends rows; what it does not set is a missing value.
typedef struct SectionTable {
    const TableColumn *columns;
    int column_count;
    void (*fill)(const ReportInput *input, Table *table);
} SectionTable;

// A section as a row of the table in section.c.
typedef struct ReportSection {
    const char *name;  // key in JSON, argument of --section: "head_to_head"
    const char *title; // heading for people
    SectionTable programs, people;
    void (*notes)(const ReportInput *input, Text *out); // appends lines; NULL = none
    const SectionWord *words;
    int word_count;
    bool (*shows)(const ReportInput *input, const char *word); // is the number there at all? NULL:
                                                               // every word's is
    bool needs_costs;                                          // a scan of all moves
    bool needs_openings;                                       // the stones of the openings
} ReportSection;

// The sections in their order: `index` 0.. ; NULL after the last. Thread: any.
const ReportSection *report_section_at(int index);

// Finds a section by name; `-` stands for `_`. On failure *hint offers the nearest one.
// Thread: any.
const ReportSection *report_section_find(const char *name, NearestHint *hint);

// The sections themselves, by file.
extern const ReportSection SECTION_EXPERIMENTS, SECTION_STANDINGS, SECTION_HEAD_TO_HEAD,
    SECTION_PLAYER_COST, SECTION_MOVE_COST, SECTION_PRUNE_RATE, SECTION_OPENING_BALANCE,
    SECTION_GAME_ENDS, SECTION_FAILURES, SECTION_SEQUENTIAL_TEST;

// Sets a real cell if the value exists; leaves it missing otherwise. Thread: owner.
void section_set_stat(Table *table, int column, StatValue value);
// Sets part / whole, missing when whole is 0. Thread: owner.
void section_set_ratio(Table *table, int column, double part, double whole);
// Sets three int cells: wins, draws, losses. Thread: owner.
void section_set_wdl(Table *table, int column, WdlCounts counts);
// Sets the name of a player in a table for people, cut when it is very long. Thread: owner.
void section_set_name(Table *table, int column, const char *name);
// Sets the text of a number. Thread: owner.
void section_set_number(Table *table, int column, NumberText number);
