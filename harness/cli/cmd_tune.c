// SPDX-License-Identifier: GPL-3.0-or-later
// `gomolab tune`: better weights, and the proof.
#include "engine/base/check.h"
#include "engine/base/version.h"
#include "harness/cli/command.h"
#include "harness/cli/config_tune.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/tune_exchange.h"
#include "harness/cli/tune_live.h"
#include "harness/cli/tune_options.h"
#include "harness/cli/tune_output.h"
#include "harness/cli/tune_synthetic.h"
#include "harness/play/seats.h"
#include "harness/tune/tune_defaults.h"
#include "harness/tune/tune_texel.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const Option OPTIONS[] = {
    OPTION_ARG_OPTIONAL(TuneOptions, file, "FILE", "the tune, a YAML file"),
    OPTION_ARGS_OPTIONAL(TuneOptions, values, "KEY=VALUE",
                         "--target-runner: values of knobs; the others stay at their start"),
    OPTION_TEXT(TuneOptions, db, "--db", "FILE", "results/NAME.db", "keep everything in FILE"),
    OPTION_INT(TuneOptions, jobs, "--jobs", "N", -1, 1, 1024, "all cores", "play N games at once"),
    OPTION_INT(TuneOptions, games, "--games", "N", 0, 1, 1e12, "that of the file",
               "budget in games, scan included; more than before goes on from the last answer"),
    OPTION_REAL(TuneOptions, hours, "--hours", "H", 0, 1e-4, 1e5, "that of the file",
                "budget in hours"),
    OPTION_INT(TuneOptions, iterations, "--iterations", "N", 0, 1, 1e12, "that of the file",
               "budget in iterations of the tuner"),
    OPTION_TEXT(TuneOptions, seed, "--seed", "S", "that of the file", "seed of the tune"),
    OPTION_LIST(TuneOptions, set, "--set", "KEY=VALUE", "change a key of the tune"),
    OPTION_FLAG(TuneOptions, transfer, "--transfer", "repeat the held-out match two plies deeper"),
    OPTION_FLAG(TuneOptions, fresh, "--fresh", "rename a database that is there and start anew"),
    OPTION_FLAG(TuneOptions, dry_run, "--dry-run", "play nothing: print what would be done"),
    OPTION_FLAG(TuneOptions, quiet, "--quiet", "no progress"),
    OPTION_TEXT(TuneOptions, export, "--export", "tsv", NULL,
                "play nothing: print every trial of the database as TSV"),
    OPTION_FLAG(TuneOptions, target_runner, "--target-runner",
                "play the given values against the start and print one number, the share of the "
                "points lost: lower is better"),
    OPTION_INT(TuneOptions, pairs, "--pairs", "N", 0, 1, 100000, "20",
               "--target-runner: pairs of games; --seed draws their openings"),
    OPTION_TEXT(TuneOptions, synthetic, "--synthetic", "SURFACE", NULL,
                "no file: judge spsa on a known surface: quadratic, correlated, saturating, flat, "
                "bound or null"),
    OPTION_INT(TuneOptions, seeds, "--seeds", "N", 0, 1, 100000, "50",
               "synthetic: so many tunes with --games (100000) each"),
    OPTION_FLAG(TuneOptions, known, "--known",
                "synthetic: the sensitivities are known instead of scanned"),
};

static const OptionNeed NEEDS[] = {
    {"--pairs", "--target-runner"},
    {"--seeds", "--synthetic"},
    {"--known", "--synthetic"},
};

// Everything that one call of the command holds; `options` is borrowed from the table that parsed
// it.
typedef struct Tune {
    const TuneOptions *options;
    TuneSpec spec;
    TuneBudget budget;
    char *path; // owned; of the database
    int jobs;
    TuneLive live;
    PoolControl control;
} Tune;

// --- before the first game ---------------------------------------------------------------

static Status choose_budget(Tune *tune, ErrorText *err) {
    const TuneOptions *o = tune->options;
    int given = (o->games > 0) + (o->iterations > 0) + (o->hours > 0);
    const char *method = tune->spec.method;
    bool plays = strcmp(method, "sense") != 0 && strcmp(method, "texel") != 0;
    if (given > 1)
        return error_set(err, STATUS_INVALID,
                         "gomolab tune: --games, --iterations and --hours exclude each other");
    // Silence would let somebody wait for a budget that nothing obeys.
    if (given && !plays)
        return error_set(err, STATUS_INVALID, "%s: a budget makes no sense for method %s",
                         tune->spec.path, method);
    tune->budget = given ? (TuneBudget){o->games, o->iterations, o->hours, NULL}
                         : (TuneBudget){tune->spec.budget_games, tune->spec.budget_iterations,
                                        tune->spec.budget_hours, NULL};
    // A budget that proves too small is blamed on the line, or the option, that said it.
    tune->budget.said_at = !given              ? tune->spec.said_at[TUNE_KEY_BUDGET]
                           : o->games > 0      ? "gomolab tune: --games"
                           : o->iterations > 0 ? "gomolab tune: --iterations"
                                               : "gomolab tune: --hours";
    Status status = tune_check_budget(&tune->spec, &tune->budget, err);
    return status ? error_wrap(err, status, "%s", tune->budget.said_at) : STATUS_OK;
}

