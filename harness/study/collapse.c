// SPDX-License-Identifier: GPL-3.0-or-later
// Takes stones back from the five to see where it came from.
#include "harness/study/collapse.h"

#include "engine/board/cell_class.h"

const char *collapse_name(Collapse collapse) {
    static const char *const NAMES[COLLAPSE_NB] = {
        "-",          "missed five",  "missed four",      "double four",
        "four-three", "double three", "missed open three"};
    return NAMES[collapse];
}

static int five_cells(const Board *board, Colour colour) {
    int count = 0;
    for (Move cell = 0; cell < board_cell_count(board); cell++)
        count += board->cells[cell] == EMPTY && board_wins_at(board, cell, colour);
    return count;
}

// Directions in which a stone of `colour` on the empty cell makes a line of class low..high.
static int lines_between(const Board *board, const CellPatternTable *table, Move cell,
                         Colour colour, LineClass low, LineClass high) {
    int count = 0;
    for (int d = 0; d < LINE_DIRECTIONS; d++) {
        LineClass class = cell_line_class(table, board, cell, d, colour);
        count += class >= low && class <= high;
    }
    return count;
}

static bool makes_open_four(const Board *board, const CellPatternTable *table, Move cell,
                            Colour colour) {
    return board->cells[cell] == EMPTY &&
           lines_between(board, table, cell, colour, LINE_OPEN_FOUR, LINE_OPEN_FOUR) > 0;
}

// Where the open four on `four` came from. The loser is to move, and the winner threatens to make
// it.
static Collapse source_of_open_four(Board *board, const CellPatternTable *table, Move four,
                                    Colour winner) {
    // Back to the stone that made the open three: before it, `four` would not have been an open
    // four.
    int fives = 0;
    Move source = MOVE_NONE;
    int threes = 0;
    while (board->stone_count >= 2 && makes_open_four(board, table, four, winner)) {
        fives = five_cells(board, winner);
        source = board_last_move(board);
        board_undo(board);
        threes =
            lines_between(board, table, source, winner, LINE_OPEN_THREE, LINE_OPEN_THREE_STRONG);
        if (board->stone_count == 0)
            break;
        board_undo(board);
    }
    if (fives > 0)
        return COLLAPSE_FOUR_THREE;
    return threes >= 2 ? COLLAPSE_DOUBLE_THREE : COLLAPSE_MISSED_OPEN_THREE;
}

Collapse collapse_of(Board *board) {
    CellPatternTable table = cell_pattern_table(board->rule);
    // Nine stones are the fewest with a five of black's.
    if (board->k != 5 || !table.lines || board->stone_count < 9)
        return COLLAPSE_NONE;
    Colour winner = colour_other(board->side), loser = board->side;
    if (!board->wins[winner])
        return COLLAPSE_NONE;
    board_undo(board); // the five
    board_undo(board); // the loser's last move
    // In the order of how bad it is: not winning, not stopping the only cell, and only then a
    // shape.
    if (five_cells(board, loser) > 0)
        return COLLAPSE_MISSED_FIVE;
    if (five_cells(board, winner) <= 1)
        return COLLAPSE_MISSED_FOUR;
    Move last = board_last_move(board);
    board_undo(board); // the stone that made the last threat
    if (five_cells(board, winner) > 0)
        return COLLAPSE_MISSED_FOUR; // it stood there already
    if (lines_between(board, &table, last, winner, LINE_FOUR, LINE_OPEN_FOUR) >= 2)
        return COLLAPSE_DOUBLE_FOUR;
    board_undo(board); // the loser's move before it
    return source_of_open_four(board, &table, last, winner);
}
