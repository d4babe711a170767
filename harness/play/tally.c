// SPDX-License-Identifier: GPL-3.0-or-later
// Counting games at once, pairs in order.
#include "harness/play/tally.h"

#include "engine/base/check.h"

#include <stdlib.h>

static Status tally_init_sprt(Tally *tally, ErrorText *err) {
    const SprtSpec *spec = &tally->plan->experiment->sprt;
    if (!spec->enabled)
        return STATUS_OK;
    SprtParams params = {.elo0 = spec->elo0,
                         .elo1 = spec->elo1,
                         .alpha = spec->alpha,
                         .beta = spec->beta,
                         .model = spec->normalized ? SPRT_NORMALIZED : SPRT_LOGISTIC};
    if (tally->plan->experiment->player_count != 2)
        return error_set(err, STATUS_INVALID, "sprt: %d players, a sequential test needs two",
                         tally->plan->experiment->player_count);
    Status status = sprt_params_check(&params, err);
    if (status)
        return error_wrap(err, status, "sprt");
    tally->has_sprt = true;
    tally->sprt = sprt_test_init(&params);
    return STATUS_OK;
}

Status tally_init(Tally *tally, const Plan *plan, ErrorText *err) {
    *tally = (Tally){.plan = plan, .window_cap = 64};
    tally->games = calloc((size_t)plan->pairing_count, sizeof *tally->games);
    tally->pairs = calloc((size_t)plan->pairing_count, sizeof *tally->pairs);
    tally->movers = calloc((size_t)plan->pairing_count, sizeof *tally->movers);
    tally->window = calloc((size_t)tally->window_cap, sizeof *tally->window);
    Status status = tally->games && tally->pairs && tally->movers && tally->window
                        ? tally_init_sprt(tally, err)
                        : error_set(err, STATUS_NO_MEMORY, "out of memory for the score");
    if (status)
        tally_release(tally);
    return status;
}

void tally_release(Tally *tally) {
    free(tally->games);
    free(tally->pairs);
    free(tally->movers);
    free(tally->window);
    *tally = (Tally){0};
}

// A ring: pair i stands at i modulo the capacity, a power of two. Only pairs from `base` to base +
// cap - 1 have a place; those before it are counted and gone.
static TallyPair *window_at(const Tally *tally, int64_t pair) {
    return tally->window + (pair & (tally->window_cap - 1));
}

static bool window_grow(Tally *tally, int64_t pairs) {
    Tally wider = *tally;
    while (wider.window_cap < pairs)
        wider.window_cap *= 2;
    wider.window = calloc((size_t)wider.window_cap, sizeof *wider.window);
    if (!wider.window)
        return false;
    // Every place of the old ring moves, also empty ones, whose pairs are not played yet.
    for (int64_t pair = tally->base; pair < tally->base + tally->window_cap; pair++)
        *window_at(&wider, pair) = *window_at(tally, pair);
    free(tally->window);
    *tally = wider;
    return true;
}

// Does white move first after the opening of this pair?
// An odd number of stones leaves white to move. Both games of a pair have one opening, so one
// answer does for both.
static bool white_moves_first(const Plan *plan, int64_t pair) {
    int count = plan->experiment->openings.random_plies;
    PlanSlot slot = plan_slot(plan, 2 * pair);
    if (plan->round_count > 0)
        opening_set_get(&plan->openings, slot.opening, &count);
    return count % 2 != 0;
}

// `pair` is the number in the plan; points are those of the pairing's first player, in the game in
// which it has black ([0]) and white ([1]).
static void tally_count_pair(Tally *tally, int64_t pair, const TallyPair *played) {
    int64_t pairing = pair % tally->plan->pairing_count;
    int half_points[2] = {played->half_points[0] - 1, played->half_points[1] - 1};
    PairClass class = pair_class_from_half_points(half_points[0], half_points[1]);
    int first = white_moves_first(tally->plan, pair); // the game in which it moved first
    tally->pairs[pairing].n[class]++;
    tally->movers[pairing].pair_points[half_points[first]][half_points[!first]]++;
    tally->twins += played->moves_key[0] && played->moves_key[0] == played->moves_key[1];
    if (tally->has_sprt)
        sprt_test_add_pair(&tally->sprt, class);
}

