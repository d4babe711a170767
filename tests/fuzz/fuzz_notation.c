// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target: lists of moves and board texts, on boards of several sizes. What is accepted must
// read back from what is written, to the same position; what is refused must leave the board as it
// was.
#include "engine/base/check.h"
#include "engine/board/notation.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct {
    int width, height, k;
} worlds[] = {{15, 15, 5}, {20, 20, 5}, {22, 5, 6}, {3, 3, 3}};

static void check_moves(Board *board, RowOrder rows, const char *text) {
    static Board again;
    ErrorText err;
    board_clear(board);
    uint64_t empty_key = board->key;
    if (notation_play_moves(board, rows, text, &err) != STATUS_OK) {
        CHECK(board->key == empty_key && board->stone_count == 0);
        CHECK(err.text[0] != '\0' && !strchr(err.text, '\n'));
        return;
    }
    Text written = {0};
    notation_write_moves(board, &written);
    CHECK(!written.failed);
    again = *board;
    board_clear(&again);
    CHECK(notation_play_moves(&again, ROWS_BOTTOM, text_cstr(&written), &err) == STATUS_OK);
    CHECK(again.key == board->key);
    text_release(&written);
}

static void check_board(Board *board, const char *text) {
    static Board again;
    ErrorText err;
    board_clear(board);
    if (notation_set_board(board, text, BLACK, &err) != STATUS_OK) {
        CHECK(board->stone_count == 0);
        CHECK(err.text[0] != '\0' && !strchr(err.text, '\n'));
        return;
    }
    Text written = {0};
    notation_write_board(board, &written);
    CHECK(!written.failed);
    again = *board;
    board_clear(&again);
    CHECK(notation_set_board(&again, text_cstr(&written), BLACK, &err) == STATUS_OK);
    CHECK(again.key == board->key);
    text_release(&written);
}

// The first byte chooses the world, the order of rows and the kind of text.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static Board board;
    if (size < 1)
        return 0;
    unsigned choice = data[0] - (unsigned)'0';
    size_t world = choice / 4 % ARRAY_LEN(worlds);
    CHECK(board_init(&board, worlds[world].width, worlds[world].height, worlds[world].k,
                     RULE_FREESTYLE, 2, NULL) == STATUS_OK);
    char *text = malloc(size);
    if (!text)
        return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    if (choice & 2)
        check_board(&board, text);
    else
        check_moves(&board, choice & 1 ? ROWS_TOP : ROWS_BOTTOM, text);
    free(text);
    return 0;
}
