// SPDX-License-Identifier: GPL-3.0-or-later
// Who is stronger: one line a player, best first, for tables and pictures alike.
//
// Two players: the match itself, from whole pairs (harness/stats/elo.h). More: ratings of the pool
// by maximum likelihood, the first-move advantage fitted with them, errors clustered by pairs
// (harness/stats/rating.h).
#pragma once

#include "harness/report/summary.h"
#include "harness/stats/elo.h"
#include "harness/stats/rating.h"

// A player's line. What does not exist carries its reason.
typedef struct Standing {
    int player; // index in the summary
    int64_t games;
    WdlCounts total;
    StatValue score;      // points per game, 0..1
    StatValue elo;        // two players: against the other; more: against the mean of the group
    EloInterval interval; // 95 %; after a perfect score one end only
    StatValue los; // likelihood that it is stronger than the other, or than the mean of the group
    int64_t pairs; // whole pairs
    int table;     // from 1; players of different tables cannot be compared
} Standing;

// All lines, and what there is to say below them.
typedef struct Standings {
    Standing *rows; // owned; best first, table by table
    int count, tables;
    Text warnings; // owned; one line each: what could not be rated, weak links, close neighbours
    bool is_pool;  // more than two players: ratings
    // Of the first mover, in Elo, of the group with the most games.
    StatValue advantage, advantage_se;
    MatchStats match; // of the first row's player, when there are two
} Standings;

// What a match of pairs and single games says: from the whole pairs alone when most games are in
// one (single games then are those of an interrupted run), else from all games as if they were
// independent. Thread: any.
MatchStats standing_match(const PairCounts *pairs, const WdlCounts *single);

// One row for each player with at least one game. Release with standings_release. Thread: any
// reader.
// STATUS_NO_MEMORY, or what rating_compute says; *out is to be released in any case.
Status standings_compute(const ReportSummary *summary, Standings *out, ErrorText *err) MUST_CHECK;

// Frees the rows and the warnings; a zeroed one is fine. Thread: owner.
void standings_release(Standings *standings);
