// SPDX-License-Identifier: GPL-3.0-or-later
// Scan, tuner and proof on surfaces, seed after seed.
#include "harness/tune/synthetic_study.h"

#include "harness/tune/sense.h"
#include "harness/tune/spsa.h"
#include "harness/tune/tune_defaults.h"
#include "harness/tune/tune_match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WEIGHTS = 10,
    SCAN_PAIRS = 100,
    SCAN_PAIRS_SMALL = 20,
    SMALL_GAMES = 15000,
    PROOF_EACH = 25
};
static const double GAP = 150;

typedef struct Bench { // scratch, too large for the stack
    Synthetic surface;
    TuneSpec spec;
    TunerSetup setup;
    double state[TUNE_STATE_MAX], answer[TUNE_MAX_KNOBS], steps[TUNE_MAX_KNOBS];
} Bench;

static void choose_steps(Bench *b, bool known, uint64_t seed) {
    StoreTuneEffect effects[TUNE_MAX_KNOBS];
    if (known) {
        for (int i = 0; i < b->surface.count; i++) {
            // A knob without effect would get an endless step.
            double sensitivity = fmax(b->surface.sensitivity[i], 1); // Elo at half the range
            b->steps[i] = fmin(0.45, sense_step(b->spec.spsa.effect_elo, 0.5, sensitivity));
        }
        return;
    }
    tune_setup_sense(&b->spec, &b->setup);
    b->setup.seed = rng_mix(seed, 1);
    synthetic_run(&b->surface, &TUNER_SENSE, &b->setup, b->state);
    sense_effects(&b->setup, b->state, effects);
    for (int i = 0; i < b->surface.count; i++)
        b->steps[i] = effects[i].step;
}

// A knob that does nothing only wanders; its distance from the start in units of the drift that the
// tuner claims is a z value, and the claim is honest when the root mean square of these is 1 or
// less.
static void judge_idle(const Bench *b, SyntheticStudy *out) {
    double drift = TUNER_SPSA.drift(&b->setup, b->state);
    for (int i = 0; i < b->surface.count; i++) {
        if (b->surface.sensitivity[i] > 0)
            continue;
        double z = (b->state[i] - b->surface.start[i]) / (b->setup.steps[i] * drift);
        out->start_z_max = fmax(out->start_z_max, fabs(z));
        out->start_z_rms += z * z;
        out->idle++;
    }
}

static bool passes(Bench *b, uint64_t seed) {
    // The proof as registered, on fresh numbers: how often does it accept what the tuner says?
    TunerSetup setup = {.spec = &b->spec, .pairs_each = PROOF_EACH, .seed = rng_mix(seed, 3)};
    setup.iterations = b->spec.proof.pairs / PROOF_EACH;
    setup.plus = b->answer;
    setup.minus = b->surface.start;
    setup.test = &b->spec.proof;
    synthetic_run(&b->surface, &TUNER_MATCH, &setup, b->state);
    MatchOutcome outcome = match_outcome(&setup, b->state);
    return strcmp(match_verdict(&outcome), "accepted") == 0;
}

static Status one_seed(Bench *b, uint64_t seed, bool known, SyntheticStudy *out, ErrorText *err) {
    double start[TUNE_MAX_KNOBS], games = out->games;
    memset(&b->spec, 0, sizeof b->spec);
    synthetic_spec(&b->surface, seed, &b->spec);
    b->spec.scan_pairs = games < SMALL_GAMES ? SCAN_PAIRS_SMALL : SCAN_PAIRS;
    out->scan_games = known ? 0 : (double)tune_scan_games(&b->spec);
    if (games < out->scan_games + 100)
        return error_set(err, STATUS_INVALID, "%.0f games are too few: the scan takes %.0f", games,
                         out->scan_games);
    choose_steps(b, known, seed);
    memcpy(start, b->surface.start, sizeof b->surface.start);
    tune_setup_main(&b->spec, start, b->steps, games - out->scan_games, &b->setup);
    // Scan, tuner and proof draw from three streams, or the proof would meet games that the answer
    // was chosen by.
    b->setup.seed = rng_mix(seed, 2);
    synthetic_run(&b->surface, &TUNER_SPSA, &b->setup, b->state);
    TUNER_SPSA.answer(&b->setup, b->state, b->answer);
    judge_idle(b, out);
    out->forecast = spsa_forecast(&b->setup, games - out->scan_games, 0).answer_elo;
    out->alpha = b->spec.proof.alpha;
    double regret = -synthetic_elo(&b->surface, b->answer);
    out->gap -= synthetic_elo(&b->surface, b->surface.start);
    out->regret += regret;
    // Squares for now; the mean and its error are made at the end.
    out->regret_se += regret * regret;
    out->passed += passes(b, seed);
    return STATUS_OK;
}

// Seed by seed in order, each with a surface of its own: one lucky start proves nothing.
Status synthetic_study(SyntheticShape shape, int64_t seeds, double games, bool known,
                       SyntheticStudy *out, ErrorText *err) {
    Bench *b = calloc(1, sizeof *b);
    *out = (SyntheticStudy){.seeds = seeds, .games = games};
    if (!b)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    Status status = STATUS_OK;
    for (int64_t i = 0; i < seeds && !status; i++) {
        synthetic_init(&b->surface, shape, WEIGHTS, GAP, (uint64_t)i + 1);
        status = one_seed(b, rng_mix((uint64_t)i + 1, (uint64_t)shape), known, out, err);
    }
    double n = (double)seeds;
    out->gap /= n;
    out->regret /= n;
    out->regret_se = sqrt(fmax(0, out->regret_se / n - out->regret * out->regret) / n);
    out->start_z_rms = out->idle ? sqrt(out->start_z_rms / (double)out->idle) : 0;
    free(b);
    return status;
}
