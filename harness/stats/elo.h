// SPDX-License-Identifier: GPL-3.0-or-later
// A match of two, in numbers: score, Elo with its 95 % interval, normalized Elo, likelihood of
// superiority, the Elo that is free of opening bias, and the bias of the openings themselves.
//
// Elo is the logistic scale: score = 1 / (1 + 10^(-elo/400)). Intervals are formed on the score and
// their ends are transformed, so they are asymmetric. Errors come from whole pairs by default;
// those from single games stand beside them. Near the ends of the scale, where the normal interval
// fails, Wilson's takes over; below fifteen observations Student's t; `method` says which. Sources:
// Wilson (JASA 1927); Van den Bergh, "The generalized sequential probability ratio test" and notes
// on normalized Elo (2019-2020); McNemar (Psychometrika 1947) for the opening-free estimate.
#pragma once

#include "harness/stats/counts.h"
#include "harness/stats/estimate.h"

// Normalized Elo = NELO_SCALE * (score - 1/2) / (standard deviation of a game): 800 / ln 10, so
// that without draws and bias it equals Elo near an even score.
#define NELO_SCALE 347.43558552260144
#define NORMAL_Z95 1.959963984540054 // two-sided 95 % point of the normal distribution

// NORMAL: score +- 1.96 standard errors. STUDENT: the same with the quantile of t, for few
// observations. WILSON: of a proportion, with the number of observations of yes or no that would
// have the same error (Wilson, JASA 1927); stays on the scale at its ends. NONE: no games.
typedef enum IntervalMethod {
    INTERVAL_NONE,
    INTERVAL_NORMAL,
    INTERVAL_STUDENT,
    INTERVAL_WILSON
} IntervalMethod;

// 95 %, asymmetric. After 20 wins in 20 games there is a lower end and no upper one.
typedef struct EloInterval {
    StatValue lo, hi; // Elo; an end that runs off the scale is missing
} EloInterval;

// Every number of a match, from the first player's side. What does not exist says why.
typedef struct MatchStats {
    StatBy by;                           // what an observation was for the errors below
    int64_t pairs, games;                // counted; a pair is two of the games
    WdlCounts wdl;                       // the games counted
    PairCounts classes;                  // the pairs counted
    StatValue score;                     // points per game, 0..1
    StatValue elo;                       // of that score
    EloInterval interval;                // the one to print: 95 %, by `method`
    IntervalMethod method;               // how `interval` was made
    EloInterval normal, student, wilson; // all three, for comparison
    StatValue nelo, nelo_err;            // normalized Elo and the half width of its 95 % interval
    StatValue los;                       // likelihood of superiority, 0..1
    // Standard error of the score: as used, from whole pairs, from games taken as independent.
    StatValue se, se_pairs, se_games;
    StatValue error_ratio;      // se_games / se_pairs: above 1, pairing earned something
    StatValue opening_free_elo; // 200 log10(WW / LL)
    StatValue opening_free_se;  // its standard error
    EloInterval opening_free;   // its 95 % interval (Wilson, on the share of WW among the decisive)
    bool opening_free_corrected; // half a pair was added to WW and LL because one of them is 0
    // RMS bias of the openings: in score units, and as Elo of 1/2 + bias.
    StatValue bias_score, bias_elo;
} MatchStats;

// Elo of a score in (0, 1); -inf at 0, inf at 1. Thread: any.
double elo_from_score(double score);

// Expected score of `elo`; 0.5 at 0. Thread: any.
double score_from_elo(double elo);

// Everything about a match. BY_PAIRS counts the pairs only and ignores `single`; BY_GAMES counts
// the games of the pairs and the `single` ones, all as if independent. Either pointer may be NULL
// (none). Never fails: what cannot be said is missing with its reason. Thread: any.
MatchStats match_stats_compute(const PairCounts *pairs, const WdlCounts *single, StatBy by);

// "normal", "t", "wilson" or "none". Thread: any.
const char *interval_method_name(IntervalMethod method);
