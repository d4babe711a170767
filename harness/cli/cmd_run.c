// SPDX-License-Identifier: GPL-3.0-or-later
// `gomolab run`: plays an experiment into its database, from the start or from where it stopped.
#include "engine/base/check.h"
#include "engine/base/large_memory.h"
#include "engine/base/version.h"
#include "harness/cli/command.h"
#include "harness/cli/config.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/past_games.h"
#include "harness/cli/progress.h"
#include "harness/cli/run_report.h"
#include "harness/play/affinity.h"
#include "harness/play/seats.h"
#include "harness/store/store_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const Option OPTIONS[] = {
    OPTION_ARG(RunOptions, experiment, "EXPERIMENT", "the experiment to play, a YAML file"),
    OPTION_TEXT(RunOptions, db, "--db", "FILE", "results/NAME.db", "keep the games in FILE"),
    OPTION_INT(RunOptions, jobs, "--jobs", "N", -1, 1, 1024, "all cores", "play N games at once"),
    OPTION_INT(RunOptions, games, "--games", "N", 0, 1, 1e12, "all",
               "play the first N games only, rounded up to whole pairs, earlier ones counted"),
    OPTION_TEXT(RunOptions, seed, "--seed", "S", "that of the experiment", "seed of the run"),
    OPTION_TEXT(RunOptions, shard, "--shard", "I/N", "1/1",
                "play every N-th pair, the I-th of them first; `merge` joins the databases"),
    OPTION_LIST(RunOptions, set, "--set", "KEY=VALUE",
                "change a key: of one player (PLAYER.KEY=VALUE), of all, of the experiment"),
    OPTION_FLAG(RunOptions, fresh, "--fresh", "rename a database that is there and start anew"),
    OPTION_FLAG(RunOptions, dry_run, "--dry-run",
                "play nothing: print games, openings, duplicates and the time it may take"),
    OPTION_FLAG(RunOptions, quiet, "--quiet", "no progress"),
    OPTION_FLAG(RunOptions, no_move_log, "--no-move-log", "keep results only, not the moves"),
};

// Everything that one run holds.
typedef struct Run {
    const RunOptions *options;
    Experiment experiment;
    PlanLimits limits;
    Plan plan;
    Tally tally;
    char *path; // owned; of the database
    int jobs;
    FileHash *hashes;        // owned; by player
    const char **hash_texts; // owned; by player, NULL for our own engine
    StoreResume resume;
    int64_t played;
} Run;

static void run_release(Run *run) {
    tally_release(&run->tally);
    plan_release(&run->plan);
    experiment_release(&run->experiment);
    store_resume_release(&run->resume);
    free(run->hashes);
    free(run->hash_texts);
    free(run->path);
}

// --- before the first game
// ---------------------------------------------------------------------------

// People count shards from 1, the plan from 0.
static Status parse_shard(const char *text, PlanLimits *limits, ErrorText *err) {
    char first[24] = "";
    const char *slash = strchr(text, '/');
    size_t length = slash ? (size_t)(slash - text) : 0;
    int64_t shard = 0, count = 0;
    if (length > 0 && length < sizeof first) {
        memcpy(first, text, length);
        if (text_parse_int(slash + 1, 1, 1000000, &count) &&
            text_parse_int(first, 1, count, &shard)) {
            limits->shard = shard - 1;
            limits->shard_count = count;
            return STATUS_OK;
        }
    }
    return error_set(err, STATUS_INVALID,
                     "--shard: '%s', expected I/N with 1 <= I <= N, as in 1/4 .. 4/4", text);
}

// Loads the experiment as the options change it; --seed is one more --set.
static Status run_load(Run *run, ErrorText *err) {
    const RunOptions *options = run->options;
    OptionList sets = {0};
    Text seed = {0};
    // A copy of the list: the options belong to the table that parsed them. --seed comes last and
    // wins.
    sets.items = calloc((size_t)options->set.count + 1, sizeof *sets.items);
    if (!sets.items)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    for (; sets.count < options->set.count; sets.count++)
        sets.items[sets.count] = options->set.items[sets.count];
    if (options->seed) {
        text_printf(&seed, "seed=%s", options->seed);
        sets.items[sets.count++] = text_cstr(&seed);
    }
    Status status = config_load_experiment(options->experiment, &sets, &run->experiment, NULL, err);
    text_release(&seed);
    free(sets.items);
    return status;
}

static Status run_choose_path(Run *run, ErrorText *err) {
    Text path = {0};
    if (run->options->db)
        text_append(&path, run->options->db);
    else
        text_printf(&path, "results/%s.db", run->experiment.name);
    run->path = path.failed ? NULL : strdup(text_cstr(&path));
    text_release(&path);
    return run->path ? STATUS_OK : error_set(err, STATUS_NO_MEMORY, "out of memory");
}

