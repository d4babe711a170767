// SPDX-License-Identifier: GPL-3.0-or-later
// Books of openings: making new ones that a player calls balanced, and describing those that are
// there.
#pragma once

#include "engine/base/knob.h"
#include "harness/play/opening.h"

typedef struct OpeningBookSpec {
    int64_t count;            // openings wanted
    int min_plies, max_plies; // stones, each number equally likely
    uint64_t seed;
    const KnobSet *judge; // the player that judges; NULL: no balance asked for
    double bound;         // |value| must be below it
} OpeningBookSpec;

// Adds `spec->count` openings to the set (initialised, empty). First stones fall anywhere, later
// ones near a stone; all are distinct up to the symmetries, nobody has won or wins with the next
// stone, and the judge's value is within the bound. The same spec gives the same book.
// STATUS_UNSUPPORTED when no more can be found, after very many tries; fails as engine_new does.
// Thread: owner.
Status opening_book_generate(OpeningSet *set, const OpeningBookSpec *spec,
                             ErrorText *err) MUST_CHECK;

typedef struct OpeningBookStats {
    int64_t count; // openings
    int min_plies, max_plies;
    double mean_plies;
    int64_t black_to_move;
    int64_t duplicates;           // positions that stand earlier in the set
    int64_t symmetric_duplicates; // images of an earlier one, duplicates included
    bool has_values;
    double min_value, median_value, mean_value, max_value; // of the judge, from black's side
    double mean_abs_value, max_abs_value;
    int64_t beyond_bound; // |value| at or above the bound
} OpeningBookStats;

// Describes a set. `judge` may be NULL (no values). Thread: owner.
Status opening_book_describe(const OpeningSet *set, const KnobSet *judge, double bound,
                             OpeningBookStats *out, ErrorText *err) MUST_CHECK;

// Appends an opening in pos notation, "h8i9j10"; "-" for the empty board. Thread: owner of `out`.
void opening_write_pos(const OpeningSet *set, int64_t index, bool rows_from_top, Text *out);
