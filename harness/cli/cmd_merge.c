// SPDX-License-Identifier: GPL-3.0-or-later
// `gomolab merge`: joins the databases of shards into what one run would have written.
#include "engine/base/check.h"
#include "harness/cli/command.h"
#include "harness/store/store_merge.h"

#include <stdio.h>

typedef struct MergeOptions {
    const char *out;
    OptionList databases;
} MergeOptions;

static const Option OPTIONS[] = {
    OPTION_ARG(MergeOptions, out, "OUT", "the database to make; it must not be there yet"),
    OPTION_ARGS(MergeOptions, databases, "DB", "databases of the shards, in any order"),
};

// Everything is checked and made by the store; a failure leaves no file, so that there is nothing
// to tidy up here.
static int run(const void *values) {
    const MergeOptions *options = values;
    ErrorText err = {0};
    StoreMergeStats stats = {0};
    Status status =
        store_merge(options->out, options->databases.items, options->databases.count, &stats, &err);
    if (status)
        return command_fail(status, &err);
    printf("%s: %lld game%s, %lld move%s\n", options->out, (long long)stats.games,
           text_plural(stats.games), (long long)stats.moves, text_plural(stats.moves));
    return EXIT_DONE;
}

const Command command_merge = {
    .name = "merge",
    .summary = "join the databases of shards into one",
    .details = "The shards must be of one experiment and have no game in common. The result equals "
               "one run\nby slot and ply, and may be gone on with; the shards are left as they "
               "are.\n",
    .options = {.rows = OPTIONS, .count = ARRAY_LEN(OPTIONS)},
    .values_size = sizeof(MergeOptions),
    .run = run,
};