static int core_count(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > 1024 ? 1024 : (int)cores;
}

// A player that cannot sit down is found before anything is written.
static Status run_try_players(const Run *run, ErrorText *err) {
    Status status = affinity_check(&run->experiment, err);
    return status ? status : seats_check(&run->experiment, err);
}

static Status run_hash_files(Run *run, ErrorText *err) {
    size_t count = (size_t)run->experiment.player_count;
    run->hashes = calloc(count, sizeof *run->hashes);
    run->hash_texts = calloc(count, sizeof *run->hash_texts);
    if (!run->hashes || !run->hash_texts)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    Status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++)
        // Of the file, since the version that a program tells of itself often stays the same from
        // build to build.
        if (run->experiment.players[i].external.command) {
            status = file_hash(run->experiment.players[i].external.command, &run->hashes[i], err);
            run->hash_texts[i] = run->hashes[i].text;
        }
    OpeningSpec *openings = &run->experiment.openings;
    // Part of the identity: another file under the same name is another experiment.
    if (!status && openings->file)
        status = file_hash(openings->file, &openings->file_hash, err);
    return status;
}

static bool is_timed(const Experiment *experiment) {
    bool timed = false;
    for (int i = 0; i < experiment->player_count && !timed; i++)
        timed = experiment_is_timed(experiment, i);
    return timed;
}

// Clocks that run while somebody else has the core measure the machine, not the player.
static void run_warn_about_time(const Run *run) {
    double load = 0;
    int cores = core_count();
    if (!is_timed(&run->experiment))
        return;
    // A load of cores - jobs leaves one core a game; half a program more is taken for noise.
    if (run->jobs > cores)
        fprintf(stderr,
                "warning: %d games at once on %d core%s with limits in time: players will get "
                "less than their time\n",
                run->jobs, cores, cores == 1 ? "" : "s");
    else if (getloadavg(&load, 1) == 1 && load > cores - run->jobs + 0.5)
        fprintf(stderr,
                "warning: the machine is busy (load %.1f on %d core%s) and players have limits in "
                "time\n",
                load, cores, cores == 1 ? "" : "s");
}

// Each of the games played at once keeps the tables of every player.
static Status run_check_memory(const Run *run, ErrorText *err) {
    int64_t need_mb = 0, machine_mb = large_memory_machine_mb();
    for (int i = 0; i < run->experiment.player_count; i++)
        need_mb += run->jobs * knob_memory_mb(&run->experiment.players[i].knobs);
    return need_mb <= machine_mb
               ? STATUS_OK
               : error_set(err, STATUS_INVALID,
                           "%s: the tables of all players for %d games at once take %lld MiB, but "
                           "this machine has %lld: use fewer --jobs or smaller tables",
                           run->options->experiment, run->jobs, (long long)need_mb,
                           (long long)machine_mb);
}

// Everything that can be refused is refused here, in the order from cheap to dear, and before
// anything is written: a night is not to be lost to a typing error.
static Status run_prepare(Run *run, ErrorText *err) {
    const RunOptions *options = run->options;
    run->limits.games = options->games;
    run->jobs = options->jobs > 0 ? (int)options->jobs : core_count();
    Status status = options->shard ? parse_shard(options->shard, &run->limits, err) : STATUS_OK;
    if (!status)
        status = run_load(run, err);
    if (!status)
        status = run_check_memory(run, err);
    if (!status)
        status = plan_init(&run->plan, &run->experiment, &run->limits, err);
    if (!status)
        status = tally_init(&run->tally, &run->plan, err);
    if (!status)
        status = run_choose_path(run, err);
    if (!status)
        status = run_try_players(run, err);
    if (!status)
        status = run_hash_files(run, err);
    return status;
}

static StoreRun store_run_of(const Run *run) {
    return (StoreRun){.path = run->path,
                      .experiment = &run->experiment,
                      .fresh = run->options->fresh,
                      .version = version_string(),
                      .jobs = run->jobs,
                      // The whole plan, whatever --games and --shard leave of it: 0 when the test
                      // decides on the end.
                      .planned_games = run->experiment.pairs_until_sprt
                                           ? 0
                                           : 2 * run->plan.pairs * run->plan.pairing_count,
                      .engine_hash = run->hash_texts};
}

// --- the games
// ---------------------------------------------------------------------------------------

static Status run_pool(Run *run, PoolControl *control, StoreWriter *writer, Store *reader,
                       ErrorText *err) {
    Progress progress = progress_start(run->options->quiet);
    // On the heap: it holds a step of a thousand games.
    PastReader *past = malloc(sizeof *past);
    if (!past)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    PoolOptions options = {.plan = &run->plan,
                           .jobs = run->jobs,
                           .sink = store_writer_sink(writer),
                           .control = control,
                           .progress = progress_show,
                           .progress_ctx = &progress};
    // Games of earlier sittings go through the same tally, each in its place in the plan: a test
    // that goes on is where it would be had it never stopped.
    if (reader) {
        options.past = past_games_of(past, reader);
        int64_t total = plan_game_count(&run->plan);
        // A plan that was made shorter meanwhile counts its own games only.
        options.past_games = run->resume.games < total ? run->resume.games : total;
    }
    Status status = pool_run(&options, &run->tally, &run->played, err);
    free(past);
    return status;
}

