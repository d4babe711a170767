// SPDX-License-Identifier: GPL-3.0-or-later
// Windows of five cells and one-stone fives, both kept up to date line by line.
#include "engine/eval/windows.h"

#include "engine/base/check.h"

#include <stdlib.h>
#include <string.h>

enum { FIVE = 5, WINDOW_CODES = 1 << (2 * FIVE) };

// Eval's sums are here each side's view of the whole board, since a window of both colours need not
// be worth the same to both.
typedef struct WindowState {
    WindowTable table;
    int64_t penalty;
    int32_t worth[WINDOW_CODES];             // by own stones | enemy stones << 5
    uint32_t kill_mask[COLOUR_NB][LINE_MAX]; // empty bits of a line that complete a five on it
    uint8_t kill_lines[COLOUR_NB][BOARD_MAX_CELLS]; // by cell: on how many of its lines it does
    int kill_cells[COLOUR_NB];                      // cells where that is not 0
} WindowState;

// --- the tables

// What a cell of a window holds; 0: empty. Signs, so that a change of colours is one product.
enum { OWN = 1, ENEMY = -1 };

typedef struct PrintedWindow {
    int8_t cell[FIVE];
    int16_t worth;
} PrintedWindow;

// The entries that the tutorial's code prints, and one that its text adds.
static const PrintedWindow PRINTED[] = {
    {{0, OWN, OWN, OWN, OWN}, 900},   {{OWN, OWN, OWN, OWN, 0}, 900},
    {{0, OWN, OWN, OWN, ENEMY}, 450}, {{ENEMY, OWN, OWN, OWN, 0}, 450},
    {{0, OWN, OWN, 0, 0}, 200},       {{0, 0, OWN, OWN, 0}, 200},
};
static const PrintedWindow IN_TEXT = {{ENEMY, OWN, OWN, 0, 0}, 80};

// Is it this window, seen with the colours of `sign` (OWN: as printed) and from either end if
// `mirrored`?
static bool is_window(const int cell[FIVE], const PrintedWindow *window, int sign, bool mirrored) {
    for (int i = 0; i < FIVE; i++)
        if (cell[i] != sign * window->cell[mirrored ? FIVE - 1 - i : i])
            return false;
    return true;
}

// As the code has it: what is not printed is worth nothing, the enemy's windows included.
static int32_t window_worth_lit(const int cell[FIVE]) {
    for (size_t i = 0; i < ARRAY_LEN(PRINTED); i++)
        if (is_window(cell, &PRINTED[i], OWN, false))
            return PRINTED[i].worth;
    return 0;
}

static int32_t window_worth_full(const int cell[FIVE]) {
    static const int32_t BY_COUNT[FIVE + 1] = {0, 10, 200, 450, 900, 1000};
    int own = 0, enemy = 0;
    for (int i = 0; i < FIVE; i++) {
        own += cell[i] == OWN;
        enemy += cell[i] == ENEMY;
    }
    if (own == 0 || enemy == 0)
        return BY_COUNT[own] - BY_COUNT[enemy];
    // The printed entries name both of their mirror images; that of the text is one of two.
    for (int sign = ENEMY; sign <= OWN; sign += 2) {
        if (is_window(cell, &IN_TEXT, sign, false) || is_window(cell, &IN_TEXT, sign, true))
            return sign * IN_TEXT.worth;
        for (size_t i = 0; i < ARRAY_LEN(PRINTED); i++)
            if (is_window(cell, &PRINTED[i], sign, false))
                return sign * PRINTED[i].worth;
    }
    return 0;
}

static int32_t window_worth(const WindowState *windows, const int cell[FIVE]) {
    return windows->table == WINDOWS_LIT ? window_worth_lit(cell) : window_worth_full(cell);
}

// Codes with a cell of both colours are filled like any, and never asked for.
static void fill_table(WindowState *windows) {
    for (int code = 0; code < WINDOW_CODES; code++) {
        int cell[FIVE];
        for (int i = 0; i < FIVE; i++)
            cell[i] = (code >> i & 1) - (code >> (FIVE + i) & 1);
        windows->worth[code] = window_worth(windows, cell);
    }
}

