// SPDX-License-Identifier: GPL-3.0-or-later
// `gomolab brain`: a player as a Gomocup engine on standard input and output.
#include "engine/base/check.h"
#include "engine/base/version.h"
#include "harness/cli/command.h"
#include "harness/cli/config.h"
#include "harness/play/brain_stdio.h"

#include <unistd.h>

typedef struct BrainOptions {
    const char *player;
    OptionList set;
    int64_t margin_ms;
} BrainOptions;

static const Option OPTIONS[] = {
    OPTION_ARG(BrainOptions, player, "PLAYER", "the player to be, a YAML file"),
    OPTION_LIST(BrainOptions, set, "--set", "KEY=VALUE", "change a knob of the player"),
    OPTION_INT(BrainOptions, margin_ms, "--margin", "MS", -1, 0, 60000,
               "30 + a twentieth of the limit + twice the latest delay",
               "milliseconds to keep back from every time limit"),
};

static int run(const void *values) {
    const BrainOptions *options = values;
    ErrorText err = {0};
    PlayerSpec player = {0};
    Status status = config_load_player(options->player, &options->set, &player, NULL, &err);
    // Passing the protocol through to another program would add nothing but delay to its clock.
    if (!status && player.external.command)
        status = error_set(&err, STATUS_INVALID,
                           "%s: an external engine is a Gomocup engine already", options->player);
    if (!status) {
        BrainSetup setup = {.knobs = &player.knobs,
                            .name = player.name,
                            .version = version_string(),
                            .clock = clock_monotonic(),
                            .margin_ms = options->margin_ms};
        // Standard output belongs to the manager from here on: a stray line on it could lose the
        // game, so that whatever there is to say to people goes to standard error.
        status = brain_stdio_run(&setup, STDIN_FILENO, STDOUT_FILENO, &err);
    }
    player_spec_release(&player);
    return status ? command_fail(status, &err) : EXIT_DONE;
}

const Command command_brain = {
    .name = "brain",
    .summary = "be a Gomocup engine on standard input and output",
    .details = "Speaks the Gomocup protocol: START, RECTSTART, RESTART, BEGIN, TURN, BOARD, "
               "TAKEBACK, INFO, ABOUT, END,\n"
               "and of Yixin's extensions YXBOARD, YXSTOP, INFO max_depth and max_node; freestyle "
               "and standard, sides\n"
               "of 5 to 22. Says depth, nodes, value, speed and variation in a MESSAGE before "
               "every move. Limits of\n"
               "the manager act on top of the player's own. Managers that start engines without "
               "arguments can be\n"
               "given a script: `#!/bin/sh`, `exec gomolab brain player.yaml`.\n",
    .options = {.rows = OPTIONS, .count = ARRAY_LEN(OPTIONS)},
    .values_size = sizeof(BrainOptions),
    .run = run,
};
