// SPDX-License-Identifier: GPL-3.0-or-later
// The axis of a sweep and its curves, from the settings that a database keeps with each player.
#include "harness/report/sweep.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The players of the summary that may be points of a curve.
typedef struct Members {
    const ReportInput *input;
    json_t **root;  // owned; settings by player, NULL unknown or an external program
    bool *is_point; // owned
    int players;
    int head;
} Members;

// Is the name one that a sweep gives: "classic eval.defense=0.8"?
// The names that a sweep gives its players stand in every database, shards and merged ones too.
static bool name_is_swept(const char *name) {
    for (const char *equals = strchr(name, '='); equals; equals = strchr(equals + 1, '=')) {
        const char *start = equals;
        while (start > name && start[-1] != ' ')
            start--;
        for (int id = 0; id < KNOB_NB; id++) {
            const char *key = knob_info((KnobId)id)->key;
            if (strlen(key) == (size_t)(equals - start) &&
                strncmp(start, key, (size_t)(equals - start)) == 0)
                return true;
        }
    }
    return false;
}

bool sweep_is_asked(const ReportInput *input) {
    int swept = 0;
    for (int i = 0; i < input->summary.player_count; i++)
        swept += name_is_swept(input->summary.players[i].given_name);
    return swept >= 2;
}

static json_t *setting(const Members *members, int player, KnobId id) {
    json_t *knobs = json_object_get(members->root[player], "knobs");
    return json_object_get(knobs, knob_info(id)->key);
}

// Everybody met everybody in a round robin; in a gauntlet only the heads have met all.
static int opponents(const Members *members, int player) {
    int count = 0;
    for (int other = 0; other < members->players; other++) {
        if (other == player)
            continue;
        const PairingSummary *met = summary_pairing(&members->input->summary, player, other);
        WdlCounts games = wdl_counts_sum(met->as_black, met->as_white);
        count += wdl_counts_total(&games) > 0;
    }
    return count;
}

// Players with games and known settings; the heads of a gauntlet (who alone met everybody) are
// taken out.
static Status members_find(const ReportInput *input, Members *out, ErrorText *err) {
    int players = input->summary.player_count, most = 0, least = players, with_most = 0;
    *out = (Members){.input = input, .players = players, .head = -1};
    out->root = calloc((size_t)players + 1, sizeof(json_t *));
    out->is_point = calloc((size_t)players + 1, sizeof *out->is_point);
    int *met = calloc((size_t)players + 1, sizeof *met);
    if (!out->root || !out->is_point || !met) {
        free(met);
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    }
    for (int i = 0; i < players; i++) {
        const PlayerSummary *player = &input->summary.players[i];
        json_t *root = json_loads(player->config, 0, NULL);
        if (json_object_get(root, "engine")) {
            json_decref(root);
            root = NULL;
        }
        out->root[i] = root;
        met[i] = opponents(out, i);
        out->is_point[i] = root && met[i] > 0;
        most = met[i] > most ? met[i] : most;
        least = met[i] > 0 && met[i] < least ? met[i] : least;
    }
    for (int i = 0; i < players && least < most; i++)
        if (met[i] == most) {
            out->is_point[i] = false;
            out->head = with_most++ ? -1 : i;
        }
    free(met);
    return STATUS_OK;
}

static void members_release(Members *members) {
    for (int i = 0; members->root && i < members->players; i++)
        json_decref(members->root[i]);
    free(members->root);
    free(members->is_point);
}

static int number_compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// How many different values a knob has among the points; of a knob that is no number, 2 stands for
// several. `room` has place for all players.
// Compared as stored: a setting that was never said stands there with its default.
static int distinct_values(const Members *members, KnobId id, double *room) {
    json_t *first = NULL;
    bool varies = false;
    int count = 0;
    for (int i = 0; i < members->players; i++) {
        json_t *value = members->is_point[i] ? setting(members, i, id) : NULL;
        if (!value)
            continue;
        varies |= first && !json_equal(first, value);
        first = first ? first : value;
        if (json_is_number(value))
            room[count++] = json_number_value(value);
    }
    if (!varies)
        return 1;
    if (!json_is_number(first))
        return 2;
    qsort(room, (size_t)count, sizeof *room, number_compare);
    int distinct = 1;
    for (int i = 1; i < count; i++)
        distinct += room[i] != room[i - 1];
    return distinct;
}

static bool is_number(KnobId id) {
    KnobType type = knob_info(id)->type;
    return type == KNOB_TYPE_INT || type == KNOB_TYPE_REAL;
}

// Does 0 mean that there is no limit?
// Asked of the knob's own words, so that a new knob with such a 0 needs no row here.
static bool zero_is_endless(KnobId id) {
    static const char *const WORDS[] = {"0 = all", "0 = no limit", "0 = the whole",
                                        "0 = to the end"};
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++)
        if (strstr(knob_info(id)->meaning, WORDS[i]))
            return true;
    return false;
}

// --- curves
// --------------------------------------------------------------------------------------------------------

// "search.depth 4, eval.four 1000": the settings that vary, the axis left out.
static void label_write(const Members *members, int player, const bool *varies, KnobId axis,
                        Text *out) {
    for (int id = 0; id < KNOB_NB; id++) {
        json_t *value = setting(members, player, (KnobId)id);
        if (!varies[id] || id == (int)axis || !value)
            continue;
        text_printf(out, "%s%s ", out->length ? ", " : "", knob_info((KnobId)id)->key);
        if (json_is_number(value)) {
            text_append_double(out, json_number_value(value));
        } else {
            char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
            text_append(out, json_is_string(value) ? json_string_value(value) : text ? text : "?");
            free(text);
        }
    }
}

