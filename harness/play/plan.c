// SPDX-License-Identifier: GPL-3.0-or-later
// Slots by arithmetic, openings by index.
#include "harness/play/plan.h"

#include "engine/base/check.h"
#include "engine/board/symmetry.h"
#include "harness/play/key_set.h"
#include "harness/play/opening_reader.h"

#include <stdlib.h>
#include <string.h>

// What a random number is for: equal seeds must not mean equal numbers in different places.
enum { SALT_SHUFFLE = 0x5348, SALT_OPENING = 0x4F50, SALT_TRANSFORM = 0x5452 };

// Without an end (until-sprt): far more than anyone will play, and no overflow when doubled.
static const int64_t PAIRS_ENDLESS = INT64_C(1) << 40;

// --- openings
// ----------------------------------------------------------------------------------------

static Status plan_read_openings(Plan *plan, ErrorText *err) {
    const Experiment *experiment = plan->experiment;
    const OpeningSpec *spec = &experiment->openings;
    Status status = opening_set_init(&plan->openings, experiment->width, experiment->height,
                                     experiment->k, experiment->rule, err);
    if (status || (!spec->file && spec->random_plies > 0))
        return status;
    if (!spec->file)
        return opening_set_add(&plan->openings, NULL, 0, 1, err); // the empty board
    return opening_read_file(&plan->openings, spec->file, spec->format, spec->rows, err);
}

// Fisher and Yates, from the last place down. Part of what an experiment is: another order of draws
// would be another run.
static void shuffle(PlanRound *rounds, int64_t count, uint64_t seed) {
    Rng rng = rng_init(rng_mix(seed, SALT_SHUFFLE));
    for (int64_t i = count - 1; i > 0; i--) {
        int64_t j = (int64_t)rng_below(&rng, (uint64_t)i + 1);
        PlanRound swapped = rounds[i];
        rounds[i] = rounds[j];
        rounds[j] = swapped;
    }
}

// Positions, not lists of moves: two orders of the same stones are one opening.
static int add_round_key(const Plan *plan, PlanRound round, KeySet *seen) {
    int count;
    const Move *moves = opening_set_get(&plan->openings, round.opening, &count);
    return key_set_add(seen, symmetry_position_key(plan->openings.width, plan->openings.height,
                                                   moves, count, round.symmetry));
}

// The first pass is the set as it stands. Further passes, one a symmetry, hold what was not seen
// before; they are there only when images count as openings of their own.
static Status plan_make_rounds(Plan *plan, ErrorText *err) {
    const Experiment *experiment = plan->experiment;
    int64_t count = plan->openings.count;
    int passes = experiment->symmetries ? symmetry_count(experiment->width, experiment->height) : 1;
    plan->rounds = calloc((size_t)(count * passes), sizeof *plan->rounds);
    if (!plan->rounds)
        return error_set(err, STATUS_NO_MEMORY, "out of memory for openings");
    for (int64_t i = 0; i < count; i++)
        plan->rounds[i] = (PlanRound){.opening = (uint32_t)i};
    if (experiment->openings.order == OPENING_SHUFFLED)
        // Before the passes: every pass takes the openings in the same shuffled order.
        shuffle(plan->rounds, count, experiment->seed);
    KeySet seen = {0};
    int added = 0;
    plan->round_count = count;
    // The first `count` keep their places even where they repeat each other; plan_check_duplicates
    // will say so. Only these are read; images are appended behind them.
    for (int64_t i = 0; i < count * passes && added >= 0; i++) {
        PlanRound round = {plan->rounds[i % count].opening, (uint8_t)(i / count)};
        added = add_round_key(plan, round, &seen);
        plan->distinct += added == 1;
        if (added == 1 && i >= count)
            plan->rounds[plan->round_count++] = round;
    }
    key_set_release(&seen);
    return added < 0 ? error_set(err, STATUS_NO_MEMORY, "out of memory for openings") : STATUS_OK;
}

// How many positions `plies` alternating stones can make on `cells` cells: an upper bound, since
// some may be won.
static int64_t count_positions(int cells, int plies) {
    double product = 1.0;
    int placed[2] = {0, 0};
    for (int i = 0; i < plies && i < cells; i++) {
        placed[i & 1]++;
        product *= (double)(cells - i) / placed[i & 1];
        // Near the end of 64 bits, and more than anybody can play.
        if (product > 1e18)
            return INT64_MAX;
    }
    return (int64_t)(product + 0.5);
}

// --- the plan
// ----------------------------------------------------------------------------------------

