// SPDX-License-Identifier: GPL-3.0-or-later
// Steps through the games of a database.
#include "harness/cli/past_games.h"

// The cursor is closed between steps: a read that stays open would keep the writer's log from
// shrinking for the whole run.
static Status past_read_step(PastReader *reader, ErrorText *err) {
    StoreCursor *cursor = NULL;
    bool found = true;
    reader->next = reader->count = 0;
    Status status = store_games_open(reader->store, reader->from, &cursor, err);
    while (!status && found && reader->count < PAST_GAMES_STEP) {
        StoreGame game;
        status = store_games_next(cursor, &game, &found, err);
        if (!status && found)
            reader->games[reader->count++] = (PastGame){game.slot, game.result};
    }
    store_cursor_close(cursor);
    // A step that was not filled is the last: what comes later was added by this run.
    reader->is_over = !found;
    if (reader->count > 0)
        reader->from = reader->games[reader->count - 1].slot + 1;
    return status;
}

static Status past_next(void *ctx, PastGame *out, bool *found, ErrorText *err) {
    PastReader *reader = ctx;
    Status status = STATUS_OK;
    if (reader->next == reader->count && !reader->is_over)
        status = past_read_step(reader, err);
    *found = !status && reader->next < reader->count;
    if (*found)
        *out = reader->games[reader->next++];
    return status;
}

PastGames past_games_of(PastReader *reader, Store *store) {
    reader->store = store;
    reader->from = 0;
    reader->is_over = false;
    reader->next = reader->count = 0;
    return (PastGames){past_next, reader};
}
