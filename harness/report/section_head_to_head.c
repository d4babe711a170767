// SPDX-License-Identifier: GPL-3.0-or-later
// The section head to head: each pairing by itself.
#include "engine/base/check.h"
#include "harness/report/section.h"

static const char *player_name(const ReportInput *input, int player) {
    return input->summary.players[player].name;
}

enum {
    HH_PLAYER,
    HH_OPPONENT,
    HH_GAMES,
    HH_WINS,
    HH_DRAWS,
    HH_LOSSES,
    HH_SCORE,
    HH_ELO,
    HH_ELO_LO,
    HH_ELO_HI,
    HH_LOS,
    HH_PAIRS,
    HH_WW,
    HH_WD,
    HH_WL,
    HH_DD,
    HH_LD,
    HH_LL,
    HH_FREE,
    HH_FREE_SE,
    HH_BIAS
};

static const TableColumn HEAD_COLUMNS[] = {
    [HH_PLAYER] = {"player", COLUMN_TEXT, 0, NULL},
    [HH_OPPONENT] = {"opponent", COLUMN_TEXT, 0, NULL},
    [HH_GAMES] = {"games", COLUMN_INT, 0, NULL},
    [HH_WINS] = {"wins", COLUMN_INT, 0, NULL},
    [HH_DRAWS] = {"draws", COLUMN_INT, 0, NULL},
    [HH_LOSSES] = {"losses", COLUMN_INT, 0, NULL},
    [HH_SCORE] = {"score_percent", COLUMN_REAL, 2, NULL},
    [HH_ELO] = {"elo", COLUMN_REAL, 2, NULL},
    [HH_ELO_LO] = {"elo_lo", COLUMN_REAL, 2, NULL},
    [HH_ELO_HI] = {"elo_hi", COLUMN_REAL, 2, NULL},
    [HH_LOS] = {"los", COLUMN_REAL, 4, NULL},
    [HH_PAIRS] = {"pairs", COLUMN_INT, 0, NULL},
    [HH_WW] = {"ww", COLUMN_INT, 0, NULL},
    [HH_WD] = {"wd", COLUMN_INT, 0, NULL},
    [HH_WL] = {"wl", COLUMN_INT, 0, NULL},
    [HH_DD] = {"dd", COLUMN_INT, 0, NULL},
    [HH_LD] = {"ld", COLUMN_INT, 0, NULL},
    [HH_LL] = {"ll", COLUMN_INT, 0, NULL},
    [HH_FREE] = {"opening_free_elo", COLUMN_REAL, 2, NULL},
    [HH_FREE_SE] = {"opening_free_se", COLUMN_REAL, 2, NULL},
    [HH_BIAS] = {"bias_elo", COLUMN_REAL, 2, NULL},
};

static void head_row_fill(const ReportInput *input, int row, int column, Table *table) {
    const PairingSummary *pairing = summary_pairing(&input->summary, row, column);
    WdlCounts total = wdl_counts_sum(pairing->as_black, pairing->as_white);
    // In a gauntlet most pairings have no games.
    if (wdl_counts_total(&total) == 0)
        return;
    MatchStats match = standing_match(&pairing->pairs, &pairing->single);
    table_row(table);
    table_set_text(table, HH_PLAYER, player_name(input, row));
    table_set_text(table, HH_OPPONENT, player_name(input, column));
    table_set_int(table, HH_GAMES, wdl_counts_total(&total));
    section_set_wdl(table, HH_WINS, total);
    table_set_real(table, HH_SCORE, wdl_percent(total));
    section_set_stat(table, HH_ELO, match.elo);
    section_set_stat(table, HH_ELO_LO, match.interval.lo);
    section_set_stat(table, HH_ELO_HI, match.interval.hi);
    section_set_stat(table, HH_LOS, match.los);
    // All six classes, so that every number of the row can be reckoned again from it.
    table_set_int(table, HH_PAIRS, pair_counts_total(&pairing->pairs));
    static const PairClass CLASSES[] = {PAIR_WW, PAIR_WD, PAIR_WL, PAIR_DD, PAIR_LD, PAIR_LL};
    for (int i = 0; i < PAIR_CLASS_NB; i++)
        table_set_int(table, HH_WW + i, pairing->pairs.n[CLASSES[i]]);
    section_set_stat(table, HH_FREE, match.opening_free_elo);
    section_set_stat(table, HH_FREE_SE, match.opening_free_se);
    section_set_stat(table, HH_BIAS, match.bias_elo);
}

// Both directions, players in the order of the database.
static void head_fill(const ReportInput *input, Table *table) {
    for (int row = 0; row < input->summary.player_count; row++)
        for (int column = 0; column < input->summary.player_count; column++)
            if (row != column)
                head_row_fill(input, row, column, table);
}

static const TableColumn HEAD_SHOWN[] = {
    {"player", COLUMN_TEXT, 0, NULL},
    {"opponent", COLUMN_TEXT, 0, "against"},
    {"games", COLUMN_RIGHT, 0, NULL},
    {"wdl", COLUMN_RIGHT, 0, "W-D-L"},
    {"score", COLUMN_RIGHT, 0, NULL},
    {"elo", COLUMN_RIGHT, 0, "Elo"},
    {"interval", COLUMN_RIGHT, 0, "95 % interval"},
    {"los", COLUMN_RIGHT, 0, "LOS"},
    {"pairs", COLUMN_RIGHT, 0, NULL},
    {"ww", COLUMN_RIGHT, 0, "2-0"},
    {"wl", COLUMN_RIGHT, 0, "1-1"},
    {"ll", COLUMN_RIGHT, 0, "0-2"},
};