static Status plan_make_pairings(Plan *plan, ErrorText *err) {
    const Experiment *experiment = plan->experiment;
    int64_t players = experiment->player_count;
    int64_t heads =
        experiment->schedule == SCHEDULE_GAUNTLET ? experiment->gauntlet_heads : players;
    if (players < 2)
        return error_set(err, STATUS_INVALID, "%lld player, expected at least two",
                         (long long)players);
    if (experiment->schedule == SCHEDULE_GAUNTLET && (heads < 1 || heads >= players))
        return error_set(err, STATUS_INVALID,
                         "a gauntlet of %lld heads among %lld players, expected 1..%lld",
                         (long long)heads, (long long)players, (long long)players - 1);
    // At least n (n - 1) / 2, which is all of a round robin; a gauntlet has fewer.
    plan->pairings = calloc((size_t)(players * players / 2), sizeof *plan->pairings);
    if (!plan->pairings)
        return error_set(err, STATUS_NO_MEMORY, "out of memory for %lld players",
                         (long long)players);
    for (int64_t i = 0; i < heads; i++) {
        int64_t from = experiment->schedule == SCHEDULE_GAUNTLET ? heads : i + 1;
        for (int64_t j = from; j < players; j++)
            plan->pairings[plan->pairing_count++] = (PlanPairing){(int16_t)i, (int16_t)j};
    }
    return STATUS_OK;
}

// How far the plan goes never changes what its slots are: `pairs`, --games and --shard cut or thin
// the same sequence, which is why a run may go on with others.
static Status plan_set_limits(Plan *plan, const PlanLimits *limits, ErrorText *err) {
    const Experiment *experiment = plan->experiment;
    plan->pairs = experiment->pairs_until_sprt ? PAIRS_ENDLESS : experiment->pairs;
    // All rounds of a file, not the distinct ones among them: a set that repeats itself is refused
    // later, it must not end in the middle.
    int64_t rounds = plan->round_count > 0 ? plan->round_count : plan->distinct;
    plan->ends_with_openings = experiment->pairs_until_sprt && !experiment->allow_duplicates &&
                               plan->pairs > rounds && plan_is_deterministic(experiment, 0) &&
                               plan_is_deterministic(experiment, 1);
    if (plan->ends_with_openings)
        plan->pairs = rounds;
    if (plan->pairs < 1)
        return error_set(err, STATUS_INVALID, "pairs: %lld, expected at least 1",
                         (long long)plan->pairs);
    // Slot numbers are products: keep them within 64 bits.
    if (plan->pairs > PAIRS_ENDLESS / plan->pairing_count)
        plan->pairs = PAIRS_ENDLESS / plan->pairing_count;
    plan->slot_count = 2 * plan->pairs * plan->pairing_count;
    if (limits->games > 0 && limits->games < plan->slot_count)
        // Whole pairs, since half a pair says more about colours than about players.
        plan->slot_count = (limits->games + 1) / 2 * 2;
    plan->shard_count = limits->shard_count > 0 ? limits->shard_count : 1;
    plan->shard = limits->shard;
    if (plan->shard < 0 || plan->shard >= plan->shard_count)
        return error_set(err, STATUS_INVALID, "shard %lld/%lld, expected 1..%lld",
                         (long long)plan->shard + 1, (long long)plan->shard_count,
                         (long long)plan->shard_count);
    return STATUS_OK;
}

Status plan_init(Plan *plan, const Experiment *experiment, const PlanLimits *limits,
                 ErrorText *err) {
    *plan = (Plan){.experiment = experiment};
    Status status = plan_make_pairings(plan, err);
    if (!status)
        status = plan_read_openings(plan, err);
    if (!status && plan->openings.count > 0)
        status = plan_make_rounds(plan, err);
    else if (!status)
        plan->distinct = count_positions(experiment->width * experiment->height,
                                         experiment->openings.random_plies);
    if (!status)
        status = plan_set_limits(plan, limits, err);
    if (status)
        plan_release(plan);
    return status;
}

void plan_release(Plan *plan) {
    opening_set_release(&plan->openings);
    free(plan->pairings);
    free(plan->rounds);
    *plan = (Plan){0};
}

// All of a game follows from its number; nothing here may depend on which slots were played before.
// Databases of earlier runs rest on this arithmetic.
PlanSlot plan_slot(const Plan *plan, int64_t slot) {
    CHECK(slot >= 0 && slot < plan->slot_count);
    int64_t pair = slot / 2, round = pair / plan->pairing_count;
    PlanPairing pairing = plan->pairings[pair % plan->pairing_count];
    bool swapped = slot & 1;
    PlanSlot out = {.slot = slot,
                    .pair = pair,
                    .round = round,
                    .opening = round,
                    .black = swapped ? pairing.second : pairing.first,
                    .white = swapped ? pairing.first : pairing.second,
                    .seed = rng_mix(plan->experiment->seed, (uint64_t)slot)};
    if (plan->round_count > 0) {
        PlanRound chosen = plan->rounds[round % plan->round_count];
        out.opening = chosen.opening;
        out.symmetry = chosen.symmetry;
    }
    return out;
}

// The random symmetry of `transform`. Where images count as openings it hangs on the opening, so
// that the images of one stay different from each other; else on the round.
static int transform_of(const Plan *plan, const PlanSlot *slot) {
    const Experiment *experiment = plan->experiment;
    if (!experiment->openings.transform)
        return 0;
    uint64_t item = (uint64_t)(experiment->symmetries ? slot->opening : slot->round);
    Rng rng = rng_init(rng_mix(rng_mix(experiment->seed, SALT_TRANSFORM), item));
    return (int)rng_below(&rng, (uint64_t)symmetry_count(experiment->width, experiment->height));
}

