// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: a text as the YAML of a player and of an experiment. What is refused says why in one
// line and leaves nothing behind; what is accepted as an experiment reads back from its resolved
// text to the same experiment.
#include "engine/base/check.h"
#include "harness/cli/config.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_refusal(Status status, const ErrorText *err) {
    CHECK(status == STATUS_INVALID || status == STATUS_NOT_FOUND);
    CHECK(err->text[0] != '\0' && !strchr(err->text, '\n'));
}

static void check_reads_back(const Experiment *experiment) {
    Experiment again = {0};
    ErrorText err = {0};
    CHECK(config_parse_experiment(experiment->text, "fuzz.yaml", &again, &err) == STATUS_OK);
    Text first = {0}, second = {0};
    experiment_write_identity(experiment, &first);
    experiment_write_identity(&again, &second);
    CHECK(strcmp(text_cstr(&first), text_cstr(&second)) == 0);
    CHECK(strcmp(experiment->text, again.text) == 0);
    text_release(&first);
    text_release(&second);
    experiment_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    ErrorText err = {0};
    PlayerSpec player = {0};
    Status status = config_parse_player(text, "fuzz.yaml", &player, &err);
    if (status)
        check_refusal(status, &err);
    player_spec_release(&player);
    Experiment experiment = {0};
    status = config_parse_experiment(text, "fuzz.yaml", &experiment, &err);
    if (status)
        check_refusal(status, &err);
    else
        check_reads_back(&experiment);
    experiment_release(&experiment);
    free(text);
    return 0;
}
