// SPDX-License-Identifier: GPL-3.0-or-later
// Positions and moves of the VCT solver.
#include "engine/search/vct_moves.h"

#include "engine/board/zobrist.h"

#include <string.h>

// Inside the tree a win by fours is asked for at every position, so it may not cost much: what is
// missed there is searched as threats, or left out (vct.h).
enum {
    FOURS_IN_A_LINE = 20, // limits of a question about fours inside the tree
    FOURS_NODES = 40,
    STOP_PERIOD = 256, // nodes between two questions whether to stop
};

void vct_place(VctSolver *solver, Move move) {
    Board *board = solver->vcf->board;
    Colour colour = board->side;
    board_place(board, move);
    threat_map_place(solver->vcf->map, board, move, colour);
}

void vct_undo(VctSolver *solver) {
    threat_map_undo(solver->vcf->map);
    board_undo(solver->vcf->board);
}

void vct_count(VctSolver *solver, uint64_t nodes) {
    // The nodes of a question about fours come in one leap, which may pass the period's end.
    uint64_t before = solver->nodes;
    solver->nodes += nodes;
    if (solver->node_limit && solver->nodes >= solver->node_limit)
        solver->stopped = true;
    if (solver->stop.ask && before / STOP_PERIOD != solver->nodes / STOP_PERIOD &&
        solver->stop.ask(solver->stop.context))
        solver->stopped = true;
}

bool vct_fours(VctSolver *solver, VcfResult *result) {
    vcf_solve(solver->vcf, FOURS_IN_A_LINE, FOURS_NODES, result);
    vct_count(solver, result->nodes);
    return result->answer == VCF_WIN || result->answer == VCF_FIVE_NOW;
}

// --- what the board says

// Attacker to move.
static VctNumbers judge_attack(VctSolver *solver) {
    const ThreatMap *map = solver->vcf->map;
    Colour attacker = solver->attacker, defender = colour_other(attacker);
    if (threat_map_count(map, attacker, THREAT_FIVE))
        return vct_proved(1);
    int fives = threat_map_count(map, defender, THREAT_FIVE);
    if (fives > 1)
        return vct_disproved();
    if (fives == 0 && threat_map_count(map, attacker, THREAT_OPEN_FOUR))
        return vct_proved(3);
    // More to try makes a position harder to disprove, fours above all: a first guess, no bound.
    int fours = 0, threes = 0;
    for (int threat = THREAT_FOUR; threat <= THREAT_OPEN_FOUR; threat++)
        fours += threat_map_count(map, attacker, (CellThreat)threat);
    for (int threat = THREAT_THREE; threat <= THREAT_DOUBLE_THREE; threat++)
        threes += threat_map_count(map, attacker, (CellThreat)threat);
    VcfResult result;
    if (fours > 0 && vct_fours(solver, &result))
        return vct_proved(result.line_length);
    if (fives == 1)
        return (VctNumbers){.pn = 1, .dn = 2};
    if (fours + threes == 0)
        return vct_disproved();
    return (VctNumbers){.pn = 1, .dn = (uint32_t)(1 + 2 * fours + threes / 2)};
}

VctNumbers vct_judge_defence(const VctSolver *solver) {
    static const VctNumbers OPEN = {.pn = 1, .dn = 1};
    const ThreatMap *map = solver->vcf->map;
    Colour attacker = solver->attacker, defender = colour_other(attacker);
    if (threat_map_count(map, defender, THREAT_FIVE))
        return vct_disproved();
    int fives = threat_map_count(map, attacker, THREAT_FIVE);
    if (fives > 0)
        return fives > 1 ? vct_proved(2) : OPEN;
    if (threat_map_count(map, defender, THREAT_OPEN_FOUR))
        return vct_disproved(); // he is faster
    // Some stone may spoil it: the children will tell.
    if (threat_map_count(map, attacker, THREAT_OPEN_FOUR))
        return OPEN;
    // A win by fours begins with a four that makes more, or with one of several.
    bool may_win = threat_map_count(map, attacker, THREAT_FOUR_THREE) ||
                   threat_map_count(map, attacker, THREAT_FOUR_PLUS) ||
                   threat_map_count(map, attacker, THREAT_FOUR) > 1;
    return may_win ? OPEN : vct_disproved();
}

// --- the attacker's moves

// The work that a proof through this move will take, at a guess: the less, the more it threatens.
// Found by trying on positions from games.
static uint32_t guess(const VctSolver *solver, Move move) {
    static const uint8_t WORK[THREAT_NB] = {
        [THREAT_THREE] = 6,        [THREAT_OPEN_THREE] = 8, [THREAT_OPEN_THREE_PLUS] = 3,
        [THREAT_DOUBLE_THREE] = 1, [THREAT_FOUR] = 12,      [THREAT_FOUR_PLUS] = 1,
        [THREAT_FOUR_THREE] = 1,   [THREAT_OPEN_FOUR] = 1,  [THREAT_FIVE] = 1,
    };
    uint32_t work = WORK[solver->vcf->map->threat[solver->attacker][move]];
    return work ? work : 6;
}

// The key of the position after `move`.
static uint64_t child_key(const VctSolver *solver, Move move) {
    return vct_key(solver) ^ zobrist_stone(move, solver->vcf->board->side) ^ ZOBRIST_WHITE_TO_MOVE;
}

static VctChild child_of(uint64_t key, Move move, VctNumbers numbers) {
    return (VctChild){key, numbers.pn, numbers.dn, move, (int16_t)numbers.plies};
}