// The file as the options change it; --seed is one more --set.
static Status load(Tune *tune, ErrorText *err) {
    const TuneOptions *o = tune->options;
    OptionList sets = {0};
    Text seed = {0};
    sets.items = calloc((size_t)o->set.count + 1, sizeof *sets.items);
    if (!sets.items)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    for (; sets.count < o->set.count; sets.count++)
        sets.items[sets.count] = o->set.items[sets.count];
    if (o->seed && !o->target_runner) { // there it draws openings only
        text_printf(&seed, "seed=%s", o->seed);
        sets.items[sets.count++] = text_cstr(&seed);
    }
    Status status = config_load_tune(o->file, &sets, &tune->spec, NULL, err);
    text_release(&seed);
    free(sets.items);
    return status;
}

static Status choose_path(Tune *tune, ErrorText *err) {
    Text path = {0};
    if (tune->options->db)
        text_append(&path, tune->options->db);
    else
        text_printf(&path, "results/%s.db", tune->spec.name);
    tune->path = path.failed ? NULL : strdup(text_cstr(&path));
    text_release(&path);
    if (!tune->spec.output) {
        Text output = {0};
        text_printf(&output, "results/tuned-%s.yaml", tune->spec.name);
        tune->spec.output = output.failed ? NULL : strdup(text_cstr(&output));
        text_release(&output);
    }
    return tune->path && tune->spec.output ? STATUS_OK
                                           : error_set(err, STATUS_NO_MEMORY, "out of memory");
}

// A player that cannot sit down is found before anything is written: the base, and the anchors of
// the proof, which would be met only at its end.
static Status try_players(const Tune *tune, ErrorText *err) {
    Experiment experiment = tune->spec.match;
    PlayerSpec players[1 + TUNE_MAX_ANCHORS]; // shallow copies: the specs stay the tune's
    experiment.players = players;
    experiment.player_count = 0;
    players[experiment.player_count++] = tune->spec.base;
    for (int i = 0; i < tune->spec.proof.anchor_count; i++)
        players[experiment.player_count++] = tune->spec.proof.anchors[i];
    return seats_check(&experiment, err);
}

static Status check_output(const Tune *tune, ErrorText *err) {
    Status status = strcmp(tune->spec.method, "sense") == 0
                        ? STATUS_OK
                        : tune_output_check(tune->spec.output, err);
    return status ? error_wrap(err, status, "%s", tune->spec.said_at[TUNE_KEY_OUTPUT]) : status;
}

// A valid file may name a database that is still to be played; a tune needs it.
static Status check_database(const Tune *tune, ErrorText *err) {
    const char *path = tune->spec.texel.database;
    if (access(path, R_OK))
        return error_set(err, STATUS_NOT_FOUND, "%s: %s: %s", tune->spec.said_at[TUNE_KEY_DATABASE],
                         path, strerror(errno));
    return tune_texel_check(&tune->spec, err);
}

static Status check_openings(const Tune *tune, ErrorText *err) {
    uint32_t *order = NULL;
    int64_t held;
    OpeningSet set = {0};
    Status status = tune_read_openings(&tune->spec, &set, &order, &held, err);
    int64_t deep = tune->options->transfer ? tune->spec.proof.transfer_pairs : 0;
    if (!status && tune->spec.proof.pairs == 0 && tune->options->transfer)
        status = error_set(err, STATUS_INVALID, "%s: 0 is no proof, --transfer makes no sense",
                           tune->spec.said_at[TUNE_KEY_PROOF_PAIRS]);
    // The deeper match must be on openings that the tuner has not seen, and no opening twice: it
    // could not be played to its end after hours of tuning.
    if (!status && deep > held)
        status = error_set(err, STATUS_INVALID,
                           "%s: proof.transfer_pairs: %lld pairs, but the held-out share has %lld "
                           "of %d openings",
                           tune->spec.path, (long long)deep, (long long)held, (int)set.count);
    free(order);
    opening_set_release(&set);
    return status;
}

