// SPDX-License-Identifier: GPL-3.0-or-later
// Stage after stage.
#include "harness/tune/tune_run.h"

#include "engine/base/clock.h"
#include "harness/tune/params.h"
#include "harness/tune/sense.h"
#include "harness/tune/spsa.h"
#include "harness/tune/tune_defaults.h"
#include "harness/tune/tune_describe.h"
#include "harness/tune/tune_match.h"
#include "harness/tune/tune_plan.h"
#include "harness/tune/tune_texel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MATCH_PAIRS_EACH = 32 };

// One run of the program on a tune. Rows are read anew before each stage, all else lives to the
// end.
typedef struct TuneRun {
    const TuneRunOptions *options;
    const TuneSpec *spec;
    Store *store;
    OpeningSet openings;
    uint32_t *order; // owned; held-out openings first
    int64_t held;
    TuneCrew *crew; // NULL until the first game
    TunePlan plan;
    StoreTuneStage *stages; // owned; as read before the plan was made
    int stage_count;
    StoreTuneMatch *matches; // owned
    int match_count;
    StoreTuneEffect *effects;                           // owned; of the scan, NULL: none
    TuneProofSpec test;                                 // of the match in progress
    double plus[TUNE_MAX_KNOBS], minus[TUNE_MAX_KNOBS]; // of the match in progress
} TuneRun;

// --- what is stored ----------------------------------------------------------------------

static void forget_rows(TuneRun *run) {
    store_tune_stages_free(run->stages, run->stage_count);
    store_tune_matches_free(run->matches, run->match_count);
    free(run->effects);
    run->stages = NULL;
    run->matches = NULL;
    run->effects = NULL;
    run->stage_count = run->match_count = 0;
}

// Read anew before every stage: the plan follows from what is stored and from nothing else, so a
// tune that was killed goes on like one that was not.
static Status read_rows(TuneRun *run, ErrorText *err) {
    forget_rows(run);
    Status status = store_tune_stages(run->store, &run->stages, &run->stage_count, err);
    if (!status)
        status = store_tune_matches(run->store, &run->matches, &run->match_count, err);
    for (int i = 0; i < run->stage_count && !status; i++) {
        int count = 0;
        // Steps come from the last scan that has ended.
        if (strcmp(run->stages[i].kind, "sense") != 0 || !run->stages[i].finished_at)
            continue;
        status = store_tune_effects(run->store, run->stages[i].id, &run->effects, &count, err);
        if (!status && count != run->spec->knob_count)
            status = error_set(err, STATUS_INVALID, "a scan of %d knobs, not %d", count,
                               run->spec->knob_count);
    }
    return status;
}

static void make_plan(TuneRun *run) {
    TunePlanInput input = {.spec = run->spec,
                           .budget = run->options->budget,
                           .transfer = run->options->transfer,
                           .stages = run->stages,
                           .stage_count = run->stage_count,
                           .matches = run->matches,
                           .match_count = run->match_count,
                           .effects = run->effects};
    tune_plan_next(&input, &run->plan);
}

// --- setups ------------------------------------------------------------------------------

static const TunerMethod *method_of(const TuneRun *run) {
    switch (run->plan.kind) {
    case TUNE_STAGE_SENSE:
        return &TUNER_SENSE;
    case TUNE_STAGE_MATCH:
        return &TUNER_MATCH;
    case TUNE_STAGE_MAIN:
    case TUNE_STAGE_NONE:
        break;
    }
    return tuner_find(run->spec->method);
}

// The most pairs an iteration that make up the match exactly.
// Exactly, because the length of the match was registered: not a pair more for the sake of whole
// iterations.
static int match_pairs_each(int64_t pairs) {
    int each = MATCH_PAIRS_EACH;
    while (pairs % each != 0)
        each--;
    return each;
}

