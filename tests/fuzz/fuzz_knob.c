// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: `key=value` as people write it after --set. What is accepted must read back from
// what is written, to the same value; what is refused must leave every knob as it was, with one
// line that says why.
#include "engine/base/check.h"
#include "engine/base/knob.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_round_trip(const KnobSet *set, const char *key) {
    ErrorText err;
    KnobId id = knob_find(key);
    CHECK(id != KNOB_NB);
    Text first = {0}, second = {0};
    knob_write_text(set, id, &first);
    KnobSet again = knob_defaults();
    CHECK(knob_set_text(&again, key, text_cstr(&first), &err) == STATUS_OK);
    knob_write_text(&again, id, &second);
    CHECK(!first.failed && !second.failed);
    CHECK(strcmp(text_cstr(&first), text_cstr(&second)) == 0);
    CHECK(memcmp(&again.number[id], &set->number[id], sizeof again.number[id]) == 0);
    text_release(&first);
    text_release(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *key = malloc(size + 1);
    if (!key)
        return 0;
    memcpy(key, data, size);
    key[size] = '\0';
    char *value = strchr(key, '=');
    if (value) {
        *value++ = '\0';
        ErrorText err = {0};
        KnobSet set = knob_defaults();
        if (knob_set_text(&set, key, value, &err) == STATUS_OK) {
            check_round_trip(&set, key);
            Status ignored = knob_check(&set, &err);
            (void)ignored;
        } else {
            KnobSet untouched = knob_defaults();
            CHECK(memcmp(set.number, untouched.number, sizeof set.number) == 0);
            CHECK(err.text[0] != '\0' && !strchr(err.text, '\n'));
        }
    }
    free(key);
    return 0;
}
