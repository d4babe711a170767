// SPDX-License-Identifier: GPL-3.0-or-later
// Printing rating lists.
#include "harness/report/rating_view.h"

#include "engine/base/check.h"
#include "harness/report/explain.h"
#include "harness/report/number_text.h"
#include "harness/stats/rating_advice.h"

#include <stdlib.h>
#include <string.h>

enum { RANK, PLAYER, BOUND, ELO, SE, LO, HI, GAMES, SCORE, GROUP, TABLE, COLUMN_NB };
static const TableColumn COLUMNS[COLUMN_NB] = {
    {"rank", COLUMN_INT, 0, "#"},    {"player", COLUMN_TEXT, 0, NULL},
    {"bound", COLUMN_TEXT, 0, " "},  {"elo", COLUMN_REAL, 1, "Elo"},
    {"se", COLUMN_REAL, 1, "s.e."},  {"lo", COLUMN_REAL, 1, "95 % from"},
    {"hi", COLUMN_REAL, 1, "to"},    {"games", COLUMN_INT, 0, NULL},
    {"score", COLUMN_REAL, 4, NULL}, {"group", COLUMN_INT, 0, NULL},
    {"table", COLUMN_INT, 0, NULL},
};

static const char *bound_sign(RatingBound bound) {
    return bound == BOUND_ABOVE ? ">" : bound == BOUND_BELOW ? "<" : NULL;
}

// What was used, not what was asked for: `auto` is decided by the data.
static const char *errors_name(RatingErrors errors) {
    return errors == ERRORS_SANDWICH    ? "sandwich"
           : errors == ERRORS_BOOTSTRAP ? "bootstrap"
                                        : "hessian";
}

static const char *model_name(const RatingView *v) {
    return v->is_opening_free                       ? "opening-free"
           : v->options->model == RATING_RAO_KUPPER ? "rao-kupper"
                                                    : "half-win";
}

static const char *against_name(const RatingView *v) {
    int against = v->rating->against;
    return against == AGAINST_GROUP_MEAN ? "mean"
           : against == AGAINST_SCALE    ? "scale"
                                         : v->input->names[against];
}

// Every game is in the counts of two players.
static double games_total(const RatingView *v) {
    double games = 0.0;
    for (int i = 0; i < v->rating->players; i++)
        games += v->rating->player[i].games / 2.0;
    return games;
}

// --- tables
// ---------------------------------------------------------------------------------------------------------

static void set_value(Table *table, int column, StatValue value) {
    if (stat_exists(value))
        table_set_real(table, column, value.value);
}

static void player_row(const RatingView *v, Table *table, int rank, int player,
                       bool is_for_people) {
    const RatedPlayer *r = &v->rating->player[player];
    table_row(table);
    table_set_int(table, RANK, rank);
    table_set_text(table, PLAYER, v->input->names[player]);
    table_set_text(table, BOUND,
                   // A blank cell for people, an empty one for programs.
                   r->bound == BOUND_NONE ? is_for_people ? " " : NULL : bound_sign(r->bound));
    set_value(table, ELO, r->elo);
    set_value(table, SE, r->se);
    set_value(table, LO, r->lo);
    set_value(table, HI, r->hi);
    table_set_int(table, GAMES, (int64_t)r->games);
    set_value(table, SCORE, r->score);
    table_set_int(table, GROUP, r->group);
    // People see a table of the rating under its own heading.
    if (!is_for_people)
        table_set_int(table, TABLE, r->table);
}

// The players of one table of the rating, or of all (0).
// People get a table of the rating at a time; programs get all in one, with its number.
static Status players_write(const RatingView *v, int only, TableFormat format, Text *out,
                            ErrorText *err) {
    bool is_for_people = format == TABLE_TEXT || format == TABLE_MD;
    Table *table = table_new(COLUMNS, is_for_people ? TABLE : COLUMN_NB);
    if (!table)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    int rank = 0, last = 0;
    for (int i = 0; i < v->rating->players; i++) {
        int player = v->rating->order[i], number = v->rating->player[player].table;
        // Ranks begin anew with every table: there is no order between them.
        rank = number == last ? rank + 1 : 1;
        last = number;
        if (only == 0 || number == only)
            player_row(v, table, rank, player, is_for_people);
    }
    Status status = table_write(table, format, out, err);
    table_free(table);
    if (!status && (out->length == 0 || text_cstr(out)[out->length - 1] != '\n'))
        text_append(out, "\n");
    return status;
}

// --- text
// -----------------------------------------------------------------------------------------------------------

static void sentence(const RatingView *v, const char *key, Text *out) {
    if (v->is_explained)
        text_printf(out, "    %s\n", explain_key(key));
}

static void value_with_error(Text *out, StatValue value, StatValue se, RatingBound bound) {
    // A number that does not exist says why, here and everywhere.
    if (!stat_exists(value)) {
        text_printf(out, "n/a (%s)", value.reason);
        return;
    }
    const char *sign = bound_sign(bound);
    text_printf(out, "%s%s%s", sign ? sign : "", sign ? " " : "",
                number_fixed(value.value, 1, true).text);
    if (stat_exists(se))
        text_printf(out, ", standard error %.1f", se.value);
}