static Status windows_open(Eval *eval, const KnobSet *knobs, const Board *board, ErrorText *err) {
    (void)board;
    WindowState *windows = calloc(1, sizeof *windows);
    if (!windows)
        return error_set(err, STATUS_NO_MEMORY, "no memory for the table of windows");
    windows->table = (WindowTable)knob_int(knobs, KNOB_EVAL_WINDOWS);
    windows->penalty = knob_int(knobs, KNOB_EVAL_KILL_PENALTY);
    fill_table(windows);
    eval->state = windows;
    return STATUS_OK;
}

static void windows_close(Eval *eval) { free(eval->state); }

// --- sums, stone by stone

// What a stone of `own` at the bit adds to the sum over one line, from own's view and (*enemy_view)
// from the enemy's.
static int32_t line_gain(const WindowState *windows, uint32_t own, uint32_t enemy, uint32_t wall,
                         int bit, int32_t *enemy_view) {
    int32_t gain = 0;
    // The five windows that hold the bit, those across the border left out.
    for (int low = bit - FIVE + 1; low <= bit; low++) {
        if (low < 0 || wall >> low & bits_below(FIVE))
            continue;
        uint32_t mine = own >> low & bits_below(FIVE), theirs = enemy >> low & bits_below(FIVE);
        uint32_t with_stone = mine | (uint32_t)1 << (bit - low);
        gain += windows->worth[with_stone | theirs << FIVE] - windows->worth[mine | theirs << FIVE];
        *enemy_view +=
            windows->worth[theirs | with_stone << FIVE] - windows->worth[theirs | mine << FIVE];
    }
    return gain;
}

static int32_t cell_gain(const WindowState *windows, const Board *board, Move move, Colour colour,
                         int32_t *enemy_view) {
    const CellLines *at = &board->geometry.cell[move];
    int32_t gain = 0;
    *enemy_view = 0;
    for (int d = 0; d < LINE_DIRECTIONS; d++) {
        const LineStones *line = &board->line[at->line[d]];
        gain += line_gain(windows, line->stones[colour], line->stones[colour_other(colour)],
                          board->geometry.wall[at->line[d]], at->bit[d], enemy_view);
    }
    return gain;
}

// --- kills, line by line

// Empty bits where a stone of `own` makes a winning row on the line. `j` stones stand directly
// below the bit and 4 - j above: at least so many, or exactly so many when only exactly five wins.
static uint32_t kill_bits(uint32_t own, uint32_t empty, bool exactly) {
    uint32_t below[FIVE + 1], above[FIVE + 1], kills = 0;
    if (bits_count(own) < FIVE - 1)
        return 0;
    below[0] = above[0] = ~(uint32_t)0;
    // Bit b of below[j]: j stones stand directly below b, and perhaps more.
    for (int j = 1; j <= FIVE; j++) {
        below[j] = below[j - 1] & own << j;
        above[j] = above[j - 1] & own >> j;
    }
    for (int j = 0; j < FIVE; j++) {
        uint32_t row = below[j] & above[FIVE - 1 - j];
        kills |= exactly ? row & ~(below[j + 1] | above[FIVE - j]) : row;
    }
    return kills & empty;
}

// Brings the kills of one line up to date with these stones. A cell may complete fives on several
// lines and is one kill all the same, hence the count of lines by cell.
static void kills_update(WindowState *windows, const Board *board, int line,
                         const uint32_t stones[COLOUR_NB]) {
    uint32_t empty = ~(stones[BLACK] | stones[WHITE] | board->geometry.wall[line]);
    for (int colour = 0; colour < COLOUR_NB; colour++) {
        uint32_t mask = kill_bits(stones[colour], empty, board->rule == RULE_STANDARD);
        uint32_t changed = mask ^ windows->kill_mask[colour][line];
        windows->kill_mask[colour][line] = mask;
        for (; changed; changed &= changed - 1) {
            int bit = bits_lowest(changed);
            uint8_t *lines = &windows->kill_lines[colour][line_cell(&board->geometry, line, bit)];
            if (mask >> bit & 1)
                windows->kill_cells[colour] += (*lines)++ == 0;
            else
                windows->kill_cells[colour] -= --*lines == 0;
        }
    }
}

