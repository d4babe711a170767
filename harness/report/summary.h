// SPDX-License-Identifier: GPL-3.0-or-later
// Everything a report or a picture says, counted in one pass over games and one over moves, from
// one or more databases.
//
// Games are fed in the order of their slots, so that the two games of a pair follow each other. A
// pair counts when both of its games are there; other games count as single ones.
#pragma once

#include "engine/base/status.h"
#include "harness/report/pairing_map.h"
#include "harness/stats/counts.h"
#include "harness/stats/estimate.h"
#include "harness/store/store_read.h"

#include <stdbool.h>
#include <stdint.h>

enum { DEPTH_MAX = 127 }; // the store does not tell deeper searches apart

// One player, as its database has it. Everything is borrowed.
typedef struct PlayerRow {
    const char *name;
    const char *config; // JSON of player_spec_write_json; NULL or other text when unknown
    const char *label;  // of the source: its file name
} PlayerRow;

// All that is counted of one player.
// Sums only, so that a report needs as much memory as there are players and openings, not games.
typedef struct PlayerSummary {
    char *name;       // owned; unique in the summary
    char *given_name; // owned; as in its database
    char *short_name; // owned; for tables and pictures, as unique; NULL before the report is read
    char *config;     // owned; "" unknown
    // Owned; settings without name and depth: equal for the steps of a depth ladder; "" unknown.
    char *family;
    // Owned; settings that define the minimax value, depth included; "" unknown.
    char *minimax_family;
    bool is_minimax; // searches with plain minimax
    // All games, by the colour it had, and by who moved first after the opening.
    WdlCounts as_black, as_white;
    WdlCounts first, second; // as first mover after the opening, as second
    PairCounts pairs;        // whole pairs against everybody
    WdlCounts single;        // games outside whole pairs
    // Losses by reason are failures of this player, wins by reason those of its opponents.
    int64_t lost_by[REASON_NB], won_by[REASON_NB];
    StoreWatch watch; // what it did while not on move; games 0: it is no program
    StoreCost cost;   // of all its moves; moves is 0 when none is stored
    StoreCost stage[STAGE_NB];
    StoreCost *depth; // owned; DEPTH_MAX + 1 of them, by depth reached; NULL when no cost was added
} PlayerSummary;

// All that is counted of one opening.
// By experiment and number: the same number in another experiment is another opening.
typedef struct OpeningSummary {
    int source; // experiment it belongs to, index
    int64_t opening;
    Colour first_mover;
    char *moves;          // owned; its stones "h8 i9 ...", NULL unknown
    WdlCounts black;      // results of black
    WdlCounts first;      // results of the first mover after the opening
    int64_t pairs, swept; // whole pairs, and those in which the first mover won both
    int64_t plies;        // of all games, summed
} OpeningSummary;

// The counts. `pending` holds one game at most: the first of a pair whose twin may come next.
typedef struct ReportSummary {
    PlayerSummary *players; // owned
    int player_count, player_cap;
    PairingMap pairings;      // of players that met, seen from either
    OpeningSummary *openings; // owned, in the order first seen
    int opening_count, opening_cap;
    // Sums over all games; `moves` are those whose cost is known.
    int64_t games, pairs, plies, wall_us, moves;
    WdlCounts black, first;                  // over all games
    int64_t results_by_reason[REASON_NB][3]; // won by black, won by white, drawn
    StoreGame pending;                       // first game of a pair that may be completed
    bool has_pending;
    int pending_source;
    // At most half full, so that a search always ends.
    int *opening_hash; // owned; index + 1 into openings, open addressing
    int opening_hash_cap;
} ReportSummary;

// Frees everything and zeroes it. Zero-initialised is empty. Thread: owner.
void summary_release(ReportSummary *summary);

// Writes the index of a player, adding it when it is new; all players come before the first game.
// Players of several sources are one when name and settings are equal; the same name with other
// settings becomes "name [label]". Thread: owner.
// STATUS_NO_MEMORY is the only failure.
Status summary_add_player(ReportSummary *summary, const PlayerRow *player, int *index,
                          ErrorText *err) MUST_CHECK;

// The short name of the player called `name`; `name` itself when there is no such player. Thread:
// any reader.
const char *summary_short_name(const ReportSummary *summary, const char *name);

// Counts one game of experiment `source` (0..). Thread: owner.
Status summary_add_game(ReportSummary *summary, int source, const StoreGame *game,
                        ErrorText *err) MUST_CHECK;

// To be called after the last game of a source: a game that still waits for its twin is a single
// one. Thread: owner.
void summary_end_source(ReportSummary *summary);

// Keeps what moves of a player cost; row->player is a player of the summary, row->stage and
// row->depth say which moves (StoreCosts). Each row comes once. Thread: owner.
Status summary_set_cost(ReportSummary *summary, const StoreCost *row, ErrorText *err) MUST_CHECK;

// Notes the stones of an opening (copied); unknown openings are passed over. Thread: owner.
Status summary_add_opening(ReportSummary *summary, int source, const StoreOpening *opening,
                           ErrorText *err) MUST_CHECK;

// The pairing seen from `row`. Thread: any reader.
const PairingSummary *summary_pairing(const ReportSummary *summary, int row, int column);

// Points per game, NaN without games. Thread: any.
double wdl_share(WdlCounts counts);

// The same in percent, rounded once: 100 times a share of 0.575 is not 57.5. Thread: any.
double wdl_percent(WdlCounts counts);

// Sums. Thread: any reader.
WdlCounts wdl_counts_sum(WdlCounts a, WdlCounts b);

// All games of a player, as either colour. Thread: any reader.
int64_t player_games(const PlayerSummary *player);

// Three of the rates that tell how well a search prunes, by their names; missing when nothing was
// counted. Thread: any.
StatValue cost_cutoffs_per_node(const StoreCost *cost);
StatValue cost_cutoffs_per_interior_node(const StoreCost *cost); // as above
StatValue cost_first_move_cutoff_rate(const StoreCost *cost);    // as above

// Node saving of a player: 1 - nodes / nodes of plain minimax, from mean nodes a move of the player
// and of a minimax player whose settings define the same values at the same depth. Missing with its
// reason when there is none. Thread: any reader.
StatValue summary_node_saving(const ReportSummary *summary, int player);

// Nodes at depth d / nodes at depth d - 1, per ply, from mean nodes a move: between the player and
// the next shallower one of its family, both of a fixed depth. `*from` and `*to` say between which
// depths. Missing with its reason when there are none.
// Thread: any reader.
StatValue summary_branching(const ReportSummary *summary, int player, int *from, int *to);
