// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the threat map up to date.
#include "engine/eval/threat_map.h"

#include "engine/base/check.h"

#include <string.h>

static int code_value(const ThreatMap *map, CellCode code) {
    return map->values ? map->values[code] : 0;
}

// Moves a cell from its old code of `colour` to a new one in codes, threats and tallies.
static inline void set_code(ThreatMap *map, Move cell, Colour colour, CellCode code) {
    CellCode old = map->code[colour][cell];
    uint8_t threat = map->threats[code];
    map->tally.count[colour][map->threat[colour][cell]]--;
    map->tally.count[colour][threat]++;
    if (map->values)
        map->tally.value[colour] += map->values[code] - map->values[old];
    map->code[colour][cell] = code;
    map->threat[colour][cell] = threat;
}

static inline void log_cell(ThreatMap *map, Move cell) {
    map->log[map->logged++] = (ThreatChange){
        .cell = cell,
        .code = {map->code[BLACK][cell], map->code[WHITE][cell]},
        .threat = {map->threat[BLACK][cell], map->threat[WHITE][cell]},
    };
}

// The cell has a stone now: it carries no threat and counts nowhere.
static void remove_cell(ThreatMap *map, Move cell) {
    for (int colour = 0; colour < COLOUR_NB; colour++) {
        map->tally.count[colour][map->threat[colour][cell]]--;
        map->tally.value[colour] -= code_value(map, map->code[colour][cell]);
        map->threat[colour][cell] = THREAT_NONE;
        map->code[colour][cell] = 0;
    }
}

// Looks at the empty cells of one line within reach of `bit` again.
static inline void refresh_line(ThreatMap *map, const Board *board, int line, int bit,
                                int direction) {
    const LineGeometry *geometry = &board->geometry;
    int reach = map->patterns.reach;
    uint32_t wall = geometry->wall[line];
    uint32_t black = board->line[line].stones[BLACK] | wall,
             white = board->line[line].stones[WHITE] | wall;
    uint32_t empty = ~(black | white) & bits_below(2 * reach + 1) << (bit - reach);
    int step = geometry->cell_step[line];
    int origin =
        geometry->first_cell[line] - bits_lowest(~wall) * step; // the cell at bit 0, were there one
    for (; empty; empty &= empty - 1) {
        int at = bits_lowest(empty);
        Move cell = (Move)(origin + at * step);
        uint32_t classes = map->patterns.lines[cell_pattern_window(reach, black, white, at)];
        uint32_t was_black = map->code[BLACK][cell] >> 4 * direction & 15u;
        uint32_t was_white = map->code[WHITE][cell] >> 4 * direction & 15u;
        uint32_t change_black = was_black ^ (classes & 15u),
                 change_white = was_white ^ classes >> 4;
        if (!(change_black | change_white))
            continue;
        log_cell(map, cell);
        if (change_black)
            set_code(map, cell, BLACK,
                     (CellCode)(map->code[BLACK][cell] ^ change_black << 4 * direction));
        if (change_white)
            set_code(map, cell, WHITE,
                     (CellCode)(map->code[WHITE][cell] ^ change_white << 4 * direction));
    }
}

void threat_map_place(ThreatMap *map, const Board *board, Move move, Colour colour) {
    (void)colour;
    const CellLines *at = &board->geometry.cell[move];
    int before = map->logged;
    map->saved[map->depth] = map->tally;
    log_cell(map, move);
    remove_cell(map, move);
    for (int d = 0; d < LINE_DIRECTIONS; d++)
        refresh_line(map, board, at->line[d], at->bit[d], d);
    map->log_count[map->depth++] = (uint8_t)(map->logged - before);
}

void threat_map_undo(ThreatMap *map) {
    ASSERT(map->depth > 0);
    map->tally = map->saved[--map->depth];
    for (int i = map->log_count[map->depth]; i > 0; i--) {
        const ThreatChange *change = &map->log[--map->logged];
        for (int colour = 0; colour < COLOUR_NB; colour++) {
            map->code[colour][change->cell] = change->code[colour];
            map->threat[colour][change->cell] = change->threat[colour];
        }
    }
}

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
        for (int colour = 0; colour < COLOUR_NB; colour++) {
            map->code[colour][cell] = code[colour];
            map->threat[colour][cell] = map->threats[code[colour]];
            map->tally.count[colour][map->threat[colour][cell]]++;
            map->tally.value[colour] += code_value(map, code[colour]);
        }
    }
}

void threat_map_reset(ThreatMap *map, const Board *board) {
    map->depth = map->logged = 0;
    map->cell_count = board_cell_count(board);
    memset(&map->tally, 0, sizeof map->tally);
    memset(map->code, 0, sizeof map->code);
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
    for (int base = 0; base < map->cell_count;
         base += 8) { // eight cells at once: most words hold nothing of interest
        uint64_t word;
        memcpy(&word, threat + base, sizeof word);
        // A byte x has x + (0x80 - least) >= 0x80 exactly when x >= least; threats are below 0x80,
        // so no carry leaves it.
        uint64_t hits =
            (word + 0x0101010101010101u * (uint64_t)(0x80 - (int)least)) & 0x8080808080808080u;
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

// --- the slow twin ---

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

bool threat_map_slow_agrees(const ThreatMap *map, const Board *board) {
    ThreatTally tally = {0};
    for (int cell = 0; cell < map->cell_count; cell++)
        for (int colour = 0; colour < COLOUR_NB; colour++) {
            CellCode code = 0;
            for (int d = 0; d < LINE_DIRECTIONS && board->cells[cell] == EMPTY; d++)
                code = (CellCode)(code | (slow_classes(map, board, cell, d) >> 4 * colour & 15)
                                             << 4 * d);
            if (map->code[colour][cell] != code)
                return false;
            if (board->cells[cell] != EMPTY)
                continue;
            if (map->threat[colour][cell] != map->threats[code])
                return false;
            tally.count[colour][map->threats[code]]++;
            tally.value[colour] += code_value(map, code);
        }
    return memcmp(&tally, &map->tally, sizeof tally) == 0;
}
