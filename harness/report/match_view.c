// SPDX-License-Identifier: GPL-3.0-or-later
// Printing the statistics of a match.
#include "harness/report/match_view.h"

#include "engine/base/check.h"
#include "harness/report/explain.h"
#include "harness/report/number_text.h"

#include <math.h>

// A named number of the view, with the interval that goes with it where one does.
typedef struct ViewItem {
    const char *key, *title, *explain; // explain: key of the sentence; NULL = none
    StatValue value, lo, hi; // lo and hi: both missing without reason = no interval belongs here
    int decimals;
    bool is_signed;
    bool is_share; // 0..1, and neither end is certain
    char note[160];
} ViewItem;

enum { ITEM_MAX = 24 };

typedef struct ItemList {
    ViewItem items[ITEM_MAX];
    int count;
} ItemList;

// An empty reason, where a missing end has a real one: the two are told apart by it.
static const StatValue NO_END = {0.0, ""}; // no interval belongs to this number

static ViewItem *item_add(ItemList *list, const char *key, const char *title, StatValue value,
                          int decimals) {
    CHECK(list->count < ITEM_MAX);
    ViewItem *item = &list->items[list->count++];
    *item = (ViewItem){.key = key,
                       .title = title,
                       .explain = key,
                       .value = value,
                       .lo = NO_END,
                       .hi = NO_END,
                       .decimals = decimals};
    return item;
}

static bool item_has_interval(const ViewItem *item) {
    return !(item->lo.reason && !item->lo.reason[0] && item->hi.reason && !item->hi.reason[0]);
}

static const char *by_name(StatBy by) { return by == BY_PAIRS ? "pairs" : "games"; }

static StatValue count_value(int64_t count) { return stat_value((double)count); }

// One list for text and tables, so that the two never differ in what they say.
static void items_of_match(const MatchStats *s, ItemList *list) {
    ViewItem *item = item_add(list, "games", "games", count_value(s->games), 0);
    snprintf(item->note, sizeof item->note, "%lld won, %lld drawn, %lld lost",
             (long long)s->wdl.wins, (long long)s->wdl.draws, (long long)s->wdl.losses);
    if (s->pairs > 0) {
        item = item_add(list, "pairs", "pairs", count_value(s->pairs), 0);
        item->explain = "classes";
        int used = 0;
        for (int i = 0; i < PAIR_CLASS_NB; i++)
            used +=
                snprintf(item->note + used, sizeof item->note - (size_t)used, "%s%s %lld",
                         i ? ", " : "", pair_class_name((PairClass)i), (long long)s->classes.n[i]);
    }
    item_add(list, "score", "score", s->score, 4);
    item = item_add(list, "elo", "Elo", s->elo, 1);
    item->is_signed = true;
    item->lo = s->interval.lo;
    item->hi = s->interval.hi;
    if (s->method != INTERVAL_NONE)
        snprintf(item->note, sizeof item->note, "95 %%, from %s, %s interval", by_name(s->by),
                 interval_method_name(s->method));
    item = item_add(list, "nelo", "normalized Elo", s->nelo, 1);
    item->is_signed = true;
    if (stat_exists(s->nelo) && stat_exists(s->nelo_err)) {
        item->lo = stat_value(s->nelo.value - s->nelo_err.value);
        item->hi = stat_value(s->nelo.value + s->nelo_err.value);
    }
    item_add(list, "los", "superiority", s->los, 4)->is_share = true;
    if (s->pairs <= 0)
        return;
    item = item_add(list, "error_ratio", "error ratio", s->error_ratio, 3);
    snprintf(item->note, sizeof item->note, "error from single games over error from pairs");
    item = item_add(list, "opening_free_elo", "opening-free Elo", s->opening_free_elo, 1);
    item->is_signed = true;
    if (stat_exists(s->opening_free_elo)) {
        item->lo = s->opening_free.lo;
        item->hi = s->opening_free.hi;
        snprintf(item->note, sizeof item->note, "standard error %.1f%s", s->opening_free_se.value,
                 s->opening_free_corrected ? ", half a pair added to WW and LL" : "");
    }
    item = item_add(list, "bias_elo", "bias of openings", s->bias_elo, 1);
    snprintf(item->note, sizeof item->note, "Elo, root mean square");
}

