// SPDX-License-Identifier: GPL-3.0-or-later
// The set of openings and random ones.
#include "harness/play/opening.h"

#include "engine/board/notation.h"

#include <stdlib.h>
#include <string.h>

Status opening_set_init(OpeningSet *set, int width, int height, int k, Rule rule, ErrorText *err) {
    Board *board = malloc(sizeof *board);
    if (!board)
        return error_set(err, STATUS_NO_MEMORY, "out of memory for a board");
    Status status = board_init(board, width, height, k, rule, 1, err);
    if (status) {
        free(board);
        return status;
    }
    *set = (OpeningSet){.width = width, .height = height, .k = k, .rule = rule, .board = board};
    return STATUS_OK;
}

void opening_set_release(OpeningSet *set) {
    free(set->board);
    free(set->moves);
    free(set->first);
    free(set->lines);
    *set = (OpeningSet){0};
}

// Room for one more opening of `count` stones.
// Three arrays instead of one struct an opening: a book of a million openings is read in a second
// and takes 30 MB. `first` has an entry more than there are openings, so that the length of each is
// a difference.
static Status opening_set_reserve(OpeningSet *set, int count, ErrorText *err) {
    int64_t used = set->count ? set->first[set->count] : 0;
    if (used + count > UINT32_MAX)
        return error_set(err, STATUS_NO_MEMORY, "more than %lld stones in openings",
                         (long long)UINT32_MAX);
    if (set->count == set->cap) {
        int64_t cap = set->cap ? set->cap * 2 : 64;
        uint32_t *first = realloc(set->first, (size_t)(cap + 1) * sizeof *first);
        // Kept at once: realloc may have moved it, also when the next one fails.
        if (first)
            set->first = first;
        uint32_t *lines = realloc(set->lines, (size_t)cap * sizeof *lines);
        if (lines)
            set->lines = lines;
        if (!first || !lines)
            return error_set(err, STATUS_NO_MEMORY, "out of memory for openings");
        set->cap = cap;
    }
    if (used + count > set->move_cap || !set->moves) {
        int64_t cap = set->move_cap ? set->move_cap * 2 : 512;
        while (cap < used + count)
            cap *= 2;
        Move *moves = realloc(set->moves, (size_t)cap * sizeof *moves);
        if (!moves)
            return error_set(err, STATUS_NO_MEMORY, "out of memory for openings");
        set->moves = moves;
        set->move_cap = cap;
    }
    return STATUS_OK;
}

// Places the stones on the set's board as far as they may start a game; STATUS_CONFLICT when it is
// won already.
// Cells are ints here, since what a file says may be anything; Move cannot hold all of it.
static Status opening_check(OpeningSet *set, const int *cells, int count, ErrorText *err) {
    Board *board = set->board;
    board_clear(board);
    for (int i = 0; i < count; i++) {
        if (cells[i] < 0 || cells[i] >= board_cell_count(board))
            return error_set(err, STATUS_INVALID, "stone %d is outside the %dx%d board", i + 1,
                             set->width, set->height);
        Move move = (Move)cells[i];
        SquareText square = notation_square(board, move);
        if (!board_is_free(board, move))
            return error_set(err, STATUS_INVALID, "stone %d: %s is occupied", i + 1, square.text);
        bool wins = board_wins_at(board, move, board->side);
        board_place(board, move);
        if (wins)
            return error_set(err, STATUS_CONFLICT,
                             "the opening is already won: stone %d, %s, makes a row of %d", i + 1,
                             square.text, board_longest_run(board, move, (Colour)(i & 1)));
    }
    if (board_is_full(board))
        return error_set(err, STATUS_INVALID, "the opening fills the %dx%d board", set->width,
                         set->height);
    return STATUS_OK;
}

Status opening_set_add(OpeningSet *set, const int *cells, int count, int64_t line, ErrorText *err) {
    Status status = opening_check(set, cells, count, err);
    if (status == STATUS_CONFLICT && set->skips_won) {
        if (set->won++ == 0) {
            set->won_line = line;
            set->won_why = *err;
        }
        return STATUS_OK;
    }
    // To callers a won opening is as wrong as any other.
    if (status == STATUS_CONFLICT)
        status = STATUS_INVALID;
    if (!status)
        status = opening_set_reserve(set, count, err);
    if (status)
        return status;
    if (set->count == 0)
        set->first[0] = 0;
    uint32_t at = set->first[set->count];
    for (int i = 0; i < count; i++)
        set->moves[at + (uint32_t)i] = (Move)cells[i];
    set->lines[set->count++] = (uint32_t)line;
    set->first[set->count] = at + (uint32_t)count;
    return STATUS_OK;
}

const Move *opening_set_get(const OpeningSet *set, int64_t index, int *count) {
    *count = (int)(set->first[index + 1] - set->first[index]);
    return set->moves + set->first[index];
}

void opening_play(Board *board, const Move *moves, int count) {
    for (int i = 0; i < count; i++)
        board_place(board, moves[i]);
}

int opening_random(Board *board, int plies, Rng *rng, Move *moves) {
    Move cells[BOARD_MAX_CELLS];
    int left = board_cell_count(board), placed = 0;
    for (int i = 0; i < left; i++)
        cells[i] = (Move)i;
    board_clear(board);
    // Draws without putting back; a cell that would win is passed over for this stone and all later
    // ones.
    // One cell stays empty: an opening that fills the board leaves nothing to play.
    while (placed < plies && left > 1) {
        int i = (int)rng_below(rng, (uint64_t)left);
        Move move = cells[i];
        // The last of those left takes its place: a draw costs the same however many were drawn.
        cells[i] = cells[--left];
        if (board_wins_at(board, move, board->side))
            continue;
        board_place(board, move);
        moves[placed++] = move;
    }
    return placed;
}
