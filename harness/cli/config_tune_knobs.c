// SPDX-License-Identifier: GPL-3.0-or-later
// The knobs of a tune and what must stay in order.
#include "engine/base/nearest.h"
#include "harness/cli/config_tune.h"
#include "harness/tune/params.h"

#include <math.h>
#include <string.h>

// A setting made for a message: its place is the node, its key is borrowed.
static Setting at_node(const Setting *list, const YamlNode *node, const char *key) {
    return (Setting){(char *)key, node, node, list->file};
}

static const char *scalar_of(const YamlNode *node) {
    return node && node->kind == YAML_SCALAR ? node->text : NULL;
}

// --- one knob ----------------------------------------------------------------------------

static const char *const KNOB_KEYS[] = {"key", "low", "high", "start", "scale", "step", "integer"};
enum { KNOB_KEY_NB = sizeof KNOB_KEYS / sizeof *KNOB_KEYS };

// Not by a table of keys: the defaults of a knob here are those of the knob that it names.
static Status check_keys(const Setting *at, ErrorText *err) {
    for (int i = 0; i < at->value->count; i++) {
        const YamlNode *key = at->value->pairs[i].key;
        bool known = false;
        for (int k = 0; k < KNOB_KEY_NB; k++)
            known |= strcmp(key->text, KNOB_KEYS[k]) == 0;
        if (known)
            continue;
        Setting setting = at_node(at, key, key->text);
        return setting_error(&setting, err, STATUS_INVALID,
                             "knobs: unknown key '%.40s'%s, expected key, low, high, start, "
                             "scale, step or integer",
                             key->text, nearest_hint(key->text, KNOB_KEYS, KNOB_KEY_NB, "").text);
    }
    return STATUS_OK;
}

static Status read_number(const Setting *at, const char *key, double *out, ErrorText *err) {
    const YamlNode *node = yaml_get(at->value, key);
    char buffer[80];
    // *out keeps the default that the caller has put there.
    if (!node)
        return STATUS_OK;
    const char *text = scalar_of(node);
    if (text && text_parse_double(text, -1e15, 1e15, out))
        return STATUS_OK;
    Setting setting = at_node(at, node, key);
    return setting_error(&setting, err, STATUS_INVALID, "knobs: %s: %s, expected a number", key,
                         yaml_describe(node, buffer, sizeof buffer));
}

static Status read_id(const TuneDraft *draft, const Setting *at, KnobId *out, ErrorText *err) {
    const YamlNode *node = yaml_get(at->value, "key");
    const char *key = scalar_of(node);
    if (!key)
        return setting_error(at, err, STATUS_INVALID, "knobs: a knob without 'key'");
    Setting setting = at_node(at, node, key);
    KnobId id = knob_find(key);
    if (id == KNOB_NB)
        return setting_error(&setting, err, STATUS_INVALID, "knobs: unknown knob '%.60s'%s", key,
                             knob_nearest_hint(key, "").text);
    // An optimiser needs to know which of two values lies between others; words have no such order.
    KnobType type = knob_info(id)->type;
    if (type != KNOB_TYPE_INT && type != KNOB_TYPE_REAL)
        return setting_error(&setting, err, STATUS_INVALID,
                             "knobs: %s is not numeric, it cannot be tuned", key);
    for (int i = 0; i < draft->spec.knob_count; i++)
        if (draft->spec.knobs[i].id == id)
            return setting_error(&setting, err, STATUS_INVALID, "knobs: %s stands there twice",
                                 key);
    *out = id;
    return STATUS_OK;
}

static Status read_words(const Setting *at, TuneKnob *knob, ErrorText *err) {
    const YamlNode *scale = yaml_get(at->value, "scale");
    const YamlNode *whole = yaml_get(at->value, "integer");
    const char *text = scalar_of(scale);
    char buffer[80];
    int choice = text ? text_choice_find("linear|log", text) : 0;
    if (scale && (!text || choice < 0)) {
        Setting setting = at_node(at, scale, "scale");
        return setting_error(&setting, err, STATUS_INVALID,
                             "knobs: scale: %s, expected linear or log",
                             yaml_describe(scale, buffer, sizeof buffer));
    }
    knob->is_log = choice == 1;
    text = scalar_of(whole);
    Setting setting = at_node(at, whole, "integer");
    if (whole && (!text || !text_parse_bool(text, &knob->is_whole)))
        return setting_error(&setting, err, STATUS_INVALID,
                             "knobs: integer: %s, expected yes or no",
                             yaml_describe(whole, buffer, sizeof buffer));
    // `integer: yes` on a real knob is fine: it makes the tuner stay on whole values.
    if (!knob->is_whole && knob_info(knob->id)->type == KNOB_TYPE_INT)
        return setting_error(&setting, err, STATUS_INVALID,
                             "knobs: %s takes whole numbers only, integer: no makes no sense",
                             knob_info(knob->id)->key);
    return STATUS_OK;
}

