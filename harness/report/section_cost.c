// SPDX-License-Identifier: GPL-3.0-or-later
// Sections of cost: nodes, speed and time by player and by stage, and how well the ordering prunes.
#include "engine/base/check.h"
#include "harness/report/section.h"

#include <stdio.h>

// The spread knows how many moves had the number at all; not every program tells its nodes.
static double spread_sum_mean(uint64_t sum, const StoreSpread *spread) {
    return spread->count > 0 ? (double)sum / (double)spread->count : 0.0;
}

// --- move cost
// ------------------------------------------------------------------------------------------------------

// The columns after the player (and stage), relative to the first of them.
enum {
    MC_MOVES,
    MC_NODES_MEAN,
    MC_NODES_MEDIAN,
    MC_NODES_P95,
    MC_NODES_MAX,
    MC_SPEED,
    MC_TIME_MEAN,
    MC_TIME_MEDIAN,
    MC_TIME_P95,
    MC_TIME_MAX
};

// Two sections share these columns, one by player and one by player and stage; names as columns.md
// has them.
#define COST_COLUMNS                                                                               \
    {"moves", COLUMN_INT, 0, NULL}, {"nodes_mean", COLUMN_REAL, 1, NULL},                          \
        {"nodes_median", COLUMN_INT, 0, NULL}, {"nodes_p95", COLUMN_INT, 0, NULL},                 \
        {"nodes_max", COLUMN_INT, 0, NULL}, {"nodes_per_second", COLUMN_REAL, 0, NULL},            \
        {"time_us_mean", COLUMN_REAL, 1, NULL}, {"time_us_median", COLUMN_INT, 0, NULL},           \
        {"time_us_p95", COLUMN_INT, 0, NULL}, {                                                    \
        "time_us_max", COLUMN_INT, 0, NULL                                                         \
    }

static const TableColumn PLAYER_COST_COLUMNS[] = {{"player", COLUMN_TEXT, 0, NULL}, COST_COLUMNS};
static const TableColumn MOVE_COST_COLUMNS[] = {
    {"player", COLUMN_TEXT, 0, NULL}, {"stage", COLUMN_TEXT, 0, NULL}, COST_COLUMNS};

static void cost_fill(const StoreCost *cost, int first, Table *table) {
    const StoreSpread *nodes = &cost->node_spread, *time = &cost->time_us_spread;
    table_set_int(table, first + MC_MOVES, cost->moves);
    if (nodes->count > 0) {
        table_set_real(table, first + MC_NODES_MEAN, spread_sum_mean(cost->nodes, nodes));
        table_set_int(table, first + MC_NODES_MEDIAN, nodes->median);
        table_set_int(table, first + MC_NODES_P95, nodes->p95);
        table_set_int(table, first + MC_NODES_MAX, nodes->max);
    }
    // All nodes over the time of the moves that had nodes, and not the mean of speeds: short moves
    // would count as much as long ones.
    section_set_ratio(table, first + MC_SPEED, 1e6 * (double)cost->timed_nodes,
                      (double)cost->node_time_us);
    if (time->count > 0) {
        table_set_real(table, first + MC_TIME_MEAN, spread_sum_mean(cost->time_us, time));
        table_set_int(table, first + MC_TIME_MEDIAN, time->median);
        table_set_int(table, first + MC_TIME_P95, time->p95);
        table_set_int(table, first + MC_TIME_MAX, time->max);
    }
}

// Programs get players in the order of the database, people by strength: rows of files should not
// move when results do.
static void player_cost_fill(const ReportInput *input, Table *table) {
    for (int i = 0; i < input->summary.player_count; i++) {
        const PlayerSummary *player = &input->summary.players[i];
        // Nothing is stored of it; a row of blanks would look like a finding.
        if (player->cost.moves == 0)
            continue;
        table_row(table);
        table_set_text(table, 0, player->name);
        cost_fill(&player->cost, 1, table);
    }
}

static void move_cost_fill(const ReportInput *input, Table *table) {
    for (int i = 0; i < input->summary.player_count; i++) {
        const PlayerSummary *player = &input->summary.players[i];
        for (int stage = 0; stage < STAGE_NB; stage++) {
            if (player->stage[stage].moves == 0)
                continue;
            table_row(table);
            table_set_text(table, 0, player->name);
            table_set_text(table, 1, store_stage_name((StoreStage)stage));
            cost_fill(&player->stage[stage], 2, table);
        }
    }
}

