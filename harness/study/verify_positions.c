// SPDX-License-Identifier: GPL-3.0-or-later
// Positions of random games and of stored ones.
#include "harness/study/verify_positions.h"

#include "engine/base/rng.h"
#include "harness/store/store_read.h"

#include <stdio.h>
#include <stdlib.h>

// Random stones near others: far from all a position has no threats, and pruning nothing to get
// wrong.
enum { RADIUS = 2, ATTEMPTS = 1000 };

// Within the middle 5x5, so that lines in all directions are long enough.
static Move first_stone(const Board *board, Rng *rng) {
    int span_x = board->width < 5 ? board->width : 5,
        span_y = board->height < 5 ? board->height : 5;
    int x = (board->width - span_x) / 2 + (int)rng_below(rng, (uint64_t)span_x);
    int y = (board->height - span_y) / 2 + (int)rng_below(rng, (uint64_t)span_y);
    return (Move)(y * board->width + x);
}

// Plays one random game of `plies` stones; false when it was won or stuck before.
// Won games are thrown away: a position after a five has nothing to search.
static bool random_game(Board *board, int plies, Rng *rng) {
    board_clear(board);
    for (int i = 0; i < plies; i++) {
        Move candidates[BOARD_MAX_CELLS];
        int count = board_candidates(board, candidates);
        if (i > 0 && count == 0)
            return false;
        board_place(board,
                    i == 0 ? first_stone(board, rng) : candidates[rng_below(rng, (uint64_t)count)]);
        if (board->wins[BLACK] || board->wins[WHITE])
            return false;
    }
    return true;
}

Status verify_positions_random(const RandomPositions *wish, PositionList *list, ErrorText *err) {
    Board *board = malloc(sizeof *board);
    if (!board)
        return error_set(err, STATUS_NO_MEMORY, "no memory for a board");
    Status status =
        board_init(board, wish->board_side, wish->board_side, 5, wish->rule, RADIUS, err);
    for (int64_t i = 0; i < wish->count && !status; i++) {
        // By number: position 7 is the same whether 10 or 1000 are asked for.
        Rng rng = rng_init(rng_mix(wish->seed, (uint64_t)i));
        int plies = wish->min_plies +
                    (int)rng_below(&rng, (uint64_t)(wish->max_plies - wish->min_plies) + 1);
        int attempt = 0;
        while (attempt < ATTEMPTS && !random_game(board, plies, &rng))
            attempt++;
        if (attempt == ATTEMPTS) {
            status = error_set(err, STATUS_INVALID,
                               "no random game on %dx%d lasts %d plies without a win", board->width,
                               board->height, plies);
            break;
        }
        char id[32];
        snprintf(id, sizeof id, "r%lld", (long long)i + 1);
        status = positions_add_board(list, id, board, err);
    }
    free(board);
    return status;
}

// Adds the positions before each chosen move of a game; `seen` counts them all, every `stride`th is
// kept.
static Status add_game(const GameRecord *game, Board *board, int64_t stride, int64_t *seen,
                       PositionList *list, ErrorText *err) {
    Status status = board_init(board, game->width, game->height, 5, board->rule, RADIUS, err);
    for (int ply = 0; ply < game->move_count && !status; ply++) {
        if (ply >= game->opening_plies && (*seen)++ % stride == 0) {
            char id[48];
            snprintf(id, sizeof id, "%lld:%d", (long long)game->slot, ply + 1);
            status = positions_add_board(list, id, board, err);
        }
        if (!board_is_free(board, game->moves[ply].move))
            break; // an illegal move ended the game
        board_place(board, game->moves[ply].move);
    }
    return status;
}

// Number of chosen moves in all games.
static Status count_choices(Store *store, int64_t *out, ErrorText *err) {
    StoreCursor *cursor = NULL;
    StoreGame game;
    bool found = true;
    Status status = store_games_open(store, 0, &cursor, err);
    for (*out = 0; !status && found;) {
        status = store_games_next(cursor, &game, &found, err);
        if (!status && found)
            *out += game.plies - game.opening_plies;
    }
    store_cursor_close(cursor);
    return status;
}

Status verify_positions_database(const char *path, int64_t limit, PositionList *list, Rule *rule,
                                 ErrorText *err) {
    Store *store = NULL;
    StoreCursor *cursor = NULL;
    Board *board = malloc(sizeof *board);
    int64_t choices = 0, seen = 0;
    bool found = true;
    Status status = board ? store_open(path, &store, err)
                          : error_set(err, STATUS_NO_MEMORY, "no memory for a board");
    if (!status)
        status = count_choices(store, &choices, err);
    if (!status)
        status = store_games_open(store, 0, &cursor, err);
    if (!status)
        *rule = board->rule = store_experiment(store)->rule;
    // Evenly over all games and plies, not the first games: those share openings and players.
    int64_t stride = limit > 0 && choices > limit ? (choices + limit - 1) / limit : 1;
    while (!status && found) {
        GameRecord *game = NULL;
        status = store_games_next_full(cursor, &game, &found, err);
        if (!status && found)
            status = add_game(game, board, stride, &seen, list, err);
        game_record_free(game);
    }
    if (!status && list->count == 0)
        status = error_set(err, STATUS_INVALID, "%s: no moves in it", path);
    store_cursor_close(cursor);
    store_close(store);
    free(board);
    return status;
}