// Calls `visit` for each pairing with games once, the better standing first.
// Half the matrix: the other half is the same with signs changed.
static void pairings_visit(const ReportInput *input,
                           void (*visit)(const ReportInput *, int, int, void *), void *ctx) {
    for (int i = 0; i < input->standings.count; i++)
        // By standing, so that the upper of two rows is the better player.
        for (int j = i + 1; j < input->standings.count; j++) {
            int row = input->standings.rows[i].player, column = input->standings.rows[j].player;
            const PairingSummary *pairing = summary_pairing(&input->summary, row, column);
            if (wdl_counts_total(&pairing->as_black) + wdl_counts_total(&pairing->as_white) > 0)
                visit(input, row, column, ctx);
        }
}

static void head_row_show(const ReportInput *input, int row, int column, void *ctx) {
    Table *table = ctx;
    const PairingSummary *pairing = summary_pairing(&input->summary, row, column);
    WdlCounts total = wdl_counts_sum(pairing->as_black, pairing->as_white);
    MatchStats match = standing_match(&pairing->pairs, &pairing->single);
    table_row(table);
    section_set_name(table, 0, input->summary.players[row].short_name);
    section_set_name(table, 1, input->summary.players[column].short_name);
    section_set_number(table, 2, number_count(wdl_counts_total(&total)));
    section_set_number(table, 3, number_wdl(total));
    section_set_number(table, 4, number_percent(wdl_share(total)));
    section_set_number(table, 5, number_elo(match.elo));
    section_set_number(table, 6, number_interval(match.interval.lo, match.interval.hi));
    section_set_number(table, 7, number_los(match.los));
    section_set_number(table, 8, number_count(pair_counts_total(&pairing->pairs)));
    section_set_number(table, 9, number_count(pairing->pairs.n[PAIR_WW]));
    section_set_number(table, 10, number_count(pairing->pairs.n[PAIR_WL]));
    section_set_number(table, 11, number_count(pairing->pairs.n[PAIR_LL]));
}

static void head_fill_people(const ReportInput *input, Table *table) {
    pairings_visit(input, head_row_show, table);
}

// What the notes say about all pairings: those whose interval holds 0, by name.
typedef struct Undecided {
    Text names;
    int count;
    bool has_bound; // some Elo does not exist
} Undecided;

static void undecided_add(const ReportInput *input, int row, int column, void *ctx) {
    Undecided *undecided = ctx;
    const PairingSummary *pairing = summary_pairing(&input->summary, row, column);
    MatchStats match = standing_match(&pairing->pairs, &pairing->single);
    // The sign is explained only where a table has one.
    undecided->has_bound |= !stat_exists(match.elo);
    // An end off the scale leaves that side open, and 0 lies in whatever is open on both sides of
    // it.
    bool below = !stat_exists(match.interval.lo) || match.interval.lo.value <= 0.0;
    bool above = !stat_exists(match.interval.hi) || match.interval.hi.value >= 0.0;
    if (!below || !above)
        return;
    // A line of names, not a page.
    if (++undecided->count <= 8)
        text_printf(&undecided->names, "%s%s – %s", undecided->count > 1 ? ", " : "",
                    player_name(input, row), player_name(input, column));
}

// Most readers look for who beats whom: pairings where that is not shown are named.
static void head_notes(const ReportInput *input, Text *out) {
    Undecided undecided = {0};
    pairings_visit(input, undecided_add, &undecided);
    if (undecided.count > 0) {
        text_printf(out, "Not decided, the difference is smaller than its error: %s",
                    text_cstr(&undecided.names));
        if (undecided.count > 8)
            text_printf(out, " and %d more", undecided.count - 8);
        text_append(out, ".\n");
    }
    if (input->summary.pairs > 0)
        text_append(out, "2-0, 1-1, 0-2: whole pairs won twice, split by wins, lost twice; pairs "
                         "with draws are not listed.\n");
    if (undecided.has_bound)
        text_append(out, "> and <: after a perfect score there is a bound only, and no Elo.\n");
    text_release(&undecided.names);
}

static const SectionWord HEAD_WORDS[] = {
    {"Elo", "from the games of these two alone; three such differences need not add up"},
    {"2-0 / 0-2", "pairs that one side won with both colours: they decide who is stronger, "
                  "whatever the opening favours"},
    {"1-1", "pairs that each side won once: many of them mean that the openings decide, and that "
            "longer matches are needed"},
};

const ReportSection SECTION_HEAD_TO_HEAD = {
    .name = "head_to_head",
    .title = "Head to head",
    .programs = {HEAD_COLUMNS, ARRAY_LEN(HEAD_COLUMNS), head_fill},
    .people = {HEAD_SHOWN, ARRAY_LEN(HEAD_SHOWN), head_fill_people},
    .notes = head_notes,
    .words = HEAD_WORDS,
    .word_count = ARRAY_LEN(HEAD_WORDS),
};
