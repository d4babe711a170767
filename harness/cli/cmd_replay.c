// SPDX-License-Identifier: GPL-3.0-or-later
// `gomolab replay`: plays a slot of a database again and compares, move by move.
#include "engine/base/check.h"
#include "harness/cli/command.h"
#include "harness/cli/config.h"
#include "harness/play/replay.h"
#include "harness/store/store_read.h"

#include <stdio.h>

typedef struct ReplayOptions {
    const char *db, *game;
} ReplayOptions;

static const Option OPTIONS[] = {
    OPTION_ARG(ReplayOptions, db, "DB", "the database of a run"),
    OPTION_ARG(ReplayOptions, game, "GAME", "the slot of the game, from 0"),
};

// Differences that are printed; the rest is counted.
enum { MAX_LINES = 20 };

static int report_outcome(const Experiment *experiment, const GameRecord *stored,
                          const GameRecord *again) {
    // The header line names players and result as stored, even when the replay ended otherwise.
    Text lines = {0};
    int differences = replay_compare(experiment, stored, again, MAX_LINES, &lines);
    printf("game %lld: %s (black) - %s (white), %d plies, %c %s: ", (long long)stored->slot,
           experiment->players[stored->black].name, experiment->players[stored->white].name,
           stored->move_count, stored->result, game_reason_name(stored->reason));
    if (differences == 0)
        printf("the same again\n");
    else
        printf("%d difference%s\n%s", differences, differences == 1 ? "" : "s", text_cstr(&lines));
    if (differences > MAX_LINES)
        printf("... and %d more\n", differences - MAX_LINES);
    text_release(&lines);
    return differences ? EXIT_ANSWER_NO : EXIT_DONE;
}

static Status load(const ReplayOptions *options, Store **store, Experiment *experiment,
                   GameRecord **stored, ErrorText *err) {
    // Before the database is opened: a word that is no number is the cheaper mistake to find.
    int64_t slot = 0;
    if (!text_parse_int(options->game, 0, INT64_MAX, &slot))
        return error_set(err, STATUS_INVALID, "GAME: '%s', expected the number of a slot, from 0",
                         options->game);
    Status status = store_open(options->db, store, err);
    if (!status)
        status = store_load_game(*store, slot, stored, err);
    if (!status) {
        // Paths in the stored text are relative to the folder where the run was started.
        status = config_parse_experiment(store_experiment(*store)->config, "(stored configuration)",
                                         experiment, err);
        if (status)
            status = error_wrap(err, status, "%s", options->db);
    }
    return status;
}

// The players are made anew from the stored text with its explicit defaults, not from today's
// files: what is compared is the program, with the configuration held fixed.
static int run(const void *values) {
    ErrorText err = {0};
    Store *store = NULL;
    Experiment experiment = {0};
    GameRecord *stored = NULL, *again = NULL;
    int result = EXIT_DONE;
    Status status = load(values, &store, &experiment, &stored, &err);
    if (!status)
        status = replay_game(&experiment, stored, &again, &err);
    if (!status)
        result = report_outcome(&experiment, stored, again);
    game_record_free(again);
    game_record_free(stored);
    experiment_release(&experiment);
    store_close(store);
    return status ? command_fail(status, &err) : result;
}

const Command command_replay = {
    .name = "replay",
    .summary = "play a stored game again and compare, move by move",
    .details = "Compared are moves, values, depths, counters, principal variations and the result; "
               "clocks are not, nor\n"
               "what the database does not know. Searches limited by time need not be the same "
               "again. Exit status 1\n"
               "when something differs.\n",
    .options = {.rows = OPTIONS, .count = ARRAY_LEN(OPTIONS)},
    .values_size = sizeof(ReplayOptions),
    .run = run,
};
