// SPDX-License-Identifier: GPL-3.0-or-later
// The last word of the tuner, and the matches since.
#include "harness/tune/tune_outcome.h"

#include "harness/tune/params.h"
#include "harness/tune/spsa.h"
#include "harness/tune/tune_stage.h"

#include <string.h>

void tune_outcome_release(TuneOutcome *outcome) {
    store_tune_matches_free(outcome->matches, outcome->match_count);
    *outcome = (TuneOutcome){0};
}

// The opinion of a tuner stage, finished or not.
static Status read_tuner(const TuneSpec *spec, Store *store, const StoreTuneStage *stage,
                         TuneOutcome *out, ErrorText *err) {
    const TunerMethod *method = tuner_find(stage->kind);
    int n = spec->knob_count;
    double u[TUNE_MAX_KNOBS], state[TUNE_STATE_MAX];
    Status status = STATUS_OK;
    if (!method) { // the regression
        if (stage->answer.count != n)
            return STATUS_OK;
        memcpy(u, stage->answer.at, (size_t)n * sizeof *u);
    } else {
        TunerSetup setup = {.spec = spec};
        tune_setup_stored(stage, &setup);
        TuneStageRun play = {.method = method,
                             .setup = &setup,
                             .store = store,
                             .stage = stage->id,
                             .done = stage->done};
        status = tune_stage_state(&play, state, err);
        if (status || stage->done == 0)
            return status;
        method->answer(&setup, state, u);
        out->drift = method->drift(&setup, state);
        // Movements are reported in steps of the schedule, against the drift that noise alone
        // gives.
        memcpy(out->steps, setup.steps, sizeof out->steps);
        double pairs = (double)(stage->done * stage->pairs_each);
        for (int i = 0; i < n && method == &TUNER_SPSA; i++)
            out->clip_share[i] = spsa_clips(&setup, state, i) / pairs;
    }
    out->has_answer = true;
    params_final(spec, u, out->best);
    return status;
}

// Keeps the matches after a stage; the others are freed.
static void keep_matches(TuneOutcome *out, int64_t after_stage) {
    int first = 0;
    while (first < out->match_count && out->matches[first].stage <= after_stage)
        first++;
    for (int i = 0; i < first; i++) { // to the end, where they can be freed
        StoreTuneMatch old = out->matches[0];
        memmove(out->matches, out->matches + 1,
                (size_t)(out->match_count - 1) * sizeof *out->matches);
        out->matches[out->match_count - 1] = old;
    }
    for (int i = out->match_count - first; i < out->match_count; i++)
        store_tune_match_release(&out->matches[i]);
    out->match_count -= first;
}

// The last tuner stage has the say, finished or not; stages before it were its starting points.
Status tune_read_outcome(const TuneSpec *spec, Store *store, TuneOutcome *out, ErrorText *err) {
    StoreTuneStage *stages = NULL;
    int count = 0;
    int64_t last_main = -1;
    *out = (TuneOutcome){0};
    for (int i = 0; i < spec->knob_count; i++)
        out->start[i] = out->best[i] = spec->knobs[i].start;
    Status status = store_tune_stages(store, &stages, &count, err);
    for (int i = 0; i < count && !status; i++) {
        out->games += 2 * stages[i].done * stages[i].pairs_each;
        out->seconds += stages[i].seconds;
        if (strcmp(stages[i].kind, "sense") == 0 || strcmp(stages[i].kind, "match") == 0)
            continue;
        last_main = stages[i].id;
        status = read_tuner(spec, store, &stages[i], out, err);
    }
    if (!status)
        status = store_tune_matches(store, &out->matches, &out->match_count, err);
    if (!status)
        keep_matches(out, last_main);
    store_tune_stages_free(stages, count);
    return status;
}
