// SPDX-License-Identifier: GPL-3.0-or-later
// Decisions from what is stored.
#include "harness/tune/tune_plan.h"

#include "harness/tune/params.h"
#include "harness/tune/tune_defaults.h"

#include <math.h>
#include <string.h>

// A step without a scan: an eighth of the range.
static const double PLAIN_STEP = 0.125;
// Less than this share of the budget is not worth another stage.
static const double WORTH = 0.02;

static bool is_main(const StoreTuneStage *stage) {
    return strcmp(stage->kind, "sense") != 0 && strcmp(stage->kind, "match") != 0;
}

static bool has_scan(const TuneSpec *spec) {
    return strcmp(spec->method, "sense") == 0 ||
           (strcmp(spec->method, "spsa") == 0 && spec->scan_pairs > 0);
}

// Measured beats given beats usual.
static void choose_steps(const TunePlanInput *in, TunePlan *out) {
    for (int i = 0; i < in->spec->knob_count; i++) {
        double given = in->spec->knobs[i].step;
        out->steps[i] = in->effects ? in->effects[i].step : given > 0 ? given : PLAIN_STEP;
    }
}

// Matches against anchors may be of other players, slower or faster: they do not count.
static void measure_speed(const TunePlanInput *in, TunePlan *out) {
    double pairs = 0, seconds = 0;
    for (int i = 0; i < in->stage_count; i++)
        if (strcmp(in->stages[i].kind, "match") != 0) {
            pairs += (double)(in->stages[i].done * in->stages[i].pairs_each);
            seconds += in->stages[i].seconds;
        }
    out->pairs_per_second = seconds > 0 ? pairs / seconds : 0;
}

// What is left of the budget for the tuner, in games; of a budget of time in hours.
static bool is_budget_left(const TunePlanInput *in, TunePlan *out) {
    double games = 0, iterations = 0, hours = 0;
    for (int i = 0; i < in->stage_count; i++) {
        const StoreTuneStage *stage = &in->stages[i];
        if (strcmp(stage->kind, "match") == 0)
            continue;
        // By what stages were planned to take, not by what they have taken: an interruption costs
        // nothing, and a stage is always played to its end.
        games += 2.0 * (double)(stage->iterations * stage->pairs_each);
        iterations += is_main(stage) ? (double)stage->iterations : 0;
        // A stage that was given hours has used them, however long it took; others count their wall
        // time.
        hours += stage->hours > 0 ? stage->hours : stage->seconds / 3600;
    }
    const TuneBudget *budget = &in->budget;
    bool is_random = strcmp(in->spec->method, "random") == 0;
    int pairs = is_random ? in->spec->random.pairs : tune_spsa_pairs(in->spec, 0);
    if (budget->hours > 0) {
        out->hours = budget->hours - hours;
        return out->hours > WORTH * budget->hours;
    }
    if (budget->iterations > 0) {
        double left = (double)budget->iterations - iterations;
        out->iterations = (int64_t)left;
        out->games = left * 2 * pairs;
        return left >= 1;
    }
    out->games = (double)budget->games - games;
    // The first tuner runs on whatever there is; a further one must have an iteration at least, and
    // be worth its proof.
    double least = fmax(2 * pairs, WORTH * (double)budget->games);
    return out->tuners == 0 || out->games >= least;
}

// --- matches -----------------------------------------------------------------------------

// By what the match is, not by its place in the list: a match that was added to the proof later is
// seen as missing.
static bool is_played(const TunePlanInput *in, int64_t after_stage, const TuneMatchPlan *match) {
    for (int i = 0; i < in->match_count; i++) {
        const StoreTuneMatch *row = &in->matches[i];
        if (row->stage > after_stage && strcmp(row->player, match->player) == 0 &&
            strcmp(row->opponent, match->opponent) == 0 && row->depth_plus == match->depth_plus &&
            (strcmp(row->openings, "tuning") == 0) == match->on_tuning)
            return true;
    }
    return false;
}

