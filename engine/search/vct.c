// SPDX-License-Identifier: GPL-3.0-or-later
// The VCT solver.
#include "engine/search/vct.h"

#include "engine/base/check.h"
#include "engine/board/zobrist.h"

#include <stdlib.h>
#include <string.h>

enum {
    INFINITE = 1 << 30,
    BUCKET = 4, // entries that a key may lie in
    LEVEL_CHILDREN = BOARD_MAX_CELLS,
    LEAF_FOURS = 20, // limits of a question about fours inside the tree
    LEAF_FOURS_NODES = 200,
    STOP_PERIOD = 256, // nodes between two questions whether to stop
};

// Proof and disproof number of a position; plies to the five where it is proved.
typedef struct Numbers {
    uint32_t pn, dn;
    int plies;
} Numbers;

static const Numbers DISPROVED = {.pn = INFINITE, .dn = 0};
static Numbers proved(int plies) { return (Numbers){.pn = 0, .dn = INFINITE, .plies = plies}; }

Status vct_init(VctSolver *solver, VcfSolver *vcf, int table_bits, ErrorText *err) {
    CHECK(table_bits >= 8 && table_bits <= 26);
    uint64_t entries = (uint64_t)1 << table_bits;
    *solver = (VctSolver){.vcf = vcf, .mask = entries / BUCKET - 1};
    solver->table = calloc(entries, sizeof *solver->table);
    solver->children = malloc(VCT_MAX_PLY * LEVEL_CHILDREN * sizeof *solver->children);
    if (solver->table && solver->children)
        return STATUS_OK;
    vct_release(solver);
    return error_set(err, STATUS_NO_MEMORY, "no memory for the table of the VCT solver");
}

void vct_release(VctSolver *solver) {
    free(solver->table);
    free(solver->children);
    solver->table = NULL;
    solver->children = NULL;
}

void vct_clear(VctSolver *solver) {
    memset(solver->table, 0, (solver->mask + 1) * BUCKET * sizeof *solver->table);
}

static void place(VctSolver *solver, Move move) {
    Board *board = solver->vcf->board;
    Colour colour = board->side;
    board_place(board, move);
    threat_map_place(solver->vcf->map, board, move, colour);
}

static void undo(VctSolver *solver) {
    threat_map_undo(solver->vcf->map);
    board_undo(solver->vcf->board);
}

static bool attacker_moves(const VctSolver *solver) {
    return solver->vcf->board->side == solver->attacker;
}

static void count_nodes(VctSolver *solver, uint64_t nodes) {
    uint64_t before = solver->nodes;
    solver->nodes += nodes;
    if (solver->node_limit && solver->nodes >= solver->node_limit)
        solver->stopped = true;
    if (solver->stop.ask && before / STOP_PERIOD != solver->nodes / STOP_PERIOD &&
        solver->stop.ask(solver->stop.context))
        solver->stopped = true;
}

// --- the table ---

static bool table_find(const VctSolver *solver, uint64_t key, Numbers *out) {
    const VctEntry *bucket = &solver->table[(key & solver->mask) * BUCKET];
    for (int i = 0; i < BUCKET; i++)
        if (bucket[i].key == key) {
            *out = bucket[i].pn ? (Numbers){.pn = bucket[i].pn, .dn = bucket[i].dn}
                                : proved((int)bucket[i].dn);
            return true;
        }
    return false;
}

// What an entry is worth keeping for: the more it was worked on, the larger its numbers.
static uint32_t entry_worth(const VctEntry *entry) {
    if (entry->key == 0)
        return 0;
    if (entry->pn == 0 || entry->dn == 0)
        return INFINITE;
    return entry->pn + entry->dn;
}

static void table_store(VctSolver *solver, uint64_t key, Numbers numbers) {
    VctEntry *bucket = &solver->table[(key & solver->mask) * BUCKET];
    VctEntry *slot = &bucket[key >> 62];
    for (int i = 0; i < BUCKET; i++) {
        if (bucket[i].key == key) {
            slot = &bucket[i];
            break;
        }
        if (entry_worth(&bucket[i]) < entry_worth(slot))
            slot = &bucket[i];
    }
    *slot = (VctEntry){key, numbers.pn, numbers.pn ? numbers.dn : (uint32_t)numbers.plies};
}

// --- single positions ---