// Players that agree in all but the axis are one curve.
static int series_of(SweepView *view, const Text *label) {
    for (int i = 0; i < view->series_count; i++)
        if (strcmp(text_cstr(&view->labels[i]), text_cstr(label)) == 0)
            return i;
    Text *copy = &view->labels[view->series_count];
    text_append(copy, text_cstr(label));
    return view->series_count++;
}

// Against everybody it met, in pairs where there are pairs: as in the standings.
static void point_measure(const Members *members, int player, SweepPoint *out) {
    const PlayerSummary *summary = &members->input->summary.players[player];
    MatchStats match = standing_match(&summary->pairs, &summary->single);
    out->score = match.score.value;
    // An end off the scale of Elo is an end of the scale of scores.
    out->lo = stat_exists(match.interval.lo) ? score_from_elo(match.interval.lo.value) : 0.0;
    out->hi = stat_exists(match.interval.hi) ? score_from_elo(match.interval.hi.value) : 1.0;
    out->nodes = summary->cost.node_spread.count ? (double)summary->cost.node_spread.median : NAN;
}

static int point_compare(const void *a, const void *b) {
    const SweepPoint *x = a, *y = b;
    if (x->series != y->series)
        return x->series - y->series;
    if (x->x != y->x)
        return x->x < y->x ? -1 : 1;
    return x->player - y->player;
}

// More than a decade between values above 0: a logarithmic axis. A 0 without end goes to the right
// of the largest.
static void axis_scale(SweepView *view) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < view->count; i++)
        if (!view->points[i].is_endless) {
            low = fmin(low, view->points[i].x);
            high = fmax(high, view->points[i].x);
        }
    // Twelve and not ten, so that 1..10 stays linear.
    view->is_log = low > 0 && high / low > 12;
    for (int i = 0; i < view->count; i++)
        if (view->points[i].is_endless)
            view->points[i].x =
                view->is_log ? high * pow(high / low, 0.2) : high + 0.2 * (high - low);
}

static Status points_collect(const Members *members, const bool *varies, SweepView *view,
                             ErrorText *err) {
    bool failed = false;
    for (int i = 0; i < members->players; i++) {
        json_t *value = members->is_point[i] ? setting(members, i, view->axis) : NULL;
        if (!value)
            continue;
        Text label = {0};
        label_write(members, i, varies, view->axis, &label);
        SweepPoint *point = &view->points[view->count++];
        *point = (SweepPoint){
            .player = i, .series = series_of(view, &label), .x = json_number_value(value)};
        point->is_endless = point->x == 0 && zero_is_endless(view->axis);
        point_measure(members, i, point);
        failed |= label.failed || view->labels[point->series].failed;
        text_release(&label);
    }
    axis_scale(view);
    qsort(view->points, (size_t)view->count, sizeof *view->points, point_compare);
    return failed ? error_set(err, STATUS_NO_MEMORY, "out of memory") : STATUS_OK;
}

// The head's value, when all its other settings are those of a curve.
// On a curve only if nothing but the axis tells it from one: else its mark would stand among points
// it cannot be compared with.
static double head_value(const Members *members, const bool *varies, const SweepView *view) {
    json_t *value = view->head >= 0 ? setting(members, view->head, view->axis) : NULL;
    if (!json_is_number(value) || view->count == 0)
        return NAN;
    for (int id = 0; id < KNOB_NB; id++)
        if (!varies[id] && !json_equal(setting(members, view->head, (KnobId)id),
                                       setting(members, view->points[0].player, (KnobId)id)))
            return NAN;
    return json_number_value(value);
}

Status sweep_find(const ReportInput *input, SweepView *out, bool *found, ErrorText *err) {
    Members members;
    bool varies[KNOB_NB] = {false};
    int most = 1;
    SweepView view = {.axis = KNOB_NB};
    Status status = members_find(input, &members, err);
    size_t room = (size_t)input->summary.player_count + 1;
    double *numbers = calloc(room, sizeof *numbers);
    view.points = calloc(room, sizeof *view.points);
    view.labels = calloc(room, sizeof *view.labels);
    if (!status && (!numbers || !view.points || !view.labels))
        status = error_set(err, STATUS_NO_MEMORY, "out of memory");
    for (int id = 0; id < KNOB_NB && !status; id++) {
        int distinct = distinct_values(&members, (KnobId)id, numbers);
        varies[id] = distinct > 1;
        // The knob with the most values is the axis, the others tell curves apart.
        if (is_number((KnobId)id) && distinct > most) {
            most = distinct;
            view.axis = (KnobId)id;
        }
    }
    *found = !status && view.axis != KNOB_NB;
    if (*found) {
        view.head = members.head;
        status = points_collect(&members, varies, &view, err);
        view.head_x = head_value(&members, varies, &view);
    }
    members_release(&members);
    free(numbers);
    if (status || !*found) {
        sweep_release(&view);
        *found = false;
        return status;
    }
    *out = view;
    return STATUS_OK;
}

void sweep_release(SweepView *view) {
    for (int i = 0; i < view->series_count; i++)
        text_release(&view->labels[i]);
    free(view->labels);
    free(view->points);
    *view = (SweepView){0};
}