// Counts the whole pairs at the front of the window. `base` numbers the pairs of this shard only.
static void tally_count_pairs(Tally *tally) {
    const Plan *plan = tally->plan;
    for (TallyPair *played = window_at(tally, tally->base);
         played->half_points[0] && played->half_points[1];
         played = window_at(tally, ++tally->base)) {
        tally_count_pair(tally, tally->base * plan->shard_count + plan->shard, played);
        // Free for the pair that will stand here one round of the ring later.
        *played = (TallyPair){0};
    }
}

static void wdl_add(WdlCounts *games, int half_points) {
    games->wins += half_points == 2;
    games->draws += half_points == 1;
    games->losses += half_points == 0;
}

// Single games count at once, pairs when their turn has come: `games` may be ahead of `pairs` by
// what waits in the window.
Status tally_add(Tally *tally, const TallyGame *game, ErrorText *err) {
    const Plan *plan = tally->plan;
    int64_t pair = game->slot / 2, index = pair / plan->shard_count;
    // A slot of another shard, or one that was counted before, is a fault of the caller: the score
    // would be wrong without anybody noticing.
    CHECK(pair % plan->shard_count == plan->shard && index >= tally->base);
    // The window spans from the oldest pair in progress to the newest that has ended: about the
    // number of games at once, unless one game lasts very long.
    if (index - tally->base >= tally->window_cap && !window_grow(tally, index - tally->base + 1))
        return error_set(err, STATUS_NO_MEMORY, "out of memory for the score");
    int second = game->slot & 1;
    // In even slots the pairing's first player has black (plan.h).
    bool first_is_black = !second;
    int half_points = game->result == 'D' ? 1 : (game->result == 'B') == first_is_black ? 2 : 0;
    TallyMovers *movers = &tally->movers[pair % plan->pairing_count];
    bool is_first_mover = first_is_black != white_moves_first(plan, pair);
    wdl_add(&tally->games[pair % plan->pairing_count], half_points);
    wdl_add(is_first_mover ? &movers->first : &movers->second, half_points);
    tally->game_count++;
    TallyPair *played = window_at(tally, index);
    played->half_points[second] = (uint8_t)(half_points + 1);
    played->moves_key[second] = game->moves_key;
    tally_count_pairs(tally);
    return STATUS_OK;
}

void tally_player(const Tally *tally, int player, WdlCounts *games, PairCounts *pairs) {
    *games = (WdlCounts){0};
    *pairs = (PairCounts){0};
    for (int64_t i = 0; i < tally->plan->pairing_count; i++) {
        PlanPairing pairing = tally->plan->pairings[i];
        if (pairing.first != player && pairing.second != player)
            continue;
        bool swapped = pairing.second == player;
        WdlCounts theirs = tally->games[i];
        PairCounts seen = swapped ? pair_counts_swapped(&tally->pairs[i]) : tally->pairs[i];
        games->wins += swapped ? theirs.losses : theirs.wins;
        games->draws += theirs.draws;
        games->losses += swapped ? theirs.wins : theirs.losses;
        for (int class = 0; class < PAIR_CLASS_NB; class ++)
            pairs->n[class] += seen.n[class];
    }
}

// Score per game, not Elo: it is asked for on every refresh of a live line, with any number of
// players.
int tally_leader(const Tally *tally) {
    int leader = -1;
    double best = -1;
    for (int player = 0; player < tally->plan->experiment->player_count; player++) {
        WdlCounts games;
        PairCounts pairs;
        tally_player(tally, player, &games, &pairs);
        int64_t count = wdl_counts_total(&games);
        double score =
            count ? ((double)games.wins + 0.5 * (double)games.draws) / (double)count : -1;
        if (score > best) {
            best = score;
            leader = player;
        }
    }
    return leader;
}
