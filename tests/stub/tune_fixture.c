// SPDX-License-Identifier: GPL-3.0-or-later
// Makes databases of tunes with known contents for tests of pictures and exports, through the store
// like any tune.
//
//   usage: tune_fixture KIND OUT.db [KNOBS]
//
// KIND: full (scan, tuner in two stages, proof, anchors), begun (only the start), running (a tuner
// under way), scan (a scan alone), undecided (a proof without a verdict), perfect (every game of
// the proof won).
#include "engine/base/rng.h"
#include "harness/stats/elo.h"
#include "harness/stats/sprt.h"
#include "harness/store/store_tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KNOBS_MAX = 16, ITERATIONS = 400, PAIRS = 4, PROOF_PAIRS = 600 };

typedef struct Fixture {
    const char *kind;
    Store *store;
    StoreTune tune;
    Rng rng;
    double theta[KNOBS_MAX]; // coordinates
    ErrorText err;
} Fixture;

static const char *const KEYS[KNOBS_MAX] = {
    "eval.open_four",  "eval.four",         "eval.open_three",  "eval.three",
    "eval.open_two",   "eval.two",          "eval.one",         "eval.defense",
    "eval.five",       "eval.kill_penalty", "moves.radius",     "moves.limit",
    "search.futility", "play.randomness",   "search.null_move", "search.late_moves"};

static bool is_kind(const Fixture *fixture, const char *kind) {
    return strcmp(fixture->kind, kind) == 0;
}

static void check(Fixture *fixture, Status status) {
    if (!status)
        return;
    fprintf(stderr, "tune_fixture: %s\n", fixture->err.text);
    exit(1);
}

static void knobs_make(Fixture *fixture, int count) {
    fixture->tune.knob_count = count;
    for (int i = 0; i < count; i++) {
        StoreTuneKnob *knob = &fixture->tune.knobs[i];
        bool is_real = strcmp(KEYS[i], "eval.defense") == 0;
        snprintf(knob->key, sizeof knob->key, "%s", KEYS[i]);
        knob->low = is_real ? 0.2 : 10;
        knob->high = is_real ? 3.0 : 10000;
        knob->start = is_real ? 1.2 : i % 3 == 1 ? 1000 : 100;
        knob->is_log = !is_real;
        knob->is_whole = !is_real;
        fixture->theta[i] = is_real ? (knob->start - knob->low) / (knob->high - knob->low)
                                    : log(knob->start / 10) / log(1000);
    }
}

static double value_of(const StoreTuneKnob *knob, double u) {
    return knob->is_log ? knob->low * pow(knob->high / knob->low, u)
                        : knob->low + u * (knob->high - knob->low);
}

static void results_make(Fixture *fixture, int pairs, double score, char *out) {
    for (int i = 0; i < 2 * pairs; i++)
        *out++ = rng_unit(&fixture->rng) < score ? 'W' : rng_unit(&fixture->rng) < 0.1 ? 'D' : 'L';
    *out = '\0';
}

static void iteration_add(Fixture *fixture, int64_t stage, int64_t iteration, double drift,
                          double score) {
    char results[2 * PAIRS + 1];
    double values[KNOBS_MAX], state[2] = {(double)iteration, 0.5};
    int knobs = fixture->tune.knob_count;
    results_make(fixture, PAIRS, score, results);
    for (int i = 0; i < knobs; i++)
        values[i] = value_of(&fixture->tune.knobs[i], fixture->theta[i]);
    StoreTuneIteration row = {.stage = stage,
                              .iteration = iteration,
                              .pairs = PAIRS,
                              .results = results,
                              .seconds = 0.25,
                              .theta = {values, knobs},
                              .state = {state, 2},
                              .drift = drift};
    check(fixture, store_tune_add_iteration(fixture->store, &row, &fixture->err));
}

static int64_t stage_begin(Fixture *fixture, const char *kind, int64_t iterations,
                           const StoreTuneMatch *match) {
    double steps[KNOBS_MAX];
    int knobs = fixture->tune.knob_count;
    for (int i = 0; i < knobs; i++)
        steps[i] = 0.01 + 0.004 * i;
    StoreTuneStage stage = {.kind = (char *)kind,
                            .title = (char *)kind,
                            .iterations = iterations,
                            .pairs_each = PAIRS,
                            .rate = 0.01,
                            .start = {fixture->theta, knobs},
                            .steps = {steps, knobs}};
    check(fixture, store_tune_begin_stage(fixture->store, &stage, match, &fixture->err));
    return stage.id;
}

static void scan_add(Fixture *fixture) {
    StoreTuneEffect effects[KNOBS_MAX];
    int knobs = fixture->tune.knob_count;
    int64_t stage = stage_begin(fixture, "sense", knobs, NULL);
    for (int i = 0; i < knobs; i++) {
        const StoreTuneKnob *knob = &fixture->tune.knobs[i];
        double h = 0.15, u = fixture->theta[i];
        iteration_add(fixture, stage, i, 0, 0.5);
        effects[i] = (StoreTuneEffect){.knob = i,
                                       .h = h,
                                       .low_value = value_of(knob, u - h),
                                       .high_value = value_of(knob, u + h),
                                       .slope = 90.0 * cos(2.0 * i) / (1 + 0.4 * i),
                                       .slope_se = 9,
                                       .curvature = 60.0 / (1 + i),
                                       .curvature_se = 8,
                                       .step = 0.01 + 0.004 * i,
                                       .is_flat = i % 4 == 3};
    }
    StoreTuneEnd end = {.effects = effects, .effect_count = knobs};
    check(fixture, store_tune_end_stage(fixture->store, stage, &end, &fixture->err));
}

