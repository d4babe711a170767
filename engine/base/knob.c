// SPDX-License-Identifier: GPL-3.0-or-later
// The table of knobs, and knobs from and to text.
#include "engine/base/knob.h"

#include "engine/base/check.h"
#include "engine/base/large_memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// The same rows that make the enum: neither can know a knob that the other does not. Defaults stay
// texts, so that knob_defaults reads them the way a user's are read.
static const KnobInfo KNOBS[KNOB_NB] = {
#define KNOB_INT(id, key, def, lo, hi, step, exact, meaning)                                       \
    {key, KNOB_TYPE_INT, #def, lo, hi, step, exact, NULL, meaning},
#define KNOB_REAL(id, key, def, lo, hi, step, exact, meaning)                                      \
    {key, KNOB_TYPE_REAL, #def, lo, hi, step, exact, NULL, meaning},
#define KNOB_BOOL(id, key, def, exact, meaning)                                                    \
    {key, KNOB_TYPE_BOOL, #def, 0, 1, 0, exact, NULL, meaning},
#define KNOB_CHOICE(id, key, def, choices, exact, meaning)                                         \
    {key, KNOB_TYPE_CHOICE, def, 0, 0, 0, exact, choices, meaning},
#define KNOB_ORDER(id, key, def, exact, meaning)                                                   \
    {key, KNOB_TYPE_ORDER, def, 0, 0, 0, exact, NULL, meaning},
#include "engine/base/knobs.def"
#undef KNOB_INT
#undef KNOB_REAL
#undef KNOB_BOOL
#undef KNOB_CHOICE
#undef KNOB_ORDER
};

static const char *const ORDER_KEYS[ORDER_KEY_NB] = {"score",   "center", "distance",
                                                     "history", "killer", "counter"};
// By OrderColour; the default one is not written.
static const char *const ORDER_COLOURS[] = {"", "own", "mover", "both"};

const KnobInfo *knob_info(KnobId id) {
    CHECK((unsigned)id < KNOB_NB);
    return &KNOBS[id];
}

// In turn: keys are looked up while configurations are read, never in a search.
KnobId knob_find(const char *key) {
    for (int i = 0; i < KNOB_NB; i++)
        if (strcmp(key, KNOBS[i].key) == 0)
            return (KnobId)i;
    return KNOB_NB;
}

NearestHint knob_nearest_hint(const char *key, const char *otherwise) {
    const char *keys[KNOB_NB];
    for (int i = 0; i < KNOB_NB; i++)
        keys[i] = KNOBS[i].key;
    return nearest_hint(key, keys, KNOB_NB, otherwise);
}

// --- choices: "a|b|c:N"

// The `index`th choice: its length (0 when there is none), its start, and whether a number follows.
static int choice_at(const char *choices, int index, const char **start, bool *has_number) {
    const char *c = choices;
    for (; index > 0 && c; index--) {
        c = strchr(c, '|');
        c = c ? c + 1 : NULL;
    }
    if (!c)
        return 0;
    int length = (int)strcspn(c, "|");
    *start = c;
    *has_number = length > 2 && c[length - 2] == ':' && c[length - 1] == 'N';
    return *has_number ? length - 2 : length;
}

// A choice must be the whole text up to its ':', or "win" would be found in "win_block". Numbers of
// a choice have no range in the table: up to 1e15 whole ones are surely exact.
static bool choice_parse(const KnobInfo *info, const char *text, double *index, double *param) {
    const char *start;
    bool has_number;
    int length;
    for (int i = 0; (length = choice_at(info->choices, i, &start, &has_number)) > 0; i++) {
        if (strncasecmp(text, start, (size_t)length) != 0)
            continue;
        if (!has_number && text[length] == '\0') {
            *index = i;
            *param = 0;
            return true;
        }
        if (has_number && text[length] == ':' &&
            text_parse_double(text + length + 1, -1e15, 1e15, param)) {
            *index = i;
            return true;
        }
    }
    return false;
}

// --- ordering lists: "[history+center, score:own]"

static int name_index(const char *const *names, int count, const char *word, size_t length) {
    for (int i = 0; i < count; i++)
        if (strlen(names[i]) == length && strncasecmp(names[i], word, length) == 0)
            return i;
    return -1;
}

static Status order_part_parse(const char *word, size_t length, OrderTerm *term, ErrorText *err) {
    size_t key_length = 0;
    while (key_length < length && word[key_length] != ':')
        key_length++;
    // The centre is read in both spellings and written in one.
    int key = key_length == 6 && strncasecmp(word, "centre", 6) == 0
                  ? (int)ORDER_CENTER
                  : name_index(ORDER_KEYS, ORDER_KEY_NB, word, key_length);
    if (key < 0) {
        char copy[32];
        snprintf(copy, sizeof copy, "%.*s", (int)key_length, word);
        return error_set(err, STATUS_INVALID,
                         "'%.*s' is no ordering term, expected score, center, distance, history, "
                         "killer or counter%s",
                         (int)key_length, word,
                         nearest_hint(copy, ORDER_KEYS, ORDER_KEY_NB, "").text);
    }
    // Only scores and history belong to a colour; with the others a suffix would be ignored in
    // silence.
    bool has_suffix = key_length < length;
    int colour = has_suffix
                     ? name_index(ORDER_COLOURS, 4, word + key_length + 1, length - key_length - 1)
                     : 0;
    // 0 is the one without a name: a colon and nothing behind it.
    if (has_suffix && (colour <= 0 || (key != ORDER_SCORE && key != ORDER_HISTORY)))
        return error_set(err, STATUS_INVALID,
                         "'%.*s': expected score or history with :own, :mover or :both",
                         (int)length, word);
    if (term->part_count == ORDER_MAX_PARTS)
        return error_set(err, STATUS_INVALID, "more than %d parts in one ordering term",
                         ORDER_MAX_PARTS);
    term->part[term->part_count++] = (OrderPart){(OrderKey)key, (OrderColour)colour};
    return STATUS_OK;
}

// Terms stand between commas or blanks, parts of a term between plus signs; brackets around the
// list are optional.
static Status order_parse(const char *text, OrderList *out, ErrorText *err) {
    // A list of its own until all of it is known to be good: a half-read order must not play.
    OrderList list = {0};
    bool joined = false; // a plus sign was seen: the next word belongs to the last term
    for (const char *c = text; *c;) {
        size_t length = strcspn(c, "[], +\t");
        if (length == 0) {
            joined = *c == '+' || (joined && *c != ',');
            c++;
            continue;
        }
        if (!joined && list.term_count == ORDER_MAX_TERMS)
            return error_set(err, STATUS_INVALID, "more than %d ordering terms", ORDER_MAX_TERMS);
        if (!joined || list.term_count == 0)
            list.term_count++;
        Status status = order_part_parse(c, length, &list.term[list.term_count - 1], err);
        if (status)
            return status;
        joined = false;
        c += length;
    }
    *out = list;
    return STATUS_OK;
}

static void order_write(const OrderList *list, Text *out) {
    text_append(out, "[");
    for (int i = 0; i < list->term_count; i++) {
        text_append(out, i ? ", " : "");
        for (int j = 0; j < list->term[i].part_count; j++) {
            OrderPart part = list->term[i].part[j];
            text_printf(out, "%s%s%s%s", j ? "+" : "", ORDER_KEYS[part.key], part.colour ? ":" : "",
                        ORDER_COLOURS[part.colour]);
        }
    }
    text_append(out, "]");
}

// --- texts

static Status number_parse(const KnobInfo *info, const char *text, double *out, ErrorText *err) {
    if (info->type == KNOB_TYPE_INT) {
        int64_t value;
        if (text_parse_int(text, (int64_t)info->low, (int64_t)info->high, &value)) {
            *out = (double)value;
            return STATUS_OK;
        }
        return error_set(err, STATUS_INVALID, "%s: '%s', expected a whole number %.0f..%.0f",
                         info->key, text, info->low, info->high);
    }
    if (text_parse_double(text, info->low, info->high, out))
        return STATUS_OK;
    return error_set(err, STATUS_INVALID, "%s: '%s', expected a number %g..%g", info->key, text,
                     info->low, info->high);
}

Status knob_set_text(KnobSet *set, const char *key, const char *text, ErrorText *err) {
    KnobId id = knob_find(key);
    if (id == KNOB_NB)
        return error_set(err, STATUS_NOT_FOUND, "unknown key '%s'%s", key,
                         knob_nearest_hint(key, "; `gomolab keys` lists them").text);
    // Each of the readers sets its value last: a text that is none leaves the set as it was.
    const KnobInfo *info = &KNOBS[id];
    bool flag;
    switch (info->type) {
    case KNOB_TYPE_INT:
    case KNOB_TYPE_REAL:
        return number_parse(info, text, &set->number[id], err);
    case KNOB_TYPE_BOOL:
        if (text_parse_bool(text, &flag)) {
            set->number[id] = flag;
            return STATUS_OK;
        }
        return error_set(err, STATUS_INVALID, "%s: '%s', expected yes or no", key, text);
    case KNOB_TYPE_CHOICE:
        if (choice_parse(info, text, &set->number[id], &set->param[id]))
            return STATUS_OK;
        return error_set(err, STATUS_INVALID, "%s: '%s', expected one of %s%s", key, text,
                         info->choices, nearest_choice_hint(text, info->choices).text);
    case KNOB_TYPE_ORDER: {
        Status status = order_parse(text, &set->order, err);
        return status ? error_wrap(err, status, "%s", key) : STATUS_OK;
    }
    }
    return STATUS_INVALID;
}

void knob_write_text(const KnobSet *set, KnobId id, Text *out) {
    const KnobInfo *info = knob_info(id);
    const char *start = "";
    bool has_number = false;
    int length;
    switch (info->type) {
    case KNOB_TYPE_INT:
        text_printf(out, "%.0f", set->number[id]); // never in powers of ten, which are no integers
        break;
    case KNOB_TYPE_REAL:
        text_append_double(out, set->number[id]);
        break;
    case KNOB_TYPE_BOOL:
        text_append(out, set->number[id] != 0 ? "true" : "false");
        break;
    case KNOB_TYPE_CHOICE:
        length = choice_at(info->choices, (int)set->number[id], &start, &has_number);
        text_append_bytes(out, start, (size_t)length);
        if (has_number) {
            text_append(out, ":");
            text_append_double(out, set->param[id]);
        }
        break;
    case KNOB_TYPE_ORDER:
        order_write(&set->order, out);
        break;
    }
}

void knob_write_json(const KnobSet *set, Text *out) {
    text_append(out, "{");
    for (int i = 0; i < KNOB_NB; i++) {
        text_append(out, i ? ", " : "");
        text_append_json(out, KNOBS[i].key);
        text_append(out, ": ");
        // Choices and lists are words, which JSON quotes (none holds anything to be escaped);
        // numbers are written as numbers, and none of them is infinite, since every range of the
        // table ends.
        bool is_word = KNOBS[i].type == KNOB_TYPE_CHOICE || KNOBS[i].type == KNOB_TYPE_ORDER;
        text_append(out, is_word ? "\"" : "");
        knob_write_text(set, (KnobId)i, out);
        text_append(out, is_word ? "\"" : "");
    }
    text_append(out, "}");
}

KnobSet knob_defaults(void) {
    KnobSet set = {0};
    for (int i = 0; i < KNOB_NB; i++) {
        // Read anew each time: a few dozen short texts, and no state that threads would have to
        // share.
        ErrorText err = {0};
        Status status = knob_set_text(&set, KNOBS[i].key, KNOBS[i].default_text, &err);
        CHECK(status == STATUS_OK); // the table contradicts itself
    }
    return set;
}

// A knob that would have no effect is refused, not ignored: an experiment that varies it would
// compare a player with itself and call the result a finding.
static Status check_mcts(const KnobSet *set, ErrorText *err) {
    if (!knob_int(set, KNOB_MCTS_PLAYOUTS) && !knob_int(set, KNOB_SEARCH_NODES) &&
        !knob_int(set, KNOB_SEARCH_TIME_MS))
        return error_set(
            err, STATUS_INVALID,
            "search.algorithm: mcts is not limited by search.depth; set mcts.playouts, "
            "search.nodes or search.time_ms");
    if (knob_int(set, KNOB_SEARCH_TT_MB) > 0)
        return error_set(err, STATUS_INVALID,
                         "search.tt_mb: mcts uses no transposition table; set it to 0");
    if (knob_int(set, KNOB_SEARCH_TERMINAL) != TERMINAL_RULE)
        return error_set(err, STATUS_INVALID,
                         "search.terminal: mcts ends a line by the rule only; set it to rule");
    if (knob_int(set, KNOB_SEARCH_WIN_VALUE) != WIN_MINUS_PLY)
        return error_set(err, STATUS_INVALID,
                         "search.win_value: mcts proves wins in so many plies; set it to "
                         "win_minus_ply");
    return STATUS_OK;
}

// The knobs that leave something out or look at something harder, each off at 0.
// What the constraints below mean by selective.
static const KnobId SELECTIVE[] = {
    KNOB_SEARCH_VCF,      KNOB_SEARCH_THREATS,    KNOB_SEARCH_TT_DEEPER, KNOB_SEARCH_NULL_MOVE,
    KNOB_SEARCH_LMR,      KNOB_SEARCH_LATE_MOVES, KNOB_SEARCH_FUTILITY,  KNOB_SEARCH_RAZOR,
    KNOB_SEARCH_SINGULAR, KNOB_SEARCH_EXTEND,     KNOB_SEARCH_VCT,
};

static const char *selective_knob(const KnobSet *set) {
    for (size_t i = 0; i < ARRAY_LEN(SELECTIVE); i++)
        if (set->number[SELECTIVE[i]] != 0)
            return KNOBS[SELECTIVE[i]].key;
    return NULL;
}

// The conditions of CONSTRAINTS, a function a row.
static bool is_minimax(const KnobSet *set) {
    return knob_int(set, KNOB_SEARCH_ALGORITHM) == ALGORITHM_MINIMAX;
}
static bool has_table_without_use(const KnobSet *set) {
    return is_minimax(set) && knob_int(set, KNOB_SEARCH_TT_MB) > 0;
}
static bool is_selective_minimax(const KnobSet *set) {
    return is_minimax(set) && selective_knob(set);
}
static bool is_selective_without_pvs(const KnobSet *set) {
    return knob_int(set, KNOB_SEARCH_ALGORITHM) == ALGORITHM_ALPHABETA &&
           (knob_int(set, KNOB_SEARCH_LMR) || knob_int(set, KNOB_SEARCH_SINGULAR));
}
static bool is_selective_without_wins(const KnobSet *set) {
    bool searches = knob_int(set, KNOB_SEARCH_ALGORITHM) == ALGORITHM_ALPHABETA ||
                    knob_int(set, KNOB_SEARCH_ALGORITHM) == ALGORITHM_PVS;
    return searches && selective_knob(set) &&
           (knob_int(set, KNOB_SEARCH_WIN_VALUE) != WIN_MINUS_PLY ||
            knob_int(set, KNOB_SEARCH_TERMINAL) == TERMINAL_THRESHOLD ||
            knob_int(set, KNOB_SEARCH_TERMINAL) == TERMINAL_NONE);
}

static bool is_threshold_everywhere(const KnobSet *set) {
    return knob_int(set, KNOB_SEARCH_TERMINAL) == TERMINAL_THRESHOLD &&
           set->param[KNOB_SEARCH_TERMINAL] <= 0;
}

// The knob has a default, so it says something only where there is a tree.
static int64_t tree_mb(const KnobSet *set) {
    return knob_int(set, KNOB_SEARCH_ALGORITHM) == ALGORITHM_MCTS
               ? knob_int(set, KNOB_MCTS_MEMORY_MB)
               : 0;
}

int64_t knob_memory_mb(const KnobSet *set) {
    return knob_int(set, KNOB_SEARCH_TT_MB) + tree_mb(set);
}

// The knob that asks for more memory than there is; KNOB_NB: none does.
static KnobId exceeds_machine(const KnobSet *set) {
    // Asked before anything is allocated: a system that overcommits would grant the memory, and end
    // the process once it is used.
    if (knob_int(set, KNOB_SEARCH_TT_MB) > large_memory_machine_mb())
        return KNOB_SEARCH_TT_MB;
    return tree_mb(set) > large_memory_machine_mb() ? KNOB_MCTS_MEMORY_MB : KNOB_NB;
}

// Combinations that make no sense. In a message %s is the selective knob that is on, if one is.
static const struct {
    bool (*is_broken)(const KnobSet *set);
    const char *why;
} CONSTRAINTS[] = {
    {has_table_without_use, "search.tt_mb: plain minimax uses no transposition table; set it to 0"},
    {is_selective_minimax, "%s: plain minimax leaves nothing out and looks at nothing harder; use "
                           "search.algorithm alphabeta or pvs, or switch it off"},
    {is_selective_without_pvs,
     "search.lmr and search.singular ask moves by null windows first: use "
     "search.algorithm pvs, or switch them off"},
    {is_selective_without_wins, "%s: proves wins in so many plies; search.win_value must be "
                                "win_minus_ply and search.terminal rule or before_entry"},
    {is_threshold_everywhere,
     "search.terminal: a line ends where the value is N or more for either side; N must be over 0"},
};

static Status check_constraints(const KnobSet *set, ErrorText *err) {
    for (size_t i = 0; i < ARRAY_LEN(CONSTRAINTS); i++) {
        if (!CONSTRAINTS[i].is_broken(set))
            continue;
        const char *why = CONSTRAINTS[i].why, *knob = selective_knob(set);
        // Put together by hand: the compiler cannot check a format that comes out of a table.
        bool names_knob = strncmp(why, "%s", 2) == 0;
        return error_set(err, STATUS_INVALID, "%s%s", names_knob ? knob : "",
                         names_knob ? why + 2 : why);
    }
    KnobId greedy = exceeds_machine(set);
    if (greedy != KNOB_NB)
        return error_set(err, STATUS_INVALID, "%s: %lld, but this machine has %lld MiB of memory",
                         KNOBS[greedy].key, (long long)knob_int(set, greedy),
                         (long long)large_memory_machine_mb());
    return STATUS_OK;
}

Status knob_check(const KnobSet *set, ErrorText *err) {
    Status status = check_constraints(set, err);
    if (!status && knob_int(set, KNOB_SEARCH_ALGORITHM) == ALGORITHM_MCTS)
        status = check_mcts(set, err);
    return status;
}