// Attacker to move. Is there a win by fours, within the limits of the tree?
static bool wins_by_fours(VctSolver *solver, VcfResult *result) {
    vcf_solve(solver->vcf, LEAF_FOURS, LEAF_FOURS_NODES, result);
    count_nodes(solver, result->nodes);
    return result->answer == VCF_WIN || result->answer == VCF_FIVE_NOW;
}

// Attacker to move: what the threats on the board say.
static Numbers judge_attack(VctSolver *solver) {
    const ThreatMap *map = solver->vcf->map;
    Colour attacker = solver->attacker, defender = colour_other(attacker);
    if (threat_map_count(map, attacker, THREAT_FIVE))
        return proved(1);
    int fives = threat_map_count(map, defender, THREAT_FIVE);
    if (fives > 1)
        return DISPROVED;
    if (fives == 0 && threat_map_count(map, attacker, THREAT_OPEN_FOUR))
        return proved(3);
    int fours = 0, threes = 0;
    for (int threat = THREAT_FOUR; threat <= THREAT_OPEN_FOUR; threat++)
        fours += threat_map_count(map, attacker, (CellThreat)threat);
    for (int threat = THREAT_OPEN_THREE; threat <= THREAT_DOUBLE_THREE; threat++)
        threes += threat_map_count(map, attacker, (CellThreat)threat);
    VcfResult result;
    if (fours > 0 && wins_by_fours(solver, &result))
        return proved(result.line_length);
    if (fives == 1)
        return (Numbers){.pn = 1, .dn = 1};
    if (fours + threes == 0)
        return DISPROVED;
    return (Numbers){.pn = 1, .dn = (uint32_t)(fours + threes)};
}

// Defender to move: what the threats on the board say.
static Numbers judge_defence(const VctSolver *solver) {
    const ThreatMap *map = solver->vcf->map;
    Colour attacker = solver->attacker, defender = colour_other(attacker);
    if (threat_map_count(map, defender, THREAT_FIVE))
        return DISPROVED;
    int fives = threat_map_count(map, attacker, THREAT_FIVE);
    if (fives > 1)
        return proved(2);
    if (fives == 1)
        return (Numbers){.pn = 1, .dn = 1};
    if (threat_map_count(map, defender, THREAT_OPEN_FOUR) ||
        !threat_map_count(map, attacker, THREAT_OPEN_FOUR))
        return DISPROVED; // he is faster, or nothing is threatened
    return (Numbers){.pn = 3, .dn = 1};
}

// Adds a move of the position as a child, with what is known of it. The stone is not on the board.
static void add_child(VctSolver *solver, Move move, VctChild *child) {
    Board *board = solver->vcf->board;
    Numbers numbers;
    uint64_t key =
        board->key ^ zobrist_stone(move, board->side) ^ ZOBRIST_WHITE_TO_MOVE ^ solver->salt;
    if (!table_find(solver, key, &numbers)) {
        place(solver, move);
        numbers = attacker_moves(solver) ? judge_attack(solver) : judge_defence(solver);
        undo(solver);
        table_store(solver, key, numbers);
    }
    *child = (VctChild){key, numbers.pn, numbers.dn, move, (int16_t)numbers.plies};
}

// Attacker to move: his threats, or the one cell that stops a five.
static int attacking_children(VctSolver *solver, VctChild *out) {
    const ThreatMap *map = solver->vcf->map;
    Move cells[BOARD_MAX_CELLS];
    Move block = threat_map_five(map, colour_other(solver->attacker));
    int count = 1;
    if (block != MOVE_NONE)
        cells[0] = block;
    else
        count = threat_map_cells(map, solver->attacker, THREAT_OPEN_THREE, cells);
    for (int i = 0; i < count; i++)
        add_child(solver, cells[i], &out[i]);
    return count;
}

// Writes the empty cells of the lines on which `four` would make its fours: only a stone on one of
// them can take the threat away.
static int cells_against(const VctSolver *solver, Move four, Move *out) {
    const Board *board = solver->vcf->board;
    const ThreatMap *map = solver->vcf->map;
    const CellLines *at = &board->geometry.cell[four];
    int reach = map->patterns.reach, count = 0;
    out[count++] = four;
    for (int d = 0; d < LINE_DIRECTIONS; d++) {
        if ((threat_map_code(map, solver->attacker, four) >> 4 * d & 15) < LINE_FOUR)
            continue;
        int line = at->line[d], bit = at->bit[d];
        uint32_t taken = board->line[line].stones[BLACK] | board->line[line].stones[WHITE] |
                         board->geometry.wall[line] | (uint32_t)1 << bit;
        uint32_t empty = ~taken & bits_below(2 * reach + 1) << (bit - reach);
        for (; empty; empty &= empty - 1)
            out[count++] = line_cell(&board->geometry, line, bits_lowest(empty));
    }
    return count;
}