static void windows_place(Eval *eval, const Board *board, Move move, Colour colour) {
    WindowState *windows = eval->state;
    const CellLines *at = &board->geometry.cell[move];
    int32_t enemy_view;
    eval_push(eval);
    eval->sum[colour] += cell_gain(windows, board, move, colour, &enemy_view);
    eval->sum[colour_other(colour)] += enemy_view;
    for (int d = 0; d < LINE_DIRECTIONS; d++) {
        // The board does not hold the stone yet: a copy of the line does.
        LineStones line = board->line[at->line[d]];
        line.stones[colour] |= (uint32_t)1 << at->bit[d];
        kills_update(windows, board, at->line[d], line.stones);
    }
}

static void windows_undo(Eval *eval, const Board *board, Move move, Colour colour) {
    // A line is read anew instead of logged: a mask is a few shifts, and the board has the old
    // stones.
    (void)colour;
    const CellLines *at = &board->geometry.cell[move];
    eval_pop(eval);
    for (int d = 0; d < LINE_DIRECTIONS; d++)
        kills_update(eval->state, board, at->line[d], board->line[at->line[d]].stones);
}

// A winning row stands. Any stone leaves it standing, except that under "exactly five" one at its
// end can spoil it.
static int kills_after_win(const Board *board, Colour colour) {
    int empty = board_cell_count(board) - board->stone_count;
    if (board->rule != RULE_STANDARD)
        return empty;
    int kills = 0;
    for (Move cell = 0; cell < board_cell_count(board); cell++) {
        if (board->cells[cell] != EMPTY)
            continue;
        int wins = board->wins[colour] + (board_wins_at(board, cell, colour) ? 1 : 0);
        for (int d = 0; d < LINE_DIRECTIONS; d++) {
            const CellLines *at = &board->geometry.cell[cell];
            uint32_t own = board->line[at->line[d]].stones[colour];
            // A row of exactly five becomes an overline by a stone at its end.
            wins -= line_run_up(own, at->bit[d]) == FIVE;
            wins -= line_run_down(own, at->bit[d]) == FIVE;
        }
        kills += wins > 0;
    }
    return kills;
}

// No part of the enemy's that eval.defense could weigh: his windows are in the sum already.
static double combine_windows(const Eval *eval, int64_t sum, int64_t enemy_kills) {
    const WindowState *windows = eval->state;
    return eval->own_scale * (double)(sum - windows->penalty * enemy_kills);
}

static double windows_value(const Eval *eval, const Board *board, Colour own) {
    const WindowState *windows = eval->state;
    Colour enemy = colour_other(own);
    int kills = board->wins[enemy] ? kills_after_win(board, enemy) : windows->kill_cells[enemy];
    return combine_windows(eval, eval->sum[own], kills);
}

static double windows_point(const Eval *eval, const Board *board, Move move, Colour colour) {
    int32_t enemy_view;
    return cell_gain(eval->state, board, move, colour, &enemy_view);
}

// --- slow twins: window by window, cell by cell

// From the cells alone, window by window: what each is worth comes from the definition, not from
// the table that was made of it.
static const int STEP_X[LINE_DIRECTIONS] = {1, 0, 1, -1}, STEP_Y[LINE_DIRECTIONS] = {0, 1, 1, 1};

static bool is_inside(const Board *board, int x, int y) {
    return x >= 0 && y >= 0 && x < board->width && y < board->height;
}

// The window that begins at (x, y) in direction `d`, from own's view; `extra` is taken as a stone
// of own. 0 across the border.
static int32_t slow_window(const WindowState *windows, const Board *board, Move start, int d,
                           Colour own, Move extra) {
    int x = start % board->width, y = start / board->width, cell[FIVE];
    // The far end decides: the near one is a cell of the board.
    if (!is_inside(board, x + (FIVE - 1) * STEP_X[d], y + (FIVE - 1) * STEP_Y[d]))
        return 0;
    for (int i = 0; i < FIVE; i++) {
        Move at = (Move)((y + i * STEP_Y[d]) * board->width + x + i * STEP_X[d]);
        int stone = at == extra ? (int)own : board->cells[at];
        cell[i] = stone == EMPTY ? 0 : stone == (int)own ? OWN : ENEMY;
    }
    return window_worth(windows, cell);
}

