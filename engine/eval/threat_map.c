// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the threat map up to date.
//
// Every node of a selective search places a stone here, and a stone touches up to 40 cells. Hence
// words of both colours, tables of windows, loops without a branch that cannot be foreseen, and an
// undo that only copies.
#include "engine/eval/threat_map.h"

#include "engine/base/check.h"

#include <string.h>

static int16_t code_value(const ThreatMap *map, CellCode code) {
    return (int16_t)(map->values ? map->values[code] : 0);
}

// The cell as it is, all that undo needs of it.
static inline void log_cell(ThreatMap *map, Move cell) {
    ThreatChange *change = &map->log[map->logged++];
    change->codes = map->codes[cell];
    change->cell = cell;
    for (int colour = 0; colour < COLOUR_NB; colour++) {
        change->threat[colour] = map->threat[colour][cell];
        change->worth[colour] = map->worth[colour][cell];
    }
}

// The cell has a stone now: it carries no threat and counts nowhere.
static void remove_cell(ThreatMap *map, Move cell) {
    map->codes[cell] = 0;
    for (int colour = 0; colour < COLOUR_NB; colour++) {
        map->tally.count[colour][map->threat[colour][cell]]--;
        map->tally.value[colour] -= map->worth[colour][cell];
        map->threat[colour][cell] = THREAT_NONE;
        map->worth[colour][cell] = 0;
    }
}

// Both colours of a line in one word, black below: a window of both is then cut out at once.
static inline uint64_t line_pair(const LineStones *line, uint32_t wall) {
    return (line->stones[BLACK] | wall) | (uint64_t)(line->stones[WHITE] | wall) << 32;
}

// cell_pattern_window of both colours at once: the cell's own bit left out of each half, then the
// white half moved down behind the black one.
static inline uint32_t pair_window(uint64_t pair, int reach, int bit) {
    uint64_t low = (uint64_t)bits_below(reach) * 0x100000001u;
    uint64_t window = pair >> (bit - reach);
    window = (window & low) | (window >> 1 & low << reach);
    return (uint32_t)(window | window >> (32 - 2 * reach));
}

// Lists the empty cells of one line within reach of the stone whose classes have changed, from
// fresh[count] on; returns the new count. Without a branch on the outcome: whether a cell changes
// cannot be foreseen, and the look-ups then go on side by side.
static inline int list_line(ThreatMap *map, const Board *board, Move move, int direction,
                            int count) {
    const LineGeometry *geometry = &board->geometry;
    const CellLines *at = &geometry->cell[move];
    int line = at->line[direction], bit = at->bit[direction], reach = map->patterns.reach;
    uint64_t pair = line_pair(&board->line[line], geometry->wall[line]);
    uint32_t empty = ~(uint32_t)(pair | pair >> 32) & bits_below(2 * reach + 1) << (bit - reach);
    int step = geometry->cell_step[line];
    int origin = move - bit * step; // the cell at bit 0
    for (; empty; empty &= empty - 1) {
        int there = bits_lowest(empty);
        Move cell = (Move)(origin + there * step);
        uint32_t classes = map->patterns.lines[pair_window(pair, reach, there)];
        uint32_t codes = map->codes[cell];
        // A code has the class of black at bits 4d, that of white 16 higher; the table has them in
        // one byte.
        uint32_t change =
            (codes >> 4 * direction & 0xf000fu) ^ ((classes | classes << 12) & 0xf000fu);
        map->fresh[count].cell = cell;
        map->fresh[count].codes = codes ^ change << 4 * direction;
        count += change != 0;
    }
    return count;
}

