// SPDX-License-Identifier: GPL-3.0-or-later
// Sections of results: what was played, and the standings.
#include "engine/base/check.h"
#include "harness/report/number_text.h"
#include "harness/report/section.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *player_name(const ReportInput *input, int player) {
    return input->summary.players[player].name;
}

// --- experiments
// ----------------------------------------------------------------------------------------------------

static const TableColumn EXPERIMENT_COLUMNS[] = {
    {"experiment", COLUMN_TEXT, 0, NULL}, {"database", COLUMN_TEXT, 0, NULL},
    {"rule", COLUMN_TEXT, 0, NULL},       {"width", COLUMN_INT, 0, NULL},
    {"height", COLUMN_INT, 0, NULL},      {"k", COLUMN_INT, 0, NULL},
    {"games", COLUMN_INT, 0, NULL},       {"planned_games", COLUMN_INT, 0, NULL},
    {"started_at", COLUMN_TEXT, 0, NULL}, {"finished_at", COLUMN_TEXT, 0, NULL},
    {"version", COLUMN_TEXT, 0, NULL},    {"host", COLUMN_TEXT, 0, NULL},
};

// planned_games 0 is unknown (an import), and stays empty.
static void experiments_fill(const ReportInput *input, Table *table) {
    for (int i = 0; i < input->source_count; i++) {
        const ReportSource *source = &input->sources[i];
        table_row(table);
        table_set_text(table, 0, source->name);
        table_set_text(table, 1, source->path);
        table_set_text(table, 2, rule_name(source->rule));
        table_set_int(table, 3, source->width);
        table_set_int(table, 4, source->height);
        table_set_int(table, 5, source->k);
        table_set_int(table, 6, source->games);
        if (source->planned_games > 0)
            table_set_int(table, 7, source->planned_games);
        table_set_text(table, 8, source->started_at);
        table_set_text(table, 9, source->finished_at);
        table_set_text(table, 10, source->version);
        table_set_text(table, 11, source->host);
    }
}

static const TableColumn EXPERIMENT_SHOWN[] = {
    {"experiment", COLUMN_TEXT, 0, NULL},     {"rule", COLUMN_TEXT, 0, NULL},
    {"board", COLUMN_TEXT, 0, NULL},          {"games", COLUMN_RIGHT, 0, NULL},
    {"planned", COLUMN_RIGHT, 0, NULL},       {"started (UTC)", COLUMN_TEXT, 0, NULL},
    {"finished (UTC)", COLUMN_TEXT, 0, NULL}, {"gomolab", COLUMN_TEXT, 0, NULL},
    {"database", COLUMN_TEXT, 0, NULL},
};

// "2026-11-03T10:20:30Z" -> "2026-11-03 10:20".
// Seconds are of no use in a table; the stamp is always ISO 8601 in UTC.
static void set_time(Table *table, int column, const char *stamp) {
    char text[20];
    if (!stamp)
        return;
    snprintf(text, sizeof text, "%.16s", stamp);
    for (char *c = text; *c; c++)
        *c = *c == 'T' ? ' ' : *c;
    table_set_text(table, column, text);
}

static void experiments_fill_people(const ReportInput *input, Table *table) {
    for (int i = 0; i < input->source_count; i++) {
        const ReportSource *source = &input->sources[i];
        char board[40];
        snprintf(board, sizeof board, "%dx%d%s", source->width, source->height,
                 source->k == 5 ? "" : ", k other than 5");
        table_row(table);
        table_set_text(table, 0, source->name);
        table_set_text(table, 1, rule_name(source->rule));
        table_set_text(table, 2, board);
        section_set_number(table, 3, number_count(source->games));
        if (source->planned_games > 0)
            section_set_number(table, 4, number_count(source->planned_games));
        set_time(table, 5, source->started_at);
        set_time(table, 6, source->finished_at);
        table_set_text(table, 7, source->version);
        table_set_text(table, 8, source->path);
    }
}

static const SectionWord EXPERIMENT_WORDS[] = {
    {"planned", "games of the whole plan; a report of an unfinished run counts what is there, and "
                "its intervals are as wide as they look"},
};

const ReportSection SECTION_EXPERIMENTS = {
    .name = "experiments",
    .title = "Experiments",
    .programs = {EXPERIMENT_COLUMNS, ARRAY_LEN(EXPERIMENT_COLUMNS), experiments_fill},
    .people = {EXPERIMENT_SHOWN, ARRAY_LEN(EXPERIMENT_SHOWN), experiments_fill_people},
    .words = EXPERIMENT_WORDS,
    .word_count = ARRAY_LEN(EXPERIMENT_WORDS),
};