#define COST_SHOWN                                                                                 \
    {"moves", COLUMN_RIGHT, 0, NULL}, {"nodes_median", COLUMN_RIGHT, 0, "nodes median"},           \
        {"nodes_p95", COLUMN_RIGHT, 0, "nodes 95 %"}, {"nodes_max", COLUMN_RIGHT, 0, "nodes max"}, \
        {"speed", COLUMN_RIGHT, 0, "nodes/s"}, {"time_median", COLUMN_RIGHT, 0, "time median"},    \
        {"time_p95", COLUMN_RIGHT, 0, "time 95 %"}, {                                              \
        "time_max", COLUMN_RIGHT, 0, "time max"                                                    \
    }

static const TableColumn PLAYER_COST_SHOWN[] = {{"player", COLUMN_TEXT, 0, NULL}, COST_SHOWN};
static const TableColumn MOVE_COST_SHOWN[] = {
    {"player", COLUMN_TEXT, 0, NULL}, {"stage", COLUMN_TEXT, 0, NULL}, COST_SHOWN};

// Medians and not means: one long search would stand for a hundred short ones.
static void cost_show(const StoreCost *cost, int first, Table *table) {
    const StoreSpread *nodes = &cost->node_spread, *time = &cost->time_us_spread;
    section_set_number(table, first, number_count(cost->moves));
    if (nodes->count > 0) {
        section_set_number(table, first + 1, number_short((double)nodes->median));
        section_set_number(table, first + 2, number_short((double)nodes->p95));
        section_set_number(table, first + 3, number_short((double)nodes->max));
    }
    // Missing and not infinite for moves that took less than the clock can tell.
    if (cost->node_time_us > 0)
        section_set_number(
            table, first + 4,
            number_short(1e6 * (double)cost->timed_nodes / (double)cost->node_time_us));
    if (time->count > 0) {
        section_set_number(table, first + 5, number_time_us((double)time->median));
        section_set_number(table, first + 6, number_time_us((double)time->p95));
        section_set_number(table, first + 7, number_time_us((double)time->max));
    }
}

static void player_cost_fill_people(const ReportInput *input, Table *table) {
    for (int i = 0; i < input->standings.count; i++) {
        const PlayerSummary *player = &input->summary.players[input->standings.rows[i].player];
        if (player->cost.moves == 0)
            continue;
        table_row(table);
        section_set_name(table, 0, player->short_name);
        cost_show(&player->cost, 1, table);
    }
}

static void move_cost_fill_people(const ReportInput *input, Table *table) {
    for (int i = 0; i < input->standings.count; i++) {
        const PlayerSummary *player = &input->summary.players[input->standings.rows[i].player];
        bool named = false;
        for (int stage = 0; stage < STAGE_NB; stage++) {
            if (player->stage[stage].moves == 0)
                continue;
            table_row(table);
            // The name once, then the stages below it; a blank, since an empty cell would be shown
            // as missing.
            section_set_name(table, 0, named ? " " : player->short_name);
            table_set_text(table, 1, store_stage_name((StoreStage)stage));
            cost_show(&player->stage[stage], 2, table);
            named = true;
        }
    }
}

// Said once below the table, since every column rests on it.
static void player_cost_notes(const ReportInput *input, Text *out) {
    if (input->summary.moves == 0)
        text_append(out, "No moves are stored.\n");
    else
        text_printf(out,
                    "%s searched moves; nodes/s: all nodes over all time; 95 %%: no more than this "
                    "in 95 %% of the moves.\n",
                    number_count(input->summary.moves).text);
}

static void move_cost_notes(const ReportInput *input, Text *out) {
    if (input->summary.moves > 0)
        text_printf(out,
                    "Stages by the stones on the board before the move: early below %d, middle "
                    "below %d, late from there on.\n",
                    STAGE_MIDDLE_STONES, STAGE_LATE_STONES);
}

static const SectionWord COST_WORDS[] = {
    {"nodes", "entries of the search function; programs count differently, so compare nodes of one "
              "program only"},
    {"nodes/s", "speed of the machine and the code together; it says nothing about strength"},
    {"time", "wall time of a move as measured; on a machine with other work on it, it is not the "
             "program's alone"},
};

const ReportSection SECTION_PLAYER_COST = {
    .name = "player_cost",
    .title = "Cost of a move, by player",
    .programs = {PLAYER_COST_COLUMNS, ARRAY_LEN(PLAYER_COST_COLUMNS), player_cost_fill},
    .people = {PLAYER_COST_SHOWN, ARRAY_LEN(PLAYER_COST_SHOWN), player_cost_fill_people},
    .notes = player_cost_notes,
    .words = COST_WORDS,
    .word_count = ARRAY_LEN(COST_WORDS),
    .needs_costs = true,
};

static const SectionWord STAGE_WORDS[] = {
    {"stage", "how full the board is, not who is winning: a quiet late game costs less than a "
              "sharp early one"},
};