// The answer as it will be written to the file, rounded: that player is proved, not the vector
// behind it.
static void setup_match(TuneRun *run, TunerSetup *setup) {
    const TuneMatchPlan *match = &run->plan.match;
    const TuneSpec *spec = run->spec;
    double final[TUNE_MAX_KNOBS];
    *setup = (TunerSetup){.spec = spec, .pairs_each = match_pairs_each(match->pairs)};
    setup->iterations = match->pairs / setup->pairs_each;
    memcpy(setup->start, run->plan.start, sizeof setup->start);
    params_final(spec, run->plan.start, final);
    for (int i = 0; i < spec->knob_count; i++) {
        run->plus[i] = match->is_new ? final[i] : spec->knobs[i].start;
        run->minus[i] = spec->knobs[i].start;
    }
    setup->plus = run->plus;
    setup->minus = run->minus;
    run->test = spec->proof;
    // Less than the spec's where the same openings were looked at before.
    run->test.alpha = match->alpha;
    setup->test = match->is_verdict ? &run->test : NULL;
}

// Start against start for a moment: how fast are games on this machine?
static Status measure_speed(TuneRun *run, ErrorText *err);

// Does the scan leave something of a budget of time? Says how much is needed.
static Status check_hours(TuneRun *run, ErrorText *err) {
    double hours = run->options->budget.hours, scan = (double)tune_scan_games(run->spec);
    if (hours == 0)
        return STATUS_OK;
    Status status = measure_speed(run, err);
    const char *said = run->options->budget.said_at;
    double needed = scan / (2 * run->plan.pairs_per_second * 3600);
    if (status || hours > 1.1 * needed)
        return status;
    return error_set(err, STATUS_INVALID,
                     "%s: %g hours are too few: the scan of %d knobs takes %.0f games, at "
                     "%.0f games/s about %.2g hours; expected twice that or more",
                     said ? said : "budget.hours", hours, run->spec->knob_count, scan,
                     2 * run->plan.pairs_per_second, needed);
}

static Status make_setup(TuneRun *run, TunerSetup *setup, ErrorText *err) {
    TunePlan *plan = &run->plan;
    const StoreTuneStage *stored = plan->row >= 0 ? &run->stages[plan->row] : NULL;
    Status status = STATUS_OK;
    if (plan->kind == TUNE_STAGE_MATCH) {
        setup_match(run, setup);
        // What the stored stage says replaces everything below, whatever this build would choose
        // today.
    } else if (stored) {
        *setup = (TunerSetup){.spec = run->spec};
    } else if (plan->kind == TUNE_STAGE_SENSE) {
        tune_setup_sense(run->spec, setup);
        status = check_hours(run, err);
    } else {
        if (plan->hours > 0 && plan->pairs_per_second == 0)
            status = measure_speed(run, err);
        if (!status && plan->hours > 0)
            plan->games = 2 * plan->pairs_per_second * 3600 * plan->hours;
        tune_setup_main(run->spec, plan->start, plan->steps, plan->games, setup);
        // tune_setup_main counts from games; a budget in iterations is kept to the letter.
        if (plan->iterations > 0) { // as counted by the plan, however long the run
            bool is_random = strcmp(run->spec->method, "random") == 0;
            setup->pairs_each = is_random ? run->spec->random.pairs : tune_spsa_pairs(run->spec, 0);
            setup->iterations = plan->iterations;
        }
    }
    if (stored)
        tune_setup_stored(stored, setup);
    // Ids count from 0 without gaps, so a new stage gets the number of those that exist; its seed
    // follows.
    int64_t id = stored ? stored->id : run->stage_count;
    setup->seed = tune_stage_seed(run->spec, id);
    return status;
}

// Tuner stages play both sides with the base player and values of their own, on the tuner's
// openings in random order; matches say otherwise.
static CrewSides sides_of(const TuneRun *run) {
    const TuneMatchPlan *match = &run->plan.match;
    bool is_match = run->plan.kind == TUNE_STAGE_MATCH;
    CrewSides sides = {.player = {&run->spec->base, &run->spec->base},
                       .takes_values = {true, true},
                       .openings = run->order + run->held,
                       .opening_count = run->openings.count - run->held};
    if (!is_match)
        return sides;
    sides.depth_plus = match->depth_plus;
    sides.in_order = true;
    // `order` has the held-out share first: see tune_read_openings.
    if (!match->on_tuning) {
        sides.openings = run->order;
        sides.opening_count = run->held;
    }
    // An anchor is a player of its own, whose knobs are not among those that are tuned.
    if (match->anchor) {
        sides.player[1] = match->anchor;
        sides.takes_values[1] = false;
    }
    return sides;
}