// A ratio in progress has no estimate of strength: it would invite stopping by it.
static void items_of_test(const MatchView *v, ItemList *list) {
    ViewItem *item = item_add(list, "llr", "LLR", v->result.llr, 3);
    snprintf(item->note, sizeof item->note,
             "[%.3f, %.3f] for elo0 %g, elo1 %g, %s model, by %s, alpha %g, beta %g",
             v->result.lower, v->result.upper, v->params.elo0, v->params.elo1,
             sprt_model_name(v->params.model), by_name(v->stats.by), v->params.alpha,
             v->params.beta);
    if (v->result.state != SPRT_H0 && v->result.state != SPRT_H1)
        return;
    item = item_add(list, "sprt_elo", "Elo after stopping", v->estimate.elo, 1);
    item->is_signed = true;
    item->lo = v->estimate.lo;
    item->hi = v->estimate.hi;
    snprintf(item->note, sizeof item->note,
             "95 %%, median-unbiased; the Elo above is as for a fixed length");
}

// Two numbers of pairs: for a difference in strength, and for the smaller one that biased openings
// make of it.
static void items_of_plan(const MatchView *v, ItemList *list) {
    ViewItem *item = item_add(list, "plan_pairs", "pairs needed", v->plan.pairs, 0);
    snprintf(item->note, sizeof item->note,
             "to show %g Elo of strength with chance %g at %g confidence", v->plan_input.elo,
             v->plan_input.power, v->plan_input.confidence);
    item = item_add(list, "plan_pairs_measured", "pairs needed", v->plan.pairs_measured, 0);
    snprintf(item->note, sizeof item->note,
             "to show %g Elo as this match measures them (slope %.3f)", v->plan_input.elo,
             v->plan.slope.value);
}

// --- text
// -----------------------------------------------------------------------------------------------------------

// A share that rounds to 0 or 1 would claim a certainty that no match gives.
static void number_append(Text *out, const ViewItem *item, StatValue value) {
    if (!stat_exists(value))
        text_append(out, "n/a");
    else if (item->is_share)
        text_append(out, number_share(value.value).text);
    else
        text_append(out, number_fixed(value.value, item->decimals, item->is_signed).text);
}

static void item_write(const ViewItem *item, bool is_explained, Text *out) {
    text_printf(out, "%-20s", item->title);
    number_append(out, item, item->value);
    if (item_has_interval(item)) {
        bool has_lo = stat_exists(item->lo), has_hi = stat_exists(item->hi);
        if (has_lo && has_hi) {
            text_append(out, "  [");
            number_append(out, item, item->lo);
            text_append(out, ", ");
            number_append(out, item, item->hi);
            text_append(out, "]");
        } else if (has_lo || has_hi) {
            text_append(out, has_lo ? "  > " : "  < ");
            number_append(out, item, has_lo ? item->lo : item->hi);
        }
    }
    text_printf(out, "%s%s", item->note[0] ? "  " : "", item->note);
    if (!stat_exists(item->value))
        text_printf(out, "  (%s)", item->value.reason);
    text_append(out, "\n");
    const char *sentence = is_explained && item->explain ? explain_key(item->explain) : NULL;
    if (sentence)
        text_printf(out, "    %s\n", sentence);
}

// Words for the verdict, also where it is none.
static void state_write(const MatchView *v, bool is_explained, Text *out) {
    static const char *const MEANINGS[] = {
        [SPRT_CONTINUE] = "undecided",
        [SPRT_H0] = "H0 accepted",
        [SPRT_H1] = "H1 accepted",
        [SPRT_UNDEFINED] = "undefined",
    };
    text_printf(out, "%-20s%s\n", "test", MEANINGS[v->result.state]);
    if (is_explained)
        text_printf(out, "    %s\n", explain_key("state"));
    if (v->later_pairs > 0)
        text_printf(out, "%-20s%lld pair%s came after the verdict and do%s not change it\n", "",
                    (long long)v->later_pairs, text_plural(v->later_pairs),
                    v->later_pairs == 1 ? "es" : "");
}

// --- tables
// ---------------------------------------------------------------------------------------------------------

enum { STATISTIC, VALUE, LO, HI, NOTE };
static const TableColumn COLUMNS[] = {
    {"statistic", COLUMN_TEXT, 0, NULL}, {"value", COLUMN_REAL, -1, NULL},
    {"lo", COLUMN_REAL, -1, NULL},       {"hi", COLUMN_REAL, -1, NULL},
    {"note", COLUMN_TEXT, 0, NULL},
};
// For people: each number with the decimals that are its own.
static const TableColumn COLUMNS_ROUNDED[] = {
    {"statistic", COLUMN_TEXT, 0, NULL}, {"value", COLUMN_RIGHT, 0, NULL},
    {"lo", COLUMN_RIGHT, 0, NULL},       {"hi", COLUMN_RIGHT, 0, NULL},
    {"note", COLUMN_TEXT, 0, NULL},
};

