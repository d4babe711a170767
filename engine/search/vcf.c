// SPDX-License-Identifier: GPL-3.0-or-later
// The VCF solver: a depth-first search, one four deeper each time.
//
// A node is a position with the attacker to move. There is one branch a four and one answer to
// each, so the tree is thin and deep; what makes it exhaustive in time is the memo of positions in
// which so many fours do not win.
#include "engine/search/vcf.h"

#include "engine/base/check.h"

#include <stdlib.h>
#include <string.h>

// Reading a clock costs as much as a node: now and then is enough.
enum { STOP_PERIOD = 256 }; // nodes between two questions whether to stop

Status vcf_init(VcfSolver *solver, Board *board, ThreatMap *map, int memo_bits, ErrorText *err) {
    CHECK(memo_bits >= 8 && memo_bits <= 24);
    *solver = (VcfSolver){.board = board, .map = map, .memo_mask = ((uint64_t)1 << memo_bits) - 1};
    solver->memo = calloc(solver->memo_mask + 1, sizeof *solver->memo);
    if (!solver->memo)
        return error_set(err, STATUS_NO_MEMORY, "no memory for the table of the VCF solver");
    return STATUS_OK;
}

void vcf_release(VcfSolver *solver) {
    free(solver->memo);
    solver->memo = NULL;
}

void vcf_clear(VcfSolver *solver) {
    memset(solver->memo, 0, (solver->memo_mask + 1) * sizeof *solver->memo);
}

static void place(VcfSolver *solver, Move move) {
    Colour colour = solver->board->side;
    board_place(solver->board, move);
    threat_map_place(solver->map, solver->board, move, colour);
}

static void undo(VcfSolver *solver) {
    threat_map_undo(solver->map);
    board_undo(solver->board);
}

static bool attack(VcfSolver *solver, int fours, int ply);

// The line is known from ply on: the attacker completes a five at `five`.
static bool won(VcfSolver *solver, int ply, Move five) {
    solver->line[ply] = five;
    solver->line_length = ply + 1;
    return true;
}

// Plays one four and the only answer to it, and goes on. The four must not leave the defender a
// five of his own.
static bool try_four(VcfSolver *solver, Move four, int fours, int ply) {
    Colour attacker = solver->board->side, defender = colour_other(attacker);
    bool wins = false;
    place(solver, four);
    solver->line[ply] = four;
    int fives = threat_map_count(solver->map, attacker, THREAT_FIVE);
    Move answer = threat_map_five(solver->map, attacker);
    // With a five of his own the defender would make it instead of answering.
    if (answer != MOVE_NONE && !threat_map_count(solver->map, defender, THREAT_FIVE)) {
        place(solver, answer);
        solver->line[ply + 1] = answer;
        if (fives >= 2) // one of them is still open
            wins = won(solver, ply + 2, threat_map_five(solver->map, attacker));
        else
            wins = attack(solver, fours - 1, ply + 2);
        undo(solver);
    }
    undo(solver);
    return wins;
}

// Only a four on the defender's five cell can go on; with two such cells none can.
static bool attack_under_threat(VcfSolver *solver, int fours, int ply) {
    Colour attacker = solver->board->side, defender = colour_other(attacker);
    Move block = threat_map_five(solver->map, defender);
    if (threat_map_count(solver->map, defender, THREAT_FIVE) > 1 ||
        solver->map->threat[attacker][block] < THREAT_FOUR)
        return false;
    return try_four(solver, block, fours, ply);
}

static bool attack_freely(VcfSolver *solver, int fours, int ply) {
    Move cells[BOARD_MAX_CELLS];
    Colour attacker = solver->board->side;
    const uint8_t *threat = solver->map->threat[attacker];
    int count = threat_map_cells(solver->map, attacker, THREAT_FOUR, cells);
    for (int least = THREAT_OPEN_FOUR; least >= THREAT_FOUR; least--) // the most forcing first
        for (int i = 0; i < count; i++)
            if (threat[cells[i]] == least && try_four(solver, cells[i], fours, ply))
                return true;
    return false;
}

