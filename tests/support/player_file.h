// SPDX-License-Identifier: GPL-3.0-or-later
// Knobs of a player file of configs/, for tests of the engine that must not depend on the YAML
// loader of the program: two levels of keys, `base:`, plain values.
#pragma once

#include "engine/base/knob.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static inline void player_set(KnobSet *knobs, const char *key, const char *value) {
    ErrorText err = {{0}};
    if (knob_set_text(knobs, key, value, &err))
        fail_msg("%s", err.text);
}

// Applies "key=value key=value ...".
static inline void player_set_all(KnobSet *knobs, const char *settings) {
    char copy[512], *rest = copy, *word;
    snprintf(copy, sizeof copy, "%s", settings);
    while ((word = strtok_r(rest, " ", &rest))) {
        char *equals = strchr(word, '=');
        *equals = '\0';
        player_set(knobs, word, equals + 1);
    }
}

static inline void player_read(KnobSet *knobs, const char *folder, const char *file) {
    char path[512], line[256], section[64] = "", key[192];
    const char *root = getenv("GOMOLAB_SOURCE");
    snprintf(path, sizeof path, "%s/%s/%s", root ? root : ".", folder, file);
    FILE *stream = fopen(path, "r");
    if (!stream)
        fail_msg("cannot open %s", path);
    while (fgets(line, sizeof line, stream)) {
        line[strcspn(line, "#\n")] = '\0';
        char *colon = strchr(line, ':'), *start = line + strspn(line, " ");
        if (!colon)
            continue;
        *colon = '\0';
        char *value = colon + 1 + strspn(colon + 1, " ");
        if (strcmp(line, "name") == 0)
            continue;
        if (strcmp(line, "base") == 0) {
            player_read(knobs, folder, value);
        } else if (*value == '\0') {
            snprintf(section, sizeof section, "%s.", start);
        } else {
            snprintf(key, sizeof key, "%s%s", start == line ? "" : section, start);
            player_set(knobs, key, value);
        }
    }
    fclose(stream);
}

static inline KnobSet tutorial_player(const char *file) {
    KnobSet knobs = knob_defaults();
    player_read(&knobs, "configs/players/tutorials", file);
    return knobs;
}