// Asked after all values are known, in an order in which each question makes sense only when those
// before it were answered well.
static Status check_range(const Setting *at, const TuneKnob *knob, ErrorText *err) {
    const KnobInfo *info = knob_info(knob->id);
    if (knob->low >= knob->high)
        return setting_error(at, err, STATUS_INVALID, "knobs: %s: the range %g..%g is empty",
                             info->key, knob->low, knob->high);
    if (knob->low < info->low || knob->high > info->high)
        return setting_error(at, err, STATUS_INVALID,
                             "knobs: %s: the range %g..%g leaves that of the knob, %g..%g",
                             info->key, knob->low, knob->high, info->low, info->high);
    if (knob->is_log && knob->low <= 0)
        return setting_error(at, err, STATUS_INVALID,
                             "knobs: %s: scale: log with a low end of %g, expected one above 0",
                             info->key, knob->low);
    if (knob->start < knob->low || knob->start > knob->high)
        return setting_error(at, err, STATUS_INVALID,
                             "knobs: %s: the start %g is outside the range %g..%g", info->key,
                             knob->start, knob->low, knob->high);
    bool fractions =
        knob->is_whole && (floor(knob->low) != knob->low || floor(knob->high) != knob->high ||
                           floor(knob->start) != knob->start);
    if (fractions)
        return setting_error(at, err, STATUS_INVALID,
                             "knobs: %s: low, high and start must be whole numbers", info->key);
    return STATUS_OK;
}

// A step is a difference of values on a linear scale, a factor on a logarithmic one.
static Status set_step(const Setting *at, double step, TuneKnob *knob, ErrorText *err) {
    const char *key = knob_info(knob->id)->key;
    if (!yaml_get(at->value, "step"))
        return STATUS_OK;
    if (knob->is_log && step <= 1)
        return setting_error(at, err, STATUS_INVALID,
                             "knobs: %s: step: %g, expected a factor above 1 on a log scale", key,
                             step);
    if (step <= 0)
        return setting_error(at, err, STATUS_INVALID, "knobs: %s: step: %g, expected more than 0",
                             key, step);
    knob->step =
        // In coordinates 0..1 of the range, as the tuner works.
        knob->is_log ? log(step) / log(knob->high / knob->low) : step / (knob->high - knob->low);
    // The scan measures at start - h and start + h.
    if (knob->step > 0.5)
        return setting_error(at, err, STATUS_INVALID,
                             "knobs: %s: step: %g, two of them do not fit into the range", key,
                             step);
    return STATUS_OK;
}

static Status add_knob(TuneDraft *draft, const Setting *at, ErrorText *err) {
    char buffer[80];
    TuneKnob knob = {0};
    double step = 0;
    if (at->value->kind != YAML_MAP)
        return setting_error(at, err, STATUS_INVALID,
                             "knobs: %s, expected a map such as {key: eval.defense, low: 0.5, "
                             "high: 2}",
                             yaml_describe(at->value, buffer, sizeof buffer));
    if (draft->spec.knob_count == TUNE_MAX_KNOBS)
        return setting_error(at, err, STATUS_INVALID, "knobs: more than %d", TUNE_MAX_KNOBS);
    Status status = check_keys(at, err);
    if (!status)
        status = read_id(draft, at, &knob.id, err);
    if (status)
        return status;
    // What is not said comes from the table of knobs and from the base player, so that a bare key
    // is enough.
    const KnobInfo *info = knob_info(knob.id);
    knob.low = info->low;
    knob.high = info->high;
    knob.start = draft->spec.base.knobs.number[knob.id];
    knob.is_whole = info->type == KNOB_TYPE_INT;
    status = read_number(at, "low", &knob.low, err);
    if (!status)
        status = read_number(at, "high", &knob.high, err);
    if (!status)
        status = read_number(at, "start", &knob.start, err);
    if (!status)
        status = read_number(at, "step", &step, err);
    if (!status)
        status = read_words(at, &knob, err);
    if (!status)
        status = check_range(at, &knob, err);
    if (!status)
        status = set_step(at, step, &knob, err);
    if (status)
        return status;
    // The base plays with the starts from here on, also where `start:` overrides its file.
    draft->spec.base.knobs.number[knob.id] = knob.start;
    draft->knob_at[draft->spec.knob_count] = *at;
    draft->spec.knobs[draft->spec.knob_count++] = knob;
    return STATUS_OK;
}