static void cell_set(Table *table, int column, const ViewItem *item, StatValue value,
                     bool is_rounded) {
    if (!stat_exists(value))
        return;
    if (!is_rounded) {
        table_set_real(table, column, value.value);
        return;
    }
    Text text = {0};
    number_append(&text, item, value);
    table_set_text(table, column, text_cstr(&text));
    text_release(&text);
}

static Status table_of_items(const MatchView *v, const ItemList *list, TableFormat format,
                             Text *out, ErrorText *err) {
    bool is_rounded = format == TABLE_MD || format == TABLE_TEXT;
    Table *table = table_new(is_rounded ? COLUMNS_ROUNDED : COLUMNS, ARRAY_LEN(COLUMNS));
    if (!table)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    for (int i = 0; i < list->count; i++) {
        const ViewItem *item = &list->items[i];
        table_row(table);
        table_set_text(table, STATISTIC, item->key);
        cell_set(table, VALUE, item, item->value, is_rounded);
        cell_set(table, LO, item, item->lo, is_rounded);
        cell_set(table, HI, item, item->hi, is_rounded);
        // Where a number is missing, the note is why.
        table_set_text(table, NOTE, stat_exists(item->value) ? item->note : item->value.reason);
    }
    // The verdict is a word: its row has no number.
    if (v->has_sprt) {
        table_row(table);
        table_set_text(table, STATISTIC, "state");
        table_set_text(table, NOTE, sprt_state_name(v->result.state));
    }
    Status status = table_write(table, format, out, err);
    table_free(table);
    const char *end = text_cstr(out) + out->length;
    if (!status && out->length && end[-1] != '\n')
        text_append(out, "\n");
    return status;
}

// --- JSON
// -----------------------------------------------------------------------------------------------------------

// An object being written: the comma that is due, and the reasons of its nulls.
// Nulls alone would leave programs guessing: each has its reason in `warnings`, by key.
// Written straight into the text, member by member, so that the order is that of the code.
typedef struct JsonObject {
    Text *out, reasons;
    bool has_reason, has_member;
} JsonObject;

static void json_key(JsonObject *json, const char *key) {
    text_append(json->out, json->has_member ? ", " : "{");
    json->has_member = true;
    text_append_json(json->out, key);
    text_append(json->out, ": ");
}

static void json_reason(JsonObject *json, const char *key, const char *reason) {
    Text line = {0};
    text_printf(&line, "%s%s%s", key, key[0] ? ": " : "", reason);
    text_append(&json->reasons, json->has_reason ? ", " : "");
    json->has_reason = true;
    text_append_json(&json->reasons, text_cstr(&line));
    text_release(&line);
}

static void json_value(JsonObject *json, const char *key, StatValue value) {
    json_key(json, key);
    if (stat_exists(value)) {
        text_append_double(json->out, value.value);
    } else {
        text_append(json->out, "null");
        json_reason(json, key, value.reason);
    }
}

static void json_number(JsonObject *json, const char *key, double value) {
    json_value(json, key, stat_value(value));
}

static void json_string(JsonObject *json, const char *key, const char *value) {
    json_key(json, key);
    text_append_json(json->out, value);
}

// More than the text has: all three intervals and both errors, for whoever wants to choose
// otherwise.
static void json_match(JsonObject *json, const MatchStats *s) {
    json_string(json, "by", by_name(s->by));
    json_number(json, "games", (double)s->games);
    json_number(json, "pairs", (double)s->pairs);
    json_number(json, "wins", (double)s->wdl.wins);
    json_number(json, "draws", (double)s->wdl.draws);
    json_number(json, "losses", (double)s->wdl.losses);
    json_key(json, "classes");
    for (int i = 0; i < PAIR_CLASS_NB; i++)
        text_printf(json->out, "%s\"%s\": %lld", i ? ", " : "{", pair_class_name((PairClass)i),
                    (long long)s->classes.n[i]);
    text_append(json->out, "}");
    json_value(json, "score", s->score);
    json_value(json, "elo", s->elo);
    json_value(json, "elo_lo", s->interval.lo);
    json_value(json, "elo_hi", s->interval.hi);
    json_string(json, "interval", interval_method_name(s->method));
    json_value(json, "elo_t_lo", s->student.lo);
    json_value(json, "elo_t_hi", s->student.hi);
    json_value(json, "elo_wilson_lo", s->wilson.lo);
    json_value(json, "elo_wilson_hi", s->wilson.hi);
    json_value(json, "nelo", s->nelo);
    json_value(json, "nelo_err", s->nelo_err);
    json_value(json, "los", s->los);
    json_value(json, "se", s->se);
    json_value(json, "se_pairs", s->se_pairs);
    json_value(json, "se_games", s->se_games);
    json_value(json, "error_ratio", s->error_ratio);
    json_value(json, "opening_free_elo", s->opening_free_elo);
    json_value(json, "opening_free_se", s->opening_free_se);
    json_value(json, "opening_free_lo", s->opening_free.lo);
    json_value(json, "opening_free_hi", s->opening_free.hi);
    if (s->opening_free_corrected)
        json_reason(json, "opening_free_elo",
                    "half a pair was added to WW and LL, since one of them is 0");
    json_value(json, "bias_elo", s->bias_elo);
    json_value(json, "bias_score", s->bias_score);
}