// Gives the cells in `fresh` their new codes in threats, worths and tallies, and logs the old ones.
// What is read again and again is kept in locals: a store to a threat, a byte, could change
// anything as far as the compiler knows.
static inline void renew_cells(ThreatMap *map, int count) {
    const uint8_t *threats = map->threats;
    const int16_t *values = map->values;
    ThreatChange *change = &map->log[map->logged];
    int32_t black = map->tally.value[BLACK], white = map->tally.value[WHITE];
    for (const ThreatRenewal *fresh = map->fresh, *end = fresh + count; fresh < end; fresh++) {
        Move cell = fresh->cell;
        uint32_t codes = fresh->codes;
        CellCode black_code = (CellCode)codes, white_code = (CellCode)(codes >> 16);
        uint8_t black_threat = threats[black_code], white_threat = threats[white_code];
        *change = (ThreatChange){.codes = map->codes[cell],
                                 .cell = cell,
                                 .worth = {map->worth[BLACK][cell], map->worth[WHITE][cell]},
                                 .threat = {map->threat[BLACK][cell], map->threat[WHITE][cell]}};
        map->codes[cell] = codes;
        if (values) {
            int16_t black_worth = values[black_code], white_worth = values[white_code];
            black += black_worth - change->worth[BLACK];
            white += white_worth - change->worth[WHITE];
            map->worth[BLACK][cell] = black_worth;
            map->worth[WHITE][cell] = white_worth;
        }
        // Without asking whether the threat is another one: the branch would cost more.
        map->tally.count[BLACK][change->threat[BLACK]]--;
        map->tally.count[WHITE][change->threat[WHITE]]--;
        map->tally.count[BLACK][black_threat]++;
        map->tally.count[WHITE][white_threat]++;
        map->threat[BLACK][cell] = black_threat;
        map->threat[WHITE][cell] = white_threat;
        change++;
    }
    map->tally.value[BLACK] = black;
    map->tally.value[WHITE] = white;
    map->logged += count;
}

// Two cells share one line at most, so no cell is listed twice and all can be listed before the
// first is renewed. What the stone's colour is, the windows say.
void threat_map_place(ThreatMap *map, const Board *board, Move move, Colour colour) {
    (void)colour;
    int count = 0;
    map->saved[map->depth] = map->tally;
    log_cell(map, move);
    remove_cell(map, move);
    for (int d = 0; d < LINE_DIRECTIONS; d++)
        count = list_line(map, board, move, d, count);
    renew_cells(map, count);
    map->log_count[map->depth++] = (uint8_t)(count + 1);
}

void threat_map_undo(ThreatMap *map) {
    ASSERT(map->depth > 0);
    // The tallies as a whole, the cells one by one from the log: nothing is worked out again.
    map->tally = map->saved[--map->depth];
    const ThreatChange *change = &map->log[map->logged];
    map->logged -= map->log_count[map->depth];
    for (int i = map->log_count[map->depth]; i > 0; i--) {
        change--;
        map->codes[change->cell] = change->codes;
        for (int colour = 0; colour < COLOUR_NB; colour++) {
            map->threat[colour][change->cell] = change->threat[colour];
            map->worth[colour][change->cell] = change->worth[colour];
        }
    }
}

// From the line words, cell by cell; stones keep the zeros that reset has left.
static void refresh_all(ThreatMap *map, const Board *board) {
    for (int cell = 0; cell < map->cell_count; cell++) {
        CellCode code[COLOUR_NB] = {0, 0};
        const CellLines *at = &board->geometry.cell[cell];
        if (board->cells[cell] != EMPTY)
            continue;
        for (int d = 0; d < LINE_DIRECTIONS; d++) {
            uint32_t wall = board->geometry.wall[at->line[d]];
            const LineStones *line = &board->line[at->line[d]];
            uint32_t window = cell_pattern_window(map->patterns.reach, line->stones[BLACK] | wall,
                                                  line->stones[WHITE] | wall, at->bit[d]);
            code[BLACK] = (CellCode)(code[BLACK] | (map->patterns.lines[window] & 15u) << 4 * d);
            code[WHITE] = (CellCode)(code[WHITE] | map->patterns.lines[window] >> 4 << 4 * d);
        }
        map->codes[cell] = code[BLACK] | (uint32_t)code[WHITE] << 16;
        for (int colour = 0; colour < COLOUR_NB; colour++) {
            map->threat[colour][cell] = map->threats[code[colour]];
            map->worth[colour][cell] = code_value(map, code[colour]);
            map->tally.count[colour][map->threat[colour][cell]]++;
            map->tally.value[colour] += map->worth[colour][cell];
        }
    }
}

