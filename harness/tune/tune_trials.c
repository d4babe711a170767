// SPDX-License-Identifier: GPL-3.0-or-later
// Trials from states. Iteration k was made from the state after iteration k - TUNE_LAG.
#include "harness/tune/tune_trials.h"

#include "harness/tune/tune_stage.h"

#include <stdlib.h>
#include <string.h>

typedef struct Telling {
    const TunerMethod *method;
    TunerSetup setup;
    const StoreTuneStage *stage;
    TuneTrialVisit *visit;
    void *ctx;
    int state_count;
    double ring[TUNE_LAG][TUNE_STATE_MAX]; // [k mod TUNE_LAG]: what iteration k is made from
} Telling;

static Status iteration_tell(void *ctx, const StoreTuneIteration *row, ErrorText *err) {
    Telling *telling = ctx;
    double *state = telling->ring[row->iteration % TUNE_LAG];
    // A database edited by hand, or of another build: told instead of read beyond the ends.
    if (row->state.count != telling->state_count ||
        strlen(row->results) != 2 * (size_t)telling->setup.pairs_each)
        return error_set(err, STATUS_INVALID, "stage %lld, iteration %lld: not of this tune",
                         (long long)row->stage, (long long)row->iteration);
    Status status = STATUS_OK;
    for (int pair = 0; pair < telling->setup.pairs_each && !status; pair++) {
        TuneTrial trial;
        telling->method->propose(&telling->setup, state, row->iteration, pair, &trial);
        TuneTrialRow out = {telling->stage, row->iteration,         pair,
                            &trial,         row->results[2 * pair], row->results[2 * pair + 1]};
        status = telling->visit(telling->ctx, &out, err);
    }
    // In the place of the state it was made from: iteration k + TUNE_LAG is made from the state
    // after k.
    memcpy(state, row->state.at, (size_t)row->state.count * sizeof *state);
    return status;
}

static Status stage_tell(Telling *telling, Store *store, ErrorText *err) {
    const TunerSetup *setup = &telling->setup;
    telling->state_count = telling->method->state_size(setup);
    for (int i = 0; i < TUNE_LAG; i++)
        telling->method->begin(setup, telling->ring[i]);
    return store_tune_iterations(store, telling->stage->id, 0, iteration_tell, telling, err);
}

Status tune_trials_each(const TuneSpec *spec, Store *store, TuneTrialVisit *visit, void *ctx,
                        ErrorText *err) {
    StoreTuneStage *stages = NULL;
    int count = 0;
    Telling *telling = malloc(sizeof *telling);
    if (!telling)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    Status status = store_tune_stages(store, &stages, &count, err);
    for (int i = 0; i < count && !status; i++) {
        const TunerMethod *method = tuner_find(stages[i].kind);
        // The regression plays no games, and a match tries nothing out.
        if (!method || method == &TUNER_MATCH)
            continue;
        telling->method = method;
        telling->stage = &stages[i];
        telling->visit = visit;
        telling->ctx = ctx;
        telling->setup = (TunerSetup){.spec = spec, .seed = tune_stage_seed(spec, stages[i].id)};
        tune_setup_stored(&stages[i], &telling->setup);
        status = stage_tell(telling, store, err);
    }
    store_tune_stages_free(stages, count);
    free(telling);
    return status;
}
