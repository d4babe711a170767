// SPDX-License-Identifier: GPL-3.0-or-later
// The table of sections, and what their makers share.
#include "harness/report/section.h"

#include "engine/base/check.h"
#include "harness/report/short_names.h"

#include <string.h>

// The order of a report: what was played, who is stronger, what it cost, what to beware of.
static const ReportSection *const SECTIONS[] = {
    &SECTION_EXPERIMENTS, &SECTION_STANDINGS, &SECTION_SEQUENTIAL_TEST, &SECTION_HEAD_TO_HEAD,
    &SECTION_PLAYER_COST, &SECTION_MOVE_COST, &SECTION_PRUNE_RATE,      &SECTION_OPENING_BALANCE,
    &SECTION_GAME_ENDS,   &SECTION_FAILURES,
};

const ReportSection *report_section_at(int index) {
    return index >= 0 && (size_t)index < ARRAY_LEN(SECTIONS) ? SECTIONS[index] : NULL;
}

// head-to-head and head_to_head are the same wish.
static bool names_match(const char *given, const char *name) {
    for (; *given && *name; given++, name++)
        if (*given != *name && !(*given == '-' && *name == '_'))
            return false;
    return *given == *name;
}

const ReportSection *report_section_find(const char *name, NearestHint *hint) {
    const char *names[ARRAY_LEN(SECTIONS)];
    for (size_t i = 0; i < ARRAY_LEN(SECTIONS); i++) {
        names[i] = SECTIONS[i]->name;
        if (names_match(name, names[i]))
            return SECTIONS[i];
    }
    *hint = nearest_hint(name, names, ARRAY_LEN(names), "; --help lists them");
    return NULL;
}

void section_set_stat(Table *table, int column, StatValue value) {
    if (stat_exists(value))
        table_set_real(table, column, value.value);
}

// Without a denominator there is no number, and the cell stays empty.
void section_set_ratio(Table *table, int column, double part, double whole) {
    if (whole > 0.0)
        table_set_real(table, column, part / whole);
}

void section_set_number(Table *table, int column, NumberText number) {
    table_set_text(table, column, number.text);
}

void section_set_name(Table *table, int column, const char *name) {
    Text clean = {0}, cut = {0};
    number_text_clean(&clean, name);
    number_text_cut(&cut, text_cstr(&clean), SHORT_NAME_COLUMNS);
    table_set_text(table, column, text_cstr(&cut));
    text_release(&clean);
    text_release(&cut);
}

void section_set_wdl(Table *table, int column, WdlCounts counts) {
    table_set_int(table, column, counts.wins);
    table_set_int(table, column + 1, counts.draws);
    table_set_int(table, column + 2, counts.losses);
}
