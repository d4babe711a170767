// SPDX-License-Identifier: GPL-3.0-or-later
// Settings, and setups made from them.
#include "harness/tune/tune_defaults.h"

#include "harness/tune/params.h"
#include "harness/tune/sense.h"

#include <math.h>
#include <string.h>

// An iteration of up to 16 pairs tunes as well as one of a single pair and keeps all threads busy;
// 64 cost two or three times the games in the beginning. Larger ones only where the database would
// get more than 100 000 rows.
enum { SPSA_PAIRS = 8, SPSA_PAIRS_MAX = 256, SPSA_ITERATIONS_MAX = 100000 };

void tune_spec_defaults(TuneSpec *spec) {
    spec->held_out = 0.5;
    spec->seed = 1;
    spec->scan_pairs = 100;
    // alpha and gamma are Spall's (1998). r = 0.01 settles 10 knobs about 4 Elo below the best, the
    // mean of the last half much nearer; of the steps tried on synthetic surfaces those worth 6 Elo
    // did best.
    spec->spsa = (TuneSpsaSpec){
        .effect_elo = 6, .rate = 0.01, .alpha = 0.602, .gamma = 0.101, .stability = 0.1};
    spec->random = (TuneRandomSpec){.pairs = 32, .z = 1};
    // The pull is weak: it only chooses among fits that are all but equal.
    spec->texel = (TuneTexelSpec){.per_game = 8, .folds = 5, .l2 = 0.00001};
    spec->proof = (TuneProofSpec){.pairs = 1000,
                                  .anchor_pairs = 200,
                                  .transfer_pairs = 200,
                                  .elo0 = 0,
                                  .elo1 = 10,
                                  .alpha = 0.05,
                                  .beta = 0.05};
}

int tune_spsa_pairs(const TuneSpec *spec, double games) {
    if (spec->spsa.pairs > 0)
        return spec->spsa.pairs;
    int pairs = SPSA_PAIRS;
    while (pairs < SPSA_PAIRS_MAX && games / (2 * pairs) > SPSA_ITERATIONS_MAX)
        pairs *= 2;
    return pairs;
}

int64_t tune_scan_games(const TuneSpec *spec) {
    // Two comparisons a knob, two games a pair.
    int64_t iterations = (spec->scan_pairs + TUNE_REPEAT - 1) / TUNE_REPEAT;
    return iterations * TUNE_REPEAT * 2 * 2 * spec->knob_count;
}

void tune_setup_sense(const TuneSpec *spec, TunerSetup *out) {
    *out = (TunerSetup){.spec = spec, .pairs_each = 2 * TUNE_REPEAT * spec->knob_count};
    out->iterations = (spec->scan_pairs + TUNE_REPEAT - 1) / TUNE_REPEAT;
    params_start(spec, out->start);
    for (int i = 0; i < spec->knob_count; i++)
        out->steps[i] = sense_displacement(&spec->knobs[i]);
}

void tune_setup_main(const TuneSpec *spec, const double *start, const double *steps, double games,
                     TunerSetup *out) {
    size_t size = (size_t)spec->knob_count * sizeof *start;
    bool is_random = spec->method && strcmp(spec->method, "random") == 0;
    *out = (TunerSetup){.spec = spec, .rate = spec->spsa.rate};
    out->pairs_each = is_random ? spec->random.pairs : tune_spsa_pairs(spec, games);
    // Whole iterations within the games: a budget is never exceeded.
    out->iterations = (int64_t)fmax(1, floor(games / (2 * out->pairs_each)));
    memcpy(out->start, start, size);
    memcpy(out->steps, steps, size);
}