// His threats, or the one cell that stops a five. They are not tried on the board before they are
// searched: most never are.
static int attacking_children(VctSolver *solver, VctChild *out) {
    const ThreatMap *map = solver->vcf->map;
    Move cells[BOARD_MAX_CELLS];
    // Under a four he answers it, and goes on only if that is a threat as well.
    Move block = threat_map_five(map, colour_other(solver->attacker));
    int count = 1;
    if (block != MOVE_NONE)
        cells[0] = block;
    else
        count = threat_map_cells(map, solver->attacker, THREAT_THREE, cells);
    for (int i = 0; i < count; i++) {
        VctNumbers numbers;
        uint64_t key = child_key(solver, cells[i]);
        if (!vct_table_find(&solver->table, key, &numbers))
            numbers = (VctNumbers){.pn = guess(solver, cells[i]), .dn = 1};
        out[i] = child_of(key, cells[i], numbers);
    }
    return count;
}

// --- the defender's moves

Move vct_open_four(const VctSolver *solver) {
    const uint8_t *threat = solver->vcf->map->threat[solver->attacker];
    const uint8_t *cell =
        memchr(threat, THREAT_OPEN_FOUR, (size_t)board_cell_count(solver->vcf->board));
    return cell ? (Move)(cell - threat) : (Move)MOVE_NONE;
}

// Marks the cells of the lines through `move` on which a stone of `colour` there makes at least
// `least`, as far as a window reaches.
static void mark_lines(const VctSolver *solver, Move move, Colour colour, LineClass least,
                       bool *mark) {
    const LineGeometry *geometry = &solver->vcf->board->geometry;
    const CellLines *at = &geometry->cell[move];
    CellCode code = threat_map_code(solver->vcf->map, colour, move);
    int reach = solver->vcf->map->patterns.reach;
    for (int d = 0; d < LINE_DIRECTIONS; d++) {
        if ((code >> 4 * d & 15) < (int)least)
            continue;
        uint32_t cells = ~geometry->wall[at->line[d]] & bits_below(2 * reach + 1)
                                                            << (at->bit[d] - reach);
        for (; cells; cells &= cells - 1)
            mark[line_cell(geometry, at->line[d], bits_lowest(cells))] = true;
    }
}

// Marks what could spoil `line`, the attacker's win by fours if the defender passed: its cells, and
// those that would give the defender a four with one of his forced answers. The attacker is to
// move.
static void mark_spoiling(VctSolver *solver, const VcfResult *line, bool *mark) {
    for (int i = 0; i < line->line_length; i++) {
        mark[line->line[i]] = true;
        if (i % 2 == 1)
            mark_lines(solver, line->line[i], colour_other(solver->attacker), LINE_THREE, mark);
        vct_place(solver, line->line[i]);
    }
    for (int i = 0; i < line->line_length; i++)
        vct_undo(solver);
}

// Adds a defence with what is known of it; one that is new is looked at.
static void add_defence(VctSolver *solver, Move move, VctChild *out) {
    VctNumbers numbers;
    // Known positions come from the table; others are placed once, judged, and kept for next time.
    uint64_t key = child_key(solver, move);
    if (!vct_table_find(&solver->table, key, &numbers)) {
        vct_place(solver, move);
        numbers = judge_attack(solver);
        vct_undo(solver);
        vct_table_store(&solver->table, key, numbers);
    }
    *out = child_of(key, move, numbers);
}

// Does the stone spoil the win: `line`, or without one every open four that is threatened?
static bool spoils(VctSolver *solver, Move move, const VcfResult *line) {
    vct_place(solver, move);
    bool holds = line ? !vcf_line_wins(solver->vcf, line->line, line->line_length)
                      : !threat_map_count(solver->vcf->map, solver->attacker, THREAT_OPEN_FOUR);
    vct_undo(solver);
    return holds;
}

// His fours, and the cells that spoil what threatens him. No four is threatened by the attacker.
static int defending_children(VctSolver *solver, VctChild *out) {
    Board *board = solver->vcf->board;
    const ThreatMap *map = solver->vcf->map;
    Colour attacker = solver->attacker, defender = colour_other(attacker);
    bool mark[BOARD_MAX_CELLS] = {false};
    Move open_four = vct_open_four(solver);
    VcfResult line;
    if (open_four != MOVE_NONE) {
        mark_lines(solver, open_four, attacker, LINE_FOUR, mark);
    } else {
        board_set_side(board, attacker);
        bool threatens = vct_fours(solver, &line);
        if (threatens)
            mark_spoiling(solver, &line, mark);
        board_set_side(board, defender);
        if (!threatens)
            return -1;
    }
    int count = 0;
    Move fours[BOARD_MAX_CELLS];
    for (int cell = 0; cell < board_cell_count(board); cell++)
        if (mark[cell] && board->cells[cell] == EMPTY &&
            map->threat[defender][cell] < THREAT_FOUR &&
            spoils(solver, (Move)cell, open_four == MOVE_NONE ? &line : NULL))
            add_defence(solver, (Move)cell, &out[count++]);
    int four_count = threat_map_cells(map, defender, THREAT_FOUR, fours);
    for (int i = 0; i < four_count; i++)
        add_defence(solver, fours[i], &out[count++]);
    return count;
}

int vct_children(VctSolver *solver, VctChild *out) {
    if (vct_attacking(solver))
        return attacking_children(solver, out);
    Move five = threat_map_five(solver->vcf->map, solver->attacker);
    if (five == MOVE_NONE)
        return defending_children(solver, out);
    add_defence(solver, five, out);
    return 1;
}
