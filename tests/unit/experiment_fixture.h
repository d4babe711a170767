// SPDX-License-Identifier: GPL-3.0-or-later
// Small experiments for tests: N players of our own engine on random openings, changed by the test
// as it needs.
#pragma once

#include "harness/record/experiment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static inline Experiment experiment_fixture(int player_count, int64_t pairs) {
    Experiment experiment = {.name = strdup("fixture"),
                             .rule = RULE_FREESTYLE,
                             .width = 15,
                             .height = 15,
                             .k = 5,
                             .openings = {.random_plies = 4},
                             .gauntlet_heads = 1,
                             .pairs = pairs,
                             .clock = {.margin_ms = 50},
                             .seed = 1,
                             .player_count = player_count};
    experiment.players = calloc((size_t)player_count, sizeof *experiment.players);
    for (int i = 0; i < player_count; i++) {
        char name[16];
        snprintf(name, sizeof name, "p%d", i);
        experiment.players[i].name = strdup(name);
        experiment.players[i].knobs = knob_defaults();
    }
    return experiment;
}

static inline void fixture_set(Experiment *experiment, int player, const char *key,
                               const char *value) {
    ErrorText err = {0};
    if (knob_set_text(&experiment->players[player].knobs, key, value, &err))
        fail_msg("%s", err.text);
}

// Writes a file below the working directory of the test and makes it the openings of the
// experiment; the caller removes it with fixture_drop_openings.
static inline void fixture_openings(Experiment *experiment, const char *text) {
    char path[] = "/tmp/gomolab-openings-XXXXXX";
    int fd = mkstemp(path);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    experiment->openings.file = strdup(path);
    experiment->openings.file_text = strdup("openings.txt");
    experiment->openings.random_plies = 0;
}

static inline void fixture_drop_openings(const Experiment *experiment) {
    remove(experiment->openings.file);
}