static void json_test(JsonObject *json, const MatchView *v) {
    json_string(json, "model", sprt_model_name(v->params.model));
    json_number(json, "elo0", v->params.elo0);
    json_number(json, "elo1", v->params.elo1);
    json_number(json, "alpha", v->params.alpha);
    json_number(json, "beta", v->params.beta);
    json_value(json, "llr", v->result.llr);
    json_number(json, "lower", v->result.lower);
    json_number(json, "upper", v->result.upper);
    json_string(json, "state", sprt_state_name(v->result.state));
    json_value(json, "sprt_elo", v->estimate.elo);
    json_value(json, "sprt_elo_lo", v->estimate.lo);
    json_value(json, "sprt_elo_hi", v->estimate.hi);
    if (v->later_pairs > 0)
        json_number(json, "later_pairs", (double)v->later_pairs);
}

// An object of its own: its Elo is what was asked for, not what was measured.
static void json_plan(JsonObject *json, const MatchView *v) {
    json_key(json, "plan");
    // Its reasons are collected apart and put behind those of the match.
    JsonObject plan = {.out = json->out};
    json_number(&plan, "elo", v->plan_input.elo);
    json_number(&plan, "power", v->plan_input.power);
    json_number(&plan, "confidence", v->plan_input.confidence);
    json_number(&plan, "pair_variance", v->plan_input.pair_variance);
    json_value(&plan, "bias_elo",
               stat_finite(elo_from_score(0.5 + v->plan_input.bias_score),
                           "the openings decide every game"));
    json_value(&plan, "slope", v->plan.slope);
    json_value(&plan, "measured_elo", v->plan.measured_elo);
    json_value(&plan, "pairs", v->plan.pairs);
    // Two a pair; a missing number stays missing, as only its value is doubled.
    StatValue games = v->plan.pairs;
    games.value *= 2.0;
    json_value(&plan, "games", games);
    json_value(&plan, "pairs_measured_elo", v->plan.pairs_measured);
    text_append(json->out, "}");
    if (plan.has_reason) {
        text_append(&json->reasons, json->has_reason ? ", " : "");
        text_append(&json->reasons, text_cstr(&plan.reasons));
        json->has_reason = true;
    }
    text_release(&plan.reasons);
}

static Status json_write(const MatchView *v, Text *out, ErrorText *err) {
    JsonObject json = {.out = out};
    if (v->has_counts)
        json_match(&json, &v->stats);
    if (v->has_sprt)
        json_test(&json, v);
    if (v->has_plan)
        json_plan(&json, v);
    // Last, when all reasons are known; an empty list when there are none.
    json_key(&json, "warnings");
    text_printf(out, "[%s]}", text_cstr(&json.reasons));
    bool is_lost = json.reasons.failed || out->failed;
    text_release(&json.reasons);
    return is_lost ? error_set(err, STATUS_NO_MEMORY, "out of memory") : STATUS_OK;
}

Status match_view_write(const MatchView *v, TableFormat format, bool is_explained, Text *out,
                        ErrorText *err) {
    if (format == TABLE_JSON)
        return json_write(v, out, err);
    ItemList list = {0};
    if (v->has_counts)
        items_of_match(&v->stats, &list);
    if (v->has_sprt)
        items_of_test(v, &list);
    if (v->has_plan)
        items_of_plan(v, &list);
    if (format != TABLE_TEXT)
        return table_of_items(v, &list, format, out, err);
    for (int i = 0; i < list.count; i++) {
        item_write(&list.items[i], is_explained, out);
    }
    if (v->has_sprt)
        state_write(v, is_explained, out);
    return out->failed ? error_set(err, STATUS_NO_MEMORY, "out of memory") : STATUS_OK;
}
