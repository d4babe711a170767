// SPDX-License-Identifier: GPL-3.0-or-later
// Named candidates, and those that follow from the table of knobs.
#include "harness/study/verify_candidates.h"

#include "engine/base/check.h"
#include "engine/base/nearest.h"
#include "engine/base/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Without incremental state every node looks at the whole board.
enum { SLOW_DEPTH = 2, WORD_MAX = 256, VALUES_MAX = 16, VALUE_CAP = 64 };

// One of each term and each colour of it, some that break ties, one sum: orders change what is cut,
// never what is found.
static const char *const ORDERINGS[] = {
    "[]",
    "[score]",
    "[score:own]",
    "[score:mover]",
    "[center]",
    "[distance]",
    "[score, distance]",
    "[history, score]",
    "[score, history, killer]",
    "[killer, score]",
    "[counter, score]",
    "[history+center]",
};

static const struct {
    const char *name, *settings; // "key=value;key=value"
} NAMED[] = {
    {"configured", ""},
    {"alphabeta", "search.algorithm=alphabeta;search.order=[];search.tt_mb=0;search.deepening=no"},
    {"pvs", "search.algorithm=pvs;search.order=[];search.tt_mb=0;search.deepening=no"},
    {"table", "search.tt_mb=1"},
    {"deepening", "search.deepening=yes"},
    {"killers", "search.order=[killer, score]"},
    {"history", "search.order=[history, score]"},
};

// Knobs that do nothing unless another one is set.
static const struct {
    const char *prefix, *settings;
} NEEDS[] = {
    {"history.", "search.order=[history, score]"},
    {"search.aspiration", "search.deepening=yes"},
    {"search.iid", "search.tt_mb=1"},
    {"search.center", "search.order=[center]"},
};

// The same name twice is the same candidate: words like `all` overlap with others.
Status verify_candidates_add_knobs(VerifyCandidates *list, const char *name, const KnobSet *knobs,
                                   ErrorText *err) {
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0)
            return STATUS_OK;
    if (list->count == list->cap) {
        int cap = list->cap ? 2 * list->cap : 16;
        VerifyCandidate *items = realloc(list->items, (size_t)cap * sizeof *items);
        if (!items)
            return error_set(err, STATUS_NO_MEMORY, "no memory for candidates");
        list->items = items;
        list->cap = cap;
    }
    VerifyCandidate *candidate = &list->items[list->count++];
    *candidate = (VerifyCandidate){.knobs = *knobs};
    snprintf(candidate->name, sizeof candidate->name, "%s", name);
    if (!knob_int(knobs, KNOB_SEARCH_INCREMENTAL))
        candidate->max_depth = SLOW_DEPTH;
    return STATUS_OK;
}

// Applies "key=value;key=value".
static Status apply(KnobSet *knobs, const char *settings, ErrorText *err) {
    char copy[WORD_MAX], *rest = copy, *word;
    if ((size_t)snprintf(copy, sizeof copy, "%s", settings) >= sizeof copy)
        return error_set(err, STATUS_INVALID, "'%.40s...' is too long", settings);
    while ((word = strtok_r(rest, ";", &rest))) {
        char *equals = strchr(word, '=');
        if (!equals)
            return error_set(err, STATUS_INVALID, "'%s': expected KEY=VALUE", word);
        *equals = '\0';
        Status status = knob_set_text(knobs, word, equals + 1, err);
        if (status)
            return status;
    }
    return STATUS_OK;
}

// The player to build on: alpha-beta at least, since a candidate that is the reference proves
// nothing.
static KnobSet pruning(const KnobSet *player) {
    KnobSet knobs = *player;
    if (knob_int(&knobs, KNOB_SEARCH_ALGORITHM) == ALGORITHM_MINIMAX)
        knobs.number[KNOB_SEARCH_ALGORITHM] = ALGORITHM_ALPHABETA;
    return knobs;
}

// What defines the search (moves, values, ties) stays the player's; what only makes it faster goes.
KnobSet verify_minimax_of(const KnobSet *player) {
    KnobSet knobs = *player;
    knobs.number[KNOB_SEARCH_ALGORITHM] = ALGORITHM_MINIMAX;
    for (int i = 0; i < KNOB_NB; i++) { // what minimax does not use, and limits, at the default
        const KnobInfo *info = knob_info((KnobId)i);
        bool is_search =
            strncmp(info->key, "search.", 7) == 0 || strncmp(info->key, "history.", 8) == 0;
        if (i == KNOB_SEARCH_ALGORITHM || i == KNOB_SEARCH_ORDER || info->exact == DEFINES ||
            !is_search)
            continue;
        ErrorText err;
        Status status = knob_set_text(&knobs, info->key, info->default_text, &err);
        CHECK(status == STATUS_OK);
    }
    return knobs;
}

