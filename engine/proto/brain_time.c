// SPDX-License-Identifier: GPL-3.0-or-later
// Budgets of moves.
#include "engine/proto/brain_time.h"

#include <string.h>

// Managers write "no limit" for a match as one of the large numbers around this, or as 2147483647.
#define UNLIMITED_MS INT64_C(100000000)

static int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }

BrainTime brain_time_unknown(void) {
    return (BrainTime){.turn_ms = -1, .match_ms = -1, .left_ms = INT64_MAX};
}

bool brain_time_note(BrainTime *time, const char *key, int64_t value) {
    if (strcmp(key, "timeout_turn") == 0)
        time->turn_ms = max_i64(value, 0);
    else if (strcmp(key, "timeout_match") == 0)
        time->match_ms = max_i64(value, 0);
    else if (strcmp(key, "time_left") == 0)
        time->left_ms = value; // below 0 for a manager that lets a late program play on
    else if (strcmp(key, "time_increment") == 0)
        time->increment_ms = min_i64(max_i64(value, 0), UNLIMITED_MS);
    else
        return false;
    return true;
}

static bool has_turn_limit(const BrainTime *time) {
    return time->turn_ms > 0 && time->turn_ms < UNLIMITED_MS;
}

// A match without a limit is written as 0, or never mentioned; time_left then says nothing, or a
// large number.
static bool has_match_limit(const BrainTime *time) {
    return time->match_ms != 0 && time->left_ms < UNLIMITED_MS;
}

// The automatic margin has a fixed part for pipes and process switches, a part that grows with the
// limit, and what was seen of this machine: twice, because whoever waits for a core at the end of a
// search waits as long before it. Never more than half, or a short limit would leave no search.
static int64_t keep_margin(const BrainTime *time, int64_t limit_ms, int64_t margin_ms) {
    if (margin_ms < 0)
        margin_ms = min_i64(30 + limit_ms / 20 + 2 * time->late_ms, limit_ms / 2);
    return max_i64(limit_ms - margin_ms, 1);
}

int64_t brain_time_budget_ms(const BrainTime *time, int stones, int cells, int64_t margin_ms) {
    if (time->turn_ms == 0)
        return 1;
    int64_t budget = INT64_MAX;
    if (has_turn_limit(time))
        budget = keep_margin(time, time->turn_ms, margin_ms);
    if (has_match_limit(time)) {
        // Most games are over within some 30 moves a side; later on, a tenth of what is left at a
        // time never runs out.
        int64_t own_moves = stones / 2;
        int64_t moves_left = max_i64(30 - own_moves, 10);
        moves_left = max_i64(min_i64(moves_left, (cells - stones + 1) / 2), 1);
        // An increment comes after the move is made: a quarter of it is kept for bad surprises.
        int64_t share = time->left_ms / moves_left + time->increment_ms * 3 / 4;
        budget = min_i64(budget, share);
        budget = min_i64(budget, keep_margin(time, max_i64(time->left_ms, 0), margin_ms));
    }
    return budget == INT64_MAX ? 0 : max_i64(budget, 1);
}

// A move may take three shares of the match clock when it is hard, but no more than a quarter of
// what is left, nor than the limit of a turn.
static int64_t hard_budget_ms(const BrainTime *time, int64_t share_ms, int64_t margin_ms) {
    int64_t most = min_i64(3 * share_ms, max_i64(time->left_ms, 0) / 4);
    if (has_turn_limit(time))
        most = min_i64(most, keep_margin(time, time->turn_ms, margin_ms));
    return max_i64(most, share_ms);
}

void brain_time_limit(const BrainTime *time, const Board *board, int64_t margin_ms, int64_t used_ms,
                      ThinkLimits *limits) {
    int64_t budget_ms =
        brain_time_budget_ms(time, board->stone_count, board_cell_count(board), margin_ms);
    if (budget_ms == 0)
        return;
    limits->time_ms = max_i64(budget_ms - used_ms, 1);
    // Under a turn limit alone unused time is lost: the search may take all of it. A match clock
    // keeps what is not used, so there the budget is an aim and the hard limit lies beyond it.
    if (has_match_limit(time)) {
        limits->soft_ms = limits->time_ms;
        limits->time_ms = max_i64(hard_budget_ms(time, budget_ms, margin_ms) - used_ms, 1);
    }
}

void brain_time_watch(BrainTime *time, const ThinkLimits *limits, int64_t took_ms) {
    int64_t late_ms = limits->time_ms > 0 ? took_ms - limits->time_ms : 0;
    time->late_ms = max_i64(late_ms, time->late_ms * 7 / 8);
}