// The model, the advantage and what errors are measured against come before the list: without them
// its numbers mean nothing.
static void heading_write(const RatingView *v, Text *out) {
    static const char *const ERRORS[] = {
        [ERRORS_SANDWICH] = "clustered by pair of games (sandwich)",
        [ERRORS_HESSIAN] =
            "from the curvature of the likelihood (Hessian), games taken as independent",
        [ERRORS_BOOTSTRAP] = "by resampling whole pairs (bootstrap)",
    };
    const Rating *r = v->rating;
    // Each group has an advantage of its own; the heading tells that of the largest.
    int main_group = rating_main_group(r);
    text_printf(out, "%d players, %.0f game%s; Bradley-Terry, %s\n", r->players, games_total(v),
                games_total(v) == 1.0 ? "" : "s",
                v->is_opening_free ? "pairs won twice by one side only (opening-free)"
                : v->options->model == RATING_RAO_KUPPER ? "draws after Rao and Kupper"
                                                         : "draws as half wins");
    if (!v->is_opening_free && main_group >= 0) {
        text_append(out, "first-move advantage ");
        value_with_error(out, r->group[main_group].advantage, r->group[main_group].advantage_se,
                         r->group[main_group].advantage_bound);
        text_append(out, "\n");
        sentence(v, "first_move_advantage", out);
        if (stat_exists(r->group[main_group].draw_elo)) {
            text_printf(out, "draw width %.2f", r->group[main_group].draw_elo.value);
            if (stat_exists(r->group[main_group].draw_elo_se))
                text_printf(out, ", standard error %.2f", r->group[main_group].draw_elo_se.value);
            text_append(out, "\n");
        }
    }
    text_printf(out, "errors: %s; against %s%s\n", ERRORS[r->errors],
                r->against == AGAINST_GROUP_MEAN ? "the mean of the player's group"
                : r->against == AGAINST_SCALE    ? "the scale that the anchors fix"
                                                 : "player ",
                r->against >= 0 ? v->input->names[r->against] : "");
    sentence(v, "rating_se", out);
    if (r->group_nb > 1) {
        sentence(v, "bound", out);
        sentence(v, "group", out);
    }
}

// A probability that no count of games makes certain: never 0 or 1 for people.
static void set_share(Table *table, int column, StatValue share, bool is_for_people) {
    if (!is_for_people) {
        set_value(table, column, share);
    } else if (stat_exists(share)) {
        NumberText text = number_share(share.value);
        table_set_text(table, column, text.text);
    }
}

// As wide as there are players; columns are made here, since no other table has names for columns.
static Status matrix_write(const RatingView *v, TableFormat format, Text *out, ErrorText *err) {
    int n = v->rating->players;
    bool is_for_people = format == TABLE_TEXT || format == TABLE_MD;
    TableColumn *columns = calloc((size_t)n + 1, sizeof *columns);
    if (!columns)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    columns[0] = (TableColumn){"superiority", COLUMN_TEXT, 0, NULL};
    for (int j = 0; j < n; j++)
        columns[j + 1] = (TableColumn){v->input->names[v->rating->order[j]],
                                       is_for_people ? COLUMN_RIGHT : COLUMN_REAL, 4, NULL};
    Table *table = table_new(columns, n + 1);
    Status status = table ? STATUS_OK : error_set(err, STATUS_NO_MEMORY, "out of memory");
    for (int i = 0; i < n && !status; i++) {
        table_row(table);
        table_set_text(table, 0, v->input->names[v->rating->order[i]]);
        for (int j = 0; j < n; j++)
            // Nobody is stronger than himself: the diagonal is missing.
            if (i != j)
                set_share(
                    table, j + 1,
                    rating_difference(v->rating, v->rating->order[i], v->rating->order[j]).los,
                    is_for_people);
    }
    text_append(out, "\n");
    if (!status)
        status = table_write(table, format, out, err);
    if (!status && text_cstr(out)[out->length - 1] != '\n')
        text_append(out, "\n");
    table_free(table);
    free(columns);
    return status;
}

// --- JSON
// -----------------------------------------------------------------------------------------------------------

// null, with the reasons among the warnings: JSON has no NaN.
static void json_value(Text *out, const char *before, StatValue value) {
    text_append(out, before);
    if (stat_exists(value))
        text_append_double(out, value.value);
    else
        text_append(out, "null");
}

// Beside the number, since a bound is no rating and must not be averaged as one.
static void json_bound(Text *out, RatingBound bound) {
    const char *sign = bound_sign(bound);
    text_append(out, ", \"bound\": ");
    if (sign)
        text_append_json(out, sign);
    else
        text_append(out, "null");
}

// Openings and colours have cancelled in the opening-free list.
static void json_advantage(const RatingView *v, const RatingGroup *group, Text *out) {
    StatValue none = stat_missing("");
    bool is_known = group && !v->is_opening_free;
    json_value(out, "{\"elo\": ", is_known ? group->advantage : none);
    json_value(out, ", \"se\": ", is_known ? group->advantage_se : none);
    json_bound(out, is_known ? group->advantage_bound : BOUND_NONE);
    text_append(out, "}");
}