// --- standings
// ------------------------------------------------------------------------------------------------------

enum {
    ST_PLAYER,
    ST_GAMES,
    ST_WINS,
    ST_DRAWS,
    ST_LOSSES,
    ST_BLACK_WINS,
    ST_BLACK_DRAWS,
    ST_BLACK_LOSSES,
    ST_WHITE_WINS,
    ST_WHITE_DRAWS,
    ST_WHITE_LOSSES,
    ST_SCORE,
    ST_TIMEOUTS,
    ST_CRASHES,
    ST_ILLEGAL,
    ST_ELO,
    ST_ELO_LO,
    ST_ELO_HI,
    ST_LOS,
    ST_PAIRS,
    ST_TABLE
};

static const TableColumn STANDINGS_COLUMNS[] = {
    [ST_PLAYER] = {"player", COLUMN_TEXT, 0, NULL},
    [ST_GAMES] = {"games", COLUMN_INT, 0, NULL},
    [ST_WINS] = {"wins", COLUMN_INT, 0, NULL},
    [ST_DRAWS] = {"draws", COLUMN_INT, 0, NULL},
    [ST_LOSSES] = {"losses", COLUMN_INT, 0, NULL},
    [ST_BLACK_WINS] = {"black_wins", COLUMN_INT, 0, NULL},
    [ST_BLACK_DRAWS] = {"black_draws", COLUMN_INT, 0, NULL},
    [ST_BLACK_LOSSES] = {"black_losses", COLUMN_INT, 0, NULL},
    [ST_WHITE_WINS] = {"white_wins", COLUMN_INT, 0, NULL},
    [ST_WHITE_DRAWS] = {"white_draws", COLUMN_INT, 0, NULL},
    [ST_WHITE_LOSSES] = {"white_losses", COLUMN_INT, 0, NULL},
    [ST_SCORE] = {"score_percent", COLUMN_REAL, 2, NULL},
    [ST_TIMEOUTS] = {"timeouts", COLUMN_INT, 0, NULL},
    [ST_CRASHES] = {"crashes", COLUMN_INT, 0, NULL},
    [ST_ILLEGAL] = {"illegal", COLUMN_INT, 0, NULL},
    [ST_ELO] = {"elo", COLUMN_REAL, 2, NULL},
    [ST_ELO_LO] = {"elo_lo", COLUMN_REAL, 2, NULL},
    [ST_ELO_HI] = {"elo_hi", COLUMN_REAL, 2, NULL},
    [ST_LOS] = {"los", COLUMN_REAL, 4, NULL},
    [ST_PAIRS] = {"pairs", COLUMN_INT, 0, NULL},
    [ST_TABLE] = {"table", COLUMN_INT, 0, NULL},
};

static void standings_fill(const ReportInput *input, Table *table) {
    for (int i = 0; i < input->standings.count; i++) {
        const Standing *row = &input->standings.rows[i];
        const PlayerSummary *player = &input->summary.players[row->player];
        table_row(table);
        table_set_text(table, ST_PLAYER, player->name);
        table_set_int(table, ST_GAMES, row->games);
        // Sums and both colours: what a reader adds up must agree.
        section_set_wdl(table, ST_WINS, row->total);
        section_set_wdl(table, ST_BLACK_WINS, player->as_black);
        section_set_wdl(table, ST_WHITE_WINS, player->as_white);
        table_set_real(table, ST_SCORE, wdl_percent(row->total));
        table_set_int(table, ST_TIMEOUTS, player->lost_by[REASON_TIMEOUT]);
        table_set_int(table, ST_CRASHES, player->lost_by[REASON_CRASH]);
        table_set_int(table, ST_ILLEGAL, player->lost_by[REASON_ILLEGAL]);
        section_set_stat(table, ST_ELO, row->elo);
        section_set_stat(table, ST_ELO_LO, row->interval.lo);
        section_set_stat(table, ST_ELO_HI, row->interval.hi);
        section_set_stat(table, ST_LOS, row->los);
        table_set_int(table, ST_PAIRS, row->pairs);
        table_set_int(table, ST_TABLE, row->table);
    }
}