Status tune_draft_knobs(TuneDraft *draft, const Setting *setting, ErrorText *err) {
    Status status = STATUS_OK;
    char buffer[80];
    // A list, never a map by key: the order of the file is the numbering of the knobs in the
    // database.
    if (!setting || setting->value->kind != YAML_LIST || setting->value->count == 0)
        return setting_error(setting ? setting : &draft->root, err, STATUS_INVALID,
                             "knobs: %s, expected a list of knobs to tune",
                             setting ? yaml_describe(setting->value, buffer, sizeof buffer)
                                     : "none");
    for (int i = 0; i < setting->value->count && !status; i++) {
        Setting at = at_node(setting, setting->value->items[i], "knobs");
        status = add_knob(draft, &at, err);
    }
    return status;
}

// --- constraints -------------------------------------------------------------------------

// A knob of the tune by its key or by what stands after the last dot.
static int find_knob(const TuneSpec *spec, const char *name) {
    for (int i = 0; i < spec->knob_count; i++) {
        const char *key = knob_info(spec->knobs[i].id)->key;
        const char *dot = strrchr(key, '.');
        if (strcmp(key, name) == 0 || (dot && strcmp(dot + 1, name) == 0))
            return i;
    }
    return -1;
}

// The next word of a chain; false at its end.
static bool next_word(const char **text, char *word, size_t size) {
    size_t blank = strspn(*text, " \t");
    size_t length = strcspn(*text + blank, " \t>");
    if (length == 0 || length >= size)
        return false;
    memcpy(word, *text + blank, length);
    word[length] = '\0';
    *text += blank + length;
    *text += strspn(*text, " \t");
    return true;
}

// `a > b > c` is two constraints between neighbours; the third follows from them.
static Status add_chain(TuneDraft *draft, const Setting *at, ErrorText *err) {
    TuneSpec *spec = &draft->spec;
    const char *text = scalar_of(at->value);
    char word[64], buffer[80];
    int above = -1, words = 0;
    while (text && next_word(&text, word, sizeof word)) {
        int knob = find_knob(spec, word);
        if (knob < 0)
            return setting_error(at, err, STATUS_INVALID,
                                 "constraints: '%s' is not among the knobs of this tune", word);
        if (above == knob)
            return setting_error(at, err, STATUS_INVALID, "constraints: %s > %s cannot be kept",
                                 word, word);
        if (above >= 0 && spec->order_count == TUNE_MAX_ORDERS)
            return setting_error(at, err, STATUS_INVALID, "constraints: more than %d",
                                 TUNE_MAX_ORDERS);
        if (above >= 0)
            spec->orders[spec->order_count++] = (TuneOrder){above, knob};
        above = knob;
        words++;
        if (*text == '\0')
            break;
        // Any other sign: NULL leads to the message below, which shows what a chain looks like.
        if (*text != '>') {
            text = NULL;
            break;
        }
        text++;
    }
    if (text && *text == '\0' && words >= 2)
        return STATUS_OK;
    return setting_error(at, err, STATUS_INVALID,
                         "constraints: %s, expected a chain such as 'five > open_four > four'",
                         yaml_describe(at->value, buffer, sizeof buffer));
}

Status tune_draft_constraints(TuneDraft *draft, const Setting *setting, ErrorText *err) {
    ErrorText why = {""};
    char buffer[80];
    if (!setting || yaml_is_null(setting->value))
        return STATUS_OK;
    if (setting->value->kind != YAML_LIST)
        return setting_error(setting, err, STATUS_INVALID,
                             "constraints: %s, expected a list of chains such as 'five > "
                             "open_four > four'",
                             yaml_describe(setting->value, buffer, sizeof buffer));
    for (int i = 0; i < setting->value->count; i++) {
        Setting at = at_node(setting, setting->value->items[i], "constraints");
        // Checked chain by chain, so that the message names the one that contradicts those before
        // it.
        Status status = add_chain(draft, &at, err);
        if (!status && params_check(&draft->spec, &why))
            status = setting_error(&at, err, STATUS_INVALID, "constraints: %s", why.text);
        if (status)
            return status;
    }
    return STATUS_OK;
}
