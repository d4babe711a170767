// SPDX-License-Identifier: GPL-3.0-or-later
// One batch of pairs, given values against the start.
#include "harness/tune/tune_target.h"

#include "engine/base/rng.h"
#include "harness/tune/tune_budget.h"

#include <stdlib.h>
#include <string.h>

static void trials_make(const TuneTarget *target, TuneTrial *trials) {
    const TuneSpec *spec = target->spec;
    for (int pair = 0; pair < target->pairs; pair++) {
        memcpy(trials[pair].plus, target->values, (size_t)spec->knob_count * sizeof(double));
        for (int i = 0; i < spec->knob_count; i++)
            trials[pair].minus[i] = spec->knobs[i].start;
        // The same pairs for every candidate of one seed: other optimisers compare costs, and
        // common random numbers make the comparison sharper.
        trials[pair].seed = rng_mix(target->seed, (uint64_t)pair);
    }
}

static Status pairs_play(const TuneTarget *target, TuneCrew *crew, TuneResult *results,
                         ErrorText *err) {
    TuneTrial *trials = calloc((size_t)target->pairs, sizeof *trials);
    bool is_done = false;
    if (!trials)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    trials_make(target, trials);
    Status status = tune_crew_give(crew, trials, target->pairs, 0, err);
    if (!status)
        status = tune_crew_collect(crew, 0, results, &is_done, err);
    free(trials);
    return status;
}

Status tune_target_cost(const TuneTarget *target, double *cost, ErrorText *err) {
    OpeningSet openings = {0};
    uint32_t *order = NULL;
    int64_t held = 0, points = 0;
    TuneCrew *crew = NULL;
    TuneResult *results = calloc((size_t)target->pairs, sizeof *results);
    Status status = results ? tune_read_openings(target->spec, &openings, &order, &held, err)
                            : error_set(err, STATUS_NO_MEMORY, "out of memory");
    if (!status) {
        CrewSetup setup = {target->spec, &openings, target->jobs, target->control};
        status = tune_crew_start(&setup, &crew, err);
    }
    if (!status) {
        CrewSides sides = {.player = {&target->spec->base, &target->spec->base},
                           .takes_values = {true, true},
                           // The tuner's share only: whoever optimises elsewhere may be proved here
                           // afterwards.
                           .openings = order + held,
                           .opening_count = openings.count - held};
        tune_crew_seat(crew, &sides);
        status = pairs_play(target, crew, results, err);
    }
    tune_crew_stop(crew);
    for (int pair = 0; pair < target->pairs && !status; pair++)
        points += results[pair].half_points[0] + results[pair].half_points[1];
    if (!status)
        // A pair is four half points; minimisers want a cost, 1/2 at the start's own strength.
        *cost = 1.0 - (double)points / (4.0 * target->pairs);
    free(results);
    free(order);
    opening_set_release(&openings);
    return status;
}