static Status start_crew(TuneRun *run, ErrorText *err) {
    if (run->crew)
        return STATUS_OK;
    CrewSetup setup = {run->spec, &run->openings, run->options->jobs, run->options->control};
    return tune_crew_start(&setup, &run->crew, err);
}

static Status measure_speed(TuneRun *run, ErrorText *err) {
    // Enough for the first games, which fill caches and tables, not to
    // decide.
    enum { PAIRS_A_JOB = 16 };
    int pairs = PAIRS_A_JOB * run->options->jobs;
    TunerSetup setup = {.spec = run->spec, .pairs_each = pairs};
    TuneTrial *trials = calloc((size_t)pairs, sizeof *trials);
    TuneResult *results = calloc((size_t)pairs, sizeof *results);
    bool is_done = false;
    Status status = trials && results ? start_crew(run, err)
                                      : error_set(err, STATUS_NO_MEMORY, "out of memory");
    for (int pair = 0; pair < pairs && !status; pair++) {
        for (int i = 0; i < run->spec->knob_count; i++)
            // Start against start: as good as any for the clock, and it tells nobody anything.
            trials[pair].plus[i] = trials[pair].minus[i] = run->spec->knobs[i].start;
        trials[pair].seed = tuner_pair_seed(&setup, 0, pair);
    }
    int64_t start_ns = clock_now_ns(clock_monotonic());
    if (!status) {
        CrewSides sides = sides_of(run);
        tune_crew_seat(run->crew, &sides);
        status = tune_crew_give(run->crew, trials, pairs, 0, err);
    }
    if (!status)
        status = tune_crew_collect(run->crew, 0, results, &is_done, err);
    double seconds = (double)(clock_now_ns(clock_monotonic()) - start_ns) / 1e9;
    if (!status)
        run->plan.pairs_per_second = pairs / fmax(seconds, 1e-6);
    free(trials);
    free(results);
    return status;
}

// --- a stage -----------------------------------------------------------------------------

static void write_title(const TuneRun *run, Text *out) {
    const TuneMatchPlan *match = &run->plan.match;
    if (run->plan.kind == TUNE_STAGE_MATCH)
        text_printf(out, "%s v %s, %s openings%s", match->player, match->opponent,
                    match->on_tuning ? "tuning" : "held-out",
                    match->depth_plus ? ", two plies deeper" : "");
    else if (run->plan.kind == TUNE_STAGE_SENSE)
        text_append(out, "scan");
    else
        text_printf(out, "%s%s", run->spec->method, run->plan.tuners ? ", going on" : "");
}

// The bounds of the test go into the row before its first game: registered, as the word is.
static StoreTuneMatch match_row(const TuneRun *run, int64_t stage) {
    const TuneMatchPlan *match = &run->plan.match;
    const TuneProofSpec *proof = &run->spec->proof;
    return (StoreTuneMatch){.stage = stage,
                            .player = (char *)match->player,
                            .opponent = (char *)match->opponent,
                            .openings = (char *)(match->on_tuning ? "tuning" : "held-out"),
                            .depth_plus = match->depth_plus,
                            .is_verdict = match->is_verdict,
                            .elo0 = proof->elo0,
                            .elo1 = proof->elo1,
                            .alpha = match->alpha,
                            .beta = proof->beta,
                            .pairs = match->pairs};
}

static Status begin_stage(TuneRun *run, const TunerMethod *method, TunerSetup *setup,
                          const char *title, StoreTuneStage *stage, ErrorText *err) {
    int n = run->spec->knob_count;
    *stage = (StoreTuneStage){.kind = (char *)method->name,
                              .title = (char *)title,
                              .iterations = setup->iterations,
                              .pairs_each = setup->pairs_each,
                              .hours = run->plan.hours,
                              .rate = setup->rate,
                              .start = {setup->start, n},
                              .steps = {setup->steps, n}};
    StoreTuneMatch match = match_row(run, 0);
    bool is_match = run->plan.kind == TUNE_STAGE_MATCH;
    return store_tune_begin_stage(run->store, stage, is_match ? &match : NULL, err);
}

