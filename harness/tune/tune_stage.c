// SPDX-License-Identifier: GPL-3.0-or-later
// The loop of a stage. Place k mod TUNE_LAG of the ring holds the state that iteration k is made
// from until its results are in, then the state after it.
#include "harness/tune/tune_stage.h"

#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "engine/base/rng.h"
#include "harness/tune/params.h"

#include <stdlib.h>
#include <string.h>

enum { SALT_STAGE = 0x5354 }; // of the seed of a stage

typedef struct Loop {
    const TuneStageRun *run;
    size_t state_size; // bytes
    double ring[TUNE_LAG][TUNE_STATE_MAX];
    double *state;        // after the last iteration taken
    int64_t given, taken; // iterations
    TuneTrial *trials;    // owned; pairs_each
    TuneResult *results;  // owned; pairs_each
    char *letters;        // owned; 2 * pairs_each + 1
    int64_t start_ns, last_ns;
} Loop;

static double seconds_since(int64_t start_ns) {
    return (double)(clock_now_ns(clock_monotonic()) - start_ns) / 1e9;
}

uint64_t tune_stage_seed(const TuneSpec *spec, int64_t stage) {
    return rng_mix(rng_mix(spec->seed, SALT_STAGE), (uint64_t)stage);
}

void tune_setup_stored(const StoreTuneStage *stage, TunerSetup *setup) {
    setup->iterations = stage->iterations;
    setup->pairs_each = (int)stage->pairs_each;
    setup->rate = stage->rate;
    memcpy(setup->start, stage->start.at, (size_t)stage->start.count * sizeof(double));
    memcpy(setup->steps, stage->steps.at, (size_t)stage->steps.count * sizeof(double));
}

// --- states ------------------------------------------------------------------------------

static Status take_row(void *ctx, const StoreTuneIteration *row, ErrorText *err) {
    Loop *loop = ctx;
    // Another build may keep another state; copying it blindly would run over the end.
    if ((size_t)row->state.count * sizeof(double) != loop->state_size)
        return error_set(err, STATUS_INVALID, "iteration %lld: a state of %d numbers, not %d",
                         (long long)row->iteration, row->state.count,
                         (int)(loop->state_size / sizeof(double)));
    memcpy(loop->ring[row->iteration % TUNE_LAG], row->state.at, loop->state_size);
    memcpy(loop->state, row->state.at, loop->state_size);
    return STATUS_OK;
}

// The ring holds begin's state for iterations that have no predecessor far enough back.
static Status load_states(Loop *loop, ErrorText *err) {
    const TuneStageRun *run = loop->run;
    // Iterations that were given but not taken are simply played again: their trials follow from
    // stored states.
    loop->given = loop->taken = run->done;
    loop->state_size = (size_t)run->method->state_size(run->setup) * sizeof(double);
    CHECK(loop->state_size <= sizeof loop->ring[0]);
    run->method->begin(run->setup, loop->state);
    for (int i = 0; i < TUNE_LAG; i++)
        memcpy(loop->ring[i], loop->state, loop->state_size);
    // The last TUNE_LAG rows are all that the next trials are made from.
    int64_t from = run->done < TUNE_LAG ? 0 : run->done - TUNE_LAG;
    return run->done == 0
               ? STATUS_OK
               : store_tune_iterations(run->store, run->stage, from, take_row, loop, err);
}

Status tune_stage_state(const TuneStageRun *run, double *state, ErrorText *err) {
    Loop *loop = calloc(1, sizeof *loop);
    if (!loop)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    loop->run = run;
    loop->state = state;
    Status status = load_states(loop, err);
    free(loop);
    return status;
}

// --- iterations --------------------------------------------------------------------------

static Status give_iteration(Loop *loop, ErrorText *err) {
    const TuneStageRun *run = loop->run;
    const TunerSetup *setup = run->setup;
    const double *state = loop->ring[loop->given % TUNE_LAG];
    for (int pair = 0; pair < setup->pairs_each; pair++)
        run->method->propose(setup, state, loop->given, pair, &loop->trials[pair]);
    int64_t first_pair = loop->given * setup->pairs_each;
    Status status = tune_crew_give(run->crew, loop->trials, setup->pairs_each, first_pair, err);
    loop->given += status == STATUS_OK;
    return status;
}

static void write_letters(Loop *loop) {
    static const char LETTER[] = "LDW";
    int count = loop->run->setup->pairs_each;
    for (int i = 0; i < 2 * count; i++)
        loop->letters[i] = LETTER[loop->results[i / 2].half_points[i % 2]];
    loop->letters[2 * count] = '\0';
}