// Everything that can be refused is refused here, before the first game.
static Status prepare(Tune *tune, ErrorText *err) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    tune->jobs = tune->options->jobs > 0 ? (int)tune->options->jobs : cores < 1 ? 1 : (int)cores;
    Status status = load(tune, err);
    if (!status)
        status = choose_budget(tune, err);
    if (!status)
        status = choose_path(tune, err);
    // Neither export nor target runner writes a player.
    if (!status && !tune->options->export && !tune->options->target_runner)
        status = check_output(tune, err);
    if (!status)
        status = check_openings(tune, err);
    if (!status && strcmp(tune->spec.method, "texel") == 0)
        status = check_database(tune, err);
    if (!status)
        status = try_players(tune, err);
    return status;
}

// --- the run -----------------------------------------------------------------------------

// Callbacks of the run.
static void show(void *ctx, const TuneProgress *progress) {
    tune_live_show(&((Tune *)ctx)->live, progress);
}

// What is there already, said before the first game.
static void opened(void *ctx, const StoreResume *resume) {
    const Tune *tune = ctx;
    if (resume->renamed)
        fprintf(stderr, "the old database is now %s\n", resume->renamed);
    if (resume->resumed && !tune->options->quiet)
        fprintf(stderr, "%s: goes on after %lld game%s\n", tune->path, (long long)resume->games,
                text_plural(resume->games));
}

static void say(void *ctx, const char *line) { tune_live_say(&((Tune *)ctx)->live, line); }

static void ended(void *ctx, const StoreTuneStage *stage, const StoreTuneEffect *effects,
                  const StoreTuneMatch *match) {
    Tune *tune = ctx;
    Text text = {0};
    (void)stage;
    // Method sense prints its effects at the end, as its result on standard output.
    if (effects && strcmp(tune->spec.method, "sense") != 0)
        tune_output_effects(&tune->spec, effects, &text);
    if (match)
        tune_output_match(match, &text);
    // tune_live_say ends the line itself.
    if (text.length > 0 && text.data[text.length - 1] == '\n')
        text.data[--text.length] = '\0';
    if (text.length > 0)
        tune_live_say(&tune->live, text_cstr(&text));
    text_release(&text);
}

static void say_how_to_go_on(const TuneOptions *options) {
    Text command = {0};
    tune_options_write_command(options, &command);
    fprintf(stderr, "interrupted; go on with: %s\n", text_cstr(&command));
    text_release(&command);
}

// The scan's own table is the result of method sense.
static Status print_scan(const Tune *tune, ErrorText *err) {
    Store *store = NULL;
    StoreTuneStage *stages = NULL;
    StoreTuneEffect *effects = NULL;
    int count = 0, effect_count = 0;
    Text text = {0};
    Status status = store_tune_open(tune->path, &store, err);
    if (!status)
        status = store_tune_stages(store, &stages, &count, err);
    if (!status && count > 0)
        status = store_tune_effects(store, stages[0].id, &effects, &effect_count, err);
    // A scan that was interrupted has effects of no knob, or of all: they are written together.
    if (!status && effect_count == tune->spec.knob_count) {
        tune_output_effects(&tune->spec, effects, &text);
        fputs(text_cstr(&text), stdout);
    }
    text_release(&text);
    free(effects);
    store_tune_stages_free(stages, count);
    store_close(store);
    return status;
}

static Status print_result(const Tune *tune, const TuneOutcome *outcome, ErrorText *err) {
    Text text = {0};
    char *written = NULL;
    Status status = STATUS_OK;
    if (strcmp(tune->spec.method, "sense") == 0)
        return print_scan(tune, err);
    tune_output_tables(&tune->spec, outcome, &text);
    fputs(text_cstr(&text), stdout);
    text_release(&text);
    // Only a finished tune has an answer; a player file made of less would look like one.
    if (outcome->is_finished)
        status = tune_output_write(&tune->spec, outcome, tune->spec.output, &written, err);
    if (written)
        printf("player: %s\n", written);
    free(written);
    return status;
}

static int play(Tune *tune) {
    ErrorText err = {0}, later = {0};
    TuneOutcome outcome;
    StoreResume resume = {0};
    TuneRunOptions options = {.spec = &tune->spec,
                              .path = tune->path,
                              .version = version_string(),
                              .budget = tune->budget,
                              .fresh = tune->options->fresh,
                              .transfer = tune->options->transfer,
                              .jobs = tune->jobs,
                              .control = &tune->control,
                              .opened = opened,
                              .progress = show,
                              .say = say,
                              .ended = ended,
                              .ctx = tune};
    tune->live = tune_live_start(tune->options->quiet);
    // From here on Ctrl-C stops the run in order; what is stored are whole iterations.
    interrupt_catch(&tune->control);
    Status status = tune_run(&options, &outcome, &resume, &err);
    interrupt_release();
    // After any other failure there is no outcome worth printing.
    bool has_started = status == STATUS_OK || status == STATUS_STOPPED;
    // An interrupted tune prints what is best so far, but writes no player file: that is for the
    // answer.
    if (has_started && print_result(tune, &outcome, &later) && status == STATUS_OK) {
        status = STATUS_IO;
        err = later;
    }
    if (status == STATUS_STOPPED)
        say_how_to_go_on(tune->options);
    store_resume_release(&resume);
    tune_outcome_release(&outcome);
    if (status == STATUS_STOPPED)
        return EXIT_INTERRUPTED;
    return status ? command_fail(status, &err) : EXIT_DONE;
}

