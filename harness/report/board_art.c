// SPDX-License-Identifier: GPL-3.0-or-later
// Drawing boards.
#include "harness/report/board_art.h"

// Colours of the 256-colour palette: wood, its lines, the two stones, the mark of the last stone.
// The 256-colour palette and not 24-bit colours: every terminal of today has it, many still lack
// those.
#define PAINT_WOOD "\033[48;5;179m"
#define PAINT_LINE "\033[38;5;137m"
#define PAINT_BLACK "\033[38;5;16m"
#define PAINT_WHITE "\033[38;5;231m"
#define PAINT_MARK "\033[1;38;5;160m"
#define PAINT_ROW_ON "\033[4m"
#define PAINT_ROW_OFF "\033[24m"
#define PAINT_NONE "\033[0m"

enum { LABEL_COLUMNS = 3 }; // "15 "

int board_art_width(const Board *board) { return LABEL_COLUMNS + 2 * board->width + 1; }

int board_art_height(const Board *board) { return board->height + 1; }

void board_art_stone(Colour colour, ArtStyle style, Text *out) {
    if (style == ART_ASCII)
        text_append(out, colour == BLACK ? "X" : "O");
    else if (style == ART_UNICODE)
        text_append(out, colour == BLACK ? "●" : "○");
    else
        text_printf(out, PAINT_WOOD "%s●" PAINT_NONE, colour == BLACK ? PAINT_BLACK : PAINT_WHITE);
}

// Is the cell one of the points that boards mark, so that the eye finds its way?
// As on real boards of odd size: the centre and the four points on the fourth lines.
static bool is_star(const Board *board, int x, int y) {
    if (board->width != board->height || board->width < 13 || board->width % 2 == 0)
        return false;
    int middle = board->width / 2, edge = 3;
    bool is_centre = x == middle && y == middle;
    return is_centre || ((x == edge || x == board->width - 1 - edge) &&
                         (y == edge || y == board->height - 1 - edge));
}

// Stones of the last mover's colour in a row through the last stone, in direction (dx, dy).
// Walked and not looked up: the board keeps how many rows win, not which.
static int run_length(const Board *board, int x, int y, int dx, int dy) {
    int count = 0;
    uint8_t colour = board->cells[y * board->width + x];
    for (int i = 1;; i++) {
        int nx = x + i * dx, ny = y + i * dy;
        if (nx < 0 || ny < 0 || nx >= board->width || ny >= board->height ||
            board->cells[ny * board->width + nx] != colour)
            return count;
        count++;
    }
}

// Is (x, y) part of a row through the last stone that wins by the rule?
static bool is_winning(const Board *board, int x, int y) {
    Move last = board_last_move(board);
    if (last == MOVE_NONE || board->cells[y * board->width + x] != board->cells[last])
        return false;
    int lx = last % board->width, ly = last / board->width;
    static const int DIRECTIONS[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    for (int d = 0; d < 4; d++) {
        int dx = DIRECTIONS[d][0], dy = DIRECTIONS[d][1];
        int after = run_length(board, lx, ly, dx, dy), before = run_length(board, lx, ly, -dx, -dy);
        // Exactly five where overlines do not win: then a row of six is not underlined.
        if (!rule_run_wins(board->rule, after + before + 1, board->k))
            continue;
        for (int i = -before; i <= after; i++)
            if (lx + i * dx == x && ly + i * dy == y)
                return true;
    }
    return false;
}

// Stones are the same sign in two colours where the terminal has colours, two signs where it has
// none.
static void cell_write(const Board *board, ArtStyle style, int x, int y, Text *out) {
    Colour colour = (Colour)board->cells[y * board->width + x];
    if (colour == EMPTY) {
        if (style == ART_COLOUR)
            text_printf(out, PAINT_LINE "%s", is_star(board, x, y) ? "•" : "·");
        else
            text_append(out, style == ART_ASCII     ? (is_star(board, x, y) ? "+" : ".")
                             : is_star(board, x, y) ? "+"
                                                    : "·");
    } else if (style == ART_COLOUR) {
        bool wins = is_winning(board, x, y);
        text_printf(out, "%s%s●%s", colour == BLACK ? PAINT_BLACK : PAINT_WHITE,
                    wins ? PAINT_ROW_ON : "", wins ? PAINT_ROW_OFF : "");
    } else {
        board_art_stone(colour, style, out);
    }
}

static void row_write(const Board *board, ArtStyle style, int y, Text *out) {
    Move last = board_last_move(board);
    // Far to the left when the last stone is in another row, so that neither bracket is drawn.
    int last_x = last != MOVE_NONE && last / board->width == y ? last % board->width : -9;
    text_printf(out, "%2d ", board->height - y);
    text_append(out, style == ART_COLOUR ? PAINT_WOOD : "");
    for (int x = 0; x <= board->width; x++) {
        const char *gap = x == last_x ? "[" : x == last_x + 1 ? "]" : " ";
        if (style == ART_COLOUR && *gap != ' ')
            text_printf(out, PAINT_MARK "%s" PAINT_NONE PAINT_WOOD, gap);
        else
            text_append(out, gap);
        if (x < board->width)
            cell_write(board, style, x, y, out);
    }
    text_append(out, style == ART_COLOUR ? PAINT_NONE : "");
}

void board_art_line(const Board *board, ArtStyle style, int line, Text *out) {
    if (line < board->height) {
        row_write(board, style, line, out);
        return;
    }
    // As wide as "15 ".
    text_append(out, "   ");
    for (int x = 0; x < board->width; x++)
        text_printf(out, " %c", 'a' + x);
    text_append(out, " ");
}