const ReportSection SECTION_MOVE_COST = {
    .name = "move_cost",
    .title = "Cost of a move, by stage of the game",
    .programs = {MOVE_COST_COLUMNS, ARRAY_LEN(MOVE_COST_COLUMNS), move_cost_fill},
    .people = {MOVE_COST_SHOWN, ARRAY_LEN(MOVE_COST_SHOWN), move_cost_fill_people},
    .notes = move_cost_notes,
    .words = STAGE_WORDS,
    .word_count = ARRAY_LEN(STAGE_WORDS),
    .needs_costs = true,
};

// --- ordering quality
// -----------------------------------------------------------------------------------------------

enum {
    PR_PLAYER,
    PR_MOVES,
    PR_DEPTH,
    PR_NODES,
    PR_INTERIOR,
    PR_LEAVES,
    PR_CUTOFFS,
    PR_FIRST,
    PR_PER_NODE,
    PR_PER_INTERIOR,
    PR_FIRST_RATE,
    PR_BRANCHING,
    PR_TT,
    PR_SAVING,
    PR_EFFECTIVE,
    PR_FROM,
    PR_TO
};

static const TableColumn PRUNE_COLUMNS[] = {
    [PR_PLAYER] = {"player", COLUMN_TEXT, 0, NULL},
    [PR_MOVES] = {"moves", COLUMN_INT, 0, NULL},
    [PR_DEPTH] = {"depth_mean", COLUMN_REAL, 2, NULL},
    [PR_NODES] = {"nodes", COLUMN_INT, 0, NULL},
    [PR_INTERIOR] = {"interior", COLUMN_INT, 0, NULL},
    [PR_LEAVES] = {"leaves", COLUMN_INT, 0, NULL},
    [PR_CUTOFFS] = {"cutoffs", COLUMN_INT, 0, NULL},
    [PR_FIRST] = {"first_cutoffs", COLUMN_INT, 0, NULL},
    [PR_PER_NODE] = {"cutoffs_per_node", COLUMN_REAL, 4, NULL},
    [PR_PER_INTERIOR] = {"cutoffs_per_interior_node", COLUMN_REAL, 4, NULL},
    [PR_FIRST_RATE] = {"first_move_cutoff_rate", COLUMN_REAL, 4, NULL},
    [PR_BRANCHING] = {"branching", COLUMN_REAL, 2, NULL},
    [PR_TT] = {"tt_hit_rate", COLUMN_REAL, 4, NULL},
    [PR_SAVING] = {"node_saving", COLUMN_REAL, 4, NULL},
    [PR_EFFECTIVE] = {"effective_branching_factor", COLUMN_REAL, 2, NULL},
    [PR_FROM] = {"effective_from_depth", COLUMN_INT, 0, NULL},
    [PR_TO] = {"effective_to_depth", COLUMN_INT, 0, NULL},
};

// Counters stay empty for players that have none (external programs): 0 cutoffs would be a finding.
static void prune_fill(const ReportInput *input, Table *table) {
    for (int i = 0; i < input->summary.player_count; i++) {
        const StoreCost *cost = &input->summary.players[i].cost;
        if (cost->moves == 0)
            continue;
        table_row(table);
        table_set_text(table, PR_PLAYER, input->summary.players[i].name);
        table_set_int(table, PR_MOVES, cost->moves);
        section_set_ratio(table, PR_DEPTH, (double)cost->depth_sum, (double)cost->depth_moves);
        // A program that tells no nodes is not one without nodes.
        if (cost->node_spread.count > 0)
            table_set_int(table, PR_NODES, (int64_t)cost->nodes);
        if (cost->counted_moves > 0) {
            table_set_int(table, PR_INTERIOR, (int64_t)cost->interior);
            table_set_int(table, PR_LEAVES, (int64_t)cost->leaves);
            table_set_int(table, PR_CUTOFFS, (int64_t)cost->cutoffs);
            table_set_int(table, PR_FIRST, (int64_t)cost->first_cutoffs);
        }
        section_set_stat(table, PR_PER_NODE, cost_cutoffs_per_node(cost));
        section_set_stat(table, PR_PER_INTERIOR, cost_cutoffs_per_interior_node(cost));
        section_set_stat(table, PR_FIRST_RATE, cost_first_move_cutoff_rate(cost));
        section_set_ratio(table, PR_BRANCHING, (double)cost->branches, (double)cost->interior);
        section_set_ratio(table, PR_TT, (double)cost->tt_hits, (double)cost->tt_probes);
        section_set_stat(table, PR_SAVING, summary_node_saving(&input->summary, i));
        // Filled only when the value exists.
        int from, to;
        StatValue effective = summary_branching(&input->summary, i, &from, &to);
        section_set_stat(table, PR_EFFECTIVE, effective);
        if (stat_exists(effective)) {
            table_set_int(table, PR_FROM, from);
            table_set_int(table, PR_TO, to);
        }
    }
}