// The first failure counts; a later one is only noted when there was none.
static Status first_failure(Status status, Status later, ErrorText *err,
                            const ErrorText *later_err) {
    if (status == STATUS_OK && later != STATUS_OK)
        *err = *later_err;
    return status ? status : later;
}

static Status run_play(Run *run, Store *store, PoolControl *control, ErrorText *err) {
    StoreWriter *writer = NULL;
    Store *reader = NULL;
    ErrorText later_err = {0};
    StoreWriterOptions options = {.skip_moves = run->options->no_move_log};
    Status status = STATUS_OK;
    // A second connection: the writer's belongs to its thread while games are played.
    if (run->resume.games > 0)
        status = store_open(run->path, &reader, err);
    if (!status)
        status = store_writer_start(store, &options, &writer, err);
    if (!status) {
        status = run_pool(run, control, writer, reader, err);
        // Stopped whatever happened: what is in its queue was played and is saved.
        Status later = store_writer_stop(writer, NULL, &later_err);
        status = first_failure(status, later, err, &later_err);
    }
    store_close(reader);
    // All games of the plan, or enough of them for the test.
    bool is_complete = status == STATUS_OK &&
                       (run->plan.slot_count == 2 * run->plan.pairs * run->plan.pairing_count ||
                        tally_is_decided(&run->tally));
    Status later = store_finish_run(store, is_complete, &later_err);
    return first_failure(status, later, err, &later_err);
}

static void run_announce(const Run *run) {
    const StoreResume *resume = &run->resume;
    if (resume->renamed)
        fprintf(stderr, "the old database is now %s\n", resume->renamed);
    if (resume->notice)
        fprintf(stderr, "%s\n", resume->notice);
    if (resume->resumed && !run->options->quiet)
        fprintf(stderr, "%s: going on after %lld game%s\n", run->path, (long long)resume->games,
                resume->games == 1 ? "" : "s");
}

static int run_experiment(Run *run) {
    ErrorText err = {0};
    PoolControl control = {0};
    Store *store = NULL;
    StoreRun store_run = store_run_of(run);
    Status status = store_open_run(&store_run, &store, &run->resume, &err);
    if (status)
        return command_fail(status, &err);
    run_announce(run);
    run_warn_about_time(run);
    // From here on Ctrl-C ends the games in order; before, it may end the program, since nothing
    // was played yet.
    interrupt_catch(&control);
    status = run_play(run, store, &control, &err);
    interrupt_release();
    store_close(store);
    return run_report(
        &(RunReport){run->options, run->path, &run->tally, run->played, status, &err});
}

// A plan that repeats itself is described first and refused then: the description shows why.
static int run_dry(Run *run, Status refusal, const ErrorText *refusal_err) {
    // The preview may overwrite it.
    ErrorText err = *refusal_err;
    StoreRun store_run = store_run_of(run);
    Status status = store_preview_run(&store_run, &run->resume, &err);
    if (!status)
        status =
            run_describe(&run->plan, run->jobs, run->options->fresh ? 0 : run->resume.games, &err);
    if (!status && refusal) {
        status = refusal;
        err = *refusal_err;
    }
    return status ? command_fail(status, &err) : EXIT_DONE;
}

static int run(const void *values) {
    Run run = {.options = values};
    ErrorText err = {0};
    Status status = run_prepare(&run, &err);
    int result;
    if (status) {
        result = command_fail(status, &err);
    } else {
        status = plan_check_duplicates(&run.plan, &err);
        if (run.options->dry_run)
            result = run_dry(&run, status, &err);
        else
            result = status ? command_fail(status, &err) : run_experiment(&run);
    }
    run_release(&run);
    return result;
}

const Command command_run = {
    .name = "run",
    .summary = "play an experiment, or go on with one that was interrupted",
    .details =
        "A database that is there is gone on with: the games that it lacks are played. It must "
        "hold "
        "the same\n"
        "experiment; only pairs, --games, --jobs and --shard may change. Ctrl-C once: the games in "
        "progress end\n"
        "and everything is saved; twice: they are dropped. Exit status with `sprt:`: 0 H1 "
        "accepted, "
        "10 H0\n"
        "accepted, 11 undecided.\n",
    .options = {.rows = OPTIONS, .count = ARRAY_LEN(OPTIONS)},
    .values_size = sizeof(RunOptions),
    .run = run,
};