// The matches of a proof in their order; false after the last.
// First the verdict on openings the tuner never saw, then the same on its own (a gap between the
// two is overfitting), then both players against each anchor, then the pair two plies deeper.
static bool match_at(const TunePlanInput *in, int index, TuneMatchPlan *out) {
    const TuneProofSpec *proof = &in->spec->proof;
    *out = (TuneMatchPlan){.player = "new", .opponent = "start", .is_new = true};
    out->pairs = proof->pairs;
    if (index < 2) {
        out->is_verdict = index == 0;
        out->on_tuning = index == 1;
        return proof->pairs > 0;
    }
    int anchor = (index - 2) / 2;
    if (anchor < proof->anchor_count) {
        out->anchor = &proof->anchors[anchor];
        out->opponent = out->anchor->name;
        out->is_new = index % 2 == 0;
        out->player = out->is_new ? "new" : "start";
        out->pairs = proof->anchor_pairs;
        return true;
    }
    out->depth_plus = 2;
    out->pairs = proof->transfer_pairs;
    return index == 2 + 2 * proof->anchor_count && in->transfer && proof->pairs > 0;
}

static bool next_match(const TunePlanInput *in, int64_t after_stage, TunePlan *out) {
    int looks = 0;
    for (int i = 0; i < in->match_count; i++)
        looks += in->matches[i].is_verdict;
    for (int index = 0; match_at(in, index, &out->match); index++)
        if (!is_played(in, after_stage, &out->match)) {
            // Every further look at the same openings gets half of the error of the one before.
            // Alpha, alpha / 2, alpha / 4, ...: all looks together err less than 2 alpha.
            out->match.alpha = in->spec->proof.alpha * pow(0.5, looks);
            out->kind = TUNE_STAGE_MATCH;
            return true;
        }
    return false;
}

// The plan of a stored match that is not finished.
static void find_match(const TunePlanInput *in, const StoreTuneStage *stage, TunePlan *out) {
    for (int i = 0; i < in->match_count; i++) {
        const StoreTuneMatch *row = &in->matches[i];
        if (row->stage != stage->id)
            continue;
        TunePlanInput all = *in;
        // It is stored, so it was asked for at the time.
        all.transfer = true;
        for (int index = 0; match_at(&all, index, &out->match); index++)
            if (strcmp(row->player, out->match.player) == 0 &&
                strcmp(row->opponent, out->match.opponent) == 0 &&
                row->depth_plus == out->match.depth_plus &&
                (strcmp(row->openings, "tuning") == 0) == out->match.on_tuning)
                break;
        out->match.alpha = row->alpha;
        out->match.pairs = row->pairs;
    }
}

// --- the plan ----------------------------------------------------------------------------

void tune_plan_next(const TunePlanInput *in, TunePlan *out) {
    int64_t last_main = -1;
    bool scanned = false;
    *out = (TunePlan){.kind = TUNE_STAGE_NONE, .row = -1};
    params_start(in->spec, out->start);
    choose_steps(in, out);
    measure_speed(in, out);
    for (int i = 0; i < in->stage_count; i++) {
        const StoreTuneStage *stage = &in->stages[i];
        // An unfinished stage goes first: what comes after would start from its answer.
        if (!stage->finished_at) {
            out->row = i;
            out->kind = strcmp(stage->kind, "sense") == 0   ? TUNE_STAGE_SENSE
                        : strcmp(stage->kind, "match") == 0 ? TUNE_STAGE_MATCH
                                                            : TUNE_STAGE_MAIN;
            if (out->kind == TUNE_STAGE_MATCH)
                find_match(in, stage, out);
            return;
        }
        scanned |= strcmp(stage->kind, "sense") == 0;
        if (is_main(stage) && stage->answer.count == in->spec->knob_count) {
            memcpy(out->start, stage->answer.at, (size_t)in->spec->knob_count * sizeof(double));
            last_main = stage->id;
            out->tuners++;
        }
    }
    if (has_scan(in->spec) && !scanned) {
        out->kind = TUNE_STAGE_SENSE;
        return;
    }
    if (strcmp(in->spec->method, "sense") == 0)
        return;
    if (out->tuners == 0 || (strcmp(in->spec->method, "texel") != 0 && is_budget_left(in, out))) {
        if (out->tuners == 0)
            is_budget_left(in, out);
        out->kind = TUNE_STAGE_MAIN;
        return;
    }
    next_match(in, last_main, out);
}