static const TableColumn STANDINGS_SHOWN[] = {
    {"rank", COLUMN_RIGHT, 0, "#"},
    {"player", COLUMN_TEXT, 0, NULL},
    {"games", COLUMN_RIGHT, 0, NULL},
    {"black", COLUMN_RIGHT, 0, "as black W-D-L"},
    {"white", COLUMN_RIGHT, 0, "as white W-D-L"},
    {"score", COLUMN_RIGHT, 0, NULL},
    {"elo", COLUMN_RIGHT, 0, "Elo"},
    {"interval", COLUMN_RIGHT, 0, "95 % interval"},
    {"los", COLUMN_RIGHT, 0, "LOS"},
};

// "3", or "2.3" for the third of the second table: there is no order between tables.
static NumberText rank_text(const Standings *standings, int index) {
    int first = index, number = standings->rows[index].table;
    while (first > 0 && standings->rows[first - 1].table == number)
        first--;
    NumberText out = number_count(index - first + 1);
    if (standings->tables > 1)
        snprintf(out.text, sizeof out.text, "%d.%d", number, index - first + 1);
    return out;
}

static void standings_fill_people(const ReportInput *input, Table *table) {
    for (int i = 0; i < input->standings.count; i++) {
        const Standing *row = &input->standings.rows[i];
        const PlayerSummary *player = &input->summary.players[row->player];
        table_row(table);
        section_set_number(table, 0, rank_text(&input->standings, i));
        section_set_name(table, 1, player->short_name);
        section_set_number(table, 2, number_count(row->games));
        section_set_number(table, 3, number_wdl(player->as_black));
        section_set_number(table, 4, number_wdl(player->as_white));
        section_set_number(table, 5, number_percent(row->score.value));
        section_set_number(table, 6, number_elo(row->elo));
        section_set_number(table, 7, number_interval(row->interval.lo, row->interval.hi));
        section_set_number(table, 8, number_los(row->los));
    }
}

// What the Elo above rests on, before anybody quotes it: by pairs or games, which interval, how
// biased the openings were.
static void match_notes(const ReportInput *input, const MatchStats *match, Text *out) {
    const char *leader = player_name(input, input->standings.rows[0].player);
    if (match->by == BY_PAIRS)
        text_printf(out,
                    "Elo: of the score against the other; interval: 95 %%, %s, from %s whole %s.\n",
                    interval_method_name(match->method), number_count(match->pairs).text,
                    match->pairs == 1 ? "pair" : "pairs");
    else
        text_printf(out,
                    "Elo: of the score against the other; interval: 95 %%, %s, from %s games taken "
                    "as independent "
                    "(not all of them form pairs).\n",
                    interval_method_name(match->method), number_count(match->games).text);
    if (match->by == BY_PAIRS) {
        text_printf(out, "Pairs of %s:", leader);
        // Best class first, seen from the leader.
        for (int c = PAIR_CLASS_NB - 1; c >= 0; c--)
            text_printf(out, "%s %s %lld", c == PAIR_CLASS_NB - 1 ? "" : ",",
                        pair_class_name((PairClass)c), (long long)match->classes.n[c]);
        if (stat_exists(match->error_ratio))
            text_printf(out, "; the error from single games would be %.2f times as large",
                        match->error_ratio.value);
        text_append(out, ".\n");
    }
    if (stat_exists(match->nelo) && stat_exists(match->nelo_err))
        text_printf(out, "Normalized Elo of %s: %s ± %.1f.\n", leader,
                    number_fixed(match->nelo.value, 1, true).text, match->nelo_err.value);
    if (stat_exists(match->opening_free_elo) && stat_exists(match->opening_free_se))
        text_printf(out, "Free of the openings' bias: %s ± %.0f Elo%s.\n",
                    number_elo(match->opening_free_elo).text,
                    NORMAL_Z95 * match->opening_free_se.value,
                    match->opening_free_corrected ? " (half a pair added to WW and LL)" : "");
    if (stat_exists(match->bias_elo))
        text_printf(out, "Bias of the openings, root mean square: %.0f Elo.\n",
                    match->bias_elo.value);
}

