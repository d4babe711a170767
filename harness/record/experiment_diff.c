// SPDX-License-Identifier: GPL-3.0-or-later
// Walks two JSON values side by side to the first difference.
#include "harness/record/experiment_diff.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static void append_value(const json_t *value, Text *out) {
    char *text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    if (text && strlen(text) > 80)
        text_printf(out, "%.77s...", text);
    else
        text_append(out, text ? text : "missing");
    free(text);
}

static bool diff_value(const json_t *there, const json_t *here, const char *path, Text *out);

static bool diff_objects(const json_t *there, const json_t *here, const char *path, Text *out) {
    const json_t *both[] = {there, here}; // keys of the first, then those that only the second has
    bool differs = false;
    for (int i = 0; i < 2 && !differs; i++)
        for (void *at = json_object_iter((json_t *)both[i]); at && !differs;
             at = json_object_iter_next((json_t *)both[i], at)) {
            Text inner = {0};
            const char *key = json_object_iter_key(at);
            text_printf(&inner, "%s%s%s", path, *path ? "." : "", key);
            differs = diff_value(json_object_get(there, key), json_object_get(here, key),
                                 text_cstr(&inner), out);
            text_release(&inner);
        }
    return differs;
}

static bool diff_arrays(const json_t *there, const json_t *here, const char *path, Text *out) {
    size_t count = json_array_size(there), other = json_array_size(here);
    if (count != other) {
        text_printf(out, "%s has %zu entries there, %zu here", path, count, other);
        return true;
    }
    bool differs = false;
    for (size_t i = 0; i < count && !differs; i++) {
        Text inner = {0};
        text_printf(&inner, "%s[%zu]", path, i);
        differs =
            diff_value(json_array_get(there, i), json_array_get(here, i), text_cstr(&inner), out);
        text_release(&inner);
    }
    return differs;
}

static bool diff_value(const json_t *there, const json_t *here, const char *path, Text *out) {
    if (json_is_object(there) && json_is_object(here))
        return diff_objects(there, here, path, out);
    if (json_is_array(there) && json_is_array(here))
        return diff_arrays(there, here, path, out);
    if (json_equal(there, here))
        return false;
    text_printf(out, "%s is ", path);
    append_value(there, out);
    text_append(out, " there, ");
    append_value(here, out);
    text_append(out, " here");
    return true;
}

bool experiment_diff(const char *there, const char *here, Text *out) {
    if (strcmp(there, here) == 0)
        return false;
    json_t *a = json_loads(there, 0, NULL), *b = json_loads(here, 0, NULL);
    bool named = a && b && diff_value(a, b, "", out);
    json_decref(a);
    json_decref(b);
    if (!named)
        text_append(out, "their settings differ");
    return true;
}