static Status add_settings(VerifyCandidates *list, const char *name, const KnobSet *player,
                           const char *settings, ErrorText *err) {
    KnobSet knobs = pruning(player);
    Status status = apply(&knobs, settings, err);
    if (!status)
        status = knob_check(&knobs, err);
    // Its settings and those of the player do not go together: neither is wrong alone.
    if (status)
        return error_wrap(err, status, "candidate '%s'", name);
    return verify_candidates_add_knobs(list, name, &knobs, err);
}

static Status add_orderings(VerifyCandidates *list, const KnobSet *player, ErrorText *err) {
    Status status = STATUS_OK;
    for (size_t i = 0; i < ARRAY_LEN(ORDERINGS) && !status; i++) {
        char settings[WORD_MAX];
        snprintf(settings, sizeof settings, "search.order=%s", ORDERINGS[i]);
        status = add_settings(list, settings, player, settings, err);
    }
    return status;
}

// --- the values of exact knobs
// ----------------------------------------------------------------------------------------

typedef struct Values {
    char text[VALUES_MAX][VALUE_CAP];
    int count;
} Values;

static void add_value(Values *values, const char *text, size_t length) {
    if (values->count < VALUES_MAX)
        snprintf(values->text[values->count++], VALUE_CAP, "%.*s", (int)length, text);
}

static bool is_exact_algorithm(const char *name, size_t length) {
    return (length == 9 && strncmp(name, "alphabeta", 9) == 0) ||
           (length == 3 && strncmp(name, "pvs", 3) == 0);
}

static void add_choices(Values *values, KnobId id, const char *choices) {
    for (const char *c = choices; *c;) {
        size_t length = strcspn(c, "|");
        bool has_number = length > 2 && strncmp(c + length - 2, ":N", 2) == 0;
        char text[VALUE_CAP];
        // "threshold:N" and the like take a number, any number.
        snprintf(text, sizeof text, "%.*s%s", (int)(has_number ? length - 1 : length), c,
                 has_number ? "100" : "");
        if (id != KNOB_SEARCH_ALGORITHM || is_exact_algorithm(c, length))
            add_value(values, text, strlen(text));
        c += length + (c[length] == '|');
    }
}

// Values of an exact knob worth trying, whatever the player has.
// The default and twice as much, or 1 where the default is off: enough to switch a feature on.
static void knob_values(KnobId id, Values *values) {
    const KnobInfo *info = knob_info(id);
    Text text = {0};
    values->count = 0;
    switch (info->type) {
    case KNOB_TYPE_BOOL:
        add_value(values, "no", 2);
        add_value(values, "yes", 3);
        break;
    case KNOB_TYPE_CHOICE:
        add_choices(values, id, info->choices);
        break;
    case KNOB_TYPE_ORDER:
        for (size_t i = 0; i < ARRAY_LEN(ORDERINGS); i++)
            add_value(values, ORDERINGS[i], strlen(ORDERINGS[i]));
        break;
    case KNOB_TYPE_INT:
    case KNOB_TYPE_REAL: {
        double initial = strtod(info->default_text, NULL);
        double other = initial == 0 ? fmax(info->low, 1) : fmin(2 * initial, info->high);
        text_append_double(&text, initial);
        add_value(values, text_cstr(&text), text.length);
        text_clear(&text);
        text_append_double(&text, other);
        add_value(values, text_cstr(&text), text.length);
        break;
    }
    }
    text_release(&text);
}

static const char *needed_by(const char *key) {
    for (size_t i = 0; i < ARRAY_LEN(NEEDS); i++)
        if (strncmp(key, NEEDS[i].prefix, strlen(NEEDS[i].prefix)) == 0)
            return NEEDS[i].settings;
    return "";
}

// Adds the player with one exact knob at another value, unless that is its value or makes no sense
// with the others.
static Status add_value_of(VerifyCandidates *list, const KnobSet *player, KnobId id,
                           const char *value, ErrorText *err) {
    const char *key = knob_info(id)->key;
    KnobSet knobs = pruning(player);
    Text before = {0}, after = {0};
    knob_write_text(&knobs, id, &before);
    Status status = apply(&knobs, needed_by(key), err);
    if (!status)
        status = knob_set_text(&knobs, key, value, err);
    knob_write_text(&knobs, id, &after);
    ErrorText ignored;
    // Not a second time what the player is already, and silently not what knob_check refuses:
    // combinations are tried by machine.
    if (!status && strcmp(text_cstr(&before), text_cstr(&after)) != 0 &&
        knob_check(&knobs, &ignored) == STATUS_OK) {
        char name[VERIFY_NAME_CAP];
        snprintf(name, sizeof name, "%s=%s", key, value);
        status = verify_candidates_add_knobs(list, name, &knobs, err);
    }
    text_release(&before);
    text_release(&after);
    return status;
}

