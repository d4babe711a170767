// SPDX-License-Identifier: GPL-3.0-or-later
// Squares, move lists and board texts.
#include "engine/board/notation.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

SquareText notation_square(const Board *board, Move move) {
    // The mask changes no number of 1..22; it shows the compiler that two digits have room.
    SquareText square = {"-"};
    if (move >= 0 && move < board_cell_count(board))
        snprintf(square.text, sizeof square.text, "%c%d", 'a' + move % board->width,
                 (board->height - move / board->width) & 31);
    return square;
}

// No letter is left out, as Go leaves out the i: a..v are 22 columns. Reading stops at a number
// that is off every board, before it could overflow.
int notation_read_square(const Board *board, RowOrder rows, const char *text, Move *out) {
    int letter = tolower((unsigned char)text[0]) - 'a';
    if (letter < 0 || letter > 25 || !isdigit((unsigned char)text[1]))
        return 0;
    int used = 1, number = 0;
    while (isdigit((unsigned char)text[used]) && number < 1000)
        number = number * 10 + (text[used++] - '0');
    if (letter >= board->width || number < 1 || number > board->height)
        return -1;
    int y = rows == ROWS_BOTTOM ? board->height - number : number - 1;
    *out = (Move)(y * board->width + letter);
    return used;
}

// Length of the word at `text`, for quoting it in a message.
static int word_length(const char *text) {
    int length = 0;
    while (text[length] && !isspace((unsigned char)text[length]) && text[length] != ',' &&
           length < 16)
        length++;
    return length;
}

static Status play_one(Board *board, RowOrder rows, const char **text, int number, ErrorText *err) {
    Move move;
    int used = notation_read_square(board, rows, *text, &move);
    if (used == 0)
        return error_set(err, STATUS_INVALID,
                         "move %d: '%.*s' is no square, expected a letter and a number as in h8",
                         number, word_length(*text), *text);
    if (used < 0)
        return error_set(err, STATUS_INVALID, "move %d: %.*s is outside the %dx%d board", number,
                         word_length(*text), *text, board->width, board->height);
    if (!board_is_free(board, move))
        return error_set(err, STATUS_INVALID, "move %d: %s is occupied", number,
                         notation_square(board, move).text);
    board_place(board, move);
    *text += used;
    return STATUS_OK;
}

Status notation_play_moves(Board *board, RowOrder rows, const char *text, ErrorText *err) {
    // The moves are made as they are read; a mistake takes all of them back.
    int before = board->stone_count;
    Status status = STATUS_OK;
    if (strcmp(text, "-") == 0)
        return STATUS_OK;
    for (int number = 1; !status; number++) {
        while (isspace((unsigned char)*text) || *text == ',' || *text == ';')
            text++;
        if (!*text)
            break;
        status = play_one(board, rows, &text, number, err);
    }
    while (status && board->stone_count > before)
        board_undo(board);
    return status;
}

Status notation_set_board(Board *board, const char *text, Colour side, ErrorText *err) {
    board_clear(board);
    int cells = board_cell_count(board), cell = 0;
    Status status = STATUS_OK;
    for (const char *c = text; *c && !status; c++) {
        // Slashes only between rows: a text of another width is a mistake, not a board to be
        // guessed at.
        int letter = toupper((unsigned char)*c);
        if (letter == '/' && cell > 0 && cell % board->width == 0)
            continue;
        if (letter != 'X' && letter != 'O' && letter != '.')
            status = error_set(err, STATUS_INVALID,
                               "board text: '%c' at cell %d, expected X, O or . and rows of %d", *c,
                               cell + 1, board->width);
        // Stones beyond the board are counted without being put: the message says how many there
        // are.
        else if (cell < cells && letter != '.')
            board_put(board, (Move)cell, letter == 'X' ? BLACK : WHITE, board->side);
        cell++;
    }
    if (!status && cell != cells)
        status = error_set(err, STATUS_INVALID, "board text has %d cells, expected %d for %dx%d",
                           cell, cells, board->width, board->height);
    if (status)
        board_clear(board);
    board_set_side(board, status ? BLACK : side);
    board->setup_count = board->stone_count;
    return status;
}

void notation_write_moves(const Board *board, Text *out) {
    for (int i = 0; i < board->stone_count; i++)
        text_printf(out, "%s%s", i ? " " : "", notation_square(board, board->moves[i]).text);
    if (board->stone_count == 0)
        text_append(out, "-");
}

void notation_write_board(const Board *board, Text *out) {
    for (int cell = 0; cell < board_cell_count(board); cell++) {
        if (cell && cell % board->width == 0)
            text_append(out, "/");
        // A Colour, or EMPTY, is the index of its letter.
        text_append_bytes(out, &"XO."[board->cells[cell]], 1);
    }
}
