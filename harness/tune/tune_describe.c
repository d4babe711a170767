// SPDX-License-Identifier: GPL-3.0-or-later
// From the file of a tune to its row in the database.
#include "harness/tune/tune_describe.h"

#include "engine/base/check.h"

#include <stdlib.h>
#include <string.h>

Status tune_describe(const TuneSpec *spec, Text *identity, StoreTune **out, ErrorText *err) {
    StoreTune *tune = calloc(1, sizeof *tune);
    tune_spec_write_identity(spec, identity);
    *out = tune;
    if (!tune || identity->failed)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    *tune = (StoreTune){.name = spec->name,
                        .method = spec->method,
                        .config = spec->text,
                        .identity = identity->data,
                        .seed = spec->seed,
                        .knob_count = spec->knob_count};
    for (int i = 0; i < spec->knob_count; i++) {
        const TuneKnob *knob = &spec->knobs[i];
        StoreTuneKnob *row = &tune->knobs[i];
        *row =
            (StoreTuneKnob){"", knob->low, knob->high, knob->start, knob->is_log, knob->is_whole};
        const char *key = knob_info(knob->id)->key;
        CHECK(strlen(key) < sizeof row->key);
        memcpy(row->key, key, strlen(key) + 1);
    }
    return STATUS_OK;
}