// A cell where the attacker would make his open four, or two fours.
static Move open_four_cell(const VctSolver *solver) {
    const ThreatMap *map = solver->vcf->map;
    const uint8_t *cell = memchr(map->threat[solver->attacker], THREAT_OPEN_FOUR,
                                 (size_t)board_cell_count(solver->vcf->board));
    return cell ? (Move)(cell - map->threat[solver->attacker]) : (Move)MOVE_NONE;
}

// Defender to move: his fours, and the cells that leave no threat. None: whatever he plays, the
// threat is carried out.
static int defending_children(VctSolver *solver, VctChild *out) {
    const ThreatMap *map = solver->vcf->map;
    Colour attacker = solver->attacker, defender = colour_other(attacker);
    Move five = threat_map_five(map, attacker), cells[BOARD_MAX_CELLS];
    if (five != MOVE_NONE) {
        add_child(solver, five, &out[0]);
        return 1;
    }
    int written = 0, count = cells_against(solver, open_four_cell(solver), cells);
    for (int i = 0; i < count; i++) {
        if (map->threat[defender][cells[i]] >= THREAT_FOUR)
            continue; // among his fours
        place(solver, cells[i]);
        bool stops = !threat_map_count(map, attacker, THREAT_OPEN_FOUR);
        undo(solver);
        if (stops)
            add_child(solver, cells[i], &out[written++]);
    }
    count = threat_map_cells(map, defender, THREAT_FOUR, cells);
    for (int i = 0; i < count; i++)
        add_child(solver, cells[i], &out[written++]);
    return written;
}

// --- the search ---

static uint32_t add_capped(uint32_t a, uint32_t b) {
    return a >= INFINITE || b >= INFINITE ? INFINITE : a + b < INFINITE ? a + b : INFINITE - 1;
}

// A position's numbers from its children's: the attacker needs one proof, the defender one
// disproof. `best` is the child to look into, `second` the number of the next best.
static Numbers combine(const VctChild *child, int count, bool attacking, int *best,
                       uint32_t *second) {
    Numbers all = attacking ? DISPROVED : proved(3);
    uint32_t least = INFINITE + 1, sum = 0;
    *second = INFINITE;
    *best = 0;
    for (int i = 0; i < count; i++) {
        uint32_t own = attacking ? child[i].pn : child[i].dn;
        sum = add_capped(sum, attacking ? child[i].dn : child[i].pn);
        if (own < least) {
            *second = least < INFINITE ? least : INFINITE;
            least = own;
            *best = i;
        } else if (own < *second) {
            *second = own;
        }
    }
    if (count == 0)
        return all;
    all = attacking ? (Numbers){.pn = least, .dn = sum} : (Numbers){.pn = sum, .dn = least};
    if (all.pn == 0)
        all.dn = INFINITE;
    else if (all.dn == 0)
        all.pn = INFINITE;
    for (int i = 0; i < count && all.pn == 0; i++)
        if (child[i].pn == 0 && (all.plies == 0 || (attacking ? child[i].plies + 1 < all.plies
                                                              : child[i].plies + 1 > all.plies)))
            all.plies = child[i].plies + 1;
    return all;
}

