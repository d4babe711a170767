// SPDX-License-Identifier: GPL-3.0-or-later
// The table of tuners, and how their random numbers are counted.
#include "harness/tune/tuner.h"

#include "engine/base/check.h"
#include "engine/base/rng.h"

#include <string.h>

// Equal seeds must not mean equal numbers in different places.
enum { SALT_PAIR = 0x5041, SALT_TRIAL = 0x5452 };

static const TunerMethod *const METHODS[] = {&TUNER_SENSE, &TUNER_SPSA, &TUNER_RANDOM,
                                             &TUNER_MATCH};

const TunerMethod *tuner_find(const char *name) {
    for (size_t i = 0; i < ARRAY_LEN(METHODS); i++)
        if (strcmp(METHODS[i]->name, name) == 0)
            return METHODS[i];
    return NULL;
}

uint64_t tuner_pair_seed(const TunerSetup *setup, int64_t iteration, int pair) {
    uint64_t item = (uint64_t)iteration * (uint64_t)setup->pairs_each + (uint64_t)pair;
    return rng_mix(rng_mix(setup->seed, SALT_PAIR), item);
}

uint64_t tuner_trial_seed(const TunerSetup *setup, int64_t iteration, int pair) {
    // One more than the whole trials of an iteration: room for a last, shorter one.
    uint64_t trials = (uint64_t)(setup->pairs_each / TUNE_REPEAT + 1);
    uint64_t item = (uint64_t)iteration * trials + (uint64_t)(pair / TUNE_REPEAT);
    return rng_mix(rng_mix(setup->seed, SALT_TRIAL), item);
}