int plan_opening(const Plan *plan, const PlanSlot *slot, Board *board, Move *moves) {
    const Experiment *experiment = plan->experiment;
    int width = experiment->width, height = experiment->height, count;
    if (plan->round_count == 0) {
        // By round: both games of a pair, and all pairings, get the same opening.
        uint64_t seed = rng_mix(rng_mix(experiment->seed, SALT_OPENING), (uint64_t)slot->round);
        Rng rng = rng_init(seed);
        return opening_random(board, experiment->openings.random_plies, &rng, moves);
    }
    const Move *stones = opening_set_get(&plan->openings, slot->opening, &count);
    int transform = transform_of(plan, slot);
    for (int i = 0; i < count; i++) {
        Move image = symmetry_apply(width, height, slot->symmetry, stones[i]);
        moves[i] = symmetry_apply(width, height, transform, image);
    }
    return count;
}

int64_t plan_next(const Plan *plan, int64_t slot) {
    // The remainder may be negative in C; it is brought to 0..shard_count - 1 below. A shard takes
    // whole pairs: slot itself, if its pair is ours, else the even slot of the next one that is.
    int64_t pair = slot / 2, ahead = (plan->shard - pair) % plan->shard_count;
    if (ahead != 0)
        slot = 2 * (pair + (ahead < 0 ? ahead + plan->shard_count : ahead));
    return slot < plan->slot_count ? slot : plan->slot_count;
}

int64_t plan_game_count(const Plan *plan) {
    int64_t pairs = plan->slot_count / 2;
    // How many numbers shard, shard + shard_count, ... lie below `pairs`.
    return 2 * ((pairs - plan->shard + plan->shard_count - 1) / plan->shard_count);
}

// --- repetition
// --------------------------------------------------------------------------------------

// A program's inner life is unknown, and a search that looks at a clock is not repeatable: neither
// counts.
bool plan_is_deterministic(const Experiment *experiment, int player) {
    const PlayerSpec *spec = &experiment->players[player];
    if (spec->external.command || experiment->clock.move_ms || experiment->clock.match_ms)
        return false;
    Algorithm algorithm = (Algorithm)knob_int(&spec->knobs, KNOB_SEARCH_ALGORITHM);
    bool draws_lots = algorithm == ALGORITHM_RANDOM ||
                      (algorithm == ALGORITHM_MCTS &&
                       knob_int(&spec->knobs, KNOB_MCTS_LEAF) == MCTS_LEAF_PLAYOUT);
    return !draws_lots && knob_int(&spec->knobs, KNOB_SEARCH_TIME_MS) == 0 &&
           knob_real(&spec->knobs, KNOB_PLAY_RANDOMNESS) == 0;
}

// Rounds among the first `count` whose position was on the board in an earlier round.
static int64_t repeated_rounds(const Plan *plan, int64_t count) {
    if (plan->round_count == 0)
        return count > plan->distinct ? count - plan->distinct : 0;
    // Beyond the last round the sequence begins again: all of that repeats.
    int64_t repeated = count > plan->round_count ? count - plan->round_count : 0;
    KeySet seen = {0};
    for (int64_t i = 0; i < count && i < plan->round_count; i++)
        repeated += add_round_key(plan, plan->rounds[i], &seen) == 0;
    key_set_release(&seen);
    return repeated;
}

int64_t plan_duplicates(const Plan *plan) {
    const Experiment *experiment = plan->experiment;
    int64_t duplicates = 0, pairs = plan->slot_count / 2;
    // The last round may be cut by --games: pairings before the cut play one round more.
    int64_t whole = pairs / plan->pairing_count, cut = pairs % plan->pairing_count;
    int64_t repeated = repeated_rounds(plan, whole),
            repeated_cut = repeated_rounds(plan, whole + 1);
    for (int64_t i = 0; i < plan->pairing_count; i++)
        if (plan_is_deterministic(experiment, plan->pairings[i].first) &&
            plan_is_deterministic(experiment, plan->pairings[i].second))
            duplicates += i < cut ? repeated_cut : repeated;
    return duplicates;
}

const char *plan_openings_name(const Plan *plan) {
    const OpeningSpec *spec = &plan->experiment->openings;
    return spec->file ? spec->file_text : spec->random_plies ? "random" : "the empty board";
}

Status plan_check_duplicates(const Plan *plan, ErrorText *err) {
    const Experiment *experiment = plan->experiment;
    int64_t duplicates = experiment->allow_duplicates ? 0 : plan_duplicates(plan);
    if (duplicates == 0)
        return STATUS_OK;
    int64_t rounds = (plan->slot_count / 2 + plan->pairing_count - 1) / plan->pairing_count;
    return error_set(err, STATUS_INVALID,
                     "%lld of the games repeat others: %lld pairs on %lld distinct opening%s (%s) "
                     "between deterministic players; use more openings, fewer pairs, 'symmetries: "
                     "true' or 'allow_duplicates: true'",
                     2 * (long long)duplicates, (long long)rounds, (long long)plan->distinct,
                     plan->distinct == 1 ? "" : "s", plan_openings_name(plan));
}