// Expands the position and works on it until a number reaches its threshold in `limit`, then
// stores and returns its numbers.
static Numbers search(VctSolver *solver, int ply, Numbers limit) {
    bool attacking = attacker_moves(solver);
    uint64_t key = solver->vcf->board->key ^ solver->salt;
    VctChild *child = &solver->children[ply * LEVEL_CHILDREN];
    if (ply >= VCT_MAX_PLY - 4) {
        solver->cut_by_ply = true;
        table_store(solver, key, DISPROVED);
        return DISPROVED;
    }
    count_nodes(solver, 1);
    int count = attacking ? attacking_children(solver, child) : defending_children(solver, child);
    if (count == 0 && !attacking) { // any move, open four, any answer, five
        table_store(solver, key, proved(4));
        return proved(4);
    }
    for (;;) {
        int best;
        uint32_t second;
        Numbers now = combine(child, count, attacking, &best, &second);
        if (now.pn >= limit.pn || now.dn >= limit.dn || now.pn == 0 || now.dn == 0 ||
            solver->stopped) {
            table_store(solver, key, now);
            return now;
        }
        // A quarter above the second best: fewer changes of mind (Pawlewicz & Lew, 2007).
        uint32_t ahead = add_capped(second, second / 4 + 1);
        Numbers below = limit;
        if (attacking) {
            below.pn = ahead < limit.pn ? ahead : limit.pn;
            below.dn = add_capped(limit.dn - now.dn, child[best].dn);
        } else {
            below.dn = ahead < limit.dn ? ahead : limit.dn;
            below.pn = add_capped(limit.pn - now.pn, child[best].pn);
        }
        place(solver, child[best].move);
        Numbers found = search(solver, ply + 1, below);
        undo(solver);
        child[best].pn = found.pn;
        child[best].dn = found.dn;
        child[best].plies = (int16_t)found.plies;
    }
}

static const Numbers NO_LIMIT = {.pn = INFINITE, .dn = INFINITE};

// --- the line ---

static void add_move(VctSolver *solver, VctResult *result, Move move) {
    result->line[result->line_length++] = move;
    place(solver, move);
}

static bool add_fours(VctSolver *solver, VctResult *result) {
    VcfResult fours;
    if (!wins_by_fours(solver, &fours) || result->line_length + fours.line_length > VCT_MAX_PLY)
        return false;
    memcpy(result->line + result->line_length, fours.line,
           (size_t)fours.line_length * sizeof fours.line[0]);
    result->line_length += fours.line_length;
    return true;
}

// The child of a proved position to follow: the attacker's quickest, the defender's longest.
// MOVE_NONE: the table has forgotten the proof.
static Move proved_child(VctSolver *solver, bool attacking) {
    VctChild *child = solver->children;
    int count = attacking ? attacking_children(solver, child) : defending_children(solver, child);
    int chosen = -1;
    if (count == 0 && !attacking)
        return open_four_cell(solver);
    for (int i = 0; i < count; i++)
        if (child[i].pn == 0 && (chosen < 0 || (attacking ? child[i].plies < child[chosen].plies
                                                          : child[i].plies > child[chosen].plies)))
            chosen = i;
    return chosen < 0 ? (Move)MOVE_NONE : child[chosen].move;
}

// Follows the proof from the board's position on; proves anew what the table has lost. False when
// the node limit came before that.
static bool add_line(VctSolver *solver, VctResult *result) {
    int placed = 0;
    bool done = false;
    while (!done && !solver->stopped && result->line_length < VCT_MAX_PLY) {
        bool attacking = attacker_moves(solver);
        done = attacking && add_fours(solver, result);
        if (done)
            break;
        Move move = proved_child(solver, attacking);
        if (move == MOVE_NONE && search(solver, 0, NO_LIMIT).pn == 0)
            move = proved_child(solver, attacking);
        if (move == MOVE_NONE)
            break;
        add_move(solver, result, move);
        placed++;
    }
    while (placed-- > 0)
        undo(solver);
    return done;
}

void vct_solve(VctSolver *solver, uint64_t node_limit, VctResult *result) {
    *result = (VctResult){.answer = VCF_NO};
    solver->nodes = 0;
    solver->node_limit = node_limit;
    solver->stopped = solver->cut_by_ply = false;
    solver->attacker = solver->vcf->board->side;
    solver->salt = solver->attacker == BLACK ? 0 : 0x9B05688C2B3E6C1Fu;
    if (add_fours(solver, result)) {
        result->by_fours = true;
        result->answer = result->line_length == 1 ? VCF_FIVE_NOW : VCF_WIN;
    } else if (threat_map_count(solver->vcf->map, colour_other(solver->attacker), THREAT_FIVE) <
               2) {
        Numbers root = search(solver, 0, NO_LIMIT);
        if (root.pn == 0 && add_line(solver, result))
            result->answer = VCF_WIN;
        else if (root.dn != 0 || solver->cut_by_ply)
            result->answer = VCF_UNKNOWN;
    }
    if (result->answer != VCF_WIN && result->answer != VCF_FIVE_NOW)
        result->line_length = 0;
    result->nodes = solver->nodes;
}