static void json_player(const RatingView *v, int player, Text *out) {
    const RatedPlayer *r = &v->rating->player[player];
    text_append(out, "{\"player\": ");
    text_append_json(out, v->input->names[player]);
    json_value(out, ", \"elo\": ", r->elo);
    json_value(out, ", \"se\": ", r->se);
    json_value(out, ", \"lo\": ", r->lo);
    json_value(out, ", \"hi\": ", r->hi);
    text_printf(out, ", \"games\": %.0f", r->games);
    json_value(out, ", \"score\": ", r->score);
    text_printf(out, ", \"group\": %d, \"table\": %d", r->group, r->table);
    json_bound(out, r->bound);
    text_append(out, "}");
}

// With their players in the order of strength, like the list itself.
static void json_groups(const RatingView *v, Text *out) {
    text_append(out, "[");
    for (int g = 0; g < v->rating->group_nb; g++) {
        const RatingGroup *group = &v->rating->group[g];
        text_printf(out, "%s{\"group\": %d, \"table\": %d, \"players\": [", g ? ", " : "",
                    group->group, group->table);
        for (int i = 0, shown = 0; i < v->rating->players; i++)
            if (v->rating->player[v->rating->order[i]].group == group->group) {
                text_append(out, shown++ ? ", " : "");
                text_append_json(out, v->input->names[v->rating->order[i]]);
            }
        text_printf(out, "], \"games\": %.0f, \"first_move_advantage\": ", group->games);
        json_advantage(v, group, out);
        text_append(out, "}");
    }
    text_append(out, "]");
}

// In the order of `players`, which names its rows and columns.
static void json_matrix(const RatingView *v, Text *out) {
    text_append(out, ", \"los\": [");
    for (int i = 0; i < v->rating->players; i++) {
        text_append(out, i ? ", [" : "[");
        for (int j = 0; j < v->rating->players; j++) {
            StatValue los =
                i == j ? stat_missing("")
                       : rating_difference(v->rating, v->rating->order[i], v->rating->order[j]).los;
            json_value(out, j ? ", " : "", los);
        }
        text_append(out, "]");
    }
    text_append(out, "]");
}

// One string a line; they are the lines that people read.
static void json_warnings(const char *warnings, Text *out) {
    text_append(out, ", \"warnings\": [");
    for (const char *line = warnings; line && *line;) {
        size_t length = strcspn(line, "\n");
        Text one = {0};
        text_append_bytes(&one, line, length);
        text_append(out, line == warnings ? "" : ", ");
        text_append_json(out, text_cstr(&one));
        text_release(&one);
        line += length + (line[length] == '\n');
    }
    text_append(out, "]");
}

static void json_write(const RatingView *v, Text *out) {
    const Rating *r = v->rating;
    int main_group = rating_main_group(r);
    const RatingGroup *group = main_group >= 0 ? &r->group[main_group] : NULL;
    text_append(out, "{\"players\": [");
    for (int i = 0; i < r->players; i++) {
        text_append(out, i ? ",\n" : "\n");
        json_player(v, r->order[i], out);
    }
    text_append(out, "],\n\"first_move_advantage\": ");
    json_advantage(v, group, out);
    if (group && v->options->model == RATING_RAO_KUPPER && !v->is_opening_free) {
        json_value(out, ", \"draw_elo\": {\"elo\": ", group->draw_elo);
        json_value(out, ", \"se\": ", group->draw_elo_se);
        text_append(out, "}");
    }
    text_append(out, ",\n\"groups\": ");
    json_groups(v, out);
    text_printf(out, ",\n\"model\": \"%s\", \"errors\": \"%s\", \"against\": ", model_name(v),
                errors_name(r->errors));
    text_append_json(out, against_name(v));
    text_printf(out, ", \"games\": %.0f", games_total(v));
    json_value(out, ", \"log_likelihood\": ", stat_finite(r->log_likelihood, ""));
    if (v->has_superiority)
        json_matrix(v, out);
    json_warnings(v->warnings, out);
    text_append(out, "}\n");
}

Status rating_view_write(const RatingView *v, TableFormat format, Text *out, ErrorText *err) {
    Status status = STATUS_OK;
    if (format == TABLE_JSON) {
        json_write(v, out);
    } else if (format == TABLE_CSV || format == TABLE_TSV) {
        status = players_write(v, 0, format, out, err);
    } else {
        heading_write(v, out);
        // Tables of the rating count from 1; between them nothing can be compared.
        for (int t = 1; t <= v->rating->table_nb && !status; t++) {
            text_append(out, "\n");
            if (v->rating->table_nb > 1)
                text_printf(out, "table %d of %d\n%s", t, v->rating->table_nb,
                            format == TABLE_MD ? "\n" : "");
            status = players_write(v, t, format, out, err);
        }
    }
    if (!status && v->has_superiority && format != TABLE_JSON)
        status = matrix_write(v, format, out, err);
    if (!status && out->failed)
        status = error_set(err, STATUS_NO_MEMORY, "out of memory");
    return status;
}
