// SPDX-License-Identifier: GPL-3.0-or-later
// The table of pictures.
#include "harness/report/figures.h"

#include "engine/base/check.h"

#include <stddef.h>

// In the order in which they are drawn and listed; a picture of a tune and one of an experiment
// never come from one database.
static const FigureKind KINDS[] = {
    {"elo-ladder", "Elo of each player with its 95 % interval", false, figure_make_elo_ladder},
    {"score-matrix", "score of each player against each other", false, figure_make_score_matrix},
    {"nodes-by-depth", "nodes of a move against the depth reached", false,
     figure_make_nodes_by_depth},
    {"time-per-move", "how the time of a move is spread, by player", false,
     figure_make_time_per_move},
    {"prune-rate", "cutoffs per node and per interior node, first-move cutoff rate, node saving",
     false, figure_make_prune_rate},
    {"opening-balance", "share of the first mover by opening", false, figure_make_opening_balance},
    {"sweep", "score against the value of the knob that a sweep varies", false, figure_make_sweep},
    {"tune-path", "path of each knob of a tune, with its noise band", true, figure_make_tune_path},
    {"tune-sense", "what each knob does to the strength", true, figure_make_tune_sense},
    {"tune-proof", "evidence and Elo of the match that proves a tune", true,
     figure_make_tune_proof},
};

const FigureKind *figure_kind_at(int index) {
    return index >= 0 && (size_t)index < ARRAY_LEN(KINDS) ? &KINDS[index] : NULL;
}