static bool is_varied(KnobId id) {
    const KnobInfo *info = knob_info(id);
    // play.* is off in verification.
    return info->exact == EXACT && strncmp(info->key, "play.", 5) != 0;
}

// Generated from the table of knobs: a new exact knob is verified without a line here.
static Status add_all(VerifyCandidates *list, const KnobSet *player, ErrorText *err) {
    Status status = STATUS_OK;
    for (size_t i = 0; i < ARRAY_LEN(NAMED) && !status; i++)
        status = add_settings(list, NAMED[i].name, player, NAMED[i].settings, err);
    if (!status)
        status = add_orderings(list, player, err);
    for (int id = 0; id < KNOB_NB && !status; id++) {
        Values values = {.count = 0};
        if (is_varied((KnobId)id) && id != KNOB_SEARCH_ORDER)
            knob_values((KnobId)id, &values);
        for (int i = 0; i < values.count && !status; i++)
            status = add_value_of(list, player, (KnobId)id, values.text[i], err);
    }
    return status;
}

// One random combination: each exact knob at a random one of its values. What makes no sense
// together is drawn again.
static Status add_random(VerifyCandidates *list, const KnobSet *player, Rng *rng, int number,
                         ErrorText *err) {
    for (int attempt = 0; attempt < 100; attempt++) {
        KnobSet knobs = pruning(player);
        for (int id = 0; id < KNOB_NB; id++) {
            Values values;
            ErrorText ignored;
            // Half of the knobs stay, or hardly any combination would pass knob_check.
            if (!is_varied((KnobId)id) || id == KNOB_SEARCH_INCREMENTAL || rng_below(rng, 2))
                continue;
            knob_values((KnobId)id, &values);
            const char *value = values.text[rng_below(rng, (uint64_t)values.count)];
            Status status = knob_set_text(&knobs, knob_info((KnobId)id)->key, value, &ignored);
            CHECK(status == STATUS_OK);
        }
        ErrorText ignored;
        if (knob_check(&knobs, &ignored))
            continue;
        char name[VERIFY_NAME_CAP];
        snprintf(name, sizeof name, "random-%d", number);
        return verify_candidates_add_knobs(list, name, &knobs, err);
    }
    return STATUS_OK;
}

// Does "key=value;..." set what the comparison sets for all of them?
static bool sets_limit(const char *settings) {
    static const char *const LIMITS[] = {"search.depth=", "search.time_ms=", "search.nodes="};
    for (size_t i = 0; i < ARRAY_LEN(LIMITS); i++)
        if (strstr(settings, LIMITS[i]))
            return true;
    return false;
}

Status verify_candidates_add(VerifyCandidates *list, const char *word, const KnobSet *player,
                             uint64_t seed, ErrorText *err) {
    int64_t count;
    for (size_t i = 0; i < ARRAY_LEN(NAMED); i++)
        if (strcmp(word, NAMED[i].name) == 0)
            return add_settings(list, word, player, NAMED[i].settings, err);
    if (strcmp(word, "all") == 0)
        return add_all(list, player, err);
    if (strcmp(word, "orderings") == 0)
        return add_orderings(list, player, err);
    if (strncmp(word, "random:", 7) == 0 && text_parse_int(word + 7, 1, 10000, &count)) {
        Status status = STATUS_OK;
        Rng rng = rng_init(rng_mix(seed, 0x636f6d62)); // not the stream of the positions
        for (int i = 1; i <= count && !status; i++)
            status = add_random(list, player, &rng, i, err);
        return status;
    }
    if (sets_limit(word))
        return error_set(err, STATUS_INVALID,
                         "candidate '%s': all are searched to the same depths, without limits in "
                         "time or nodes; --depths (in a file `depths`) names them",
                         word);
    if (strchr(word, '='))
        return add_settings(list, word, player, word, err);
    const char *names[ARRAY_LEN(NAMED) + 3] = {"all", "orderings", "random:N"};
    for (size_t i = 0; i < ARRAY_LEN(NAMED); i++)
        names[3 + i] = NAMED[i].name;
    return error_set(err, STATUS_INVALID,
                     "candidate '%s': expected all, orderings, random:N, configured, alphabeta, "
                     "pvs, table, deepening, "
                     "killers, history, or KEY=VALUE%s",
                     word, nearest_hint(word, names, ARRAY_LEN(names), "").text);
}