// The store writes NaN as NULL.
static double number_or_nan(StatValue value) { return stat_exists(value) ? value.value : NAN; }

static void fill_match(const MatchOutcome *outcome, StoreTuneMatch *row) {
    for (int c = 0; c < PAIR_CLASS_NB; c++)
        row->classes[c] = outcome->pairs.n[c];
    row->elo = number_or_nan(outcome->stats.elo);
    row->elo_lo = number_or_nan(outcome->stats.interval.lo);
    row->elo_hi = number_or_nan(outcome->stats.interval.hi);
    // Only the match that decides has a test; elsewhere the ratio would invite reading one into it.
    row->llr = row->llr_lower = row->llr_upper = NAN;
    if (!row->is_verdict)
        return;
    row->llr = number_or_nan(outcome->test.result.llr);
    row->llr_lower = outcome->test.result.lower;
    row->llr_upper = outcome->test.result.upper;
    row->verdict = (char *)match_verdict(outcome);
}

// The answer, the effects and the verdict are stored with the end, in one transaction: a stage that
// has ended has all of them.
static Status end_stage(TuneRun *run, const TuneStageRun *play, StoreTuneStage *stage,
                        const double *state, ErrorText *err) {
    StoreTuneEffect effects[TUNE_MAX_KNOBS];
    StoreTuneMatch match = match_row(run, stage->id);
    double u[TUNE_MAX_KNOBS];
    play->method->answer(play->setup, state, u);
    StoreVector answer = {u, run->spec->knob_count};
    StoreTuneEnd end = {.answer = &answer};
    if (run->plan.kind == TUNE_STAGE_SENSE) {
        sense_effects(play->setup, state, effects);
        end.effects = effects;
        end.effect_count = run->spec->knob_count;
    }
    if (run->plan.kind == TUNE_STAGE_MATCH) {
        MatchOutcome outcome = match_outcome(play->setup, state);
        fill_match(&outcome, &match);
        end.match = &match;
    }
    Status status = store_tune_end_stage(run->store, stage->id, &end, err);
    if (!status && run->options->ended)
        run->options->ended(run->options->ctx, stage, end.effects, end.match);
    return status;
}

// Before the first game: afterwards nobody could tell a forecast from an excuse.
static void say_forecast(const TuneRun *run, const TunerSetup *setup) {
    double games = 2.0 * (double)setup->iterations * setup->pairs_each;
    Text line = {0};
    if (!run->options->say || run->plan.kind != TUNE_STAGE_MAIN ||
        strcmp(run->spec->method, "spsa") != 0)
        return;
    SpsaForecast f = spsa_forecast(setup, games, 0);
    text_printf(&line,
                "spsa: %.0f games in %lld iterations; single vectors settle %.1f Elo below the "
                "best, the answer %.1f; a gap shrinks by e^-2 in %.0f games, to %.1f %% in all",
                games, (long long)setup->iterations, f.floor_elo, f.answer_elo, f.time_games,
                100 * f.left);
    run->options->say(run->options->ctx, text_cstr(&line));
    if (games < f.wanted_games) {
        text_clear(&line);
        text_printf(&line, "warning: a short run: %.0f games are wanted for the averaging to work",
                    f.wanted_games);
        run->options->say(run->options->ctx, text_cstr(&line));
    }
    text_release(&line);
}

static Status play_stage(TuneRun *run, ErrorText *err) {
    TunerSetup setup;
    StoreTuneStage begun = {0};
    Text title = {0};
    double state[TUNE_STATE_MAX];
    const TunerMethod *method = method_of(run);
    // Threads live from the first stage to the last, with the players they have made.
    Status status = start_crew(run, err);
    if (!status)
        status = make_setup(run, &setup, err);
    if (status)
        return status;
    say_forecast(run, &setup);
    write_title(run, &title);
    StoreTuneStage *stage = run->plan.row >= 0 ? &run->stages[run->plan.row] : &begun;
    // The row of the stage before its first game: it holds the schedule, which must not change any
    // more.
    if (run->plan.row < 0)
        status = begin_stage(run, method, &setup, text_cstr(&title), stage, err);
    TuneStageRun play = {.method = method,
                         .setup = &setup,
                         .title = text_cstr(&title),
                         .store = run->store,
                         .stage = stage->id,
                         .done = stage->done,
                         .crew = run->crew,
                         .progress = run->options->progress,
                         .progress_ctx = run->options->ctx};
    if (!status) {
        CrewSides sides = sides_of(run);
        tune_crew_seat(run->crew, &sides);
        status = tune_stage_play(&play, state, err);
    }
    if (!status)
        status = end_stage(run, &play, stage, state, err);
    text_release(&title);
    return status;
}

