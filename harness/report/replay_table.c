// SPDX-License-Identifier: GPL-3.0-or-later
// The moves of a stored game as a table for programs.
#include "engine/base/check.h"
#include "engine/board/notation.h"
#include "harness/report/replay_view.h"

enum {
    // Names as in the table `move` of the database, with what people ask for beside it: colour,
    // player, square.
    PLY,
    COLOUR,
    PLAYER,
    X,
    Y,
    SQUARE,
    OPENING,
    VALUE,
    DEPTH,
    SELDEPTH,
    NODES,
    INTERIOR,
    LEAVES,
    CUTOFFS,
    FIRST_CUTOFFS,
    BRANCHES,
    TT_PROBES,
    TT_HITS,
    TIME_US,
    PV
};

static const TableColumn COLUMNS[] = {
    {"ply", COLUMN_INT, 0, NULL},
    {"colour", COLUMN_TEXT, 0, NULL},
    {"player", COLUMN_TEXT, 0, NULL},
    {"x", COLUMN_INT, 0, NULL},
    {"y", COLUMN_INT, 0, NULL},
    {"square", COLUMN_TEXT, 0, NULL},
    {"opening", COLUMN_BOOL, 0, NULL},
    {"value", COLUMN_REAL, -1, NULL},
    {"depth", COLUMN_INT, 0, NULL},
    {"seldepth", COLUMN_INT, 0, NULL},
    {"nodes", COLUMN_INT, 0, NULL},
    {"interior", COLUMN_INT, 0, NULL},
    {"leaves", COLUMN_INT, 0, NULL},
    {"cutoffs", COLUMN_INT, 0, NULL},
    {"first_cutoffs", COLUMN_INT, 0, NULL},
    {"branches", COLUMN_INT, 0, NULL},
    {"tt_probes", COLUMN_INT, 0, NULL},
    {"tt_hits", COLUMN_INT, 0, NULL},
    {"time_us", COLUMN_INT, 0, NULL},
    {"pv", COLUMN_TEXT, 0, NULL},
};

// A cell that is not set is missing: null, empty or `-`, as the format has it.
static void costs_set(Table *table, const MoveRecord *move) {
    const SearchCost *cost = &move->cost;
    if (move->known & KNOWN_VALUE)
        table_set_real(table, VALUE, move->value);
    if (move->known & KNOWN_DEPTH)
        table_set_int(table, DEPTH, cost->depth);
    if (move->known & KNOWN_SELDEPTH)
        table_set_int(table, SELDEPTH, cost->seldepth);
    if (move->known & KNOWN_NODES)
        table_set_int(table, NODES, (int64_t)cost->nodes);
    if (move->known & KNOWN_COUNTERS) {
        table_set_int(table, INTERIOR, (int64_t)cost->interior);
        table_set_int(table, LEAVES, (int64_t)cost->leaves);
        table_set_int(table, CUTOFFS, (int64_t)cost->cutoffs);
        table_set_int(table, FIRST_CUTOFFS, (int64_t)cost->first_cutoffs);
        table_set_int(table, BRANCHES, (int64_t)cost->branches);
        table_set_int(table, TT_PROBES, (int64_t)cost->tt_probes);
        table_set_int(table, TT_HITS, (int64_t)cost->tt_hits);
    }
    if (move->known & KNOWN_TIME)
        table_set_int(table, TIME_US, (int64_t)cost->time_us);
    if (move->known & KNOWN_PV)
        table_set_text(table, PV, move->pv);
}

Table *replay_view_table(const ReplayView *view, int plies) {
    Table *table = table_new(COLUMNS, ARRAY_LEN(COLUMNS));
    for (int ply = 1; table && ply <= plies; ply++) {
        const MoveRecord *move = &view->game->moves[ply - 1];
        // Plies alternate from the first stone of the opening on.
        bool is_black = ply % 2 == 1;
        table_row(table);
        table_set_int(table, PLY, ply);
        table_set_text(table, COLOUR, is_black ? "black" : "white");
        table_set_text(table, PLAYER, is_black ? view->black_name : view->white_name);
        // From the left and from the top, as in the database; `square` counts rows from the bottom.
        table_set_int(table, X, move->move % view->board.width);
        table_set_int(table, Y, move->move / view->board.width);
        table_set_text(table, SQUARE, notation_square(&view->board, move->move).text);
        // Stones of the opening have nobody's costs.
        table_set_bool(table, OPENING, ply <= view->game->opening_plies);
        costs_set(table, move);
    }
    return table;
}
