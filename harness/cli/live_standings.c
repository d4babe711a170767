// SPDX-License-Identifier: GPL-3.0-or-later
// A summary of the score, as a report has it from its database.
#include "harness/cli/live_standings.h"

static WdlCounts wdl_swapped(WdlCounts games) {
    return (WdlCounts){games.losses, games.draws, games.wins};
}

// Colours do not enter the standings: all games go as black's.
static Status add_player(const Tally *tally, int player, ReportSummary *summary, ErrorText *err) {
    PlayerRow row = {.name = tally->plan->experiment->players[player].name, .label = ""};
    int index;
    Status status = summary_add_player(summary, &row, &index, err);
    if (status)
        return status;
    PlayerSummary *out = &summary->players[index];
    tally_player(tally, player, &out->as_black, &out->pairs);
    WdlCounts paired = wdl_from_pairs(&out->pairs);
    out->single = (WdlCounts){out->as_black.wins - paired.wins, out->as_black.draws - paired.draws,
                              out->as_black.losses - paired.losses};
    return STATUS_OK;
}

static Status add_pairing(const Tally *tally, int64_t number, ReportSummary *summary,
                          ErrorText *err) {
    PlanPairing pairing = tally->plan->pairings[number];
    const TallyMovers *movers = &tally->movers[number];
    PairingSummary *mine = pairing_map_at(&summary->pairings, pairing.first, pairing.second);
    if (!mine)
        return error_set(err, STATUS_NO_MEMORY, "out of memory");
    PairingSummary *theirs = pairing_map_opposite(&summary->pairings, mine);
    mine->first = movers->first;
    theirs->first = wdl_swapped(movers->second);
    mine->pairs = tally->pairs[number];
    theirs->pairs = pair_counts_swapped(&mine->pairs);
    for (int first = 0; first < 3; first++)
        for (int second = 0; second < 3; second++) {
            mine->pair_points[first][second] = movers->pair_points[first][second];
            theirs->pair_points[2 - second][2 - first] = movers->pair_points[first][second];
        }
    return STATUS_OK;
}

// Through the code of the report, so that the live line and the tables of the end never disagree.
Status live_standings_compute(const Tally *tally, Standings *out, ErrorText *err) {
    ReportSummary summary = {0};
    Status status = STATUS_OK;
    *out = (Standings){0};
    for (int i = 0; !status && i < tally->plan->experiment->player_count; i++)
        status = add_player(tally, i, &summary, err);
    for (int64_t i = 0; !status && i < tally->plan->pairing_count; i++)
        status = add_pairing(tally, i, &summary, err);
    if (!status)
        status = standings_compute(&summary, out, err);
    summary_release(&summary);
    return status;
}