void threat_map_reset(ThreatMap *map, const Board *board) {
    map->depth = map->logged = 0;
    map->cell_count = board_cell_count(board);
    memset(&map->tally, 0, sizeof map->tally);
    memset(map->codes, 0, sizeof map->codes);
    memset(map->worth, 0, sizeof map->worth);
    memset(map->threat, 0, sizeof map->threat);
    refresh_all(map, board);
}

Status threat_map_init(ThreatMap *map, const Board *board, const int16_t *values, ErrorText *err) {
    CHECK(board->k == 5);
    map->patterns = cell_pattern_table(board->rule);
    map->threats = cell_threat_table();
    map->values = values;
    if (!map->patterns.lines)
        return error_set(err, STATUS_NO_MEMORY, "no memory for the table of cell patterns");
    threat_map_reset(map, board);
    return STATUS_OK;
}

int threat_map_cells(const ThreatMap *map, Colour colour, CellThreat least, Move *out) {
    const uint8_t *threat = map->threat[colour];
    int count = 0;
    // The map is padded by eight bytes of THREAT_NONE, so the last word may reach beyond the board.
    for (int base = 0; base < map->cell_count;
         base += 8) { // eight cells at once: most words hold nothing of interest
        uint64_t word;
        memcpy(&word, threat + base, sizeof word);
        // A byte x has x + (0x80 - least) >= 0x80 exactly when x >= least; threats are below 0x80,
        // so no carry leaves it.
        uint64_t hits =
            (word + 0x0101010101010101u * (uint64_t)(0x80 - (int)least)) & 0x8080808080808080u;
        // The lowest byte of a word is the first cell: true of little-endian machines.
        for (; hits; hits &= hits - 1)
            out[count++] = (Move)(base + bits_lowest64(hits) / 8);
    }
    return count;
}

Move threat_map_five(const ThreatMap *map, Colour colour) {
    if (!threat_map_count(map, colour, THREAT_FIVE))
        return MOVE_NONE;
    const uint8_t *five = memchr(map->threat[colour], THREAT_FIVE, (size_t)map->cell_count);
    return five ? (Move)(five - map->threat[colour]) : (Move)MOVE_NONE;
}

// --- the slow twin

// The window of a cell, read cell by cell; classes of both colours as the table has them.
static uint8_t slow_classes(const ThreatMap *map, const Board *board, int cell, int direction) {
    static const int DX[] = {1, 0, 1, 1},
                     DY[] = {0, 1, 1, -1}; // towards higher bits of each direction's line
    int reach = map->patterns.reach;
    uint32_t black = 0, white = 0;
    for (int i = -reach; i <= reach; i++) {
        int x = cell % board->width + i * DX[direction],
            y = cell / board->width + i * DY[direction];
        bool inside = x >= 0 && x < board->width && y >= 0 && y < board->height;
        int stone = inside ? board->cells[y * board->width + x] : -1;
        black |= (uint32_t)(stone == BLACK || stone == -1) << (i + reach);
        white |= (uint32_t)(stone == WHITE || stone == -1) << (i + reach);
    }
    return map->patterns.lines[cell_pattern_window(reach, black, white, reach)];
}

// The tallies are compared as bytes: the struct has no padding.
bool threat_map_slow_agrees(const ThreatMap *map, const Board *board) {
    ThreatTally tally = {0};
    for (int cell = 0; cell < map->cell_count; cell++)
        for (int colour = 0; colour < COLOUR_NB; colour++) {
            CellCode code = 0;
            for (int d = 0; d < LINE_DIRECTIONS && board->cells[cell] == EMPTY; d++)
                code = (CellCode)(code | (slow_classes(map, board, cell, d) >> 4 * colour & 15)
                                             << 4 * d);
            if (threat_map_code(map, (Colour)colour, (Move)cell) != code)
                return false;
            if (board->cells[cell] != EMPTY)
                continue;
            if (map->threat[colour][cell] != map->threats[code] ||
                map->worth[colour][cell] != code_value(map, code))
                return false;
            tally.count[colour][map->threats[code]]++;
            tally.value[colour] += code_value(map, code);
        }
    return memcmp(&tally, &map->tally, sizeof tally) == 0;
}