// A walk that pulls every second knob to 0.6 of its range; the others only wander.
static void tuner_add(Fixture *fixture, int iterations, bool ends) {
    int knobs = fixture->tune.knob_count;
    int64_t stage = stage_begin(fixture, "spsa", ITERATIONS, NULL);
    double drift = 0;
    for (int k = 0; k < iterations; k++) {
        drift = sqrt(drift * drift + 0.02);
        for (int i = 0; i < knobs; i++) {
            double noise = 0.14 * (0.01 + 0.004 * i) * (rng_below(&fixture->rng, 2) ? 1 : -1);
            fixture->theta[i] += noise + (i % 2 == 0 ? 0.012 * (0.6 - fixture->theta[i]) : 0);
        }
        iteration_add(fixture, stage, k, drift, 0.5);
    }
    StoreVector answer = {fixture->theta, knobs};
    StoreTuneEnd end = {.answer = &answer};
    if (ends)
        check(fixture, store_tune_end_stage(fixture->store, stage, &end, &fixture->err));
}

// A match of PROOF_PAIRS pairs, its counts as of all pairs.
static void match_add(Fixture *fixture, StoreTuneMatch match, double score) {
    match.pairs = PROOF_PAIRS;
    match.elo = match.elo_lo = match.elo_hi = match.llr = match.llr_lower = match.llr_upper = NAN;
    int64_t stage = stage_begin(fixture, "match", PROOF_PAIRS / PAIRS, &match);
    SprtParams params = {0, 30, 0.05, 0.05, SPRT_NORMALIZED};
    SprtTest test = sprt_test_init(&params);
    PairCounts pairs = {{0}};
    for (int k = 0; k < PROOF_PAIRS / PAIRS; k++) {
        Rng before = fixture->rng; // the letters of the row, once more
        char letters[2 * PAIRS + 1];
        results_make(fixture, PAIRS, score, letters);
        fixture->rng = before;
        iteration_add(fixture, stage, k, 0, score);
        for (int i = 0; i < 2 * PAIRS; i += 2) {
            int a = letters[i] == 'W' ? 2 : letters[i] == 'D',
                b = letters[i + 1] == 'W' ? 2 : letters[i + 1] == 'D';
            PairClass c = pair_class_from_half_points(a, b);
            pairs.n[c]++;
            sprt_test_add_pair(&test, c);
        }
    }
    MatchStats stats = match_stats_compute(&pairs, NULL, BY_PAIRS);
    memcpy(match.classes, pairs.n, sizeof match.classes);
    match.elo = stats.elo.value;
    if (match.is_verdict) {
        match.llr = test.result.llr.value;
        match.llr_lower = test.result.lower;
        match.llr_upper = test.result.upper;
        match.verdict = (char *)(test.result.state == SPRT_H1   ? "accepted"
                                 : test.result.state == SPRT_H0 ? "rejected"
                                                                : "undecided");
    }
    StoreTuneEnd end = {.match = &match};
    check(fixture, store_tune_end_stage(fixture->store, stage, &end, &fixture->err));
}

static StoreTuneMatch match_of(const char *opponent, const char *openings) {
    return (StoreTuneMatch){.player = (char *)"new",
                            .opponent = (char *)opponent,
                            .openings = (char *)openings,
                            .elo0 = 0,
                            .elo1 = 30,
                            .alpha = 0.05,
                            .beta = 0.05};
}

static void proof_add(Fixture *fixture) {
    double score = is_kind(fixture, "perfect") ? 1.0 : is_kind(fixture, "undecided") ? 0.515 : 0.56;
    StoreTuneMatch match = match_of("start", "held-out");
    match.is_verdict = true;
    match_add(fixture, match, score);
    if (!is_kind(fixture, "full"))
        return;
    match_add(fixture, match_of("start", "tuning"), 0.58);
    match_add(fixture, match_of("classic", "held-out"), 0.53);
    match_add(fixture, match_of("threats", "held-out"), 0.3);
    match = match_of("start", "held-out");
    match.depth_plus = 2;
    match_add(fixture, match, 0.54);
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fputs("usage: tune_fixture KIND OUT.db [KNOBS]\n", stderr);
        return 2;
    }
    Fixture fixture = {.kind = argv[1], .rng = rng_init(11)};
    int knobs = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 8;
    fixture.tune = (StoreTune){.name = (char *)"shape_weights",
                               .method = (char *)"spsa",
                               .config = (char *)"name: shape_weights\n",
                               .identity = (char *)"{}",
                               .seed = 1};
    knobs_make(&fixture, knobs < 1 || knobs > KNOBS_MAX ? KNOBS_MAX : knobs);
    StoreTuneRun run = {.path = argv[2], .tune = &fixture.tune, .version = "1.0"};
    StoreResume resume;
    check(&fixture, store_tune_open_run(&run, &fixture.store, &resume, &fixture.err));
    store_resume_release(&resume);
    if (!is_kind(&fixture, "begun")) {
        scan_add(&fixture);
        if (is_kind(&fixture, "full"))
            tuner_add(&fixture, ITERATIONS, true);
        if (!is_kind(&fixture, "scan"))
            tuner_add(&fixture, is_kind(&fixture, "running") ? 150 : ITERATIONS,
                      !is_kind(&fixture, "running"));
        if (!is_kind(&fixture, "scan") && !is_kind(&fixture, "running"))
            proof_add(&fixture);
    }
    store_close(fixture.store);
    return 0;
}