// Attacker to move, neither side has won. Can `fours` more fours win?
static bool attack(VcfSolver *solver, int fours, int ply) {
    Colour attacker = solver->board->side, defender = colour_other(attacker);
    Move five = threat_map_five(solver->map, attacker);
    if (five != MOVE_NONE)
        return won(solver, ply, five);
    // Positions without a four end here, before they cost a node.
    int possible = 0;
    for (int threat = THREAT_FOUR; threat <= THREAT_OPEN_FOUR; threat++)
        possible += threat_map_count(solver->map, attacker, (CellThreat)threat);
    if (possible == 0)
        return false;
    if (fours == 0) {
        solver->cut_by_depth = true;
        return false;
    }
    // The key knows who attacks: it is the side to move. One entry a slot, the last one stays: what
    // is lost has to be searched again, and answers do not change.
    VcfMemo *memo = &solver->memo[solver->board->key & solver->memo_mask];
    if (memo->key == solver->board->key && memo->fours >= fours) {
        // An entry for fewer fours than any stands for a cut of its own.
        solver->cut_by_depth = solver->cut_by_depth || memo->fours < VCF_MAX_FOURS;
        return false;
    }
    solver->nodes++;
    if (solver->node_limit && solver->nodes > solver->node_limit)
        solver->stopped = true;
    if (solver->stop.ask && solver->nodes % STOP_PERIOD == 0 &&
        solver->stop.ask(solver->stop.context))
        solver->stopped = true;
    if (solver->stopped)
        return false;

    // Was anything cut below this position? Asked afresh, and joined to what was cut before it.
    bool cut_before = solver->cut_by_depth,
         threatened = threat_map_count(solver->map, defender, THREAT_FIVE) > 0;
    solver->cut_by_depth = false;
    bool wins =
        threatened ? attack_under_threat(solver, fours, ply) : attack_freely(solver, fours, ply);
    if (!wins && !solver->stopped) // without a cut by depth below, no number of fours wins
        *memo = (VcfMemo){solver->board->key, solver->cut_by_depth ? fours : VCF_MAX_FOURS};
    solver->cut_by_depth = solver->cut_by_depth || cut_before;
    return wins;
}

bool vcf_line_wins(VcfSolver *solver, const Move *line, int length) {
    const ThreatMap *map = solver->map;
    Colour attacker = solver->board->side, defender = colour_other(attacker);
    int placed = 0;
    bool wins = false;
    for (; placed < length && !wins; placed++) {
        Move move = line[placed];
        // Read before the cell is known to be free: stones carry THREAT_NONE, so nothing is read in
        // error.
        bool makes_five = map->threat[attacker][move] == THREAT_FIVE;
        if (!board_is_free(solver->board, move))
            break;
        if (placed % 2 == 0)
            wins = makes_five;
        else if (!makes_five || threat_map_count(map, defender, THREAT_FIVE))
            break; // the four is none now, or he is faster
        place(solver, move);
    }
    for (int i = 0; i < placed; i++)
        undo(solver);
    return wins;
}

void vcf_solve(VcfSolver *solver, int max_fours, uint64_t node_limit, VcfResult *result) {
    CHECK(max_fours >= 1 && max_fours <= VCF_MAX_FOURS);
    *result = (VcfResult){.answer = VCF_NO};
    solver->nodes = 0;
    solver->node_limit = node_limit;
    solver->stopped = false;
    bool wins = false;
    int fours = 0;
    // Deeper by a four each time: the first win is the shortest. Shallow rounds cost little beside
    // the last one, and their memo prunes it.
    for (; fours <= max_fours && !wins && !solver->stopped; fours++) {
        solver->cut_by_depth = false;
        wins = attack(solver, fours, 0);
        if (!wins && !solver->cut_by_depth)
            break; // exhausted: no line ended for want of depth
    }
    result->nodes = solver->nodes;
    if (wins) {
        result->answer = solver->line_length == 1 ? VCF_FIVE_NOW : VCF_WIN;
        result->fours = solver->line_length / 2;
        result->line_length = solver->line_length;
        memcpy(result->line, solver->line, (size_t)solver->line_length * sizeof solver->line[0]);
    } else if (solver->stopped || solver->cut_by_depth) {
        result->answer = VCF_UNKNOWN;
    }
}