static void pool_notes(const ReportInput *input, Text *out) {
    const Standings *standings = &input->standings;
    text_printf(out, "Elo: maximum likelihood over all games, 0 = mean of the players%s",
                standings->tables > 1 ? " of the table, the number before the point" : "");
    if (stat_exists(standings->advantage) && stat_exists(standings->advantage_se))
        text_printf(out, "; advantage of the first mover fitted with them: %s ± %.0f",
                    number_elo(standings->advantage).text,
                    NORMAL_Z95 * standings->advantage_se.value);
    text_append(out, ".\n");
    text_printf(out, "Interval: 95 %% of the difference to that mean%s.\n",
                input->summary.pairs > 0 ? ", clustered by whole pairs" : "");
    // Each warning of the rating is a line of its own.
    for (const char *line = text_cstr(&standings->warnings); *line;) {
        size_t length = strcspn(line, "\n");
        text_printf(out, "Note: %.*s.\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static void standings_notes(const ReportInput *input, Text *out) {
    const Standings *standings = &input->standings;
    const ReportSummary *summary = &input->summary;
    if (standings->count == 0) {
        text_append(out, "No games yet.\n");
        return;
    }
    if (standings->is_pool)
        pool_notes(input, out);
    else
        match_notes(input, &standings->match, out);
    text_printf(out, "LOS: likelihood of superiority, over %s.\n",
                !standings->is_pool     ? "the other player"
                : standings->tables > 1 ? "the mean of the players of the table"
                                        : "the mean of the players");
    for (int i = 0; i < standings->count; i++)
        if (!stat_exists(standings->rows[i].elo)) {
            text_printf(out, "n/a: %s.\n", standings->rows[i].elo.reason);
            break;
        }
    text_printf(out, "First mover: %s of the points; black: %s.",
                number_percent(wdl_share(summary->first)).text,
                number_percent(wdl_share(summary->black)).text);
    // Without a twin: of an interrupted run, or imported alone.
    int64_t single = summary->games - 2 * summary->pairs;
    if (single > 0)
        text_printf(out, " Games outside whole pairs: %s%s.", number_count(single).text,
                    standings->count == 2 && standings->match.by == BY_PAIRS ? ", not in the Elo"
                                                                             : "");
    text_append(out, "\n");
}

static const SectionWord STANDINGS_WORDS[] = {
    {"score", "points per game, a draw being half a point; it depends on who the opponents were"},
    {"Elo", "the difference in strength that would give this score: +100 is 64 %, +200 is 76 %; it "
            "holds for these openings and "
            "limits, and is no measure against other programs"},
    {"95 % interval", "in 95 of 100 such experiments the interval made this way holds the true "
                      "value; overlapping intervals of "
                      "two players do not mean that they are equal"},
    {"LOS", "how likely the player is the stronger one, given these games; it says nothing about "
            "by how much, and is no rule for when to "
            "stop"},
    {"pair", "one opening played twice with colours swapped; its two games are not independent, so "
             "errors are counted by pairs"},
    {"normalized Elo", "the difference measured in standard deviations of a game: it says how many "
                       "games are needed to see it"},
    {"free of bias", "Elo from the pairs that one side won twice, whatever the opening favours; it "
                     "is less exact than the score"},
    {"bias of the openings", "how far the openings favour one side, whoever plays; it says nothing "
                             "of the players, but shrinks the Elo between them"},
    {"advantage of the first mover", "what moving first after the opening is worth in Elo, with "
                                     "these players and openings; from the empty board it is "
                                     "another"},
    {"first mover",
     "the side to move after the opening, which need not be black: even is 50 %, and "
     "far from it the openings decide much"},
};

// Some numbers are those of two players, one is that of a pool.
static bool standings_show(const ReportInput *input, const char *word) {
    static const char *const OF_TWO[] = {"normalized Elo", "free of bias", "bias of the openings"};
    bool is_pool = input->standings.is_pool;
    for (size_t i = 0; i < ARRAY_LEN(OF_TWO); i++)
        if (strcmp(word, OF_TWO[i]) == 0)
            return !is_pool;
    return is_pool || strcmp(word, "advantage of the first mover") != 0;
}

const ReportSection SECTION_STANDINGS = {
    .name = "standings",
    .title = "Standings",
    .programs = {STANDINGS_COLUMNS, ARRAY_LEN(STANDINGS_COLUMNS), standings_fill},
    .people = {STANDINGS_SHOWN, ARRAY_LEN(STANDINGS_SHOWN), standings_fill_people},
    .notes = standings_notes,
    .words = STANDINGS_WORDS,
    .word_count = ARRAY_LEN(STANDINGS_WORDS),
    .shows = standings_show,
};
