// SPDX-License-Identifier: GPL-3.0-or-later
// Walks two JSON values side by side to the first difference.
#include "harness/record/experiment_diff.h"

#include "engine/base/knob.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

typedef struct Diff {
    json_t *defaults; // of knobs: what one that is missing on a side has there
    Text *out;
} Diff;

static void append_value(const json_t *value, Text *out) {
    if (json_is_real(value)) { // 0.1, not 0.10000000000000001
        text_append_double(out, json_real_value(value));
        return;
    }
    char *text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    // The message is one line, and both values stand in it.
    if (text && strlen(text) > 80)
        text_printf(out, "%.77s...", text);
    else
        text_append(out, text ? text : "missing");
    free(text);
}

static bool diff_value(const Diff *diff, const json_t *there, const json_t *here, const char *path);

// The members of `key`, or what stands for it.
// An older build wrote the knobs that it knew; those that came since are at their defaults there,
// which is what that build did.
static const json_t *member(const json_t *object, const char *key, const json_t *defaults) {
    const json_t *value = json_object_get(object, key);
    // Only for knobs: elsewhere a key that one side lacks is a difference.
    return value || !defaults ? value : json_object_get(defaults, key);
}

static bool diff_objects(const Diff *diff, const json_t *there, const json_t *here,
                         const char *path) {
    const json_t *both[] = {there, here}; // keys of the first, then those that only the second has
    size_t length = strlen(path);
    // By the end of the path, since every player has a `knobs` of its own.
    bool is_knobs = length >= 5 && strcmp(path + length - 5, "knobs") == 0, differs = false;
    const json_t *defaults = is_knobs ? diff->defaults : NULL;
    for (int i = 0; i < 2 && !differs; i++)
        for (void *at = json_object_iter((json_t *)both[i]); at && !differs;
             at = json_object_iter_next((json_t *)both[i], at)) {
            Text inner = {0};
            const char *key = json_object_iter_key(at);
            text_printf(&inner, "%s%s%s", path, *path ? "." : "", key);
            differs = diff_value(diff, member(there, key, defaults), member(here, key, defaults),
                                 text_cstr(&inner));
            // The other side was written by a build with other knobs.
            if (differs && is_knobs && knob_find(key) == KNOB_NB)
                text_append(diff->out, ": this program has no such knob");
            text_release(&inner);
        }
    return differs;
}

// By place: the order of players is part of the plan.
static bool diff_arrays(const Diff *diff, const json_t *there, const json_t *here,
                        const char *path) {
    size_t count = json_array_size(there), other = json_array_size(here);
    if (count != other) {
        text_printf(diff->out, "%s has %zu entries there, %zu here", path, count, other);
        return true;
    }
    bool differs = false;
    for (size_t i = 0; i < count && !differs; i++) {
        Text inner = {0};
        text_printf(&inner, "%s[%zu]", path, i);
        differs =
            diff_value(diff, json_array_get(there, i), json_array_get(here, i), text_cstr(&inner));
        text_release(&inner);
    }
    return differs;
}

static bool diff_value(const Diff *diff, const json_t *there, const json_t *here,
                       const char *path) {
    if (json_is_object(there) && json_is_object(here))
        return diff_objects(diff, there, here, path);
    if (json_is_array(there) && json_is_array(here))
        return diff_arrays(diff, there, here, path);
    if (json_equal(there, here))
        return false;
    text_printf(diff->out, "%s is ", path);
    append_value(there, diff->out);
    text_append(diff->out, " there, ");
    append_value(here, diff->out);
    text_append(diff->out, " here");
    return true;
}

static json_t *load_defaults(void) {
    Text text = {0};
    KnobSet defaults = knob_defaults();
    knob_write_json(&defaults, &text);
    json_t *object = json_loads(text_cstr(&text), 0, NULL);
    text_release(&text);
    return object;
}

bool experiment_diff(const char *there, const char *here, Text *out) {
    // By far the usual case, and without parsing.
    if (strcmp(there, here) == 0)
        return false;
    json_t *a = json_loads(there, 0, NULL), *b = json_loads(here, 0, NULL);
    Diff diff = {load_defaults(), out};
    // Not ours, or damaged: different in any case, and nothing more can be said.
    bool is_read = a && b, differs = !is_read || diff_value(&diff, a, b, "");
    if (!is_read)
        text_append(out, "their settings differ");
    json_decref(diff.defaults);
    json_decref(a);
    json_decref(b);
    return differs;
}