static const TableColumn PRUNE_SHOWN[] = {
    {"player", COLUMN_TEXT, 0, NULL},
    {"depth", COLUMN_RIGHT, 0, "mean depth"},
    {"per_node", COLUMN_RIGHT, 0, "cutoffs per node"},
    {"per_interior", COLUMN_RIGHT, 0, "cutoffs per interior node"},
    {"first", COLUMN_RIGHT, 0, "first-move cutoff rate"},
    {"saving", COLUMN_RIGHT, 0, "node saving"},
    {"effective", COLUMN_RIGHT, 0, "effective branching factor"},
    {"branching", COLUMN_RIGHT, 0, "moves per interior node"},
};

static void set_share(Table *table, int column, StatValue value) {
    if (stat_exists(value))
        section_set_number(table, column, number_percent(value.value));
}

// The rates only; the counts they come from are for programs.
static void prune_fill_people(const ReportInput *input, Table *table) {
    for (int i = 0; i < input->standings.count; i++) {
        int index = input->standings.rows[i].player;
        const PlayerSummary *player = &input->summary.players[index];
        const StoreCost *cost = &player->cost;
        if (cost->moves == 0)
            continue;
        table_row(table);
        section_set_name(table, 0, player->short_name);
        if (cost->depth_moves > 0)
            section_set_number(table, 1,
                               number_short((double)cost->depth_sum / (double)cost->depth_moves));
        set_share(table, 2, cost_cutoffs_per_node(cost));
        set_share(table, 3, cost_cutoffs_per_interior_node(cost));
        set_share(table, 4, cost_first_move_cutoff_rate(cost));
        set_share(table, 5, summary_node_saving(&input->summary, index));
        int from, to;
        StatValue effective = summary_branching(&input->summary, index, &from, &to);
        if (stat_exists(effective)) {
            NumberText number;
            snprintf(number.text, sizeof number.text, "%.2f (depth %d to %d)", effective.value,
                     from, to);
            section_set_number(table, 6, number);
        }
        if (cost->interior > 0 && cost->branches > 0)
            section_set_number(table, 7,
                               number_short((double)cost->branches / (double)cost->interior));
    }
}

static void prune_notes(const ReportInput *input, Text *out) {
    // Only what the table shows is explained.
    bool has_effective = false, has_saving = false;
    for (int i = 0; i < input->summary.player_count; i++) {
        int from, to;
        has_effective |= stat_exists(summary_branching(&input->summary, i, &from, &to));
        has_saving |= stat_exists(summary_node_saving(&input->summary, i));
    }
    if (has_effective)
        text_append(out, "Effective branching factor: mean nodes of a move at the deeper depth "
                         "over those at the shallower one, per ply, of the "
                         "same settings.\n");
    // The column is empty then, and the reader should know what would fill it.
    if (!has_saving && input->summary.moves > 0)
        text_append(out, "Node saving needs a minimax player of the same depth and values; "
                         "`gomolab verify` measures it on equal positions.\n");
    else if (has_saving)
        text_append(out, "Node saving: 1 - nodes / nodes of minimax at the same depth, over the "
                         "moves of these games.\n");
}

static const SectionWord PRUNE_WORDS[] = {
    {"cutoffs per node",
     "loops over moves left early, over all entries of the search function, leaves included"},
    {"cutoffs per interior node", "the same over the nodes that looped over moves: at most about "
                                  "one half in a perfectly ordered tree of one ply more, "
                                  "so no percentage of the tree"},
    {"node saving", "1 - nodes / nodes of plain minimax at the same depth; the only one of the "
                    "three that says how much work was saved"},
    {"first-move cutoff rate", "cutoffs that the first move tried brought; near 100 % the ordering "
                               "is good, but it does not say that the move was right"},
    {"effective branching factor", "by how much one more ply multiplies the nodes; measured over "
                                   "the games' positions, which differ from depth to depth"},
};

const ReportSection SECTION_PRUNE_RATE = {
    .name = "prune_rate",
    .title = "Ordering quality",
    .programs = {PRUNE_COLUMNS, ARRAY_LEN(PRUNE_COLUMNS), prune_fill},
    .people = {PRUNE_SHOWN, ARRAY_LEN(PRUNE_SHOWN), prune_fill_people},
    .notes = prune_notes,
    .words = PRUNE_WORDS,
    .word_count = ARRAY_LEN(PRUNE_WORDS),
    .needs_costs = true,
};