// What would be done, and from where: the database is looked at as a tune would open it.
static int describe(const Tune *tune) {
    const TuneSpec *spec = &tune->spec;
    ErrorText err = {0};
    Text text = {0};
    StoreResume resume = {0};
    TuneRunOptions options = {
        .spec = spec, .path = tune->path, .fresh = tune->options->fresh, .budget = tune->budget};
    Status status = tune_preview(&options, &resume, &err);
    if (status)
        return command_fail(status, &err);
    tune_write_forecast(spec, &tune->budget, &text);
    if (tune->options->transfer)
        text_printf(&text, "transfer: %lld games two plies deeper\n",
                    2 * (long long)spec->proof.transfer_pairs);
    printf("%s: method %s, %d knobs, base %s, seed %llu\n%s", spec->name, spec->method,
           spec->knob_count, spec->base.name, (unsigned long long)spec->seed, text_cstr(&text));
    if (resume.resumed)
        printf("%s: would go on after %lld game%s\n", tune->path, (long long)resume.games,
               text_plural(resume.games));
    store_resume_release(&resume);
    text_release(&text);
    return EXIT_DONE;
}

static int export_trials(const Tune *tune) {
    ErrorText err = {0};
    Status status = tune_export_tsv(&tune->spec, tune->path, &err);
    return status ? command_fail(status, &err) : EXIT_DONE;
}

static int run_target(Tune *tune) {
    const TuneOptions *o = tune->options;
    ErrorText err = {0};
    int64_t seed = 1;
    // The default of 1 is fixed, so that two calls for the same values are the same games.
    if (o->seed && !text_parse_int(o->seed, 0, INT64_MAX, &seed))
        error_set(&err, STATUS_INVALID, "gomolab tune: --seed: '%.40s', expected a whole number",
                  o->seed);
    TuneTargetOptions target = {.settings = &o->values,
                                .seed = (uint64_t)seed,
                                .pairs = o->pairs > 0 ? (int)o->pairs : 20,
                                .jobs = tune->jobs,
                                .control = &tune->control};
    interrupt_catch(&tune->control);
    Status status = err.text[0] ? STATUS_INVALID : tune_target_print(&tune->spec, &target, &err);
    interrupt_release();
    if (status == STATUS_STOPPED)
        return EXIT_INTERRUPTED;
    return status ? command_fail(status, &err) : EXIT_DONE;
}

// The command is defined at the end of the file, behind the functions that it names.
static const Command *self(void);

static int run(const void *values) {
    Tune tune = {.options = values};
    ErrorText err = {0};
    int result;
    if (tune_options_check(tune.options, &err))
        return command_usage(self(), "%s", err.text);
    if (tune.options->synthetic) {
        TuneSyntheticOptions synthetic = {tune.options->synthetic,
                                          tune.options->seeds > 0 ? tune.options->seeds : 50,
                                          tune.options->games, tune.options->known};
        return tune_synthetic(&synthetic);
    }
    Status status = prepare(&tune, &err);
    if (status)
        result = command_fail(status, &err);
    else if (tune.options->dry_run)
        result = describe(&tune);
    else if (tune.options->export)
        result = export_trials(&tune);
    else if (tune.options->target_runner)
        result = run_target(&tune);
    else
        result = play(&tune);
    tune_spec_release(&tune.spec);
    free(tune.path);
    return result;
}

const Command command_tune = {
    .name = "tune",
    .summary = "tune knobs of a player, and prove what came of it",
    .details =
        "A tune is scan, tuner and proof: each knob's effect, better values, a match on openings "
        "that the tuner\n"
        "has not seen. It goes on where it was stopped, whatever stopped it; the end does not "
        "depend on that nor\n"
        "on --jobs (limits in depth or nodes). A larger budget goes on from the last answer. The "
        "result is a player\n"
        "file, results/tuned-NAME.yaml, unless `output:` names another; no file is overwritten.\n",
    .options = {OPTIONS, ARRAY_LEN(OPTIONS), NEEDS, ARRAY_LEN(NEEDS)},
    .values_size = sizeof(TuneOptions),
    .run = run,
};

static const Command *self(void) { return &command_tune; }
