// SPDX-License-Identifier: GPL-3.0-or-later
// What `gomolab verify` is to compare: from its own kind of file, or from a player with everything
// else at its default.
//
//     player: ../players/classic.yaml          # a path, or a map of a player's keys
//     reference: {search.depth: 3}              # changes to the player; default: plain minimax
//     candidates: [all, {name: wide, search.order: [center], moves.limit: 12}]
//     positions: {random: 50, plies: [4, 30], seed: 1}     # or {file: positions.tsv}, or {db: games.db, limit: 1000}
//     depths: [1, 2, 3]
//     node_limit: 1000000                       # of the reference for one position; beyond it the position is skipped
//     tie: board                                # or order: see verify.h
//     rule: freestyle
//     board: 15
#pragma once

#include "harness/cli/config_listing.h"
#include "harness/cli/options.h"
#include "harness/study/verify.h"

// Everything resolved: knob sets are whole players, paths are relative to the working directory.
// Options of the command may still change it before it becomes a VerifySpec.
typedef struct VerifyConfig {
    char *name; // owned
    KnobSet player, reference;
    VerifyCandidates candidates;
    char *positions_file, *positions_db; // owned; NULL = random positions
    int64_t random, limit;
    int plies[2]; // least and most stones of a random position
    uint64_t seed;
    int64_t depths[VERIFY_MAX_DEPTHS];
    int depth_count;
    Rule rule;
    int board;
    int64_t node_limit;
    enum { VERIFY_TIE_BOARD, VERIFY_TIE_ORDER } tie;
} VerifyConfig;

// Loads a file of either kind; `sets` ("key=value") change the player. `words` replace the file's
// candidates when there are any, a `seed` that is not negative its seed. On success *out is the
// caller's: verify_config_release. Thread: any.
Status verify_config_load(const char *path, const OptionList *sets, const OptionList *words,
                          int64_t seed, VerifyConfig *out, ErrorText *err) MUST_CHECK;

// Loads as verify_config_load does, for its judgement, and appends every key, the player's and
// those in which the reference differs from it. Thread: any.
Status verify_config_list(const char *path, const OptionList *sets, ConfigListing *listing,
                          ErrorText *err) MUST_CHECK;

// Does a depth stand twice among them, whose comparisons would count twice? *which is set only
// then. Thread: any.
bool verify_depth_twice(const int64_t *depths, int count, int64_t *which);

// Is it a file of a verification, by its keys? Thread: any.
Status verify_config_is(const char *path, bool *out, ErrorText *err) MUST_CHECK;

// Frees what the configuration owns. Thread: owner.
void verify_config_release(VerifyConfig *config);