// The whole state goes with every iteration: killed at any moment, the tune goes on bit for bit.
static Status store_iteration(Loop *loop, ErrorText *err) {
    const TuneStageRun *run = loop->run;
    const TunerSetup *setup = run->setup;
    double theta[TUNE_MAX_KNOBS], u[TUNE_MAX_KNOBS];
    int64_t now_ns = clock_now_ns(clock_monotonic());
    // For people and pictures only: what the tuner needs is in `state`.
    run->method->current(setup, loop->state, u);
    for (int i = 0; i < setup->spec->knob_count; i++)
        theta[i] = params_value(&setup->spec->knobs[i], u[i]);
    write_letters(loop);
    StoreTuneIteration row = {.stage = run->stage,
                              .iteration = loop->taken,
                              .pairs = setup->pairs_each,
                              .results = loop->letters,
                              .seconds = (double)(now_ns - loop->last_ns) / 1e9,
                              .theta = {theta, setup->spec->knob_count},
                              .state = {loop->state, (int)(loop->state_size / sizeof(double))},
                              .drift = run->method->drift(setup, loop->state)};
    loop->last_ns = now_ns;
    return store_tune_add_iteration(run->store, &row, err);
}

// Folds the results of the oldest iteration in. When they cannot be stored, the state is as it was.
static Status take_iteration(Loop *loop, ErrorText *err) {
    const TuneStageRun *run = loop->run;
    double before[TUNE_STATE_MAX];
    double *place = loop->ring[loop->taken % TUNE_LAG];
    memcpy(before, loop->state, loop->state_size);
    // `place` still holds the state that this iteration was made from; what comes after it goes
    // there once it is stored.
    run->method->take(run->setup, loop->state, place, loop->taken, loop->results);
    Status status = store_iteration(loop, err);
    if (status) {
        memcpy(loop->state, before, loop->state_size);
        return status;
    }
    memcpy(place, loop->state, loop->state_size);
    loop->taken++;
    return STATUS_OK;
}

static void show(Loop *loop, bool is_last) {
    const TuneStageRun *run = loop->run;
    if (!run->progress)
        return;
    int64_t each = run->setup->pairs_each;
    TuneProgress progress = {.method = run->method,
                             .setup = run->setup,
                             .title = run->title,
                             .state = loop->state,
                             .iteration = loop->taken,
                             .pairs_before = run->done * each,
                             .pairs = loop->taken * each + tune_crew_ahead(run->crew),
                             .seconds = seconds_since(loop->start_ns),
                             .is_last = is_last};
    run->progress(run->progress_ctx, &progress);
}

static Status play_loop(Loop *loop, ErrorText *err) {
    // How often the live line is renewed while an iteration takes longer.
    enum { PATIENCE_MS = 500 };
    int64_t planned = loop->run->setup->iterations;
    Status status = STATUS_OK;
    while (!status && loop->taken < planned) {
        // Always TUNE_LAG iterations in the crew's hands, so that nobody waits for the slowest game
        // of one.
        while (!status && loop->given < planned && loop->given - loop->taken < TUNE_LAG)
            status = give_iteration(loop, err);
        bool is_done = false;
        if (!status)
            status = tune_crew_collect(loop->run->crew, PATIENCE_MS, loop->results, &is_done, err);
        if (!status && is_done)
            status = take_iteration(loop, err);
        if (!status)
            show(loop, false);
    }
    return status;
}

Status tune_stage_play(const TuneStageRun *run, double *state, ErrorText *err) {
    size_t pairs = (size_t)run->setup->pairs_each;
    Loop *loop = calloc(1, sizeof *loop);
    if (!loop)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    loop->run = run;
    loop->state = state;
    loop->trials = malloc(pairs * sizeof *loop->trials);
    loop->results = malloc(pairs * sizeof *loop->results);
    loop->letters = malloc(2 * pairs + 1);
    loop->start_ns = loop->last_ns = clock_now_ns(clock_monotonic());
    Status status = load_states(loop, err);
    if (!status && (!loop->trials || !loop->results || !loop->letters))
        status = error_set(err, STATUS_NO_MEMORY, "out of memory for %zu pairs", pairs);
    if (!status)
        status = play_loop(loop, err);
    show(loop, true);
    free(loop->trials);
    free(loop->results);
    free(loop->letters);
    free(loop);
    return status;
}