// The regression plays no games: one stage without iterations.
static Status fit_stage(TuneRun *run, ErrorText *err) {
    TunerSetup setup = {.spec = run->spec};
    TunerMethod texel = {.name = "texel"};
    StoreTuneStage stage = {0};
    double u[TUNE_MAX_KNOBS];
    Text report = {0};
    params_start(run->spec, setup.start);
    Status status = tune_texel(run->spec, u, &report, err);
    if (!status && run->plan.row < 0)
        status = begin_stage(run, &texel, &setup, "texel", &stage, err);
    else if (!status)
        stage.id = run->stages[run->plan.row].id;
    StoreVector answer = {u, run->spec->knob_count};
    if (!status && run->options->say)
        run->options->say(run->options->ctx, text_cstr(&report));
    if (!status)
        status =
            store_tune_end_stage(run->store, stage.id, &(StoreTuneEnd){.answer = &answer}, err);
    text_release(&report);
    return status;
}

static Status play_all(TuneRun *run, ErrorText *err) {
    Status status = STATUS_OK;
    while (!status) {
        status = read_rows(run, err);
        if (status)
            return status;
        make_plan(run);
        if (run->plan.kind == TUNE_STAGE_NONE)
            return store_tune_finish(run->store, err);
        // Between stages nobody waits for games, so the control is asked here as well.
        if (atomic_load_explicit(&run->options->control->level, memory_order_relaxed) > 0)
            return error_set(err, STATUS_STOPPED, "interrupted");
        bool is_fit = run->plan.kind == TUNE_STAGE_MAIN && strcmp(run->spec->method, "texel") == 0;
        status = is_fit ? fit_stage(run, err) : play_stage(run, err);
    }
    return status;
}

// --- the run -----------------------------------------------------------------------------

// Opens the database; with store NULL it is only looked at.
static Status open_store(const TuneRunOptions *options, Store **store, StoreResume *resume,
                         ErrorText *err) {
    Text identity = {0};
    StoreTune *tune = NULL;
    *resume = (StoreResume){0};
    Status status = tune_describe(options->spec, &identity, &tune, err);
    StoreTuneRun open = {
        .path = options->path, .tune = tune, .fresh = options->fresh, .version = options->version};
    if (!status)
        status = store ? store_tune_open_run(&open, store, resume, err)
                       : store_tune_preview_run(&open, resume, err);
    text_release(&identity);
    free(tune);
    return status;
}

Status tune_preview(const TuneRunOptions *options, StoreResume *resume, ErrorText *err) {
    return open_store(options, NULL, resume, err);
}

Status tune_run(const TuneRunOptions *options, TuneOutcome *outcome, StoreResume *resume,
                ErrorText *err) {
    TuneRun run = {.options = options, .spec = options->spec};
    ErrorText later;
    *outcome = (TuneOutcome){0};
    Status status = tune_read_openings(run.spec, &run.openings, &run.order, &run.held, err);
    if (!status)
        status = open_store(options, &run.store, resume, err);
    if (!status && options->opened)
        options->opened(options->ctx, resume);
    if (!status) {
        status = play_all(&run, err);
        // Also after a failure or an interruption: what was found so far is what the user wants to
        // see. The first failure is the one to report.
        if (tune_read_outcome(run.spec, run.store, outcome, &later) && !status) {
            status = STATUS_IO;
            *err = later;
        }
        outcome->is_finished = status == STATUS_OK;
    }
    tune_crew_stop(run.crew);
    forget_rows(&run);
    store_close(run.store);
    if (status == STATUS_INVALID && run.store && !resume->resumed && outcome->games == 0)
        unlink(options->path); // refused before the first game: nothing is left behind
    free(run.order);
    opening_set_release(&run.openings);
    return status;
}
