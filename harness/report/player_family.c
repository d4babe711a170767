// SPDX-License-Identifier: GPL-3.0-or-later
// Families of players, told apart by what the table of knobs says of each setting.
#include "harness/report/player_family.h"

#include "engine/base/knob.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static void setting_append(Text *out, const char *key, json_t *value) {
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    if (text)
        text_printf(out, "%s=%s;", key, text);
    free(text);
}

void player_family_read(const char *config_json, PlayerFamily *out) {
    *out = (PlayerFamily){0};
    json_t *root = config_json ? json_loads(config_json, 0, NULL) : NULL;
    json_t *knobs = json_object_get(root, "knobs");
    // The knobs of an external program are not what it plays by.
    if (json_is_object(knobs) && !json_object_get(root, "engine")) {
        const char *algorithm = json_string_value(json_object_get(knobs, "search.algorithm"));
        out->is_minimax = algorithm && strcmp(algorithm, "minimax") == 0;
        for (int id = 0; id < KNOB_NB; id++) {
            const KnobInfo *info = knob_info((KnobId)id);
            json_t *value = json_object_get(knobs, info->key);
            if (!value)
                continue;
            // Two players whose texts agree here differ in depth at most.
            if (id != KNOB_SEARCH_DEPTH)
                setting_append(&out->ladder, info->key, value);
            // Exact knobs change the cost and not the answer: without them the player is the
            // minimax search that it saves nodes against.
            if (info->exact != EXACT)
                setting_append(&out->minimax, info->key, value);
        }
    }
    json_decref(root);
}

void player_family_release(PlayerFamily *family) {
    text_release(&family->ladder);
    text_release(&family->minimax);
}
