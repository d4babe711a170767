// SPDX-License-Identifier: GPL-3.0-or-later
// Shares of openings, and what a budget buys.
#include "harness/tune/tune_budget.h"

#include "engine/base/rng.h"
#include "harness/play/opening_reader.h"
#include "harness/tune/spsa.h"
#include "harness/tune/tune_defaults.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SALT_SPLIT = 0x5350 };

static Status split_openings(const TuneSpec *spec, const OpeningSet *set, uint32_t **out,
                             int64_t *held, ErrorText *err) {
    int64_t share = (int64_t)floor(spec->held_out * (double)set->count + 0.5);
    // Held-out matches take the openings in order, one a pair: none is used twice.
    int64_t wanted = spec->proof.pairs;
    if (spec->proof.anchor_count > 0 && spec->proof.anchor_pairs > wanted)
        wanted = spec->proof.anchor_pairs;
    // The tuner needs openings as well.
    if (share >= set->count)
        return error_set(err, STATUS_INVALID,
                         "openings: %lld, of which the tuner gets none: split is %g",
                         (long long)set->count, spec->held_out);
    if (wanted > share)
        return error_set(err, STATUS_INVALID,
                         "%s: %lld pairs, but the held-out share has %lld of %lld openings",
                         spec->said_at[TUNE_KEY_PROOF_PAIRS] ? spec->said_at[TUNE_KEY_PROOF_PAIRS]
                                                             : "proof.pairs",
                         (long long)wanted, (long long)share, (long long)set->count);
    uint32_t *order = malloc((size_t)set->count * sizeof *order);
    if (!order)
        return error_set(err, STATUS_NO_MEMORY, "out of memory for openings");
    for (int64_t i = 0; i < set->count; i++)
        order[i] = (uint32_t)i;
    // Fisher & Yates by the seed of the tune: the same share is held out after every interruption,
    // and in every later tune of that seed and book.
    Rng rng = rng_init(rng_mix(spec->seed, SALT_SPLIT));
    for (int64_t i = set->count - 1; i > 0; i--) {
        int64_t j = (int64_t)rng_below(&rng, (uint64_t)i + 1);
        uint32_t swapped = order[i];
        order[i] = order[j];
        order[j] = swapped;
    }
    *out = order;
    *held = share;
    return STATUS_OK;
}

Status tune_read_openings(const TuneSpec *spec, OpeningSet *set, uint32_t **order, int64_t *held,
                          ErrorText *err) {
    const Experiment *match = &spec->match;
    Status status = opening_set_init(set, match->width, match->height, match->k, match->rule, err);
    if (!status)
        status = opening_read_file(set, match->openings.file, match->openings.format,
                                   match->openings.rows, err);
    return status ? status : split_openings(spec, set, order, held, err);
}

Status tune_check_budget(const TuneSpec *spec, const TuneBudget *budget, ErrorText *err) {
    bool scans = strcmp(spec->method, "spsa") == 0 && spec->scan_pairs > 0;
    int pairs = strcmp(spec->method, "random") == 0 ? spec->random.pairs : tune_spsa_pairs(spec, 0);
    if (strcmp(spec->method, "spsa") != 0 && strcmp(spec->method, "random") != 0)
        return STATUS_OK;
    if (budget->games == 0)
        return STATUS_OK;
    // The scan counts against the budget: what the user said is all that will be played before the
    // proof.
    int64_t scan = scans ? tune_scan_games(spec) : 0;
    if (budget->games >= scan + 2 * pairs)
        return STATUS_OK;
    if (scan > 0)
        return error_set(err, STATUS_INVALID,
                         "%lld games are too few: the scan of %d knobs takes %lld, an iteration "
                         "%d more; expected %lld or more",
                         (long long)budget->games, spec->knob_count, (long long)scan, 2 * pairs,
                         (long long)scan + 2 * pairs);
    return error_set(err, STATUS_INVALID,
                     "%lld games are too few: an iteration takes %d; expected %d or more",
                     (long long)budget->games, 2 * pairs, 2 * pairs);
}

// Games of the tuner, 0 when only the clock will tell.
// What the scan leaves; hours are left to the run, which can measure.
static double main_games(const TuneSpec *spec, const TuneBudget *budget) {
    bool is_random = strcmp(spec->method, "random") == 0;
    int pairs = is_random ? spec->random.pairs : tune_spsa_pairs(spec, 0);
    if (budget->iterations > 0)
        return 2.0 * (double)budget->iterations * pairs;
    double scan = strcmp(spec->method, "spsa") == 0 ? (double)tune_scan_games(spec) : 0;
    return budget->games > 0 ? (double)budget->games - scan : 0;
}

// With the setup that the run itself will make: the forecast is of that run.
static void write_spsa(const TuneSpec *spec, const TuneBudget *budget, double games, Text *out) {
    double u[TUNE_MAX_KNOBS] = {0};
    TunerSetup setup;
    tune_setup_main(spec, u, u, games, &setup);
    if (budget->iterations > 0) { // as counted, however long the run
        setup.pairs_each = tune_spsa_pairs(spec, 0);
        setup.iterations = budget->iterations;
    }
    games = 2.0 * (double)setup.iterations * setup.pairs_each; // whole iterations only
    SpsaForecast f = spsa_forecast(&setup, games, 0);
    text_printf(out,
                "spsa: %.0f games in %lld iterations\n"
                "noise floor: single vectors settle %.1f Elo below the best, the answer %.1f\n"
                "time constant: a gap in strength shrinks by e^-2 in %.0f games; %.1f %% of it are "
                "left at the end\n"
                "wanted: %.0f games or more%s\n",
                games, (long long)setup.iterations, f.floor_elo, f.answer_elo, f.time_games,
                100 * f.left, f.wanted_games,
                games < f.wanted_games ? ": the budget is too small for the averaging to work"
                                       : "");
}

void tune_write_forecast(const TuneSpec *spec, const TuneBudget *budget, Text *out) {
    bool scans = strcmp(spec->method, "sense") == 0 ||
                 (strcmp(spec->method, "spsa") == 0 && spec->scan_pairs > 0);
    double games = main_games(spec, budget);
    if (scans)
        text_printf(out, "scan: %lld games\n", (long long)tune_scan_games(spec));
    if (strcmp(spec->method, "sense") == 0)
        return;
    if (budget->hours > 0)
        text_printf(out, "%s: %g hours; how many games that is will be measured\n", spec->method,
                    budget->hours);
    else if (strcmp(spec->method, "spsa") == 0)
        write_spsa(spec, budget, games, out);
    else if (strcmp(spec->method, "random") == 0)
        text_printf(out, "random: %.0f games, %.0f candidates\n", games,
                    floor(games / (2.0 * spec->random.pairs)));
    if (spec->proof.pairs > 0)
        text_printf(out,
                    "proof: %lld games on held-out openings, as many on the tuner's, %lld against "
                    "anchors\n",
                    2 * (long long)spec->proof.pairs,
                    4 * (long long)spec->proof.anchor_pairs * spec->proof.anchor_count);
}