static int64_t slow_sum(const WindowState *windows, const Board *board, Colour own, Move extra) {
    int64_t sum = 0;
    for (Move start = 0; start < board_cell_count(board); start++)
        for (int d = 0; d < LINE_DIRECTIONS; d++)
            sum += slow_window(windows, board, start, d, own, extra);
    return sum;
}

// Is there a winning row of `colour` when `extra` is a stone of it, too?
static bool slow_wins(const Board *board, Colour colour, Move extra) {
    for (Move start = 0; start < board_cell_count(board); start++) {
        int x = start % board->width, y = start / board->width;
        for (int d = 0; d < LINE_DIRECTIONS; d++) {
            int run = 0;
            for (int step = -1;; step++) {
                int at_x = x + step * STEP_X[d], at_y = y + step * STEP_Y[d];
                Move at = (Move)(at_y * board->width + at_x);
                bool mine = is_inside(board, at_x, at_y) &&
                            (at == extra || board->cells[at] == (int)colour);
                if (step < 0 && mine)
                    break; // the run begins earlier
                if (step >= 0 && !mine)
                    break;
                run += step >= 0;
            }
            if (rule_run_wins(board->rule, run, FIVE))
                return true;
        }
    }
    return false;
}

// Would a stone of `colour` on the cell make a winning row through it?
static bool slow_wins_through(const Board *board, Colour colour, Move cell) {
    for (int d = 0; d < LINE_DIRECTIONS; d++) {
        int run = 1;
        for (int sign = -1; sign <= 1; sign += 2)
            for (int step = sign;; step += sign) {
                int x = cell % board->width + step * STEP_X[d];
                int y = cell / board->width + step * STEP_Y[d];
                if (!is_inside(board, x, y) || board->cells[y * board->width + x] != (int)colour)
                    break;
                run++;
            }
        if (rule_run_wins(board->rule, run, FIVE))
            return true;
    }
    return false;
}

static double windows_slow_value(const Eval *eval, const Board *board, Colour own) {
    int64_t kills = 0;
    Colour enemy = colour_other(own);
    bool has_won = slow_wins(board, enemy, MOVE_NONE);
    for (Move cell = 0; cell < board_cell_count(board); cell++)
        if (board->cells[cell] == EMPTY)
            kills +=
                has_won ? slow_wins(board, enemy, cell) : slow_wins_through(board, enemy, cell);
    return combine_windows(eval, slow_sum(eval->state, board, own, MOVE_NONE), kills);
}

static double windows_slow_point(const Eval *eval, const Board *board, Move move, Colour colour) {
    return (double)(slow_sum(eval->state, board, colour, move) -
                    slow_sum(eval->state, board, colour, MOVE_NONE));
}

static void windows_reset(Eval *eval, const Board *board) {
    WindowState *windows = eval->state;
    for (int colour = 0; colour < COLOUR_NB; colour++)
        eval->sum[colour] = slow_sum(windows, board, (Colour)colour, MOVE_NONE);
    memset(windows->kill_mask, 0, sizeof windows->kill_mask);
    memset(windows->kill_lines, 0, sizeof windows->kill_lines);
    memset(windows->kill_cells, 0, sizeof windows->kill_cells);
    for (int line = 0; line < board->geometry.line_count; line++)
        kills_update(windows, board, line, board->line[line].stones);
}

const EvalModel WINDOWS_MODEL = {
    .name = "windows",
    .meaning = "a table of five cells in a row, summed over the board, less a penalty for the "
               "enemy's fives in one",
    .min_side = BOARD_MIN_SIDE,
    .max_side = BOARD_MAX_SIDE,
    .open = windows_open,
    .close = windows_close,
    .reset = windows_reset,
    .place = windows_place,
    .undo = windows_undo,
    .value = windows_value,
    .point = windows_point,
    .slow_value = windows_slow_value,
    .slow_point = windows_slow_point,
};
