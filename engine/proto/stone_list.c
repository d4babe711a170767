// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of stones.
#include "engine/proto/stone_list.h"

#include <string.h>

void stone_list_clear(StoneList *list) {
    list->count = 0;
    list->error.text[0] = '\0';
    memset(list->is_listed, 0, sizeof list->is_listed);
}

static void add(StoneList *list, Move move, bool is_own) {
    list->is_listed[move] = true;
    list->stone[list->count++] = (ListedStone){move, is_own};
}

// That each cell comes once is more than politeness: `stone` has room for every cell, so no sender
// can write past it.
void stone_list_read(StoneList *list, const GomocupCommand *line, int width, int height) {
    if (list->error.text[0])
        return;
    const int *number = line->number;
    bool is_stone = line->count == 3 && line->is_clean;
    bool is_on_board =
        is_stone && number[0] >= 0 && number[0] < width && number[1] >= 0 && number[1] < height;
    Move cell = is_on_board ? (Move)(number[1] * width + number[0]) : (Move)MOVE_NONE;
    if (!is_stone)
        error_set(&list->error, STATUS_INVALID, "BOARD: expected x,y,field");
    else if (!is_on_board)
        error_set(&list->error, STATUS_INVALID, "BOARD: %d,%d is outside the board", number[0],
                  number[1]);
    else if (number[2] != 1 && number[2] != 2)
        error_set(&list->error, STATUS_INVALID, "BOARD: field %d: expected 1 (own) or 2 (opponent)",
                  number[2]);
    else if (list->is_listed[cell])
        error_set(&list->error, STATUS_INVALID, "BOARD: %d,%d twice", number[0], number[1]);
    else
        add(list, cell, number[2] == 1);
}

void stone_list_take(StoneList *list, const Board *board, Colour own) {
    stone_list_clear(list);
    for (int i = 0; i < board->stone_count; i++)
        add(list, board->moves[i], board->cells[board->moves[i]] == own);
}

void stone_list_remove(StoneList *list, Move cell) {
    int kept = 0;
    for (int i = 0; i < list->count; i++)
        if (list->stone[i].move != cell)
            list->stone[kept++] = list->stone[i];
    list->count = kept;
    list->is_listed[cell] = false;
}

void stone_list_put(const StoneList *list, Board *board, Colour own) {
    for (int i = 0; i < list->count; i++) {
        Colour colour = list->stone[i].is_own ? own : colour_other(own);
        board_put(board, list->stone[i].move, colour, colour_other(colour));
    }
    board_set_side(board, own);
}
