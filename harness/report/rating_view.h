// SPDX-License-Identifier: GPL-3.0-or-later
// A rating list as people and programs read it.
//
// JSON: one object. players: an array in the order of the list, each {player, elo, se, lo, hi,
// games, score, group, bound, table}; bound is ">", "<" or null; lo and hi are the 95 % interval.
// first_move_advantage {elo, se, bound}: of the group with the most games. draw_elo {elo, se} with
// the Rao-Kupper model. groups: an array of {group, table, players, games, first_move_advantage}.
// model (half-win|rao-kupper|opening-free), errors (sandwich|hessian|bootstrap), against (mean,
// scale, or a player's name: what se is measured against), games, log_likelihood. los: a square
// matrix in the order of players, on request, null where a comparison does not exist. warnings: an
// array of strings. A value that does not exist is null.
#pragma once

#include "harness/report/table.h"
#include "harness/stats/rating.h"

typedef struct RatingView {
    const RatingInput *input;     // borrowed; with names
    const RatingOptions *options; // borrowed
    const Rating *rating;         // borrowed
    const char *warnings;         // borrowed; one a line
    bool is_opening_free;
    bool has_superiority; // print the matrix, too
    bool is_explained;    // text: a sentence under each kind of number
} RatingView;

// Appends the list in `format`. Text and Markdown have a heading and one table a table of the
// rating; CSV and TSV one table with the column `table`. Ends with a newline. Thread: owner of
// `out`.
MUST_CHECK Status rating_view_write(const RatingView *view, TableFormat format, Text *out,
                                    ErrorText *err);
