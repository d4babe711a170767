// SPDX-License-Identifier: GPL-3.0-or-later
// Life of a game record.
#include "harness/record/game_record.h"

#include "engine/base/check.h"

#include <stdlib.h>
#include <string.h>

// Words of the database: old files hold them, so that none may change.
static const char *const REASONS[REASON_NB] = {
    [REASON_FIVE] = "five",
    [REASON_OVERLINE] = "overline",
    [REASON_FORBIDDEN] = "forbidden",
    [REASON_BOARD_FULL] = "board-full",
    [REASON_RESIGN] = "resign",
    [REASON_TIMEOUT] = "timeout",
    [REASON_CRASH] = "crash",
    [REASON_ILLEGAL] = "illegal",
    [REASON_ADJUDICATED] = "adjudicated",
};

GameRecord *game_record_new(void) { return calloc(1, sizeof(GameRecord)); }

void game_record_free(GameRecord *record) {
    if (!record)
        return;
    for (int i = 0; i < record->move_count; i++)
        free(record->moves[i].pv);
    free(record->moves);
    free(record->note);
    free(record->source.event);
    free(record->source.date);
    free(record->source.round);
    free(record);
}

bool game_record_add(GameRecord *record, const MoveRecord *move, const char *pv) {
    if (record->move_count == record->move_cap) {
        // Enough for most games; longer ones double it.
        int cap = record->move_cap ? record->move_cap * 2 : 64;
        MoveRecord *moves = realloc(record->moves, (size_t)cap * sizeof *moves);
        if (!moves)
            return false;
        record->moves = moves;
        record->move_cap = cap;
    }
    // Before the count is raised: a failure leaves the record as it was.
    char *pv_copy = pv ? strdup(pv) : NULL;
    if (pv && !pv_copy)
        return false;
    record->moves[record->move_count] = *move;
    record->moves[record->move_count++].pv = pv_copy;
    return true;
}

const char *game_reason_name(GameReason reason) {
    CHECK((unsigned)reason < REASON_NB);
    return REASONS[reason];
}

// Exactly as written: a database has no other spelling.
bool game_reason_parse(const char *name, GameReason *out) {
    for (int i = 0; i < REASON_NB; i++)
        if (strcmp(name, REASONS[i]) == 0) {
            *out = (GameReason)i;
            return true;
        }
    return false;
}

void game_record_write_square(const GameRecord *record, Move move, Text *out) {
    char letter = (char)('a' + move % record->width);
    text_append_bytes(out, &letter, 1);
    // Rows are stored from the top and written from the bottom.
    int number = record->height - move / record->width;
    // By hand and not by printf: an export writes every stone of every game this way.
    char digits[3];
    int count = 0;
    if (number >= 10)
        digits[count++] = (char)('0' + number / 10);
    digits[count++] = (char)('0' + number % 10);
    text_append_bytes(out, digits, (size_t)count);
}

void game_record_write_opening(const GameRecord *record, Text *out) {
    int plies =
        record->opening_plies < record->move_count ? record->opening_plies : record->move_count;
    if (plies == 0)
        text_append(out, "-");
    for (int i = 0; i < plies; i++) {
        text_append(out, i ? " " : "");
        game_record_write_square(record, record->moves[i].move, out);
    }
}
